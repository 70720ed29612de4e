"""`quintain mute`: keeps a player from talking at tables for a while."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated

import typer

from quintain.cli.arguments import Database, existing, new_console
from quintain.cli.output import AsJson, print_document

Player = Annotated[
    int,
    typer.Argument(
        metavar="PLAYER",
        min=0,
        max=2**31 - 1,
        help="The number of the player, as the server's log and the address /players/NUMBER name it.",
    ),
]


def mute_player(
    player: Player,
    hours: Annotated[
        float, typer.Option("--hours", metavar="N", min=0.01, max=87_600, help="For how long, from now on.")
    ] = 24.0,
    off: Annotated[bool, typer.Option("--off", help="Let the player talk again.")] = False,
    as_json: AsJson = False,
    database: Database = None,
) -> None:
    """Keep a player from talking at tables for some hours; a running server obeys at once."""
    from quintain.server.clock import now
    from quintain.server.model.seating import Person
    from quintain.server.store.store import Store
    from quintain.server.store.upgrades import prepare

    address = existing(database)
    prepare(address)

    async def change() -> tuple[Person, float]:
        async with Store.open(address) as store:
            until = now() + 3600 * hours
            return await store.mute(player, None if off else until), until

    muted, until = asyncio.run(change())
    if as_json:
        print_document({"player": muted.number, "name": muted.name, "muted_until": None if off else until})
        return
    words = "can talk again" if off else f"cannot talk before {_minute(until)}"
    new_console().print(f"{muted.name}, player {muted.number}, {words}.", soft_wrap=True)


def _minute(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC")
