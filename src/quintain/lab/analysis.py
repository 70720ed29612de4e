"""A finished match, searched move by move: what each move gave away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts, Judgement, warm_up
from quintain.engine.documents import Entry
from quintain.engine.match import Match


@dataclass(frozen=True)
class Decision:
    """A move that was played where there was a choice, as a search judges it by what the player could know.

    `number` counts the entries of the match from 1. Moves are in words, shares from 0 to 1.
    """

    number: int
    seat: int
    played: str
    best: str
    judged: Judgement
    best_judged: Judgement

    @property
    def lost(self) -> float:
        """How much of the expected share of wins the move gave away."""
        return max(0.0, self.best_judged.share - self.judged.share)


def analyse(finished: Match, budget: Budget, progress: Callable[[], None] = lambda: None) -> Iterator[Decision]:
    """Yield every decision of a finished match that was not taken back, each searched on its own, in order.

    `progress` is told of every entry of the match. A budget in simulations alone gives the same every time.
    """
    warm_up(finished.game)
    in_effect = set(_in_effect(finished.moves_made))
    entries = enumerate(finished.moves_made, 1)
    for _, before in finished.steps():
        number, entry = next(entries, (0, None))
        if entry and number in in_effect and len(before.moves(entry.seat)) > 1:
            yield _judge(before, number, entry, budget)
        progress()


def _in_effect(entries: list[Entry]) -> list[int]:
    """Return the numbers of the moves that players made and did not take back."""
    numbers: list[int] = []
    for number, entry in enumerate(entries, 1):
        if entry.kind == "undo":
            numbers.pop()
        elif entry.kind == "move":
            numbers.append(number)
    return [number for number in numbers if not entries[number - 1].auto]


def _judge(before: Match, number: int, entry: Entry, budget: Budget) -> Decision:
    seat, blinded = entry.seat, before.blinded(entry.seat)
    words = {move.action: move.text for move in before.moves(seat)}
    found = {one.action: one for one in Ismcts(before.game, number).judge(before.book, blinded, seat, budget)}
    best = max(found.values(), key=lambda one: (one.simulations, one.share))
    action = before.game.text.parse(before.book, blinded, seat, entry.text)
    return Decision(number, seat, words[action], words[best.action], found[action], best)
