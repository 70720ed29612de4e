"""Trials by bots of players' sets and decks, as they are kept by the database of a server, or by a browser."""

from __future__ import annotations

from typing import NamedTuple

from quintain.server.clock import now

DAY = 86400.0
MOST_OF_SUBJECT = 12
"""The trials of one set or deck that are kept; older ones go."""


class KeptTrial(NamedTuple):
    """A trial by bots of a player's set or deck: how far it is, and what it has shown.

    `subject` is what it is about, such as ``set:ID``, and `id` a hash of all that decides its games. `done` and `found`
    are packed: what a worker needs to go on, and what people see. A process plays until a time, `until`, unless it says
    so again.
    """

    id: str
    number: int
    subject: str
    level: str
    most: int
    games: int
    done: bytes
    found: bytes
    at: float
    until: float
    stopped: bool
    problem: str

    @property
    def is_working(self) -> bool:
        """Whether some process plays it now."""
        return self.until > now()
