"""Bots: whatever chooses an action from a blinded state, its book and a budget, and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from quintain.engine.errors import BadOption
from quintain.engine.game import Game


@dataclass(frozen=True)
class Budget:
    """How much a bot may think about one turn: simulations, seconds, or either of them."""

    simulations: int | None = None
    seconds: float | None = None


class Bot(Protocol):
    """What a bot is: it never sees more than the blinded state of the seat it chooses for."""

    def __init__(self, game: Game, seed: int) -> None:
        """Make a bot for a game; `seed`, from 0 to 2**63 - 1, settles all its chance."""

    def choose(self, book: Any, blinded: Any, seat: int, budget: Budget) -> int:
        """Return a legal action for a seat that may act, from the plain state as that seat may know it."""


def bots() -> dict[str, type[Bot]]:
    """Return every bot, by name."""
    from quintain.bots.greedy import Greedy
    from quintain.bots.random import Random

    return {"random": Random, "greedy": Greedy}


def bot(name: str) -> type[Bot]:
    """Return the bot of a name; raises BadOption that names those that there are."""
    if name not in bots():
        raise BadOption(f"there is no bot {name!r}; there are {', '.join(bots())}")
    return bots()[name]
