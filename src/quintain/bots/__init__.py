"""Bots: players that choose an action from what their seat sees, and a budget, and nothing else.

This module holds the protocol `Bot`, the levels that people name at the table, and `Player`, through which matches and
the lab ask any bot. `random`, `policy`, `greedy`, `page` and `ismcts` hold the bots; `playout` and `tree` hold the
compiled code that they share.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Protocol, TypeVar

from quintain.engine.errors import BadBot, BadOption
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen

T = TypeVar("T")


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

    It may also have a `note` for the people at the table: a few words without a capital and a full stop, which are
    shown after the bot's name and a colon.
    """

    def __init__(self, game: Game, seed: int) -> None:
        """Make a bot for a game; `seed`, from 0 to 2**63 - 1, decides all its random choices."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return a legal action for a seat that may act, from what it sees; must not change `seen`."""


@dataclass(frozen=True)
class Level:
    """A kind of bot with a budget: what a name such as ``squire`` stands for."""

    name: str
    kind: type[Bot]
    budget: Budget = Budget()


class Player:
    """A bot that plays one game at a level. If somebody else's bot fails, the methods raise BadBot, which names it."""

    def __init__(self, level: Level, game: Game, seed: int) -> None:
        self.level = level
        self.is_own = level.kind.__module__.startswith("quintain.")
        """Whether the bot is one of Quintain's own; any other bot gets copies, for it might change what it is given."""
        self.bot = self._guarded(lambda: level.kind(game, seed))

    def choose(self, seen: Seen) -> int:
        """Return the bot's action for a seat that may act, from what it sees; raises BadBot if it is not legal."""
        given = seen if self.is_own else seen.copied()
        action = self._guarded(lambda: index(self.bot.choose(given, self.level.budget)))
        if action not in seen.legal:
            legal = list(seen.legal)
            raise BadBot(f"the bot {self.level.name} chose the action {action} for seat {seen.seat}; legal are {legal}")
        return action

    @property
    def note(self) -> str:
        """What people should know about the bot now; usually empty."""
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
    """Return the levels by name, the weakest first; they are the same in every game."""
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
    """Return the level of this name; ``package.module:Class`` names somebody's own bot, with a Knight's budget.

    Raises BadOption, which names all levels.
    """
    if ":" in name:
        return Level(name, _own(name), KNIGHT)
    if name not in levels():
        raise BadOption(
            f"there is no bot {name!r}; the bots are {', '.join(levels())}, and your own as package.module:Class"
        )
    return levels()[name]


def _own(name: str) -> type[Bot]:
    module, _, kind = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), kind)
    except (Exception, SystemExit) as error:  # somebody else's module may raise anything
        raise BadOption(f"the bot {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(found, type) or not hasattr(found, "choose"):
        raise BadOption(f"{name!r} is not a bot: a bot is a class with a method `choose(seen, budget)`")
    return found
