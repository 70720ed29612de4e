"""Fixtures: the game of the tutorial."""

import pytest

from conformance.cases import tutorial_game
from quintain.bots import greedy
from quintain.engine.rules.game import Game


@pytest.fixture(scope="module")
def goofspiel() -> Game:
    """Register Goofspiel, with the greedy bot compiled: until it is, its choices depend on how busy the machine is."""
    game = tutorial_game()
    greedy.warm_up(game)
    return game
