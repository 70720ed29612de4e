"""Analyses a finished match move by move: finds how much of the expected wins each move gave away.

The search of `bots.ismcts` judges the moves; `luck_and_skill` sums up what decisions and cards did for each player.
`cli.figures` shows the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts, Judgement, warm_up
from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.lab.matches import shares

__all__ = ["Decision", "LuckAndSkill", "analyse", "luck_and_skill"]

CONFIDENCE = 1.96
"""How many standard errors a difference must exceed to count as real: 95 % confidence."""
LEAST_LOSS = 0.02
"""The least share of expected wins that counts as given away, however surely it is known."""


@dataclass(frozen=True)
class Decision:
    """A move of a player who had a choice, judged by a search that knew no more than the player.

    `number` is that of the entry in the match, from 1. `played` and `best` are moves in words, `judged` and
    `best_judged` the judgements on them. If the two moves differ, both are judged by the same number of simulations.
    """

    number: int
    seat: int
    played: str
    best: str
    judged: Judgement
    best_judged: Judgement

    @property
    def lost(self) -> float:
        """The share of expected wins that the move gave away, from 0 to 1; 0 if it is small or within the error."""
        lost = self.best_judged.share - self.judged.share
        error = math.sqrt(sum(one.share * (1 - one.share) / one.simulations for one in (self.judged, self.best_judged)))
        return lost if lost > CONFIDENCE * error and lost >= LEAST_LOSS else 0.0


@dataclass(frozen=True)
class LuckAndSkill:
    """What a player's own decisions, those of the others and the cards did for them, as shares of a win.

    It adds up: `even` + `cards` - `lost` + `gained` = `result`. `even` is the share of each player if all are alike.
    `lost` is what their decisions gave away, `gained` their part of what those of the others did. `cards` is the rest:
    the deal, the draws, and what hidden cards made of good and bad decisions. Of `decisions`, `free` gave nothing away.
    """

    seat: int
    even: float
    cards: float
    lost: float
    gained: float
    result: float
    decisions: int
    free: int


def luck_and_skill(finished: Match, judged: Sequence[Decision]) -> tuple[LuckAndSkill, ...]:
    """Return for each seat what decisions and cards did, from all judged decisions of a finished match.

    What a player gives away, the others gain in equal parts. Raises ValueError for a match that is not over.
    """
    if finished.outcome is None:
        raise ValueError("luck and skill are told apart only when the match is over")
    results = shares(finished.outcome.ranks)
    even, lost = 1 / len(results), [0.0] * len(results)
    for one in judged:
        lost[one.seat] += one.lost
    found = []
    for seat, result in enumerate(results):
        own = [one for one in judged if one.seat == seat]
        gained = sum(lost[:seat] + lost[seat + 1 :]) / max(1, len(results) - 1)
        cards = result - even + lost[seat] - gained
        free = sum(not one.lost for one in own)
        found.append(LuckAndSkill(seat, even, cards, lost[seat], gained, result, len(own), free))
    return tuple(found)


def analyse(finished: Match, simulations: int, progress: Callable[[], None] = lambda: None) -> Iterator[Decision]:
    """Yield every decision of a finished match that was not taken back, in order.

    `simulations` is the number for each search. `progress` is called after each entry of the match.
    """
    warm_up(finished.game)
    in_effect = set(_in_effect(finished.moves_made))
    entries = enumerate(finished.moves_made, 1)
    for _, before in finished.steps():
        number, entry = next(entries, (0, None))
        if entry and number in in_effect and len(before.moves(entry.seat)) > 1:
            yield _judge(before, number, entry, simulations)
        progress()


def _in_effect(entries: list[Entry]) -> list[int]:
    """Return the numbers of the entries that are moves of players and were not taken back."""
    numbers: list[int] = []
    for number, entry in enumerate(entries, 1):
        if entry.kind == "undo":
            numbers.pop()
        elif entry.kind == "move":
            numbers.append(number)
    return [number for number in numbers if not entries[number - 1].auto]


def _judge(before: Match, number: int, entry: Entry, simulations: int) -> Decision:
    """Search for the best move; if another was played, judge both by the same number of simulations."""
    seat, seen = entry.seat, before.seen(entry.seat)
    words = {move.action: move.text for move in seen.moves}
    played = seen.understood(entry.text)
    adviser, budget = Ismcts(before.game, number), Budget(simulations)
    best = max(adviser.judge(seen, budget), key=lambda one: (one.simulations, one.share))
    if best.action == played:
        return Decision(number, seat, words[played], words[played], best, best)
    judged, better = (adviser.judge(seen, budget, only)[0] for only in (played, best.action))
    return Decision(number, seat, words[played], words[best.action], judged, better)
