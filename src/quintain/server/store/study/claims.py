"""Claims on work in the background: one process works on a row, and claims it for a while, again and again."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, update

from quintain.server.clock import now
from quintain.server.store.database import UNAVAILABLE, Database
from quintain.server.store.schema import AnalysisRow, TrialRow

CLAIMED = 30.0
"""Seconds for which a process claims a row."""


class Claims:
    """The claims on the rows of a table, each known by its key.

    `until` is the time of a row until which it is claimed; `stopped` and `problem` say why nobody goes on with it.
    """

    unavailable: tuple[type[Exception], ...] = UNAVAILABLE
    renewed_after = CLAIMED / 3

    def __init__(self, database: Database, row: type[AnalysisRow | TrialRow], key: Any):
        self.database, self.row, self.key = database, row, key

    async def claim(self, key: str) -> bool:
        """Claim a row for this process; False if another works on it."""
        free = or_(self.row.until < now(), self.row.until == 0)
        values = {"until": now() + CLAIMED, "stopped": False, "problem": ""}
        return await self._changes(update(self.row).where(self.key == key, free).values(values))

    async def keep(self, key: str, **values: object) -> bool:
        """Write how far the work is, and claim the row again; False if somebody stopped it."""
        goes_on = self.key == key, self.row.stopped.is_(False)
        return await self._changes(update(self.row).where(*goes_on).values(until=now() + CLAIMED, **values))

    async def renew(self, key: str) -> None:
        """Claim a row again on which this process works, unless somebody stopped it."""
        goes_on = self.key == key, self.row.stopped.is_(False), self.row.until > 0
        await self.database.do(update(self.row).where(*goes_on).values(until=now() + CLAIMED))

    async def release(self, key: str, problem: str = "") -> None:
        """Note that this process works on a row no more, and what kept it from going on, if anything."""
        why = {"problem": problem} if problem else {}
        await self.database.do(update(self.row).where(self.key == key).values(until=0.0, **why))

    async def stop(self, key: str, why: str = "") -> None:
        """Let whoever works on a row stop, and note why, if a person did not ask for it."""
        values = {"stopped": True, "until": 0.0, "problem": why}
        await self.database.do(update(self.row).where(self.key == key).values(**values))

    async def _changes(self, changed: Any) -> bool:
        return await self.database.do(changed) > 0
