"""Rune War, for two to five players: defend a pyramid of face-down tarot cards, and attack those of the others.

`state` holds the numbers and the state. `rules` is the contract with the engine; the chapters of the rules are `shape`
(defences), `turns`, `battle`, `points` and `runes`. `secrecy` says what players may not see. The other modules hold the
words for people.
"""

from quintain.engine import Game
from quintain.games.rune_war import account, cards, moves, narration, options, puzzles, reasons, rules, story, view

GAME = Game(
    id="rune-war",
    title="Rune War",
    version=1,
    seats=(2, 5, 2),
    clauses=23,
    pitch="Build a hidden pyramid of tarot cards, read the others' and batter them down before yours falls.",
    minutes=(20, 45),
    weight=3,
    rules=rules,
    text=(options, moves, view, narration, reasons, account, story, puzzles, cards),
)
