"""Choices at the same time: which of the seats that are asked together have made theirs."""

from __future__ import annotations

from quintain.engine.game import Game, seats_in
from quintain.engine.state import GameState, Record


class Together:
    """The seats that choose at the same time, each in secret, and those of them that are `done`.

    They choose on as long as each move takes at most the seat that made it from those that are asked, and the game
    would ask the same others if the first that is done had not yet finished. So a seat that makes several steps is not
    taken for one that goes on by itself when all have chosen.
    """

    def __init__(self, game: Game, book: Record, acting: frozenset[int]) -> None:
        self.game, self.book = game, book
        self.done: frozenset[int] = frozenset()
        self._begin(acting)

    def _begin(self, acting: frozenset[int]) -> None:
        self.seats = acting if len(acting) > 1 else frozenset()
        self.done = frozenset()
        self._unfinished: GameState | None = None
        """The state before the move by which the first seat was done."""
        self._since: list[tuple[int, int]] = []
        """The moves made since then, its own aside."""

    def move(self, seat: int, action: int, before: GameState, acting: frozenset[int]) -> None:
        """Take note of a move, and of the seats that are to act after it."""
        left = self.seats - self.done
        if not acting or seat not in left or acting not in (left, left - {seat}):
            self._begin(acting)
            return
        if self._unfinished is None:
            if seat not in acting:
                self._unfinished, self.done = before, frozenset({seat})
            return
        self._since.append((seat, action))
        if self._asked_without() - self.done - (left - acting) != acting:
            self._begin(acting)
        else:
            self.done = self.seats - acting

    def take_back(self, seat: int) -> None:
        """Forget the last move of a seat."""
        for place in reversed(range(len(self._since))):
            if self._since[place][0] == seat:
                del self._since[place]
                return

    def _asked_without(self) -> frozenset[int]:
        """Return the seats that would be asked now had the first not finished; none if the moves do not fit there."""
        assert self._unfinished is not None
        state, rules = self._unfinished.copy(), self.game.rules
        for seat, action in self._since:
            if action not in self.game.legal_actions(self.book, state, seat):
                return frozenset()
            rules.play(self.book, state, seat, action)
        return frozenset(seats_in(rules.to_act(self.book, state)))
