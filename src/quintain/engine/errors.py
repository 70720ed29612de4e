"""The errors of Quintain, a small family. Each message says first what is wrong, then what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_QUOTE = 60


class QuintainError(Exception):
    """The base of all errors below. Each is an error that the caller can put right."""


class UnknownGame(QuintainError):
    """No game with that id is registered."""


class BadGame(QuintainError):
    """A game does not keep the contract; the message says what is missing or wrong, and where."""


class BadOption(QuintainError):
    """An option, a number of seats, a name or a seed is not allowed."""


class BadCards(BadOption):
    """A set of cards is not valid; the message names the line, the card, the row and the clause.

    `line` is where the card begins (from 1), `row` the number of the row (from 1), and `key` the field; each is empty
    where the fault is not in one of them.
    """

    def __init__(self, message: str, line: int | None = None, row: int | None = None, key: str = "") -> None:
        super().__init__(message)
        self.line, self.row, self.key = line, row, key


class BadDeck(BadOption):
    """A deck list breaks a rule; the message names the line or the section, and the clause."""


class BadBot(QuintainError):
    """A bot that somebody else wrote cannot be made, fails, or chooses an illegal action."""


class BadRecord(QuintainError):
    """A save, a record, a position or a state in JSON is not valid."""


class IllegalMove(QuintainError):
    """A move is not legal now, or the text of a move means none of the game's moves."""


class CannotUndo(QuintainError):
    """The seat can take back no move now."""


def quoted(value: object) -> str:
    """Return a value as a message quotes it: in at most about LONGEST_QUOTE characters. It never fails."""
    try:
        words = repr(value)
    except (ValueError, RecursionError):
        return "a value too long to show"
    return words if len(words) <= LONGEST_QUOTE else f"{words[:LONGEST_QUOTE]}…"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``; perhaps NAME`` with the known name that looks most like this one; empty if none does."""
    near = difflib.get_close_matches(name, known, 1)
    return f"; perhaps {near[0]}" if near else ""
