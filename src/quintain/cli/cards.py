"""Cards of Robin in the Hood: `quintain cards check`, `quintain cards show` and `quintain cards balance`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from quintain.cli import files
from quintain.cli.files import BatchSeed
from quintain.engine.errors import BadCards
from quintain.engine.registry import game
from quintain.games.robin.cards import CardSet, card_set
from quintain.games.robin.state import SEATS
from quintain.games.robin.words import groups, numbers

app = typer.Typer(help="Check, show and weigh sets of cards of Robin in the Hood.", no_args_is_help=True)

Own = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A set of your own; the base set if not given.")]
Cards = Annotated[
    Path | None, typer.Option("--cards", metavar="FILE", help="A set of your own; the base set if not given.")
]


@app.command("check")
def check_cards(file: Own = None) -> None:
    """Say whether a set of cards keeps the rules of Robin in the Hood, and is enough to play with."""
    (text, cards), robin = _read(file), game("robin")
    with files.naming(file or ""):
        robin.make_book(SEATS, robin.read_options(SEATS, {"cards": text}))
    told = f"{len(cards.characters)} characters and {len(cards.modifiers)} modifiers"
    Console(highlight=False).print(
        Text(f"{file or 'the base set'} is a set that may be played: {told}"), soft_wrap=True
    )


@app.command("show")
def show_cards(file: Own = None) -> None:
    """Show the cards of a set, with what is printed on them."""
    _, cards = _read(file)
    console = Console(highlight=False, markup=False, emoji=False)
    characters = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in (f"Characters, {len(cards.characters)}", "Levels", "Groups", "Special skill"):
        characters.add_column(title)
    for character in cards.characters:
        name = Text(character.name, no_wrap=True)
        characters.add_row(name, numbers(character), groups(character), Text(character.text))
    modifiers = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in (f"Modifiers, {len(cards.modifiers)}", ""):
        modifiers.add_column(title)
    for modifier in cards.modifiers:
        modifiers.add_row(Text(modifier.name, no_wrap=True), Text(modifier.text))
    console.print(characters)
    console.print()
    console.print(modifiers)


@app.command("balance")
def balance_cards(
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="Rounds, at least.")] = 200_000,
    bot: Annotated[str, typer.Option(metavar="BOT", help="Who plays both sides: random or greedy.")] = "random",
    cards: Cards = None,
    seed: BatchSeed = None,
) -> None:
    """Count how often the holder of a card wins, where the other one has it not."""
    from quintain.lab.fairness import fairness

    text, _ = _read(cards)
    seed = secrets.randbits(62) if seed is None else seed
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("rounds", total=n)
        found = fairness(n, bot, text, seed, lambda more: progress.advance(task, more))
    console = Console(highlight=False)
    console.print(f"{found.rounds} rounds by {bot}, {found.drawn:.1%} of them drawn, seed {seed}")
    table = Table(box=box.MARKDOWN, header_style="bold")
    for title in ("Card", "Rounds", "Won"):
        table.add_column(title, justify="left" if title == "Card" else "right")
    for fared in found.cards:
        table.add_row(Text(fared.card), str(fared.rounds), f"{fared.share:.1%}")
    console.print(table)


def _read(file: Path | None) -> tuple[str, CardSet]:
    """Return the text of a file, empty for the base set, and its cards; errors name the file."""
    text = files.read_text(file, BadCards) if file else ""
    with files.naming(file or ""):
        return text, card_set(text)
