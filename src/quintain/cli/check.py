"""`quintain check`: runs the conformance suite on a game, and prints how each check went."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.cli import completion, files
from quintain.cli.arguments import GameFile, Options, check_path, find, new_console
from quintain.cli.output import AsLines, print_lines
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.lab.extras import need

if TYPE_CHECKING:
    from quintain.conformance import Case, Checked

GameOrFile = Annotated[
    str,
    typer.Argument(
        metavar="GAME-OR-FILE",
        help="The id of a game, or a Python file that defines GAME.",
        autocompletion=completion.games,
    ),
]
Only = Annotated[str, typer.Option(metavar="WORD", help="Try only the checks with WORD in their names.")]
OneOfSeats = Annotated[
    int | None, typer.Option(metavar="N", help="The number of players; every possible number if not given.")
]
MARKS = {"passed": ("ok", "green"), "skipped": ("skipped", "yellow"), "failed": ("FAILED", "bold red")}


def check_game(
    game: GameOrFile,
    seats: OneOfSeats = None,
    only: Only = "",
    option: Options = None,
    as_json: AsLines = False,
    game_file: GameFile = None,
) -> None:
    """Play random games to check that a game does all that Quintain asks of a game; the status is 1 if it does not.

    Without --seats and --option, this tries every number of seats, and each option at a value that is not its default.
    """
    need("numpy", extra="compiler")
    from quintain.conformance import check

    found = _game_of(game, game_file)
    cases, console = _cases(found, seats, option or []), new_console()
    new_console(stderr=as_json).print(Text(f"{found.title}: {', '.join(case.words for case in cases)}"))
    results, first = list[str](), dict[str, str]()
    for result in check(found, cases, only):
        if as_json:
            print_lines([{"check": result.check.name, "demand": result.check.demand, **_outcome(result)}])
        else:
            print_checked(console, result, first.setdefault(result.cause, result.check.name))
        results.append(result.state)
    counts = ", ".join(f"{results.count(state)} {state}" for state in MARKS if state in results)
    new_console(stderr=as_json).print(Text(f"{len(results)} check{'s' * (len(results) > 1)}: {counts}"))
    sys.exit(1 if "failed" in results else 0)


def _game_of(given: str, game_file: list[Path] | None) -> Game:
    """Return the game of an id or of a Python file; raises UnknownGame and BadGame."""
    path = Path(given)
    if path != files.STDIN and path.suffix != ".py":
        return find(given, game_file)
    check_path(path)
    return register_file(path)


def _outcome(result: Checked) -> dict[str, str]:
    """Return how a check went, for programs."""
    return {"state": result.state, "words": result.words, "cause": result.cause}


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


def print_checked(console: Console, result: Checked, first: str) -> None:
    """Print how a check went: its demand, the words of the result, and the check's name if it did not pass.

    `first` is the first check that failed for the same reason: the reason is printed only there.
    """
    mark, style = MARKS[result.state]
    lines = [result.check.demand]
    if result.state == "failed" and first != result.check.name:
        lines.append(f"{result.check.name}: for the same reason as {first}, above")
    elif result.state != "passed":
        lines.append(f"{result.check.name}: {result.words}")
    elif result.words:
        lines.append(f"Note: {result.words}")
    row = Table.grid(padding=(0, 1))
    row.add_column(width=max(map(len, MARKS)))
    row.add_column(overflow="fold")
    row.add_row(Text(mark, style=style), Text("\n".join(lines)))
    console.print(row)
