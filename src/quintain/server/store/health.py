"""The health check: can the server write to its database? It writes a row of its own, as it would write a move.

The route /health in `metric_routes.py` asks here.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from quintain.server.store.addresses import Address, sync_engine

EVERY = 1.0
"""Seconds between two writes: many requests together cannot wear the disk out."""
LOCKED_FOR = 1.0
"""Seconds that a write waits for the lock of a SQLite file."""
PATIENCE = 2.0
"""Seconds until /health answers, even if the database does not."""
WRITE = text(
    "INSERT INTO health (id, written) VALUES (1, :now) ON CONFLICT (id) DO UPDATE SET written = excluded.written"
)
log = logging.getLogger("quintain.server")


class Health:
    """The health of one database."""

    def __init__(self, database: Address):
        self._engine = sync_engine(database, patience=LOCKED_FOR)
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
        try:
            with self._engine.begin() as connection:
                connection.execute(WRITE, {"now": time.time()})
        except SQLAlchemyError as error:
            log.error("the database cannot be written", extra={"reason": str(getattr(error, "orig", error))})
            return False
        return True
