"""Helpers for the benchmarks that start servers: free ports, addresses in words, processes, waiting for a server."""

from __future__ import annotations

import contextlib
import socket
import time
from pathlib import Path

import httpx
import psutil

from quintain.server.store.addresses import Address

TRIES = 300
"""We ask a starting server this many times whether it answers, ten times a second."""


def free_port() -> int:
    """Return a port at which nobody listens."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
        port: int = free.getsockname()[1]
        return port


def shown(database: Address) -> str:
    """Return the address of a database as `--database` takes it."""
    return str(database) if isinstance(database, Path) else database.render_as_string(hide_password=False)


def serving_processes(supervisor: int) -> list[psutil.Process]:
    """Return the processes that serve for a supervisor, of those that run."""
    found = []
    for child in psutil.Process(supervisor).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


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
