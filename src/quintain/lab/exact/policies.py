"""Policies over all information sets of a small game: what they are worth, how much a best answer wins, and CFR+.

    tree = positions_of(quintain.game("kings-court"), {"houses": 2, "ranks": 3})
    worst_case(tree, uniform(tree)).mean

A policy is an array with a probability for each action of each information set, as `rows` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from quintain.engine.rules.compiling import memory
from quintain.lab.exact import sweeps
from quintain.lab.exact.positions import WalkedGame

Policy = Any
"""An array of float64 from `quintain.engine.rules.compiling.memory`."""


@dataclass(frozen=True)
class WorstCase:
    """What a policy is worth to each seat if all follow it, and what a best answer to it of each seat is worth.

    The units are those of the environments: with two seats a win is 1, a loss -1 and a draw 0.
    """

    values: tuple[float, ...]
    answers: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """How much more than by the policy itself each seat gets, if it alone answers as well as can be."""
        return tuple(best - usual for best, usual in zip(self.answers, self.values, strict=True))

    @property
    def mean(self) -> float:
        """The mean of these gains over the seats; with two seats OpenSpiel calls it exploitability."""
        return fmean(self.gains)


def zeros(tree: WalkedGame) -> Policy:
    """Return a policy whose probabilities are all 0, to be filled."""
    return memory.zeros("float64", tree.choices)


def rows(tree: WalkedGame) -> Iterator[tuple[int, int]]:
    """Yield for each information set where its actions begin and end in a policy."""
    first: Any = tree.walk.sets.first
    return pairwise(first[: tree.sets + 1])


def uniform(tree: WalkedGame) -> Policy:
    """Return the policy that takes every legal action with the same probability."""
    policy = zeros(tree)
    for first, last in rows(tree):
        for action in range(first, last):
            policy[action] = 1 / (last - first)
    return policy


def worst_case(tree: WalkedGame, policy: Policy) -> WorstCase:
    """Return what a policy is worth, and what best answers to it are worth."""
    values = tuple(worth(tree, policy, seat) for seat in range(tree.seats))
    return WorstCase(values, tuple(best_answer(tree, policy, seat)[0] for seat in range(tree.seats)))


def worth(tree: WalkedGame, policy: Policy, seat: int) -> float:
    """Return what a seat can expect if all follow a policy."""
    w, sweep = tree.walk, _sweep(tree)
    tree.run(sweeps.expect, w.positions, w.sets, tree.nodes, seat, policy, sweep)
    return _of_deal(tree, sweep)


def best_answer(tree: WalkedGame, policy: Policy, seat: int) -> tuple[float, Policy]:
    """Return what a seat can expect by a best answer to the others' policy, and a policy in which it answers so."""
    w, sweep = tree.walk, _sweep(tree)
    tree.run(sweeps.answer, w.positions, w.sets, tree.nodes, tree.sets, seat, policy, sweep)
    answered = type(policy).from_buffer_copy(policy)
    tree.run(sweeps.take_best, w.sets, tree.sets, seat, sweep, answered)
    return _of_deal(tree, sweep), answered


def learned(
    tree: WalkedGame, rounds: Sequence[int], progress: Callable[[int], None] = lambda rounds: None
) -> Iterator[tuple[int, Policy]]:
    """Yield the average policy of CFR+ after each of these numbers of rounds, which must rise.

    In a round every seat learns once. `progress` is called with the number of rounds done.
    """
    w, sweep, policy = tree.walk, _sweep(tree), uniform(tree)
    learning = sweeps.Learning(zeros(tree), zeros(tree))
    for number in range(1, max(rounds, default=0) + 1):
        tree.run(
            sweeps.learn, w.positions, w.sets, tree.nodes, tree.sets, tree.seats, number, number + 1,
            policy, learning, sweep,
        )  # fmt: skip
        progress(number)
        if number in rounds:
            yield number, _average(tree, learning.total)


def _average(tree: WalkedGame, total: Policy) -> Policy:
    """Return the policy that takes actions in proportion to a sum of policies."""
    average = uniform(tree)
    for first, last in rows(tree):
        whole = sum(total[first:last])
        if whole > 0:
            average[first:last] = [each / whole for each in total[first:last]]
    return average


def _of_deal(tree: WalkedGame, sweep: sweeps.Sweep) -> float:
    """Return what the seat of a loop can expect from the deal, in the units of the environments."""
    return tree.least + float(sweep.worth[tree.nodes - 1]) * tree.unit


def _sweep(tree: WalkedGame) -> sweeps.Sweep:
    nodes, choices = tree.nodes, tree.choices
    return sweeps.Sweep(
        reach=memory.zeros("float64", nodes),
        own=memory.zeros("float64", nodes),
        worth=memory.zeros("float64", nodes),
        gain=memory.zeros("float64", choices),
        best=memory.zeros("int32", tree.sets),
    )
