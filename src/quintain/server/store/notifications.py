"""What the processes that share a PostgreSQL database tell each other, by LISTEN and NOTIFY.

The words of a notification are ids and numbers: whoever hears one reads from the database what it is about. `store.py`
and `peers.py` tell, and `hearing.py` hears. On SQLite there is one process, and nobody to tell.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from sqlalchemy import URL, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.server.store.addresses import ON_POSTGRESQL, Address

ENTRIES, LISTS, PLAYERS, PRESENCE, PEERS = "entries", "lists", "players", "presence", "peers"
SESSIONS, TALK = "sessions", "talk"
"""The channels: a table's log has entries up to a place; its row has changed; a player has another name; somebody has
opened or left the page of a table; processes have come or gone; a player has ended sessions; somebody talks at a
table."""
RETRY = 1.0
"""Seconds until we connect again after the connection is lost, and until we ask again after an error."""
log = logging.getLogger("quintain.server")


async def notify(connection: AsyncConnection, channel: str, words: str) -> None:
    """Tell the other processes something, once the transaction of this connection is committed."""
    await connection.execute(select(func.pg_notify(channel, words)))


async def listen(address: Address, hear: Callable[[str, str], None], missed: Callable[[], None]) -> None:
    """Call `hear` with the channel and the words of every notification, for ever.

    After each new connection it calls `missed`: what others told while there was none is lost.
    """
    assert isinstance(address, URL)
    import psycopg  # only here, for a server on SQLite starts without it

    given: dict[str, Any] = dict(address.get_dialect()().create_connect_args(address)[1])
    given |= ON_POSTGRESQL | {"autocommit": True, "context": None}
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**given) as connection:
                for channel in (ENTRIES, LISTS, PLAYERS, PRESENCE, PEERS, SESSIONS, TALK):
                    await connection.execute(f"LISTEN {channel}".encode())
                missed()
                async for notification in connection.notifies():
                    hear(notification.channel, notification.payload)
        except (psycopg.Error, OSError) as error:
            log.warning("the database tells no news; connecting again", extra={"reason": str(error)})
        await asyncio.sleep(RETRY)
