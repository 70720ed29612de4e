"""Sockets: each is sent the whole private view of one viewer, again whenever there is something new.

Nothing is taken from a browser over a socket: what people do comes as posts. A slow reader misses some views, but
never the last.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from quintain.engine.errors import QuintainError
from quintain.server.contexts import lobby_context
from quintain.server.house import TheHouse
from quintain.server.requests import is_same_origin
from quintain.server.table import Watcher

POLICY, FAULT, GONE = 1008, 1011, 4404
"""Codes with which a socket is closed: what is against the rules, a fault of ours, after which browsers come again, and
a table that is not there."""
LOBBY_PAUSE = 0.5
"""Seconds between two views of the lobby, however much happens there."""

Socket = WebSocket[Any, Any, Any]
Render = Callable[[], Awaitable[str | None]]
"""Returns what is sent, or None if that is not to be had."""
log = logging.getLogger("quintain.server")


@websocket("/tables/{table_id:str}/socket")
async def table_socket(socket: Socket, house: TheHouse, table_id: FromPath[str]) -> None:
    """Send the table to one viewer. Who that is, the cookie says."""
    if not await _accept(socket):
        return
    visitor = await house.visitor(socket)
    try:
        table = await house.tables.get(table_id)
        table.check_here()
        watcher = Watcher(visitor, house.base_url(socket))
    except QuintainError:
        await socket.close(GONE)
        return

    async def drawn() -> str | None:
        return watcher.html

    with house.drawing.watching(table, watcher):
        await _serve(socket, watcher, drawn)


@websocket("/lobby/socket")
async def lobby_socket(socket: Socket, house: TheHouse) -> None:
    """Send the tables of the lobby."""
    if not await _accept(socket):
        return
    visitor = await house.visitor(socket)

    async def render() -> str:
        return house.templates.render_template("lobby_tables.html", **await lobby_context(house.tables, visitor))

    watcher = Watcher(visitor)
    watcher.news.set()
    house.tables.lobby.add(watcher)
    try:
        await _serve(socket, watcher, render, LOBBY_PAUSE)
    finally:
        house.tables.lobby.discard(watcher)


async def _accept(socket: Socket) -> bool:
    """Accept a socket that is opened by a page of this server."""
    if not is_same_origin(socket):
        await socket.close(POLICY)
        return False
    await socket.accept()
    return True


async def _serve(socket: Socket, watcher: Watcher, render: Render, pause: float = 0) -> None:
    sending = asyncio.create_task(_send(socket, watcher, render, pause))
    try:
        await socket.receive_data("text")
        await socket.close(POLICY, "nothing is taken over this socket")
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _send(socket: Socket, watcher: Watcher, render: Render, pause: float) -> None:
    while True:
        await watcher.news.wait()
        watcher.news.clear()
        try:
            text = await render()
        except Exception:
            log.exception("a view is not sent", extra={"path": socket.url.path})
            text = None
        if text is None:
            await socket.close(FAULT)
            return
        await socket.send({"type": "websocket.send", "bytes": None, "text": text})
        if pause:
            await asyncio.sleep(pause)
