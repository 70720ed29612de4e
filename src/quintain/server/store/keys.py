"""The server's signing keys: some sign cookies, forms and links, the others sign records.

They lie in the database. `Store.open` makes the first ones, and `quintain keys` rotates them. `people/keyring.py` has
what a running server uses.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.server.clock import now
from quintain.server.store.database import Database
from quintain.server.store.schema import KeyRow

COOKIES, RECORDS = "cookies", "records"
"""The kinds of keys: the first sign cookies, forms and links; the others, Ed25519 keys, sign records."""


class Key(NamedTuple):
    """A key as stored: the fields of `KeyRow`."""

    number: int
    kind: str
    secret: str
    public: str | None
    made: float
    ended: float | None


async def read(database: Database) -> list[Key]:
    """Return all keys, the oldest first."""
    return [Key(*row) for row in await database.rows(select(KeyRow.__table__).order_by(KeyRow.number))]


async def make_missing_keys(connection: AsyncConnection) -> None:
    """Make a key of each kind that has no valid one."""
    held = set(await connection.scalars(select(KeyRow.kind).where(KeyRow.ended.is_(None))))
    for kind in (COOKIES, RECORDS):
        if kind not in held:
            await _make(connection, kind, now())


async def rotate(connection: AsyncConnection, forget: bool = False) -> None:
    """Make a new key of each kind; the old one for records ends, and with `forget` so do the old ones for cookies."""
    ending = (COOKIES, RECORDS) if forget else (RECORDS,)
    which = KeyRow.kind.in_(ending) & KeyRow.ended.is_(None)
    at = now()
    await connection.execute(update(KeyRow).where(which).values(ended=at, secret=""))
    for kind in (COOKIES, RECORDS):
        await _make(connection, kind, at)


async def _make(connection: AsyncConnection, kind: str, at: float) -> None:
    secret = secrets.token_bytes(32)
    public = public_half(secret) if kind == RECORDS else None
    await connection.execute(insert(KeyRow).values(kind=kind, secret=secret.hex(), public=public, made=at))


def public_half(secret: bytes) -> str:
    """Return the public half of an Ed25519 key, in hex."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # only to make a key

    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw().hex()
