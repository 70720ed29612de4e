"""Quintain: medieval card games, on one engine.

>>> import quintain
>>> match = quintain.Match.new("kings-court", names=["Ann", "Bo"], options={"garnets": [3, 1]})
>>> [move.text for move in match.moves(0)]
['go first', 'go second']
"""

import quintain.games  # first, for the function `games` takes over the attribute of this name
from quintain.engine.errors import (
    BadGame,
    BadOption,
    BadRecord,
    CannotUndo,
    IllegalMove,
    QuintainError,
    UnknownGame,
)
from quintain.engine.game import Game, game, games, register
from quintain.engine.match import Match

__all__ = [
    "BadGame",
    "BadOption",
    "BadRecord",
    "CannotUndo",
    "Game",
    "IllegalMove",
    "Match",
    "QuintainError",
    "UnknownGame",
    "game",
    "games",
    "register",
]
