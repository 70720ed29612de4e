"""Runs: series of games played by a pool, whose results are kept on disk or in memory.

`simulation`, `tournament` and `ladder` play their games through a `Run`. You can stop a run with an `out`, and go on
with it later: it keeps its results in a journal, and at the end writes the table of all games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from quintain.engine.version import __version__
from quintain.lab.extras import need
from quintain.lab.journal import Journal
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.series import Chunk, PlayedChunk, Series, play_chunk, prepare, ready, split
from quintain.lab.tables import games_table, write_games

if TYPE_CHECKING:
    import polars as pl


class Run:
    """A run of several series. A context manager.

    `plan` says in JSON everything besides the series that decides the results; a run can go on only with results of the
    same plan. `out` is the path of the Parquet file. Without it, the run keeps its results in memory if `keep` is set.
    """

    def __init__(
        self,
        series: Sequence[Series],
        plan: Mapping[str, Any],
        pool: WorkerPool | None = None,
        out: Path | None = None,
        keep: bool = False,
    ) -> None:
        self.series, self.pool, self.out, self.keep = series, LocalPool() if pool is None else pool, out, keep
        self._numbers = {each: number for number, each in enumerate(series)}
        self._memory: list[PlayedChunk] = []
        need("numpy", *(["pyarrow"] if out else []))
        self._journal = Journal(out) if out else None
        if self._journal:
            self._journal.plan({"quintain": __version__, **plan, "series": [_in_json(each) for each in series]})
        self.kept = 0
        """How many games were played before, by the run that was stopped."""
        self._kept = self._journal.entries() if self._journal else iter(())

    def __enter__(self) -> Self:
        for each in self.series:
            prepare(each)
        return self

    def __exit__(self, *error: object) -> None:
        if self._journal:
            self._journal.close()

    def play(self, chunks: Iterable[Chunk]) -> Iterator[PlayedChunk]:
        """Yield the results of chunks, in order and in parts of any size: first those that are kept, then new ones."""
        left = iter(chunks)
        for chunk in left:
            rest = chunk
            for number, first, played in self._kept:
                done = len(played.rows)
                self.kept += done
                yield PlayedChunk(self.series[number], first, played)
                rest = replace(rest, first=first + done, games=rest.games - done)
                if not rest.games:
                    break
            if rest.games:
                yield from self._play([rest, *left])

    def _play(self, chunks: Sequence[Chunk]) -> Iterator[PlayedChunk]:
        begun: deque[Chunk] = deque()

        def jobs() -> Iterator[Chunk]:
            for chunk in chunks:
                for part in split(chunk, self.pool.workers):
                    begun.append(part)
                    yield part

        for played in self.pool.map(play_chunk, jobs()):
            part = begun.popleft()
            if self._journal:
                self._journal.add(self._numbers[part.series], part.first, played)
            result = PlayedChunk(part.series, part.first, played)
            if self.keep:
                self._memory.append(result)
            yield result

    def results(self) -> Iterator[PlayedChunk]:
        """Yield all results so far, in order."""
        if self._journal:
            for number, first, played in self._journal.entries():
                yield PlayedChunk(self.series[number], first, played)
        yield from self._memory

    def table(self) -> pl.DataFrame:
        """Return the results as a table: see `tables`."""
        return games_table(self.results())

    def write(self) -> None:
        """Write the Parquet file, if the run has one, and delete the journal."""
        if self._journal and self.out:
            write_games(self.out, self.results)
            self._journal.remove()
            self._journal = None


def _in_json(series: Series) -> dict[str, Any]:
    """Return what decides the games of a series, as values of JSON."""
    return {"version": ready(series).game.version, **asdict(series)}
