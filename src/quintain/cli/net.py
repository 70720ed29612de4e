"""`quintain net`: prints what the file of a net says of itself, with its learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from quintain.cli.arguments import new_console
from quintain.cli.figures import print_whole, row_of_bars
from quintain.cli.output import AsJson, print_document

if TYPE_CHECKING:
    from quintain.bots.net_card import CurvePoint, KeptRecipe, NetCard

MOST_ROWS = 12
"""The most points of a curve in the table; the row of bars above has more, and `--json` all."""
MOST_COLUMNS = 16
"""The most bars in a row."""


def print_net(
    file: Annotated[Path, typer.Argument(metavar="FILE.safetensors", help="The net, as `quintain train` writes it.")],
    as_json: AsJson = False,
) -> None:
    """Print what the file of a net says of itself: game, seats, size, recipe, cost, and how it learned."""
    from quintain.bots.net_card import read_card

    card = read_card(file)
    if as_json:
        print_document(card)
        return
    console, table = new_console(), Table.grid(padding=(0, 2))
    for title, words in _rows(card):
        table.add_row(Text(title), Text(words))
    print_whole(console, table)
    if card.curve:
        console.print()
        print_whole(console, _curve(card))


def _rows(card: NetCard) -> list[tuple[str, str]]:
    """Return the lines of a card, each with its title."""
    inputs, *hidden, outputs = card.sizes
    layers = f", layers of {' and '.join(map(str, hidden))}" if hidden else ""
    rows = [
        ("Made for", f"{_plain(card.game)}, version {_plain(card.version)} of the rules"),
        ("Seats", ", ".join(map(str, card.seats))),
        ("Options", ", ".join(f"{_plain(name)} = {_plain(value)}" for name, value in card.options.items() if value)),
        ("Size", f"{inputs:,} inputs{layers}, {outputs:,} outputs; {card.bytes:,} bytes"),
        ("Trained", f"{card.rounds:,} rounds, {card.seconds:,.0f} s" if card.rounds else ""),
        *(_recipe_rows(card.recipe) if card.recipe else ()),
    ]
    return [(title, words) for title, words in rows if words]


def _recipe_rows(recipe: KeptRecipe) -> list[tuple[str, str]]:
    """Return the lines about a recipe."""
    return [
        ("A round", f"{recipe.games:,} games at a time, {recipe.steps:,} actions each"),
        ("Entropy", "" if recipe.entropy is None else f"{recipe.entropy:g} at first, 0 in the end"),
        ("Seed", str(recipe.seed)),
        ("Learned first", _plain(recipe.imitated)),
        ("Learned to beat", _plain(recipe.frozen)),
    ]


def _curve(card: NetCard) -> Table:
    """Return the learning curve: rows of bars, and below them its points, or some at equal distances."""
    table = Table(box=box.MARKDOWN, header_style="bold")
    rival = card.recipe.against if card.recipe else ""
    titles = ("Random moves", "Its first self", _plain(rival) or "Another bot")
    columns = [[getattr(point, name) for point in card.curve] for name in ("random", "past", "level")]
    kept = [number for number, column in enumerate(columns) if any(share is not None for share in column)]
    for title in ("Round", *(titles[number] for number in kept)):
        table.add_column(title, justify="right")
    table.add_row("", *(row_of_bars([share or 0.0 for share in columns[number]], MOST_COLUMNS) for number in kept))
    for point in _some(card.curve):
        shares = (point.random, point.past, point.level)
        table.add_row(f"{point.round:,}", *(_share(shares[number]) for number in kept))
    return table


def _some(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    """Return at most MOST_ROWS points at about equal distances, the last one among them."""
    last, rows = len(points) - 1, min(len(points), MOST_ROWS)
    return [points[round(row * last / max(1, rows - 1))] for row in range(rows)]


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _plain(words: str) -> str:
    """Return words of a file, which anybody may have written, without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in words)
