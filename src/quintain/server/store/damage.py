"""Looks for damage in a database. `run.py` asks at the start, before anybody plays, and shows the words."""

from __future__ import annotations

import re

from sqlalchemy import Connection, inspect, select, text

from quintain.server.store.keys import COOKIES, RECORDS, public_half
from quintain.server.store.schema import Base, KeyRow, PlayerRow

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
    """Return what is wrong with the keys that hold.

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
