"""Nets for tests: random ones, and ones that know what they want."""

import random
from array import array
from collections.abc import Mapping
from itertools import pairwise

from quintain.bots import net_files
from quintain.engine.rules.game import Game


def random_net(of: Game) -> net_files.NetFile:
    """Return a net of two hidden layers with random weights, which reads every second column."""
    columns = tuple(range(1, of.observation.size, 2))
    chance, sizes = random.Random(1), (len(columns), 24, 16, of.actions + 1)
    layers = tuple(
        array("f", (chance.gauss(0.0, 0.1) for _ in range((inputs + 1) * outputs)))
        for inputs, outputs in pairwise(sizes)
    )
    return net_files.NetFile(columns, sizes, layers, net_files.made_for(of))


def stubborn_net(of: Game, wanted: Mapping[int, float], value: float = 0.0) -> net_files.NetFile:
    """Return a net that says the same of every position: numbers of some actions, 0 of the others, and a value.

    In a game that writes features, it says 0 of every action.
    """
    if of.has_features:
        nothing = array("f", [0.0] * (of.features[1] + 1))
        return net_files.NetFile((0,), (1, 2), (array("f", [0.0, 0.0, 0.0, value]),), net_files.made_for(of), nothing)
    biases = [wanted.get(action, 0.0) for action in range(of.actions)]
    layer = array("f", [*([0.0] * (of.actions + 1)), *biases, value])
    return net_files.NetFile((0,), (1, of.actions + 1), (layer,), net_files.made_for(of))
