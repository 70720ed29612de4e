"""Forced moves: whether everybody can see that a seat has no choice."""

from __future__ import annotations

import hashlib

from quintain.engine.game import Game
from quintain.engine.state import GameState, Record

REDEALS = 16
"""Redeals of what a spectator knows that must agree before everybody can see that a seat has no choice."""


class Forced:
    """Tells whether everybody can see that a seat has no choice, and remembers that as long as they know the same.

    Everybody can if the seat has one legal move in each of 16 redeals of what a spectator knows. The redeals are
    seeded by what the spectator knows, so that the answer tells nothing else.
    """

    def __init__(self, game: Game, book: Record) -> None:
        self.game, self.book = game, book
        self._known: GameState | None = None
        self._answers: dict[int, bool] = {}

    def is_seen_of(self, seat: int, known: GameState) -> bool:
        """Tell whether what a spectator knows leaves a seat one legal move."""
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
