"""`quintain cards`: the cards of a game, or of a set of one's own, listed and checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.cli import files
from quintain.cli.arguments import GameFile, GameId, find, new_console
from quintain.engine.collection import Collection, ListedCard
from quintain.engine.errors import BadCards, BadOption
from quintain.engine.game import Game
from quintain.engine.registry import all_games

Own = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A set of your own; the base set if not given.")]
Check = Annotated[bool, typer.Option("--check", help="Only say whether it may be played.")]


def list_cards(game_id: GameId, file: Own = None, check: Check = False, game_file: GameFile = None) -> None:
    """List the cards of a set, with what is printed on them, or check a set of your own."""
    game = find(game_id, game_file)
    collection, text = collection_of(game), files.read_text(file, BadCards) if file else ""
    with files.naming(file or ""):
        cards, seats = collection.cards(text), game.check_seats(None)
        game.make_book(seats, game.read_options(seats, {collection.option: text}))
    numbers = Counter(card.kind for card in cards)
    if check:
        told = ", ".join(f"{kind} {number}" for kind, number in numbers.items())
        new_console().print(Text(f"{file or 'the base set'} is a set that may be played: {told}"), soft_wrap=True)
        return
    for kind, number in numbers.items():
        print_cards(new_console(), f"{kind}, {number}", {card: "" for card in cards if card.kind == kind})


def print_cards(console: Console, title: str, cards: dict[ListedCard, str]) -> None:
    """Print cards, each after how many copies there are, in words; columns in which nothing stands are left out."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    rows = [(copies, card.name, card.numbers, card.text) for card, copies in cards.items()]
    titles = ("", title, "", "")
    filled = [column for column in range(4) if any(row[column] for row in rows)]
    for column in filled:
        table.add_column(titles[column], no_wrap=titles[column] == title)
    for row in rows:
        table.add_row(*(Text(row[column]) for column in filled))
    console.print(table)
    console.print()


def collection_of(game: Game) -> Collection:
    """Return the cards of a game; raises BadOption, which names the games that have some."""
    if game.collection is None:
        others = ", ".join(other.id for other in all_games() if other.collection)
        raise BadOption(f"{game.title} has no cards that can be listed; the games that have some are {others}")
    return game.collection
