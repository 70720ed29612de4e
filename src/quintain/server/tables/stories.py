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
from quintain.server.tables.live_table import LiveTable

PATIENCE = 0.5
"""Seconds that a page waits for a story."""
log = logging.getLogger("quintain.server")


class Stories:
    """Makes stories, one after the other; it calls `show` with each table whose story is ready."""

    def __init__(self, show: Callable[[LiveTable], None]) -> None:
        self.show = show
        self._slices = Slices()
        self._making: dict[str, asyncio.Task[None]] = {}

    def begin(self, live: LiveTable) -> asyncio.Task[None] | None:
        """Begin to make the story of a finished game; None if it is there, or nothing can be told."""
        match = live.table.match
        if live.table.status != OVER or live.story or match is None or match.outcome is None:
            return None
        if live.id not in self._making:
            self._making[live.id] = asyncio.create_task(self._make(live))
        return self._making[live.id]

    async def soon(self, live: LiveTable) -> None:
        """Wait a moment for the story of a table, if its game is over."""
        if making := self.begin(live):
            await asyncio.wait([making], timeout=PATIENCE)

    async def _make(self, live: LiveTable) -> None:
        """Make a story. One that fails is not tried again: its task stays."""
        assert live.table.match
        course = Course(live.table.match)
        try:
            await self._slices.do(course.play())
            live.story = course.story()
        except Exception:
            log.exception("a story cannot be told", extra={"table": live.id, "game": live.table.row.game})
            return
        self._making.pop(live.id, None)
        self.show(live)
