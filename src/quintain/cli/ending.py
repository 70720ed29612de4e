"""The end of a game at the terminal: where the score came from, what turned the game, and the result."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.engine.play.course import story_of
from quintain.engine.play.match import Match
from quintain.engine.play.story import Cell, GridRow, Story
from quintain.engine.play.verdict import verdict
from quintain.engine.seen.result import result

ONLY_IF_EQUAL = "Asked only if equal:"


def print_end(console: Console, match: Match, seat: int | None = None) -> None:
    """Print the grid of scores of a finished match, what turned it, and its result as a seat reads it."""
    assert match.outcome
    story = story_of(match)
    if story.rows:
        console.print()
        console.print(grid(story, match.names))
    if story.turned:
        console.print()
        console.print(turned(story, match.names))
    console.print()
    if why := verdict(match.names, match.outcome, story, seat).why:
        console.print(Text(why))
    console.print(Text(result(match.names, match.outcome), style="bold"))


def grid(story: Story, names: Sequence[str]) -> Table:
    """Return the grid of scores as a table: a row for each unit of the game, a column for each seat."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("Score")
    for name in names:
        table.add_column(Text(name), justify="right")
    table.add_column("Rule", style="dim")
    asked = next((row for row in story.rows if row.is_tie_break), None)
    for row in story.rows:
        if row is asked:
            table.add_row(Text(ONLY_IF_EQUAL, style="dim"))
        style = "bold" if row.is_total else "dim" if row.is_tie_break else ""
        table.add_row(Text(_title(row)), *(Text(_words(cell)) for cell in row.cells), row.clause, style=style)
    return table


def turned(story: Story, names: Sequence[str]) -> Table:
    """Return the moments that turned the game as a table: the step of the replay, words, and the worth, and to whom."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("Step", justify="right", style="dim")
    table.add_column("What turned it")
    table.add_column("Worth", justify="right")
    for moment in story.turned:
        whom = "" if moment.seat is None else f" for {names[moment.seat]}"
        table.add_row(str(moment.step), Text(moment.words), Text(f"+{moment.worth}{whom}"))
    return table


def _title(row: GridRow) -> str:
    return f"{row.words} ({row.note})" if row.note else row.words


def _words(cell: Cell) -> str:
    """Return a cell as text: its number, and below it its words."""
    return "\n".join(filter(None, ("" if cell.number is None else str(cell.number), cell.words)))
