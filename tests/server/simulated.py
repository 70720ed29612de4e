"""A server in simulated time: the whole application with a real database, driven without a network.

Time stands still while anything can go on, and then leaps to the next moment for which anybody waits. So a game of
minutes takes a second, and whatever happens, happens at the same simulated time in every run. Bots think in this
process; everything else is the code of a real server. Moments are multiples of a `TICK`, which floats hold exactly.
"""

import asyncio
import inspect
import json
import math
import selectors
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import SimpleNamespace

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.server import clock
from quintain.server.people.players import COOKIE, Signer
from quintain.server.run import app as app_module
from quintain.server.store.store import Store
from quintain.server.tables import stewards

BEGUN = 2_000_000_000.0
"""What the server's clock shows when a simulation begins."""
TICK = 1 / 1024
"""Seconds between two moments at which the server's timers can run out."""
PATIENCE = 30
"""Real seconds that a thread may take for one piece of work."""
HOST = b"quintain.test"


class Leaps(selectors.DefaultSelector):
    """The selector of a simulated loop: where a real one would wait, it moves the time on."""

    def __init__(self) -> None:
        super().__init__()
        self.time, self.busy = 0.0, 0

    def select(self, timeout: float | None = None):
        """Wait for threads if they are busy; else leap to the moment at which the loop wants to go on."""
        if (ready := super().select(0)) or timeout == 0:
            return ready
        if timeout is not None and not self.busy:
            self.time += timeout
            return ready
        if not (ready := super().select(PATIENCE)):
            raise TimeoutError("nothing happens any more: a thread hangs, or everybody waits for ever")
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop in simulated time."""

    def __init__(self) -> None:
        self.leaps = Leaps()
        super().__init__(self.leaps)

    def time(self) -> float:
        """Return the simulated seconds since the loop began."""
        return self.leaps.time

    def call_at(self, when, callback, *args, context=None):
        """Call at the first tick that is not before a time: sums with 0.8, say, then give the same time everywhere."""
        ticks = math.ceil(when / TICK)
        return super().call_at(ticks * TICK, callback, *args, context=context)

    async def sleep_between_ticks(self, when: float, place: int) -> None:
        """Sleep until a time that lies between two ticks, at one of 15 places, so that no timer runs out with it."""
        moment = math.floor(when / TICK) * TICK + place * TICK / 16
        woken = self.create_future()
        alarm = super().call_at(max(moment, self.time()), woken.set_result, None)
        try:
            await woken
        finally:
            alarm.cancel()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let no time pass as long as the context lasts: somebody waits for a thread."""
        self.leaps.busy += 1
        try:
            yield
        finally:
            self.leaps.busy -= 1

    def run_in_executor(self, executor, function, *args):
        """Run a function in a thread; no time passes meanwhile."""
        self.leaps.busy += 1
        running = super().run_in_executor(executor, function, *args)
        running.add_done_callback(self._has_worked)
        return running

    def _has_worked(self, _) -> None:
        self.leaps.busy -= 1


def in_no_time(kind: type[Store]) -> type[Store]:
    """Return a store that does the same, and whose work takes no simulated time."""

    def wrapped(do):
        async def done(*given, **more):
            with asyncio.get_running_loop().working():
                return await do(*given, **more)

        return done

    public = {name: do for name, do in vars(kind).items() if not name.startswith("_")}
    work = {name: wrapped(do) for name, do in public.items() if inspect.iscoroutinefunction(do)}
    return type("StoreInNoTime", (kind,), work)


@contextmanager
def connections_in_no_time(loop: SimulatedLoop) -> Iterator[None]:
    """Let no simulated time pass while somebody in this loop uses a connection of their own to the database.

    Other servers of the process, in loops of their own, go on as usual.
    """
    enter, leave = AsyncConnection.__aenter__, AsyncConnection.__aexit__
    used: set[int] = set()

    async def entered(self):
        if asyncio.get_running_loop() is not loop:
            return await enter(self)
        loop.leaps.busy += 1
        try:
            found = await enter(self)
        except BaseException:
            loop.leaps.busy -= 1
            raise
        used.add(id(self))
        return found

    async def left(self, *given):
        try:
            return await leave(self, *given)
        finally:
            if id(self) in used:
                used.discard(id(self))
                loop.leaps.busy -= 1

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(AsyncConnection, "__aenter__", entered)
        patched.setattr(AsyncConnection, "__aexit__", left)
        yield


class Thinkers:
    """Bots in this process, in the place of `Workers`: `choose` gives the moves."""

    def __init__(self, choose: Callable[..., Awaitable[object]]):
        self.choose = choose

    def stop(self) -> None:
        """End: there is nothing to end."""


@contextmanager
def following(loop: SimulatedLoop) -> Iterator[None]:
    """Let the server's clock follow the simulated time as long as the context lasts."""
    counter = SimpleNamespace(monotonic=loop.time, clock_gettime=lambda _: loop.time())
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(clock, "time", counter)
            clock.set_clock(BEGUN)
            yield
    finally:
        clock.set_clock(time.time())


@asynccontextmanager
async def simulated(app, choose, monkeypatch):
    """Open an application in simulated time, with bots that `choose`; yields its site.

    The pauses that the server draws at random all have the same length.
    """
    monkeypatch.setattr(app_module, "Store", in_no_time(Store))
    monkeypatch.setattr(app_module, "Workers", lambda *_: Thinkers(choose))
    even = SimpleNamespace(uniform=lambda least, most: (least + most) / 2)
    monkeypatch.setattr(stewards, "random", SimpleNamespace(SystemRandom=lambda: even))
    loop, opened = asyncio.get_running_loop(), app.lifespan()
    with following(loop), connections_in_no_time(loop):
        with loop.working():
            await opened.__aenter__()
        try:
            yield app.state.site
        finally:
            with loop.working():
                await opened.__aexit__(None, None, None)


class Caller:
    """Somebody with a cookie, or without one, who sends requests to an application and listens to its sockets."""

    def __init__(self, app, signer: Signer, player: str):
        self.app, self.csrf = app, signer.csrf(player)
        self.headers = [(b"host", HOST), (b"cookie", f"{COOKIE}={signer.cookie(player)}".encode())]

    async def get(self, path: str) -> str:
        """Return the text at an address."""
        status, text = await self._ask("GET", path, b"")
        assert status == 200, text
        return text

    async def post(self, path: str, **fields: object) -> int:
        """Post JSON, and return the status of the answer."""
        return (await self._ask("POST", path, json.dumps({"csrf": self.csrf, **fields}).encode()))[0]

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, str]:
        sent = []
        coming = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive():
            return coming.pop() if coming else {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        await self.app(self._scope("http", path, method=method), receive, send)
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:]).decode()

    async def listen(self, path: str, received: list[tuple[float, str]]) -> None:
        """Keep a socket open until the task is cancelled, and note what comes over it and when."""
        loop, coming = asyncio.get_running_loop(), [{"type": "websocket.connect"}]

        async def receive():
            return coming.pop() if coming else await loop.create_future()

        async def send(message):
            if message["type"] != "websocket.accept":
                received.append((loop.time(), message.get("text", message["type"])))

        await self.app(self._scope("websocket", path), receive, send)

    def _scope(self, kind: str, path: str, **more: object) -> dict[str, object]:
        path, _, query = path.partition("?")
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [*self.headers, (b"content-type", b"application/json")],
            "client": ("127.0.0.1", 1),
            "server": (HOST.decode(), 80),
            "subprotocols": [],
            **more,
        }
