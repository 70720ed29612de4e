"""Times in words, as lists and cards show them."""

from __future__ import annotations

import time

from quintain.server.clock import now
from quintain.server.tables.table import GRACE

MINUTE, HOUR, DAY = 60, 3600, 86400


def time_left(deadline: float | None) -> str:
    """Return the time until a deadline in words, as `timeLeft` in table.js counts it down; empty without one."""
    if deadline is None:
        return ""
    left = round(deadline - now())
    if left < 0:
        return f"time is up: a bot plays on in {max(0, left + round(GRACE))} s"
    if left < HOUR:
        return f"{left // MINUTE}:{left % MINUTE:02} left"
    return f"{left // HOUR} h {left % HOUR // MINUTE} min left" if left < 2 * DAY else f"{left // DAY} days left"


def day_of(at: float) -> str:
    """Return a day in words, without the year if it is this one."""
    there, today = time.localtime(at), time.localtime(now())
    return f"{there.tm_mday} {time.strftime('%B' if there.tm_year == today.tm_year else '%B %Y', there)}"


def lasted(begun: float | None, ended: float) -> str:
    """Return how long a game took, in words; empty if nobody knows.

    >>> lasted(0.0, 1080.0), lasted(0.0, 3 * 86400.0)
    ('18 min', '3 days')
    """
    if begun is None or ended < begun:
        return ""
    seconds = ended - begun
    if seconds < 90 * MINUTE:
        return f"{max(1, round(seconds / MINUTE))} min"
    return f"{round(seconds / HOUR)} h" if seconds < 2 * DAY else f"{round(seconds / DAY)} days"
