"""Heirless battles: two to six players send Knights to camps and castles, and fight over them with face-down cards.

This file declares the game. `rules.py` is the way in to the rules, `state.py` holds all fields and numbers, and
`rulebook.md` explains the game to players.
"""

from quintain.engine import Game
from quintain.games.heirless import (
    account,
    moves,
    narration,
    options,
    puzzles,
    reasons,
    report,
    rules,
    story,
    tables,
    view,
)

GAME = Game(
    id="heirless",
    title="Heirless battles",
    version=3,
    seats=(2, 6, 3),
    clauses=29,
    pitch="Send Knights to camps and castles, fight for them with two cards each, and outgrow your rivals.",
    minutes=(40, 75),
    weight=4,
    rules=rules,
    text=(options, moves, view, narration, reasons, account, tables, report, story, puzzles),
)
