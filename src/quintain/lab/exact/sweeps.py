"""Loops over all positions of a game, as compiled rules: what policies are worth, best answers to them, and CFR+.

A policy gives each action of each information set a probability; they stand one set after another, as `Sets.first`
says. A loop upwards goes from the ends of the game to the deal, a loop downwards the other way. No loop draws anything.
"""

from __future__ import annotations

from typing import NamedTuple

from quintain.engine.rules.linking import rule
from quintain.engine.rules.state import Cells
from quintain.lab.exact.walk import DEAL, END, Positions, Sets


class Sweep(NamedTuple):
    """The memory of the loops: a number for each position, or for each action of each information set."""

    reach: Cells[float]
    """The probability that chance and the other seats lead to a position, if the seat wants to go there."""
    own: Cells[float]
    """The probability that the seat itself goes there."""
    worth: Cells[float]
    """What the seat can expect from a position."""
    gain: Cells[float]
    """For each action, what it brings, times the probability that the others lead there."""
    best: Cells[int]
    """The place of the best action of each information set."""


class Learning(NamedTuple):
    """What CFR+ knows: the positive regret of each action, and the sum of its probabilities in all rounds."""

    regret: Cells[float]
    total: Cells[float]


@rule
def spread(p: Positions, sets: Sets, nodes: int, seat: int, policy: Cells[float], sweep: Sweep) -> None:
    """Write how likely each position is reached: by chance and the other seats, and by the seat itself."""
    reach, own = sweep.reach, sweep.own
    for node in range(nodes):
        reach[node] = 0.0
    reach[nodes - 1] = 1.0
    own[nodes - 1] = 1.0
    for back in range(nodes):
        node = nodes - 1 - back
        actor = p.seat[node]
        for edge in range(p.first[node], p.first[node + 1]):
            chance = 1.0 if actor == DEAL else policy[sets.first[p.set[node]] + p.place[edge]]
            child = p.child[edge]
            reach[child] += reach[node] * p.weight[edge] * (1.0 if actor == seat else chance)
            own[child] = own[node] * (chance if actor == seat else 1.0)


@rule
def expect(p: Positions, sets: Sets, nodes: int, seat: int, policy: Cells[float], sweep: Sweep) -> None:
    """Write what a seat can expect from each position if all follow the policy; the deal is the last position."""
    worth = sweep.worth
    for node in range(nodes):
        actor = p.seat[node]
        if actor == END:
            worth[node] = p.worth[node][seat]
        else:
            total = 0.0
            for edge in range(p.first[node], p.first[node + 1]):
                chance = 1.0 if actor == DEAL else policy[sets.first[p.set[node]] + p.place[edge]]
                total += chance * p.weight[edge] * worth[p.child[edge]]
            worth[node] = total


@rule
def answer(p: Positions, sets: Sets, nodes: int, count: int, seat: int, policy: Cells[float], sweep: Sweep) -> None:
    """Find the best answer of a seat to what the others do by the policy, and what the seat can then expect.

    The last choices of the seat come first: what they bring decides the choices before them.
    """
    spread(p, sets, nodes, seat, policy, sweep)
    for node in range(nodes):
        if p.seat[node] == END:
            sweep.worth[node] = p.worth[node][seat]
    most = 0
    for number in range(count):
        if sets.seat[number] == seat:
            most = max(most, sets.level[number])
        for action in range(sets.first[number], sets.first[number + 1]):
            sweep.gain[action] = 0.0
    for back in range(most + 2):
        level = most + 1 - back
        gather(p, sets, nodes, seat, level, sweep)
        choose_best(sets, count, seat, level, sweep)
        lift(p, sets, nodes, seat, level, policy, sweep)


@rule
def gather(p: Positions, sets: Sets, nodes: int, seat: int, level: int, sweep: Sweep) -> None:
    """Add up what each action brings in the information sets where the seat has chosen `level` times."""
    for node in range(nodes):
        if p.seat[node] == seat and p.level[node][seat] == level:
            first = sets.first[p.set[node]]
            for edge in range(p.first[node], p.first[node + 1]):
                value = p.weight[edge] * sweep.worth[p.child[edge]]
                sweep.gain[first + p.place[edge]] += sweep.reach[node] * value


@rule
def choose_best(sets: Sets, count: int, seat: int, level: int, sweep: Sweep) -> None:
    """Choose the action that brings most in each of these sets."""
    for number in range(count):
        if sets.seat[number] == seat and sets.level[number] == level:
            best = sets.first[number]
            for action in range(sets.first[number], sets.first[number + 1]):
                if sweep.gain[action] > sweep.gain[best]:
                    best = action
            sweep.best[number] = best - sets.first[number]


@rule
def lift(p: Positions, sets: Sets, nodes: int, seat: int, level: int, policy: Cells[float], sweep: Sweep) -> None:
    """Write what the seat can expect from the positions where it has chosen `level` times."""
    worth = sweep.worth
    for node in range(nodes):
        actor = p.seat[node]
        if actor != END and p.level[node][seat] == level:
            total = 0.0
            for edge in range(p.first[node], p.first[node + 1]):
                place = p.place[edge]
                if actor == seat:
                    chance = 1.0 if place == sweep.best[p.set[node]] else 0.0
                else:
                    chance = 1.0 if actor == DEAL else policy[sets.first[p.set[node]] + place]
                total += chance * p.weight[edge] * worth[p.child[edge]]
            worth[node] = total


@rule
def take_best(sets: Sets, count: int, seat: int, sweep: Sweep, policy: Cells[float]) -> None:
    """Write the best answer of a seat into a policy."""
    for number in range(count):
        if sets.seat[number] == seat:
            for action in range(sets.first[number], sets.first[number + 1]):
                policy[action] = 0.0
            policy[sets.first[number] + sweep.best[number]] = 1.0


@rule
def learn(
    p: Positions, sets: Sets, nodes: int, count: int, seats: int, first: int, last: int,
    policy: Cells[float], learning: Learning, sweep: Sweep,
) -> None:  # fmt: skip
    """Do rounds of CFR+ (Tammelin 2014), numbered from `first` from 1 to `last` - 1; the policy is that of the next.

    The seats learn in turns, and the round of a number counts that many times in the average.
    """
    for number in range(first, last):
        for seat in range(seats):
            spread(p, sets, nodes, seat, policy, sweep)
            expect(p, sets, nodes, seat, policy, sweep)
            regret(p, sets, nodes, seat, number, policy, learning, sweep)
            match_regret(sets, count, seat, policy, learning, sweep)


@rule
def regret(
    p: Positions, sets: Sets, nodes: int, seat: int, number: int, policy: Cells[float], learning: Learning, sweep: Sweep
) -> None:
    """Add what each action would have brought beyond the policy, and how likely the policy takes it."""
    for back in range(nodes):
        node = nodes - 1 - back
        if p.seat[node] == seat:
            first = sets.first[p.set[node]]
            last = sets.first[p.set[node] + 1]
            for edge in range(p.first[node], p.first[node + 1]):
                value = sweep.reach[node] * p.weight[edge] * sweep.worth[p.child[edge]]
                learning.regret[first + p.place[edge]] += value
            for action in range(first, last):
                learning.regret[action] -= sweep.reach[node] * sweep.worth[node]
                sweep.gain[action] = number * sweep.own[node] * policy[action]


@rule
def match_regret(sets: Sets, count: int, seat: int, policy: Cells[float], learning: Learning, sweep: Sweep) -> None:
    """Forget negative regrets, and make the policy of a seat follow the positive ones."""
    for number in range(count):
        if sets.seat[number] == seat:
            first, last = sets.first[number], sets.first[number + 1]
            total = 0.0
            for action in range(first, last):
                learning.total[action] += sweep.gain[action]
                learning.regret[action] = max(learning.regret[action], 0.0)
                total += learning.regret[action]
            for action in range(first, last):
                policy[action] = learning.regret[action] / total if total > 0.0 else 1.0 / (last - first)
