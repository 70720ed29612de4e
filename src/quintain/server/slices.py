"""Work on the event loop: long work cut into short slices, so that the server answers others in between; its end.

`replays.py` uses it to replay games and to make their pages, `since.py` to find out what has happened.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

Step = TypeVar("Step")
SLICE = 0.003
"""Seconds that a slice lasts, and that others have after it."""


async def cancelled(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def unbroken(work: Coroutine[object, object, Step]) -> Step:
    """Return the result of work that is done to its end, even if whoever waits for it is cancelled meanwhile.

    A query that is cancelled as it takes a connection may keep it, with its transaction open, until it is collected.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


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

    async def do(self, steps: Iterable[Step]) -> list[Step]:
        """Go through all steps, with pauses, and return them; each should take a short time."""
        done = []
        async with self.turn():
            until = time.perf_counter() + SLICE
            for step in steps:
                done.append(step)
                if time.perf_counter() > until:
                    await asyncio.sleep(SLICE)
                    until = time.perf_counter() + SLICE
        return done
