"""The server's other processes (`workers.py`, `reader.py`): their number, the jobs that they do, and their end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

from quintain.server.refused import Stopping

Given = ParamSpec("Given")
Result = TypeVar("Result")
Job = Callable[[], object]


class Apprentice:
    """A process that does one job after another. It starts with its first job, calls `set_up` once, and can be ended.

    `do` blocks, so it runs in a thread; `stop` may be called meanwhile.
    """

    def __init__(self, set_up: Callable[Given, None], *given: Given.args, **more: Given.kwargs):
        self._set_up: Job = partial(set_up, *given, **more)
        self._process: BaseProcess | None = None
        self._connection: Connection[Job, tuple[bool, Any]] | None = None
        self._is_stopped = False
        self._changing = threading.Lock()
        """Held while the process starts or ends, so that none starts after the end."""

    def do(self, job: Callable[Given, Result], *given: Given.args, **more: Given.kwargs) -> Result:
        """Let the process do a job, and return the result. If it has died, let another one try once more.

        Raises Stopping if the process is stopped, and RuntimeError if the job fails or the process dies again.
        """
        for _ in range(2):
            try:
                connection = self._started()
                connection.send(partial(job, *given, **more))
                is_done, answer = connection.recv()
            except (EOFError, OSError):
                self._end()
                continue
            if not is_done:
                raise RuntimeError(f"a job in another process failed: {answer}")
            result: Result = answer
            return result
        if self._is_stopped:
            raise Stopping
        raise RuntimeError("the process that does this job died twice")

    def stop(self) -> None:
        """End the process for good, even in the middle of a job."""
        self._is_stopped = True
        with self._changing:
            if self._process:
                self._process.kill()
                self._process.join()

    def _started(self) -> Connection[Job, tuple[bool, Any]]:
        """Start the process if it is not running, and return the connection to it."""
        with self._changing:
            if self._is_stopped:
                raise Stopping
            if self._connection is None:
                context = multiprocessing.get_context("spawn")
                self._connection, theirs = context.Pipe()
                self._process = context.Process(target=_work, args=(theirs, self._set_up), daemon=True)
                with without_ctrl_c():
                    self._process.start()
                theirs.close()
            return self._connection

    def _end(self) -> None:
        with self._changing:
            if self._process and self._connection:
                self._process.kill()
                self._process.join()
                self._connection.close()
            self._process = self._connection = None


def _work(there: Connection[tuple[bool, object], Job], set_up: Job) -> None:
    """Set the process up, then do one job after another until the server ends."""
    end_with_server()
    set_up()
    while True:
        try:
            job = there.recv()
        except EOFError:
            return
        try:
            answer = True, job()
        except Exception:
            answer = False, traceback.format_exc()
        there.send(answer)


def processors() -> int:
    """Return how many processors this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Let no process that this thread starts hear Ctrl-C, not even while it starts: its parent ends it."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # else it starts with the process, and lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_server() -> None:
    """Make this process end when the server ends, and ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent
    threading.Thread(target=lambda: (wait([parent.sentinel]), os._exit(0)), daemon=True).start()


def end_tracker() -> None:
    """End Python's own helper process, and wait for it; without this it outlives the server for a moment.

    Python 3.11 has no public way, and later versions do it themselves.
    """
    stop = getattr(getattr(resource_tracker, "_resource_tracker", None), "_stop", None)
    if stop:
        stop()
