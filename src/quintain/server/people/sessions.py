"""Which cookies are still valid: a player may end all their sessions but one, and a signing key may end.

The database holds the number of each player's session; cookies with a lower number are invalid. So that no request
needs a query, `Sessions` keeps the numbers above 0 in memory, and reads them and the keys again every few seconds. It
also knows all open sockets, and closes those whose cookie has become invalid.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from quintain.server.clock import now
from quintain.server.people.keyring import Keys
from quintain.server.people.players import COOKIE_SECONDS, Session, Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.refused import Refused
from quintain.server.store.database import UNAVAILABLE
from quintain.server.store.devices import Devices

EVERY = 3.0
"""Seconds between two readings of the keys and the sessions."""
log = logging.getLogger("quintain.server")


class Sessions:
    """The sessions of all players, and the sockets that are open in them."""

    def __init__(self, keys: Keys, devices: Devices):
        self.keys, self.devices = keys, devices
        self._numbers: dict[str, int] = {}
        """The players' session numbers above 0, by the ids of the players."""
        self._ended: set[str] = set()
        """The ids of the devices that have been signed out."""
        self._watchers: set[Watcher] = set()

    def of_cookie(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie; None if there is none, or if it is invalid.

        A session with a higher number than the one known here is valid, too: another process has begun it.
        """
        found = self.keys.signer.session(cookie)
        return found if found and self.are_on(found.player, found.number) and found.device not in self._ended else None

    def are_on(self, player: str, session: int) -> bool:
        """Tell whether a player's session has not ended."""
        return session >= self._numbers.get(player, 0)

    def hold(self, visitor: Visitor) -> bool:
        """Tell whether a visitor's session has not ended since their request began, nor the key that signed it."""
        is_on = self.are_on(visitor.id, visitor.session) and visitor.device not in self._ended
        return is_on and self.keys.signer.is_csrf(visitor.id, visitor.session, visitor.csrf)

    def is_here(self, player: str) -> bool:
        """Tell whether a player has a page open that this process serves."""
        return any(watcher.player == player for watcher in self._watchers)

    @contextmanager
    def watching(self, watcher: Watcher) -> Iterator[None]:
        """Close the socket of a watcher once their session ends, as long as the context lasts."""
        self._watchers.add(watcher)
        try:
            self._close_if_ended(watcher)
            yield
        finally:
            self._watchers.discard(watcher)

    async def end(self, player: str) -> int:
        """End all sessions of a player, and return the number of a new one; raises Refused for an unknown player."""
        number = await self.devices.end_sessions(player)
        if number is None:
            raise Refused(409, "you have no name here yet, so there is no session to end")
        self._know(player, number)
        self._close_ended()
        return number

    async def reload(self) -> None:
        """Read the keys and the sessions from the database, and close the sockets whose cookies have become invalid."""
        await self.keys.reload()
        for player, number in (await self.devices.ended_sessions()).items():
            self._know(player, number)
        self._ended |= await self.devices.ended_devices(now() - COOKIE_SECONDS)
        self._close_ended()

    async def keep_up(self) -> None:
        """Reload every few seconds, until the task is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.reload()
            except UNAVAILABLE as error:
                log.warning("the keys and sessions cannot be read", extra={"reason": str(error)})

    def forget_device(self, device: str) -> None:
        """Sign a device out: its cookie becomes invalid."""
        self._ended.add(device)
        self._close_ended()

    def _know(self, player: str, number: int) -> None:
        self._numbers[player] = max(number, self._numbers.get(player, 0))

    def _close_ended(self) -> None:
        for watcher in self._watchers:
            self._close_if_ended(watcher)

    def _close_if_ended(self, watcher: Watcher) -> None:
        if not self.hold(watcher.visitor):
            watcher.sign_out()
