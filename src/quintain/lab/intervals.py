"""Confidence intervals for shares of games."""

import math
import statistics
from collections.abc import Sequence

CONFIDENCE = 0.95
SURE = 1.96
"""Standard errors on each side of a 95 % interval."""
LEAST = 20
"""The games from which there is a verdict."""


def wilson(share: float, games: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the bounds of the confidence interval for a share of games, from 0 to 1 (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson(0.97, 400)]
    [0.948, 0.983]
    """
    return wilson_within(share, games, statistics.NormalDist().inv_cdf((1 + confidence) / 2))


def wilson_within(share: float, games: float, errors: float) -> tuple[float, float]:
    """Return the bounds of Wilson's interval that leaves out what is more than `errors` standard errors away."""
    squared = errors * errors
    centre = share + squared / (2 * games)
    margin = errors * math.sqrt(share * (1 - share) / games + squared / (4 * games * games))
    scale = 1 + squared / games
    return (centre - margin) / scale, (centre + margin) / scale


def interval_words(bounds: tuple[float, float]) -> str:
    """Return an interval of shares in words."""
    return f"{bounds[0]:.1%} to {bounds[1]:.1%}"


def mean_and_margin(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of at least two numbers, and half the width of its 95 % interval.

    >>> [round(each, 2) for each in mean_and_margin([0.0, 1.0, 0.0, 1.0])]
    [0.5, 0.57]
    """
    return statistics.fmean(numbers), SURE * statistics.stdev(numbers) / math.sqrt(len(numbers))
