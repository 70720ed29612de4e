"""Analyses a finished match move by move: finds how much of the expected wins each move gave away.

The search of `bots.ismcts` judges the moves; `cli.figures` and the server show the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts, Judgement, warm_up
from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match

__all__ = ["Decision", "analyse"]

CONFIDENCE = 1.96
"""How many standard errors a difference must exceed to count as real: 95 % confidence."""


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
        """The share of expected wins that the move gave away, from 0 to 1; 0 if it is within the error of judging."""
        lost = self.best_judged.share - self.judged.share
        error = math.sqrt(sum(one.share * (1 - one.share) / one.simulations for one in (self.judged, self.best_judged)))
        return lost if lost > CONFIDENCE * error else 0.0


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
