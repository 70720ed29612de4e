"""The bot that searches: information-set Monte Carlo tree search, with one budget for all choices of a turn.

`tree` holds the search itself. This module shares the budget out among the choices of a turn, runs several trees in
threads, and picks the move. `background` lets a process of its own compile the search.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from quintain.bots import background
from quintain.bots.bot import Budget
from quintain.bots.playout import BLINDED, one_choice
from quintain.bots.tree import (
    ANY,
    MOST_PICKS,
    ROOT,
    Tree,
    asked_again,
    compiled_search,
    interpreted_search,
    new_tree,
    others_acted,
    root_edges,
    search,
    set_root,
)
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import REMEDY, Example, can_compile, is_warm, load
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record
from quintain.engine.seen.seen import Seen

MOST_SIMULATIONS = 1_000_000
"""The most simulations of one turn, even if its budget is in seconds only."""
ONE_TREE = 10_000
"""Up to this number of simulations grow one tree. A larger number is divided among TREES trees, each in a thread."""
TREES = 4
SLICE = 0.01
"""Seconds of searching between two looks at the clock."""
LEAST = 16
"""The fewest simulations of a choice, if the turn has that many left."""
FIRST_SLICE = 8
"""The simulations before the first look at the clock; later, as many as fit into a slice."""
PATIENCE = 0.3
"""The most seconds that a turn may take while the search is not compiled."""
MOST_INTERPRETED = 10_000
"""A number of simulations that cannot be reached in that time."""
SURVEY, TRIAL = Budget(simulations=5_000, seconds=1.0), Budget(simulations=2_000, seconds=0.7)
"""What advice may spend on finding the best moves, and then on each of them."""
ADVISED = 3
"""Advice is about this many moves."""
SOUND = 200
"""Fewer simulations than this say too little about a move: the 95 % interval of its share of wins may be wider than
14 percentage points. Nobody is shown a share of so few.
"""


@dataclass(frozen=True)
class Judgement:
    """What a search found out about a legal action: its number of simulations, and the expected share of wins."""

    action: int
    simulations: int
    share: float


@dataclass
class Turn:
    """The trees of a turn, and the rest of its budget. A turn lasts until another seat acts."""

    seat: int
    book: Record
    trees: list[Tree]
    left: list[int]
    """The simulations that each tree has left."""
    seconds: float
    """The seconds that the turn has left."""
    grow: Callable[[Tree, int], None]
    """Runs a number of simulations in a tree."""
    events_made: int
    """How many events the game had when the seat was last asked."""
    alone: bool = False
    """Whether only this seat could act since then."""
    picks: int = 0
    """How many choices of the turn have been searched."""

    def goes_on(self, seen: Seen) -> bool:
        """Tell whether a position, in which the seat is to act, still belongs to this turn."""
        same = (seen.seat, seen.book) == (self.seat, self.book) and seen.state.events_made >= self.events_made
        quiet = self.alone or not others_acted(seen.state, self.seat, self.events_made)
        return same and quiet and self.picks < MOST_PICKS


class Ismcts:
    """Plays the action that the search tried most often.

    If the search is not compiled yet, a new bot starts to compile it in the background; until that is done the bot
    searches with interpreted rules, for at most 0.3 seconds a turn. With a budget in simulations only, the number of
    `threads` (by default one for each core) changes only the time.
    """

    def __init__(self, game: Game, seed: int, threads: int | None = None) -> None:
        self.game = game
        self.threads = threads or (1 if sys.platform == "emscripten" else os.cpu_count() or 1)
        self.words = [0] * 4
        rng.seed(self.words, seed)
        self.turn: Turn | None = None
        self.judged: Sequence[Judgement] = ()
        """What the last choice found out about each legal action; empty if there was only one."""
        self.ready = False
        if not self._is_ready():
            background.begin(game)

    @property
    def note(self) -> str:
        """What people should know about this bot now; empty when its search is compiled."""
        if self._is_ready():
            return ""
        if not can_compile():
            return f"its search is not compiled, so it thinks less far ahead. {REMEDY}".rstrip()
        if self.is_getting_ready:
            return "its search is getting ready, and thinks less far ahead until then"
        return (
            f"its search could not be compiled, so it thinks less far ahead ({background.command(self.game)} says why)"
        )

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return the best action. A choice uses half of the turn's remaining budget, but the last choice uses all."""
        if self.turn and not self.turn.goes_on(seen):
            self.turn = None
        action, self.judged = seen.legal[0], ()
        if len(seen.legal) > 1:
            self.turn = self.turn or self._begin(seen, budget)
            self._look(self.turn, seen.state)
            self._search(self.turn)
            self.judged = _judgements(self.turn, seen.legal)
            action = max(self.judged, key=lambda one: (one.simulations, one.share, rng.draw(self.words))).action
        if self.turn:
            self._end_or_go_on(self.turn, seen, action)
        return action

    def judge(self, seen: Seen, budget: Budget, only: int = ANY) -> list[Judgement]:
        """Return what a search with the whole budget finds out about every legal action, or only about one."""
        turn = self._begin(seen, budget)
        self._look(turn, seen.state, only)
        self._search(turn, whole=True)
        return _judgements(turn, seen.legal if only == ANY else (only,))

    def expect(self, seen: Seen, budget: Budget, only: int = ANY, *, is_open: bool = False) -> tuple[float, ...]:
        """Return the expected share of wins of each seat, as far as one seat knows; it need not be asked now.

        `only` is the action that is taken first; with ANY, whoever is asked chooses as well as a search does. With
        `is_open` the state hides nothing, and all play with the cards on the table.
        """
        turn = self._begin(seen, budget)
        rooms = sum(turn.left)
        self._look(turn, seen.state, only, is_open=is_open)
        self._search(turn, whole=True)
        totals = zip(*(tree.shares for tree in turn.trees), strict=True)
        return tuple(sum(map(float, each)) / (rooms - sum(turn.left)) for each in totals)

    def advise(self, seen: Seen, survey: Budget = SURVEY, trial: Budget = TRIAL) -> list[Judgement]:
        """Return the judgement of the best three legal actions, the best first.

        A search tries good moves often and all others rarely, so the shares that it finds cannot be compared. Here it
        only finds out which moves are worth a trial; then each of them is tried as often as the others.
        """
        found = sorted(self.judge(seen, survey), key=lambda one: (-one.simulations, -one.share))
        tried = [self.judge(seen, trial, one.action)[0] for one in found[:ADVISED]]
        return sorted(tried, key=lambda one: -one.share)

    @property
    def is_getting_ready(self) -> bool:
        """Whether its search is being compiled, so that it will soon know more."""
        return not self._is_ready() and background.is_running(self.game)

    def _is_ready(self) -> bool:
        self.ready = self.ready or is_warm(self.game, search)
        return self.ready

    def _begin(self, seen: Seen, budget: Budget) -> Turn:
        """Return a new turn, with compiled trees if the search is compiled."""
        book, seat = seen.book, seen.seat
        seats, seconds = self.game.seats[1], math.inf if budget.seconds is None else budget.seconds
        run: Callable[..., None] = interpreted_search(self.game)
        given, most = book, MOST_INTERPRETED
        if is_compiled := self._is_ready():
            run = compiled_search(self.game)
            given, most = in_memory(book), MOST_SIMULATIONS
        else:
            seconds = min(seconds, PATIENCE)
        simulations = min(most, most if budget.simulations is None else budget.simulations)
        left = divided(simulations)
        trees = [new_tree(self.game, room, rng.draw(self.words), is_compiled=is_compiled) for room in left]

        def grow(tree: Tree, simulations: int) -> None:
            run(given, seats, seat, tree, simulations)

        return Turn(seat, book, trees, left, seconds, grow, seen.state.events_made)

    def _end_or_go_on(self, turn: Turn, seen: Seen, action: int) -> None:
        """End the turn if the seat will not be asked again after an action; one random deal decides that."""
        world, rules, made = seen.state.copy(), self.game.rules, seen.state.events_made
        rules.redeal(seen.book, world, 0)
        rules.play(seen.book, world, turn.seat, action)
        bits = rules.to_act(seen.book, world)
        turn.alone, turn.events_made = bits == 1 << turn.seat, made
        if not asked_again(bits, world, turn.seat, made):
            self.turn = None

    def _look(self, turn: Turn, root: GameState, only: int = ANY, *, is_open: bool = False) -> None:
        """Make a position the root of a turn's trees; they keep what they already know of it."""
        turn.picks += 1
        for tree in turn.trees:
            set_root(self.game, tree, root, only, is_open=is_open)

    def _search(self, turn: Turn, whole: bool = False) -> None:
        """Search in slices of time, with half of the turn's remaining budget.

        With `whole`, and at the last choice of a turn, it uses all that remains.
        """
        begun = now = time.monotonic()
        first, before = [min(1, left) for left in turn.left], turn.left
        turn.left = [left - simulations for left, simulations in zip(before, first, strict=True)]
        for tree, simulations in zip(turn.trees, first, strict=True):
            turn.grow(tree, simulations)
        share = 1 if whole or turn.trees[0].status.is_last_pick else 2
        until = begun + turn.seconds / share
        least = LEAST // len(turn.trees)
        keep = [left - max(left // share, min(left, least)) for left in before]
        size = FIRST_SLICE
        # A pool of threads takes longer to start than a Squire thinks, and a browser has no threads.
        alone = len(turn.trees) == 1 or self.threads == 1
        with contextlib.nullcontext() if alone else ThreadPoolExecutor(self.threads) as threads:
            while turn.left != keep and now < until:
                slices = [min(size, left - kept) for left, kept in zip(turn.left, keep, strict=True)]
                list((threads.map if threads else map)(turn.grow, turn.trees, slices))
                turn.left = [left - simulations for left, simulations in zip(turn.left, slices, strict=True)]
                took, now = time.monotonic() - now, time.monotonic()
                size = max(1, int(size * min(4.0, SLICE / max(took, 1e-6))))
        turn.seconds -= now - begun


def divided(simulations: int) -> list[int]:
    """Return how many simulations each tree of a turn gets."""
    number = 1 if simulations <= ONE_TREE else TREES
    return [simulations // number + (1 if i < simulations % number else 0) for i in range(number)]


def _judgements(turn: Turn, legal: Sequence[int]) -> list[Judgement]:
    """Return what all trees of a turn together know of the legal actions."""
    visits, total = dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)
    for tree in turn.trees:
        for action, simulations, utility in root_edges(tree):
            visits[action] += simulations
            total[action] += utility
    return [Judgement(action, visits[action], total[action] / max(1, visits[action])) for action in legal]


def drivers(game: Game) -> Iterator[Example]:
    """Yield the search of a game."""
    book, seat, work = one_choice(game)
    tree = new_tree(game, 1, 0, is_compiled=True)
    tree.pool[ROOT] = work.pool[BLINDED]
    yield Example(compiled_search(game), (book, game.seats[1], seat, tree, 0))


def warm_up(game: Game) -> None:
    """Compile the search for a game, unless it is there already."""
    load(drivers(game))
