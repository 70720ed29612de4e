"""Makes a database or brings it up to date, and finds out why this version cannot use one."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, func, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from quintain.engine.errors import QuintainError
from quintain.server.private import keep_private
from quintain.server.store.addresses import Address, is_shared, sync_engine
from quintain.server.store.keys import COOKIES, RECORDS, public_half
from quintain.server.store.schema import Base, KeyRow, ListedTable, PlayerRow

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATING = 0x5175696E
"""The number of the lock that a process holds while it brings a PostgreSQL database up to date."""
REACH = "see that PostgreSQL runs and knows this user and this database, or name another one with --database"
TOO_OLD = (
    "has a form from before the first release, which this version cannot read: serve it once with the last version "
    "before the release, which brings it up to date"
)
REMEDY = "put a copy from an earlier day in its place, or name another file with --database"
log = logging.getLogger("quintain.server")
logging.getLogger("alembic").setLevel(logging.WARNING)  # `migrate` says in a sentence what its lines say


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
    return last is not None and last not in revisions() and not is_too_old(connection)


def is_too_old(connection: Connection) -> bool:
    """Tell whether a database has a form from before the first migration of this version."""
    last = MigrationContext.configure(connection).get_current_revision()
    return last is not None and last < revisions()[-1]


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


def prepare(database: Address) -> None:
    """Make the database or bring it up to date; raises QuintainError if it cannot be used."""
    if isinstance(database, Path) and database.is_dir():
        raise QuintainError(f"the database {database} cannot be used: it is a folder; name a file with --database")
    engine = sync_engine(database)
    try:
        if isinstance(database, Path) and not (database.exists() and database.stat().st_size):
            keep_private(database)
        with engine.begin() as connection:
            wrong = torn_pages(connection)
            if not wrong and (foreign := foreign_table(connection)):
                raise QuintainError(
                    f"the database {database} is another program's: it has the table {foreign!r}; name another "
                    "database, or a file that is not there yet"
                )
            if isinstance(database, Path):
                keep_private(database)
            if not wrong and is_too_old(connection):
                raise QuintainError(f"the database {database} {TOO_OLD}")
            if not wrong and is_newer(connection):
                raise QuintainError(
                    f"the database {database} was made by a newer version of Quintain: install that version, "
                    "or restore a backup that this one has made"
                )
            if not wrong:
                migrate(connection)
                wrong = lost_parts(connection)
    except (OSError, SQLAlchemyError, CommandError) as error:
        reason = error.strerror if isinstance(error, OSError) else getattr(error, "orig", error)
        remedy, words = REACH if is_shared(database) else REMEDY, " ".join(str(reason).split())
        raise QuintainError(f"the database {database} cannot be used: {words}; {remedy}") from error
    if wrong:
        raise QuintainError(f"the database {database} is damaged: {wrong}; {REMEDY}")


KEY = re.compile("[0-9a-f]{64}")


def torn_pages(connection: Connection) -> str:
    """Return the first fault that SQLite finds in the file, in words; empty if it finds none."""
    if connection.dialect.name != "sqlite":
        return ""
    found = str(connection.scalar(text("PRAGMA quick_check(1)")))
    return "" if found == "ok" else " ".join(found.removeprefix("*** in database main ***").split())


def lost_parts(connection: Connection) -> str:
    """Return which table, column or key a migrated database lacks, in words; empty if it is complete."""
    inspector = inspect(connection)
    tables = set(inspector.get_table_names())
    for name, table in Base.metadata.tables.items():
        if name not in tables:
            return f"its table {name!r} is missing"
        columns = {column["name"] for column in inspector.get_columns(name)}
        if missing := sorted({column.name for column in table.columns} - columns):
            return f"its table {name!r} has no column {missing[0]!r}"
    return _wrong_key(connection)


def _wrong_key(connection: Connection) -> str:
    """Return what is wrong with the valid keys, in words; empty if nothing is.

    The server makes missing keys. But without a key for cookies its players would lose their seats.
    """
    keys = connection.execute(select(KeyRow.kind, KeyRow.secret, KeyRow.public).where(KeyRow.ended.is_(None))).all()
    cookies = [secret for kind, secret, _ in keys if kind == COOKIES]
    has_players = connection.scalar(select(PlayerRow.id).limit(1)) is not None
    if (has_players and not cookies) or not all(map(_is_secret, cookies)):
        return "the key that signs its players' cookies is lost"
    for kind, secret, public in keys:
        if kind == RECORDS and not (_is_secret(secret) and public_half(bytes.fromhex(secret)) == public):
            return "the key that signs its records is damaged"
    return ""


def _is_secret(value: object) -> bool:
    return isinstance(value, str) and KEY.fullmatch(value) is not None
