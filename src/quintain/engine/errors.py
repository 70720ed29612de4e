"""The errors of Quintain: each message says what is wrong first, then what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quintain.engine.documents import MatchRecord


LONGEST_QUOTE = 60


class QuintainError(Exception):
    """Base of every error that a caller can put right."""


class UnknownGame(QuintainError):
    """No game of that id is registered."""


class BadGame(QuintainError):
    """A game does not keep the contract; the message lists what is missing."""


class BadOption(QuintainError):
    """An option, the number of seats, a name or a seed that the game does not allow."""


class BadCards(BadOption):
    """A set of cards that does not hold; the message names the line, the card, the row and the clause."""


class BadDeck(BadOption):
    """A deck list that breaks a rule; the message names the line or the section, and the clause."""


class BadBot(QuintainError):
    """A bot of somebody's own that cannot be made, fails, or chooses what is not legal."""


class BadRecord(QuintainError):
    """A save, a record or a state in JSON that does not hold."""


class OtherRules(BadRecord):
    """A save or record of a game or of rules that are not here; what a record tells by itself is in `record`."""

    def __init__(self, message: str, record: MatchRecord | None):
        super().__init__(message)
        self.record = record


class IllegalMove(QuintainError):
    """A move that is not legal now, or that no move is written like."""


class CannotUndo(QuintainError):
    """Nothing can be taken back by that seat now."""


def quoted(value: object) -> str:
    """Return what somebody has given as a message can quote it: in short, and never failing."""
    try:
        words = repr(value)
    except (ValueError, RecursionError):
        return "so much"
    return words if len(words) <= LONGEST_QUOTE else f"{words[:LONGEST_QUOTE]}…"


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which of the known names was meant, if one is near."""
    near = difflib.get_close_matches(name, known, 1)
    return f"; perhaps {near[0]}" if near else ""
