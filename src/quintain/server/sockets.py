"""Sockets: each is sent the whole private view of one viewer, again whenever there is something new.

Nothing is taken from a browser over a socket: what people do comes as posts. A slow reader misses some views, but
never the last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from quintain.engine.errors import QuintainError
from quintain.server.house import House, Socket, TheHouse
from quintain.server.players import Visitor
from quintain.server.requests import address_of, is_same_origin
from quintain.server.table import Watcher

POLICY, FAULT, LATER, GONE = 1008, 1011, 1013, 4404
"""Codes with which a socket is closed: what is against the rules, a fault of ours, after which browsers come again, too
many of somebody's, and a table that is not there."""
TOO_MANY = "too many sockets are open from here: close some pages"


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
    with _place(socket, house, visitor) as is_free:
        if not is_free:
            await socket.close(LATER, TOO_MANY)
            return
        with house.drawing.watching(table, watcher):
            await _serve(socket, watcher)


@websocket("/lobby/socket")
async def lobby_socket(socket: Socket, house: TheHouse) -> None:
    """Send the tables of the lobby."""
    if not await _accept(socket):
        return
    visitor = await house.visitor(socket)
    watcher = Watcher(visitor)
    with _place(socket, house, visitor) as is_free:
        if not is_free:
            await socket.close(LATER, TOO_MANY)
            return
        house.lobby.add(watcher)
        try:
            await _serve(socket, watcher)
        finally:
            house.lobby.discard(watcher)


@contextmanager
def _place(socket: Socket, house: House, visitor: Visitor) -> Iterator[bool]:
    """Count a socket for its address and its player as long as it is open; yields False if either has too many."""
    with house.sockets_at_address.taken(address_of(socket)) as here, house.sockets_of_player.taken(visitor.id) as own:
        yield here and own


async def _accept(socket: Socket) -> bool:
    """Accept a socket that is opened by a page of this server."""
    if not is_same_origin(socket):
        await socket.close(POLICY)
        return False
    await socket.accept()
    return True


async def _serve(socket: Socket, watcher: Watcher) -> None:
    sending = asyncio.create_task(_send(socket, watcher))
    try:
        await socket.receive_data("text")
        await socket.close(POLICY, "nothing is taken over this socket")
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _send(socket: Socket, watcher: Watcher) -> None:
    """Send what is drawn for a watcher, as often as it is news, until something cannot be drawn."""
    while True:
        await watcher.news.wait()
        watcher.news.clear()
        if watcher.html is None:
            await socket.close(FAULT)
            return
        await socket.send_text(watcher.html)
