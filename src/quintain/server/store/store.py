"""The database: players, the log of every table, and the rows that list tables and seats.

The log is the truth about a table. An entry's place, (table, seq), is the primary key: if two entries claim one place,
the database takes the first and refuses the second. The rows that list tables and seats follow from the log
(`entries.py`); they change in the same transaction as it, and `rebuild` makes them anew. So do the counts of what
wins (`model/wins.py`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.engine.errors import BadRecord
from quintain.server.clock import set_clock
from quintain.server.metrics import WRITES, timed
from quintain.server.model.entries import CLOSED, MOVED, UNDONE, Folded, LogEntry, TableRow, fold
from quintain.server.model.results import PlayedSeat, played
from quintain.server.model.wins import counts
from quintain.server.private import keep_private
from quintain.server.store.addresses import Address
from quintain.server.store.cards.owned_cards import OwnedCollections, hand_over
from quintain.server.store.database import DATABASE_CLOCK
from quintain.server.store.finished_games import TALLIED, tallied
from quintain.server.store.keys import make_missing_keys
from quintain.server.store.lists import Lists
from quintain.server.store.log_writer import ADD_ONE, LogWriter, NewEntries
from quintain.server.store.notifications import ENTRIES, LISTS
from quintain.server.store.schema import Base, CountRow, ListedSeat, ListedTable, LogRow, PlayedRow, TallyRow
from quintain.server.store.standings import rate_anew, rate_game
from quintain.server.store.talk_lines import TalkLines
from quintain.server.store.upgrades import migrate

SEATED = ("table", "seat", "number", "bot", "stand_in", "moved", "since", "stranger")
"""The parts of a seat that are stored."""
PLAYED = tuple(name for name in PlayedSeat.__slots__ if name != "change")
"""The parts of a seat of a finished game that follow from its log alone."""
COUNTED_BY = ("game", "seats", "kind", "key", "bot")
"""The key of a count."""
REBUILT = "entries, tables, seats, played, ratings, counts, tallies"
"""The tables that `rebuild` reads and writes."""


class Store(Lists, TalkLines):
    """The database. `Store.open` opens one."""

    def __init__(self, address: Address):
        super().__init__(address)
        self._log, self._news = LogWriter(self.engine), NewEntries(self.engine)

    @classmethod
    @asynccontextmanager
    async def open(cls, address: Address) -> AsyncIterator[Store]:
        """Open the database at an address. If it is missing or old, make it or bring it up to date first.

        All processes that share a database go by its clock, whatever the clocks of their machines say.
        """
        if isinstance(address, Path):
            keep_private(address)
        store = cls(address)
        try:
            async with store.together.begin() as connection:
                await connection.run_sync(migrate)
                await make_missing_keys(connection)
                if store.is_shared:
                    set_clock((await connection.execute(select(DATABASE_CLOCK))).scalar_one())
            yield store
        finally:
            await store._log.close()
            await store._news.close()
            await store._close()

    @timed(WRITES)
    async def add(self, entries: Sequence[LogEntry], listed: Iterable[Folded] = ()) -> bool:
        """Write entries at their places, all or none; False if a place is taken, or if the entry before it is missing.

        `listed` are the tables whose rows follow from these entries. Single entries that change no row, such as moves,
        are written together with those that come while others are being written.
        """
        listed = list(listed)
        if len(entries) == 1 and not listed:
            return await self._log.add(entries[0])
        async with self.together.begin() as connection:
            if not await self._add_all(connection, entries):
                await connection.rollback()
                return False
            closed = {entry.table for entry in entries if entry.kind == CLOSED}
            for folded in listed:
                await self._list(connection, folded)
                if folded.row.id in closed:
                    await self._count(connection, folded)
                if folded.row.rated and folded.row.id in closed:
                    await rate_game(connection, played(folded))
                if folded.gains and folded.row.id in closed:
                    await hand_over(connection, folded, self.is_shared)
            for table, seq in {entry.table: entry.seq for entry in entries}.items():
                await self.tell(connection, ENTRIES, f"{table} {seq}")
            for folded in listed:
                await self.tell(connection, LISTS, folded.row.id)
        return True

    async def _add_all(self, connection: AsyncConnection, entries: Sequence[LogEntry]) -> bool:
        """Write entries; False if a place is taken, or the one before the first of them empty."""
        places = {(entry.table, entry.seq) for entry in entries}
        first: list[dict[str, object]] = []
        others: list[dict[str, object]] = []
        for entry in entries:
            (others if (entry.table, entry.seq - 1) in places else first).append(entry._asdict())
        for each in first:
            if (await connection.execute(ADD_ONE, each)).scalar() is None:
                return False
        try:
            if others:
                await connection.execute(insert(LogRow), others)
        except IntegrityError:
            return False
        return True

    async def _list(self, connection: AsyncConnection, folded: Folded) -> None:
        """Write the rows that list a table and its seats."""
        await self._put(connection, ListedTable, ["id"], _stored(folded.row, TableRow.__slots__))
        for seat in folded.seats:
            await self._put(connection, ListedSeat, ["table", "seat"], _stored(seat, SEATED))
        for each in played(folded):
            await self._put(connection, PlayedRow, ["table", "seat"], _stored(each, PLAYED))

    async def _count(self, connection: AsyncConnection, folded: Folded) -> None:
        """Add a game to the counts and the tallies, in the transaction that closes it: they would take it twice.

        All transactions take the rows in one order, so that no two wait for each other.
        """
        found = [each._asdict() for each in counts(folded)]
        added = self.insert(CountRow)
        sums = {"games": CountRow.games + added.excluded.games, "won": CountRow.won + added.excluded.won}
        if found:
            await connection.execute(added.on_conflict_do_update(index_elements=COUNTED_BY, set_=sums), found)
        met = self.insert(TallyRow).from_select(TALLIED, tallied(folded.row.id))
        sums = {name: getattr(TallyRow, name) + met.excluded[name] for name in ("ahead", "behind", "games")}
        await connection.execute(met.on_conflict_do_update(index_elements=TALLIED[:3], set_=sums))

    async def _put(
        self, connection: AsyncConnection, model: type[Base], key: list[str], values: Mapping[str, object]
    ) -> None:
        """Write a row in the place of the one with its key, if there is one."""
        changed = {name: value for name, value in values.items() if name not in key}
        written = self.insert(model).values(values).on_conflict_do_update(index_elements=key, set_=changed)
        await connection.execute(written)

    async def rebuild(self) -> int:
        """Make the rows that list tables and seats anew from all logs, in one transaction; return how many tables.

        Raises BadRecord, which names the table, for a log that is damaged; then nothing changes.
        """
        async with self.together.begin() as connection:
            if self.is_shared:
                await connection.execute(text(f"LOCK TABLE {REBUILT} IN SHARE ROW EXCLUSIVE MODE"))
            for model in (TallyRow, CountRow, PlayedRow, ListedSeat, ListedTable):
                await connection.execute(delete(model))
            ids = list(await connection.scalars(select(LogRow.table).distinct()))
            for id_ in ids:
                rows = await connection.execute(_ENTRIES.where(LogRow.table == id_))
                try:
                    folded = fold([LogEntry(*row) for row in rows])
                    await self._list(connection, folded)
                    await self._count(connection, folded)
                except (BadRecord, LookupError, TypeError, ValueError) as error:
                    raise BadRecord(f"the log of table {id_} is damaged, so nothing was changed: {error}") from error
                await self.tell(connection, LISTS, id_)
            await rate_anew(connection)
        return len(ids)

    async def cards_of(self, number: int, game: str) -> list[str]:
        """Return the names of the cards that a player owns in a game, in the order in which they came."""
        return [card.name for card in await OwnedCollections(self).of_player(number, game)]

    async def table_with_cards(self, number: int, game: str) -> str | None:
        """Return a table at which a player plays with their own cards, and whose game is not over; None if none is."""
        return await OwnedCollections(self).in_play(number, game)

    async def entries(self, table: str) -> list[LogEntry]:
        """Return all entries of a table's log."""
        return [LogEntry(*row) for row in await self.rows(_ENTRIES.where(LogRow.table == table))]

    async def entries_but_moves(self, tables: Collection[str]) -> list[LogEntry]:
        """Return the entries of these logs that tell of the tables and their seats, without those of the play."""
        asked = _ENTRIES.where(LogRow.table.in_(tables), LogRow.kind.not_in((MOVED, UNDONE)))
        return [LogEntry(*row) for row in await self.rows(asked)]

    async def lengths(self, tables: Collection[str]) -> dict[str, int]:
        """Return the place of the last entry in the log of each of these tables."""
        asked = select(LogRow.table, func.max(LogRow.seq)).where(LogRow.table.in_(tables)).group_by(LogRow.table)
        return dict(await self.rows(asked)) if tables else {}

    async def new_entries(self, table: str, after: int) -> list[LogEntry]:
        """Return the entries of a table's log that follow place `after`, if other processes can have written some."""
        return await self._news.entries(table, after) if self.is_shared else []


_ENTRIES = select(LogRow.__table__).order_by(LogRow.seq)


def _stored(row: object, names: Iterable[str]) -> Mapping[str, object]:
    return {name: getattr(row, name) for name in names}
