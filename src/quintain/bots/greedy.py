"""The greedy bot: looks one ply ahead and judges every action by a few playouts of redeals."""

import time
from collections.abc import Callable

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
from quintain.engine.seen import Seen

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
        self.compiled: Compiled[int] | None = None
        self.judge: Callable[..., None] | None = None

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return the action that looks best."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        if self.compiled is None and is_warm(self.game, choose_greedily):
            self.compiled = compiled_greed(self.game)
        if self.compiled is not None:
            return self._choose_compiled(self.compiled, seen)
        return self._choose_interpreted(seen)

    def _choose_compiled(self, choose: Compiled[int], seen: Seen) -> int:
        work = compiled_workspace(self.game)
        work.pool[BLINDED] = self.game.state.array([seen.state])[0]
        work.words[seen.seat] = self.words
        action = choose(self.game.book.array([seen.book])[0], self.game.seats[1], seen.seat, work)
        self.words = list(map(int, work.words[seen.seat]))
        return action

    def _choose_interpreted(self, seen: Seen) -> int:
        work = plain_workspace(self.game)
        work.pool[BLINDED] = seen.state
        work.words[seen.seat] = self.words
        self.judge = self.judge or interpreted(self.game, judge_actions)
        until = time.monotonic() + PATIENCE
        for _ in range(GREEDY_PLAYOUTS):
            self.judge(seen.book, self.game.seats[1], seen.seat, work)
            if time.monotonic() > until:
                break
        return interpreted(self.game, best_action)(work.mask, work.totals, self.words)


def warm_up(game: Game) -> None:
    """See to it that the choice is compiled."""
    seats = game.seats[2]
    book = game.make_book(seats, game.read_options(seats, {}))
    s = game.state()
    rng.seed(s.rng, 0)
    game.rules.deal(book, s)
    seat = seats_in(game.rules.to_act(book, s))[0]
    work = compiled_workspace(game)
    work.pool[BLINDED] = game.state.array([game.blinded(book, s, seat)])[0]
    work.words[seat] = [1] * 4  # a generator of zeros never leaves them
    compiled_greed(game)(game.book.array([book])[0], game.seats[1], seat, work)
