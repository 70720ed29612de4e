"""Table talk: the lines that are said at a table, who reads which, and what a line may be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from quintain.engine.errors import BadOption
from quintain.engine.names import looks_like_one_of
from quintain.server.limits import Limit, Rate
from quintain.server.model.entries import PLAYING, Seat
from quintain.server.model.seating import Persons

MOST_LETTERS = 200
"""Characters of a line."""
MOST_LINES = 50
"""The lines of each channel that a table shows."""
READY = ("Well played", "Your turn?", "One moment", "Thank you", "Good luck", "Sorry, I must go")
"""Words that one touch says."""
TALK_RATE, REPORT_RATE = Rate(5, 0.25), Rate(10, 10 / 3600)
"""How often one player may say something, and report what others have said."""
JOINERS = "\u200c\u200d"
"""Invisible characters that join others, as some scripts and emoji need."""


@dataclass(frozen=True)
class TalkLimits:
    """How often each player may say something, and report a line."""

    lines: Limit = field(default_factory=lambda: Limit(TALK_RATE))
    reports: Limit = field(default_factory=lambda: Limit(REPORT_RATE))


class Said(NamedTuple):
    """Something said at a table by the player with a number: at a seat, or as a spectator, whose seat is None."""

    id: int
    number: int
    seat: int | None
    text: str
    at: float


class Talk:
    """The last lines of both channels of one table, the oldest first, and the players who said them."""

    def __init__(self, lines: Iterable[Said] = (), persons: Persons | None = None):
        self.lines = list(lines)
        self.persons = dict(persons or {})

    def read_by(self, you: int | None, status: str) -> list[Said]:
        """Return the lines that a viewer may read.

        While the game runs, nobody at a seat reads the spectators: one of them may know what is hidden from a player.
        """
        hidden = you is not None and status == PLAYING
        return [line for line in self.lines if line.seat is not None or not hidden]

    def name_of(self, line: Said, seats: Sequence[Seat]) -> str:
        """Return the name of whoever said a line; those who still sit there are called as the table calls them.

        The name of a spectator that looks like that of somebody at a seat is marked, as no name can be.
        """
        seat = seats[line.seat] if line.seat is not None else None
        if seat and seat.name and seat.number == line.number:
            return seat.name
        name = self.persons[line.number].name
        others = [each.name for each in seats if each.name and each.number != line.number]
        return f"{name} (spectator)" if line.seat is None and looks_like_one_of(name, others) else name


def cleaned(text: str) -> str:
    """Return a line as it is kept: without control characters and signs that turn the direction; raises BadOption.

    >>> cleaned(" Well\\tplayed,\\u202e  Bo ")
    'Well played, Bo'
    """
    spaced = " ".join(text.split())
    line = " ".join("".join(letter for letter in spaced if _may_stand(letter)).split())
    if not line.strip(JOINERS):
        raise BadOption("there is nothing to say: write some words first")
    if len(line) > MOST_LETTERS:
        raise BadOption(f"that is too long to say at once: a line has at most {MOST_LETTERS} characters")
    return line


def _may_stand(letter: str) -> bool:
    """Tell whether a character may stand in a line: no control character, no override, no half of a pair."""
    return letter in JOINERS or unicodedata.category(letter) not in ("Cc", "Cf", "Cs")
