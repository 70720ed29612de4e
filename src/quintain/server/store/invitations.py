"""Invitations: a player who makes a table may ask somebody to it whom they have met before.

An invitation lies in the database until the one who was asked sits down or declines, or the seat is taken. It is no
part of the table's log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import delete, exists, func, select

from quintain.server.clock import now
from quintain.server.model.entries import WAITING
from quintain.server.model.listed import Invitation
from quintain.server.refused import Refused
from quintain.server.store.lists import Lists
from quintain.server.store.schema import InvitationRow, ListedTable, PlayedRow, PlayerRow

MOST_OPEN = 20
"""The invitations that one player may have from all others at the same time."""
HOLDS_FOR = 7 * 86400.0
"""Seconds for which an invitation is shown."""


class Invitations:
    """The invitations in a database."""

    def __init__(self, lists: Lists):
        self.lists = lists

    async def check(self, by: int, to: int) -> None:
        """Raise Refused if a player may not ask another: they have never met, or the other is asked by many."""
        mine, theirs = (select(PlayedRow.table).where(PlayedRow.who == str(one)) for one in (by, to))
        met = select(exists(mine.where(PlayedRow.table.in_(theirs))))
        gone = select(PlayerRow.gone).where(PlayerRow.number == to)
        waiting = select(func.count()).select_from(InvitationRow).where(InvitationRow.number == to)
        async with self.lists.engine.connect() as connection:
            if by == to or not await connection.scalar(met):
                raise Refused(403, "you can invite only players with whom you have finished a game")
            if await connection.scalar(gone) is not None:
                raise Refused(409, "this player has left")
            if (await connection.scalar(waiting.where(InvitationRow.at > now() - HOLDS_FOR)) or 0) >= MOST_OPEN:
                raise Refused(409, "this player has many invitations already: send them the address of your table")

    async def add(self, table: str, by: int, to: int) -> None:
        """Ask a player to a table."""
        row = {"table": table, "number": to, "by": by, "at": now()}
        await self.lists.do(self.lists.insert(InvitationRow).values(row).on_conflict_do_nothing())

    async def decline(self, table: str, number: int) -> None:
        """Take back what a player was asked to."""
        await self.lists.do(delete(InvitationRow).where(InvitationRow.table == table, InvitationRow.number == number))

    async def of_players(self, players: Collection[str]) -> dict[str, list[Invitation]]:
        """Return the invitations of each of these players, by their ids, to tables with a free seat; newest first."""
        by = PlayerRow.__table__.alias()
        asked = (
            select(PlayerRow.id, InvitationRow.table, by.c.name)
            .join(InvitationRow, InvitationRow.number == PlayerRow.number)
            .join(ListedTable, ListedTable.id == InvitationRow.table)
            .join(by, by.c.number == InvitationRow.by)
            .where(PlayerRow.id.in_(players), ListedTable.status == WAITING, InvitationRow.at > now() - HOLDS_FOR)
            .order_by(InvitationRow.at.desc())
        )
        found: defaultdict[str, list[Invitation]] = defaultdict(list)
        for player, table, name in await self.lists.rows(asked):
            seated = await self.lists.table(table)
            if seated is None:
                continue
            row, seats = seated
            free = next((seat.seat for seat in seats if not seat.is_taken), None)
            if free is not None and all(seat.player != player for seat in seats):
                found[player].append(Invitation(row, name or "A player who has left", free))
        return found
