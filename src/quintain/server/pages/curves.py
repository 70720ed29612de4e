"""Curves of finished games as numbers for an SVG: the server draws them, so that no script is needed.

The lines lie in a square of 1000 by 1000, which the page stretches. Words have places in percent of the whole picture;
`LEFT`, `RIGHT`, `TOP` and `BOTTOM` say where the square lies in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quintain.engine.names import capital
from quintain.engine.play.story import Curve
from quintain.server.pages.rendering import Context

SQUARE = 1000
LEFT, RIGHT, TOP, BOTTOM = 8.0, 73.0, 6.0, 86.0
"""The edges of the square, in percent."""
MOST_LABELS, MOST_TICKS = 8, 4
APART = 12.0
"""The least distance between two words at the ends of lines, in percent of the height."""
STEPS = (1, 2, 5)
"""The first digits of round numbers."""
LONGEST_NAME = 10
"""The most letters of a name at the end of a line; the plates above the picture have all of it."""


def drawn(curve: Curve, names: Sequence[str]) -> Context | None:
    """Return what the template needs to draw a curve; None if it has no two points."""
    if len(curve.labels) < 2:
        return None
    numbers = [number for line in (*curve.by_seat, *curve.thin) for number in line]
    scale = _Scale(min(0, *numbers), max(1, *numbers), len(curve.labels))
    return {
        "title": f"{capital(curve.unit)}, {curve.over} by {curve.over}",
        "thin_title": curve.thin_unit,
        "square": {"x": f"{LEFT}%", "y": f"{TOP}%", "width": f"{RIGHT - LEFT}%", "height": f"{BOTTOM - TOP}%"},
        "lines": [{"seat": seat, "points": scale.points(line)} for seat, line in enumerate(curve.by_seat)],
        "thin": [{"seat": seat, "points": scale.points(line)} for seat, line in enumerate(curve.thin)],
        "right": f"{RIGHT}%",
        "ticks": [{"y": f"{scale.height(number):.1f}%", "words": str(number)} for number in scale.ticks()],
        "labels": list(_labels(curve, scale)),
        "ends": list(_ends(curve, scale, names)),
        "words": _words(curve, names),
    }


class _Scale:
    """Turns numbers into places."""

    def __init__(self, low: int, high: int, points: int) -> None:
        self.low, self.high, self.gaps = low, high, points - 1

    def height(self, number: int) -> float:
        """Return the height of a number, in percent from the top of the picture."""
        return BOTTOM - (BOTTOM - TOP) * (number - self.low) / (self.high - self.low)

    def across(self, point: int) -> float:
        """Return the place of a point, in percent from the left."""
        return LEFT + (RIGHT - LEFT) * point / self.gaps

    def points(self, line: Sequence[int]) -> str:
        """Return the points of a line in the square."""
        span = self.high - self.low
        return " ".join(
            f"{SQUARE * place / self.gaps:.0f},{SQUARE - SQUARE * (number - self.low) / span:.0f}"
            for place, number in enumerate(line)
        )

    def ticks(self) -> Iterable[int]:
        """Return round numbers, a few of them."""
        span, ten = self.high - self.low, 1
        while True:
            for step in STEPS:
                if span <= step * ten * MOST_TICKS:
                    first = -(-self.low // (step * ten)) * step * ten
                    return range(first, self.high + 1, step * ten)
            ten *= 10


def _labels(curve: Curve, scale: _Scale) -> Iterator[Context]:
    """Yield the labels of some points, the last one among them."""
    last = len(curve.labels) - 1
    every = -(-last // MOST_LABELS)
    for point in range(last % every, last + 1, every):
        yield {"x": f"{scale.across(point):.1f}%", "words": curve.labels[point]}


def _ends(curve: Curve, scale: _Scale, names: Sequence[str]) -> Iterator[Context]:
    """Yield the names and last numbers at the ends of the lines, moved apart."""
    last = [line[-1] for line in curve.by_seat]
    order = sorted(range(len(last)), key=lambda seat: -last[seat])
    lowest, places = BOTTOM + APART / 2, dict[int, float]()
    for above, seat in enumerate(order):
        before = places[order[above - 1]] + APART if above else TOP
        places[seat] = max(scale.height(last[seat]), before)
    for below, seat in enumerate(reversed(order)):
        places[seat] = min(places[seat], lowest - below * APART)
    for seat in order:
        yield {"seat": seat, "y": f"{places[seat]:.1f}%", "words": f"{last[seat]} {_short(names[seat])}"}


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def _words(curve: Curve, names: Sequence[str]) -> str:
    """Return the numbers of all lines in words, for people who cannot see the picture."""
    said = [f"{name} {', '.join(map(str, line))}" for name, line in zip(names, curve.by_seat, strict=True)]
    return f"After {curve.over} {', '.join(curve.labels)}: {'; '.join(said)}"
