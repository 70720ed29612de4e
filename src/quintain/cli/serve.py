"""`quintain serve`: starts the web server, which is in `quintain.server`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import typer

from quintain.cli.arguments import Database, GameFile, address_of, register

LogLevel = Literal["info", "warning", "error"]


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The network address to listen at.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="The port to listen at.")] = 8000,
    database: Database = None,
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="The number of processes; several need PostgreSQL.")
    ] = 1,
    browser: Annotated[bool, typer.Option("--open", help="Open the lobby in the browser.")] = False,
    log_level: Annotated[LogLevel, typer.Option(help="The least level of messages to log.")] = "info",
    game_file: GameFile = None,
    per_address: Annotated[
        int,
        typer.Option(
            "--connections-per-address",
            metavar="N",
            min=1,
            help="The most connections from one address; behind a proxy, all players have its address.",
        ),
    ] = 500,
) -> None:
    """Serve games to browsers, on this machine and in the local network."""
    from quintain.server.doors import USUAL
    from quintain.server.house import Config
    from quintain.server.processes import processors
    from quintain.server.run import run

    register(game_file)
    config = Config(
        address_of(database),
        workers=max(1, (processors() - 1) // processes),
        game_files=tuple(file.resolve() for file in game_file or ()),
        bounds=replace(USUAL, connections=max(USUAL.connections, per_address), connections_per_address=per_address),
        processes=processes,
    )
    run(host, port, config, browser, log_level)
