"""Finds out what has changed on the table since a viewer's last decision, event by event.

`RunningMatch` keeps a `History`, which records the moves. When a front end asks for changes, `History.replayed` plays
moves again on copies of the state. At every event the rules call `tell`, and a `Recorder` keeps a copy of the state.
`changes` blinds each copy for the viewer, makes the view of it, and compares its pieces by id with those before. This
is slow, so a viewer gets changes only on request.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace as replace_in

from quintain.engine.errors import IllegalMove
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import bound_rules
from quintain.engine.rules.contract import SPECTATOR, Rules
from quintain.engine.rules.events import tell
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import Event, GameState, Record
from quintain.engine.rules.views import INCONSISTENT, Change, Piece, Recap, View
from quintain.engine.seen.seen import readable

RECORDERS_KEPT = 32
MOST_REPLAYED = 100
"""The most moves that are played again for a viewer. One who is out of the game has decided nothing for long; with six
seats a hundred moves take up to 0.2 s."""
Keys = Callable[[int], bytes]
"""Returns the 16 bytes that key the generator at a ply."""
Played = tuple[int, list[GameState], GameState]
"""The seat that made a move, the state at each event of the move, and the state after it."""


class MoveMade(NamedTuple):
    """A move that was made: its seat and action, and its ply, by which its chance is keyed."""

    seat: int
    action: int
    ply: int


class History:
    """The moves in effect (made and not taken back), and for each viewer the move from which on changes are shown.

    A seat is shown changes from its own last decision on; a move for which its player had no choice, or which a bot
    made in their place, is none. Spectators (None) notice only some moves: of these, they are shown changes from the
    first of the moves that the last mover made in a row. The course keeps the states before these moves, and never
    changes them.
    """

    def __init__(self, dealt: GameState, seats: int) -> None:
        self.moves: list[MoveMade] = []
        self.since: dict[int | None, int] = dict.fromkeys((*range(seats), None), 0)
        self.asked: list[list[int]] = [[] for _ in range(seats)]
        """For each seat, how many moves were in effect at each of its decisions."""
        self._states = {0: dealt}
        self._noticed: int | None = None
        """The seat that made the last move that spectators noticed."""

    def add(self, move: MoveMade, before: GameState, is_noticed: bool, is_chosen: bool) -> bool:
        """Record a move, the state before it, whether a spectator notices it, and whether its player has chosen it.

        Return whether spectators are shown changes from this move on.
        """
        number, seat = len(self.moves), move.seat
        is_turn = is_noticed and self._noticed != seat
        if is_turn:
            self.since[None], self._noticed = number, seat
        if is_chosen:
            self.since[seat] = number
        kept = (0, *self.since.values())
        self._states = {n: state for n, state in self._states.items() if n in kept} | {number: before}
        self.moves.append(move)
        return is_turn

    def take_out(self, number: int) -> None:
        """Forget a move that was taken back, by its number."""
        del self.moves[number]
        self.since = {viewer: n - (n > number) for viewer, n in self.since.items()}
        self.asked = [[n - (n > number) for n in asked] for asked in self.asked]
        self._states = {n: state for n, state in self._states.items() if n <= number}

    def first_shown(self, viewer: int | None, since: bool | int) -> int:
        """Return the number of the move from which on changes are shown; raises IllegalMove.

        With `since` True that is the viewer's usual starting move; with a number it is the move that followed the
        viewer's decision of that number, counted from 1.
        """
        if since is True:
            return max(self.since[viewer], len(self.moves) - MOST_REPLAYED)
        asked = [] if viewer is None else self.asked[viewer]
        if type(since) is not int or not 1 <= since <= len(asked):
            raise IllegalMove(f"there is no decision {since!r}: the decisions are 1 to {len(asked)}")
        return asked[since - 1]

    def replayed(self, game: Game, book: Record, first: int, keys: Keys) -> tuple[GameState, Iterator[Played]]:
        """Return the state before move `first`, and an iterator that plays it and all later moves again, on copies."""
        start = max(n for n in self._states if n <= first)
        state = self._states[start]
        for made in self.moves[start:first]:
            state = _played(game.rules, book, state, made, keys)
        return state, _recorded(game, book, state, self.moves[first:], keys)


def _recorded(game: Game, book: Record, state: GameState, moves: Sequence[MoveMade], keys: Keys) -> Iterator[Played]:
    recorder = _recorder(game)
    for made in moves:
        with recorder.lock:
            recorder.copies = []
            state = _played(recorder.rules, book, state, made, keys)
            copies = recorder.copies
        yield made.seat, copies, state


def _played(rules: Rules, book: Record, state: GameState, made: MoveMade, keys: Keys) -> GameState:
    after = state.copy()
    rng.key(after.rng, keys(made.ply))
    rules.play(book, after, made.seat, made.action)
    return after


class Recorder:
    """The rules of a game, bound so that each `tell` appends a copy of the state to `copies`.

    All matches of a game share one recorder: a caller must hold the lock while it plays.
    """

    def __init__(self, game: Game) -> None:
        def recorded(s: GameState, *event: int, **more: int) -> None:
            tell(s, *event, **more)
            self.copies.append(s.copy())

        self.lock = threading.Lock()
        self.copies: list[GameState] = []
        self.rules: Rules = bound_rules(game, {tell: recorded})


_recorder = lru_cache(RECORDERS_KEPT)(Recorder)


def changes(
    game: Game,
    book: Record,
    names: tuple[str, ...],
    viewer: int | None,
    blinded: Callable[[GameState], GameState],
    replayed: tuple[GameState, Iterator[Played]],
) -> Iterator[tuple[Change, GameState]]:
    """Yield a change for each event that touched a place or has words for this viewer, with what they knew after it.

    `replayed` comes from `History.replayed`, and `blinded` hides what the viewer may not know. What a move changes
    after its last event counts as part of the last event. A move without events gives a change without words, if the
    viewer sees a difference. In the middle of a move the state may be inconsistent: if the game cannot make a view of
    it, the differences count as part of the next event, and the state is the one before.
    """
    seat, (state, moves) = SPECTATOR if viewer is None else viewer, replayed
    known = blinded(state)
    before = _lying(game, book, known, seat)
    for mover, copies, after in moves:
        last = blinded(after)
        for number, shown in _events(copies, after, last, blinded):
            now = before
            with contextlib.suppress(*(() if shown is last else INCONSISTENT)):
                now, known = _lying(game, book, shown, seat), shown
            words, recap, doer = "", Recap(""), mover if mover == viewer else None
            if copies:
                event = last.events[(number - 1) % len(last.events)]
                words = readable(names, game.text.narrate(book, event, seat))
                recap = _recap(game, book, event, seat, names)
                doer = event.seat if event.seat >= 0 else None
            places = _touched(before.zones, now.zones)
            zones = tuple([now.homes.get(place) or before.homes[place] for place in places])
            change = Change(number, words, doer, places, zones, recap)
            if change.words or change.places:
                yield change, known
            before = now


def _recap(game: Game, book: Record, event: Event, seat: int, names: tuple[str, ...]) -> Recap:
    """Return what a game says of an event to somebody who looked away; the sentence of the log if it says nothing of
    its own.
    """
    if game.recap is None:
        return Recap(readable(names, game.text.narrate(book, event, seat)).removesuffix("."))
    recap = game.recap(book, event, seat)
    return replace_in(recap, words=readable(names, recap.words))


def _events(
    copies: list[GameState], after: GameState, last: GameState, blinded: Callable[[GameState], GameState]
) -> Iterator[tuple[int, GameState]]:
    """Yield the number of each event of a move and what is known then; the last one shows all that the move did."""
    for copy in copies[:-1]:
        yield copy.events_made, blinded(copy)
    yield copies[-1].events_made if copies else after.events_made, last


class Laid(NamedTuple):
    """The pieces on the table by zone and id, those that lie on others under the empty zone; and the zone of each."""

    zones: dict[str, dict[str, Piece]]
    homes: dict[str, str]


def _lying(game: Game, book: Record, known: GameState, seat: int) -> Laid:
    """Return the pieces of a view; each piece is reduced to what it shows: see `_bare`."""
    view: View = game.text.view(book, known, seat)
    zones = {zone.id: {piece.id: _bare(piece, zone.role) for piece in zone.pieces} for zone in view.zones}
    upper = {each.id: _bare(each) for zone in view.zones for piece in zone.pieces for each in piece.on_it}
    homes = {each.id: zone.id for zone in view.zones for piece in zone.pieces for each in (piece, *piece.on_it)}
    return Laid(zones | {"": upper}, homes)


def _bare(piece: Piece, role: str = "") -> Piece:
    """Return a piece without its id, its actions, its explanations and the pieces on it.

    Pieces that look the same are then equal. An explanation may change although nothing has happened to the piece, and
    so may the numbers of a card in a hand, which tell what it would do now.
    """
    stats = () if role == "hand" else piece.stats
    return replace_in(piece, id="", text="", stats=stats, now=(), means=(), reaches=(), acts=(), on_it=(), not_now="")


def _touched(before: dict[str, dict[str, Piece]], now: dict[str, dict[str, Piece]]) -> tuple[str, ...]:
    """Return the ids of the pieces that were added, have gone or have changed."""
    zones = {**before, **now}
    return tuple(
        dict.fromkeys(place for zone in zones for place in _differing(before.get(zone, {}), now.get(zone, {})))
    )


def _differing(before: dict[str, Piece], now: dict[str, Piece]) -> Iterator[str]:
    """Yield the places in a zone that differ.

    If pieces came or went, those that only moved up, as cards in a hand do, count as unchanged.

    >>> _differing({"hand.0": Piece("", "a"), "hand.1": Piece("", "b")}, {"hand.0": Piece("", "b")}).__next__()
    'hand.0'
    """
    changed = [place for place in {**before, **now} if before.get(place) != now.get(place)]
    if len(before) == len(now):
        yield from changed
        return
    was = Counter(before[place] for place in changed if place in before)
    moved = was & Counter(now[place] for place in changed if place in now)
    for lying in (now, before):
        left = moved.copy()
        for place in changed:
            if place in lying and left[lying[place]] > 0:
                left[lying[place]] -= 1
            elif place in lying:
                yield place
