"""The form of a database: made, or brought up to date, and what keeps this version from using it."""

from __future__ import annotations

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    Connection,
    func,
    inspect,
    select,
)
from sqlalchemy.exc import SQLAlchemyError

from quintain.engine.errors import QuintainError
from quintain.server.private import keep_private
from quintain.server.store.addresses import Address, is_shared, sync_engine
from quintain.server.store.damage import lost_parts, torn_pages
from quintain.server.store.schema import (
    ListedTable,
)

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATING = 0x5175696E
"""The number of the lock that a process holds while it brings a PostgreSQL database up to date."""
REACH = "see that PostgreSQL runs and knows this user and this database, or name another one with --database"

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
