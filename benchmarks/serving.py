"""Helpers for the benchmarks of the server, `load.py` and `hostile.py`: a free port, and waiting for a server."""

from __future__ import annotations

import socket
import time
from contextlib import closing

import httpx

TRIES = 300
"""We ask a starting server this many times whether it answers, ten times a second."""


def free_port() -> int:
    """Return a port at which nobody listens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port: int = free.getsockname()[1]
        return port


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    for _ in range(TRIES):
        try:
            httpx.get(f"{url}/health").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server does not start")
