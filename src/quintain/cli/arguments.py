"""Arguments that several commands take, and helpers that they share: finding the game, a console, a progress bar."""

from __future__ import annotations

import secrets
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.progress import Progress

from quintain.cli import completion, files
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game, register_files

if TYPE_CHECKING:
    from quintain.lab.pools import WorkerPool
    from quintain.server.store.addresses import Address

WIDEST = 10_000
"""More columns than any line of text has."""

GameId = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The id of a game: `quintain games` lists them.", autocompletion=completion.games
    ),
]
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
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game, as `quintain games` lists them.",
        autocompletion=completion.options,
    ),
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
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.parquet", help="Write a row for each game here; if the run is stopped, the same command goes on."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="How many games run at a time; one for each core if not given."),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="local|auto|HOST:PORT",
        help="Play on a Ray cluster: a new one, the one here, or that at HOST:PORT.",
    ),
]

Database = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        envvar="QUINTAIN_DATABASE",
        help="The database: a file, or postgresql+psycopg://…; a file in Quintain's data folder if not given.",
    ),
]


def bots_option(help: str, metavar: str = "BOT,...") -> Any:
    """Return what Typer knows of an option that takes bots."""
    return typer.Option(metavar=metavar, help=help, autocompletion=completion.bots)


def address_of(database: str | None) -> Address:
    """Return the address of the database that `--database` names; raises BadOption."""
    from quintain.engine import home
    from quintain.server.store.addresses import read_address

    return home.data() / "server.sqlite" if database is None else read_address(database)


def existing(database: str | None) -> Address:
    """Return the address of a database that exists; raises BadOption otherwise: a typo must not make a new one."""
    address = address_of(database)
    if isinstance(address, Path) and not address.exists():
        raise BadOption(f"there is no database {address}: name one with --database")
    if isinstance(address, Path) and address.is_file() and not address.stat().st_size:
        raise BadOption(f"the file {address} is empty, so it is no database: name another one with --database")
    return address


def is_piped() -> bool:
    """Tell whether the standard output goes to a file or to another program, and not to a terminal."""
    return sys.stdout is None or not sys.stdout.isatty()


def new_console(stderr: bool = False) -> Console:
    """Return a console that prints text as it is, without markup. Into a pipe, it neither wraps nor styles any line."""
    if is_piped() or stderr:
        return Console(
            highlight=False, markup=False, emoji=False, stderr=stderr, force_terminal=False, width=WIDEST, no_color=True
        )
    return Console(highlight=False, markup=False, emoji=False)


def picture(shown: RenderableType) -> RenderableType:
    """Return what is laid out for a width, such as a table with boards: a pipe gets it in COLUMNS columns."""
    return Constrain(shown, shutil.get_terminal_size().columns) if is_piped() else shown


def new_progress() -> Progress:
    """Return a progress bar on the standard error, which is shown only at a terminal."""
    errors = Console(stderr=True)
    return Progress(console=errors, transient=True, disable=not errors.is_terminal)


@contextmanager
def open_pool(ray: str | None, workers: int | None) -> Iterator[WorkerPool]:
    """Return the workers that `--ray` and `--workers` name; raises BadOption and QuintainError."""
    from quintain.lab.cluster import LOCAL, RayPool
    from quintain.lab.pools import LocalPool

    if ray is None:
        yield LocalPool(workers)
    elif workers and ray != LOCAL:
        raise BadOption(f"the cluster at {ray} has as many workers as it has: give --workers with --ray local only")
    else:
        with RayPool(ray, workers) as pool:
            yield pool


@contextmanager
def resumable(out: Path | None) -> Iterator[None]:
    """Say that a run to `out` goes on where it was stopped, or, if it is stopped now, how to go on."""
    from quintain.lab.journal import unfinished

    errors = Console(stderr=True, highlight=False, markup=False)
    if out and out.suffix != ".parquet":
        raise BadOption(f"games are written to a file whose name ends in .parquet, not to {out.name}")
    kept = unfinished(out) if out else None
    if kept and kept.exists():
        errors.print(
            f"A run was stopped, and its results are in {kept}: the same command goes on with it.", soft_wrap=True
        )
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except (KeyboardInterrupt, Terminated):
        if kept and kept.exists():
            errors.print(f"Stopped. The results so far are in {kept}; the same command goes on.", soft_wrap=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


class Terminated(SystemExit):
    """Raised in the middle of a run if somebody ends the process by SIGTERM."""


def _terminate(number: int, _: object) -> None:
    raise Terminated(128 + number)


def read_seed(seed: int | None, out: Path | None) -> int:
    """Return the seed of a run: as given, else that of a run to `out` that was stopped, else a random one."""
    from quintain.lab.journal import planned_seed

    planned = planned_seed(out) if seed is None and out else seed
    return secrets.randbits(62) if planned is None else planned


def register(game_files: Sequence[Path] | None) -> None:
    """Register the games of the files that are given; raises BadGame."""
    for path in game_files or ():
        check_path(path)
    register_files(game_files or ())


def check_path(path: Path) -> None:
    """Raise BadGame for a game on the standard input."""
    if path == files.STDIN:
        raise BadGame("a game cannot come from the standard input, since other processes read it too: give a file")


def find(game_id: str, game_files: Sequence[Path] | None) -> Game:
    """Return the game of an id, perhaps that of a file; raises UnknownGame and BadGame."""
    register(game_files)
    return game(game_id)
