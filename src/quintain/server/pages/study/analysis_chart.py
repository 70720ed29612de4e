"""The chart of an analysis: lines of chances, bars of what cards and moves did, and marks, as numbers for a drawing.

The drawing has squares of 1000 by 1000 that are stretched to their places; letters stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quintain.lab.analysis import Analysis, JudgedStep
from quintain.server.pages.rendering import Context

SIDE = 1000
"""The sides of a square."""
LEFT, RIGHT = 8.0, 98.0
"""Where the squares begin and end, in percent of the width of the drawing."""
TOP, BOTTOM = 6.0, 58.0
"""Where the square of the chances begins and ends, in percent of the height."""
LEAST_BAR = 0.01
"""Bars of less than this share of a win are not drawn."""
MOST_LABELS = 9
MARKS = 5
"""So many of the costliest decisions have a numbered mark."""
ROUND = re.compile(r"\D+ (\d+)")


def chart(
    analysis: Analysis, seat: int, now: int | None, rounds: Sequence[tuple[int, str]], hrefs: Sequence[str]
) -> Context:
    """Return the values of the chart for one seat. `now` is the place of the judged position in sight.

    `rounds` are the steps at which rounds begin, with their words; `hrefs` the addresses of all judged positions.
    """
    steps, places = analysis.steps, max(1, analysis.total)
    lines = [{"seat": seat, "points": _points(_known(analysis, seat), places)}]
    if len(analysis.results) == 2:
        other = 1 - seat
        lines.append({"seat": other, "points": _points([1 - share for share in _known(analysis, other)], places)})
    return {
        "lines": lines,
        "truth": _points(_opened(analysis, seat), places),
        "even": _y(analysis.even),
        "cards": _cards(analysis, seat, places),
        "moves": _moves(analysis, seat, places),
        "marks": [_mark(analysis, each, number, seat) for number, each in enumerate(analysis.worst[:MARKS], 1)],
        "now": None if now is None else _x(now + 0.5, places),
        "touch": [
            {"x": _x(place, places), "width": SIDE / places, "href": href}
            for place, href in zip(range(len(steps)), hrefs, strict=False)
        ],
        "labels": _labels(analysis, rounds),
        "words": _words(analysis, seat),
        "ticks": [_percent_y(share) for share in (1.0, analysis.even, 0.0)],
        "even_words": round(100 * analysis.even),
    }


def _known(analysis: Analysis, seat: int) -> list[float]:
    """Return the chances of a seat by what it knew: before each judged position, and after the last one."""
    if not analysis.steps:
        return []
    last = analysis.steps[-1]
    after = analysis.results[seat] if analysis.is_whole else last.after if last.seat == seat else last.known[seat]
    return [*(step.known[seat] for step in analysis.steps), after]


def _opened(analysis: Analysis, seat: int) -> list[float]:
    if not analysis.steps:
        return []
    after = analysis.results if analysis.is_whole else analysis.steps[-1].opened_after
    return [*(step.opened[seat] for step in analysis.steps), after[seat]]


def _cards(analysis: Analysis, seat: int, places: int) -> list[Context]:
    """Return the bars of what the cards gave a seat, upwards for it, and downwards against it."""
    gave = [each[seat] for each in analysis.cards[1:]]
    most = max((abs(each) for each in gave), default=0) or 1
    return [
        {
            "x": _x(place + 0.1, places),
            "width": 0.8 * SIDE / places,
            "y": SIDE / 2 - max(0, by) / most * SIDE / 2,
            "height": abs(by) / most * SIDE / 2,
            "kind": "for" if by > 0 else "against",
        }
        for place, by in enumerate(gave)
        if abs(by) >= LEAST_BAR
    ]


def _moves(analysis: Analysis, seat: int, places: int) -> list[Context]:
    """Return the bars of what moves gave away: downwards what the seat did, upwards what others did."""
    most = max((step.lost for step in analysis.steps), default=0) or 1
    return [
        {
            "x": _x(place + 0.1, places),
            "width": 0.8 * SIDE / places,
            "y": SIDE / 2 - (0 if step.seat == seat else step.lost / most * SIDE / 2),
            "height": step.lost / most * SIDE / 2,
            "kind": "own" if step.seat == seat else "others",
        }
        for place, step in enumerate(analysis.steps)
        if step.lost
    ]


def _mark(analysis: Analysis, step: JudgedStep, number: int, seat: int) -> Context:
    """Return the mark of a costly decision: above the line for others, and below it for the seat's own."""
    place = analysis.steps.index(step)
    share = step.known[seat]
    away = 9 if step.seat == seat else -9
    y = TOP + (BOTTOM - TOP) * (1 - share) + away
    return {
        "number": number,
        "x": _percent_x((place + 0.5) / max(1, analysis.total)),
        "y": round(min(max(y, 6.0), 62.0), 1),
        "is_wide_only": number > (MARKS + 1) // 2,
    }


def _labels(analysis: Analysis, rounds: Sequence[tuple[int, str]]) -> list[Context]:
    """Return the judged rounds under the chart, at most MOST_LABELS: the first with its word, others as numbers."""
    numbers = [step.number for step in analysis.steps] or [1]
    found = []
    for begins, words in rounds:
        place = sum(number <= begins for number in numbers)
        if place < len(numbers) and words:
            found.append((place, words))
    every = -(-len(found) // MOST_LABELS) or 1
    chosen = found[::every]
    labels = []
    for number, (place, words) in enumerate(chosen):
        short = ROUND.fullmatch(words)
        text = words if number == 0 or not short else short[1]
        labels.append({"x": _percent_x(place / max(1, analysis.total)), "words": text, "is_wide_only": number % 2 == 1})
    return labels


def _words(analysis: Analysis, seat: int) -> str:
    """Return what the line of a seat's chances shows, for those who do not see it."""
    known = _known(analysis, seat)
    if not known:
        return "Nothing is judged yet."
    low, high = min(known), max(known)
    at_low, at_high = known.index(low), known.index(high)

    def when(place: int) -> str:
        return f"at move {analysis.steps[place].number}" if place < len(analysis.steps) else "at the end"

    return (
        f"The chance begins at {known[0]:.0%}, is lowest, {low:.0%}, {when(at_low)}, and highest, {high:.0%}, "
        f"{when(at_high)}."
    )


def _points(shares: Sequence[float], places: int) -> str:
    return " ".join(f"{_x(place, places):.0f},{_y(share):.0f}" for place, share in enumerate(shares))


def _x(place: float, places: int) -> float:
    return round(SIDE * place / places, 1)


def _y(share: float) -> float:
    return round(SIDE * (1 - share), 1)


def _percent_x(part: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * part, 1)


def _percent_y(share: float) -> Context:
    return {"y": round(TOP + (BOTTOM - TOP) * (1 - share), 1), "words": round(100 * share)}
