"""Who plays the games of a batch: a net, a level, or chance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from quintain.bots import Level, Player
from quintain.bots.shipped_nets import SHARPNESS, Minstrel, has_net, net_for
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.envs.batch import Batch
from quintain.envs.learning import ppo
from quintain.envs.learning.inputs import Inputs, inputs_of_net, layers_of_net
from quintain.envs.text import seen_by
from quintain.lab import matches

Chooser = Callable[[Batch, npt.NDArray[np.bool_]], npt.NDArray[np.int64]]
"""Chooses an action for each game of a batch, of which only those in the places (N,) that it is given count."""


def best_of(inputs: Inputs, layers: ppo.Layers) -> Chooser:
    """Return what chooses the action that a net finds most probable."""

    def choose(batch: Batch, places: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        chosen: npt.NDArray[np.int64] = said(inputs, layers, batch).argmax(axis=1)
        return chosen

    return choose


def drawn_from(inputs: Inputs, layers: ppo.Layers, chance: np.random.Generator, sharpness: float = 1.0) -> Chooser:
    """Return what draws an action by the chances that a net gives, each to the power of `sharpness`."""

    def choose(batch: Batch, places: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        return drawn(said(inputs, layers, batch) * sharpness, chance)

    return choose


def at_random(batch: Batch, places: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Choose any legal action."""
    return batch.sample()


def by_level(level: Level, like: Batch, chance: np.random.Generator) -> Chooser:
    """Return what chooses in games like those of a batch as bots of a level do.

    A Minstrel decides in all games at once, and draws from `chance`. Of others each place and seat has a bot of its
    own, a new one in each game.
    """
    if level.kind is Minstrel and has_net(like.game, like.seats, like.book):
        net = net_for(like.game, like.seats).file
        layers = ppo.as_layers(layers_of_net(net))
        return drawn_from(inputs_of_net(net, like), layers, chance, SHARPNESS / 100)
    return _by_bots(level, like.game)


def _by_bots(level: Level, game: Game) -> Chooser:
    """Return what asks a bot for each action."""
    matches.prepare(game, [level])
    players: dict[tuple[int, int], tuple[int, Player]] = {}

    def choose(batch: Batch, places: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        actions = np.zeros(batch.games, np.int64)
        for place in np.flatnonzero(places).tolist():
            seat, seed = int(batch.seat[place]), batch.game_seed(place)
            kept = players.get((place, seat))
            if kept is None or kept[0] != seed:
                kept = players[place, seat] = seed, Player(level, game, rng.mix(seed, seat))
            actions[place] = kept[1].choose(seen_by(game, batch.book, batch.state(place), seat))
        return actions

    return choose


def drawn(chances: npt.NDArray[np.float32], chance: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return an action for each row of logarithms of chances."""
    noise = -np.log(-np.log(chance.random(chances.shape) * (1 - 2e-12) + 1e-12))
    chosen: npt.NDArray[np.int64] = np.argmax(np.where(chances > ppo.NEVER / 2, chances + noise, -np.inf), axis=1)
    return chosen


def said(inputs: Inputs, layers: ppo.Layers, batch: Batch) -> npt.NDArray[np.float32]:
    """Return the logarithms of the chances that a net gives to all actions, (N, A)."""
    read, offered = inputs.look(batch)
    return np.asarray(ppo.said(layers, inputs.shared, read, batch.mask, offered and offered.padded())[0])
