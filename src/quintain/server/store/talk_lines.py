"""The lines of table talk in the database, and who is muted.

They lie in a database table of their own (`schema.TalkRow`), which no log or record follows from or leads to. A line
holds the number of its player; names are looked up when it is shown.
"""

from __future__ import annotations

from sqlalchemy import case, exists, func, insert, select, update
from sqlalchemy.orm import aliased

from quintain.engine.errors import BadOption
from quintain.server.clock import now
from quintain.server.model.seating import Person
from quintain.server.model.talk import MOST_LINES, Said, Talk
from quintain.server.store.notifications import TALK
from quintain.server.store.player_rows import PlayerRows
from quintain.server.store.schema import DeviceRow, PlayerRow, TalkRow


class TalkLines(PlayerRows):
    """What has been said at tables."""

    async def talk(self, table: str) -> Talk:
        """Return the last lines that were said at a table."""
        columns = TalkRow.id, TalkRow.number, TalkRow.seat, TalkRow.text, TalkRow.at
        last = select(*columns).where(TalkRow.table == table).order_by(TalkRow.id.desc()).limit(MOST_LINES)
        lines: list[Said] = []
        async with self.engine.connect() as connection:
            for channel in (TalkRow.seat.is_not(None), TalkRow.seat.is_(None)):
                lines += [Said(*row) for row in await connection.execute(last.where(channel))]
        return Talk(sorted(lines), await self.persons({line.number for line in lines}))

    async def add_line(self, table: str, number: int, seat: int | None, text: str) -> None:
        """Keep a line, and tell the other processes that there is one."""
        row = {"table": table, "number": number, "seat": seat, "text": text, "at": now()}
        async with self.together.begin() as connection:
            await connection.execute(insert(TalkRow).values(row))
            await self.tell(connection, TALK, table)

    async def muted_until(self, number: int) -> float | None:
        """Return the time until which a player is muted; None if they may talk.

        Whoever has come from the address of a muted player since then is muted as long: it may be the same person.
        """
        muted, own, theirs = aliased(PlayerRow), aliased(DeviceRow), aliased(DeviceRow)
        made = select(PlayerRow.made).where(PlayerRow.number == number).scalar_subquery()
        is_alike = exists().where(
            own.number == number,
            own.address != "",
            theirs.address == own.address,
            theirs.number == muted.number,
            muted.muted_at <= made,
        )
        asked = select(func.max(muted.muted)).where(muted.muted > now(), (muted.number == number) | is_alike)
        return await self.value(asked)

    async def mute(self, number: int, until: float | None) -> Person:
        """Mute a player until a time, or let them talk, and return them; raises BadOption for an unknown number."""
        still = PlayerRow.muted > now()  # whoever was muted with them before stays muted
        muted = (
            update(PlayerRow)
            .where(PlayerRow.number == number, PlayerRow.gone.is_(None))
            .values(muted=until, muted_at=None if until is None else case((still, PlayerRow.muted_at), else_=now()))
        )
        if await self.value(muted.returning(PlayerRow.number)) is None:
            raise BadOption(
                f"there is no player {number} here: the number stands in the server's log, and at the end of the "
                "address of the player's page, /players/NUMBER"
            )
        return (await self.persons([number]))[number]
