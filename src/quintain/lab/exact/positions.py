"""All positions of a small game: makes the memory for the walk, lets it grow, and says when a game is too large.

    tree = positions_of(quintain.game("kings-court"), {"houses": 2, "ranks": 3})
    tree.nodes, tree.sets

`policies` and `sampled` then reckon with it.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from functools import cached_property
from statistics import fmean
from typing import Any

from quintain.bots.playout import states
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.rules import rng
from quintain.engine.rules.compiling import memory
from quintain.engine.rules.compiling.compiled import Compiled, bound_rules, compiled
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record, size_of
from quintain.lab.exact import walk as wk
from quintain.lab.exact.chance import ChosenChance

MOST = 5_000_000
"""The most positions that are walked."""
HOPELESS = 1_000.0
"""A game is refused before the walk if its ways to be played are estimated at this many times MOST, or more."""
MOST_BYTES = 1_000_000_000
"""The most memory for the states of information sets."""
ROUND = 200_000
"""Moves between two reports of progress."""
DEPTH = 200
"""The most choices of a game, one after another."""
TRIES = 400
"""Random games from which the size of a game is estimated."""


class WalkedGame:
    """All positions of a game for a number of seats and options, and the edges between them.

    `seats` is the number of seats, `options` has the value of every option, `book` is the book of these, and `walk`
    holds the arrays (see `walk.Walk`). Raises BadOption for wrong options or a wrong number of seats.
    """

    def __init__(self, game: Game, options: Mapping[str, object], seats: int | None = None) -> None:
        self.game, self.seats = game, game.check_seats(seats)
        self.options = game.read_options(self.seats, options)
        self.book = game.make_book(self.seats, self.options)
        self.chosen = ChosenChance.of(game)
        self.given = memory.in_memory(self.book)
        self.walk = self._first_walk()
        self.drivers: dict[Any, Compiled[Any]] = {}

    def run(self, driver: Callable[..., Any], *arguments: object) -> Any:
        """Run a rule compiled for this game."""
        if driver not in self.drivers:
            self.drivers[driver] = compiled(self.chosen, driver)
        return self.drivers[driver](*arguments)

    @property
    def nodes(self) -> int:
        """The number of positions; each way in which a game can end counts once."""
        return int(self.walk.status.nodes)

    @property
    def sets(self) -> int:
        """The number of information sets of all seats in which the seat has a choice."""
        return int(self.walk.status.sets)

    @property
    def choices(self) -> int:
        """The number of legal actions in all information sets."""
        return int(self.walk.status.choices)

    @cached_property
    def unit(self) -> float:
        """By how much a payoff of 1 is more than one of 0 in the units of the environments."""
        if self.game.constants["HAS_PAYOFF"]:
            return float(self.game.constants["MOST_PAYOFF"] - self.game.constants["LEAST_PAYOFF"])
        return self.seats / (self.seats - 1) if self.seats > 1 else 1.0

    @cached_property
    def least(self) -> float:
        """What a payoff of 0 is in the units of the environments."""
        if self.game.constants["HAS_PAYOFF"]:
            return float(self.game.constants["LEAST_PAYOFF"])
        return -1 / (self.seats - 1) if self.seats > 1 else 0.0

    def sets_of(self, seat: int) -> int:
        """Return in how many information sets a seat has a choice."""
        return sum(1 for number in range(self.sets) if self.walk.sets.seat[number] == seat)

    def seen(self, number: int) -> GameState:
        """Return the state of an information set, as its seat sees it."""
        packed: Any = self.walk.sets.seen[number]
        return self.game.state.unpack(bytes(packed))

    def grow(self, progress: Callable[[int], None] = lambda nodes: None, most: int = MOST) -> None:
        """Walk through all positions; raises BadOption if there are more than `most`, and BadGame for endless chance.

        `progress` is called with the number of positions so far.
        """
        words = self.game.state.offset("events_made") // 8
        self._start()
        while True:
            why = self.run(wk.walk, self.given, self.seats, self.walk, words, ROUND)
            progress(self.nodes)
            if why == wk.TOO_WIDE:
                raise BadGame(f"a move of {self.game.id} draws too often: its outcomes cannot be counted")
            if why == wk.TOO_DEEP:
                raise BadOption(f"{self.game.title} has more than {DEPTH} choices in a game with these options")
            if self.nodes > most or self.sets * size_of(self.game.state) > MOST_BYTES:
                found = min(most, self.nodes)
                raise BadOption(f"{self.game.title} has more than {found:,} positions with these options")
            if why == wk.DONE:
                return
            if why == wk.FULL:
                self._enlarge()

    def _start(self) -> None:
        """Make the deal the only frame."""
        frames = self.walk.frames
        frames.seat[0], frames.set[0], frames.action[0] = wk.DEAL, wk.DEAL, 0
        self.walk.status.depth = 0

    def _first_walk(self) -> wk.Walk:
        seats = self.seats
        numbers = memory.zeros
        depth = DEPTH
        pool = states(self.game.state, depth + 2, True)
        frames = wk.Frames(
            pool=pool,
            words=memory.words_in(pool),
            mask=numbers("int8", depth + 1, self.game.actions),
            seat=numbers("int64", depth + 1),
            key=numbers("int64", depth + 1),
            set=numbers("int64", depth + 1),
            action=numbers("int64", depth + 1),
            place=numbers("int64", depth + 1),
            number=numbers("int64", depth + 1),
            mass=numbers("float64", depth + 1),
            sent=numbers("int64", depth + 1),
            weight=numbers("float64", depth + 1),
            begin=numbers("int64", depth + 1),
            past=numbers("int64", depth + 1, seats),
            last=numbers("int64", depth + 1, seats),
            level=numbers("int64", depth + 1, seats),
        )
        return wk.Walk(
            memory.in_memory(wk.WalkCounts()),
            frames,
            self._positions(2**15, 2**16),
            self._sets(2**12),
            scores=numbers("int64", seats),
            ranks=numbers("int64", seats),
            values=numbers("float64", seats),
        )

    def _positions(self, nodes: int, edges: int) -> wk.Positions:
        numbers, seats = memory.zeros, self.seats
        return wk.Positions(
            seat=numbers("int8", nodes),
            set=numbers("int32", nodes),
            first=numbers("int32", nodes),
            level=numbers("int8", nodes, seats),
            worth=numbers("float64", nodes, seats),
            child=numbers("int32", edges),
            place=numbers("int16", edges),
            weight=numbers("float64", edges),
            pending_child=numbers("int32", edges),
            pending_place=numbers("int16", edges),
            pending_weight=numbers("float64", edges),
            key=numbers("int64", 2 * nodes),
            found=numbers("int32", 2 * nodes),
        )

    def _sets(self, sets: int) -> wk.Sets:
        numbers = memory.zeros
        return wk.Sets(
            key=numbers("int64", 2 * sets),
            found=numbers("int32", 2 * sets),
            seat=numbers("int8", sets),
            level=numbers("int8", sets),
            first=numbers("int32", sets),
            action=numbers("int32", 4 * sets + self.game.actions),
            seen=states(self.game.state, sets, True),
        )

    def _enlarge(self) -> None:
        """Double all arrays that may be full."""
        old, status = self.walk, self.walk.status
        positions, sets = old.positions, old.sets
        if 4 * status.sets > len(sets.seat) or 4 * status.choices > len(sets.action):
            sets = self._sets(2 * len(sets.seat))
            self._copy(old.sets, sets)
        nodes = len(positions.seat) * (2 if 4 * status.nodes > len(positions.seat) else 1)
        edges = len(positions.child) * (2 if 4 * (status.edges + status.pending) > len(positions.child) else 1)
        if (nodes, edges) != (len(positions.seat), len(positions.child)):
            positions = self._positions(nodes, edges)
            self._copy(old.positions, positions)
        self.walk = old._replace(positions=positions, sets=sets)

    def _copy(self, old: Any, new: Any) -> None:
        """Copy the arrays of one named tuple into the larger ones of another; enter keys anew."""
        for name in old._fields:
            if name not in ("key", "found"):
                source = getattr(old, name)
                ctypes.memmove(getattr(new, name), source, ctypes.sizeof(source))
        if len(new.key) == len(old.key):
            for name in ("key", "found"):
                ctypes.memmove(getattr(new, name), getattr(old, name), ctypes.sizeof(getattr(old, name)))
        else:
            self.run(wk.refill, old.key, old.found, new.key, new.found)


def estimated(game: Game, book: Record, tries: int = TRIES) -> float:
    """Return the decimal logarithm of the number of ways in which a game can be played, estimated from random games.

    Ways that lead to the same position count separately, so there are fewer positions than that (Knuth 1975).
    """
    ways = [0.0]
    chance = [0] * 4
    rng.seed(chance, 1)

    def drawn(words: object, n: int) -> int:
        ways[0] += math.log(max(n, 1))
        return rng.below(chance, n) if n > 1 else 0

    rules = bound_rules(game, {rng.below: drawn, rng.seed: lambda words, n: None})
    found = []
    for _ in range(tries):
        ways[0], s, mask = 0.0, game.state(), [0] * game.actions
        rules.deal(book, s)
        while bits := rules.to_act(book, s):
            seat = (bits & -bits).bit_length() - 1
            count = rules.legal(book, s, seat, mask)
            legal = [action for action in range(game.actions) if mask[action]]
            ways[0] += math.log(count)
            rules.play(book, s, seat, legal[rng.below(chance, count)])
        found.append(ways[0])
    most = max(found)
    return (most + math.log(fmean(math.exp(each - most) for each in found))) / math.log(10)


def positions_of(
    game: Game,
    options: Mapping[str, object],
    seats: int | None = None,
    progress: Callable[[int], None] = lambda nodes: None,
    most: int = MOST,
) -> WalkedGame:
    """Return all positions of a game; raises BadOption, with an estimate, if they are more than `most`.

    `progress` is called with the number of positions found so far. The walk takes some 20 microseconds for each.
    """
    seats = game.check_seats(seats)
    book = game.make_book(seats, game.read_options(seats, options))
    ways = estimated(game, book)
    size = f"it can be played in about 10^{ways:.0f} ways"
    smaller = "make it smaller by its options"
    if ways > math.log10(HOPELESS * most):
        raise BadOption(f"{game.title} is too large to be walked through with these options: {size}; {smaller}")
    tree = WalkedGame(game, options, seats)
    try:
        tree.grow(progress, most)
    except BadOption as error:
        raise BadOption(f"{error}: {size}; {smaller}") from None
    return tree
