"""Runs a server: checks the database, listens, greets, serves until Ctrl-C, and stops without losing a move.

`quintain serve` calls `run`. `serving.py` serves in this process, and `supervisor.py` in several.
"""

from __future__ import annotations

import errno
import io
import os
import socket
import webbrowser
from dataclasses import replace

import segno
import typer

from quintain.bots import levels
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.registry import all_games
from quintain.server.http.doors import raise_file_limit
from quintain.server.http.site import Config, is_loopback
from quintain.server.processes import end_tracker
from quintain.server.run import operator_log as logs
from quintain.server.run.app import create_app
from quintain.server.run.serving import Server, serve
from quintain.server.run.supervisor import supervise
from quintain.server.store.addresses import DRIVER, is_shared
from quintain.server.store.upgrades import prepare


def run(host: str, port: int, config: Config, browser: bool = False, log_level: str = "info") -> None:
    """Serve until somebody stops the server; with `browser`, open a browser on the lobby. Raises QuintainError."""
    if config.processes > 1 and not is_shared(config.database):
        raise BadOption(
            f"{config.processes} processes cannot serve one SQLite file; name a PostgreSQL database, which they can "
            f"share: --database {DRIVER}://USER:PASSWORD@HOST/NAME"
        )
    raise_file_limit()
    listening = _listen(host, port)
    here = f"http://{'localhost' if _is_everywhere(host) else _in_url(host)}:{port}"
    logs.set_up(log_level)
    all_games(), levels()  # warns of plug-ins that are left out
    config = replace(config, address=_network_address(host, port))
    prepare(config.database)
    _greet(here, config.address)
    if browser:
        webbrowser.open(here)
    try:
        if config.processes > 1:
            supervise(config, log_level, listening)
        else:
            serve(Server(create_app(config), config.bounds, config.proxies), [listening])
    finally:
        end_tracker()


def _listen(host: str, port: int) -> socket.socket:
    """Return the socket to listen at; raises QuintainError if the address or port is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, port, family)
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror as error:
        raise QuintainError(f"there is no address {host}: {error.strerror}; try another --host") from error
    except OSError as error:
        other = "--host" if error.errno == errno.EADDRNOTAVAIL else "--port"
        reason = os.strerror(error.errno or 0)
        raise QuintainError(f"cannot listen at {host} port {port}: {reason}; try another {other}") from error


def _network_address(host: str, port: int) -> str:
    """Return the server's URL for other devices of the network; empty if they cannot reach it."""
    if not _is_everywhere(host):
        return "" if is_loopback(host) else f"http://{_in_url(host)}:{port}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            own = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if is_loopback(own) else f"http://{own}:{port}"


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


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
