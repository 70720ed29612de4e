"""The bot of the level Page: it plays about half of its moves at random, and the others like the greedy bot."""

from quintain.bots.bot import Budget
from quintain.bots.greedy import Greedy
from quintain.bots.random import Random
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen


class Page:
    """Tosses a coin before every move: the random bot or the greedy bot chooses the move."""

    def __init__(self, game: Game, seed: int) -> None:
        self.words = [0] * 4
        rng.seed(self.words, seed)
        self.random, self.greedy = (kind(game, rng.draw(self.words)) for kind in (Random, Greedy))

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return a legal action."""
        player = self.greedy if rng.below(self.words, 2) else self.random
        return player.choose(seen, budget)
