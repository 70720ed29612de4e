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

Host = Annotated[str, typer.Option(metavar="ADDRESS", envvar="QUINTAIN_HOST", help="The network address to listen at.")]
Port = Annotated[
    int, typer.Option(metavar="N", envvar="QUINTAIN_PORT", min=1, max=65535, help="The port to listen at.")
]
Processes = Annotated[
    int,
    typer.Option(
        metavar="N",
        envvar="QUINTAIN_PROCESSES",
        min=1,
        max=64,
        help="The number of processes; several need PostgreSQL.",
    ),
]
Browser = Annotated[bool, typer.Option("--open", envvar="QUINTAIN_OPEN", help="Open the lobby in the browser.")]
LogLevel = Annotated[
    Literal["info", "warning", "error"],
    typer.Option(envvar="QUINTAIN_LOG_LEVEL", help="The least level of messages to log."),
]
Proxies = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS,...",
        envvar="QUINTAIN_PROXY",
        help="Proxies, as addresses or networks, that may say in X-Forwarded-For for whom they ask.",
    ),
]
MetricsToken = Annotated[
    str,
    typer.Option(
        metavar="TOKEN",
        envvar="QUINTAIN_METRICS_TOKEN",
        help="A secret with which other machines may read /metrics; prefer the variable to the flag.",
    ),
]
BotProcesses = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        envvar="QUINTAIN_WORKERS",
        min=1,
        help="Processes in which bots think, for each that serves; by the number of processors if not given.",
    ),
]
ConnectionsPerAddress = Annotated[
    int,
    typer.Option(
        "--connections-per-address",
        metavar="N",
        envvar="QUINTAIN_CONNECTIONS_PER_ADDRESS",
        min=1,
        help="The most connections from one address; behind a proxy, all players have its address.",
    ),
]
Connections = Annotated[
    int,
    typer.Option(
        metavar="N", envvar="QUINTAIN_CONNECTIONS", min=1, help="The most connections from all addresses together."
    ),
]
CompileFirst = Annotated[
    bool,
    typer.Option(
        "--compile", envvar="QUINTAIN_COMPILE", help="Compile all games in the background, as `quintain compile` does."
    ),
]


def serve(
    host: Host = "0.0.0.0",
    port: Port = 8000,
    database: Database = None,
    processes: Processes = 1,
    browser: Browser = False,
    log_level: LogLevel = "info",
    game_file: GameFile = None,
    proxy: Proxies = "127.0.0.1,::1",
    metrics_token: MetricsToken = "",
    workers: BotProcesses = None,
    per_address: ConnectionsPerAddress = 500,
    connections: Connections = 4000,
    compile_first: CompileFirst = False,
) -> None:
    """Serve games to browsers, on this machine and in the local network."""
    from quintain.server.http.doors import USUAL
    from quintain.server.http.site import Config
    from quintain.server.processes import processors
    from quintain.server.run.start import run

    check_bounds(per_address, connections)
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


def check_bounds(per_address: int, connections: int) -> None:
    """Raise BadOption if one address may have more connections than all together."""
    if per_address > connections:
        raise BadOption(
            f"one address cannot have {per_address} connections where all together have {connections}: "
            f"give --connections {per_address} or more as well"
        )


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
