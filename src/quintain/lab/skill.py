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
LEAST = 1e-9
"""Information that each bot has anyway, so that bots who never met stand somewhere."""
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

    Intervals come from the information of the games about the differences to the weakest. The first bot stands at 0
    while the others are reckoned. The sums are small, and a server without numpy needs them, too.
    """
    if not pairings:
        return []
    bots = list(dict.fromkeys(name for each in pairings for name in (each.name, each.other)))
    place, every = {bot: number for number, bot in enumerate(bots)}, range(len(bots))
    won = [[0.0] * len(bots) for _ in bots]
    for each in pairings:
        one, other = place[each.name], place[each.other]
        won[one][other] += each.share * each.games + PRIOR
        won[other][one] += (1 - each.share) * each.games + PRIOR
    games = [[won[i][j] + won[j][i] for j in every] for i in every]
    strength, covariance = [0.0] * len(bots), list[list[float]]()
    for _ in range(STEPS):
        expected = [[1 / (1 + math.exp(strength[j] - strength[i])) for j in every] for i in every]
        slope = [sum(won[i][j] - games[i][j] * expected[i][j] for j in every) for i in every]
        weight = [[games[i][j] * expected[i][j] * (1 - expected[i][j]) for j in every] for i in every]
        information = [[(i == j) * (sum(weight[i]) + LEAST) - weight[i][j] for j in every[1:]] for i in every[1:]]
        covariance = [[0.0] * len(bots), *([0.0, *row] for row in inverse(information))]
        step = [sum(part * by for part, by in zip(row, slope, strict=True)) for row in covariance]
        strength = [at + by for at, by in zip(strength, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    least = min(every, key=strength.__getitem__)
    found = []
    for bot, i in place.items():
        variance = covariance[i][i] + covariance[least][least] - 2 * covariance[i][least]
        points, error = (strength[i] - strength[least]) * POINTS, math.sqrt(max(0.0, variance)) * POINTS
        found.append(Strength(bot, points, (points - SURE * error, points + SURE * error)))
    return sorted(found, key=lambda one: -one.points)


def inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix (Gauss and Jordan).

    >>> inverse([[2.0, 0.0], [0.0, 4.0]])
    [[0.5, 0.0], [0.0, 0.25]]
    """
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [value - rows[j][i] * by for value, by in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
