"""`trace` plays one random game and writes down every state, mask and action, interpreted or compiled.

The check `both_forms_agree` in `rules` compares what the two forms have written.
"""

from typing import Any, NamedTuple

import numpy as np

from quintain.engine import rng
from quintain.engine.compiled import rule, rules
from quintain.engine.contract import lowest_seat, nth_action
from quintain.engine.game import Game
from quintain.engine.state import Pool


class Transcript(NamedTuple):
    """The memory into which `trace` writes a game: lists and a `Pool`, or numpy arrays for compiled code."""

    blank: Any
    """A state of zeros."""
    states: Any
    """The state before each move, and the state after the last move."""
    masks: Any
    """The masks of all seats at each move, one after the other."""
    moves: Any
    """For each move the seat, the count that `legal` returned for it, and the action."""
    totals: Any
    """The scores of all seats, then their ranks."""
    words: Any
    """The random generator that chooses the moves."""


def plain_transcript(game: Game, plies: int) -> Transcript:
    """Return an empty transcript with room for `plies` moves, for interpreted rules."""
    seats = game.seats[1]
    return Transcript(
        blank=Pool(game.state, 1),
        states=Pool(game.state, plies + 1),
        masks=[[7] * game.actions for _ in range(plies * seats)],
        moves=[[0] * 3 for _ in range(plies)],
        totals=[[0] * seats, [0] * seats],
        words=[0] * 4,
    )


def compiled_transcript(game: Game, plies: int) -> Transcript:
    """Return an empty transcript with room for `plies` moves, for compiled rules."""
    seats = game.seats[1]
    return Transcript(
        blank=game.state.array([game.state()]),
        states=np.zeros(plies + 1, game.state.dtype()),
        masks=np.full((plies * seats, game.actions), 7, np.int8),
        moves=np.zeros((plies, 3), np.int64),
        totals=np.zeros((2, seats), np.int64),
        words=np.zeros(4, np.int64),
    )


@rule
def trace(book: Any, seats: int, seed: int, most: int, transcript: Transcript) -> int:
    """Play a random game from a seed, write it into the transcript, and return its number of moves.

    It stops after `most` moves, for which the transcript has room.
    """
    states, masks, words = transcript.states, transcript.masks, transcript.words
    states[0] = transcript.blank[0]
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
                transcript.moves[ply][1] = count
        mask = masks[ply * seats + seat]
        action = nth_action(mask, rng.below(words, transcript.moves[ply][1]))
        transcript.moves[ply][0] = seat
        transcript.moves[ply][2] = action
        rules.play(book, s, seat, action)
        ply += 1
        bits = rules.to_act(book, s)
    if not bits:
        rules.outcome(book, states[ply], transcript.totals[0], transcript.totals[1])
    return ply
