"""How a match ended, and the words for it. `RunningMatch` makes the `Outcome`; `Result` is its form in records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from quintain.engine.names import with_names


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a finished match ended. `prizes` is None if the game has none, or if the record is older than prizes."""

    scores: list[int] | None
    ranks: list[int]
    reason: str
    prizes: list[str] | None = None


@dataclass(frozen=True)
class Outcome:
    """How a match ended: each seat's score and rank, and the reason.

    The scores are None if the match ended by resignation. The winner's rank is 1. `prizes` are sentences that say what
    players win in addition, such as a card that was staked.
    """

    scores: tuple[int, ...] | None
    ranks: tuple[int, ...]
    reason: str
    prizes: tuple[str, ...] = ()

    def named(self, names: Sequence[str]) -> Outcome:
        """Return the outcome with the players' names in the place of ``seat 0`` and so on."""
        reason, *prizes = (with_names(names, words) for words in (self.reason, *self.prizes))
        return replace(self, reason=reason, prizes=tuple(prizes))

    def written(self) -> Result:
        """Return the outcome in the form that records store."""
        scores = None if self.scores is None else list(self.scores)
        return Result(scores, list(self.ranks), self.reason, list(self.prizes) or None)


def ranks_with_resigned(ranks: Sequence[int], resigned: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks with the seats that have resigned below the others; of these the last to resign ranks highest.

    `resigned` lists the seats in the order in which they resigned.

    >>> ranks_with_resigned([3, 1, 2], [1])
    (2, 3, 1)
    """
    playing = sorted(rank for seat, rank in enumerate(ranks) if seat not in resigned)
    return tuple(
        len(ranks) - resigned.index(seat) if seat in resigned else playing.index(rank) + 1
        for seat, rank in enumerate(ranks)
    )


def result(names: Sequence[str], outcome: Outcome | Result) -> str:
    """Return the result in words: who won, the scores from first to last, and the prizes.

    >>> result(["Ann", "Bo"], Outcome(scores=(31, 43), ranks=(2, 1), reason="played to the end"))
    'Bo wins: Bo 43, Ann 31.'
    """
    scores = outcome.scores or [0] * len(names)
    by_rank = sorted(zip(outcome.ranks, names, scores, strict=True), key=lambda seat: seat[0])
    first = [name for rank, name, _ in by_rank if rank == by_rank[0][0]]
    head = f"{first[0]} wins" if len(first) == 1 else f"A draw between {' and '.join(first)}"
    why = outcome.reason if outcome.scores is None else ", ".join(f"{name} {score}" for _, name, score in by_rank)
    return " ".join([f"{head}: {why}.", *(outcome.prizes or ())])
