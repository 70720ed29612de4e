"""Robin in the Hood: two players send characters of the greenwood through the four stages of a tournament.

This file declares the game. `rules.py` is the way in to the rules, `state.py` holds all fields and numbers, and
`rulebook.md` explains the game to players.
"""

from quintain.engine import Game
from quintain.games.robin import (
    account,
    card_numbers,
    cards,
    moves,
    narration,
    options,
    puzzles,
    reasons,
    report,
    rules,
    story,
    view,
)

GAME = Game(
    id="robin",
    title="Robin in the Hood",
    version=1,
    seats=(2, 2, 2),
    clauses=21,
    pitch="Send outlaws and their foes through the four stages of a tournament: the better card moves on.",
    minutes=(15, 30),
    weight=2,
    rules=rules,
    text=(options, moves, view, narration, reasons, account, cards, card_numbers, report, story, puzzles),
)
