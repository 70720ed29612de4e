"""King's Court, a game for two: win the favour of six Royal Houses with Influence, counters and gifts.

`state` holds the numbers and the state, `rules` the rules in the order of play, and `secrecy` what players may not see.
The other modules hold the words for people.
"""

from quintain.engine import Game
from quintain.games.kings_court import account, cards, moves, narration, options, puzzles, reasons, rules, story, view

GAME = Game(
    id="kings-court",
    title="King's Court",
    version=1,
    seats=(2, 2, 2),
    clauses=19,
    pitch="Win the favour of six Royal Houses, and give your rival a card of yours every turn.",
    minutes=(15, 25),
    weight=2,
    rules=rules,
    text=(options, moves, view, narration, reasons, account, story, puzzles, cards),
)
