"""The bot that plays as playouts do: by the game's own policy, or at random in a game without a policy."""

from quintain.bots.bot import Budget
from quintain.engine.rules import rng
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
        mask = [0] * self.game.actions
        for action in seen.legal:
            mask[action] = 1
        return int(self.game.rules.policy(seen.book, seen.state, seen.seat, mask, len(seen.legal), self.words))
