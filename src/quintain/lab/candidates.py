"""Judges all candidates of a decision: how often each legal move would win, as far as the player could know.

Each candidate is searched alone and equally often, from what the player sees. So the shares can be compared, and equal
knowledge gives equal shares, whatever the hidden cards are. `analysis` and `puzzles` use this module.
"""

from __future__ import annotations

import math

from msgspec import Struct

from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts
from quintain.engine.seen.seen import Seen
from quintain.lab.intervals import wilson

__all__ = ["Candidate", "judge_candidates"]


class Candidate(Struct, frozen=True):
    """A legal move and the share of wins that is expected after it, from 0 to 1, found in a number of `tries`.

    `text` is the move in words. `low` and `high` are the bounds of the 95 % interval of the share, `error` is its
    standard error.
    """

    action: int
    text: str
    share: float
    tries: int

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return math.sqrt(self.share * (1 - self.share) / self.tries)

    @property
    def low(self) -> float:
        """The lower bound of the 95 % interval of the share."""
        return wilson(self.share, self.tries)[0]

    @property
    def high(self) -> float:
        """The upper bound of the 95 % interval of the share."""
        return wilson(self.share, self.tries)[1]


def judge_candidates(seen: Seen, tries: int, seed: int) -> tuple[Candidate, ...]:
    """Return all legal moves of a seat with their shares, the best first; each is tried equally often.

    The result depends on what the seat sees, on the number of tries and on the seed alone.
    """
    found = [judge_candidate(seen, action, tries, seed) for action in seen.legal]
    return tuple(sorted(found, key=lambda one: -one.share))


def judge_candidate(seen: Seen, action: int, tries: int, seed: int) -> Candidate:
    """Return one legal move with its share, as `judge_candidates` does."""
    (found,) = Ismcts(seen.game, seed, threads=1).judge(seen, Budget(tries), action)
    words = {move.action: move.text for move in seen.moves}
    return Candidate(action, words[action], min(1.0, found.share), found.simulations)
