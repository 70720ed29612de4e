"""What requests cost the server, by household: who has cost little comes first, and who has cost too much must wait.

A household is an address, as `limits.household` names it. One event loop answers all, so a request costs the seconds
for which it keeps that loop from everything else. `Metered` counts them, and gives the loop away between two steps of a
request. `app.py` puts `Fair` in front of all routes.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from quintain.server.http.doors import has_hung_up
from quintain.server.limits import Limit, household

AT_ONCE = 8
"""The requests of a household that the server answers at the same time; a browser sends up to six."""


class FairTurns:
    """Turns at the event loop: it gives one at a time, to the household that has most left of its limit."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._is_giving = False

    def turn(self, who: str) -> asyncio.Future[None]:
        """Return a future that is done as soon as it is the turn of a household."""
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._waiting.setdefault(who, deque()).append(mine)
        if not self._is_giving:
            self._is_giving = True
            loop.call_soon(self._give)
        return mine

    def _give(self) -> None:
        """Give the next turn; another follows when its step is over and the event loop has done what else is due."""
        while self._waiting:
            who = max(self._waiting, key=self.limit.left)
            mine = self._waiting[who].popleft()
            if not self._waiting[who]:
                del self._waiting[who]
            if not mine.done():
                mine.set_result(None)
                asyncio.get_running_loop().call_soon(self._give)
                return
        self._is_giving = False


class Metered(Awaitable[None]):
    """A coroutine that waits for a household's turn before each of its steps, and charges it for the step.

    As long as it holds `connections` to the database it waits for no turn: there are few, and others wait for them.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, None], turns: FairTurns, who: str) -> None:
        self._coroutine, self._turns, self._who = coroutine, turns, who
        self.connections = 0

    def __await__(self) -> Generator[Any, Any, None]:
        """Go through the steps of the coroutine; whatever it awaits, and errors thrown into it, pass through."""
        _running.set(self)
        go_on, given = self._coroutine.send, None
        while True:
            try:
                if not self.connections:
                    yield from self._turns.turn(self._who)
            except BaseException as error:  # such as a cancellation
                go_on, given = self._coroutine.throw, error
            begun = time.thread_time()
            try:
                awaited = go_on(given)
            except StopIteration:
                return
            finally:
                self._turns.limit.charge(self._who, time.thread_time() - begun)
            try:
                go_on, given = self._coroutine.send, (yield awaited)
            except BaseException as error:
                go_on, given = self._coroutine.throw, error


_running: ContextVar[Metered | None] = ContextVar("running", default=None)


def count_connection(number: int) -> None:
    """Take note that what runs now has taken a connection to the database (1), or given it back (-1)."""
    if running := _running.get():
        running.connections += number


class Household:
    """The `free` places for requests of a household, and how many requests want or have one."""

    def __init__(self) -> None:
        self.free = asyncio.Semaphore(AT_ONCE)
        self.wanted = 0


class Fair:
    """An application that meters requests, and charges each to the household from which it comes.

    It answers AT_ONCE requests of a household at the same time; the others wait, without a connection to the database.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._households: dict[str, Household] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and charge what it cost; a socket waits for no turn."""
        if scope["type"] == ScopeType.WEBSOCKET:
            await self.app(scope, receive, send)
            return
        turns: FairTurns = scope["litestar_app"].state.site.turns
        who = household(scope["client"][0]) if scope["client"] else ""
        mine = self._households.setdefault(who, Household())
        mine.wanted += 1
        try:
            async with mine.free:
                if not has_hung_up(receive):
                    await Metered(self._answer(scope, receive, send), turns, who)
        finally:
            mine.wanted -= 1
            if not mine.wanted:
                del self._households[who]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)
