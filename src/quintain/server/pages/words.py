"""Words for pages: times, as lists and cards show them, clocks that count down, and texts that an option offers.

A page is drawn with marks in the places of its clocks, so that it stays the same as long as its viewer sees the same.
When the server sends it, it puts the seconds that are left into each mark: a device counts down from the arrival.
"""

from __future__ import annotations

import math
import re
import time

from quintain.server.clock import now
from quintain.server.tables.table import GRACE

MINUTE, HOUR, DAY = 60, 3600, 86400
HURRY = 10
"""In the last HURRY seconds, and when the time is up, a clock says what happens then."""
MARK = re.compile(r'<time class="clock( rests)?" data-until="(-?[0-9.]+)"></time>')
"""The mark of a clock. One that `rests` is that of an adjourned game, at which no bot plays on."""
STOPWATCH = re.compile(r'<time class="stopwatch" data-begun="([0-9.]+)"></time>')
"""The mark of a clock that counts how long somebody has waited."""
ALL_LEFT = "If everybody has left, the game waits for a day; if nobody comes back, it ends without a result."
ALL_LEFT_RATED = "If everybody has left, the game waits for a day; if nobody comes back, bots play it to its end."
"""What happens at a table with a clock, and at a rated one."""


def seconds_left(until: float | None) -> float | None:
    """Return the seconds until a time, negative after it; None without one."""
    return None if until is None else round(until - now(), 2)


def clock(until: float | None, rests: bool = False) -> str:
    """Return the mark of a clock that runs until a time; empty without one."""
    return "" if until is None else f'<time class="clock{" rests" if rests else ""}" data-until="{until:.3f}"></time>'


def stopwatch(begun: float) -> str:
    """Return the mark of a clock that counts from a time on."""
    return f'<time class="stopwatch" data-begun="{begun:.3f}"></time>'


def with_seconds_left(html: str) -> str:
    """Return a page that is sent now, with the seconds that are left or have passed, and their words, in its clocks."""
    return STOPWATCH.sub(_passed, MARK.sub(_running, html))


def _passed(mark: re.Match[str]) -> str:
    passed = now() - float(mark[1])
    return f'<time class="stopwatch" role="timer" data-passed="{passed:.2f}">for {_span(int(passed))}</time>'


def _running(mark: re.Match[str]) -> str:
    left, rests = float(mark[2]) - now(), mark[1] or ""
    digits, words = clock_words(left, bool(rests))
    is_late = words != "left"
    said = f"<em>hurry</em>{words.removeprefix('hurry')}" if is_late else words
    look = f"clock{rests}{' late' if is_late else ''}"
    return f'<time class="{look}" data-left="{left:.2f}"><b>{digits}</b> <span>{said}</span></time>'


def clock_words(left: float, rests: bool = False) -> tuple[str, str]:
    """Return the digits and the words of a clock with so many seconds left, as `clockWords` in clocks.js does.

    >>> clock_words(41.2), clock_words(8.0)
    (('0:41', 'left'), ('0:08', 'hurry: a bot plays on in 0:38'))
    """
    seconds = math.floor(left + 0.5)
    if rests or seconds > HURRY:
        return _span(seconds), "left"
    return _span(seconds), f"hurry: a bot plays on in {_span(seconds + round(GRACE))}"


def time_left(until: float | None) -> str:
    """Return the time until a time in words; empty without one."""
    return "" if until is None else " ".join(clock_words(until - now()))


def _span(seconds: int) -> str:
    seconds = max(0, seconds)
    if seconds < HOUR:
        return f"{seconds // MINUTE}:{seconds % MINUTE:02}"
    return f"{seconds // HOUR} h {seconds % HOUR // MINUTE} min" if seconds < 2 * DAY else f"{seconds // DAY} days"


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


def ready_text(name: str, text: str) -> dict[str, str]:
    """Return one of the texts that an option offers: its first remark describes it, and may begin with its title."""
    remark = next((line.lstrip("# ") for line in text.splitlines() if line.startswith("#")), "")
    title, _, about = remark.rpartition(": ")
    title = title or name.replace("-", " ").capitalize()
    listed = "\n".join(line for line in text.splitlines() if not line.startswith("#")).strip()
    return {"name": name, "title": title, "about": sentence(about), "text": listed}


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")
