"""Features of batches: what a seat sees and its legal actions as short rows of numbers, where a game writes them.

A game with many cards writes `state_features` and `action_features` (see `contract`), since its observation is too wide
to learn from. `describe_places` runs compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quintain.bots.playout import GAME, Workspace
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Record
from quintain.envs.stepping import NOBODY, PlaceArrays

if TYPE_CHECKING:
    import numpy.typing as npt

    Rows = npt.NDArray[np.float32]
    Numbers = npt.NDArray[np.int64]


class Features(NamedTuple):
    """What the seats that are asked in N places see, and their M legal actions, place by place.

    Of a state there are S features, of an action D. A place whose game is over has zeros, and no actions.
    """

    state: Rows
    """(N, S): the features of what the seat that is asked sees."""
    rows: Rows
    """(M, D): the features of each legal action."""
    place: Numbers
    """(M,): the place of each legal action."""
    action: Numbers
    """(M,): its number."""


@rule
def describe_places(book: Record, places: PlaceArrays, work: Workspace, features: Features) -> None:
    """Write the features of all places; there must be a row for each legal action."""
    at = 0
    for i in range(len(places.seat)):
        seat = places.seat[i]
        if seat != NOBODY:
            work.pool[GAME] = places.states[i]
            rules.blind_position(book, work.pool[GAME], seat)
            rules.state_features(book, work.pool[GAME], seat, features.state[i])
            for action in range(rules.ACTIONS):
                if places.mask[i][0][action]:
                    rules.action_features(book, work.pool[GAME], seat, action, features.state[i], features.rows[at])
                    features.place[at] = i
                    features.action[at] = action
                    at += 1


def blank(game: Game, places: int, actions: int) -> Features:
    """Return the arrays for the features of a number of places and of their legal actions."""
    of_state, of_action = game.features
    return Features(
        state=np.zeros((places, of_state), np.float32),
        rows=np.zeros((actions, of_action), np.float32),
        place=np.zeros(actions, np.int64),
        action=np.zeros(actions, np.int64),
    )
