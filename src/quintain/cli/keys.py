"""`quintain keys`: lists and rotates the signing keys in a server's database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated

import typer

from quintain.cli.arguments import Database, existing, new_console
from quintain.cli.manual import read_more
from quintain.cli.output import AsLines, fields, print_lines

KEYS = read_more("server", "signing-keys-and-sessions")
app = typer.Typer(help="List and rotate the signing keys of a server.", no_args_is_help=True, epilog=KEYS)


@app.callback()
def keys() -> None:
    """List and rotate the signing keys of a server."""


@app.command("list", epilog=KEYS)
def list_keys(as_json: AsLines = False, database: Database = None) -> None:
    """List the keys, the newest first, with the public halves of those that sign records."""
    from quintain.server.store.keys import Key, read
    from quintain.server.store.store import Store
    from quintain.server.store.upgrades import prepare

    address = existing(database)
    prepare(address)

    async def found() -> list[Key]:
        async with Store.open(address) as store:
            return await read(store)

    keys = asyncio.run(found())[::-1]
    if as_json:
        print_lines({name: value for name, value in fields(key).items() if name != "secret"} for key in keys)
        return
    console = new_console()
    for key in keys:
        times = f"from {_minute(key.made)} to {_minute(key.ended) if key.ended else 'now'}"
        console.print(f"key {key.number} for {key.kind}, {times}  {key.public or ''}".rstrip(), soft_wrap=True)


@app.command("rotate", epilog=KEYS)
def rotate_keys(
    database: Database = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="End the old keys for cookies as well: this signs everybody out.")
    ] = False,
) -> None:
    """Make new keys, which a running server uses within seconds. Old cookies remain valid unless you --forget."""
    from quintain.server.store.keys import rotate
    from quintain.server.store.store import Store
    from quintain.server.store.upgrades import prepare

    address = existing(database)
    prepare(address)

    async def change() -> None:
        async with Store.open(address) as store, store.together.begin() as connection:
            await rotate(connection, forget)

    asyncio.run(change())
    console = new_console()
    console.print("New keys sign cookies and records. Anybody can still check old records by the old public key.")
    if forget:
        console.print("The old keys for cookies have ended: everybody is signed out, and comes back as a new player.")
    else:
        console.print("Cookies that the old keys signed still hold; --forget would sign everybody out.")


def _minute(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC")
