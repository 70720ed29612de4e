"""Serves the application in this process until a signal stops it; `start.py` and `supervisor.py` call `serve`.

The application comes from `app.py`; `doors.py` limits its connections.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
import time
from collections.abc import Sequence
from types import FrameType

import uvicorn
from litestar import Litestar

from quintain.server.http.doors import PROXIES, USUAL, Bounds, ServerConfig
from quintain.server.http.site import Site

GRACE = 5
"""Seconds that open requests have to finish when the server stops."""
LOOKS = 0.1
"""Seconds between two looks whether a server that stops is hurried."""
COLLECTED_AFTER = 20_000
"""Python's garbage collector looks for cycles after this many new objects."""
log = logging.getLogger("quintain.server")


def serve(server: Server, listening: list[socket.socket] | None) -> None:
    """Serve until a signal stops this process."""
    collect_rarely()
    for how in (signal.SIGINT, signal.SIGTERM):
        signal.signal(how, lambda *_: sys.exit(0))  # until uvicorn takes over
    try:
        server.run(sockets=listening)
    finally:
        for how in (signal.SIGINT, signal.SIGTERM):
            signal.signal(how, signal.SIG_IGN)


class Server(uvicorn.Server):
    """Uvicorn's server. When it stops, bots and hints stop first, so that requests that wait for them get an answer.

    Open requests have GRACE seconds to finish; a second Ctrl-C cuts them off at once. The site is closed in any case.
    """

    def __init__(self, app: Litestar, bounds: Bounds = USUAL, proxies: Sequence[str] = PROXIES):
        super().__init__(ServerConfig(app, bounds, proxies))
        self.app = app
        self.is_hurried = False
        """Whether somebody has pressed Ctrl-C again."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop. Uvicorn would skip the end of the application if it is hurried, and raise the signal again."""
        self.is_hurried |= self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop thinking, finish the open requests or cut them off, and stop."""
        log.info("stopping")
        site: Site = self.app.state.site
        await site.tables.stop_thinking()
        stopping, until = asyncio.create_task(super().shutdown(sockets)), time.monotonic() + GRACE
        while not stopping.done() and not self.is_hurried and time.monotonic() < until:
            await asyncio.wait([stopping], timeout=LOOKS)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
        await stopping
        log.info("stopped")


def collect_rarely() -> None:
    """Make Python's garbage collector run rarely: a view has thousands of objects, and none form a cycle."""
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER, 10, 10)
