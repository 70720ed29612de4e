"""The rows that list tables and their seats: what the lobby and the lists of open games ask for."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, exists, func, select

from quintain.server.model.entries import OVER, PLAYING, WAITING, Seat, TableRow
from quintain.server.model.listed import Learned, Seated
from quintain.server.model.seating import numbers_of, seat_people
from quintain.server.store.player_rows import PlayerRows
from quintain.server.store.schema import ListedSeat, ListedTable, PlayedRow, PlayerRow


class Lists(PlayerRows):
    """The lists of tables that are open or in play."""

    async def table(self, id_: str) -> Seated | None:
        """Return a table and its seats in order; None if it does not exist."""
        found = await self._tables(ListedTable.id == id_, 1)
        return found[0] if found else None

    async def open_tables(self, since: float, most: int) -> list[Seated]:
        """Return public tables made since a time at which somebody waits for players, at most `most`, newest first."""
        is_open = (ListedTable.status == WAITING) & ListedTable.private.is_(False) & (ListedTable.made > since)
        return await self._tables(is_open & _HAS_PERSON & _HAS_ROOM, most)

    async def public_in_play(self, since: float, most: int) -> list[Seated]:
        """Return public games of people that have begun since a time and are in play, at most `most`, newest first."""
        runs = (ListedTable.status == PLAYING) & ListedTable.private.is_(False) & (ListedTable.begun > since)
        return await self._tables(runs & _HAS_PERSON, most)

    async def tables_of(self, players: Collection[str], most: int) -> dict[str, list[Seated]]:
        """Return the unfinished tables of each player, at most `most` for each, newest first."""
        newest = func.row_number().over(partition_by=PlayerRow.id, order_by=ListedTable.made.desc())
        is_listed = exists().where(PlayedRow.table == ListedSeat.table)  # an index answers this sooner than the status
        seated = PlayerRow.id.in_(players) & ~is_listed & (ListedTable.status != OVER)
        ranked = (
            select(PlayerRow.id, ListedSeat.table, newest.label("place"))
            .join(ListedSeat, ListedSeat.number == PlayerRow.number)
            .join(ListedTable, ListedTable.id == ListedSeat.table)
            .where(seated)
            .subquery()
        )
        listed = select(ranked.c.id, ranked.c.table).where(ranked.c.place <= most)
        theirs = [(player, table) for player, table in await self.rows(listed)]
        found = await self._tables(ListedTable.id.in_({table for _, table in theirs})) if theirs else []
        sits = set(theirs)
        return {
            player: [(table, seats) for table, seats in found if (player, table.id) in sits] for player in dict(theirs)
        }

    async def learned(self, player: str) -> dict[str, Learned]:
        """Return what a player knows of each game that they have sat down to."""
        sat = (PlayerRow.id == player) & (ListedTable.status != WAITING)
        asked = select(ListedTable.game, ListedTable.lesson, ListedTable.status).select_from(_SITTING).where(sat)
        known: dict[str, Learned] = {}
        for game, steps, status in await self.rows(asked.distinct()):
            before = known.get(game, Learned(False, None))
            most = max((each for each in (steps, before.steps) if each is not None), default=None)
            known[game] = Learned(before.played or steps is None or status == OVER, most)
        return known

    async def lesson_of(self, player: str, game: str, steps: int) -> str | None:
        """Return the id of a player's newest table where fewer than so many steps of a game's lesson are done."""
        runs = (ListedTable.game == game) & (ListedTable.status == PLAYING) & (ListedTable.lesson < steps)
        asked = select(ListedTable.id).select_from(_SITTING).where(runs & (PlayerRow.id == player))
        return await self.value(asked.order_by(ListedTable.made.desc()).limit(1))

    async def tables_played_without_people(self, since: float) -> list[str]:
        """Return the ids of tables, since a time, at which a bot's move, a time-out or the deal may be due."""
        return list(await self.values(select(ListedTable.id).where(is_played_without_people(since))))

    async def players_at(self, tables: Collection[str]) -> set[str]:
        """Return the ids of the players who sit at some tables."""
        asked = select(PlayerRow.id).select_from(_SITTING).where(ListedTable.id.in_(tables))
        return set(await self.values(asked))

    async def _tables(self, which: ColumnElement[bool], most: int | None = None) -> list[Seated]:
        asked = select(ListedTable.__table__).where(which).order_by(ListedTable.made.desc()).limit(most)
        async with self.engine.connect() as connection:
            tables = [TableRow(*row) for row in await connection.execute(asked)]
            ids = [table.id for table in tables]
            theirs = select(ListedSeat.__table__).where(ListedSeat.table.in_(ids)).order_by(ListedSeat.seat)
            seats = [Seat(*row) for row in await connection.execute(theirs)]
        by_table: dict[str, list[Seat]] = {id_: [] for id_ in ids}
        for seat in seats:
            by_table[seat.table].append(seat)
        persons = await self.persons(numbers_of(seats))
        for theirs_there in by_table.values():
            seat_people(theirs_there, persons)
        return [(table, by_table[table.id]) for table in tables]


_SITTING = ListedTable.__table__.join(ListedSeat.__table__).join(PlayerRow.__table__)
_IS_EMPTY = ListedSeat.number.is_(None) & ListedSeat.bot.is_(None) & (ListedSeat.stranger == "")
_HAS_PERSON = exists().where((ListedSeat.table == ListedTable.id) & ListedSeat.number.is_not(None))
_HAS_ROOM = exists().where((ListedSeat.table == ListedTable.id) & _IS_EMPTY)


def is_played_without_people(since: float) -> ColumnElement[bool]:
    """Return the condition for tables, since a time, at which a bot's move, a time-out or the deal may be due."""
    acting = select(ListedSeat.table).where(ListedSeat.bot.is_not(None) | ListedSeat.stand_in)
    alone = ListedTable.id.in_(acting) | (ListedTable.clock != "none")
    runs = (ListedTable.status == PLAYING) & (ListedTable.begun > since) & alone
    return runs | (ListedTable.status == WAITING) & (ListedTable.made > since) & ~_HAS_ROOM
