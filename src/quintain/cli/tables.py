"""`quintain tables`: works on the tables of a server's database."""

from __future__ import annotations

import asyncio

import typer

from quintain.cli.arguments import Database, GameFile, existing, new_console, register
from quintain.cli.manual import read_more
from quintain.cli.output import AsJson, AsLines, print_document, print_lines

UPGRADING = read_more("hosting", "upgrades")
app = typer.Typer(help="Work on the tables of a server's database.", no_args_is_help=True, epilog=UPGRADING)


@app.callback()
def tables() -> None:
    """Work on the tables of a server's database."""


@app.command("rebuild", epilog=UPGRADING)
def rebuild_lists(as_json: AsJson = False, database: Database = None) -> None:
    """Make the rows that list tables and seats anew from the tables' logs; games may go on meanwhile."""
    from quintain.server.store.store import Store
    from quintain.server.store.upgrades import prepare

    address = existing(database)
    prepare(address)

    async def rebuild() -> int:
        async with Store.open(address) as store:
            return await store.rebuild()

    number = asyncio.run(rebuild())
    if as_json:
        print_document({"tables": number})
        return
    new_console().print(f"The lists of {number:,} table{'s' * (number != 1)} follow from their logs again.")


@app.command("check", epilog=UPGRADING)
def check_rules(as_json: AsLines = False, database: Database = None, game_file: GameFile = None) -> None:
    """List the games that today's rules cannot go on with, or cannot show; the exit status is 1 if there are any.

    Run it with a new version before you upgrade a server: it changes nothing, and the server may run meanwhile.
    With --json it lists all games; `why` is empty for those with which nothing is wrong.
    """
    from quintain.server.tables.renewals import check_tables

    register(game_file)
    console, counts = new_console(), {False: [0, 0], True: [0, 0]}
    for checked in check_tables(existing(database)):
        counts[checked.is_over][bool(checked.why)] += 1
        if as_json:
            print_lines([checked])
        elif checked.why:
            who = f", {', '.join(checked.players)}" if checked.players else ""
            console.print(f"/tables/{checked.table}, {checked.game}{who}: {checked.why}", soft_wrap=True)
    for is_over, (good, bad) in counts.items() if not as_json else ():
        about, can = ("finished", "can be shown") if is_over else ("in play or waiting", "go on")
        console.print(f"Games {about}: {good:,} {can}, {bad:,} cannot.")
    if counts[False][1] or counts[True][1]:
        raise typer.Exit(1)
