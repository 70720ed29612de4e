"""Writes entries to the logs of tables: each at its place, which the database gives away once, and never after a gap.

Most entries are single moves. `LogWriter` gathers those that come while it writes others, and writes them together.
`NewEntries` reads at every request what other processes have written. Both give their statements to the driver itself,
which is faster. `store.py` writes entries that belong together, with the rows that follow, and reads whole logs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from quintain.server.model.entries import LogEntry
from quintain.server.store.addresses import KeptConnection

COLUMNS = '"table", seq, seat, kind, text, at'
FOLLOWS = """(given.seq = 1 OR EXISTS (SELECT 1 FROM entries AS earlier
     WHERE earlier."table" = given."table" AND earlier.seq = given.seq - 1))"""
"""Holds for the first entry of a log, and for one whose predecessor is there: a process that knows a longer log than
the database, since somebody has restored a backup, cannot leave a gap."""
ON_SQLITE = f"""
    INSERT INTO entries ({COLUMNS})
    SELECT * FROM (
        SELECT json_extract(value, '$[0]') AS "table", json_extract(value, '$[1]') AS seq,
               json_extract(value, '$[2]') AS seat, json_extract(value, '$[3]') AS kind,
               json_extract(value, '$[4]') AS text, json_extract(value, '$[5]') AS at
        FROM json_each(?)
    ) AS given WHERE {FOLLOWS}
    ON CONFLICT DO NOTHING RETURNING "table", seq
"""
ON_POSTGRESQL = f"""
    WITH added AS (
        INSERT INTO entries ({COLUMNS})
        SELECT * FROM unnest(%s::text[], %s::int[], %s::int[], %s::text[], %s::text[], %s::float8[])
            AS given({COLUMNS}) WHERE {FOLLOWS}
        ON CONFLICT DO NOTHING RETURNING "table", seq
    ) SELECT "table", seq, pg_notify('entries', "table" || ' ' || seq) FROM added
"""
"""These add the entries whose places are free, and return the places; PostgreSQL also tells the other processes."""
READ_ON_POSTGRESQL = f'SELECT {COLUMNS} FROM entries WHERE "table" = %s AND seq > %s ORDER BY seq'
"""Reads the entries of a log that follow a place."""
ADD_ONE = text(f"""
    INSERT INTO entries ({COLUMNS})
    SELECT * FROM (
        SELECT CAST(:table AS text) AS "table", CAST(:seq AS integer) AS seq, CAST(:seat AS integer) AS seat,
               CAST(:kind AS text) AS kind, CAST(:text AS text) AS text, CAST(:at AS double precision) AS at
    ) AS given WHERE {FOLLOWS}
    ON CONFLICT DO NOTHING RETURNING seq
""")
"""Adds one entry in a transaction, if its place is free."""


class LogWriter(KeptConnection):
    """Writes single entries over a connection of its own."""

    def __init__(self, engine: AsyncEngine):
        super().__init__(engine)
        self._waiting: list[tuple[LogEntry, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def add(self, entry: LogEntry) -> bool:
        """Write an entry at its place in the log; False if that place is taken, or the one before it empty.

        Raises DBAPIError if the database fails; then nobody knows whether the entry is there.
        """
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, written))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await written

    async def _write(self) -> None:
        """Write all waiting entries, batch by batch. Two entries for one place go into different batches."""
        while self._waiting:
            batch: dict[tuple[str, int], tuple[LogEntry, asyncio.Future[bool]]] = {}
            waiting, self._waiting = self._waiting, []
            for entry, written in waiting:
                if batch.setdefault((entry.table, entry.seq), (entry, written))[0] is not entry:
                    self._waiting.append((entry, written))
            try:
                places = await self._add(sorted(entry for entry, _ in batch.values()))
            except Exception as error:
                await self.drop()
                for _, written in batch.values():
                    if not written.cancelled():
                        written.set_exception(DBAPIError("INSERT INTO entries", None, error))
                continue
            for place, (_, written) in batch.items():
                if not written.cancelled():
                    written.set_result(place in places)
        self._writing = None

    async def _add(self, entries: Sequence[LogEntry]) -> set[tuple[str, int]]:
        """Add the entries whose places are free, in the order of their tables, and return these places."""
        driver = await self.driver()
        if self.engine.dialect.name == "sqlite":
            rows = await driver.execute_fetchall(ON_SQLITE, (json.dumps(entries),))
        else:
            cursor = await driver.execute(ON_POSTGRESQL, [list(column) for column in zip(*entries, strict=True)])
            rows = await cursor.fetchall()
        return {(row[0], row[1]) for row in rows}


class NewEntries(KeptConnection):
    """Reads from PostgreSQL what logs have after a place, one log after another, over a connection of its own."""

    def __init__(self, engine: AsyncEngine):
        super().__init__(engine)
        self._lock = asyncio.Lock()

    async def entries(self, table: str, after: int) -> list[LogEntry]:
        """Return the entries of a table's log that follow a place; raises DBAPIError if the database fails.

        A connection that has been cut says so only now: then another one is opened, and asked once.
        """
        async with self._lock:
            try:
                return await self._entries(table, after)
            except Exception:
                await self.drop()
            try:
                return await self._entries(table, after)
            except Exception as error:
                await self.drop()
                raise DBAPIError("SELECT FROM entries", None, error) from error

    async def _entries(self, table: str, after: int) -> list[LogEntry]:
        driver = await self.driver()
        cursor = await driver.execute(READ_ON_POSTGRESQL, (table, after))
        return [LogEntry(*row) for row in await cursor.fetchall()]
