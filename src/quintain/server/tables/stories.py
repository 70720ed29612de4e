"""The stories of finished games, for the page of the end: each is made once, in short slices, and kept with its table.

To make a story, the game is played again (see `quintain.engine.play.course`), which takes seconds in a long one. A page
waits a moment for it. If the story takes longer, the page shows the result alone, and the rest follows by the socket.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from quintain.engine.play.course import Course
from quintain.server.model.entries import OVER
from quintain.server.slices import Slices
from quintain.server.tables.table import Table

PATIENCE = 0.5
"""Seconds that a page waits for a story."""
log = logging.getLogger("quintain.server")


class Stories:
    """Makes stories, one after the other; it calls `show` with each table whose story is ready."""

    def __init__(self, show: Callable[[Table], None]) -> None:
        self.show = show
        self._slices = Slices()
        self._making: dict[str, asyncio.Task[None]] = {}

    def begin(self, table: Table) -> asyncio.Task[None] | None:
        """Begin to make the story of a finished game; None if it is there, or nothing can be told."""
        match = table.match
        if table.status != OVER or table.story or match is None or match.outcome is None:
            return None
        if table.id not in self._making:
            self._making[table.id] = asyncio.create_task(self._make(table))
        return self._making[table.id]

    async def soon(self, table: Table) -> None:
        """Wait a moment for the story of a table, if its game is over."""
        if making := self.begin(table):
            await asyncio.wait([making], timeout=PATIENCE)

    async def _make(self, table: Table) -> None:
        """Make a story. One that fails is not tried again: its task stays."""
        assert table.match
        course = Course(table.match)
        try:
            await self._slices.do(course.play())
            table.story = course.story()
        except Exception:
            log.exception("a story cannot be told", extra={"table": table.id, "game": table.row.game})
            return
        self._making.pop(table.id, None)
        self.show(table)
