"""What a viewer is shown of a table, as data: zones of pieces, the question, scores, counts, the scene that runs.

Whatever a program decides by has a key; words are for people only. A game's `view` lays the table out from a blinded
state, with ``seat 0`` and so on where the players' names belong; `completed` puts in what is the same in every game:
who may act, what touching each piece does now, and the names.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from quintain.engine.names import with_names

PIECES_KEPT = 8192
DOWN, FREE, TOKEN = "down", "free", "token"
"""States of a piece that every painter knows: face down; an empty place that can be touched; a counter or a number."""
S = TypeVar("S", bound=Struct)
Role = Literal["hand", "own", "rival", "middle", "pile", "track", "offer"]
Arrangement = Literal["fan", "row", "grid", "pyramid", "stack", "track"]


class Line(Struct, frozen=True, cache_hash=True):
    """A sentence, with a number for each seat (or none), and the clause that it follows."""

    words: str
    by_seat: tuple[int, ...] = ()
    clause: str = ""


class Reason(Struct, frozen=True):
    """Why an action is not legal now, with the clause of the rulebook that forbids it."""

    clause: str
    words: str


class Label(Struct, frozen=True, cache_hash=True):
    """A key and its words."""

    key: str
    words: str


class Stat(Struct, frozen=True, cache_hash=True):
    """A number of a piece or of a side: what counts now, what is printed if that differs, and what it is called.

    A `signed` one is a change, and is written with its plus sign.
    """

    key: str
    number: int
    printed: int | None = None
    words: str = ""
    signed: bool = False

    @property
    def written(self) -> str:
        """The number as it is written.

        >>> Stat("counter", 5, signed=True).written, Stat("influence", 5).written
        ('+5', '5')
        """
        return f"{self.number:+d}" if self.signed and self.number else str(self.number)


class Act(Struct, frozen=True, cache_hash=True):
    """A legal action in words; `target` is the id of the other piece that it concerns, if it concerns two.

    A `final` one ends something, such as passing or being done: it stands last.
    """

    action: int
    words: str
    target: str | None = None
    final: bool = False


class Piece(Struct, frozen=True, cache_hash=True):
    """A card, token, card back or empty place in a zone.

    `id` is a place, such as ``hand.0.3``, never an identity. `key` is the key of its picture, None where it shows none.
    `name` is what people call it, `kind` what it is, `corner` what stands in the corner of a card. `text` is what
    everybody should read beside its name. `now` says what changes it here. `at` is a row and a place in it, counted
    from 0. `state` holds DOWN, FREE, TOKEN or keys of the view's legend; `known_to` are the other seats that know a
    card which lies hidden from some. `on_it` are the pieces that lie on it, or its numbers that can be touched.

    `means` are the actions that touching it can mean, legal or not, the usual one first. `reaches` are those that
    concern one other piece as well, each with the id of that piece, which has them, too. The engine makes `acts` from
    the legal ones; a game never does.
    """

    id: str
    key: str | None = None
    name: str = ""
    short: str = ""
    kind: str = ""
    corner: str = ""
    cost: int | None = None
    stats: tuple[Stat, ...] = ()
    text: str = ""
    now: tuple[Line, ...] = ()
    seat: int | None = None
    at: tuple[int, int] | None = None
    state: frozenset[str] = frozenset()
    known_to: tuple[int, ...] = ()
    usable: str = ""
    means: tuple[int, ...] = ()
    reaches: tuple[tuple[int, str], ...] = ()
    acts: tuple[Act, ...] = ()
    on_it: tuple[Piece, ...] = ()

    @property
    def is_down(self) -> bool:
        """Whether it lies face down, and this viewer does not know it."""
        return DOWN in self.state

    @property
    def is_free(self) -> bool:
        """Whether it is an empty place."""
        return FREE in self.state

    @property
    def is_token(self) -> bool:
        """Whether it is a counter or a number, and no card."""
        return TOKEN in self.state


class Zone(Struct, frozen=True, cache_hash=True):
    """A part of the table: whose it is (None: nobody's), what `role` it has for this viewer, and how it is laid out.

    `size` counts all its pieces, FREE ones aside, shown or not. Row r of a pyramid, counted from 0, has r + 1 places.
    """

    id: str
    role: Role
    seat: int | None
    layout: Arrangement
    pieces: tuple[Piece, ...]
    size: int
    words: str


class Side(Struct, frozen=True):
    """A side of a scene: its pieces by id, its numbers, and what it comes to; None where that is not known or none."""

    seat: int | None
    name: str
    pieces: tuple[str, ...] = ()
    stats: tuple[Stat, ...] = ()
    total: int | None = None


class Scene(Struct, frozen=True):
    """What runs: a card at work, a battle, a comparison. `size` is strip, panel or stage.

    `card` is the card that runs; `slots` are the ids of the pieces chosen so far, None where one is still wanted;
    `places` are the ids of the pieces that it is about.
    """

    kind: str
    size: Literal["strip", "panel", "stage"]
    title: str
    card: Piece | None = None
    sides: tuple[Side, ...] = ()
    slots: tuple[str | None, ...] = ()
    lines: tuple[Line, ...] = ()
    places: tuple[str, ...] = ()


class Count(Struct, frozen=True, cache_hash=True):
    """A public number, of a seat or of the whole table (None), and what it is counted up to, if anything."""

    key: str
    seat: int | None
    number: int
    of: int | None
    words: str


class Score(Struct, frozen=True):
    """What the game would count for a seat if it ended now, in its unit, and the place that this gives.

    It is not `certain` where things that this viewer does not know can change it. `parts` are what it is made of.
    """

    seat: int
    number: int
    unit: str
    certain: bool
    parts: tuple[Count, ...]
    rank: int


class Phase(Struct, frozen=True):
    """Where the game is: the step that runs, all steps of a round in order, the round, and a note for people.

    The round is 0 while the game is set up.
    """

    key: str
    steps: tuple[Label, ...]
    round: int
    rounds: int | None = None
    note: str = ""

    @property
    def words(self) -> str:
        """The words of the step that runs."""
        return next(step.words for step in self.steps if step.key == self.key)


class Question(Struct, frozen=True):
    """What this viewer is asked; `help` is a second sentence, where one is of use."""

    key: str
    words: str
    help: str = ""


class Change(Struct, frozen=True):
    """What one event changed, as this viewer could see it: its words, and the ids of the places that it touched."""

    number: int
    words: str
    seat: int | None
    places: tuple[str, ...]


class View(Struct, frozen=True):
    """All that one viewer may see of a table, for any front end.

    A game gives the zones, the phase, the scores, the counts, the question to this viewer (None: it is not asked), the
    scene, `about`, the ids of the pieces that the question is about, and `legend`: the words of the states of pieces,
    those that matter most first. `last` are the actions that stand last in a menu, such as passing. The engine fills
    the others: `acts` are the legal actions that no piece stands for, `to_act` the seats that may act, `done` those
    whose choice at the same time stands, `since` what has changed since a decision, if that is asked for.
    """

    zones: tuple[Zone, ...]
    phase: Phase
    question: Question | None = None
    scores: tuple[Score, ...] = ()
    counts: tuple[Count, ...] = ()
    scene: Scene | None = None
    about: tuple[str, ...] = ()
    legend: tuple[Label, ...] = ()
    last: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    to_act: tuple[int, ...] = ()
    done: tuple[int, ...] = ()
    since: tuple[Change, ...] = ()

    def count(self, key: str, seat: int | None = None) -> int:
        """Return the number of a count; KeyError if the view has none of this key and seat."""
        for count in self.counts:
            if count.key == key and count.seat == seat:
                return count.number
        raise KeyError(key, seat)

    @property
    def menu(self) -> tuple[Act, ...]:
        """All legal actions of this viewer, those that end something last."""
        acts = {act.action: act for piece in self.pieces() for act in piece.acts}
        acts |= {act.action: act for act in self.acts}
        return tuple(sorted(acts.values(), key=lambda act: (act.final, act.action)))

    def pieces(self) -> Iterator[Piece]:
        """Yield all pieces, those that lie on others after these."""
        for zone in self.zones:
            for piece in zone.pieces:
                yield piece
                for lying in piece.on_it:
                    yield lying
                    yield from _lying(lying) if lying.on_it else ()


def _lying(piece: Piece) -> Iterator[Piece]:
    for lying in piece.on_it:
        yield lying
        yield from _lying(lying)


def token(id_: str, stat: Stat, **more: Any) -> Piece:
    """Return a counter or a number as a piece; `more` are other fields of a Piece. Its key is that of the number.

    >>> token("influence.0.3", Stat("influence", 4, words="Influence"), seat=0).name
    'Influence'
    """
    return Piece(id_, **{"key": stat.key, "name": stat.words, "stats": (stat,), "state": frozenset({TOKEN}), **more})


def back(id_: str, seat: int | None = None, name: str = "a card face down", **more: Any) -> Piece:
    """Return a card face down; `more` are other fields of a Piece."""
    return Piece(id_, None, name, seat=seat, **{"state": frozenset({DOWN}), **more})


def known_to(seat: int) -> str:
    """Return the key, in the legend, of what another seat knows."""
    return f"known_to.{seat}"


def ranked(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks of some totals, the highest first; equal ones share a rank.

    >>> ranked([3, 9, 3])
    (2, 1, 2)
    """
    return tuple(1 + sum(other > total for other in totals) for total in totals)


def completed(view: View, legal: Mapping[int, str], to_act: tuple[int, ...], done: tuple[int, ...] = ()) -> View:
    """Return a view with what the engine knows: who may act, and where the `legal` actions, with their words, stand."""
    placed: set[int] = set()

    def act(action: int, target: str | None = None) -> Act:
        return Act(action, legal[action], target, action in view.last)

    def filled(piece: Piece) -> Piece:
        if not (piece.means or piece.reaches or piece.on_it or piece.acts):
            return piece
        acts = [act(action) for action in piece.means if action in legal]
        acts += [act(action, target) for action, target in piece.reaches if action in legal]
        placed.update([each.action for each in acts])
        on_it = tuple([filled(lying) for lying in piece.on_it])
        if not (piece.means or piece.reaches or piece.acts) and all(map(operator.is_, on_it, piece.on_it)):
            return piece
        means, reaches = (piece.means, piece.reaches) if legal else ((), ())
        return replace(piece, means=means, reaches=reaches, acts=tuple(acts), on_it=on_it)

    zones = tuple([replace(zone, pieces=tuple(map(filled, zone.pieces))) for zone in view.zones])
    free = sorted((act(action) for action in legal if action not in placed), key=lambda each: each.final)
    knowing = sorted({seat for piece in view.pieces() for seat in piece.known_to})
    legend = (*view.legend, *(Label(known_to(seat), f"seat {seat} knows it") for seat in knowing))
    question = view.question if legal else None
    return replace(view, zones=zones, question=question, acts=tuple(free), to_act=to_act, done=done, legend=legend)


WORDS = frozenset({"words", "name", "short", "kind", "corner", "text", "usable", "unit", "note", "help", "title"})
"""The fields that hold words; all others are data."""


PARTS = frozenset(
    {"zones", "pieces", "on_it", "stats", "now", "acts", "phase", "steps", "question", "scores", "parts", "counts"}
    | {"scene", "card", "sides", "lines", "legend", "since"}
)
"""The fields that hold parts with words of their own."""


def reworded(value: S, reword: Callable[[str], str]) -> S:
    """Return a view, or a part of one, with each of its words as `reword` writes it."""
    words, parts = _fields(type(value))
    changes: dict[str, object] = {}
    for name in words:
        old = getattr(value, name)
        if old and (new := reword(old)) is not old:
            changes[name] = new
    for name in parts:
        old = getattr(value, name)
        if isinstance(old, tuple) and old and isinstance(old[0], Struct):
            made = [reworded(part, reword) for part in old]
            if any(map(operator.is_not, made, old)):
                changes[name] = tuple(made)
        elif isinstance(old, Struct) and (part := reworded(old, reword)) is not old:
            changes[name] = part
    return replace(value, **changes) if changes else value


def with_players(view: View, names: tuple[str, ...]) -> View:
    """Return a view with the players' names in the place of ``seat 0`` and so on."""
    zones = []
    for zone in view.zones:
        pieces = tuple([_named_piece(piece, names) for piece in zone.pieces])
        zones.append(replace(zone, words=with_names(names, zone.words), pieces=pieces))
    rest: View = reworded(replace(view, zones=()), partial(with_names, names))
    return replace(rest, zones=tuple(zones))


@lru_cache(PIECES_KEPT)
def _named_piece(piece: Piece, names: tuple[str, ...]) -> Piece:
    """Return a piece with the players' names. Kept, as most pieces stay: a page takes a seventh less."""
    return reworded(piece, partial(with_names, names))


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a kind of part that hold words, and those that hold other parts."""
    names = kind.__struct_fields__
    return tuple(name for name in names if name in WORDS), tuple(name for name in names if name in PARTS)
