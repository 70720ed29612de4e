"""What a bot is, and its budget for one turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen


@dataclass(frozen=True)
class Budget:
    """How long a bot may think about one turn: a number of simulations, of seconds, or both; None sets no limit."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Raise BadOption if the budget allows no simulation at all."""
        if (self.simulations is not None and self.simulations < 1) or (self.seconds is not None and self.seconds <= 0):
            raise BadOption(f"a budget takes at least 1 simulation, and more than 0 seconds, not {self}")


class Bot(Protocol):
    """The methods of a bot. A bot gets no more information than its seat has.

    It may also have a `note` for the people at the table: a few words without a capital and a full stop, which the
    table shows after the bot's name and a colon. And it may have `judged`: for each action that its last choice looked
    at, something with `action`, `simulations` and `share`, as `Judgement` has; `quintain dataset` writes them down.
    """

    def __init__(self, game: Game, seed: int) -> None:
        """Make a bot for a game; `seed`, from 0 to 2**63 - 1, decides all its random choices."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return a legal action for a seat that may act, from what it sees; must not change `seen`."""
