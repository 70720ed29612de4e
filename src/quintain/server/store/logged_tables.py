"""Reading logs without opening a store: for commands that only look, while a server of any version may run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, inspect, select

from quintain.engine.errors import QuintainError
from quintain.server.model.entries import LogEntry
from quintain.server.store.addresses import Address, sync_engine
from quintain.server.store.database import DatabaseError
from quintain.server.store.schema import LogRow, PlayerRow
from quintain.server.store.upgrades import TOO_OLD, is_too_old


class LoggedTables:
    """The logs in a database."""

    def __init__(self, connection: Connection):
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, address: Address) -> Iterator[LoggedTables]:
        """Open a database to read its logs; raises QuintainError if it has none, is too old, or cannot be read."""
        try:
            with sync_engine(address).connect() as connection:
                if not inspect(connection).has_table(LogRow.__tablename__):
                    raise QuintainError("this database holds no logs of tables that could be checked")
                if is_too_old(connection):
                    raise QuintainError(f"this database {TOO_OLD}")
                yield cls(connection)
        except DatabaseError as error:
            raise QuintainError(f"this database cannot be read: {getattr(error, 'orig', error)}") from error

    def of_kinds(self, kinds: Collection[str]) -> list[LogEntry]:
        """Return the entries of some kinds in all logs, in the order of their places."""
        asked = select(LogRow.__table__).where(LogRow.kind.in_(kinds)).order_by(LogRow.seq)
        return [LogEntry(*row) for row in self._connection.execute(asked)]

    def entries(self, table: str) -> list[LogEntry]:
        """Return the log of a table."""
        asked = select(LogRow.__table__).where(LogRow.table == table).order_by(LogRow.seq)
        return [LogEntry(*row) for row in self._connection.execute(asked)]

    def names(self, numbers: Collection[int]) -> Sequence[str]:
        """Return the names of some players, which are empty for those who have none."""
        named = select(PlayerRow.name).where(PlayerRow.number.in_(numbers)).order_by(PlayerRow.number)
        return [name or "" for name in self._connection.scalars(named)]
