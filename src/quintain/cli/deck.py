"""`quintain deck`: shows a deck of a game, and checks a deck list in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from quintain.cli import completion, files
from quintain.cli.arguments import GameFile, GameId, find, new_console
from quintain.cli.cards import Check, print_cards
from quintain.cli.output import AsLines, fields, print_lines
from quintain.engine import home
from quintain.engine.errors import BadCards, BadDeck, BadOption
from quintain.engine.rules.collection import Collection
from quintain.engine.rules.decks import Decks
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games

List = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A deck list, or the name of a ready-made deck.", autocompletion=completion.decks
    ),
]
Own = Annotated[Path | None, typer.Option("--cards", metavar="FILE", help="Your own set of cards.")]


def show_deck(
    game_id: GameId,
    file: List,
    check: Check = False,
    cards: Own = None,
    as_json: AsLines = False,
    game_file: GameFile = None,
) -> None:
    """Show the cards of a deck, with their numbers and texts, or check your own deck."""
    collection, decks = _decks_of(find(game_id, game_file))
    own = files.read_text(cards, BadCards) if cards else ""
    with files.naming(cards or ""):
        known = {card.name: card for card in collection.cards(own)}
    given = _read(file, decks)
    with files.naming(file):
        sections = decks.read(given, own)
    sizes = {title: sum(pile.values()) for title, pile in sections.items()}
    if as_json and check:
        listed = [{"section": title, "cards": size} for title, size in sizes.items()]
        print_lines([{"is_valid": True, "sections": listed}])
    elif as_json:
        piles = ((title, known[name], copies) for title, pile in sections.items() for name, copies in pile.items())
        print_lines({"section": title, "copies": copies, **fields(card)} for title, card, copies in piles)
    elif check:
        words = ", ".join(f"{title} {size}" for title, size in sizes.items())
        new_console().print(Text(f"{files.called(file)} is a valid deck: {words}"), soft_wrap=True)
    else:
        for title, pile in sections.items():
            print_cards(new_console(), f"{title}, {sizes[title]}", {known[name]: str(n) for name, n in pile.items()})


def _read(file: str, decks: Decks) -> str:
    """Return the deck list in a file, or the name of a ready-made deck as it is; raises BadDeck."""
    path = files.path_of(file)
    if file not in decks.ready_made and path != files.STDIN and not home.is_there(path):
        raise BadDeck(f"there is no file {file}; the ready-made decks are {', '.join(decks.ready_made)}")
    return file if file in decks.ready_made else files.read_text(path, BadDeck)


def _decks_of(game: Game) -> tuple[Collection, Decks]:
    """Return the collection and the decks of a game; raises BadOption, which names the games that have decks."""
    if game.collection is None or game.collection.decks is None:
        others = ", ".join(other.id for other in all_games() if other.collection and other.collection.decks)
        raise BadOption(f"{game.title} has no decks; the games that have some are {others}")
    return game.collection, game.collection.decks
