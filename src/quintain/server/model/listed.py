"""What lists of tables hold: a table with its seats, an invitation, and what a player has learned of a game."""

from __future__ import annotations

from typing import NamedTuple

from quintain.server.model.entries import Seat, TableRow

Seated = tuple[TableRow, list[Seat]]
"""A table and its seats in order."""


class Learned(NamedTuple):
    """What a player knows of a game: whether they have played it, and the most steps done in a lesson (None: none)."""

    played: bool
    steps: int | None


class Invitation(NamedTuple):
    """An invitation to a table: the table, the name of the player who asks, and the first free seat."""

    row: TableRow
    by: str
    seat: int
