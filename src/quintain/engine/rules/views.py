"""The view: the table as one viewer may see it, as data for any front end.

A `View` has zones of pieces, a question to the viewer, scores, counts, and the scene that is going on. Programs decide
by keys and numbers only; words are for people. A game's `view` makes it from a blinded state, with ``seat 0`` and so on
in the place of names. Then `seen` calls `completed`, which adds what is the same in every game (who may act, and what
touching each piece does now), and `with_players`, which puts the names in. `layout` arranges a view for painting.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from quintain.engine.errors import BadGame
from quintain.engine.names import with_minus, worded

PIECES_KEPT = 8192
DOWN, FREE, TOKEN = "down", "free", "token"
"""The states of a piece that every painter knows: face down; an empty place; a counter or a number."""
INCONSISTENT = (ArithmeticError, LookupError, ValueError)
"""What a game may raise when it makes a view of a state in the middle of a move."""
S = TypeVar("S", bound=Struct)
Role = Literal["hand", "own", "rival", "middle", "pile", "track", "offer"]
"""What a zone is to the viewer, which decides where it is drawn."""
Arrangement = Literal["fan", "row", "grid", "pyramid", "stack", "track"]
"""How the pieces of a zone lie."""


class Line(Struct, frozen=True, cache_hash=True):
    """A sentence, perhaps with a number for each seat, and perhaps with the clause of the rulebook that it follows.

    `gains` is the seat that gains by what it says, None for nobody.
    """

    words: str
    by_seat: tuple[int, ...] = ()
    clause: str = ""
    gains: int | None = None


class Reason(Struct, frozen=True):
    """Why an action is not legal now, with the clause of the rulebook that forbids it."""

    clause: str
    words: str


class Label(Struct, frozen=True, cache_hash=True):
    """A key with its words."""

    key: str
    words: str


class Stat(Struct, frozen=True, cache_hash=True):
    """A number of a piece or of a side of a scene.

    `number` counts now; `printed` is the number on the card if it differs. `words` is what people call it. A `signed`
    number is a change, and is written with its plus sign.
    """

    key: str
    number: int
    printed: int | None = None
    words: str = ""
    signed: bool = False

    @property
    def written(self) -> str:
        """The number as text.

        >>> Stat("counter", 5, signed=True).written, Stat("influence", 5).written
        ('+5', '5')
        """
        return with_minus(f"{self.number:+d}" if self.signed and self.number else str(self.number))


class Preview(Struct, frozen=True, cache_hash=True):
    """What the rules make of an action, as far as the viewer can know it before they choose it: see `previews`.

    `tone` says for the viewer whether the action gains ("good"), loses ("bad"), neither ("even"), or whether that
    depends on what they do not know ("open"). `short` is the fewest signs that say it, such as ``+8``; `lines` say it
    in full.
    """

    tone: Literal["good", "even", "bad", "open"]
    short: str
    lines: tuple[Line, ...] = ()


class Act(Struct, frozen=True, cache_hash=True):
    """A legal action in words.

    `short` is the words for the button of the action when its piece is chosen. `target` is the id of the second piece
    that it concerns, if it concerns two. `then` is the action that answers the next question, if a touch of the target
    answers both. `can_be_undone` tells whether the player may take the action back, as far as
    they can know beforehand. A `final` action ends something, such as passing: menus show it last. `leads_to` is its
    preview, if somebody asked for it.
    """

    action: int
    words: str
    short: str = ""
    target: str | None = None
    can_be_undone: bool = False
    final: bool = False
    leads_to: Preview | None = None
    then: int | None = None

    @property
    def path(self) -> tuple[int, ...]:
        """The action, and after it `then`, if it has one."""
        return (self.action,) if self.then is None else (self.action, self.then)

    @property
    def moves(self) -> str:
        """What a front end posts for it.

        >>> Act(7, "attack").moves, Act(7, "attack", then=12).moves
        ('7', '7+12')
        """
        return "+".join(map(str, self.path))


class Reach(NamedTuple):
    """An action of a piece that concerns one other piece, by its id. If the other piece only answers the next question,
    `then` is the action that answers it. `label` is what its button says, if the words of the action do not fit.
    """

    action: int
    piece: str
    then: int | None = None
    label: str = ""

    @property
    def path(self) -> tuple[int, ...]:
        """The action, and after it `then`, if it has one."""
        return (self.action,) if self.then is None else (self.action, self.then)


class Piece(Struct, frozen=True, cache_hash=True):
    """A card, token, card back or empty place in a zone.

    `id` names the place, such as ``hand.0.3``, never the card that lies there. `key` is the key of its picture, or
    None. `name` is what people call it, `short` a shorter name, `kind` what sort of thing it is, and `corner` what the
    corner of a card shows. `text` is what everybody should read beside the name. `now` says what changes its numbers
    here. `at` is its row and its place in the row, counted from 0. `state` holds
    DOWN, FREE, TOKEN or keys of the view's legend. `known_to` are other seats that know a hidden card. `on_it` are the
    pieces that lie on it, and those of its numbers that can be touched.

    `means` are the actions that touching the piece can mean, legal or not, the usual one first. `reaches` are actions
    that also concern one other piece, which lists them, too. The engine makes `acts` of the legal ones; a game leaves
    it empty. `not_now` says in two or three words when or where a piece can be used that cannot be used now.
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
    means: tuple[int, ...] = ()
    reaches: tuple[Reach, ...] = ()
    acts: tuple[Act, ...] = ()
    on_it: tuple[Piece, ...] = ()
    not_now: str = ""

    @property
    def is_down(self) -> bool:
        """Whether the piece lies face down and this viewer does not know it."""
        return DOWN in self.state

    @property
    def is_free(self) -> bool:
        """Whether the piece is an empty place."""
        return FREE in self.state

    @property
    def is_token(self) -> bool:
        """Whether the piece is a counter or a number, not a card."""
        return TOKEN in self.state


class Zone(Struct, frozen=True, cache_hash=True):
    """A part of the table, such as a hand or a pile.

    `seat` is its owner, None for nobody. `role` is its role for this viewer, and `layout` how it is laid out. `size`
    counts all its pieces, shown or not, without empty places. Row r of a pyramid, counted from 0, has r + 1 places.
    """

    id: str
    role: Role
    seat: int | None
    layout: Arrangement
    pieces: tuple[Piece, ...]
    size: int
    words: str


class Side(Struct, frozen=True):
    """A side of a scene: the ids of its pieces, its numbers, and their total (None if it has none, or not known)."""

    seat: int | None
    name: str
    pieces: tuple[str, ...] = ()
    stats: tuple[Stat, ...] = ()
    total: int | None = None


class Scene(Struct, frozen=True):
    """Something that is going on: the effect of a card, a battle, a comparison.

    `size` says how much room it needs. `card` is the card that takes effect. `slots` are the ids of the pieces chosen
    so far, with None for each still to be chosen. `places` are the ids of all pieces that the scene is about.
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
    """A public number of a seat, or of the whole table (seat None); `of` is the number it is counted up to, or None."""

    key: str
    seat: int | None
    number: int
    of: int | None
    words: str


class Score(Struct, frozen=True):
    """The score that a seat would have if the game ended now, in its unit, and its rank (1: first).

    It is not `certain` if something that this viewer does not know can change it. `parts` are the numbers that make it
    up.
    """

    seat: int
    number: int
    unit: str
    certain: bool
    parts: tuple[Count, ...]
    rank: int


class Phase(Struct, frozen=True):
    """How far the game is: the key of the current step, all steps of a round in order, the round, and a note for
    people.

    The round is 0 while the game is being set up. `rounds` is the number of all rounds, None if it is not fixed. `unit`
    is what the game calls a round.
    """

    key: str
    steps: tuple[Label, ...]
    round: int
    rounds: int | None = None
    note: str = ""
    unit: str = "round"

    @property
    def words(self) -> str:
        """The words of the current step; raises BadGame if `key` is none of the steps."""
        for step in self.steps:
            if step.key == self.key:
                return step.words
        raise BadGame(f"the phase {self.key!r} is none of its steps, {', '.join(step.key for step in self.steps)}")


class Question(Struct, frozen=True):
    """What this viewer has to decide; `help` is a second sentence, where that is useful."""

    key: str
    words: str
    help: str = ""


class Recap(Struct, frozen=True):
    """An event in one short sentence without a full stop, such as ``seat 1 took Lothian``; and whether it is a result:
    something was won, lost, captured, drawn or scored.
    """

    words: str
    is_result: bool = False


class Change(Struct, frozen=True):
    """What one event changed, as this viewer could see it: its words, who did it, and the ids of the places it touched.

    `number` counts the events of the match up to this one. `zones` has for each place the id of the zone in which it
    is, or was before. `recap` is what the game says of the event to somebody who looked away; empty if it is not worth
    telling.
    """

    number: int
    words: str
    seat: int | None
    places: tuple[str, ...]
    zones: tuple[str, ...] = ()
    recap: Recap = Recap("")


class View(Struct, frozen=True):
    """All that one viewer may see of a table, for any front end.

    A game fills the fields down to `out`. `question` is None if the viewer is not to act. `about` are the ids of the
    pieces that the question is about. `legend` gives the words for the states of pieces, the most important first.
    `last` are actions that menus show last, such as passing. `out` are the seats that have been eliminated and will
    not act again.

    The engine fills the rest: `acts` are the legal actions that belong to no piece, `to_act` the seats that may act,
    `done` the seats that have finished a simultaneous choice, and `since` the changes, if a caller asked for them.
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
    out: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    to_act: tuple[int, ...] = ()
    done: tuple[int, ...] = ()
    since: tuple[Change, ...] = ()

    def count(self, key: str, seat: int | None = None) -> int:
        """Return the number of the count with this key and seat; raises KeyError if the view has no such count."""
        for count in self.counts:
            if count.key == key and count.seat == seat:
                return count.number
        raise KeyError(key, seat)

    @property
    def menu(self) -> tuple[Act, ...]:
        """All legal actions of this viewer; final ones, such as passing, come last."""
        acts = {act.action: plain(act) for piece in self.pieces() for act in piece.acts}
        acts |= {act.action: act for act in self.acts}
        return tuple(sorted(acts.values(), key=lambda act: (act.final, act.action)))

    def pieces(self) -> Iterator[Piece]:
        """Yield all pieces; pieces that lie on another follow it."""
        for zone in self.zones:
            for piece in zone.pieces:
                yield piece
                for lying in piece.on_it:
                    yield lying
                    yield from _lying(lying) if lying.on_it else ()


def plain(act: Act) -> Act:
    """Return an act that answers two questions as one that answers only the first."""
    return act if act.then is None else replace(act, target=None, leads_to=None, then=None)


def _lying(piece: Piece) -> Iterator[Piece]:
    """Yield the pieces that lie on a piece, and on these."""
    for lying in piece.on_it:
        yield lying
        yield from _lying(lying)


def token(id_: str, stat: Stat, **more: Any) -> Piece:
    """Return a piece for a counter or a number, with the key and words of the number; `more` are other fields of a
    Piece.

    >>> token("influence.0.3", Stat("influence", 4, words="Influence"), seat=0).name
    'Influence'
    """
    return Piece(id_, **{"key": stat.key, "name": stat.words, "stats": (stat,), "state": frozenset({TOKEN}), **more})


def back(id_: str, seat: int | None = None, name: str = "a card face down", **more: Any) -> Piece:
    """Return a piece for a card that lies face down; `more` are other fields of a Piece."""
    return Piece(id_, None, name, seat=seat, **{"state": frozenset({DOWN}), **more})


def known_to(seat: int) -> str:
    """Return the key in the legend for hidden cards that another seat knows."""
    return f"known_to.{seat}"


def ranked(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each total, 1 for the highest; equal totals share a rank.

    >>> ranked([3, 9, 3])
    (2, 1, 2)
    """
    return tuple(1 + sum(other > total for other in totals) for total in totals)


def check_view(view: View, game: str, function: Callable[..., object]) -> None:
    """Raise BadGame if a part of a view is mutable, such as a list; the engine caches and compares views.

    The message names the game, and the function that has made the view.
    """
    try:
        hash(view)
    except TypeError:
        path, value = _changeable(view, "View") or ("View", view)
        code, kind = function.__code__, type(value).__name__
        place = f"{code.co_filename}, line {code.co_firstlineno}"
        raise BadGame(f"{place}: view of {game} gives {path} as a {kind}, {_INSTEAD.get(kind, kind)}") from None


_INSTEAD = {"list": "where a tuple belongs", "set": "where a frozenset belongs", "dict": "which is mutable"}


def _changeable(value: object, path: str) -> tuple[str, object] | None:
    """Return the first part of a view that cannot be hashed, with its path; None if all can be hashed."""
    if isinstance(value, Struct):
        parts = [(f"{path}.{name}", getattr(value, name)) for name in value.__struct_fields__]
    elif isinstance(value, tuple):
        parts = [(f"{path}[{number}]", part) for number, part in enumerate(value)]
    else:
        return (path, value) if getattr(value, "__hash__", None) is None else None
    return next(filter(None, (_changeable(part, inner) for inner, part in parts)), None)


WORDS = frozenset({"words", "name", "short", "kind", "corner", "text", "not_now", "unit", "note", "help", "title"})
"""The fields that hold words for people; all others are data, and so is the kind of a scene."""


PARTS = frozenset(
    {"zones", "pieces", "on_it", "stats", "now", "acts", "phase", "steps", "question", "scores", "parts", "counts"}
    | {"scene", "card", "sides", "lines", "legend", "since", "leads_to"}
)
"""The fields that hold parts, such as pieces, which have words of their own."""


def reworded(value: S, reword: Callable[[str], str]) -> S:
    """Return a view, or a part of one, with `reword` applied to each of its words."""
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
        zones.append(replace(zone, words=worded(names, zone.words), pieces=pieces))
    rest: View = reworded(replace(view, zones=()), partial(worded, names))
    return replace(rest, zones=tuple(zones))


@lru_cache(PIECES_KEPT)
def _named_piece(piece: Piece, names: tuple[str, ...]) -> Piece:
    """Return a piece with the players' names. The cache saves a seventh of a page's time: most pieces do not change."""
    if any(reach.label for reach in piece.reaches):
        named = [reach._replace(label=worded(names, reach.label)) for reach in piece.reaches]
        piece = replace(piece, reaches=tuple(named))
    return reworded(piece, partial(worded, names))


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the fields of a class that hold words, and of those that hold parts."""
    names = kind.__struct_fields__
    keys = {"kind"} if kind is Scene else frozenset[str]()
    return tuple(name for name in names if name in WORDS - keys), tuple(name for name in names if name in PARTS)
