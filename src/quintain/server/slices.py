"""Long work on the event loop, cut into slices: everybody else is answered in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

SLICE = 0.003
"""Seconds for which work goes on, and for which others have their turn after that."""


class Slices:
    """Does one piece of work at a time; those that come meanwhile wait for theirs in order."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold the turn for a single short step. Others have theirs before the next one."""
        async with self._turn:
            yield
            await asyncio.sleep(0)

    async def do(self, steps: Iterable[object]) -> None:
        """Go through all steps, each of which should be short."""
        async with self.turn():
            until = time.perf_counter() + SLICE
            for _ in steps:
                if time.perf_counter() > until:
                    await asyncio.sleep(SLICE)
                    until = time.perf_counter() + SLICE
