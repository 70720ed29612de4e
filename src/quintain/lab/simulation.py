"""Simulation: plays many games between bots on all cores, and sums them up or returns them as a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.extras import need
from quintain.lab.pools import WorkerPool
from quintain.lab.runs import Run
from quintain.lab.series import MOST_GAMES, Chunk, Played, Series, whole

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Summary", "simulate", "simulate_games"]


@dataclass(frozen=True)
class Summary:
    """The result of a simulation. Tuples have an entry for each seat.

    `seconds` is the time without compiling; `kept` of the games were played before, by a run that was stopped, and the
    time does not count them. `decisions` is the number of all actions. `shares` are the shares of games
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
    kept: int = 0

    @property
    def length(self) -> float:
        """The mean number of actions of a game."""
        return self.decisions / self.games

    @staticmethod
    def none() -> Summary:
        """Return the summary of no games."""
        return Summary(0, 0.0, 0, (), (), 0, 0, 0)


def simulate(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
    out: Path | None = None,
) -> Summary:
    """Play n games between bots, one for each seat, and return a summary; raises BadOption.

    `seed` (0 to 2**63 - 1) and i decide game i, whatever the number of workers. `progress` is called from time to time
    with the number of games just played. With `out`, the path of a Parquet file, a row for each game goes there (see
    `tables`); if such a run is stopped, the same call goes on with it.
    """
    with _run(game, n, bots, options, seed, pool, out) as run:
        total, begun = Total(len(bots)), time.perf_counter()
        for result in run.play([Chunk(run.series[0], 0, n, counted=out is not None)]):
            total.add(result.played)
            progress(len(result.played.rows))
        seconds = time.perf_counter() - begun
        run.write()
    return total.summary(seconds, run.kept)


def simulate_games(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
) -> pl.DataFrame:
    """Play n games, as `simulate` does, and return a table with a row for each: see `tables`."""
    need("polars", "pyarrow")
    with _run(game, n, bots, options, seed, pool, None, keep=True) as run:
        for result in run.play([Chunk(run.series[0], 0, n, counted=True)]):
            progress(len(result.played.rows))
        return run.table()


def _run(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    pool: WorkerPool | None,
    out: Path | None,
    keep: bool = False,
) -> Run:
    """Return the run of one series."""
    check_games(n)
    return Run([Series.new(game, bots, options, seed)], {"command": "simulate", "n": n, "seed": seed}, pool, out, keep)


def check_games(n: int) -> None:
    """Raise BadOption for a number of games that no series can have."""
    if not 1 <= n <= MOST_GAMES:
        raise BadOption(f"a simulation takes 1 to {MOST_GAMES:,} games, not {n}")


class Total:
    """Adds up the results of chunks."""

    def __init__(self, seats: int) -> None:
        need("numpy")
        import numpy as np

        self.seats = seats
        self.games = self.decisions = self.drawn = self.longest = 0
        self.shortest: int | None = None
        self.won, self.scores = np.zeros(seats, np.int64), np.zeros(seats, np.int64)

    def add(self, played: Played) -> None:
        """Add the games of a chunk."""
        plies, won = played.rows[:, 0], played.won
        self.games += len(plies)
        self.decisions += int(plies.sum())
        self.won += won.sum(axis=0)
        self.scores += played.scores.sum(axis=0)
        self.drawn += int((won.max(axis=1) < whole(self.seats)).sum())
        self.longest = max(self.longest, int(plies.max()))
        self.shortest = min(self.longest if self.shortest is None else self.shortest, int(plies.min()))

    def summary(self, seconds: float, kept: int = 0) -> Summary:
        """Return the sums as a summary; `seconds` is the time that the games took, but for those that were kept."""
        return Summary(
            games=self.games,
            seconds=seconds,
            decisions=self.decisions,
            shares=tuple(int(won) / (whole(self.seats) * self.games) for won in self.won),
            scores=tuple(int(score) / self.games for score in self.scores),
            drawn=self.drawn,
            shortest=self.shortest or 0,
            longest=self.longest,
            kept=kept,
        )
