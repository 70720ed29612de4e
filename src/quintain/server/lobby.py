"""The lobby as it is pushed: drawn once for all who see the same, and sent to those who do not see it already.

All who have no table of their own see the same open tables. However much happens, the lobby is drawn at most twice a
second.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping

from quintain.server.table import Watcher

PAUSE = 0.5
"""Seconds between two views of the lobby, however much happens there."""
TOGETHER, BREATH = 20, 0.005
"""How many are sent the lobby together, and seconds until the next are. With a thousand sockets a new table then keeps
another player's answer waiting for a hundredth of a second, not for half a second."""
log = logging.getLogger("quintain.server")


class Lobby:
    """Everybody who has the lobby open. `draw` returns the HTML for each of some players."""

    def __init__(self, draw: Callable[[Collection[str]], Awaitable[Mapping[str, str]]]):
        self._draw = draw
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._waiting: set[str] = set()
        """The players whose lobby may have changed since it was drawn."""
        self._drawing: asyncio.Task[None] | None = None

    def add(self, watcher: Watcher) -> None:
        """Show the lobby to somebody, now and whenever it changes."""
        self._watchers[watcher.player].add(watcher)
        self.tell([watcher.player])

    def discard(self, watcher: Watcher) -> None:
        """Show the lobby no more to somebody."""
        watchers = self._watchers[watcher.player]
        watchers.discard(watcher)
        if not watchers:
            del self._watchers[watcher.player]

    def tell(self, players: Collection[str] | None = None) -> None:
        """Draw the lobby anew for some players, or for all, if they have it open."""
        self._waiting |= self._watchers.keys() if players is None else self._watchers.keys() & set(players)
        if self._waiting and (self._drawing is None or self._drawing.done()):
            self._drawing = asyncio.create_task(self._draw_waiting())

    def stop(self) -> None:
        """Draw nothing more."""
        if self._drawing:
            self._drawing.cancel()

    async def _draw_waiting(self) -> None:
        while self._waiting:
            players, self._waiting = self._waiting, set()
            try:
                drawn = await self._draw(players)
            except Exception:
                log.exception("the lobby is not drawn")
                drawn = {}
            await self._hand_out(drawn, players)
            await asyncio.sleep(PAUSE)

    async def _hand_out(self, drawn: Mapping[str, str], players: Collection[str]) -> None:
        """Show players what is drawn for them, some at a time: everybody else is answered in between."""
        watchers = [watcher for player in self._watchers.keys() & players for watcher in self._watchers[player]]
        for number, watcher in enumerate(watchers, 1):
            watcher.show(drawn.get(watcher.player))
            if number % TOGETHER == 0:
                await asyncio.sleep(BREATH)
