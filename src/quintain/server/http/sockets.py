"""Sockets: each sends one viewer their whole private view of a table or the lobby, again whenever it changes.

A socket takes no messages: people act by posts (`posted/posts.py`). A slow reader misses some views, but
never the last. `drawing.py` and `lobby.py` draw what is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from quintain.engine.errors import QuintainError
from quintain.server import metrics
from quintain.server.http.requests import address_of, is_same_origin
from quintain.server.http.site import Site, Socket, TheSite
from quintain.server.model.analyses import Progress
from quintain.server.pages.lobby_pages import Wish
from quintain.server.pages.words import with_seconds_left
from quintain.server.people.players import Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.slices import cancelled

POLICY, FAULT, LATER, LOAD_AGAIN, GONE = 1008, 1011, 1013, 4401, 4404
"""Codes for closing a socket: it broke our rules; a view cannot be drawn, and the browser connects again; this player
or address has too many sockets; the player's session has ended, or the rules cannot show this game any more, and the
browser loads the page again; the table does not exist."""
TOO_MANY = "too many sockets are open from here: close some pages"


@websocket("/tables/{table_id:str}/socket")
async def table_socket(socket: Socket, site: TheSite, table_id: FromPath[str]) -> None:
    """Send a table to one viewer, whom the cookie names."""
    if not await accepted(socket):
        return
    visitor = await site.visitor(socket)
    try:
        live = await site.tables.get(table_id)
        if live.table.is_old:
            await socket.close(LOAD_AGAIN)
            return
        watcher = Watcher(visitor, site.base_url(socket))
    except QuintainError:
        await socket.close(GONE)
        return
    await _serve(socket, site, watcher, "table", site.drawing.watching(live, watcher))


@websocket("/lobby/socket")
async def lobby_socket(socket: Socket, site: TheSite) -> None:
    """Send the list of tables in the lobby to one viewer."""
    if not await accepted(socket):
        return
    visitor = await site.visitor(socket)
    try:
        watcher = Watcher(visitor, wish=str(Wish.read(dict(socket.query_params.items()))))
    except QuintainError:
        await socket.close(GONE)
        return
    await _serve(socket, site, watcher, "lobby", site.lobby.watching(watcher))


async def tell_progress(
    socket: Socket, site: Site, visitor: Visitor, progress: Callable[[], Awaitable[Progress | None]], every: float
) -> None:
    """Send how far work in the background is whenever that changes, and close when nobody works on it any more.

    `every` are the seconds between two looks.
    """
    with site.sockets_at_address.taken(address_of(socket)) as here, site.sockets_of_player.taken(visitor.id) as own:
        if not (here and own):
            await socket.close(LATER, TOO_MANY)
            return
        await _until_closed(socket, _tell(socket, progress, every))


async def _tell(socket: Socket, progress: Callable[[], Awaitable[Progress | None]], every: float) -> None:
    told = None
    while True:
        found = await progress()
        if found and found.done != told:
            told = found.done
            await socket.send_text(str(told))
        if found is None or not found.is_working:
            await socket.close()
            return
        await asyncio.sleep(every)


async def accepted(socket: Socket) -> bool:
    """Accept a socket from a page of this server, and return whether it was one."""
    if not is_same_origin(socket):
        await socket.close(POLICY)
        return False
    await socket.accept()
    return True


async def _serve(socket: Socket, site: Site, watcher: Watcher, of: str, watching: AbstractContextManager[None]) -> None:
    """Send a watcher what they watch until the socket closes; refuse one more than an address or a player may have."""
    with site.sockets_at_address.taken(address_of(socket)) as here, site.sockets_of_player.taken(watcher.player) as own:
        if not (here and own):
            await socket.close(LATER, TOO_MANY)
            return
        with metrics.SOCKETS.labels(of).track_inprogress(), site.sessions.watching(watcher), watching:
            await _until_closed(socket, _send(socket, watcher))


async def _until_closed(socket: Socket, sending: Coroutine[Any, Any, None]) -> None:
    """Send until the socket closes; whoever sends a message to it is sent away."""
    task = asyncio.create_task(sending)
    try:
        await socket.receive_data("text")
        await socket.close(POLICY, "this socket takes no messages")
    except WebSocketDisconnect:
        pass
    finally:
        await cancelled([task])


async def _send(socket: Socket, watcher: Watcher) -> None:
    """Send a watcher each new view, until one cannot be drawn."""
    while True:
        await watcher.news.wait()
        watcher.news.clear()
        if watcher.is_signed_out:
            await socket.close(LOAD_AGAIN)
            return
        if watcher.html is None:
            await socket.close(FAULT)
            return
        await socket.send_text(with_seconds_left(watcher.html))
