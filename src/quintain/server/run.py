"""Runs a server: checks the database, listens, greets, serves until Ctrl-C, and stops without losing a move.

`quintain serve` calls `run`. The application comes from `app.py`; `doors.py` limits its connections.
"""

from __future__ import annotations

import asyncio
import gc
import io
import ipaddress
import logging
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import segno
import typer
import uvicorn
from alembic.util import CommandError
from litestar import Litestar
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from quintain.engine import home
from quintain.engine.errors import QuintainError
from quintain.server import logs
from quintain.server.app import create_app
from quintain.server.damage import lost_parts, torn_pages
from quintain.server.doors import USUAL, Bounds, ServerConfig, raise_file_limit
from quintain.server.house import Config, House
from quintain.server.private import keep_private
from quintain.server.processes import end_tracker, processors
from quintain.server.store import migrate

GRACE = 5
"""Seconds that open requests have to finish when the server stops."""
LOOKS = 0.1
"""Seconds between two looks whether a server that stops is hurried."""
KEPT_ALIVE = 60
"""Seconds that a connection may be silent between two requests."""
COLLECTED_AFTER = 20_000
"""Python's garbage collector looks for cycles after this many new objects."""
MOST_FRAME = 1024
"""Bytes that a message on a socket may have; sockets take no messages at all."""

PROXIES = ("127.0.0.1", "::1")
"""Proxies that may say for whom they ask, if nobody names others: those on this machine."""
log = logging.getLogger("quintain.server")
REMEDY = "put a copy from an earlier day in its place, or name another file with --database"


def run(
    host: str,
    port: int,
    database: Path | None,
    browser: bool,
    log_level: str,
    game_files: Sequence[Path],
    bounds: Bounds = USUAL,
    proxies: Sequence[str] = PROXIES,
    metrics_token: str = "",
    workers: int | None = None,
) -> None:
    """Serve until somebody stops the server; with `browser`, open a browser on the lobby. Raises QuintainError."""
    raise_file_limit()
    listening = _listen(host, port)
    address = _network_address(host, port)
    here = f"http://{'localhost' if _is_everywhere(host) else _in_url(host)}:{port}"
    logs.set_up(log_level)
    config = Config(
        database=database or home.data() / "server.sqlite",
        address=address,
        workers=workers or max(1, processors() - 1),
        game_files=tuple(game_files),
        metrics_token=metrics_token,
        bounds=bounds,
    )
    prepare(config.database)
    server = Server(create_app(config), bounds, proxies)
    collect_rarely()
    _greet(here, address)
    if browser:
        webbrowser.open(here)
    for how in (signal.SIGINT, signal.SIGTERM):
        signal.signal(how, lambda *_: sys.exit(0))  # until uvicorn takes over
    try:
        server.run(sockets=[listening])
    finally:
        for how in (signal.SIGINT, signal.SIGTERM):
            signal.signal(how, signal.SIG_IGN)
        end_tracker()


class Server(uvicorn.Server):
    """Uvicorn's server. When it stops, bots and hints stop first, so that requests that wait for them get an answer.

    Open requests have GRACE seconds to finish; a second Ctrl-C cuts them off at once. The house is closed in any case.
    """

    def __init__(self, app: Litestar, bounds: Bounds = USUAL, proxies: Sequence[str] = PROXIES):
        super().__init__(server_config(app, bounds, proxies))
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
        house: House = self.app.state.house
        await house.tables.stop_thinking()
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


def server_config(app: Litestar, bounds: Bounds = USUAL, proxies: Sequence[str] = PROXIES) -> ServerConfig:
    """Return uvicorn's settings for the application; the proxies may say for whom they ask."""
    return ServerConfig(
        app,
        bounds,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(proxies),
        ws_max_size=MOST_FRAME,
        ws_per_message_deflate=False,
        timeout_keep_alive=KEPT_ALIVE,
    )


def prepare(database: Path) -> None:
    """Make the database or bring it up to date; raises QuintainError if it is damaged or cannot be used."""
    engine = create_engine(f"sqlite:///{database}")
    try:
        keep_private(database)
        with engine.begin() as connection:
            wrong = torn_pages(connection)
            if not wrong:
                migrate(connection)
                wrong = lost_parts(connection)
    except (OSError, SQLAlchemyError, CommandError) as error:
        reason = error.strerror if isinstance(error, OSError) else getattr(error, "orig", error)
        raise QuintainError(f"the database {database} cannot be used: {reason}; {REMEDY}") from error
    finally:
        engine.dispose()
    if wrong:
        raise QuintainError(f"the database {database} is damaged: {wrong}; {REMEDY}")


def _listen(host: str, port: int) -> socket.socket:
    """Return the socket to listen at; raises QuintainError if the address or port is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, port, family)
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror as error:
        raise QuintainError(f"there is no address {host}: {error.strerror}; try another --host") from error
    except OSError as error:
        raise QuintainError(f"cannot listen at {host} port {port}: {error.strerror}; try another --port") from error


def _network_address(host: str, port: int) -> str:
    """Return the server's URL for other devices of the network; empty if they cannot reach it."""
    if not _is_everywhere(host):
        return "" if _is_loopback(host) else f"http://{_in_url(host)}:{port}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            own = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if _is_loopback(own) else f"http://{own}:{port}"


def _greet(here: str, address: str) -> None:
    """Print the lobby's address, and the network's address as a QR code for phones."""
    typer.echo(f"Quintain is at {here}")
    if address:
        code = io.StringIO()
        segno.make(address, micro=False).terminal(out=code, compact=True, border=2)
        typer.echo(f"From other devices in this network: {address}\n{code.getvalue()}")
    typer.echo("Ctrl-C stops it; every game is kept.")


def _is_everywhere(host: str) -> bool:
    return host in ("0.0.0.0", "::")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
