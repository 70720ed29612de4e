"""What an environment does with an illegal action: it raises an error, or the seat that chose it loses the game.

Programs that learn with a mask never choose an illegal action. Others explore, and need an answer that they can learn
from: then the game ends, the offender gets the least that a game can bring, and the other seats share what it loses.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

import numpy as np

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.game import Game

Illegal = Literal["lose", "error"]
"""What an illegal action leads to: its seat loses, or `IllegalMove` is raised and nothing changes."""
WORST = -1.0
"""What losing a game brings at worst, where the winner's share counts."""


def checked(illegal: str) -> str:
    """Return what an illegal action leads to; raises BadOption if it is neither of the two."""
    if illegal not in get_args(Illegal):
        raise BadOption(f"an illegal action can `lose` or be an `error`, not {quoted(illegal)}")
    return illegal


def whole(action: object) -> int:
    """Return an action as an int; raises BadOption for anything but a whole number, which cannot be a legal action."""
    number = np.asarray(action)
    if number.dtype.kind not in "iu" or number.size != 1:
        raise BadOption(f"an action is a whole number, not {quoted(action)}")
    return int(number.reshape(()))


def forfeit(game: Game, seats: int, offenders: Collection[int]) -> list[float]:
    """Return what each seat gets when some seats chose illegal actions.

    An offender gets -1, or the least payoff in a game that writes payoffs of its own. The other seats share what the
    offenders lose. If all seats offend, all lose.
    """
    worst = float(game.constants["LEAST_PAYOFF"]) if "payoff" in game.written else WORST
    others = seats - len(offenders)
    share = -worst * len(offenders) / others if others else 0.0
    return [worst if seat in offenders else share for seat in range(seats)]
