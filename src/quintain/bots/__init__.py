"""Bots: each chooses an action from what its seat sees and a budget, and gets nothing else.

This module holds the levels that people name at the table, and `Player`, through which matches and the lab ask any bot.
Other packages bring bots and levels of their own, as plug-ins.
`bot` holds the protocol `Bot`; `random`, `policy`, `greedy`, `page`, `ismcts`, `net`, `net_search` and `shipped_nets`
hold the bots; `playout`, `tree` and `net_tree` hold the compiled code that they share.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import TypeVar

from quintain.bots import net, net_search
from quintain.bots.bot import Bot, Budget
from quintain.bots.greedy import Greedy
from quintain.bots.ismcts import Ismcts, Judgement, warm_up
from quintain.bots.page import Page
from quintain.bots.random import Random
from quintain.bots.shipped_nets import Grandmaster, Minstrel, nets_of
from quintain.engine import plugins
from quintain.engine.errors import BadBot, BadOption
from quintain.engine.plugins import Plugin
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen

__all__ = [
    "CHAMPION",
    "KNIGHT",
    "SQUIRE",
    "Bot",
    "Budget",
    "Grandmaster",
    "Greedy",
    "Ismcts",
    "Judgement",
    "Level",
    "Minstrel",
    "Page",
    "Player",
    "Random",
    "level",
    "levels",
    "levels_of",
    "warm_up",
]

T = TypeVar("T")

NO_LIMIT = Budget()
MINSTREL = "minstrel"
"""The level that plays by a net alone."""
NET, NET_SEARCH = "net", "netsearch"
"""What the name of a bot begins with that plays a net, or searches with one; a colon and the net's file follow."""


@dataclass(frozen=True)
class Level:
    """A kind of bot with a budget: what a name such as ``squire`` stands for.

    `about` says in a few words what it is like to play against. `package` is the package that brings it, with its
    version; empty for Quintain's own levels.
    """

    name: str
    kind: type[Bot]
    budget: Budget = NO_LIMIT
    about: str = ""
    package: str = ""


class Player:
    """A bot that plays one game at a level. If somebody else's bot fails, the methods raise BadBot, which names it."""

    def __init__(self, level: Level, game: Game, seed: int) -> None:
        self.level, self.game = level, game
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

    @property
    def judged(self) -> tuple[Judgement, ...]:
        """What the bot's last choice found out about the actions that it looked at; often nothing.

        Raises BadBot if these are no actions of the game.
        """
        found = self._guarded(
            lambda: tuple(
                Judgement(index(one.action), index(one.simulations), float(one.share))
                for one in getattr(self.bot, "judged", ())
            )
        )
        if wrong := [one.action for one in found if not 0 <= one.action < self.game.actions]:
            raise BadBot(f"the bot {self.level.name} judged {wrong}, which are no actions of {self.game.title}")
        return found

    def _guarded(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except (Exception, SystemExit) as error:
            if self.is_own:
                raise
            raise BadBot(f"the bot {self.level.name} failed: {type(error).__name__}: {error}") from error


RESERVED = {"me", "open", "nobody", "anybody", "similar"}
"""Words that stand in the place of a bot where people choose who sits at a table."""
BY_NET = (Minstrel, Grandmaster)
"""The kinds of bots that play by the nets that come with the games."""
SQUIRE = Budget(simulations=200)
"""The budget of the level `squire`."""
KNIGHT = Budget(simulations=5_000, seconds=0.3)
"""The budget of the level `knight`, and of a bot of your own."""
CHAMPION = Budget(simulations=50_000, seconds=1.0)
"""The budget of the level `champion`."""


def levels() -> dict[str, Level]:
    """Return the levels by name: Quintain's own, the weakest first, then those of other packages."""
    plugins.load({"bots": _take})
    return own_levels() | _packaged


def own_levels() -> dict[str, Level]:
    """Return Quintain's own levels by name, the weakest first; they are the same in every game.

    Minstrel does not search: how strong it is, as against the others, differs from game to game.
    """
    found = (
        Level("random", Random, about="plays any move that the rules allow"),
        Level("page", Page, about="a beginner; about every other move is a whim"),
        Level("greedy", Greedy, about="takes what looks best at once, and plans nothing"),
        Level("squire", Ismcts, SQUIRE, "looks ahead a little; good to learn against"),
        Level(MINSTREL, Minstrel, about="has learned the game by playing it, and answers at once"),
        Level("knight", Ismcts, KNIGHT, "looks far ahead; beats most beginners"),
        Level("champion", Ismcts, CHAMPION, "looks very far ahead, and takes a little longer"),
        Level("grandmaster", Grandmaster, CHAMPION, "looks very far ahead, guided by what Minstrel has learned"),
    )
    return {level.name: level for level in found}


def levels_of(game: Game) -> dict[str, Level]:
    """Return the levels that play a game at their strength: without a net of the game, none that play by one."""
    return {name: found for name, found in levels().items() if found.kind not in BY_NET or nets_of(game)}


_packaged: dict[str, Level] = {}


def _take(plugin: Plugin, made: object) -> None:
    """Accept a level of a package, or a bot, which gets a Knight's budget; raises BadBot."""
    if isinstance(made, type):
        made = Level(plugin.name, made, KNIGHT)
    if not (isinstance(made, Level) and isinstance(made.kind, type) and hasattr(made.kind, "choose")):
        raise BadBot(f"{plugin.object} is no bot: give a class with a method `choose(seen, budget)`, or a Level")
    if not isinstance(made.budget, Budget) or not isinstance(made.about, str):
        raise BadBot(f"the level {plugin.object} must have a Budget, and words about it")
    if plugin.name in RESERVED:
        raise BadBot(f"{plugin.name} stands for a person or an empty seat: give the bot another name")
    if plugin.name in own_levels() or plugin.name in _packaged:
        raise BadBot(f"there is a bot {plugin.name} already: give this one another name")
    about = made.about or f"of the package {plugin.package}"
    _packaged[plugin.name] = replace(made, name=plugin.name, about=about, package=plugin.package)


def level(name: str) -> Level:
    """Return the level of this name.

    ``net:FILE`` names a bot that plays the net of a file, ``netsearch:FILE`` one that searches with it, and
    ``package.module:Class`` somebody's own bot, with a Knight's budget. Raises BadOption, which names all levels.
    """
    kind, _, file = name.partition(":")
    if kind in (NET, NET_SEARCH) and not file and ":" in name:
        raise BadOption(f"the bot {name} names no file: write {kind}:FILE.safetensors")
    if kind == NET and file:
        return Level(name, net.bot_of(Path(file)), about="plays by a net, and does not search")
    if kind == NET_SEARCH and file:
        return Level(name, net_search.bot_of(Path(file)), CHAMPION, "searches, and a net guides it")
    if ":" in name:
        return Level(name, _own(name), KNIGHT)
    if name not in levels():
        raise BadOption(
            f"there is no bot {name!r}; the bots are {', '.join(levels())}, "
            "and your own as net:FILE, netsearch:FILE or package.module:Class"
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
