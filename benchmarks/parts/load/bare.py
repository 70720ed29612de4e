"""The bare server of `load.py`: one of the same stack as ours that does nothing but commit a row and push a page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar, Response, get, post, put, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from quintain.server.http.site import Socket
from quintain.server.model.entries import MOVED, LogEntry
from quintain.server.store.addresses import Address
from quintain.server.store.store import Store


def bare(database: Address) -> Litestar:
    """Return the bare server."""
    server = BareServer(database)
    handlers = [
        get("/health")(server.health),
        put("/page/{size:int}")(server.set_page),
        post("/tables/{table_id:str}")(server.make),
        post("/tables/{table_id:str}/moves")(server.move),
        websocket("/tables/{table_id:str}/socket")(server.watch),
    ]
    return Litestar(handlers, lifespan=[server.opened], openapi_config=None, logging_config=None)


class BareServer:
    """The page that is pushed, and for each table its number of entries and the sockets that wait for the next."""

    store: Store

    def __init__(self, database: Address):
        self.database, self.page = database, ""
        self.news: dict[str, set[asyncio.Event]] = {}
        self.entries: dict[str, int] = {}

    @asynccontextmanager
    async def opened(self, _: Litestar) -> AsyncIterator[None]:
        """Open the database."""
        async with Store.open(self.database) as self.store:
            yield

    async def health(self) -> str:
        """Answer that the server is up."""
        return "ok"

    async def set_page(self, size: FromPath[int]) -> None:
        """Push pages of this size from now on."""
        self.page = "x" * size

    async def make(self, table_id: FromPath[str]) -> None:
        """Make a table."""
        self.news[table_id], self.entries[table_id] = set(), 0

    async def move(self, table_id: FromPath[str]) -> Response[bytes]:
        """Commit a row, and push the page."""
        self.entries[table_id] += 1
        entry = LogEntry(table_id, self.entries[table_id], seat=0, kind=MOVED, text="a move", at=time.time())
        assert await self.store.add([entry])
        for event in self.news[table_id]:
            event.set()
        return Response(b"", status_code=204)

    async def watch(self, socket: Socket, table_id: FromPath[str]) -> None:
        """Send the page after each move until the socket is closed."""
        await socket.accept()
        event = asyncio.Event()
        self.news[table_id].add(event)
        sending = asyncio.create_task(self.send(socket, event))
        try:
            await socket.receive_data("text")
        except WebSocketDisconnect:
            pass
        finally:
            self.news[table_id].discard(event)
            sending.cancel()

    async def send(self, socket: Socket, event: asyncio.Event) -> None:
        """Send the page after each post at the table."""
        while True:
            await event.wait()
            event.clear()
            await socket.send_text(self.page)
