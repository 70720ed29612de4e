"""The random bot: it plays any legal action, each equally likely."""

from quintain.bots.bot import Budget
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen


class Random:
    """Chooses a random legal action; it ignores the budget."""

    def __init__(self, game: Game, seed: int) -> None:
        self.words = [0] * 4
        rng.seed(self.words, seed)

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return a legal action."""
        return seen.legal[rng.below(self.words, len(seen.legal))]
