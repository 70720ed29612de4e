"""The connection to the database, SQLite or PostgreSQL: its pool, its settings, and how it closes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, TypeVarTuple, cast

from sqlalchemy import URL, AsyncAdaptedQueuePool, ColumnElement, Double, Executable, Row, event, literal_column, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.sql.selectable import TypedReturnsRows

from quintain.server.slices import unbroken
from quintain.server.store.addresses import ON_POSTGRESQL, Address, is_shared
from quintain.server.store.notifications import notify
from quintain.server.store.schema import Base, GenerationRow

CONNECTIONS, TO_A_FILE = 6, 6
"""The most connections of a process to PostgreSQL, apart from the one that listens, and to a file of SQLite."""
CLOSING = 5.0
"""Seconds at most for which a store that closes waits for queries that still run."""
DATABASE_CLOCK: ColumnElement[float] = literal_column("extract(epoch FROM clock_timestamp())::float8", Double())
"""The time by PostgreSQL's clock."""
DatabaseError = SQLAlchemyError
"""The base of all errors of the database."""
UNAVAILABLE = (DatabaseError, OSError)
"""The errors that say that the database does not answer."""
Insert = postgresql.Insert | sqlite.Insert
"""An INSERT that knows ON CONFLICT: the two dialects write it alike, but share no type."""
Value = TypeVar("Value")
Columns = TypeVarTuple("Columns")


class Database:
    """The database at an address, with its engine."""

    unavailable = UNAVAILABLE

    def __init__(self, address: Address):
        self.is_shared = is_shared(address)
        """Whether other processes may write to the database as well."""
        self.engine = create_async_engine(
            URL.create("sqlite+aiosqlite", database=str(address)) if isinstance(address, Path) else address,
            pool_size=CONNECTIONS if self.is_shared else TO_A_FILE,
            max_overflow=0,
            pool_pre_ping=self.is_shared,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            connect_args=ON_POSTGRESQL if self.is_shared else {},
        )
        self.together = self.engine.execution_options(
            isolation_level="READ COMMITTED" if self.is_shared else "SERIALIZABLE"
        )
        """The engine for transactions; with `engine` every statement is committed at once."""
        if not self.is_shared:
            event.listen(self.engine.sync_engine, "connect", _set_sqlite_up)

    def count_connections(self, count: Callable[[int], None]) -> None:
        """Call `count` with 1 whenever a query takes a connection, and with -1 when it gives the connection back."""
        event.listen(self.engine.sync_engine, "checkout", lambda *_: count(1))
        event.listen(self.engine.sync_engine, "checkin", lambda *_: count(-1))

    async def _close(self) -> None:
        """Close all connections, once the queries that still run have given theirs back; a pool closes no others."""
        pool = cast(AsyncAdaptedQueuePool, self.engine.pool)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                while pool.checkedout():
                    await asyncio.sleep(0.01)
        await self.engine.dispose()

    def insert(self, model: type[Base]) -> Insert:
        """Return an INSERT that knows ON CONFLICT, for this database."""
        return insert(model, self.is_shared)

    async def rows(self, asked: TypedReturnsRows[*Columns]) -> Sequence[Row[*Columns]]:
        """Return the rows of a query."""

        async def query() -> Sequence[Row[*Columns]]:
            async with self.engine.connect() as connection:
                return (await connection.execute(asked)).all()

        return await unbroken(query())

    async def values(self, asked: TypedReturnsRows[Value]) -> Sequence[Value]:
        """Return the values of a query for one column."""
        return [row[0] for row in await self.rows(asked)]

    async def value(self, asked: TypedReturnsRows[Value]) -> Value | None:
        """Return the first value of a query for one column; None if it finds no row."""
        found = await self.values(asked)
        return found[0] if found else None

    async def do(self, *statements: Executable) -> int:
        """Carry out statements one after another, and return how many rows they changed.

        The database commits each at once.
        """

        async def carry_out() -> int:
            async with self.engine.connect() as connection:
                return sum([(await connection.execute(statement)).rowcount for statement in statements])

        return await unbroken(carry_out())

    async def tell(self, connection: AsyncConnection, channel: str, words: str) -> None:
        """Tell the other processes something, if there are any, once the transaction of a connection is committed."""
        if self.is_shared:
            await notify(connection, channel, words)

    async def generation(self) -> int:
        """Return how many backups have been put in the place of this database."""
        return await self.value(select(GenerationRow.generation)) or 0


def insert(model: type[Base], is_postgresql: bool) -> Insert:
    """Return an INSERT that knows ON CONFLICT, for either database."""
    return postgresql.insert(model) if is_postgresql else sqlite.insert(model)


def _set_sqlite_up(connection: DBAPIConnection, _: object) -> None:
    """Set SQLite up so that readers never wait for a writer, and that committed data is on disk."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
