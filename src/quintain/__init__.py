"""Quintain: medieval card games on one engine.

A program needs no more than the names below: `game` finds a game by its id, `Match` plays one, and every error that a
caller can put right is a `QuintainError`. The folders beside this file hold the engine, the games, the bots, the lab,
the web server, the conformance suite and the command line; docs/house.md is the map.

>>> import quintain
>>> match = quintain.Match.new("kings-court", names=["Ann", "Bo"], options={"garnets": [3, 1]})
>>> [move.text for move in match.moves(0)]
['go first', 'go second']
"""

from quintain.engine.errors import (
    BadBot,
    BadCards,
    BadDeck,
    BadGame,
    BadOption,
    BadRecord,
    CannotUndo,
    IllegalMove,
    QuintainError,
    UnknownGame,
)
from quintain.engine.play.documents import Entry, OtherRules
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game, register, register_file
from quintain.engine.rules.views import Act, Change, Preview
from quintain.engine.seen.moves import Move
from quintain.engine.seen.result import Outcome
from quintain.engine.seen.seen import Seen
from quintain.engine.version import __version__

__all__ = [
    "Act",
    "BadBot",
    "BadCards",
    "BadDeck",
    "BadGame",
    "BadOption",
    "BadRecord",
    "CannotUndo",
    "Change",
    "Entry",
    "Game",
    "IllegalMove",
    "Match",
    "Move",
    "OtherRules",
    "Outcome",
    "Preview",
    "QuintainError",
    "Seen",
    "UnknownGame",
    "__version__",
    "all_games",
    "game",
    "register",
    "register_file",
]
