"""The result of a match in words."""

from collections.abc import Sequence

from quintain.engine.documents import Result
from quintain.engine.match import Outcome


def result(names: Sequence[str], outcome: Outcome | Result) -> str:
    """Say who won, the scores, highest rank first, and the prizes.

    >>> result(["Ann", "Bo"], Outcome(scores=(31, 43), ranks=(2, 1), reason="played to the end"))
    'Bo wins: Bo 43, Ann 31.'
    """
    scores = outcome.scores or [0] * len(names)
    by_rank = sorted(zip(outcome.ranks, names, scores, strict=True), key=lambda seat: seat[0])
    first = [name for rank, name, _ in by_rank if rank == by_rank[0][0]]
    head = f"{first[0]} wins" if len(first) == 1 else f"A draw between {' and '.join(first)}"
    why = outcome.reason if outcome.scores is None else ", ".join(f"{name} {score}" for _, name, score in by_rank)
    return " ".join([f"{head}: {why}.", *(outcome.prizes or ())])
