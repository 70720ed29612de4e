"""The health check: can the server write to its database? It writes a row of its own, as it would write a move.

The route /health in `routes.py` asks here.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path

EVERY = 1.0
"""Seconds between two writes: many requests together cannot wear the disk out."""
LOCKED_FOR = 1.0
"""Seconds that a write waits for the database's lock."""
PATIENCE = 2.0
"""Seconds until /health answers, even if the disk does not."""
WRITE = "INSERT INTO health (id, written) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET written = excluded.written"
log = logging.getLogger("quintain.server")


class Health:
    """The health of one database."""

    def __init__(self, database: Path):
        self._database = database
        self._begun = 0.0
        self._writing: asyncio.Task[bool] | None = None

    async def can_write(self) -> bool:
        """Tell whether the database takes a write. All who ask within a second share one."""
        now = time.monotonic()
        writing = self._writing
        if writing is None or (writing.done() and now - self._begun >= EVERY):
            self._begun = now
            writing = self._writing = asyncio.create_task(asyncio.to_thread(self._write))
        await asyncio.wait([writing], timeout=PATIENCE)
        return writing.done() and writing.result()

    def _write(self) -> bool:
        """Write the row over a connection of its own, so that no move waits for it."""
        address = f"{self._database.absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(address, LOCKED_FOR, isolation_level=None, uri=True)) as connection:
                connection.execute(WRITE, (time.time(),))
        except sqlite3.Error as error:
            log.error("the database cannot be written", extra={"reason": str(error)})
            return False
        return True
