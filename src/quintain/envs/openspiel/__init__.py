"""Every game for OpenSpiel, with chance nodes, so that OpenSpiel's algorithms run on it.

    import pyspiel
    import quintain.envs.openspiel
    game = pyspiel.load_game("quintain_kings_court")

Importing this module registers all games; `register` adds one from a file. A game's name is ``quintain_`` and its id
with underscores. Its parameters are `seats` and the options of the game: ``quintain_heirless(seats=2,knights=3)``.
Lists are written with semicolons, such as ``garnets=3;1``, and a list of one number with one after it, ``regions=6;``.
An empty text stands for the default, and so does a number below the lowest one allowed.

OpenSpiel sees a sequential game:

- if several seats choose at the same time, the lowest one is asked first, and the others do not learn its choice;
- a move with draws is followed by a chance node for each of them (see `quintain.engine.rules.explicit`);
- a seat with a single legal action is not asked: the adapter plays the action at once.

The information state of a seat is a hash of all that it has seen and chosen, in order. It is equal for two histories
that the seat cannot tell apart, on every machine and in every run. As numbers it is the observation, the seat's last
decisions, and the events since (see `quintain.envs.recall`). States of one game share a `GameTree`.

Of OpenSpiel's algorithms in C++, the bots that search, such as `pyspiel.MCTSBot` and `pyspiel.ISMCTSBot`, do not run on
games that are written in Python, not even on OpenSpiel's own. Those in Python, such as
`open_spiel.python.algorithms.ismcts`, run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quintain.engine.errors import BadGame, BadOption, quoted
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import for_each_game
from quintain.envs.openspiel.available import register_game
from quintain.envs.openspiel.games import SpielGame, name_of, type_of
from quintain.envs.openspiel.tree import registered

__all__ = ["name_of", "register"]


def register(game: Game) -> str:
    """Register a game with OpenSpiel, and return its name there.

    Raises BadGame if it lacks a bound, and BadOption for anything but a game: `register_file` reads one from a file.
    """
    if not isinstance(game, Game):
        raise BadOption(f"register takes a Game, such as quintain.game(ID) or register_file(PATH), not {quoted(game)}")
    for name, bound, of in (
        ("LONGEST", game.longest, "actions of a game"),
        ("OUTCOMES", game.outcomes, "outcomes of a draw"),
    ):
        if bound is None:
            raise BadGame(
                f"OpenSpiel needs a bound that {game.id} does not declare: give its rules {name}, the most {of}"
            )
    name = name_of(game)
    registered[game.id] = game
    register_game(type_of(game), _Maker(game))
    return name


class _Maker:
    """Makes a game from its parameters, whenever OpenSpiel loads it.

    OpenSpiel drops its makers after Python has ended, when no object can be freed any more. This one refers to itself,
    so that it is never freed.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.itself = game, self

    def __call__(self, params: Mapping[str, Any]) -> SpielGame:
        return SpielGame(self.game, params)


def _register_if_bounded(game: Game) -> None:
    if game.longest is not None and game.outcomes is not None:
        register(game)


for_each_game(_register_if_bounded)
