"""Simulation: many games between bots, compiled, on all cores."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quintain.bots import bot
from quintain.bots.playout import KINDS, compiled_workspace, run
from quintain.engine.compiled import compiled
from quintain.engine.errors import BadOption
from quintain.engine.game import Game

if TYPE_CHECKING:
    import numpy as np

SLICE = 1000
"""Games that one thread plays in one go."""
WINDOW = 500 * SLICE
"""Games that are handed to the threads at once."""
MOST_GAMES = 10**12


@dataclass(frozen=True)
class Summary:
    """What a simulation showed. Tuples are by seat; lengths are in plies; seconds are without compiling.

    `shares` are the parts of the games won, a tie shared; `scores` mean final scores; `drawn` counts the games
    without a single winner.
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
) -> Summary:
    """Play n games between bots, one for each seat, and sum up.

    Game i is settled by `seed` (0 to 2**63 - 1) and i alone, whatever the number of cores. `progress` is told
    from time to time how many more games are done. Raises BadOption.
    """
    import numpy as np

    seats = game.check_seats(len(bots))
    for name in bots:
        bot(name)
    if not 1 <= n <= MOST_GAMES or not 0 <= seed < 2**63:
        raise BadOption(f"a simulation takes 1 to {MOST_GAMES:,} games, and a seed from 0 to 2**63 - 1")
    book = game.book.array([game.make_book(seats, game.read_options(seats, options))])[0]
    kinds = np.array([KINDS[name] for name in bots])
    driver = compiled(game, run)
    driver(book, seats, -1, kinds, compiled_workspace(game), seed, 0, _results(0, seats))
    own = threading.local()

    def play(first: int) -> np.ndarray[Any, Any]:
        if not hasattr(own, "work"):
            own.work = compiled_workspace(game)
        results = _results(min(SLICE, n - first), seats)
        driver(book, seats, -1, kinds, own.work, seed, first, results)
        return results

    total = _Total(seats)
    begun = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for start in range(0, n, WINDOW):
            for results in threads.map(play, range(start, min(n, start + WINDOW), SLICE)):
                total.add(results)
                progress(len(results))
    return total.summary(time.perf_counter() - begun)


def _results(games: int, seats: int) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.zeros((games, 1 + 2 * seats), np.int64)


class _Total:
    """Adds up the rows that `run` writes."""

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
