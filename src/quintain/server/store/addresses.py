"""Where a server keeps its data: a SQLite file, or a PostgreSQL database that several processes share.

`database.py` connects to it for the server; `upgrades.py`, `health.py` and the commands connect for short work.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, NullPool, create_engine, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from quintain.engine.errors import BadOption, quoted

Address = Path | URL
"""The path of a SQLite file, or the URL of a PostgreSQL database."""
DRIVER = "postgresql+psycopg"
WANTED = f"give the path of a file, or {DRIVER}://USER:PASSWORD@HOST/NAME"
ON_POSTGRESQL = {
    "options": "-c synchronous_commit=on",
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""What every connection to PostgreSQL sets: committed data is on disk, and we notice soon if the network is gone."""


def read_address(text: str) -> Address:
    """Return the address that somebody wrote as a path or a URL; raises BadOption."""
    if "://" not in text:
        return Path(text).expanduser()
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise BadOption(f"the address of the database cannot be read; {WANTED}") from error
    if url.drivername not in ("postgres", "postgresql", DRIVER):
        raise BadOption(f"there is no database of the kind {quoted(url.drivername)} here; {WANTED}")
    if not url.database:
        raise BadOption(f"the address {url} names no database; {WANTED}")
    return url.set(drivername=DRIVER)


def is_shared(address: Address) -> bool:
    """Tell whether several processes may serve this database at the same time."""
    return isinstance(address, URL)


def sync_engine(address: Address, patience: float = 5.0) -> Engine:
    """Return an engine for short work in this thread: it opens a connection for each transaction, and keeps none.

    A transaction waits `patience` seconds at most for another one that holds a SQLite file. The file must exist.
    """
    if isinstance(address, URL):
        return create_engine(address, poolclass=NullPool, connect_args=ON_POSTGRESQL)
    file = address.absolute().as_uri()
    url = URL.create("sqlite", database=file, query={"mode": "rw", "uri": "true"})
    return create_engine(url, poolclass=NullPool, connect_args={"timeout": patience})


class KeptConnection:
    """A connection for the statements that are made most: `log_writer.py` gives them to the driver itself."""

    def __init__(self, engine: AsyncEngine):
        self.engine = engine
        self._connection: AsyncConnection | None = None

    async def driver(self) -> Any:
        """Return the driver's connection, which is opened first if there is none."""
        if self._connection is None:
            self._connection = await self.engine.connect()
        return (await self._connection.get_raw_connection()).driver_connection

    async def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def drop(self) -> None:
        """Close the connection after an error; the next statement opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                await connection.invalidate()
                await connection.close()
