"""Forced moves: whether everybody can see that a seat has no choice."""

from __future__ import annotations

import hashlib
from typing import Any

from quintain.engine.game import Game

REDEALS = 16
"""Redeals of what a spectator knows that must agree before everybody can see that a seat has no choice."""


def is_forced_in_every_redeal(game: Game, book: Any, known: Any, seat: int) -> bool:
    """Tell whether a seat has one legal move in each of 16 redeals of what a spectator knows.

    The redeals are seeded by what the spectator knows, so that the answer tells nothing else.
    """
    first = int.from_bytes(hashlib.sha256(known.pack()).digest()[:7])
    for number in range(REDEALS):
        world = known.copy()
        game.rules.redeal(book, world, first + number)
        if len(game.legal_actions(book, world, seat)) != 1:
            return False
    return True
