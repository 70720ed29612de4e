"""Deck lists of Round Table: `quintain deck check` and `quintain deck show`."""

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
from quintain.engine.errors import BadCards, BadDeck
from quintain.engine.registry import game
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import CardSet, card_set
from quintain.games.round_table.decks import READY_MADE, SECTIONS, Deck, list_of, read_deck
from quintain.games.round_table.words import card_numbers

app = typer.Typer(help="Check and show deck lists of Round Table.", no_args_is_help=True)

List = Annotated[
    str, typer.Argument(metavar="FILE", help=f"A deck list, or a ready-made deck: {', '.join(READY_MADE)}.")
]
Cards = Annotated[
    Path | None, typer.Option("--cards", metavar="FILE", help="A set of cards of your own, added to the base set.")
]


@app.command("check")
def check_deck(file: List, cards: Cards = None) -> None:
    """Say whether a deck list keeps the rules of Round Table."""
    deck, _ = _read(file, cards)
    sizes = (sum(deck.main.values()), sum(deck.demesne.values()), len(deck.regions))
    told = ", ".join(f"{section} {size}" for section, size in zip(SECTIONS, sizes, strict=True))
    Console(highlight=False).print(Text(f"{file} is a deck that may be played: {told}"), soft_wrap=True)


@app.command("show")
def show_deck(file: List, cards: Cards = None) -> None:
    """Show the cards of a deck list, with what is printed on them."""
    deck, known = _read(file, cards)
    console = Console(highlight=False, markup=False, emoji=False)
    for section, pile in zip(SECTIONS, (deck.main, deck.demesne, dict.fromkeys(deck.regions, 1)), strict=True):
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for title in ("", f"{section}, {sum(pile.values())}", "", ""):
            table.add_column(title)
        for name, count in pile.items():
            table.add_row(str(count), Text(name, no_wrap=True), *map(Text, _printed(known, name)))
        console.print(table)
        console.print()


@app.command("balance")
def balance_decks(
    n: Annotated[int, typer.Option("-n", metavar="N", min=2, help="Games for each pairing, an even number.")] = 20_000,
    bot: Annotated[
        str | None, typer.Option(metavar="BOT", help="Who plays both decks; the game's playout policy if not given.")
    ] = None,
    seed: BatchSeed = None,
) -> None:
    """Let the ready-made decks play each other, with the seats swapped, and print who won how often."""
    from quintain.bots.playout import POLICY_BOT
    from quintain.lab.balance import balance, field_shares

    seed, bot = secrets.randbits(62) if seed is None else seed, POLICY_BOT if bot is None else bot
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("games", total=n * len(READY_MADE) * (len(READY_MADE) - 1) // 2)
        pairs = balance(game("round-table"), READY_MADE, n, seed, bot, lambda more: progress.advance(task, more))
    console = Console(highlight=False)
    console.print(f"{n} games a pairing by {'the playout policy' if bot == POLICY_BOT else bot}, seed {seed}")
    table = _table("Deck", "Against", "Won", "95 % interval")
    for pair in pairs:
        low, high = pair.interval
        table.add_row(pair.deck, pair.other, f"{pair.share:.1%}", f"{low:.1%} to {high:.1%}")
    for deck, share in field_shares(READY_MADE, pairs).items():
        table.add_row(deck, "the field of the four", f"{share:.1%}", "")
    console.print(table)


def _table(*titles: str) -> Table:
    table = Table(box=box.MARKDOWN, header_style="bold")
    for title in titles:
        table.add_column(title, justify="right" if title == "Won" else "left")
    return table


def _printed(known: CardSet, name: str) -> tuple[str, str]:
    """Return the numbers and the text of a card or a Region."""
    if name in known.regions:
        region = known.regions[name]
        return f"Resistance {region.resistance}, Renown {region.renown}", ""
    card = known.cards[name]
    return (f"{card.rp} RP" if card.kind == st.DEMESNE else card_numbers(card)), card.text


def _read(file: str, cards: Path | None) -> tuple[Deck, CardSet]:
    """Return the deck of a file or of a ready-made list, and the cards it is made of; errors name the file."""
    own, path = files.read_text(cards, BadCards) if cards else "", files.path_of(file)
    with files.naming(cards or ""):
        known = card_set(own)
    if file not in READY_MADE and not path.exists():
        raise BadDeck(f"there is no file {file}; the ready-made decks are {', '.join(READY_MADE)}")
    text = list_of(file) if file in READY_MADE else files.read_text(path, BadDeck)
    with files.naming(file):
        return read_deck(text, known), known
