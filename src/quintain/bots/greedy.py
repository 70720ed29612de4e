"""The greedy bot: looks one ply ahead and judges every action by a few playouts of redeals."""

import time
from collections.abc import Callable
from typing import Any

from quintain.bots import Budget
from quintain.bots.playout import (
    BLINDED,
    GREEDY_PLAYOUTS,
    best_action,
    choose_greedily,
    compiled_greed,
    compiled_workspace,
    judge_actions,
    plain_workspace,
)
from quintain.engine import rng
from quintain.engine.compiled import Compiled, interpreted, is_warm
from quintain.engine.game import Game, seats_in

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
        self.compiled: Compiled | None = None
        self.judge: Callable[..., None] | None = None

    def choose(self, book: Any, blinded: Any, seat: int, budget: Budget) -> int:
        """Return the action that looks best."""
        legal = self.game.legal_actions(book, blinded, seat)
        if len(legal) == 1:
            return legal[0]
        if self.compiled is None and is_warm(self.game, choose_greedily):
            self.compiled = compiled_greed(self.game)
        if self.compiled is not None:
            return self._choose_compiled(self.compiled, book, blinded, seat)
        return self._choose_interpreted(book, blinded, seat)

    def _choose_compiled(self, choose: Compiled, book: Any, blinded: Any, seat: int) -> int:
        work = compiled_workspace(self.game)
        work.pool[BLINDED] = self.game.state.array([blinded])[0]
        work.words[seat] = self.words
        action = choose(self.game.book.array([book])[0], self.game.seats[1], seat, work)
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


def warm_up(game: Game) -> None:
    """See to it that the choice is compiled."""
    seats = game.seats[2]
    book: Any = game.make_book(seats, game.read_options(seats, {}))
    s: Any = game.state()
    rng.seed(s.rng, 0)
    game.rules.deal(book, s)
    seat = seats_in(game.rules.to_act(book, s))[0]
    work = compiled_workspace(game)
    work.pool[BLINDED] = game.state.array([game.blinded(book, s, seat)])[0]
    work.words[seat] = 1  # a generator of zeros never leaves them
    compiled_greed(game)(game.book.array([book])[0], game.seats[1], seat, work)
