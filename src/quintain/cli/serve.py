"""`quintain serve`: starts the web server, which is in `quintain.server`."""

from __future__ import annotations

import ipaddress
from contextlib import nullcontext
from dataclasses import replace
from typing import Annotated, Literal

import typer

from quintain.cli.arguments import Database, GameFile, address_of, register
from quintain.cli.compile import in_background
from quintain.engine.errors import BadOption, quoted

LogLevel = Literal["info", "warning", "error"]


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", envvar="QUINTAIN_HOST", help="The network address to listen at.")
    ] = "0.0.0.0",
    port: Annotated[
        int, typer.Option(metavar="N", envvar="QUINTAIN_PORT", min=1, max=65535, help="The port to listen at.")
    ] = 8000,
    database: Database = None,
    processes: Annotated[
        int,
        typer.Option(
            metavar="N",
            envvar="QUINTAIN_PROCESSES",
            min=1,
            max=64,
            help="The number of processes; several need PostgreSQL.",
        ),
    ] = 1,
    browser: Annotated[
        bool, typer.Option("--open", envvar="QUINTAIN_OPEN", help="Open the lobby in the browser.")
    ] = False,
    log_level: Annotated[
        LogLevel, typer.Option(envvar="QUINTAIN_LOG_LEVEL", help="The least level of messages to log.")
    ] = "info",
    game_file: GameFile = None,
    proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS,...",
            envvar="QUINTAIN_PROXY",
            help="Proxies, as addresses or networks, that may say in X-Forwarded-For for whom they ask.",
        ),
    ] = "127.0.0.1,::1",
    metrics_token: Annotated[
        str,
        typer.Option(
            metavar="TOKEN",
            envvar="QUINTAIN_METRICS_TOKEN",
            help="A secret with which other machines may read /metrics; prefer the variable to the flag.",
        ),
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            envvar="QUINTAIN_WORKERS",
            min=1,
            help="Processes in which bots think, for each that serves; by the number of processors if not given.",
        ),
    ] = None,
    per_address: Annotated[
        int,
        typer.Option(
            "--connections-per-address",
            metavar="N",
            envvar="QUINTAIN_CONNECTIONS_PER_ADDRESS",
            min=1,
            help="The most connections from one address; behind a proxy, all players have its address.",
        ),
    ] = 500,
    connections: Annotated[
        int,
        typer.Option(
            metavar="N", envvar="QUINTAIN_CONNECTIONS", min=1, help="The most connections from all addresses together."
        ),
    ] = 4000,
    compile_first: Annotated[
        bool,
        typer.Option(
            "--compile",
            envvar="QUINTAIN_COMPILE",
            help="Compile all games in the background, as `quintain compile` does.",
        ),
    ] = False,
) -> None:
    """Serve games to browsers, on this machine and in the local network."""
    from quintain.server.http.doors import USUAL
    from quintain.server.http.house import Config
    from quintain.server.processes import processors
    from quintain.server.run.start import run

    if per_address > connections:
        raise BadOption(
            f"one address cannot have {per_address} connections where all together have {connections}: "
            f"give --connections {per_address} or more as well"
        )
    register(game_file)
    config = Config(
        address_of(database),
        workers=workers or max(1, (processors() - 1) // processes),
        game_files=tuple(file.resolve() for file in game_file or ()),
        metrics_token=metrics_token,
        proxies=read_proxies(proxy),
        bounds=replace(USUAL, connections=connections, connections_per_address=per_address),
        processes=processes,
    )
    with in_background(config.game_files) if compile_first else nullcontext():
        run(host, port, config, browser, log_level)


def read_proxies(given: str) -> tuple[str, ...]:
    """Return the addresses and networks of proxies; raises BadOption."""
    proxies = tuple(each.strip() for each in given.split(",") if each.strip())
    for each in proxies:
        try:
            ipaddress.ip_network(each)
        except ValueError as error:
            raise BadOption(
                f"there is no address or network {quoted(each)}: write --proxy 192.0.2.7,10.0.0.0/8"
            ) from error
    return proxies
