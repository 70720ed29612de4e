"""Hears what the other processes that share the database have done, and brings this process up to date.

`notifications.py` calls `hear` with each notification. `Hearing` deals with those about one table or player one after
another; of several that wait it takes only the last, which says all. If the database fails, it tries again later.
"""

from __future__ import annotations

import asyncio
import logging

from quintain.engine.errors import QuintainError
from quintain.server.people.sessions import Sessions
from quintain.server.slices import cancelled
from quintain.server.store.database import UNAVAILABLE
from quintain.server.store.notifications import ENTRIES, LISTS, PEERS, PLAYERS, PRESENCE, RETRY, SESSIONS, TALK
from quintain.server.store.peers import Peers
from quintain.server.store.store import Store
from quintain.server.tables import acts
from quintain.server.tables.lobby import Lobby
from quintain.server.tables.memory import Tables

About = tuple[str, str]
"""The channel of a notification, and the id of the table or the number of the player that it is about."""
log = logging.getLogger("quintain.server")


class Hearing:
    """What one process does about notifications."""

    def __init__(self, store: Store, tables: Tables, lobby: Lobby, sessions: Sessions, peers: Peers):
        self.store, self.tables, self.lobby, self.sessions, self.peers = store, tables, lobby, sessions, peers
        self._waiting: dict[About, str] = {}
        """The last words of the notifications that nobody has dealt with yet."""
        self._tasks: dict[About, asyncio.Task[None]] = {}

    def hear(self, channel: str, words: str) -> None:
        """Take a notification; what follows from it is done in a task."""
        key, _, rest = words.partition(" ")
        if channel == LISTS:
            self.lobby.tell(None)
            return
        if channel == PRESENCE and rest == self.peers.id:
            return
        about = (channel, "" if channel == PEERS else key)
        self._waiting[about] = rest
        if about not in self._tasks:
            self._tasks[about] = asyncio.create_task(self._deal_with(about))

    def missed(self) -> None:
        """Bring everything up to date, since notifications may have been lost."""
        self.hear(PEERS, "")

    async def stop(self) -> None:
        """Do nothing more, and wait until all tasks have ended."""
        await cancelled(list(self._tasks.values()))

    async def _deal_with(self, about: About) -> None:
        try:
            while about in self._waiting:
                rest = self._waiting.pop(about)
                try:
                    await self._do(about, rest)
                except UNAVAILABLE as error:
                    log.warning("the database does not answer; trying again", extra={"reason": str(error)})
                    self._waiting.setdefault(about, rest)
                    await asyncio.sleep(RETRY)
                except QuintainError as error:
                    log.info("nothing follows from a notification", extra={"about": about, "reason": str(error)})
                except Exception:
                    log.exception("a notification was not dealt with", extra={"about": about})
        finally:
            del self._tasks[about]

    async def _do(self, about: About, rest: str) -> None:
        channel, key = about
        if channel == ENTRIES and self.tables.concerns(key):
            await self.tables.see_entries(key, int(rest))
        elif channel == ENTRIES and self.lobby.is_watched:
            self.lobby.tell(await self.store.players_at([key]))
        elif channel == PLAYERS:
            await acts.rename(self.tables, int(key))
        elif channel == PRESENCE:
            await self.tables.see_presence(key)
        elif channel == TALK:
            await self.tables.see_talk(key)
        elif channel == SESSIONS:
            await self.sessions.reload()
        elif channel == PEERS:
            await self.tables.catch_up_with_all()
