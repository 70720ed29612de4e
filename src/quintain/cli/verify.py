"""`quintain verify`: compares commitments, and prints what a record proves and what it cannot prove."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from quintain.engine.errors import BadOption, BadRecord, quoted
from quintain.engine.match import Match
from quintain.engine.result import result


def read_commitment(given: str | None) -> str | None:
    """Return a commitment in the form in which matches write it; raises BadOption."""
    if given is None:
        return None
    if not re.fullmatch("[0-9a-fA-F]{64}", given.strip()):
        raise BadOption(f"{quoted(given)} cannot be a commitment: give the 64 hex digits that you saw before the deal")
    return given.strip().lower()


def check_commitment(match: Match, shown: str | None, path: Path) -> None:
    """Compare a match's commitment with the one that was shown before the deal, if given; raises BadRecord."""
    if shown is not None and shown != match.commitment:
        raise BadRecord(
            f"{path}: its seed is not the one fixed before the deal: the SHA-256 of its seed is {match.commitment}, "
            f"but the commitment that you saw is {shown}"
        )


def print_proof(console: Console, match: Match, is_committed: bool) -> None:
    """Print what the record of a match proves; `is_committed` if players saw its commitment before the deal."""
    assert match.outcome
    for paragraph in (
        f"{match.game.title}. {result(match.names, match.outcome)}",
        f"Commitment  {match.commitment}\nSeed        {match.seed}",
        _listed("This record proves:", _proved(match, is_committed)),
        _listed("It does not prove, for it carries no signature:", _not_proved(is_committed)),
    ):
        console.print(Text(f"{paragraph}\n"))


def _proved(match: Match, is_committed: bool) -> list[str]:
    proved = [
        f"the moves follow the rules: its {len(match.moves_made)} entries, played again, give the scores and ranks "
        "that the record states",
        "the cards follow from the seed, and the commitment is the SHA-256 of the seed",
    ]
    if is_committed:
        proved.append("the seed is the one fixed before the deal, if you saw that commitment then")
    return proved


def _not_proved(is_committed: bool) -> list[str]:
    seed = (
        "that the seed was drawn honestly: the person who drew it could know the cards"
        if is_committed
        else "that the seed was fixed before play: to check that, add --commitment and the 64 hex digits that you saw "
        "before the deal"
    )
    return [
        "the words of its log: `quintain replay` shows what really follows from the moves",
        "who played: anybody can write other names or bots into a record and compute its checksum again",
        "when it was played, or that these moves were the ones played: anybody who has the seed can play other moves "
        "with it, in this game or another",
        seed,
    ]


def _listed(title: str, points: list[str]) -> str:
    return "\n".join([title, *(f"- {point};" for point in points[:-1]), f"- {points[-1]}."])
