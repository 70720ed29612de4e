"""The server's clock: seconds since 1970, which only run forward, at an even pace.

The server sets it once, when it starts: by the machine's clock, or by that of the database, if several processes share
one, so that all have the same time. If somebody sets the machine's clock later, no deadline moves and no bot waits
longer. All times in the database and all deadlines come from here.
"""

from __future__ import annotations

import time


def _boot_counter() -> int | None:
    """Return the system's counter that also runs while the machine sleeps; None if it has none, as in a browser."""
    counter = getattr(time, "CLOCK_BOOTTIME", None)
    try:
        return None if counter is None or not time.clock_gettime(counter) else counter
    except OSError:
        return None


_COUNTER = _boot_counter()


def _counted() -> float:
    return time.monotonic() if _COUNTER is None else time.clock_gettime(_COUNTER)


_set_to = time.time() - _counted()


def set_clock(time_now: float) -> None:
    """Set the clock: it is now so many seconds since 1970."""
    global _set_to  # noqa: PLW0603 - all of a process has one clock
    _set_to = time_now - _counted()


def now() -> float:
    """Return the time: seconds since 1970 when the server set its clock, and evenly since then."""
    return _set_to + _counted()
