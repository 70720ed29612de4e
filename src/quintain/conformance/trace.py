"""A driver that plays one random game and writes down every state, mask and action, in both forms of the rules.

The check `both_forms_agree` of the module `rules` compares what the two forms write.
"""

from typing import Any, NamedTuple

import numpy as np

from quintain.engine import rng
from quintain.engine.compiled import rule, rules
from quintain.engine.contract import lowest_seat, nth_action
from quintain.engine.game import Game
from quintain.engine.state import Pool


class Paper(NamedTuple):
    """Where a game is written down, a row a ply; the state after the last move has a row of its own."""

    blank: Any
    states: Any
    masks: Any
    moves: Any
    """The seat, the count that `legal` returned, the action."""
    totals: Any
    """Scores, ranks."""
    words: Any


def plain_paper(game: Game, plies: int) -> Paper:
    """Return room for so many moves of a game, for the interpreted form."""
    seats = game.seats[1]
    return Paper(
        blank=Pool(game.state, 1),
        states=Pool(game.state, plies + 1),
        masks=[[7] * game.actions for _ in range(plies * seats)],
        moves=[[0] * 3 for _ in range(plies)],
        totals=[[0] * seats, [0] * seats],
        words=[0] * 4,
    )


def compiled_paper(game: Game, plies: int) -> Paper:
    """Return room for so many moves of a game, for the compiled form."""
    seats = game.seats[1]
    return Paper(
        blank=game.state.array([game.state()]),
        states=np.zeros(plies + 1, game.state.dtype()),
        masks=np.full((plies * seats, game.actions), 7, np.int8),
        moves=np.zeros((plies, 3), np.int64),
        totals=np.zeros((2, seats), np.int64),
        words=np.zeros(4, np.int64),
    )


@rule
def trace(book: Any, seats: int, seed: int, most: int, paper: Paper) -> int:
    """Play a game from a seed and write it down, with the masks of all seats at every ply; return the plies.

    It ends after `most` plies: the paper has no more room.
    """
    states, masks, words = paper.states, paper.masks, paper.words
    states[0] = paper.blank[0]
    rng.seed(states[0].rng, rng.mix(seed, 0))
    rng.seed(words, rng.mix(seed, 1))
    rules.deal(book, states[0])
    ply = 0
    bits = rules.to_act(book, states[0])
    while bits and ply < most:
        states[ply + 1] = states[ply]
        s = states[ply + 1]
        seat = lowest_seat(bits)
        for other in range(seats):
            count = rules.legal(book, s, other, masks[ply * seats + other])
            if other == seat:
                paper.moves[ply][1] = count
        mask = masks[ply * seats + seat]
        action = nth_action(mask, rng.below(words, paper.moves[ply][1]))
        paper.moves[ply][0] = seat
        paper.moves[ply][2] = action
        rules.play(book, s, seat, action)
        ply += 1
        bits = rules.to_act(book, s)
    if not bits:
        rules.outcome(book, states[ply], paper.totals[0], paper.totals[1])
    return ply
