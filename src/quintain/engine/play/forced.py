"""Finds openly forced moves: a seat has one legal move, and every viewer can see that it has no other.

A front end may play such a move at once. If it did so for a move that only the player knows to be forced, the speed of
the move would give a secret away. `RunningMatch` asks `Forced`.
"""

from __future__ import annotations

import hashlib

from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record

REDEALS = 16
"""How many random deals, all fitting what a spectator knows, must leave a seat one legal move."""


class Forced:
    """Finds out whether every viewer can see that a seat has no choice.

    It deals the hidden values of the spectator's state at random, REDEALS times, and looks whether the seat has one
    legal move in each deal. The seed of the deals is a hash of the spectator's state, so the answer gives nothing else
    away. Answers are kept until the spectator's state changes.
    """

    def __init__(self, game: Game, book: Record) -> None:
        self.game, self.book = game, book
        self._known: GameState | None = None
        self._answers: dict[int, bool] = {}

    def is_openly_forced(self, seat: int, known: GameState) -> bool:
        """Tell whether a spectator, whose blinded state is `known`, can see that a seat has only one legal move."""
        if known is not self._known:
            self._known, self._answers = known, {}
        if seat not in self._answers:
            self._answers[seat] = self._has_one_move(seat, known)
        return self._answers[seat]

    def _has_one_move(self, seat: int, known: GameState) -> bool:
        first = int.from_bytes(hashlib.sha256(known.pack()).digest()[:7])
        for number in range(REDEALS):
            world = known.copy()
            self.game.rules.redeal(self.book, world, first + number)
            if len(self.game.legal_actions(self.book, world, seat)) != 1:
                return False
        return True
