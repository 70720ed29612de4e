"""The days of puzzles: each begins at midnight UTC, for everybody; and how many a player has solved in a row."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

DAY = 86400.0
SHOWN = 7
"""The days of a streak that a page shows, today included."""
Fate = Literal["solved", "missed", "none", "open", "untried"]
"""What became of a day's puzzle: `none` if there was none, or it was taken back; `open` if it is today's;
`untried` if it was before the player's first one."""


class Streak(NamedTuple):
    """How many puzzles of the day a player has solved in a row, and what became of the last days."""

    days: int
    last: tuple[tuple[datetime.date, Fate], ...]


def day_at(at: float) -> datetime.date:
    """Return the day of a time, by UTC.

    >>> day_at(86399.0), day_at(86400.0)
    (datetime.date(1970, 1, 1), datetime.date(1970, 1, 2))
    """
    return datetime.datetime.fromtimestamp(at, datetime.UTC).date()


def begin_of(day: datetime.date) -> float:
    """Return the time at which a day begins."""
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC).timestamp()


def until_tomorrow(at: float) -> float:
    """Return the seconds until the next day begins."""
    return begin_of(day_at(at)) + DAY - at


def in_hours(seconds: float) -> str:
    """Return a time that is left in words, rounded up to minutes.

    >>> in_hours(18000.0), in_hours(4000.0), in_hours(61.0)
    ('5 h', '1 h 7 min', '2 min')
    """
    minutes = -int(-seconds // 60)
    hours, rest = divmod(minutes, 60)
    return " ".join(words for words in (f"{hours} h" if hours else "", f"{rest} min" if rest else "") if words)


def streak_of(
    solved: Mapping[datetime.date, bool], today: datetime.date, has_puzzle: Callable[[datetime.date], bool]
) -> Streak:
    """Return the streak of a player from the days that they answered, each with whether they were right.

    A day without a puzzle neither breaks a streak nor counts, and today's does not break it while it is open.
    """

    first = min(solved, default=today)

    def fate(day: datetime.date) -> Fate:
        if day < first:
            return "untried"
        if day in solved:
            return "solved" if solved[day] else "missed"
        return "none" if not has_puzzle(day) else "open" if day == today else "missed"

    days, day = 0, today
    while day >= first and (found := fate(day)) != "missed":
        days += found == "solved"
        day -= datetime.timedelta(1)
    shown = [today - datetime.timedelta(back) for back in range(SHOWN - 1, -1, -1)]
    return Streak(days, tuple((each, fate(each)) for each in shown))
