"""The lobby for the sockets: draws the list of tables when it changes, and sends it to everybody who has it open.

Players without a table of their own who wish to see the same share one page. The lobby is drawn at most twice a second,
at beats which do not depend on what happens: so the time at which a page comes tells nobody of a change that they
cannot see. `memory.py` says whose lobby may have changed, and `lobby_pages.py` draws it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from quintain.server.people.watchers import Watcher

PAUSE = 0.5
"""Seconds between two beats at which the lobby is drawn."""
TOGETHER, BREATH = 20, 0.005
"""The lobby goes to TOGETHER sockets, then the server does other work for BREATH seconds. So with a thousand sockets a
new table delays other players' answers by a hundredth of a second, not by half a second."""
Asked = tuple[str, str]
"""Whose lobby is drawn: the id of a player, and their wish as it stands in the address."""
log = logging.getLogger("quintain.server")


class Lobby:
    """Everybody who has the lobby open. `draw` returns the HTML for each player and wish that it is given."""

    def __init__(self, draw: Callable[[Collection[Asked]], Awaitable[Mapping[Asked, str]]]):
        self._draw = draw
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._waiting: set[str] = set()
        """The players whose lobby may have changed since it was last drawn."""
        self._drawing: asyncio.Task[None] | None = None

    @property
    def is_watched(self) -> bool:
        """Whether anybody has the lobby open."""
        return bool(self._watchers)

    @contextmanager
    def watching(self, watcher: Watcher) -> Iterator[None]:
        """Show the lobby to a watcher, at the next beat and whenever it changes, as long as the context lasts."""
        theirs = self._watchers[watcher.player]
        theirs.add(watcher)
        self.tell([watcher.player])
        try:
            yield
        finally:
            theirs.discard(watcher)
            if not theirs:
                del self._watchers[watcher.player]

    def tell(self, players: Collection[str] | None = None) -> None:
        """Draw the lobby anew at the next beat for some players, or for all, if they have it open."""
        self._waiting |= self._watchers.keys() if players is None else self._watchers.keys() & set(players)
        if self._waiting and (self._drawing is None or self._drawing.done()):
            self._drawing = asyncio.create_task(self._draw_waiting())

    def stop(self) -> None:
        """Draw nothing more."""
        if self._drawing:
            self._drawing.cancel()

    async def _draw_waiting(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            await asyncio.sleep(PAUSE - loop.time() % PAUSE)
            players, self._waiting = self._waiting, set()
            try:
                asked = {(each, watcher.wish) for each in players for watcher in self._watchers.get(each, ())}
                drawn = await self._draw(asked)
            except Exception:
                log.exception("the lobby cannot be drawn")
                drawn = {}
            await self._hand_out(drawn, players)

    async def _hand_out(self, drawn: Mapping[Asked, str], players: Collection[str]) -> None:
        """Send players their pages, a few at a time, so that the server answers others in between."""
        watchers = [watcher for player in self._watchers.keys() & players for watcher in self._watchers[player]]
        for number, watcher in enumerate(watchers, 1):
            watcher.show(drawn.get((watcher.player, watcher.wish)))
            if number % TOGETHER == 0:
                await asyncio.sleep(BREATH)
