"""`quintain serve`: the web server."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from quintain.cli.arguments import GameFile, register

LogLevel = Literal["info", "warning", "error"]


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen at.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="The port to listen at.")] = 8000,
    database: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The database; in Quintain's data folder if not given.")
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open the browser on the lobby.")] = False,
    log_level: Annotated[LogLevel, typer.Option(help="What is logged, on the standard error.")] = "info",
    game_file: GameFile = None,
    per_address: Annotated[
        int,
        typer.Option(
            "--connections-per-address",
            metavar="N",
            min=1,
            help="How many connections one address may have; behind a proxy, all players share its address.",
        ),
    ] = 500,
) -> None:
    """Serve games to browsers: here, and in the local network."""
    from quintain.server.doors import USUAL
    from quintain.server.run import run

    register(game_file)
    bounds = replace(USUAL, connections=max(USUAL.connections, per_address), connections_per_address=per_address)
    run(host, port, database, browser, log_level, [file.resolve() for file in game_file or ()], bounds)
