"""Long work on the event loop, cut into short slices, so that the server answers others in between.

`replays.py` uses it to replay games and to make their pages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

SLICE = 0.003
"""Seconds that a slice lasts, and that others have after it."""


class Slices:
    """Does one piece of work at a time; the others wait in order."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold the turn for one short step; the event loop does other work before the next one."""
        async with self._turn:
            yield
            await asyncio.sleep(0)

    async def do(self, steps: Iterable[object]) -> None:
        """Go through all steps, with pauses; each step should be short."""
        async with self.turn():
            until = time.perf_counter() + SLICE
            for _ in steps:
                if time.perf_counter() > until:
                    await asyncio.sleep(SLICE)
                    until = time.perf_counter() + SLICE
