"""The database: players, the log of every table, and the rows that list tables and seats.

The log is the truth about a table. An entry's place, (table, seq), is the primary key: if two entries claim one place,
the database takes the first and refuses the second. The rows that list tables and seats follow from the log
(`entries.py`); they change in the same transaction as it, and `rebuild` makes them anew. So do the counts of what
wins (`counts.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    AsyncAdaptedQueuePool,
    ColumnElement,
    Connection,
    Double,
    delete,
    event,
    exists,
    func,
    insert,
    inspect,
    literal_column,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from quintain.engine.errors import BadRecord
from quintain.server.clock import now, set_clock
from quintain.server.http.costs import count_connection
from quintain.server.log.entries import (
    CLOSED,
    MOVED,
    OVER,
    PLAYING,
    UNDONE,
    WAITING,
    Folded,
    LogEntry,
    Seat,
    TableRow,
    fold,
)
from quintain.server.log.results import PlayedSeat, played
from quintain.server.log.seating import Person, numbers_of, seat_people
from quintain.server.metrics import WRITES, timed
from quintain.server.people.players import browser_of
from quintain.server.private import keep_private
from quintain.server.store.addresses import Address, async_url, connect_args, is_shared
from quintain.server.store.finished_games import TALLIED, tallied
from quintain.server.store.keys import make_missing_keys
from quintain.server.store.log_writer import ADD_ONE, LogReader, LogWriter
from quintain.server.store.notifications import ENTRIES, LISTS, PLAYERS, notify
from quintain.server.store.schema import (
    Base,
    CountRow,
    DeviceRow,
    HouseRow,
    ListedSeat,
    ListedTable,
    LogRow,
    PlayedRow,
    PlayerRow,
    TallyRow,
)
from quintain.server.store.standings import rate_anew, rate_game
from quintain.server.store.win_counts import counts

MIGRATIONS = Path(__file__).parent / "migrations"
SEATED = ("table", "seat", "number", "bot", "stand_in", "moved", "since", "stranger")
"""The parts of a seat that are stored."""
PLAYED = tuple(name for name in PlayedSeat.__slots__ if name != "change")
"""The parts of a seat of a finished game that follow from its log alone."""
COUNTED_BY = ("game", "seats", "kind", "key", "bot")
"""The key of a count."""
REBUILT = "entries, tables, seats, played, ratings, counts, tallies"
"""The tables that `rebuild` reads and writes."""
CONNECTIONS, TO_A_FILE = 6, 6
"""The most connections of a process to PostgreSQL, apart from the one that listens, and to a file of SQLite."""
CLOSING = 5.0
"""Seconds at most for which a store that closes waits for queries that still run."""
MIGRATING = 0x5175696E
"""The number of the lock that a process holds while it brings a PostgreSQL database up to date."""
DATABASE_CLOCK: ColumnElement[float] = literal_column("extract(epoch FROM clock_timestamp())::float8", Double())
"""The time by PostgreSQL's clock."""
log = logging.getLogger("quintain.server")
logging.getLogger("alembic").setLevel(logging.WARNING)  # `migrate` says in a sentence what its lines say


class Learned(NamedTuple):
    """What a player knows of a game: whether they have played it, and the most steps done in a lesson (None: none)."""

    played: bool
    steps: int | None


Seated = tuple[TableRow, list[Seat]]
"""A table and its seats in order."""


class Store:
    """The database. `Store.open` opens one."""

    def __init__(self, address: Address):
        self.is_shared = is_shared(address)
        """Whether other processes may write to the database as well."""
        self.engine = create_async_engine(
            async_url(address),
            pool_size=CONNECTIONS if self.is_shared else TO_A_FILE,
            max_overflow=0,
            pool_pre_ping=self.is_shared,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            connect_args=connect_args(address),
        )
        self.together = self.engine.execution_options(
            isolation_level="READ COMMITTED" if self.is_shared else "SERIALIZABLE"
        )
        """The engine for transactions; with `engine` every statement is committed at once."""
        if not self.is_shared:
            event.listen(self.engine.sync_engine, "connect", _set_sqlite_up)
        event.listen(self.engine.sync_engine, "checkout", lambda *_: count_connection(1))
        event.listen(self.engine.sync_engine, "checkin", lambda *_: count_connection(-1))
        self._log, self._news = LogWriter(self.engine), LogReader(self.engine)

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
            await store._close()

    async def _close(self) -> None:
        """Close all connections, once the queries that still run have given theirs back; a pool closes no others."""
        await self._log.close()
        await self._news.close()
        pool = cast(AsyncAdaptedQueuePool, self.engine.pool)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                while pool.checkedout():
                    await asyncio.sleep(0.01)
        await self.engine.dispose()

    async def player(self, id_: str) -> Person | None:
        """Return a player; None if nobody has this id."""
        async with self.engine.connect() as connection:
            found = (await connection.execute(_PERSON.where(PlayerRow.id == id_))).one_or_none()
        return _person(*found) if found else None

    async def player_name(self, id_: str) -> str | None:
        """Return a player's name; None for an unknown player."""
        found = await self.player(id_)
        return found.name if found else None

    async def persons(self, numbers: Collection[int]) -> dict[int, Person]:
        """Return players by their numbers."""
        if not numbers:
            return {}
        async with self.engine.connect() as connection:
            rows = await connection.execute(_PERSON.where(PlayerRow.number.in_(numbers)))
            return {row.number: _person(*row) for row in rows}

    async def came_and_went(self, number: int) -> tuple[float, float | None]:
        """Return when a player first came, and when they were deleted; None if they are still here."""
        async with self.engine.connect() as connection:
            asked = select(PlayerRow.made, PlayerRow.gone).where(PlayerRow.number == number)
            made, gone = (await connection.execute(asked)).one()
            return made, gone

    async def are_gone(self, numbers: Collection[int]) -> bool:
        """Tell whether one of some players has been deleted."""
        async with self.engine.connect() as connection:
            asked = select(exists().where(PlayerRow.number.in_(numbers), PlayerRow.gone.is_not(None)))
            return bool(await connection.scalar(asked))

    async def session_of(self, number: int) -> int:
        """Return the number of a player's session."""
        async with self.engine.connect() as connection:
            asked = select(PlayerRow.session).where(PlayerRow.number == number)
            return int((await connection.execute(asked)).scalar_one())

    async def name_player(self, id_: str, name: str) -> int:
        """Give a player a name, or change it; return the player's number."""
        added = self.insert(PlayerRow).values(id=id_, name=name, made=now(), named=now())
        named = added.on_conflict_do_update(
            index_elements=[PlayerRow.id], set_={"name": name, "named": added.excluded.named}
        )
        async with self.together.begin() as connection:
            number = int((await connection.execute(named.returning(PlayerRow.number))).scalar_one())
            if self.is_shared:
                await notify(connection, PLAYERS, str(number))
        return number

    async def table(self, id_: str) -> Seated | None:
        """Return a table and its seats in order; None if it does not exist."""
        found = await self._tables(ListedTable.id == id_, 1)
        return found[0] if found else None

    async def open_tables(self, since: float, most: int) -> list[Seated]:
        """Return public tables made since a time at which somebody waits for players, at most `most`, newest first."""
        waited_at = exists().where((ListedSeat.table == ListedTable.id) & ListedSeat.number.is_not(None))
        is_open = (ListedTable.status == WAITING) & ListedTable.private.is_(False) & (ListedTable.made > since)
        return await self._tables(is_open & waited_at & _HAS_ROOM, most)

    async def public_in_play(self, since: float, most: int) -> list[Seated]:
        """Return public games of people that have begun since a time and are in play, at most `most`, newest first."""
        person_at = exists().where((ListedSeat.table == ListedTable.id) & ListedSeat.number.is_not(None))
        runs = (ListedTable.status == PLAYING) & ListedTable.private.is_(False) & (ListedTable.begun > since)
        return await self._tables(runs & person_at, most)

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
        async with self.engine.connect() as connection:
            listed = select(ranked.c.id, ranked.c.table).where(ranked.c.place <= most)
            theirs = [(player, table) for player, table in await connection.execute(listed)]
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
        async with self.engine.connect() as connection:
            for game, steps, status in await connection.execute(asked.distinct()):
                before = known.get(game, Learned(False, None))
                most = max((each for each in (steps, before.steps) if each is not None), default=None)
                known[game] = Learned(before.played or steps is None or status == OVER, most)
        return known

    async def lesson_of(self, player: str, game: str, steps: int) -> str | None:
        """Return the id of a player's newest table where fewer than so many steps of a game's lesson are done."""
        runs = (ListedTable.game == game) & (ListedTable.status == PLAYING) & (ListedTable.lesson < steps)
        asked = select(ListedTable.id).select_from(_SITTING).where(runs & (PlayerRow.id == player))
        async with self.engine.connect() as connection:
            found: str | None = await connection.scalar(asked.order_by(ListedTable.made.desc()).limit(1))
            return found

    async def tables_played_without_people(self, since: float) -> list[str]:
        """Return the ids of tables, since a time, at which a bot's move, a time-out or the deal may be due."""
        async with self.engine.connect() as connection:
            return list(await connection.scalars(select(ListedTable.id).where(is_played_without_people(since))))

    async def players_at(self, tables: Collection[str]) -> set[str]:
        """Return the ids of the players who sit at some tables."""
        asked = select(PlayerRow.id).select_from(_SITTING).where(ListedTable.id.in_(tables))
        async with self.engine.connect() as connection:
            return set(await connection.scalars(asked))

    @timed(WRITES)
    async def add(self, entries: Sequence[LogEntry], listed: Iterable[Folded] = ()) -> bool:
        """Write entries at their places, all or none; False if a place is taken, or the one before it empty.

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
            if self.is_shared:
                places = {entry.table: entry.seq for entry in entries}
                for table, seq in places.items():
                    await notify(connection, ENTRIES, f"{table} {seq}")
                for folded in listed:
                    await notify(connection, LISTS, folded.row.id)
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

    def insert(self, model: type[Base]) -> Any:
        """Return an INSERT that knows ON CONFLICT; the two dialects write it alike, but share no type."""
        return (postgresql if self.is_shared else sqlite).insert(model)

    async def generation(self) -> int:
        """Return how many backups have been put in the place of this database."""
        async with self.engine.connect() as connection:
            return int(await connection.scalar(select(HouseRow.generation)) or 0)

    async def rebuild(self) -> int:
        """Make the rows that list tables and seats anew from all logs, in one transaction; return how many tables.

        Raises BadRecord, which names the table, for a log that is damaged; then nothing changes.
        """
        async with self.together.begin() as connection:
            if self.is_shared:
                await connection.execute(text(f"LOCK TABLE {REBUILT} IN SHARE ROW EXCLUSIVE MODE"))
            await connection.execute(delete(TallyRow))
            await connection.execute(delete(CountRow))
            await connection.execute(delete(PlayedRow))
            await connection.execute(delete(ListedSeat))
            await connection.execute(delete(ListedTable))
            ids = list(await connection.scalars(select(LogRow.table).distinct()))
            for id_ in ids:
                rows = await connection.execute(_ENTRIES.where(LogRow.table == id_))
                try:
                    folded = fold([LogEntry(*row) for row in rows])
                    await self._list(connection, folded)
                    await self._count(connection, folded)
                except (BadRecord, LookupError, TypeError, ValueError) as error:
                    raise BadRecord(f"the log of table {id_} is damaged, so nothing was changed: {error}") from error
                if self.is_shared:
                    await notify(connection, LISTS, id_)
            await rate_anew(connection)
        return len(ids)

    async def entries(self, table: str) -> list[LogEntry]:
        """Return all entries of a table's log."""
        async with self.engine.connect() as connection:
            return [LogEntry(*row) for row in await connection.execute(_ENTRIES.where(LogRow.table == table))]

    async def entries_but_moves(self, tables: Collection[str]) -> list[LogEntry]:
        """Return the entries of these logs that tell of the tables and their seats, without those of the play."""
        asked = _ENTRIES.where(LogRow.table.in_(tables), LogRow.kind.not_in((MOVED, UNDONE)))
        async with self.engine.connect() as connection:
            return [LogEntry(*row) for row in await connection.execute(asked)]

    async def alike(self, numbers: Collection[int]) -> set[int]:
        """Return those of some players who share a browser or an address with another of them."""
        asked = select(DeviceRow.number, DeviceRow.id, DeviceRow.address).where(DeviceRow.number.in_(numbers))
        owners: dict[str, set[int]] = {}
        async with self.engine.connect() as connection:
            for number, device, address in await connection.execute(asked):
                for sign in filter(None, (browser_of(device), address)):
                    owners.setdefault(sign, set()).add(number)
        return set().union(*(shared for shared in owners.values() if len(shared) > 1))

    async def lengths(self, tables: Collection[str]) -> dict[str, int]:
        """Return the place of the last entry in the log of each of these tables."""
        asked = select(LogRow.table, func.max(LogRow.seq)).where(LogRow.table.in_(tables)).group_by(LogRow.table)
        async with self.engine.connect() as connection:
            return dict((await connection.execute(asked)).all()) if tables else {}

    async def new_entries(self, table: str, after: int) -> list[LogEntry]:
        """Return the entries of a table's log that follow place `after`, if other processes can have written some."""
        return await self._news.entries(table, after) if self.is_shared else []

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


_PERSON = select(PlayerRow.number, PlayerRow.id, PlayerRow.name, PlayerRow.named)
_SITTING = ListedTable.__table__.join(ListedSeat.__table__).join(PlayerRow.__table__)
_ENTRIES = select(LogRow.__table__).order_by(LogRow.seq)
_IS_EMPTY = ListedSeat.number.is_(None) & ListedSeat.bot.is_(None) & (ListedSeat.stranger == "")
_HAS_ROOM = exists().where((ListedSeat.table == ListedTable.id) & _IS_EMPTY)


def is_played_without_people(since: float) -> ColumnElement[bool]:
    """Return the condition for tables, since a time, at which a bot's move, a time-out or the deal may be due."""
    acting = select(ListedSeat.table).where(ListedSeat.bot.is_not(None) | ListedSeat.stand_in)
    alone = ListedTable.id.in_(acting) | (ListedTable.clock != "none")
    runs = (ListedTable.status == PLAYING) & (ListedTable.begun > since) & alone
    return runs | (ListedTable.status == WAITING) & (ListedTable.made > since) & ~_HAS_ROOM


def _person(number: int, id_: str, name: str | None, named: float) -> Person:
    return Person(number, id_, name or f"Player {number}", named)


def _stored(row: object, names: Iterable[str]) -> Mapping[str, object]:
    return {name: getattr(row, name) for name in names}


def revisions() -> list[str]:
    """Return the names of all migrations, the newest first."""
    return [each.revision for each in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]


def foreign_table(connection: Connection) -> str | None:
    """Return the name of a table in a database that another program has made; None if it is Quintain's, or empty."""
    names = sorted(inspect(connection).get_table_names())
    return names[0] if names and ListedTable.__tablename__ not in names else None


def is_newer(connection: Connection) -> bool:
    """Tell whether a newer version of Quintain has made a database: this one lacks its last migration."""
    last = MigrationContext.configure(connection).get_current_revision()
    return last is not None and last not in revisions()


def migrate(connection: Connection, begins: bool = True) -> None:
    """Bring the database up to the newest migration, wholly or not at all.

    If it does not begin a transaction, it goes on with the one that the caller has begun.
    """
    if connection.dialect.name == "sqlite":
        if begins:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # Python's driver opens none to make or change tables.
    else:
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    before = MigrationContext.configure(connection).get_current_revision()
    command.upgrade(config, "head")
    if before != (now_at := revisions()[0]):
        words = "the database was brought up to date" if before else "the database was made"
        where = connection.engine.url.render_as_string(hide_password=True)
        log.info(words, extra={"database": where, "migration": now_at, "before": before})


def _set_sqlite_up(connection: DBAPIConnection, _: object) -> None:
    """Set SQLite up so that readers never wait for a writer, and that committed data is on disk."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
