"""The greedy bot: looks one ply ahead and judges every action by a few playouts of redeals."""

import time
from collections.abc import Callable
from typing import Any

from quintain.bots import Budget
from quintain.bots.playout import (
    BLINDED,
    GREEDY_PLAYOUTS,
    best_action,
    compiled_run,
    compiled_workspace,
    judge_actions,
    plain_workspace,
    run,
)
from quintain.engine import rng
from quintain.engine.compiled import Compiled, interpreted, is_warm
from quintain.engine.game import Game

PATIENCE = 0.2
"""Seconds that a choice may take while the rules are not compiled."""


class Greedy:
    """Chooses the action with the best mean utility over eight playouts of each.

    Its effort is fixed, whatever the budget; while the rules are not compiled it makes as many of the
    playouts as fit into 0.2 seconds.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.words = [0] * 4
        rng.seed(self.words, seed)
        self.run: Compiled | None = None
        self.judge: Callable[..., None] | None = None

    def choose(self, book: Any, blinded: Any, seat: int, budget: Budget) -> int:
        """Return the action that looks best."""
        legal = self.game.legal_actions(book, blinded, seat)
        if len(legal) == 1:
            return legal[0]
        if self.run is None and is_warm(self.game, run):
            self.run = compiled_run(self.game)
        if self.run is not None:
            return self._choose_compiled(self.run, book, blinded, seat)
        return self._choose_interpreted(book, blinded, seat)

    def _choose_compiled(self, run: Compiled, book: Any, blinded: Any, seat: int) -> int:
        import numpy as np

        work = compiled_workspace(self.game)
        work.pool[BLINDED] = self.game.state.array([blinded])[0]
        work.words[seat] = self.words
        record, seats = self.game.book.array([book])[0], self.game.seats[1]
        action = run(record, seats, seat, np.zeros(seats, np.int64), work, 0, 0, np.zeros((0, 0), np.int64))
        self.words = work.words[seat].tolist()
        return int(action)

    def _choose_interpreted(self, book: Any, blinded: Any, seat: int) -> int:
        work = plain_workspace(self.game)
        work.pool[BLINDED] = blinded
        work.words[seat] = self.words
        self.judge = self.judge or interpreted(self.game, judge_actions)
        until = time.monotonic() + PATIENCE
        for _ in range(GREEDY_PLAYOUTS):
            self.judge(book, self.game.seats[1], seat, work)
            if time.monotonic() > until:
                break
        return interpreted(self.game, best_action)(work.mask, work.totals, self.words)
