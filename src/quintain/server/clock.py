"""The server's clock: seconds since 1970, which only run forward, at an even pace.

The server sets it once, when it starts. If somebody sets the machine's clock later, no deadline moves and no bot waits
longer. All times in the database and all deadlines come from here.
"""

from __future__ import annotations

import time

_COUNTER = getattr(time, "CLOCK_BOOTTIME", None)
"""The system's counter that also runs while the machine sleeps; None if the system has none."""


def _counted() -> float:
    return time.monotonic() if _COUNTER is None else time.clock_gettime(_COUNTER)


_SET_TO = time.time() - _counted()


def now() -> float:
    """Return the time: seconds since 1970 by the machine's clock when the server started, and evenly since then."""
    return _SET_TO + _counted()
