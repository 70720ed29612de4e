"""Rune War: two to five players defend pyramids of face-down tarot cards and batter each other's."""

from quintain.engine.game import Game
from quintain.games.rune_war import account, moves, narration, options, reasons, rules, view

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
    text=(options, moves, view, narration, reasons, account),
)
