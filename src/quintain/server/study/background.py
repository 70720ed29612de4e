"""Work in the background: each piece in a task of its own, claimed where all processes see it, so that one does it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from quintain.engine.errors import QuintainError
from quintain.server.refused import Stopping
from quintain.server.slices import cancelled

log = logging.getLogger("quintain.server")


class Claiming(Protocol):
    """Claims on work, each known by its key: those of a database, or of a browser, which has one process only."""

    @property
    def unavailable(self) -> tuple[type[Exception], ...]:
        """What is raised while claims cannot be kept, for whatever reason."""

    @property
    def renewed_after(self) -> float:
        """After how many seconds a claim is renewed, lest it run out."""

    async def claim(self, key: str) -> bool:
        """Claim work for this process; False if another does it."""

    async def renew(self, key: str) -> None:
        """Claim work again that this process does, unless somebody stopped it."""

    async def release(self, key: str, problem: str = "") -> None:
        """Note that this process does the work no more, and what kept it from going on, if anything."""

    async def stop(self, key: str, why: str = "") -> None:
        """Let whoever does the work stop, and note why, if a person did not ask for it."""


class Background:
    """Does pieces of work, each known by the key of its row. Each returns why it could not go on, or nothing.

    If one fails, the row says the `problem`; the log says which `work` it was. A piece that is cut off can go on later.
    """

    def __init__(self, claims: Claiming, work: str, problem: str):
        self.claims, self.work, self.problem = claims, work, problem
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ending: set[str] = set()
        """The keys of the tasks that only note that they are over."""
        self._turn = asyncio.Lock()
        """Held by whoever begins or stops a piece, so that what goes on right after a stop is not passed over."""

    async def begin(self, key: str, do: Callable[[], Awaitable[str]]) -> None:
        """Do a piece of work, unless this or another process does so already."""
        async with self._turn:
            if key in self._ending:
                await asyncio.wait([self._tasks[key]])
            if key not in self._tasks and await self.claims.claim(key):
                task = self._tasks[key] = asyncio.create_task(self._do(key, do))
                task.add_done_callback(lambda _: self._forget(key))

    async def stop(self, key: str, why: str = "") -> None:
        """Stop a piece of work, in whichever process it is done, and note why, if a person did not ask for it."""
        async with self._turn:
            await self.claims.stop(key, why)
            await cancelled([task for each, task in self._tasks.items() if each == key])

    async def close(self) -> None:
        """Stop all that is done here; it can go on in another process, or later."""
        await cancelled(list(self._tasks.values()))

    async def _do(self, key: str, do: Callable[[], Awaitable[str]]) -> None:
        """Do a piece of work; what keeps it from going on is written down for people to read."""
        problem, renewing = "", asyncio.create_task(self._renew(key))
        try:
            problem = await do()
        except Stopping:
            pass
        except self.claims.unavailable as error:
            log.warning("%s is cut off", self.work, extra={"key": key, "reason": str(error)})
            return
        except (QuintainError, RuntimeError) as error:
            log.warning("%s fails", self.work, exc_info=error, extra={"key": key})
            problem = self.problem
        finally:
            self._ending.add(key)
            renewing.cancel()
            if not problem:
                await asyncio.shield(self._let_go(key))
        if problem:
            await self.claims.release(key, problem)

    def _forget(self, key: str) -> None:
        """Forget a piece of work that is over."""
        self._tasks.pop(key, None)
        self._ending.discard(key)

    async def _renew(self, key: str) -> None:
        """Keep the claim on a row, however long a piece of the work takes."""
        while True:
            await asyncio.sleep(self.claims.renewed_after)
            with contextlib.suppress(*self.claims.unavailable):
                await self.claims.renew(key)

    async def _let_go(self, key: str) -> None:
        try:
            await self.claims.release(key)
        except self.claims.unavailable:
            log.warning("%s could not be given back", self.work, extra={"key": key})
