"""Simultaneous choices: several seats choose at the same time, each in secret. Which of them have finished?

`RunningMatch` reports every move to `SimultaneousChoices`. Its `done` goes into every `Seen`, so that people see for
whom they wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.state import GameState, Record


class SimultaneousChoices:
    """The `seats` that choose at the same time, and those of them that are `done`; both empty if none do.

    The choosing goes on while two conditions hold. First, a move removes no seat from the seats to act but the one that
    made it. Second, the game would ask the same other seats if the first seat that is done had not finished yet: that
    distinguishes a seat that still chooses from a seat whose turn comes when all have chosen.
    """

    def __init__(self, game: Game, book: Record, acting: frozenset[int]) -> None:
        self.game, self.book = game, book
        self.done: frozenset[int] = frozenset()
        self._begin(acting)

    def _begin(self, acting: frozenset[int]) -> None:
        """Begin anew: if several seats are to act, they choose at the same time."""
        self.seats = acting if len(acting) > 1 else frozenset()
        self.done = frozenset()
        self._unfinished: GameState | None = None
        """The state before the move by which the first seat became done; None while no seat is done."""
        self._since: list[tuple[int, int]] = []
        """The seat and the action of each move after that move."""

    def move(self, seat: int, action: int, before: GameState, acting: frozenset[int]) -> bool:
        """Record a move, the state before it, and the seats to act after it; return whether the choosing goes on."""
        left = self.seats - self.done
        if not acting or seat not in left or acting not in (left, left - {seat}):
            self._begin(acting)
            return False
        if self._unfinished is None:
            if seat not in acting:
                self._unfinished, self.done = before, frozenset({seat})
            return True
        self._since.append((seat, action))
        if self._asked_without() - self.done - (left - acting) != acting:
            self._begin(acting)
            return False
        self.done = self.seats - acting
        return True

    def replay(self, moves: Sequence[tuple[int, int, GameState]], now: GameState) -> None:
        """Begin this choice anew with other moves, each with its seat, its action and the state before it."""
        self._begin(self.seats)
        for (seat, action, before), after in zip(moves, [*(state for *_, state in moves[1:]), now], strict=False):
            self.move(seat, action, before, frozenset(seats_in(self.game.rules.to_act(self.book, after))))

    def _asked_without(self) -> frozenset[int]:
        """Return the seats that would be to act had the first seat not finished; none if a move would not be legal."""
        assert self._unfinished is not None
        state, rules = self._unfinished.copy(), self.game.rules
        for seat, action in self._since:
            if action not in self.game.legal_actions(self.book, state, seat):
                return frozenset()
            rules.play(self.book, state, seat, action)
        return frozenset(seats_in(rules.to_act(self.book, state)))
