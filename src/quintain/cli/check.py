"""`quintain check`: the conformance suite, run on a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.cli import files
from quintain.cli.arguments import GameFile, Options, find, new_console
from quintain.engine.game import Game
from quintain.engine.registry import register_file

if TYPE_CHECKING:
    from quintain.conformance import Case, Checked

GameOrFile = Annotated[
    str, typer.Argument(metavar="GAME-OR-FILE", help="The id of a game, or a Python file that defines a GAME.")
]
Only = Annotated[str, typer.Option(metavar="WORD", help="Try only the checks that have this in their name.")]
OneOfSeats = Annotated[int | None, typer.Option(metavar="N", help="How many play; all numbers are tried if not given.")]
MARKS = {"passed": ("ok", "green"), "skipped": ("skipped", "yellow"), "failed": ("FAILED", "bold red")}


def check_game(
    game: GameOrFile, seats: OneOfSeats = None, only: Only = "", option: Options = None, game_file: GameFile = None
) -> None:
    """Check that a game keeps the contract, with random games of it; the status is 1 if something fails.

    Without --option each option is tried at another value than usual.
    """
    from quintain.conformance import check

    found = register_file(Path(game)) if game.endswith(".py") else find(game, game_file)
    cases, console = _cases(found, seats, option or []), new_console()
    console.print(Text(f"{found.title}: {', '.join(case.words for case in cases)}"))
    results = []
    for result in check(found, cases, only):
        print_checked(console, result)
        results.append(result.state)
    counts = ", ".join(f"{results.count(state)} {state}" for state in MARKS if state in results)
    console.print(Text(f"{len(results)} checks: {counts}"))
    sys.exit(1 if "failed" in results else 0)


def _cases(game: Game, seats: int | None, options: list[str]) -> list[Case]:
    """Return the cases to try; raises BadOption."""
    from quintain.conformance import Case, cases_of

    if seats is None and not options:
        return cases_of(game)
    if options:
        case = Case(game, game.check_seats(seats), files.read_options(game, options))
        game.read_options(case.seats, case.options)
        return [case]
    return [case for case in cases_of(game) if case.seats == game.check_seats(seats)]


def print_checked(console: Console, result: Checked) -> None:
    """Print how a check went: what it demands and what is to be said about it, and its name if it did not pass."""
    mark, style = MARKS[result.state]
    lines = [result.check.demand]
    if result.state != "passed":
        lines.append(f"{result.check.name}: {result.words}")
    elif result.words:
        lines.append(f"Note: {result.words}")
    row = Table.grid(padding=(0, 1))
    row.add_column(width=max(map(len, MARKS)))
    row.add_column(overflow="fold")
    row.add_row(Text(mark, style=style), Text("\n".join(lines)))
    console.print(row)
