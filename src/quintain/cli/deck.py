"""`quintain deck`: shows a deck of a game, checks a deck list in a file, and says what may come of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from quintain.cli import completion, files
from quintain.cli.arguments import BatchSeed, GameFile, GameId, Workers, bots_option, find, new_console, read_seed
from quintain.cli.cards import Check, print_cards
from quintain.cli.deck_figures import Playing, print_hand, print_laws, print_missed
from quintain.cli.output import AsLines, fields, print_lines
from quintain.engine import home
from quintain.engine.errors import BadCards, BadDeck, BadOption
from quintain.engine.rules.collection import Collection, ListedCard
from quintain.engine.rules.deck_figures import costs_of
from quintain.engine.rules.decks import DeckList, Decks
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games

List = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A deck list, or the name of a ready-made deck.", autocompletion=completion.decks
    ),
]
Laws = Annotated[
    bool, typer.Option("--laws", help="Show which laws the deck keeps, and what its cards cost; it may be unfinished.")
]
Hand = Annotated[
    int | None,
    typer.Option(
        "--hand", metavar="N", help="Draw a first hand, N of it from the section that players choose of, with chances."
    ),
]
Missed = Annotated[
    int | None,
    typer.Option(
        "--missed",
        metavar="N",
        min=20,
        max=10**7,
        help="Let bots play N games for each card, and say what the deck loses with blanks in its place.",
    ),
]
AsText = Annotated[bool, typer.Option("--text", help="Write the deck as text; it may be unfinished.")]
Own = Annotated[Path | None, typer.Option("--cards", metavar="FILE", help="Your own set of cards.")]


def show_deck(
    game_id: GameId,
    file: List,
    check: Check = False,
    laws: Laws = False,
    hand: Hand = None,
    text: AsText = False,
    missed: Missed = None,
    bot: Annotated[str, bots_option("With --missed: the bot that plays all seats.", "BOT")] = "policy",
    cards: Own = None,
    seed: BatchSeed = None,
    workers: Workers = None,
    as_json: AsLines = False,
    game_file: GameFile = None,
) -> None:
    """Show the cards of a deck, with their numbers and texts, or check your own deck."""
    game = find(game_id, game_file)
    collection, decks = _decks_of(game)
    if sum((check, laws, hand is not None, text, missed is not None)) > 1:
        raise BadOption("--check, --laws, --hand, --text and --missed are different answers: give one of them")
    own = files.read_text(cards, BadCards) if cards else ""
    with files.naming(cards or ""):
        known = {card.name: card for card in collection.cards(own)}
    given = _read(file, decks)
    with files.naming(file):
        sections = (decks.read_unfinished if laws or text else decks.read)(given, own)
    if text:
        sys.stdout.write(decks.write(sections, own))
    elif laws:
        print_laws(decks.laws(sections, own), costs_of(sections, known), as_json)
    elif hand is not None:
        print_hand(decks.hand, sections, hand, read_seed(seed, None), as_json)
    elif missed is not None:
        print_missed(game, given, own, Playing(missed, bot, read_seed(seed, None), workers), as_json)
    elif check:
        _print_checked(file, sections, as_json)
    else:
        _print_cards(sections, known, as_json)


def _print_checked(file: str, sections: DeckList, as_json: bool) -> None:
    """Say that a deck is valid, and how many cards each section has."""
    sizes = {title: sum(pile.values()) for title, pile in sections.items()}
    if as_json:
        listed = [{"section": title, "cards": size} for title, size in sizes.items()]
        print_lines([{"is_valid": True, "sections": listed}])
        return
    words = ", ".join(f"{title} {size}" for title, size in sizes.items())
    new_console().print(Text(f"{files.called(file)} is a valid deck: {words}"), soft_wrap=True)


def _print_cards(sections: DeckList, known: Mapping[str, ListedCard], as_json: bool) -> None:
    """Print the cards of a deck, section by section."""
    if as_json:
        piles = ((title, known[name], copies) for title, pile in sections.items() for name, copies in pile.items())
        print_lines({"section": title, "copies": copies, **fields(card)} for title, card, copies in piles)
        return
    for title, pile in sections.items():
        size = sum(pile.values())
        print_cards(new_console(), f"{title}, {size}", {known[name]: str(n) for name, n in pile.items()})


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
