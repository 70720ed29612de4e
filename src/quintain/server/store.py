"""The database: players, tables, seats, and the log of every table.

The log is the truth about a game; `tables.py` writes to it and replays it. An entry's place, (table, seq), is the
primary key: if two entries claim one place, the database takes the first and refuses the second.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import aiosqlite
from alembic import command
from alembic.config import Config
from sqlalchemy import JSON, ColumnElement, Connection, ForeignKey, event, exists, func, insert, select, update
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from quintain.server.clock import now
from quintain.server.private import keep_private

MIGRATIONS = Path(__file__).parent / "migrations"
WAITING, PLAYING, OVER = "waiting", "playing", "over"


class Base(DeclarativeBase):
    """Base class of the database's tables. All times are seconds since 1970."""

    type_annotation_map = {dict[str, object]: JSON(none_as_null=True)}  # noqa: RUF012


class HouseRow(Base):
    """A table with one row: the key that signs cookies, links and forms."""

    __tablename__ = "house"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]


class HealthRow(Base):
    """A table with one row, which `health.py` writes to check that the database works: the time of the last check."""

    __tablename__ = "health"
    id: Mapped[int] = mapped_column(primary_key=True)
    written: Mapped[float]


class PlayerRow(Base):
    """A player: somebody with a name and a signed cookie."""

    __tablename__ = "players"
    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    made: Mapped[float]


class TableRow(Base):
    """A table of a game, as stored."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    version: Mapped[int]
    options: Mapped[dict[str, object]]
    seed: Mapped[str]
    clock: Mapped[str]
    speed: Mapped[str]
    private: Mapped[bool]
    status: Mapped[str] = mapped_column(index=True)
    made: Mapped[float] = mapped_column(index=True)
    begun: Mapped[float | None]
    rematch: Mapped[str | None]
    record: Mapped[dict[str, object] | None]
    lesson: Mapped[int | None]


class SeatRow(Base):
    """A seat, as stored."""

    __tablename__ = "seats"
    table: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None]
    bot: Mapped[str | None]
    player: Mapped[str | None] = mapped_column(ForeignKey("players.id"), index=True)
    stand_in: Mapped[bool]
    moved: Mapped[int]


class LogRow(Base):
    """An entry of a table's log, as stored."""

    __tablename__ = "entries"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    table: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    kind: Mapped[str]
    text: Mapped[str]
    at: Mapped[float]


@dataclass(slots=True)
class StoredTable:
    """A table: all that is agreed before play, its status, and the record once the game is over.

    `rematch` is the id of the table at which the same seats play again. `lesson` is how many steps of its game's lesson
    are done there; None if it is no lesson, or its learner has left the lesson.
    """

    id: str
    game: str
    version: int
    options: dict[str, object]
    seed: str
    clock: str
    speed: str
    private: bool
    status: str
    made: float
    begun: float | None = None
    rematch: str | None = None
    record: dict[str, object] | None = None
    lesson: int | None = None


@dataclass(slots=True)
class Seat:
    """A seat: empty, a person's, or a bot's. While `stand_in` is set, a bot plays on for a person who left.

    `moved` counts how often the seat has moved from one device to another.
    """

    table: str
    seat: int
    name: str | None = None
    bot: str | None = None
    player: str | None = None
    stand_in: bool = False
    moved: int = 0


class LogEntry(NamedTuple):
    """One entry of a table's log; `kind` is move, undo, resign, stand-in or returned.

    `text` holds the words of a move, with ``seat 0`` in the place of a name, or the name of the bot that stands in.
    `seq` is its place in the log, from 1. `at` is the time when the server took it.
    """

    table: str
    seq: int
    seat: int
    kind: str
    text: str
    at: float


class Learned(NamedTuple):
    """What a player knows of a game: whether they have played it, and the most steps done in a lesson (None: none)."""

    played: bool
    steps: int | None


Seated = tuple[StoredTable, list[Seat]]
"""A table and its seats in order."""
ADD_ENTRIES = """
    INSERT INTO entries ("table", seq, seat, kind, text, at)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
           json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')
    FROM json_each(?) WHERE true
    ON CONFLICT DO NOTHING RETURNING "table", seq
"""
"""Adds the entries whose places are free, and returns these places."""


class Store:
    """The database. `Store.open` opens one."""

    def __init__(self, url: str):
        self.engine = create_async_engine(
            url, pool_size=2, max_overflow=0, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True
        )
        self.together = self.engine.execution_options(isolation_level="SERIALIZABLE")
        """The engine for transactions; with `engine` every statement is committed at once."""
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine.sync_engine, "connect", _set_sqlite_up)
        self.key = ""
        self._log: aiosqlite.Connection
        self._waiting: list[tuple[LogEntry, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path) -> AsyncIterator[Store]:
        """Open the database at a path. If it is missing or old, make it or bring it up to date first."""
        keep_private(path)
        store = cls(f"sqlite+aiosqlite:///{path}")
        try:
            async with store.together.begin() as connection:
                await connection.run_sync(migrate)
                store.key = await _read_key(connection)
            async with store.engine.connect() as connection:
                driver = (await connection.get_raw_connection()).driver_connection
                assert isinstance(driver, aiosqlite.Connection)
                store._log = driver
                yield store
        finally:
            await store.engine.dispose()

    async def player_name(self, player: str) -> str | None:
        """Return a player's name; None for an unknown player."""
        async with self.engine.connect() as connection:
            name: str | None = await connection.scalar(select(PlayerRow.name).where(PlayerRow.id == player))
            return name

    async def name_player(self, player: str, name: str) -> None:
        """Give a player a name, or change it."""
        async with self.together.begin() as connection:
            named = await connection.execute(update(PlayerRow).where(PlayerRow.id == player).values(name=name))
            if not named.rowcount:
                await connection.execute(insert(PlayerRow).values(id=player, name=name, made=now()))

    async def add_table(
        self,
        table: StoredTable,
        seats: Iterable[Seat],
        rematch_of: str | None = None,
        entries: Sequence[LogEntry] = (),
    ) -> str:
        """Add a table and return its id; if the table `rematch_of` has a rematch already, return the id of that.

        `entries` are those with which its log begins.
        """
        async with self.together.begin() as connection:
            if rematch_of:
                free = (TableRow.id == rematch_of) & TableRow.rematch.is_(None)
                linked = await connection.execute(update(TableRow).where(free).values(rematch=table.id))
                if not linked.rowcount:
                    there = await connection.scalar(select(TableRow.rematch).where(TableRow.id == rematch_of))
                    return str(there)
            await connection.execute(insert(TableRow).values(_values(table)))
            await connection.execute(insert(SeatRow), [_values(seat) for seat in seats])
            if entries:
                await connection.execute(insert(LogRow), [entry._asdict() for entry in entries])
        return table.id

    async def table(self, id_: str) -> Seated | None:
        """Return a table and its seats in order; None if it does not exist."""
        found = await self._tables(TableRow.id == id_, 1)
        return found[0] if found else None

    async def open_tables(self, since: float, most: int) -> list[Seated]:
        """Return public tables made since a time at which somebody waits for players, at most `most`, newest first."""
        waited_at = exists().where((SeatRow.table == TableRow.id) & SeatRow.player.is_not(None))
        is_open = (TableRow.status == WAITING) & TableRow.private.is_(False) & (TableRow.made > since)
        return await self._tables(is_open & waited_at, most)

    async def tables_of(self, players: Collection[str], most: int) -> dict[str, list[Seated]]:
        """Return the unfinished tables of each player, at most `most` for each, newest first."""
        newest = func.row_number().over(partition_by=SeatRow.player, order_by=TableRow.made.desc())
        seated = SeatRow.player.in_(players) & (TableRow.status != OVER)
        ranked = select(SeatRow.player, SeatRow.table, newest.label("place")).join(TableRow).where(seated).subquery()
        async with self.engine.connect() as connection:
            listed = select(ranked.c.player, ranked.c.table).where(ranked.c.place <= most)
            theirs = [(player, table) for player, table in await connection.execute(listed)]
        found = await self._tables(TableRow.id.in_({table for _, table in theirs})) if theirs else []
        sits = set(theirs)
        return {
            player: [(table, seats) for table, seats in found if (player, table.id) in sits] for player in dict(theirs)
        }

    async def learned(self, player: str) -> dict[str, Learned]:
        """Return what a player knows of each game that they have sat down to."""
        sat = (SeatRow.player == player) & (TableRow.status != WAITING)
        asked = select(TableRow.game, TableRow.lesson, TableRow.status).join(SeatRow).where(sat).distinct()
        known: dict[str, Learned] = {}
        async with self.engine.connect() as connection:
            for game, steps, status in await connection.execute(asked):
                before = known.get(game, Learned(False, None))
                most = max((each for each in (steps, before.steps) if each is not None), default=None)
                known[game] = Learned(before.played or steps is None or status == OVER, most)
        return known

    async def lesson_of(self, player: str, game: str, steps: int) -> str | None:
        """Return the id of a player's newest table where fewer than so many steps of a game's lesson are done."""
        runs = (TableRow.game == game) & (TableRow.status == PLAYING) & (TableRow.lesson < steps)
        asked = select(TableRow.id).join(SeatRow).where(runs & (SeatRow.player == player))
        async with self.engine.connect() as connection:
            found: str | None = await connection.scalar(asked.order_by(TableRow.made.desc()).limit(1))
            return found

    async def tables_played_without_people(self, since: float) -> list[str]:
        """Return the ids of tables in play, begun since a time, that have bots or clocks."""
        acting = select(SeatRow.table).where(SeatRow.bot.is_not(None) | SeatRow.stand_in)
        alone = TableRow.id.in_(acting) | (TableRow.clock != "none")
        async with self.engine.connect() as connection:
            asked = select(TableRow.id).where((TableRow.status == PLAYING) & (TableRow.begun > since) & alone)
            return list(await connection.scalars(asked))

    async def change_table(self, id_: str, **values: object) -> None:
        """Change columns of a table."""
        async with self.engine.connect() as connection:
            await connection.execute(update(TableRow).where(TableRow.id == id_).values(values))

    async def change_seat(self, seat: Seat, holder: str | None, **values: object) -> bool:
        """Change columns of a seat if it still belongs to `holder` (None: to nobody); return whether it did."""
        still = (SeatRow.table == seat.table) & (SeatRow.seat == seat.seat) & SeatRow.bot.is_(None)
        still &= SeatRow.player.is_(None) if holder is None else SeatRow.player == holder
        async with self.engine.connect() as connection:
            return bool((await connection.execute(update(SeatRow).where(still).values(values))).rowcount)

    async def add_entry(self, entry: LogEntry) -> bool:
        """Write an entry at its place in the log; False if that place is taken.

        Entries that come while others are being written are written together in the next batch.
        """
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, written))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await written

    async def _write(self) -> None:
        """Write all waiting entries, batch by batch. Two entries for one place go into different batches."""
        while self._waiting:
            batch: dict[tuple[str, int], tuple[LogEntry, asyncio.Future[bool]]] = {}
            waiting, self._waiting = self._waiting, []
            for entry, written in waiting:
                if batch.setdefault((entry.table, entry.seq), (entry, written))[0] is not entry:
                    self._waiting.append((entry, written))
            try:
                rows = json.dumps([entry for entry, _ in batch.values()])
                places = set(await self._log.execute_fetchall(ADD_ENTRIES, (rows,)))
            except Exception as error:
                for _, written in batch.values():
                    if not written.cancelled():
                        written.set_exception(error)
                continue
            for place, (_, written) in batch.items():
                if not written.cancelled():
                    written.set_result(place in places)
        self._writing = None

    async def entries(self, table: str, after: int = 0) -> list[LogEntry]:
        """Return the entries of a table's log that follow place `after`."""
        asked = select(LogRow.__table__).where((LogRow.table == table) & (LogRow.seq > after)).order_by(LogRow.seq)
        async with self.engine.connect() as connection:
            return [LogEntry(*row) for row in await connection.execute(asked)]

    async def _tables(self, which: ColumnElement[bool], most: int | None = None) -> list[Seated]:
        asked = select(TableRow.__table__).where(which).order_by(TableRow.made.desc()).limit(most)
        async with self.engine.connect() as connection:
            tables = [StoredTable(*row) for row in await connection.execute(asked)]
            ids = [table.id for table in tables]
            theirs = select(SeatRow.__table__).where(SeatRow.table.in_(ids)).order_by(SeatRow.seat)
            seats = [Seat(*row) for row in await connection.execute(theirs)]
        by_table: dict[str, list[Seat]] = {id_: [] for id_ in ids}
        for seat in seats:
            by_table[seat.table].append(seat)
        return [(table, by_table[table.id]) for table in tables]


def migrate(connection: Connection) -> None:
    """Bring the database up to the newest migration, wholly or not at all."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # Python's driver opens no transaction to make or change tables.
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def _read_key(connection: AsyncConnection) -> str:
    key = await connection.scalar(select(HouseRow.key))
    if key is None:
        key = secrets.token_hex(32)
        await connection.execute(insert(HouseRow).values(id=1, key=key))
    return str(key)


def _set_sqlite_up(connection: DBAPIConnection, _: object) -> None:
    """Set SQLite up so that readers never wait for a writer, and that committed data is on disk."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _values(row: StoredTable | Seat) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__slots__}
