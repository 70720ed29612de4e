"""`quintain backup` and `quintain restore`: copy a server's database to a file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quintain.cli.arguments import Database, address_of, new_console


def back_up(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
) -> None:
    """Copy all of a server's database to a file; games go on meanwhile."""
    from quintain.server.store import backups

    copied = backups.back_up(address_of(database), file, force)
    words = f"{file} holds {copied}. Keep it private: every hand and the server's keys are in it."
    new_console().print(words, soft_wrap=True)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `quintain backup` has written.")],
    database: Database = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before what is there is lost.")] = False,
) -> None:
    """Put a backup in the place of all that a server's database holds."""
    from quintain.server.store import backups

    backups.check_file(file)
    url = address_of(database)
    there = backups.contents_of(url)
    if there.tables and not yes:
        typer.confirm(f"The database holds {there}. Replace them all?", abort=True)
    console = new_console()
    console.print(f"The database now holds {backups.restore(file, url)}.")
