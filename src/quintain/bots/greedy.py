"""The greedy bot: it looks one move ahead, and judges every action by a few random playouts.

`playout` holds the rules that judge an action, which run compiled or interpreted.
"""

import time
from collections.abc import Callable

from quintain.bots.bot import Budget
from quintain.bots.playout import (
    BLINDED,
    GREEDY_PLAYOUTS,
    best_action,
    choose_greedily,
    compiled_greed,
    judge_actions,
    new_workspace,
)
from quintain.engine.rules import rng
from quintain.engine.rules.compiled import Compiled, interpreted, is_warm
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.seen.seen import Seen

PATIENCE = 0.2
"""The most seconds that a choice may take while the rules are not compiled."""


class Greedy:
    """Chooses the action with the highest mean payoff over eight playouts of each.

    It ignores the budget. While the rules are not compiled, it stops after 0.2 seconds, with fewer playouts.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.words = [0] * 4
        rng.seed(self.words, seed)
        self.compiled: Compiled[int] | None = None
        self.judge: Callable[..., None] | None = None

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return the legal action that looks best."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        if self.compiled is None and is_warm(self.game, choose_greedily):
            self.compiled = compiled_greed(self.game)
        if self.compiled is not None:
            return self._choose_compiled(self.compiled, seen)
        return self._choose_interpreted(seen)

    def _choose_compiled(self, choose: Compiled[int], seen: Seen) -> int:
        work = new_workspace(self.game, is_compiled=True)
        work.pool[BLINDED] = self.game.state.array([seen.state])[0]
        work.words[seen.seat] = self.words
        action = choose(self.game.book.array([seen.book])[0], self.game.seats[1], seen.seat, work)
        self.words = list(map(int, work.words[seen.seat]))
        return action

    def _choose_interpreted(self, seen: Seen) -> int:
        work = new_workspace(self.game, is_compiled=False)
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
    """Compile the choice for a game, unless the cache holds it already."""
    seats = game.seats[2]
    book = game.make_book(seats, game.read_options(seats, {}))
    s = game.state()
    rng.seed(s.rng, 0)
    game.rules.deal(book, s)
    seat = seats_in(game.rules.to_act(book, s))[0]
    work = new_workspace(game, is_compiled=True)
    work.pool[BLINDED] = game.state.array([game.blinded(book, s, seat)])[0]
    work.words[seat] = [1] * 4  # a generator of zeros would draw zeros forever
    compiled_greed(game)(game.book.array([book])[0], game.seats[1], seat, work)
