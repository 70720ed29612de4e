"""The bot that plays as playouts do: by the game's own policy, or at random in a game without a policy."""

from quintain.bots.bot import Budget
from quintain.bots.playout import BLINDED, compiled_policy, follow_policy, new_workspace
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import interpreted, is_warm
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen


class Policy:
    """Chooses each action by the game's policy; it ignores the budget."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.words = [0] * 4
        rng.seed(self.words, seed)

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return the policy's action."""
        is_compiled = is_warm(self.game, follow_policy)
        work = new_workspace(self.game, is_compiled=is_compiled)
        work.words[seen.seat] = tuple(self.words) if is_compiled else self.words
        if is_compiled:
            work.pool[BLINDED] = in_memory(seen.state)
            action = compiled_policy(self.game)(in_memory(seen.book), seen.seat, work)
            self.words = list(work.words[seen.seat])
            return action
        work.pool[BLINDED] = seen.state
        return interpreted(self.game, follow_policy)(seen.book, seen.seat, work)
