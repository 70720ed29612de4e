"""Bots: whatever chooses an action from what its seat sees and a budget, and from nothing else."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Protocol, TypeVar

from quintain.engine.errors import BadBot, BadOption
from quintain.engine.game import Game
from quintain.engine.seen import Seen

T = TypeVar("T")


@dataclass(frozen=True)
class Budget:
    """How much a bot may think about one turn: simulations, seconds, or both; None sets no limit. Raises BadOption."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Check that there is time for a thought."""
        if (self.simulations is not None and self.simulations < 1) or (self.seconds is not None and self.seconds <= 0):
            raise BadOption(f"a budget takes at least 1 simulation, and more than 0 seconds, not {self}")


class Bot(Protocol):
    """What a bot is: it is given no more than the seat that it chooses for sees.

    It may have a `note`: what people should know about it now, as the rest of a sentence that begins with its name.
    """

    def __init__(self, game: Game, seed: int) -> None:
        """Make a bot for a game; `seed`, from 0 to 2**63 - 1, settles all its chance."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return a legal action for a seat that may act, from what it sees, and change nothing of that."""


@dataclass(frozen=True)
class Level:
    """A kind of bot, and the budget it plays with: what a name at the table stands for."""

    name: str
    kind: type[Bot]
    budget: Budget = Budget()


class Player:
    """A level that plays a game. What a bot of somebody's own does wrong is a BadBot that names it."""

    def __init__(self, level: Level, game: Game, seed: int) -> None:
        self.level = level
        self.is_own = level.kind.__module__.startswith("quintain.")
        """Whether the bot is one of Quintain's own; another is given copies, for it might change them."""
        self.bot = self._guarded(lambda: level.kind(game, seed))

    def choose(self, seen: Seen) -> int:
        """Return the action of a seat that may act, from what it sees."""
        given = seen if self.is_own else seen.copied()
        action = self._guarded(lambda: index(self.bot.choose(given, self.level.budget)))
        if action not in seen.legal:
            legal = list(seen.legal)
            raise BadBot(f"the bot {self.level.name} chose the action {action} for seat {seen.seat}; legal are {legal}")
        return action

    @property
    def note(self) -> str:
        """What people should know about the bot now; empty for nothing."""
        return self._guarded(lambda: str(getattr(self.bot, "note", "")))

    def _guarded(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except (Exception, SystemExit) as error:
            if self.is_own:
                raise
            raise BadBot(f"the bot {self.level.name} failed: {type(error).__name__}: {error}") from error


SQUIRE = Budget(simulations=200)
KNIGHT = Budget(simulations=5_000, seconds=0.3)
CHAMPION = Budget(simulations=50_000, seconds=1.0)


def levels() -> dict[str, Level]:
    """Return the levels of every game by name, the weakest first."""
    from quintain.bots.greedy import Greedy
    from quintain.bots.ismcts import Ismcts
    from quintain.bots.page import Page
    from quintain.bots.random import Random

    found = (
        Level("random", Random),
        Level("page", Page),
        Level("greedy", Greedy),
        Level("squire", Ismcts, SQUIRE),
        Level("knight", Ismcts, KNIGHT),
        Level("champion", Ismcts, CHAMPION),
    )
    return {level.name: level for level in found}


def level(name: str) -> Level:
    """Return the level of a name, or anyone's own bot for ``package.module:Class``, on a Knight's budget.

    Raises BadOption that names the levels that there are.
    """
    if ":" in name:
        return Level(name, _own(name), KNIGHT)
    if name not in levels():
        raise BadOption(
            f"there is no bot {name!r}; there are {', '.join(levels())}, and your own as package.module:Class"
        )
    return levels()[name]


def _own(name: str) -> type[Bot]:
    module, _, kind = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), kind)
    except (Exception, SystemExit) as error:  # whatever goes wrong in a module of somebody else's
        raise BadOption(f"the bot {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(found, type) or not hasattr(found, "choose"):
        raise BadOption(f"{name!r} is not a bot: it takes a class with a method `choose(seen, budget)`")
    return found
