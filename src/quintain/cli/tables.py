"""`quintain tables`: works on the tables of a server's database."""

from __future__ import annotations

import asyncio

import typer

from quintain.cli.arguments import Database, existing, new_console

app = typer.Typer(help="Work on the tables of a server's database.", no_args_is_help=True)


@app.callback()
def tables() -> None:
    """Work on the tables of a server's database."""


@app.command("rebuild")
def rebuild_lists(database: Database = None) -> None:
    """Make the rows that list tables and seats anew from the tables' logs; games may go on meanwhile."""
    from quintain.server.run import prepare
    from quintain.server.store import Store

    address = existing(database)
    prepare(address)

    async def rebuild() -> int:
        async with Store.open(address) as store:
            return await store.rebuild()

    number = asyncio.run(rebuild())
    new_console().print(f"The lists of {number:,} table{'s' * (number != 1)} follow from their logs again.")
