"""From what a net says of actions to their chances, and to an action that is drawn by them."""

from __future__ import annotations

import math

from quintain.engine.rules import rng
from quintain.engine.rules.linking import rule
from quintain.engine.rules.state import Cells

FINE = 1 << 30
"""Of how many equal steps a random number between 0 and 1 is one."""
HALVING = math.log(2.0)
NOTHING = -60.0
"""An exponent below which the power counts as 0."""
TERMS = 14
"""How many terms of the series make the power as exact as a float can be."""


@rule
def power_of_e(exponent: float) -> float:
    """Return e to the power of an exponent of at most 0, the same to the bit on every machine.

    The C library has a function for it, but the libraries for Windows and WebAssembly have no C library.
    """
    if exponent < NOTHING:
        return 0.0
    halvings = int(0.5 - exponent / HALVING)
    rest = exponent + halvings * HALVING
    total, term = 1.0, 1.0
    for i in range(1, TERMS):
        term *= rest / i
        total += term
    for _ in range(halvings):
        total *= 0.5
    return total


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
            total += power_of_e(power * (said[action] - most))
    left = total * (rng.below(words, FINE) + 0.5) / FINE
    for action in range(last):
        if mask[action]:
            left -= power_of_e(power * (said[action] - most))
            if left <= 0.0:
                return action
    return last
