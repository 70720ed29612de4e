"""The bot that plays as playouts do: by the game's own policy, or at random in a game without one."""

from typing import Any

from quintain.bots import Budget
from quintain.engine import rng
from quintain.engine.game import Game


class Policy:
    """Chooses each action by the game's policy, whatever the budget."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.words = [0] * 4
        rng.seed(self.words, seed)

    def choose(self, book: Any, blinded: Any, seat: int, budget: Budget) -> int:
        """Return the policy's action."""
        mask = [0] * self.game.actions
        count = self.game.rules.legal(book, blinded, seat, mask)
        return int(self.game.rules.policy(book, blinded, seat, mask, count, self.words))
