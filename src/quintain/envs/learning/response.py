"""Best responses: how often a net that learned to beat one bot wins against it.

It is a lower bound of how much the bot can be beaten, since a better net might win more often.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quintain.bots import level
from quintain.engine.rules import rng
from quintain.envs.learning import choosers, selfplay
from quintain.envs.learning.training import Training
from quintain.lab.intervals import wilson


@dataclass(frozen=True)
class Response:
    """How often a net won against the bot that it learned to beat, in new games, with itself in each seat by turns."""

    game: str
    bot: str
    seats: int
    begun: str
    """The file of the net that it was at first; empty if it began with nothing."""
    rounds: int
    seconds: float
    """How long it trained."""
    games: int
    share: float
    """The share of wins, from 0 to 1."""
    seed: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, after Wilson."""
        return wilson(self.share, self.games)

    def as_data(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {
            "game": self.game, "bot": self.bot, "seats": self.seats, "begun": self.begun,
            "rounds": self.rounds, "seed": self.seed,
            "seconds": round(self.seconds, 1), "games": self.games, "share": self.share,
            "interval": list(self.interval),
        }  # fmt: skip


def judge(training: Training, games: int) -> Response:
    """Return how often the net of a training with a frozen bot wins against that bot."""
    bot, batch = training.recipe.frozen, training.batches[0]
    seed = rng.mix(training.recipe.seed, 3)
    one = choosers.best_of(training.inputs, training.layers)
    other = choosers.by_level(level(bot), batch, np.random.Generator(np.random.PCG64(seed)))
    share = selfplay.share_of_wins(batch, one, other, games, seed)
    return Response(
        game=training.game.id,
        bot=bot,
        seats=batch.seats,
        begun=training.recipe.begun,
        rounds=training.done,
        seconds=training.seconds,
        games=games,
        share=share,
        seed=training.recipe.seed,
    )
