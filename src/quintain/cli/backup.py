"""`quintain backup` and `quintain restore`: copy a server's database to a file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quintain.cli import files
from quintain.cli.arguments import Database, address_of, new_console
from quintain.cli.output import AsJson, fields, print_document
from quintain.engine.errors import BadOption


def back_up(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """Copy all of a server's database to a file; games go on meanwhile."""
    from quintain.server.store import backups

    copied = backups.back_up(address_of(database), file, force)
    if as_json:
        print_document({"file": str(file), **fields(copied)})
        return
    words = f"{file} holds {copied}. Keep it private: every hand and the server's keys are in it."
    new_console().print(words, soft_wrap=True)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `quintain backup` has written.")],
    database: Database = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before what is there is lost.")] = False,
    as_json: AsJson = False,
) -> None:
    """Put a backup in the place of all that a server's database holds."""
    from quintain.server.store import backups

    url = address_of(database)
    with files.on_disk(file, BadOption) as path:
        backups.check_file(path)
        there = backups.contents_of(url)
        if there.tables and not yes:
            if file == files.STDIN:
                raise BadOption(f"the database holds {there}: add --yes if this backup shall replace them all")
            typer.confirm(f"The database holds {there}. Replace them all?", abort=True, err=as_json)
        restored = backups.restore(path, url)
    if as_json:
        print_document(restored)
    else:
        new_console().print(f"The database now holds {restored}.")
