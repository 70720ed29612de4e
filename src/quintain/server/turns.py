"""Fair queues: jobs run one at a time, and owners of jobs take turns, so that one owner's many jobs delay no other's.

Each owner has parts, which share the owner's turns fairly. For bots (`workers.py`) the owners are players and the parts
are their tables. For texts (`reader.py`) the owners are addresses and the parts are the players there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Any, Generic, NamedTuple, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
_Queued = tuple[Callable[[], Awaitable[object]], asyncio.Future[Any]]
"""What a job does, and the future that gets its result."""


class Asker(NamedTuple):
    """The owner of a job and the part that it is for, such as a player and a table."""

    owner: str
    part: str


class FairQueue(Generic[Job]):
    """Waiting jobs by owner and part; `take` returns one from the owner, and the part, whose turn is next.

    >>> queue = FairQueue[str]()
    >>> for owner, job in (("Ann", "A1"), ("Ann", "A2"), ("Ann", "A3"), ("Bo", "B1")):
    ...     queue.add(Asker(owner, "a table"), job)
    >>> queue.waiting("Ann"), queue.waiting()
    (3, 4)
    >>> [queue.take() for _ in range(5)]
    ['A1', 'B1', 'A2', 'A3', None]
    """

    def __init__(self) -> None:
        self._owners: OrderedDict[str, OrderedDict[str, deque[Job]]] = OrderedDict()

    def add(self, asker: Asker, job: Job) -> None:
        """Add a job behind the other jobs of its part."""
        parts = self._owners.setdefault(asker.owner, OrderedDict())
        parts.setdefault(asker.part, deque()).append(job)

    def take(self) -> Job | None:
        """Return the next job, and put its owner and part last in their queues; None if no job waits."""
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
        """Return how many jobs of an owner wait; without an owner, how many jobs of all owners."""
        owners = self._owners.values() if owner is None else [self._owners.get(owner, OrderedDict())]
        return sum(len(jobs) for parts in owners for jobs in parts.values())


class QueueRunner:
    """Runs jobs one at a time, in the order of `FairQueue`; jobs that can wait are run when there are no others."""

    def __init__(self) -> None:
        self._jobs, self._patient = FairQueue[_Queued](), FairQueue[_Queued]()
        self._working: asyncio.Task[None] | None = None

    async def run(self, asker: Asker, do: Callable[[], Awaitable[Result]], *, can_wait: bool = False) -> Result:
        """Run a job when it is its turn, and return its result. A job whose asker has given up is not run."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        (self._patient if can_wait else self._jobs).add(asker, (do, done))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await done

    def waiting(self, owner: str | None = None) -> int:
        """Return how many jobs of an owner wait for their turn; without an owner, how many jobs of all owners.

        Those that can wait do not count.
        """
        return self._jobs.waiting(owner)

    async def _work(self) -> None:
        while job := self._jobs.take() or self._patient.take():
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
