"""Judges all candidates of a decision: how often each legal move would win, as far as the player could know.

Each candidate is searched alone and equally often, from what the player sees. So the shares can be compared, and equal
knowledge gives equal shares, whatever the hidden cards are. `analysis` and `puzzles` use this module.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts
from quintain.engine.seen.seen import Seen
from quintain.lab.intervals import wilson

__all__ = ["Candidate", "judge_candidates"]

LEAD, ERRORS = 0.05, 3.0
"""A puzzle needs a best move that is so far ahead of the next in share of wins, and by so many standard errors."""


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


def judge_candidates(
    seen: Seen, tries: int, seed: int, actions: Sequence[int] | None = None, resigned: Sequence[int] = ()
) -> tuple[Candidate, ...]:
    """Return all legal moves of a seat, or only some, with their shares, the best first; each is tried equally often.

    Seats that have `resigned` cannot win. The share of a move depends on what the seat sees, on the number of tries and
    on the seed alone.
    """
    words = {move.action: move.text for move in seen.moves}
    found = []
    for action in seen.legal if actions is None else actions:
        (one,) = Ismcts(seen.game, seed, threads=1).judge(seen, Budget(tries), action)
        share = one.share
        if resigned:
            chances = Ismcts(seen.game, seed, threads=1).expect(seen, Budget(tries), action)
            share = without(chances[: len(seen.names)], resigned)[seen.seat]
        found.append(Candidate(action, words[action], min(1.0, share), one.simulations))
    return tuple(sorted(found, key=lambda one: -one.share))


def judge_candidate(seen: Seen, action: int, tries: int, seed: int) -> Candidate:
    """Return one legal move with its share, as `judge_candidates` does."""
    return judge_candidates(seen, tries, seed, [action])[0]


def is_ahead(best: Candidate, other: Candidate) -> bool:
    """Tell whether a move is so far ahead of another that a puzzle can ask for it: by LEAD and by ERRORS."""
    return best.share - other.share >= max(LEAD, ERRORS * math.hypot(best.error, other.error))


def is_clear(candidates: Sequence[Candidate]) -> bool:
    """Tell whether the best move is so far ahead of the next that a puzzle can be made of it."""
    return len(candidates) > 1 and is_ahead(candidates[0], candidates[1])


def is_right(candidates: Sequence[Candidate], action: int) -> bool:
    """Tell whether a move answers a puzzle: its share lies within the interval of the best one, which is the first."""
    return any(one.action == action and one.share >= candidates[0].low for one in candidates)


def without(chances: tuple[float, ...], resigned: Sequence[int]) -> tuple[float, ...]:
    """Return chances in which those of seats that have resigned go to the others, in proportion to theirs.

    >>> without((0.5, 0.25, 0.25), [2])
    (0.6666666666666666, 0.3333333333333333, 0.0)
    """
    if not resigned:
        return chances
    left = [0.0 if seat in resigned else chance for seat, chance in enumerate(chances)]
    if not sum(left):
        left = [float(seat not in resigned) for seat in range(len(chances))]
    return tuple(chance / sum(left) for chance in left)
