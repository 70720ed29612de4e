"""Simulation: plays many games between bots on all cores, and sums them up.

Games between the simple bots of `bots.playout` run in compiled code from the deal to the score; `matches` plays games
between any other bots.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quintain.bots import Level, level
from quintain.bots.playout import GAME, KINDS, compiled_games, compiled_workspace, warm_up
from quintain.engine.errors import BadOption
from quintain.engine.game import Game
from quintain.lab import matches

if TYPE_CHECKING:
    import numpy as np

    Play = Callable[[int, int], np.ndarray[Any, Any]]
    MakeObserver = Callable[[], matches.Observer] | None

SLICE = 1000
"""How many compiled games one call plays."""
WINDOW = 500
"""How many such slices, or games between other bots, the threads get at once."""
MOST_GAMES = 10**12
"""The most games of one simulation or pairing."""


@dataclass(frozen=True)
class Summary:
    """The result of a simulation. Tuples have an entry for each seat.

    `seconds` is the time without compiling, and `decisions` the number of all actions. `shares` are the shares of games
    won, a tie shared; `scores` are mean final scores. `drawn` is the number of games without a single winner.
    `shortest` and `longest` are numbers of actions.
    """

    games: int
    seconds: float
    decisions: int
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    drawn: int
    shortest: int
    longest: int


def simulate(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    make_observer: MakeObserver = None,
) -> Summary:
    """Play n games between bots, one for each seat, and return a summary; raises BadOption.

    `seed` (0 to 2**63 - 1) and i decide game i, whatever the number of cores. `progress` is called from time to time
    with the number of games just played. `make_observer` returns an observer for each game, and may be called in any
    thread; the observer of a compiled game sees only its end.
    """
    seats = game.check_seats(len(bots))
    levels = [level(name) for name in bots]
    if not 1 <= n <= MOST_GAMES or not 0 <= seed < 2**63:
        raise BadOption(f"a simulation takes 1 to {MOST_GAMES:,} games, and a seed from 0 to 2**63 - 1")
    book = game.make_book(seats, game.read_options(seats, options))
    if are_compiled(bots):
        play, size = _compiled_games(game, book, [KINDS[name] for name in bots], seed, make_observer), SLICE
    else:
        matches.prepare(game, levels)
        play, size = _games_between(game, book, levels, seed, make_observer), 1
    total = _Total(seats)
    begun = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for start in range(0, n, WINDOW * size):
            firsts = range(start, min(n, start + WINDOW * size), size)
            for results in threads.map(lambda first: play(first, min(size, n - first)), firsts):
                total.add(results)
                progress(len(results))
    return total.summary(time.perf_counter() - begun)


def are_compiled(bots: Sequence[str]) -> bool:
    """Tell whether games between these bots run in compiled code from the deal to the score."""
    return all(name in KINDS for name in bots)


def _compiled_games(game: Game, book: Any, kinds: list[int], seed: int, make_observer: MakeObserver) -> Play:
    """Return a function that plays a number of games, from a first number on, in compiled code."""
    import numpy as np

    warm_up(game)
    driver, record, seats, own = compiled_games(game), game.book.array([book])[0], len(kinds), threading.local()

    def play(first: int, games: int) -> np.ndarray[Any, Any]:
        if not hasattr(own, "work"):
            own.work = compiled_workspace(game)
        results = _results(games, seats)
        step = 1 if make_observer else max(1, games)
        for row in range(0, games, step):
            driver(record, seats, np.array(kinds), own.work, seed, first + row, results[row : row + step])
            if make_observer:
                end = game.state.unpack(own.work.pool[GAME].tobytes())
                make_observer().end(end, results[row, 1 + seats :].tolist())
        return results

    return play


def _games_between(game: Game, book: Any, levels: Sequence[Level], seed: int, make_observer: MakeObserver) -> Play:
    """Return a function that plays a number of games, from a first number on, between any bots."""

    def play(first: int, games: int) -> np.ndarray[Any, Any]:
        results = _results(games, len(levels))
        for row in range(games):
            plies, scores, ranks = matches.play(
                game, book, levels, seed, first + row, make_observer and make_observer()
            )
            results[row] = [plies, *scores, *ranks]
        return results

    return play


def _results(games: int, seats: int) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.zeros((games, 1 + 2 * seats), np.int64)


class _Total:
    """Adds up rows of results, as `play_games` writes them."""

    def __init__(self, seats: int) -> None:
        import numpy as np

        self.seats = seats
        self.games = self.decisions = self.drawn = self.longest = 0
        self.shortest: int | None = None
        self.shares = np.zeros(seats)
        self.scores = np.zeros(seats, np.int64)

    def add(self, results: np.ndarray[Any, Any]) -> None:
        plies, ranks = results[:, 0], results[:, 1 + self.seats :]
        first = ranks == 1
        winners = first.sum(axis=1)
        self.games += len(results)
        self.decisions += int(plies.sum())
        self.shares += (first / winners[:, None]).sum(axis=0)
        self.scores += results[:, 1 : 1 + self.seats].sum(axis=0)
        self.drawn += int((winners > 1).sum())
        self.longest = max(self.longest, int(plies.max()))
        self.shortest = min(self.longest if self.shortest is None else self.shortest, int(plies.min()))

    def summary(self, seconds: float) -> Summary:
        return Summary(
            games=self.games,
            seconds=seconds,
            decisions=self.decisions,
            shares=tuple(float(share) for share in self.shares / self.games),
            scores=tuple(float(score) for score in self.scores / self.games),
            drawn=self.drawn,
            shortest=self.shortest or 0,
            longest=self.longest,
        )
