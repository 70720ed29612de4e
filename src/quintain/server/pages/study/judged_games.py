"""What the last judged games of a player in one game add up to: what their decisions gave away, and what cards gave."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.names import with_minus
from quintain.lab.intervals import mean_and_margin
from quintain.server.model.analyses import JudgedSeat
from quintain.server.pages.contexts import title_of
from quintain.server.pages.rendering import Context

LAST = 50
"""The last judged games that count for a player."""
FEW = 5
"""With fewer judged games than this there are no means."""


def judged_row(game: str, judged: Sequence[JudgedSeat], peers: str = "") -> Context:
    """Return the values for a game of which a player has judged games; `peers` says how others do, or nothing."""
    return {
        "game": game,
        "title": title_of(game),
        "games": len(judged),
        "is_few": len(judged) < FEW,
        "lost": mean([each.lost for each in judged], sign=False),
        "cards": mean([each.cards for each in judged], sign=True),
        "accuracy": _accuracy(judged),
        "peers": peers,
    }


def _accuracy(judged: Sequence[JudgedSeat]) -> int:
    """Return the percentage of decisions that gave nothing away."""
    decisions = sum(each.decisions for each in judged)
    return round(100 * sum(each.free for each in judged) / decisions) if decisions else 100


def mean(shares: Sequence[float], *, sign: bool) -> Context:
    """Return the mean of shares of a win in points, with half the width of its 95 % interval."""
    if len(shares) < 2:
        return {"mean": "", "margin": ""}
    middle, margin = mean_and_margin(shares)
    words = f"{100 * middle:+.0f}" if sign else f"{100 * middle:.0f}"
    return {"mean": with_minus(words), "margin": f"{100 * margin:.0f}"}
