"""The rows of a list of moves with their chances, as `templates/parts/chances.html` draws them for every page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from quintain.engine.names import capital, with_minus
from quintain.lab.candidates import Candidate
from quintain.server.pages.rendering import Context

NOTHING: Mapping[int, str] = {}


def chance_rows(
    candidates: Iterable[Candidate],
    chosen: int | None = None,
    reasons: Mapping[int, str] = NOTHING,
    is_best: Callable[[int], bool] | None = None,
    names: Mapping[int, str] = NOTHING,
) -> list[Context]:
    """Return a row for each judged move, in their order; shares are percentages from 0 to 100.

    `chosen` is the action that was made; `reasons` are sentences by action, `names` shorter words for moves. `is_best`
    tells whether an action counts as best; without it the first move alone does.
    """
    judged = list(candidates)
    return [
        {
            "action": each.action,
            "name": names.get(each.action, capital(with_minus(each.text))),
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


def shortened_names(candidates: Sequence[Candidate]) -> dict[int, str]:
    """Return the names of moves without the words with which all of them begin: their page has said these already.

    A name that would begin with a number keeps them.

    >>> moves = [Candidate(1, "play Artois 5", 0.5, 9), Candidate(2, "play Febrois 1", 0.4, 9)]
    >>> shortened_names(moves)
    {1: 'Artois 5', 2: 'Febrois 1'}
    """
    words = [each.text.split() for each in candidates]
    same = 0
    while len(words) > 1 and all(len(each) > same + 1 and each[: same + 1] == words[0][: same + 1] for each in words):
        same += 1
    if not all(each[same][0].isalpha() for each in words):
        same = 0
    return {one.action: capital(with_minus(" ".join(each[same:]))) for one, each in zip(candidates, words, strict=True)}


def percent(share: float) -> float:
    """Return a share as a percentage with one digit, as the widths of the drawing are written.

    >>> percent(0.4567)
    45.7
    """
    return round(100 * share, 1)


def whole_percent(share: float) -> int:
    """Return a share as a whole percentage, rounded as `parts/chances.html` writes it.

    >>> whole_percent(0.505)
    51
    """
    return math.floor(percent(share) + 0.5)
