"""The opponents in a vector: levels, bots of your own and policies, of which each game draws one.

Compiled code plays the ones that `Batch` knows by name. For the others the batch asks its caller, and here they answer:
a policy for all its games at once, a bot for one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from quintain.bots import KNIGHT, Bot, Level, Player, level
from quintain.engine.errors import BadBot, BadOption, quoted
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.envs.arguments import OTHERS
from quintain.envs.text import seen_by
from quintain.lab import matches

if TYPE_CHECKING:
    from quintain.envs.batch import Batch, Other

Array = NDArray[Any]
Policy = Callable[[Array, Array], Any]
"""Chooses for M games at once: takes observations (M, W) and masks (M, A), and returns M legal actions."""
Opponent = str | type[Bot] | Policy
"""A level by its name, a bot of your own by its class or as ``package.module:Class``, or a policy."""
CALLER = "caller"


class Opponents:
    """Those of whom each game draws one, by its seed, to play all seats but the learner's. Raises BadOption."""

    def __init__(self, game: Game, given: Opponent | Sequence[Opponent]) -> None:
        self.game = game
        self.is_pool = isinstance(given, list | tuple)
        pool: list[object] = list(given) if isinstance(given, list | tuple) else [given]
        self.all = [_found(each) for each in pool]
        """What plays, in the order of the list; None where compiled code does."""
        self.names = [_name(each) for each in pool]
        self.asked = any(each is not None for each in self.all)
        """Whether any of them answers here."""
        self._players: dict[tuple[int, int], tuple[int, Player]] = {}
        matches.prepare(game, [each for each in self.all if isinstance(each, Level)])

    @property
    def for_batch(self) -> list[Other]:
        """What the batch is told of them."""
        given = [name if each is None else CALLER for name, each in zip(self.names, self.all, strict=True)]
        return cast("list[Other]", given)

    def choose(self, batch: Batch, waiting: Array) -> NDArray[np.int64]:
        """Return an action for each game that waits, (N,) bool, and 0 for the others.

        Raises BadBot if one is not legal, or if somebody's bot fails; what a policy raises goes through.
        """
        actions = np.zeros(batch.games, np.int64)
        for number, each in enumerate(self.all):
            places = np.flatnonzero(waiting & (batch.opponent == number))
            if isinstance(each, Level):
                actions[places] = [self._chosen(batch, each, place) for place in places.tolist()]
            elif each is not None and len(places):
                chosen = each(batch.observation[places], batch.mask[places])
                actions[places] = _checked(self.names[number], batch, places, chosen)
        return actions

    def _chosen(self, batch: Batch, level: Level, place: int) -> int:
        """Return the action of a bot. Each game and seat has a bot of its own, whose seed follows from the game's."""
        seat, seed = int(batch.seat[place]), batch.game_seed(place)
        kept = self._players.get((place, seat))
        if kept is None or kept[0] != seed:
            kept = self._players[place, seat] = seed, Player(level, self.game, rng.mix(seed, seat))
        return kept[1].choose(seen_by(self.game, batch.book, batch.state(place), seat))


def _found(given: object) -> Level | Policy | None:
    """Return the level or the policy that answers here, or None for what compiled code plays; raises BadOption."""
    if isinstance(given, str) and given != CALLER:
        return None if given in OTHERS else level(given)
    if isinstance(given, type) and hasattr(given, "choose"):
        return Level(given.__name__, given, KNIGHT)
    if callable(given) and not isinstance(given, type):
        return cast("Policy", given)
    raise BadOption(
        "an opponent is the name of a level, a class with a method `choose`, or a policy, which takes observations and "
        f"masks and returns actions, not {quoted(given)}"
    )


def _name(given: object) -> str:
    return given if isinstance(given, str) else str(getattr(given, "__name__", type(given).__name__))


def _checked(name: str, batch: Batch, places: Array, chosen: object) -> Array:
    """Return the actions of a policy; raises BadBot if they are not one legal action for each of the places."""
    actions = np.asarray(chosen)
    if actions.dtype.kind not in "iu" or actions.shape != places.shape:
        found = f"{actions.dtype}, {actions.shape}"
        raise BadBot(f"the policy {name} returns whole numbers, ({len(places)},), one for each game, not {found}")
    for place, action in zip(places.tolist(), actions.tolist(), strict=True):
        if not 0 <= action < batch.game.actions or not batch.mask[place, action]:
            legal = np.flatnonzero(batch.mask[place]).tolist()
            seat = batch.seat[place]
            raise BadBot(f"the policy {name} chose {action} for seat {seat} in place {place}; legal are {legal}")
    return actions
