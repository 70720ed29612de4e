"""Which processors the server's processes run on, where the system lets one choose."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Collection, Iterator
from functools import cache


@cache
def usable() -> frozenset[int]:
    """Return the numbers of the processors that this process may run on, as long as it does not keep to some itself."""
    if sys.platform == "linux":
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


def keep_to(processors: Collection[int]) -> None:
    """Let all threads of this process run on these processors only, and what they start from now on."""
    for thread in threading.enumerate():
        _keep(thread.native_id or 0, processors)


@contextlib.contextmanager
def parted(process: int) -> Iterator[None]:
    """Give another process one of two processors and this one the other, so that they do not get in each other's way.

    Where there are more processors there is room, and the system knows better.
    """
    if len(usable()) != 2:
        yield
        return
    ours, theirs = ({processor} for processor in sorted(usable()))
    _keep(process, theirs)
    keep_to(ours)
    try:
        yield
    finally:
        keep_to(usable())


def _keep(thread: int, processors: Collection[int]) -> None:
    """Let a thread run on these processors only, unless it has ended or the system does not know how."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setaffinity(thread, processors)
