"""A limit on the processor time of a check: if a loop in a game does not end, the check fails and names the line.

`suite` sets the limit for every check.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class TooLong(BaseException):
    """Raised when the time is over. It is not an Exception, so that no game catches it."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong after this number of seconds of processor time; 0 sets no limit.

    The limit works only in the main thread and in Python code. In another thread, in compiled code and on Windows there
    is no limit.
    """
    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong
