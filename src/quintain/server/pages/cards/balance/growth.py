"""The growing lines of a trial as numbers for a drawing: the share before and now, each with the band of its interval.

The drawing has a square of 1000 by 1000 that is stretched to its place; letters stay as they are. Games stand at the
square root of their number, since bands narrow with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from quintain.server.pages.cards.balance.sentences import how_many
from quintain.server.pages.rendering import Context
from quintain.server.workshop.trial_work import Point

SIDE = 1000
"""The sides of the square."""
LEFT, RIGHT, TOP, BOTTOM = 9.0, 99.0, 5.0, 84.0
"""Where the square begins and ends, in percent of the width and the height of the drawing."""
LATE = 0.35
"""Bands of less than this part of the games so far do not widen the drawing."""
MARKS = (100, 500, 1000, 2000, 5000)
"""The numbers of games that stand below."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
MOST_TICKS = 4
Bounds = tuple[float, float, float]


class _GrowthScale:
    """Where games and values stand in the square: `unit` is what a tick counts in, a hundredth for shares."""

    def __init__(self, low: float, high: float, most: int, unit: float):
        step = next((step for step in STEPS if (high - low) / unit / step <= MOST_TICKS), STEPS[-1])
        self.low, self.high = (math.floor(low / unit / step) * step, math.ceil(high / unit / step) * step)
        self.most, self.unit = most, unit
        self.ticks = range(self.low, self.high + 1, step)

    def x(self, games: int) -> float:
        """Return where games stand, from left to right."""
        return round(SIDE * math.sqrt(games / self.most), 1)

    def y(self, value: float) -> float:
        """Return where a value stands, from the top down; what is beyond the square stands at its edge."""
        inside = min(max(value / self.unit, self.low), self.high)
        return round(SIDE * (1 - (inside - self.low) / ((self.high - self.low) or 1)), 1)

    def side(self, there: Sequence[tuple[int, Bounds]]) -> Context:
        """Return the line of one side, and the outline of its band; a single point is drawn as a short line."""
        if len(there) == 1:
            ((games, bounds),) = there
            there = [(games - games // 10, bounds), (games, bounds)]
        upper = [f"{self.x(games)},{self.y(high)}" for games, (_, _, high) in there]
        lower = [f"{self.x(games)},{self.y(low)}" for games, (_, low, _) in reversed(there)]
        middle = [f"{self.x(games)},{self.y(value)}" for games, (value, _, _) in there]
        return {"band": " ".join(upper + lower), "line": " ".join(middle)}

    def mark(self, games: int) -> Context:
        """Return a number of games below the square."""
        x = LEFT + (RIGHT - LEFT) * self.x(games) / SIDE
        return {"x": round(x, 1), "words": f"{games:,}", "is_last": games == self.most}


def growth(line: Sequence[Point], most: int, even: float | None, is_share: bool) -> Context | None:
    """Return the drawing of a line, of which `most` games are planned; None without points.

    `even` is the even share, or None where nothing is even.
    """
    if not line:
        return None
    scale = _GrowthScale(*_range(line, even), most, 0.01 if is_share else 1.0)
    return {
        "before": scale.side([(games, before) for games, before, _ in line if before]),
        "now": scale.side([(games, now) for games, _, now in line if now]),
        "games": how_many(line[-1][0], "game"),
        "cursor": scale.x(line[-1][0]),
        "even": None if even is None else scale.y(even),
        "ticks": [{"y": _percent_y(scale.y(tick * scale.unit)), "words": tick} for tick in scale.ticks],
        "marks": [scale.mark(mark) for mark in sorted({*(mark for mark in MARKS if mark <= 0.6 * most), most})],
    }


def _range(line: Sequence[Point], even: float | None) -> tuple[float, float]:
    """Return the lowest and the highest value that the drawing must show."""
    late = [point for point in line if point[0] >= LATE * line[-1][0]]
    ends = [bound for _, *sides in late for bounds in sides if bounds for bound in bounds[1:]]
    ends += [] if even is None else [even * 0.9, even * 1.1]
    return min(_finite(ends), default=0.0), max(_finite(ends), default=1.0)


def _finite(numbers: Iterable[float]) -> list[float]:
    return [number for number in numbers if math.isfinite(number)]


def _percent_y(place: float) -> float:
    return round(TOP + (BOTTOM - TOP) * place / SIDE, 1)
