"""Round Table: two to four players recruit Knights and campaign for the Regions of Britain, season by season.

The chapters of the rules are `setting_up`, `spring`, `summer`, `autumn` and `winter`; `rules` joins them. `cards` reads
the cards from data; `effects` carries out their text while they are in play, `triggers` at a moment.
"""

from quintain.engine import Game
from quintain.games.round_table import account, decks, moves, narration, options, puzzles, reasons, rules, story, view

GAME = Game(
    id="round-table",
    title="Round Table",
    version=5,
    seats=(2, 4, 2),
    clauses=36,
    pitch="Bring a deck of Knights, arm them, send them on Quests and capture the Regions of Britain.",
    minutes=(45, 90),
    weight=5,
    rules=rules,
    text=(options, moves, view, narration, reasons, account, decks, story, puzzles),
)
