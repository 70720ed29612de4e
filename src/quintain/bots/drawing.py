"""Draws an action by the chances that a net gives, sharpened or not, so that nobody learns a bot's habits."""

from __future__ import annotations

import math

from quintain.engine.rules import rng
from quintain.engine.rules.linking import rule
from quintain.engine.rules.state import Cells

FINE = 1 << 30
"""Of how many equal steps a random number between 0 and 1 is one."""


@rule
def drawn_action(mask: Cells[int], said: Cells[float], sharpness: int, words: Cells[int]) -> int:
    """Return a legal action in the mask, drawn by the chances of which `said` holds the logarithms up to a constant.

    The sharpness is in hundredths: with 100 the chances are those of the net, and the greater it is, the more often the
    most probable action wins.
    """
    power = sharpness / 100
    most, last = -math.inf, -1
    for action in range(len(mask)):
        if mask[action]:
            most = max(most, said[action])
            last = action
    total = 0.0
    for action in range(len(mask)):
        if mask[action]:
            total += math.exp(power * (said[action] - most))
    left = total * (rng.below(words, FINE) + 0.5) / FINE
    for action in range(last):
        if mask[action]:
            left -= math.exp(power * (said[action] - most))
            if left <= 0.0:
                return action
    return last
