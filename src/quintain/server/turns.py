"""Jobs done one at a time, in turn between those who ask: who asks for much waits longer, and nobody else does.

Owners take turns, and within an owner's turns the owner's parts do: for bots players and their tables, for texts
addresses and the players there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Any, Generic, NamedTuple, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


class Asker(NamedTuple):
    """Who asks for a job, and for which part of theirs."""

    owner: str
    part: str


class Turns(Generic[Job]):
    """Jobs that wait, by owner and part; the first of each is the next to have a turn.

    >>> turns = Turns[str]()
    >>> for owner, job in (("Ann", "A1"), ("Ann", "A2"), ("Ann", "A3"), ("Bo", "B1")):
    ...     turns.add(Asker(owner, "a table"), job)
    >>> turns.waiting("Ann"), turns.waiting()
    (3, 4)
    >>> [turns.take() for _ in range(5)]
    ['A1', 'B1', 'A2', 'A3', None]
    """

    def __init__(self) -> None:
        self._owners: OrderedDict[str, OrderedDict[str, deque[Job]]] = OrderedDict()

    def add(self, asker: Asker, job: Job) -> None:
        """Let a job wait behind the others of its part."""
        parts = self._owners.setdefault(asker.owner, OrderedDict())
        parts.setdefault(asker.part, deque()).append(job)

    def take(self) -> Job | None:
        """Return the next job, and send its owner and part to the end of their rows; None if no job waits."""
        if not self._owners:
            return None
        owner, parts = self._owners.popitem(last=False)
        part, jobs = parts.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            parts[part] = jobs
        if parts:
            self._owners[owner] = parts
        return job

    def waiting(self, owner: str | None = None) -> int:
        """Return how many jobs of an owner wait, or of all."""
        owners = self._owners.values() if owner is None else [self._owners.get(owner, OrderedDict())]
        return sum(len(jobs) for parts in owners for jobs in parts.values())


class InTurn:
    """Does jobs one at a time, in turn between those who ask."""

    def __init__(self) -> None:
        self._jobs: Turns[tuple[Callable[[], Awaitable[object]], asyncio.Future[Any]]] = Turns()
        self._working: asyncio.Task[None] | None = None

    async def run(self, asker: Asker, do: Callable[[], Awaitable[Result]]) -> Result:
        """Return the result of a job when it has had its turn; it is left out if nobody waits for it any more."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._jobs.add(asker, (do, done))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await done

    def waiting(self, owner: str | None = None) -> int:
        """Return how many jobs of an owner wait for their turn, or of all."""
        return self._jobs.waiting(owner)

    def stop(self) -> None:
        """Do no more jobs; whoever waits for one is cancelled."""
        if self._working:
            self._working.cancel()
        while job := self._jobs.take():
            job[1].cancel()

    async def _work(self) -> None:
        while job := self._jobs.take():
            do, done = job
            if done.done():
                continue
            try:
                result = await do()
            except asyncio.CancelledError:
                done.cancel()
                raise
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)
