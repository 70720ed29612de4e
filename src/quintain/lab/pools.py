"""Pools of workers: they do jobs on the local cores, and return the results in the order of the jobs.

`cluster` has a pool with the same method on other machines. So results do not depend on who did the work.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import Protocol, TypeVar

from quintain.engine.errors import QuintainError

__all__ = ["LocalPool", "WorkerPool"]

PATIENCE = 0.5
"""Seconds of work in this process before others are started, which takes each of them about a second."""
AHEAD = 4
"""How many jobs for each worker are begun before the oldest is done."""


class PoolJob(Protocol):
    """Something to do, which can be pickled."""

    @property
    def releases_gil(self) -> bool:
        """Whether threads can do jobs like this one side by side."""


J = TypeVar("J", bound=PoolJob)
R = TypeVar("R")
T = TypeVar("T")


class WorkerPool(Protocol):
    """Workers that do jobs."""

    @property
    def workers(self) -> int:
        """How many jobs are done at a time."""

    def map(self, do: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]:
        """Yield what `do`, a function of a module, returns for each job, in order; takes jobs as workers get free."""


class LocalPool:
    """The cores of this machine: threads for jobs that release the GIL, and processes for all others.

    Until `patience` seconds have passed, this process does the jobs for processes itself. A program that uses more time
    must start under ``if __name__ == "__main__":``, as `multiprocessing` asks.
    """

    def __init__(self, workers: int | None = None, patience: float = PATIENCE) -> None:
        self.workers, self.patience = workers or os.cpu_count() or 1, patience

    def map(self, do: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]:
        """Yield what `do` returns for each job, in order; raises QuintainError if a process is killed."""
        until = time.monotonic() + self.patience
        with ExitStack() as opened:
            executors: dict[bool, ThreadPoolExecutor | ProcessPoolExecutor] = {}

            def begin(job: J) -> Future[R]:
                if not job.releases_gil and (self.workers == 1 or time.monotonic() < until):
                    done: Future[R] = Future()
                    done.set_result(do(job))
                    return done
                if job.releases_gil not in executors:
                    executors[job.releases_gil] = self._executor(job.releases_gil)
                    opened.callback(executors[job.releases_gil].shutdown, cancel_futures=True)
                return executors[job.releases_gil].submit(do, job)

            try:
                yield from in_order(begin, Future.result, jobs, AHEAD * self.workers)
            except BrokenProcessPool as error:
                raise QuintainError(
                    "a process that played games was killed, perhaps for want of memory, or could not start because "
                    'the program that asked for it does not begin under `if __name__ == "__main__":`'
                ) from error

    def _executor(self, threads: bool) -> ThreadPoolExecutor | ProcessPoolExecutor:
        if threads:
            return ThreadPoolExecutor(self.workers)
        return ProcessPoolExecutor(self.workers, multiprocessing.get_context("spawn"), initializer=_begin_worker)


def in_order(begin: Callable[[J], T], finish: Callable[[T], R], jobs: Iterable[J], ahead: int) -> Iterator[R]:
    """Begin at most `ahead` jobs before the oldest of them is finished; yield the results in order."""
    begun: deque[T] = deque()
    for job in jobs:
        begun.append(begin(job))
        if len(begun) >= ahead:
            yield finish(begun.popleft())
    while begun:
        yield finish(begun.popleft())


def _begin_worker() -> None:
    """Let the process that started this one answer Ctrl-C, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
