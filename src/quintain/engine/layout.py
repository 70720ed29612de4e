"""A view laid out for painters: zones in rows, what a touch does, the signs of states and their footnotes.

The terminal and the browser both paint what `lay_out` returns. Nothing here looks at words but to join them into the
sentence that stands for a piece where nobody sees the table.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from quintain.engine.views import Act, Label, Piece, Stat, View, Zone, known_to

SIGNS = "*†‡§¶#°‖"
ZONES_KEPT = 4096
PLACED = ("grid", "pyramid", "track")
"""The layouts whose pieces lie at a row and place."""


class Footnote(Struct, frozen=True, cache_hash=True):
    """A sign and what it stands for."""

    sign: str
    words: str


class Spot(Struct, frozen=True, cache_hash=True):
    """A piece where it is painted, with the footnotes on its states and on what changes it.

    A piece that cannot be touched now, but could be another time, is `barred`: that is the action to ask about.
    """

    piece: Piece
    notes: tuple[Footnote, ...]
    barred: int | None
    docked: bool
    on_it: tuple[Spot, ...]

    @property
    def lit(self) -> bool:
        """Whether something can be done with the piece now."""
        return bool(self.piece.acts)

    @property
    def does(self) -> Act | None:
        """What a touch does, if anything."""
        return usual_act(self.piece)

    @property
    def signs(self) -> str:
        """The signs that stand for its states; a piece that is there to be read has the words instead."""
        return "".join([note.sign for note in self.notes]) if has_signs(self.piece) else ""

    @property
    def marks(self) -> tuple[str, ...]:
        """The words for its states, and for what changes it."""
        changes = [line.words for line in self.piece.now]
        return tuple(dict.fromkeys([*(note.words for note in self.notes), *changes]))

    @property
    def said(self) -> str:
        """All that can be said of it, in one sentence."""
        return said(self.piece, self.does, self.marks)

    @property
    def number(self) -> str:
        """The first number of the piece as it is written; empty if it has none."""
        return self.piece.stats[0].written.replace("-", "\N{MINUS SIGN}") if self.piece.stats else ""

    @property
    def place(self) -> str:
        """Its row and place, counted from 1, such as ``4.1``; empty where it lies in a line."""
        return "" if self.piece.at is None else f"{self.piece.at[0] + 1}.{self.piece.at[1] + 1}"

    def has(self, state: str) -> bool:
        """Tell whether the piece is in a state."""
        return state in self.piece.state

    def stat(self, key: str) -> Stat | None:
        """Return a number of the piece; None if it has none of this key."""
        return next((stat for stat in self.piece.stats if stat.key == key), None)


class LaidRow(Struct, frozen=True, cache_hash=True):
    """A line of a zone, perhaps with its owner; None stands for a gap."""

    owner: int | None
    spots: tuple[Spot | None, ...]


class LaidZone(Struct, frozen=True, cache_hash=True):
    """A zone as it is painted.

    It is `docked` if it lies at hand of the viewer, and not on the board; it `leaves` room to read if its pieces have
    texts. `more` counts the pieces that it has besides those shown.
    """

    zone: Zone
    rows: tuple[LaidRow, ...]
    footnotes: tuple[Footnote, ...]
    docked: bool

    @property
    def spots(self) -> list[Spot]:
        """All its pieces."""
        return [spot for row in self.rows for spot in row.spots if spot]

    @property
    def leaves(self) -> bool:
        """Whether its pieces are there to be read."""
        return is_read(self.zone)

    @property
    def more(self) -> int:
        """How many more pieces it has than are shown."""
        return self.zone.size - sum(not piece.is_free for piece in self.zone.pieces)


class Choice(Struct, frozen=True, cache_hash=True):
    """An answer that a touch on a piece does not give, and the piece beside it, if one belongs to it."""

    act: Act
    piece: Piece | None


class Layout(Struct, frozen=True):
    """A whole view as it is painted: its zones in their order, and the answers that no touch gives."""

    zones: tuple[LaidZone, ...]
    choices: tuple[Choice, ...]
    footnotes: tuple[Footnote, ...]


def lay_out(view: View, you: int | None) -> Layout:
    """Lay a view out for a seat; None is a spectator."""
    asked = you is not None and you in view.to_act
    zones = tuple(
        [_laid_zone(zone, zone.seat is not None and zone.seat == you, asked, view.legend) for zone in view.zones]
    )
    footnotes = dict.fromkeys(note for zone in zones for note in zone.footnotes)
    return Layout(zones, _choices(view), tuple(footnotes))


def is_read(zone: Zone) -> bool:
    """Tell whether the pieces of a zone are there to be read."""
    return any(piece.text and not piece.is_token for piece in zone.pieces)


@lru_cache(ZONES_KEPT)
def _laid_zone(zone: Zone, is_own: bool, asked: bool, legend: tuple[Label, ...]) -> LaidZone:
    """Lay a zone out. Kept, as most zones stay: a page takes a sixth less."""
    laying = _Laying(asked, legend)
    at_hand = zone.layout == "fan" or (zone.layout != "pyramid" and any(piece.acts for piece in zone.pieces))
    docked = is_own and at_hand
    spots = [laying.spot(piece, docked) for piece in zone.pieces]
    signed = [one for spot in spots for one in (spot, *spot.on_it) if one.notes and has_signs(one.piece)]
    notes = {note for one in signed for note in one.notes}
    return LaidZone(
        zone, tuple(_rows(zone, spots)), tuple(note for note in laying.notes.values() if note in notes), docked
    )


class _Laying:
    """Lays out the pieces of one zone: the signs of its footnotes are those of the legend, then of what changes it."""

    def __init__(self, asked: bool, legend: tuple[Label, ...]) -> None:
        self.asked = asked
        self.notes: dict[str, Footnote] = {}
        for label in legend:
            self._note(label.key, label.words)

    def _note(self, key: str, words: str) -> Footnote:
        if key not in self.notes:
            times, sign = divmod(len(self.notes), len(SIGNS))
            self.notes[key] = Footnote(SIGNS[sign] * (times + 1), words)
        return self.notes[key]

    def spot(self, piece: Piece, docked: bool = False) -> Spot:
        """Return a piece as it is painted; one that lies at hand is docked."""
        barred = piece.means[0] if self.asked and piece.means and usual_act(piece) is None else None
        on_it = tuple([self.spot(lying) for lying in piece.on_it])
        return Spot(piece, self._notes(piece), barred, docked, on_it)

    def _notes(self, piece: Piece) -> tuple[Footnote, ...]:
        """Return the footnotes on a piece, in the order of the legend; what changes numbers would be too many."""
        if not (piece.state or piece.known_to or piece.now):
            return ()
        keys = piece.state.union(map(known_to, piece.known_to))
        notes = [note for key, note in self.notes.items() if key in keys]
        if not piece.is_token:
            notes += [self._note(f"{piece.id}.{number}", line.words) for number, line in enumerate(piece.now)]
        return tuple(notes)


def _choices(view: View) -> tuple[Choice, ...]:
    """Return the answers that no touch gives, those that end something last."""
    acts = {act.action: Choice(act, None) for act in view.acts}
    given: set[int] = set()
    for piece in filter(_acts_of, view.pieces()):
        usual = usual_act(piece)
        given |= {usual.action} if usual else set()
        for act in piece.acts:
            acts.setdefault(act.action, Choice(act, piece))
    rest = [choice for action, choice in sorted(acts.items()) if action not in given]
    return tuple(sorted(rest, key=lambda choice: choice.act.final))


def has_signs(piece: Piece) -> bool:
    """Tell whether signs stand for the states of a piece: one that is there to be read has the words."""
    return piece.is_token or not piece.text


_acts_of = operator.attrgetter("acts")


def usual_act(piece: Piece) -> Act | None:
    """Return what a touch on a piece does: its usual action, if that is legal and concerns no other piece as well."""
    if not piece.acts:
        return None
    usual = piece.means[:1]
    return next((act for act in piece.acts if act.action in usual and act.target is None), None)


def said(piece: Piece, does: Act | None, marks: Iterable[str]) -> str:
    """Say what a touch on a piece does, if anything, then what the piece is and all that it shows, in one sentence.

    >>> said(Piece("hand.0.1", "artois-5", "Artois 5", kind="card of Artois", cost=2), None, ["chosen"])
    'Artois 5, card of Artois, cost 2, chosen'
    """
    head, numbers = piece.name, [f"{stat.words} {stat.written}" for stat in piece.stats]
    if piece.is_token and piece.stats:
        head, numbers = f"{head} {piece.stats[0].written}", numbers[1:]
    if does:
        head = does.words if piece.at is None else f"{does.words}: {head}"
    cost = "" if piece.cost is None else f"cost {piece.cost}"
    return ", ".join(filter(None, (head, piece.kind, cost, *numbers, *marks, piece.text)))


def _rows(zone: Zone, spots: Sequence[Spot]) -> Iterator[LaidRow]:
    """Yield the pieces of a zone by owner, or by row and place with gaps where a grid or a track is empty."""
    if is_by_owner(zone):
        for owner in sorted({piece.seat for piece in zone.pieces if piece.seat is not None}):
            yield LaidRow(owner, tuple([spot for spot in spots if spot.piece.seat == owner]))
    elif zone.layout not in PLACED or not any(piece.at for piece in zone.pieces):
        yield LaidRow(None, tuple(spots))
    else:
        yield from (LaidRow(None, places) for places in _placed(zone, spots))


def is_by_owner(zone: Zone) -> bool:
    """Tell whether a zone is nobody's, and its pieces are those of several seats: each then has a line."""
    owners = {piece.seat for piece in zone.pieces}
    return zone.seat is None and zone.layout == "row" and len(owners) > 1 and None not in owners


def _placed(zone: Zone, spots: Sequence[Spot]) -> Iterator[tuple[Spot | None, ...]]:
    placed: dict[int, dict[int, Spot]] = {}
    for number, spot in enumerate(spots):
        row, place = spot.piece.at or (0, number)
        placed.setdefault(row, {})[place] = spot
    if zone.layout == "pyramid":
        yield from (tuple(placed.get(row, {}).get(at) for at in range(row + 1)) for row in range(1 + max(placed)))
    else:
        width = 1 + max(place for row in placed.values() for place in row)
        yield from (tuple(row.get(place) for place in range(width)) for _, row in sorted(placed.items()))
