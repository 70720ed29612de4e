"""A journal keeps the results of a long run on disk, so that a run that was stopped can go on.

It is an SQLite file beside the result, which holds the plan of the run and the results so far, in the order of the
jobs. Whoever opens it with another plan gets an error.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from quintain.engine import home
from quintain.engine.errors import BadOption, QuintainError
from quintain.lab.series import Counter, Played

SUFFIX = ".unfinished"
EVERY = 1.0
"""Seconds between two commits; a run that is killed loses no more than that."""
MOST_SHOWN = 60
"""The most characters of a value in a message about another plan."""


class JournalEntry(msgspec.Struct, array_like=True):
    """The results of one job, as the journal keeps them: the `Played` of a chunk of the series of this number."""

    series: int
    first: int
    games: int
    rows: bytes
    counters: list[Counter]
    counts: bytes


class Journal:
    """The results of the jobs of a run, in order. `path` is that of the run's result."""

    def __init__(self, path: Path) -> None:
        self.path = unfinished(path)
        if home.is_there(path) and not path.is_dir() and not home.is_there(self.path):
            raise BadOption(f"{path} is there already: delete it, or name another file")
        if path.is_dir() or not path.parent.is_dir():
            reason = "it is a folder" if path.is_dir() else f"there is no folder {path.parent}"
            raise BadOption(f"{path} cannot be written: {reason}")
        try:
            self._database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            self._database.executescript(
                "CREATE TABLE IF NOT EXISTS plan (name TEXT PRIMARY KEY, value TEXT);"
                "CREATE TABLE IF NOT EXISTS result (number INTEGER PRIMARY KEY, entry BLOB);"
            )
            self._database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise QuintainError(f"{self.path} cannot be used: {error}; perhaps another run uses it") from error
        except sqlite3.DatabaseError as error:
            raise QuintainError(f"{self.path} holds no results of a run: {error}; delete it or move it away") from error
        self._committed = time.monotonic()

    def plan(self, plan: Mapping[str, Any]) -> None:
        """Note the plan of a new run, or compare it with that of the run that was stopped; raises BadOption."""
        kept = {name: json.loads(value) for name, value in self._database.execute("SELECT name, value FROM plan")}
        given = json.loads(json.dumps(plan))
        if not kept:
            self._database.executemany(
                "INSERT INTO plan VALUES (?, ?)", [(name, json.dumps(value)) for name, value in given.items()]
            )
            self._commit()
        other = [name for name in given if kept and given[name] != kept.get(name)]
        if other:
            name, *values = _first_difference(other[0], kept.get(other[0]), given[other[0]])
            had, has = (json.dumps(value)[:MOST_SHOWN] for value in values)
            self.close()
            raise BadOption(
                f"{self.path} holds an unfinished run with other arguments ({name}: {had}, now {has}); "
                "repeat its arguments to go on with it, or delete it"
            )

    def add(self, series: int, first: int, played: Played) -> None:
        """Add the results of the next job."""
        rows, counts = played.rows.tobytes(), played.counts.tobytes()
        entry = JournalEntry(series, first, len(played.rows), rows, list(played.counters), counts)
        self._database.execute("INSERT INTO result (entry) VALUES (?)", (msgspec.msgpack.encode(entry),))
        if time.monotonic() - self._committed >= EVERY:
            self._commit()

    def entries(self) -> Iterator[tuple[int, int, Played]]:
        """Yield the number of the series, the number of the first game, and the results of each job so far."""
        import numpy as np

        (last,) = self._database.execute("SELECT max(number) FROM result").fetchone()
        for (blob,) in self._database.execute("SELECT entry FROM result WHERE number <= ? ORDER BY number", (last,)):
            entry = msgspec.msgpack.decode(blob, type=JournalEntry)
            rows = np.frombuffer(entry.rows, np.int64).reshape(entry.games, -1)
            counts = np.frombuffer(entry.counts, np.int64).reshape(entry.games, len(entry.counters))
            yield entry.series, entry.first, Played(rows, tuple(entry.counters), counts)

    def close(self) -> None:
        """Commit what was added, and close the file."""
        if self._database.in_transaction:
            self._database.execute("COMMIT")
        self._database.close()

    def remove(self) -> None:
        """Delete the journal, once the result is written."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _commit(self) -> None:
        self._database.execute("COMMIT")
        self._database.execute("BEGIN IMMEDIATE")
        self._committed = time.monotonic()


def unfinished(path: Path) -> Path:
    """Return the path of the journal beside a result."""
    return path.with_name(path.name + SUFFIX)


def planned_seed(path: Path) -> int | None:
    """Return the seed of the run that was stopped before it wrote the result at `path`; None if there is none."""
    journal = unfinished(path)
    if not home.is_there(journal):
        return None
    try:
        with closing(sqlite3.connect(journal)) as database:
            found = database.execute("SELECT value FROM plan WHERE name = 'seed'").fetchone()
    except sqlite3.DatabaseError:
        return None
    return int(found[0]) if found else None


def _first_difference(name: str, had: object, has: object) -> tuple[str, object, object]:
    """Return what differs in two values of an argument: in the series of a run, the part of the first that differs."""
    for one, other in zip(*(each if isinstance(each, list) else [] for each in (had, has)), strict=False):
        if isinstance(one, dict) and isinstance(other, dict):
            for part in other:
                if one.get(part) != other[part]:
                    return part, one.get(part), other[part]
    return name, had, has
