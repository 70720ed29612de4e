"""Serves the application in this process until a signal stops it; `run.py` and `supervisor.py` call `serve`.

The application comes from `app.py`; `doors.py` limits its connections.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys

import uvicorn
from litestar import Litestar

from quintain.server.doors import USUAL, Bounds, ServerConfig
from quintain.server.house import House

GRACE = 5
"""Seconds that open requests have to finish when the server stops."""
KEPT_ALIVE = 60
"""Seconds that a connection may be silent between two requests."""
COLLECTED_AFTER = 20_000
"""Python's garbage collector looks for cycles after this many new objects."""
MOST_FRAME = 1024
"""Bytes that a message on a socket may have; sockets take no messages at all."""


def serve(server: Server, listening: list[socket.socket] | None) -> None:
    """Serve until a signal stops this process."""
    collect_rarely()
    for how in (signal.SIGINT, signal.SIGTERM):
        signal.signal(how, lambda *_: sys.exit(0))  # uvicorn sends itself the signal again once it has stopped
    server.run(sockets=listening)


class Server(uvicorn.Server):
    """Uvicorn's server. When it stops, bots and hints stop first, so that requests that wait for them get an answer."""

    def __init__(self, app: Litestar, bounds: Bounds = USUAL):
        super().__init__(server_config(app, bounds))
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop thinking, finish the open requests, and stop."""
        house: House = self.app.state.house
        await house.tables.stop_thinking()
        await super().shutdown(sockets)


def collect_rarely() -> None:
    """Make Python's garbage collector run rarely: a view has thousands of objects, and none form a cycle."""
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER, 10, 10)


def server_config(app: Litestar, bounds: Bounds = USUAL) -> ServerConfig:
    """Return uvicorn's settings for the application."""
    return ServerConfig(
        app,
        bounds,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=MOST_FRAME,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=KEPT_ALIVE,
    )
