"""The server's clock: seconds since 1970 that only ever run forward, at an even pace.

It is set once, when the server starts. Whoever sets the machine's clock while the server runs moves no deadline by it,
and no bot waits for a time that has been taken back.
"""

from __future__ import annotations

import time

_COUNTER = getattr(time, "CLOCK_BOOTTIME", None)
"""The counter that also runs while the machine sleeps, where the system has one."""


def _counted() -> float:
    return time.monotonic() if _COUNTER is None else time.clock_gettime(_COUNTER)


_SET_TO = time.time() - _counted()


def now() -> float:
    """Return the time: seconds since 1970 by the machine's clock when the server started, and evenly since then."""
    return _SET_TO + _counted()
