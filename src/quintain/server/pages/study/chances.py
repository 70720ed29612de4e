"""The rows of a list of moves with their chances, as `templates/parts/chances.html` draws them for every page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from quintain.engine.names import capital, with_minus
from quintain.lab.candidates import Candidate
from quintain.server.pages.rendering import Context

NO_REASONS: Mapping[int, str] = {}


def chance_rows(
    candidates: Iterable[Candidate],
    chosen: int | None = None,
    reasons: Mapping[int, str] = NO_REASONS,
    is_best: Callable[[int], bool] | None = None,
) -> list[Context]:
    """Return a row for each judged move, in their order; shares are percentages from 0 to 100.

    `chosen` is the action that was made, `reasons` are sentences by action. `is_best` tells whether an action counts as
    best; without it the first move alone does.
    """
    judged = list(candidates)
    return [
        {
            "action": each.action,
            "name": capital(with_minus(each.text)),
            "share": percent(each.share),
            "low": percent(each.low),
            "high": percent(each.high),
            "tries": each.tries,
            "reason": reasons.get(each.action, ""),
            "is_best": is_best(each.action) if is_best else number == 0,
            "is_chosen": each.action == chosen,
        }
        for number, each in enumerate(judged)
    ]


def percent(share: float) -> float:
    """Return a share as a percentage with one digit, as the widths of the drawing are written.

    >>> percent(0.4567)
    45.7
    """
    return round(100 * share, 1)
