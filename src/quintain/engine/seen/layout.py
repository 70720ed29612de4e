"""Lays a view out for painters: the rows of each zone, what touching a piece does, and footnotes for states.

`lay_out` turns a `View` (see `views`) into a `Layout`. The terminal (`cli.table`) and the browser (the server's
templates) both paint that. This module decides nothing by words; it only joins them into a sentence for each piece, for
screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from quintain.engine.names import capital
from quintain.engine.rules.views import Act, Label, Piece, Preview, Stat, View, Zone, known_to

SIGNS = "ᵃᵇᶜᵈᵉᶠᵍʰ"
ZONES_KEPT = 4096
PLACED = ("grid", "pyramid", "track")
"""The layouts in which each piece has a row and a place."""


class Advice(Struct, frozen=True, cache_hash=True):
    """What a search thinks of an action: its rank, 1 for the best, and the share of wins in percent after some tries.

    The share lies between `low` and `high` with 95 % confidence, as far as the search can tell. Once a decision
    `is_over`, nothing can be touched any more; then `is_best` tells whether the action was right, and `made` is the
    word that painters write on the one that was played; empty for the others.
    """

    action: int
    rank: int
    percent: int
    low: int
    high: int
    tries: int
    is_over: bool = False
    is_best: bool = False
    made: str = ""


class Footnote(Struct, frozen=True, cache_hash=True):
    """A sign, such as ``*``, and the words that it stands for."""

    sign: str
    words: str


class Spot(Struct, frozen=True, cache_hash=True):
    """A piece as it is painted, with the footnotes on its states and on what changes its numbers.

    A touch either does something or chooses the piece. `does` is the action that a touch plays, or None; the piece
    `can_be_chosen` if it has other actions, or if somebody may ask why it has none. `barred` is an action that touching
    the piece would mean, but which is not legal now; it is None for any other piece. `is_chosen` marks the piece that
    the viewer has chosen, and `is_target` those to which one of its actions leads. `docked` pieces lie in the viewer's
    own zone at the edge of the screen. `on_it` are the pieces that lie on this one.

    `preview` says what the action would do for which the piece stands now, and `advice` what a search thinks of its
    best action, if somebody asked for them. For a target these are the actions of the chosen piece that lead there.
    """

    piece: Piece
    notes: tuple[Footnote, ...]
    does: Act | None
    can_be_chosen: bool
    barred: int | None
    is_chosen: bool
    is_target: bool
    docked: bool
    on_it: tuple[Spot, ...]
    preview: Preview | None = None
    advice: Advice | None = None

    @property
    def has_acts(self) -> bool:
        """Whether the viewer has a legal action with the piece now; painters highlight such pieces."""
        return bool(self.piece.acts)

    @property
    def signs(self) -> str:
        """The signs of the piece's footnotes; empty for a piece with a text, which shows the words instead."""
        return "".join([note.sign for note in self.notes]) if has_signs(self.piece) else ""

    @property
    def marks(self) -> tuple[str, ...]:
        """The words for the piece's states, and for what changes its numbers."""
        changes = [line.words for line in self.piece.now]
        return tuple(dict.fromkeys([*(note.words for note in self.notes), *changes]))

    @property
    def description(self) -> str:
        """One sentence for screen readers: what a touch does, and all that the piece shows."""
        return description(self.piece, self.does, self.marks)

    @property
    def sentences(self) -> str:
        """All that the piece shows, in sentences, for those who draw it in full."""
        piece = self.piece
        head = f"{piece.name} {piece.stats[0].written}" if piece.is_token and piece.stats else piece.name
        stats = piece.stats[1:] if piece.is_token else piece.stats
        cost = "" if piece.cost is None else f"it costs {piece.cost}"
        numbers = ", ".join(f"{stat.words} {stat.written}" for stat in stats)
        parts = (head, piece.kind, cost, numbers, *self.marks, piece.text)
        return " ".join(as_sentence(part) for part in parts if part)

    @property
    def reckoning(self) -> str:
        """All that its preview says, for screen readers; empty without one."""
        return ", ".join([line.words for line in self.preview.lines]) if self.preview else ""

    @property
    def number(self) -> str:
        """The first number of the piece as text, with a true minus sign; empty if it has none."""
        return self.piece.stats[0].written.replace("-", "\N{MINUS SIGN}") if self.piece.stats else ""

    @property
    def coordinates(self) -> str:
        """The row of the piece and its place in the row, counted from 1, such as ``4.1``; empty if it has none."""
        return "" if self.piece.at is None else f"{self.piece.at[0] + 1}.{self.piece.at[1] + 1}"

    def has(self, state: str) -> bool:
        """Tell whether the piece is in a state."""
        return state in self.piece.state

    def stat(self, key: str) -> Stat | None:
        """Return the number of the piece with this key; None if it has none."""
        return next((stat for stat in self.piece.stats if stat.key == key), None)


class LaidRow(Struct, frozen=True, cache_hash=True):
    """A row of a zone. `owner` is the seat that owns it, or None; None among the spots is a gap."""

    owner: int | None
    spots: tuple[Spot | None, ...]


class LaidZone(Struct, frozen=True, cache_hash=True):
    """A zone as it is painted: its rows, and the footnotes of its pieces.

    A `docked` zone is the viewer's own hand, which is painted at the edge of the screen, not on the board.
    """

    zone: Zone
    rows: tuple[LaidRow, ...]
    footnotes: tuple[Footnote, ...]
    docked: bool

    @property
    def spots(self) -> list[Spot]:
        """All pieces of the zone, without the gaps."""
        return [spot for row in self.rows for spot in row.spots if spot]

    @property
    def is_usable(self) -> bool:
        """Whether the viewer has a legal action with one of its pieces."""
        return any(piece.acts for piece in self.zone.pieces)

    @property
    def has_texts(self) -> bool:
        """Whether some of its pieces have texts to read; painters give such pieces room for their texts."""
        return has_texts(self.zone)

    @property
    def more(self) -> int:
        """How many pieces of the zone are not shown."""
        return self.zone.size - sum(not piece.is_free for piece in self.zone.pieces)


class Layout(Struct, frozen=True):
    """A whole view as it is painted.

    `chosen` is the piece that the viewer has chosen. `groups` are the pieces whose actions need buttons once they are
    chosen, and `acts` the actions that always have a button, as they belong to no piece.
    """

    zones: tuple[LaidZone, ...]
    chosen: Piece | None
    groups: tuple[Piece, ...]
    acts: tuple[Act, ...]
    footnotes: tuple[Footnote, ...]


class Choosing(Struct, frozen=True, cache_hash=True):
    """How touches work for a viewer.

    `is_asked` tells whether they may act, and `is_quick` whether one touch of a piece plays its action: see `is_quick`
    below. `chosen` is the id of the piece that they have chosen, with its `acts`. `held` are the ids of the pieces in
    their hand that have actions. `advice` is what a search told them about their actions.
    """

    is_asked: bool = False
    is_quick: bool = False
    chosen: str = ""
    acts: tuple[Act, ...] = ()
    held: frozenset[str] = frozenset()
    advice: tuple[Advice, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the decision is over, and the advice says only how it was."""
        return any(each.is_over for each in self.advice)

    def does(self, piece: Piece) -> Act | None:
        """Return the action that a touch of the piece plays; None if it plays none.

        A touch plays the only action of a piece if the question `is_quick`. A second touch of a chosen piece plays its
        only action. A touch of another piece plays the action of the chosen one that leads there.
        """
        if piece.id == self.chosen:
            return piece.acts[0] if len(piece.acts) == 1 else None
        there = self.leading_to(piece)
        if there:
            return there[0] if len(there) == 1 else None
        return piece.acts[0] if self.is_quick and piece.acts else None

    def leading_to(self, piece: Piece) -> list[Act]:
        """Return the actions of the chosen piece that lead to this one."""
        return [act for act in self.acts if act.target == piece.id]

    def stands_for(self, piece: Piece) -> Sequence[Act]:
        """Return the actions that a piece stands for now: those that lead there from the chosen piece, or its own.

        A place to which only pieces of the hand lead stands for none before one of them is chosen.
        """
        if there := self.leading_to(piece):
            return there
        is_end = piece.id not in (*self.held, self.chosen) and all(act.target in self.held for act in piece.acts)
        return () if is_end else piece.acts

    def advice_on(self, piece: Piece) -> Advice | None:
        """Return the best advice on the actions that a piece stands for, with the word on the one that was made.

        Once a piece is chosen, others but its targets stand for none.
        """
        if not self.advice or (self.chosen and piece.id != self.chosen and not self.leading_to(piece)):
            return None
        actions = {act.action for act in self.stands_for(piece)}
        found = [advice for advice in self.advice if advice.action in actions]
        best = min(found, key=lambda advice: advice.rank, default=None)
        made = next((advice.made for advice in found if advice.made), "")
        return best and replace(best, made=made)


def lay_out(
    view: View, you: int | None, chosen: str = "", confirms: bool = False, advice: tuple[Advice, ...] = ()
) -> Layout:
    """Return the layout of a view for a seat (None: a spectator) that has chosen a piece, by id, or nothing.

    `advice` is what a search told this seat about its actions.
    """
    asked = you is not None and you in view.to_act
    chosen = chosen or (only_choice(view) if asked else "")
    piece = next((piece for piece in view.pieces() if piece.id == chosen), None) if chosen else None
    quick = asked and not confirms and is_quick(view)
    hands = [zone for zone in view.zones if asked and zone.role == "hand" and zone.seat == you]
    held = frozenset([each.id for zone in hands for each in zone.pieces if each.acts])
    choosing = Choosing(asked, quick, chosen if piece else "", piece.acts if piece else (), held, advice)
    zones = tuple(
        [_laid_zone(zone, zone.seat is not None and zone.seat == you, choosing, view.legend) for zone in view.zones]
    )
    groups = tuple([piece for piece in view.pieces() if piece.acts])
    footnotes = dict.fromkeys(note for zone in zones for note in zone.footnotes)
    return Layout(zones, piece, groups, view.acts, tuple(footnotes))


def is_quick(view: View) -> bool:
    """Tell whether one touch of a piece may play its action: every piece of the question has only one, without a second
    end, and each of these can be taken back.
    """
    pieces = [piece.acts for piece in view.pieces() if piece.acts]
    return all(len(acts) == 1 and acts[0].can_be_undone and acts[0].target is None for acts in pieces)


def only_choice(view: View) -> str:
    """Return the id of the piece that all actions of the viewer concern which lead from one piece to another; empty if
    there is none. It is chosen from the start: only where to go is left to say. Of the two ends of a single action it
    is the one that the question is about. A piece that is only a goal cannot be chosen.
    """
    pieces = [piece for piece in view.pieces() if piece.acts]
    ends = [{piece.id, act.target} for piece in pieces for act in piece.acts]
    if len(pieces) < 2 or not all(None not in pair and len(pair) == 2 for pair in ends):
        return ""
    common = set.intersection(*ends) & {piece.id for piece in pieces}
    if len(common) > 1:
        common &= set(view.about)
    return str(common.pop()) if len(common) == 1 else ""


def as_sentence(words: str) -> str:
    """Return words with a capital at their beginning and a full stop at their end.

    >>> as_sentence("known in her hand: 3"), as_sentence("It stays.")
    ('Known in her hand: 3.', 'It stays.')
    """
    return capital(words) + ("" if words.endswith((".", "!", "?", ":")) else ".")


def plain_spot(piece: Piece) -> Spot:
    """Return a piece that cannot be touched as it is painted."""
    return _Laying(Choosing(), ()).spot(piece)


def has_texts(zone: Zone) -> bool:
    """Tell whether a zone has pieces with texts to read: a pyramid, a stack and a pile show their pieces alone."""
    return zone.layout not in ("pyramid", "stack") and zone.role != "pile" and any(map(is_read, zone.pieces))


def is_read(piece: Piece) -> bool:
    """Tell whether a piece has a text that painters with little room show, too.

    A card with a corner is known by that: its text only explains it, and stands where a painter shows it in full.
    """
    return bool(piece.text) and not (piece.is_token or piece.corner)


@lru_cache(ZONES_KEPT)
def _laid_zone(zone: Zone, is_own: bool, choosing: Choosing, legend: tuple[Label, ...]) -> LaidZone:
    """Return the layout of one zone.

    The cache saves a sixth of the time of a page, since most zones do not change.
    """
    laying = _Laying(choosing, legend)
    docked = is_own and zone.role == "hand"
    spots = [laying.spot(piece, docked) for piece in zone.pieces]
    signed = [one for spot in spots for one in (spot, *spot.on_it) if one.notes and has_signs(one.piece)]
    notes = {note for one in signed for note in one.notes}
    return LaidZone(
        zone, tuple(_rows(zone, spots)), tuple(note for note in laying.notes.values() if note in notes), docked
    )


class _Laying:
    """Lays out the pieces of one zone. Signs go first to the states in the legend, then to what changes numbers."""

    def __init__(self, choosing: Choosing, legend: tuple[Label, ...]) -> None:
        self.choosing = choosing
        self.notes: dict[str, Footnote] = {}
        for label in legend:
            self._note(label.key, label.words)

    def _note(self, key: str, words: str) -> Footnote:
        if key not in self.notes:
            times, sign = divmod(len(self.notes), len(SIGNS))
            self.notes[key] = Footnote(SIGNS[sign] * (times + 1), words)
        return self.notes[key]

    def spot(self, piece: Piece, docked: bool = False) -> Spot:
        """Return a piece as it is painted."""
        choosing = self.choosing
        can_be_read = docked and not choosing.is_over
        can_act = choosing.is_asked and not choosing.is_over
        does = choosing.does(piece) if can_act else None
        acts = piece.acts if can_act else ()
        barred = piece.means[0] if can_act and piece.means and not acts else None
        is_chosen = piece.id == choosing.chosen
        stands_for = choosing.stands_for(piece) if choosing.is_asked else ()
        return Spot(
            piece,
            self._notes(piece),
            does=does,
            can_be_chosen=not does and bool(acts or barred is not None or (can_be_read and piece.key)),
            barred=barred,
            is_chosen=is_chosen,
            is_target=not is_chosen and bool(choosing.leading_to(piece)),
            docked=docked,
            on_it=tuple([self.spot(lying) for lying in piece.on_it]),
            preview=stands_for[0].leads_to if len(stands_for) == 1 else None,
            advice=choosing.advice_on(piece) if choosing.is_asked else None,
        )

    def _notes(self, piece: Piece) -> tuple[Footnote, ...]:
        """Return the footnotes on a piece, in the order of the legend, then those on what changes it.

        Tokens get no footnotes on what changes them: they would be too many.
        """
        if not (piece.state or piece.known_to or piece.now):
            return ()
        keys = piece.state.union(map(known_to, piece.known_to))
        notes = [note for key, note in self.notes.items() if key in keys]
        if not piece.is_token:
            notes += [self._note(f"{piece.id}.{number}", line.words) for number, line in enumerate(piece.now)]
        return tuple(notes)


def has_signs(piece: Piece) -> bool:
    """Tell whether signs stand for the states of a piece; a piece with a text to read shows the words instead.

    A piece with a row and a place of its own is drawn there, without its text.
    """
    return piece.at is not None or not is_read(piece)


def description(piece: Piece, does: Act | None, marks: Iterable[str]) -> str:
    """Return one sentence about a piece: what a touch does, if anything, then what the piece is and shows.

    >>> description(Piece("hand.0.1", "artois-5", "Artois 5", kind="card of Artois", cost=2), None, ["chosen"])
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
    """Yield the rows of a zone: one for each owner, or one for each row of a board, with gaps where it is empty."""
    if is_by_owner(zone):
        for owner in sorted({piece.seat for piece in zone.pieces if piece.seat is not None}):
            yield LaidRow(owner, tuple([spot for spot in spots if spot.piece.seat == owner]))
    elif zone.layout not in PLACED or not any(piece.at for piece in zone.pieces):
        yield LaidRow(None, tuple(spots))
    else:
        yield from (LaidRow(None, places) for places in _placed(zone, spots))


def is_by_owner(zone: Zone) -> bool:
    """Tell whether a zone gets a row for each owner: it belongs to nobody, and its pieces to several seats."""
    owners = {piece.seat for piece in zone.pieces}
    return zone.seat is None and zone.layout == "row" and len(owners) > 1 and None not in owners


def _placed(zone: Zone, spots: Sequence[Spot]) -> Iterator[tuple[Spot | None, ...]]:
    """Yield the rows of a board, from above, with None for each empty place."""
    placed: dict[int, dict[int, Spot]] = {}
    for number, spot in enumerate(spots):
        row, place = spot.piece.at or (0, number)
        placed.setdefault(row, {})[place] = spot
    if zone.layout == "pyramid":
        yield from (tuple(placed.get(row, {}).get(at) for at in range(row + 1)) for row in range(1 + max(placed)))
    else:
        width = 1 + max(place for row in placed.values() for place in row)
        yield from (tuple(row.get(place) for place in range(width)) for _, row in sorted(placed.items()))
