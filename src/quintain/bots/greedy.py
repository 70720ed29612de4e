"""The greedy bot: it looks one move ahead, and judges every action by a few random playouts.

`playout` holds the rules that judge an action, which run compiled or interpreted.
"""

import time
from collections.abc import Callable, Iterator

from quintain.bots.bot import Budget
from quintain.bots.playout import (
    BLINDED,
    GREEDY_PLAYOUTS,
    best_action,
    choose_greedily,
    compiled_greed,
    judge_actions,
    new_workspace,
    one_choice,
)
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import Compiled, Example, interpreted, is_warm, load
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
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
        work.pool[BLINDED] = in_memory(seen.state)
        work.words[seen.seat] = tuple(self.words)
        action = choose(in_memory(seen.book), self.game.seats[1], seen.seat, work)
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


def drivers(game: Game) -> Iterator[Example]:
    """Yield `choose_greedily` for a game."""
    book, seat, work = one_choice(game)
    yield Example(compiled_greed(game), (book, game.seats[1], seat, work))


def warm_up(game: Game) -> None:
    """Compile the choice for a game, unless it is there already."""
    load(drivers(game))
