"""Arguments that several commands take, and helpers that they share: finding the game, a console, a progress bar."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from quintain.engine.errors import BadOption
from quintain.engine.game import Game
from quintain.engine.registry import game, register_files

if TYPE_CHECKING:
    from quintain.server.databases import Address

GameId = Annotated[str, typer.Argument(metavar="GAME", help="The id of a game: `quintain games` lists them.")]
GameFile = Annotated[
    list[Path] | None,
    typer.Option(
        "--game-file",
        metavar="FILE",
        envvar="QUINTAIN_GAME_FILE",
        help="A Python file that defines another GAME; may be repeated.",
    ),
]
Seats = Annotated[
    int | None, typer.Option(metavar="N", help="The number of players; the game's usual number if not given.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game, as `quintain games` lists them."),
]
Seed = Annotated[
    str | None, typer.Option(metavar="HEX", help="64 hex digits that decide the cards; random if not given.")
]
Pace = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", min=0, max=60, help="The least time of a bot's move; 0.5 at a terminal if not given."
    ),
]
BatchSeed = Annotated[
    int | None,
    typer.Option(metavar="INT", min=0, max=2**63 - 1, help="A number that decides all chance; random if not given."),
]

Database = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        envvar="QUINTAIN_DATABASE",
        help="The database: a file, or postgresql+psycopg://…; a file in Quintain's data folder if not given.",
    ),
]


def address_of(database: str | None) -> Address:
    """Return the address of the database that `--database` names; raises BadOption."""
    from quintain.engine import home
    from quintain.server.databases import read_address

    return home.data() / "server.sqlite" if database is None else read_address(database)


def existing(database: str | None) -> Address:
    """Return the address of a database that is there; raises BadOption, for a typo must not make another one."""
    address = address_of(database)
    if isinstance(address, Path) and not address.exists():
        raise BadOption(f"there is no database {address}: name one with --database")
    return address


def new_console() -> Console:
    """Return a console that prints text as it is, without markup."""
    return Console(highlight=False, markup=False, emoji=False)


def new_progress() -> Progress:
    """Return a progress bar on the standard error, which is shown only at a terminal."""
    errors = Console(stderr=True)
    return Progress(console=errors, transient=True, disable=not errors.is_terminal)


def register(game_files: Sequence[Path] | None) -> None:
    """Register the games of the files that are given; raises BadGame."""
    register_files(game_files or ())


def find(game_id: str, game_files: Sequence[Path] | None) -> Game:
    """Return the game of an id, perhaps that of a file; raises UnknownGame and BadGame."""
    register(game_files)
    return game(game_id)
