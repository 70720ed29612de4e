"""The bot that searches with a net: what the net says guides the search, and takes the place of playouts.

Its search is compiled before its first game, unless the cache holds it. Where nothing can be compiled, it searches as
`ismcts` does, without the net, and says so.
"""

from __future__ import annotations

import math
from pathlib import Path

from quintain.bots import net, net_tree
from quintain.bots.bot import Budget
from quintain.bots.ismcts import MOST_SIMULATIONS, TREES, Ismcts, Turn, divided
from quintain.bots.net import Net
from quintain.bots.net_tree import compiled_search_by_net, new_net_tree, search_by_net
from quintain.bots.tree import Tree
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import REMEDY, can_compile, is_warm, load
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen


class NetSearch(Ismcts, metaclass=net.NetKind):
    """Plays the action that a search guided by a net tried most often. `bot_of` makes one from a file."""

    net: type[Net]

    def __init__(self, game: Game, seed: int, threads: int | None = None) -> None:
        super().__init__(game, seed, threads)
        self.seed = seed
        self._advisers: dict[int, list[Net]] = {}
        self._ready_net()

    def _ready_net(self) -> None:
        """Compile the search with a net, and check that the net is for this game; raises BadOption."""
        if can_compile():
            load(net_tree.drivers(self.game))
        self.advisers(self.game.seats[2])

    def advisers(self, seats: int) -> list[Net]:
        """Return a bot with the net for each tree of a turn; raises BadOption if there is no net for these seats."""
        if seats not in self._advisers:
            self._advisers[seats] = [self.net_for(seats)(self.game, self.seed) for _ in range(TREES)]
        return self._advisers[seats]

    def net_for(self, seats: int) -> type[Net]:
        """Return the class of the bots whose net is asked at a table with so many seats."""
        return self.net

    @property
    def note(self) -> str:
        """What people should know about this bot now; empty when it searches with its net."""
        if is_warm(self.game, search_by_net):
            return ""
        return f"its search with a net is not compiled, so it searches without one. {REMEDY}".rstrip()

    def _begin(self, seen: Seen, budget: Budget) -> Turn:
        """Return a new turn whose trees ask the net, if that search is compiled."""
        if not is_warm(self.game, search_by_net):
            return super()._begin(seen, budget)
        run, given, seats = compiled_search_by_net(self.game), in_memory(seen.book), self.game.seats_of(seen.book)
        simulations = min(MOST_SIMULATIONS, budget.simulations or MOST_SIMULATIONS)
        left = divided(simulations)
        asked = [
            new_net_tree(self.game, adviser.memory_for(seen.book, is_compiled=True), room, rng.draw(self.words))
            for adviser, room in zip(self.advisers(seats), left, strict=False)
        ]
        whole = {id(each.tree): each for each in asked}

        def grow(tree: Tree, simulations: int) -> None:
            run(given, seats, seen.seat, whole[id(tree)], simulations)

        seconds = math.inf if budget.seconds is None else budget.seconds
        return Turn(seen.seat, seen.book, [each.tree for each in asked], left, seconds, grow, seen.state.events_made)


def bot_of(path: Path) -> type[NetSearch]:
    """Return the class of the bots that search with the net of a file; raises BadOption if the file holds none."""
    return _class_of(net.bot_of(path))


def _class_of(of: type[net.Net]) -> type[NetSearch]:
    """Return the class of the bots that search with the net of other bots."""
    return type("NetSearch", (NetSearch,), {"net": of, "made_by": (_class_of, (of,)), "__module__": __name__})
