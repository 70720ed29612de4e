"""Backups: the whole database as one SQLite file, made and restored while servers run.

A backup has the tables of `store.py`, whatever database it comes from, so it also moves a server from SQLite to
PostgreSQL and back. It is read in one transaction, and restored in one: whoever reads the database meanwhile, or after
a crash, finds the old or the new, and never a mixture. `cli/backup.py` has the commands.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from alembic.runtime.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, MetaData, Table, delete, event, func, insert, inspect, select, text, update
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError

from quintain.engine.errors import QuintainError
from quintain.server.store.addresses import Address, sync_engine
from quintain.server.store.schema import Base, ListedTable, PlayerRow
from quintain.server.store.upgrades import (
    TOO_OLD,
    is_newer,
    is_too_old,
    lost_parts,
    migrate,
    prepare,
    revisions,
    torn_pages,
)

CHUNK = 1000
"""Rows that are in memory at a time."""
PATIENCE = 60
"""Seconds that SQLite waits for a server that writes."""
PASSING = ("health", "leases", "presence", "processes")
"""The tables that say how the server is at the moment; no backup has them."""
KEPT = [table for table in Base.metadata.sorted_tables if table.name not in PASSING]
"""The tables of a backup, each after those that it refers to."""
GENERATION = Base.metadata.tables["house"]


class BadBackup(QuintainError):
    """A backup cannot be made, read or restored."""


class Contents(NamedTuple):
    """How many tables and players a database has."""

    tables: int = 0
    players: int = 0

    def __str__(self) -> str:
        return " and ".join(
            f"{number:,} {noun}{'s' * (number != 1)}" for number, noun in zip(self, ("table", "player"), strict=True)
        )


def back_up(database: Address, file: Path, overwrite: bool = False) -> Contents:
    """Write all of a database to a file, wholly or not at all, and return what it holds. Raises BadBackup."""
    if file.is_dir():
        raise BadBackup(f"{file} is a folder: name a file for the backup")
    if file.exists() and not overwrite:
        raise BadBackup(f"{file} exists already: name another file, or overwrite this one with --force")
    if isinstance(database, Path):
        if not database.exists():
            raise BadBackup(f"there is no database {database}: name one with --database")
        if file.exists() and file.samefile(database):
            raise BadBackup(f"{file} is the database itself: name another file for the backup")
    with _opened(database, f"the database {database}") as engine, _snapshot(engine) as source:
        _check_version(source, f"the database {database}", may_be_old=False)
        with _beside(file) as unfinished, _opened(unfinished, f"the backup {file}") as made:
            _fill(made, source)
        return _contents(source)


def restore(file: Path, database: Address) -> Contents:
    """Put a backup in the place of all that a database holds, and return what it holds then. Raises BadBackup.

    That may be a database which a newer version has made: so this one can be installed again after an upgrade.
    """
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "backup.sqlite"
        _read(file, copied)
        with _opened(copied, f"the backup {file}") as backup, _opened(database, f"the database {database}") as engine:
            _check_backup(backup, file)
            if not (made_by_newer := _made_by_newer(database, engine)):
                prepare(database)
            with backup.connect() as source, engine.begin() as target:
                _lock(target)
                generation = 1 + max(_generation(source), _generation(target))
                if made_by_newer:
                    _make_anew(target)
                _replace(source, target, generation)
                return _contents(target)


def check_file(file: Path) -> None:
    """Raise BadBackup if there is no file to restore."""
    if not file.is_file():
        raise BadBackup(f"there is no backup {file}: name a file that `quintain backup` has written")


def contents_of(database: Address) -> Contents:
    """Return what a database holds; nothing if it is not there yet. Raises BadBackup if it cannot be read."""
    if isinstance(database, Path) and not database.exists():
        return Contents()
    with _opened(database, f"the database {database}") as engine, engine.connect() as connection:
        is_there = inspect(connection).has_table(ListedTable.__tablename__)
        return _contents(connection) if is_there else Contents()


def _contents(connection: Connection) -> Contents:
    return Contents(
        *(connection.scalar(select(func.count()).select_from(each)) or 0 for each in (ListedTable, PlayerRow))
    )


@contextmanager
def _opened(database: Address, called: str) -> Iterator[Engine]:
    """Open a database; its errors become BadBackup with what it is called and the reason."""
    engine = sync_engine(database, PATIENCE)

    @event.listens_for(engine, "handle_error")
    def explain(context: ExceptionContext) -> None:
        reason = str(context.original_exception).strip().partition("\n")[0]
        raise BadBackup(f"{called} cannot be used: {reason}") from context.original_exception

    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """Yield a connection that sees the database as it is now, whatever others write meanwhile."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        else:
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        yield connection


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Yield an empty, private file in the same folder, and put it in the place of `file` in the end."""
    try:
        number, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        os.close(number)
        unfinished = Path(name)
        try:
            yield unfinished
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise BadBackup(f"the backup {file} cannot be written: {error.strerror}") from error


def _read(file: Path, copied: Path) -> None:
    """Copy a backup, which may be the database of a server."""
    check_file(file)
    try:
        source = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(copied)) as target:
            source.backup(target)
    except sqlite3.Error as error:
        raise BadBackup(f"{file} is no backup: {error}; name a file that `quintain backup` has written") from error


def _check_backup(backup: Engine, file: Path) -> None:
    """Raise BadBackup for a file that is torn or not ours; bring the copy of one from an older version up to date."""
    with backup.connect() as connection:
        if torn := torn_pages(connection):
            raise BadBackup(f"the backup {file} is damaged: {torn}; take another one")
        _check_version(connection, f"the backup {file}", may_be_old=True)
    try:
        with backup.begin() as connection:
            migrate(connection)
            lost = lost_parts(connection)
    except (SQLAlchemyError, CommandError, ValueError, LookupError) as error:
        raise BadBackup(f"the backup {file} cannot be brought up to date: {error}; take another one") from error
    if lost:
        raise BadBackup(f"the backup {file} is damaged: {lost}; take another one")


def _check_version(connection: Connection, called: str, may_be_old: bool) -> None:
    """Raise BadBackup unless a database has the form of this version, or perhaps of an older one."""
    version = MigrationContext.configure(connection).get_current_revision()
    if version is None:
        raise BadBackup(f"{called} was not made by Quintain: name another file")
    if is_too_old(connection):
        raise BadBackup(f"{called} {TOO_OLD}")
    if is_newer(connection):
        raise BadBackup(f"{called} was made by a newer version of Quintain: install that version")
    if version != revisions()[0] and not may_be_old:
        raise BadBackup(f"{called} is of an older version of Quintain: start the server once, which renews it")


def _lock(connection: Connection) -> None:
    """Let nobody else write to the database until the transaction ends; readers go on with what was there before."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        there = inspect(connection).get_table_names()  # a newer version may lack some
        kept = [table for table in KEPT if table.name in there]
        names = ", ".join(map(connection.dialect.identifier_preparer.format_table, kept))
        connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def _replace(source: Connection, target: Connection, generation: int) -> None:
    """Put the rows of a backup in the place of all rows, with a new generation of the database, above that of both."""
    _copy(source, target)
    target.execute(update(GENERATION).values(generation=generation))
    if target.dialect.name == "postgresql":
        for table in KEPT:
            _pass_numbers(target, table)


def _made_by_newer(database: Address, engine: Engine) -> bool:
    """Tell whether there is a database which a newer version has made."""
    if isinstance(database, Path) and not database.exists():
        return False
    with engine.connect() as connection:
        return is_newer(connection)


def _make_anew(target: Connection) -> None:
    """Drop the tables of a newer version, and make those of this one, in the transaction that fills them."""
    there = MetaData()
    there.reflect(target)
    there.drop_all(target)
    migrate(target, begins=False)


def _fill(made: Engine, source: Connection) -> None:
    """Make the tables in an empty database, and copy all rows into them."""
    with made.begin() as target:
        migrate(target)
        _copy(source, target)


def _copy(source: Connection, target: Connection) -> None:
    for table in reversed(KEPT):
        target.execute(delete(table))
    for table in KEPT:
        rows = source.execute(select(table).execution_options(yield_per=CHUNK))
        for part in rows.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in part])


def _generation(connection: Connection) -> int:
    """Return the generation of the database, which a restore raises, so that servers notice it."""
    return connection.scalar(select(func.max(GENERATION.c.generation))) or 0


def _pass_numbers(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number the next row of a table above all rows there. A sequence never goes back."""
    if (column := table.autoincrement_column) is None:
        return
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    above = func.greatest(func.nextval(sequence), func.coalesce(func.max(column), 0) + 1)
    connection.execute(select(func.setval(sequence, above, False)).select_from(table))
