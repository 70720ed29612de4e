"""The random bot: any legal action, each equally likely."""

from typing import Any

from quintain.bots import Budget
from quintain.engine import rng
from quintain.engine.game import Game


class Random:
    """Chooses any legal action; it needs no budget."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.words = [0] * 4
        rng.seed(self.words, seed)

    def choose(self, book: Any, blinded: Any, seat: int, budget: Budget) -> int:
        """Return a legal action."""
        legal = self.game.legal_actions(book, blinded, seat)
        return legal[rng.below(self.words, len(legal))]
