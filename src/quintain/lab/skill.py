"""How much skill counts in a game: the levels of the bots on one scale of strength, in Elo points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quintain.lab.intervals import SURE
from quintain.lab.pairings import Pairing

__all__ = ["Strength", "strengths"]

POINTS = 400 / math.log(10)
"""Elo points for each unit of the logistic scale: a player 400 points ahead wins ten times as often as the other."""
PRIOR = 0.5
"""Games that each pairing is taken to have won and lost beyond its own, so that 100 % gives a finite difference."""
STEPS = 100
"""The most steps to the estimate; some ten are usual."""


@dataclass(frozen=True)
class Strength:
    """The strength of a bot in Elo points above the weakest, with its 95 % interval against that bot."""

    bot: str
    points: float
    interval: tuple[float, float]


def strengths(pairings: Sequence[Pairing]) -> list[Strength]:
    """Return the strength of every bot, the strongest first (Bradley and Terry 1952, by Newton's method).

    Intervals come from the information of the games about the differences to the weakest.
    """
    import numpy as np

    bots = list(dict.fromkeys(name for each in pairings for name in (each.name, each.other)))
    place = {bot: number for number, bot in enumerate(bots)}
    won = np.zeros((len(bots), len(bots)))
    for each in pairings:
        one, other = place[each.name], place[each.other]
        won[one, other] += each.share * each.games + PRIOR
        won[other, one] += (1 - each.share) * each.games + PRIOR
    games, strength = won + won.T, np.zeros(len(bots))
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.lstsq(information, slope, rcond=None)[0]
        strength = strength + step
        if np.abs(step).max() < 1e-9:
            break
    covariance = np.linalg.pinv(information)
    least = int(strength.argmin())
    found = []
    for bot, number in place.items():
        variance = covariance[number, number] + covariance[least, least] - 2 * covariance[number, least]
        points, error = (strength[number] - strength[least]) * POINTS, math.sqrt(max(0.0, variance)) * POINTS
        found.append(Strength(bot, float(points), (float(points - SURE * error), float(points + SURE * error))))
    return sorted(found, key=lambda one: -one.points)
