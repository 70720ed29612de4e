"""`quintain cards`: lists the cards of a game, or of a set in a file, and checks that set."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.cli import files
from quintain.cli.arguments import (
    BatchSeed,
    GameFile,
    GameId,
    Workers,
    bots_option,
    find,
    new_console,
    new_progress,
    open_pool,
    read_seed,
)
from quintain.cli.output import AsLines, print_lines
from quintain.engine.errors import BadCards, BadDeck, BadOption
from quintain.engine.rules.collection import Collection, ListedCard
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games

Own = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="Your own set of cards, or one of a package; the base set if not given."),
]
Toml = Annotated[bool, typer.Option("--toml", help="Write the base set in TOML, as a set of your own begins.")]
Check = Annotated[bool, typer.Option("--check", help="Only say whether the cards are valid.")]
Won = Annotated[
    int | None,
    typer.Option(
        "--won", metavar="N", min=20, max=10**7, help="Let bots play N games, and say how often each card wins."
    ),
]
RecordsFile = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="With --won: write the records here, as JSON.")
]


def list_cards(
    game_id: GameId,
    file: Own = None,
    check: Check = False,
    toml: Toml = False,
    won: Won = None,
    bot: Annotated[str, bots_option("With --won: the bot that plays all seats.", "BOT")] = "policy",
    seed: BatchSeed = None,
    out: RecordsFile = None,
    workers: Workers = None,
    as_json: AsLines = False,
    game_file: GameFile = None,
) -> None:
    """List the cards of a set, with their numbers and texts, or check your own set."""
    game = find(game_id, game_file)
    collection = collection_of(game)
    if (toml or file) and not collection.option:
        raise BadOption(f"{game.title} takes no cards of one's own: type quintain cards {game.id}")
    if won is None and (out or workers or seed is not None):
        raise BadOption("--out, --workers and --seed are for games between bots: add --won N")
    if toml:
        _print_base(collection, file)
        return
    text, called = _own_text(game, file)
    with files.naming(file or ""):
        cards, note = collection.cards(text), _check_set(game, text)
    if won:
        _print_records(game, text, cards, _Run(won, bot, seed, workers, out), as_json)
        return
    numbers = Counter(card.kind for card in cards)
    if as_json:
        kinds = [{"kind": kind, "cards": number} for kind, number in numbers.items()]
        print_lines([{"is_valid": True, "kinds": kinds}] if check else cards)
    elif check:
        listed = ", ".join(f"{kind} {number}" for kind, number in numbers.items())
        new_console().print(Text(f"{called} is a valid set: {listed}"), soft_wrap=True)
    else:
        _print_kinds(cards, numbers)
    if note:
        new_console(stderr=True).print(Text(note), soft_wrap=True)


def _print_kinds(cards: Sequence[ListedCard], numbers: Counter[str]) -> None:
    """Print a table of the cards of each kind."""
    for kind, number in numbers.items():
        print_cards(new_console(), f"{kind}, {number}", {card: "" for card in cards if card.kind == kind})


def _check_set(game: Game, text: str) -> str:
    """Return what a set changes for the ready-made decks, in words; raises BadOption for a wrong set."""
    assert game.collection
    seats = game.check_seats(None)
    try:
        game.make_book(seats, game.read_options(seats, {game.collection.option: text} if text else {}))
    except BadDeck as error:
        return f"With these cards a ready-made deck cannot be played: {error}"
    return ""


def _own_text(game: Game, file: Path | None) -> tuple[str, str]:
    """Return the text of a file or of a package's set, empty for the base set, and what to call it."""
    if file and str(file) in game.card_sets:
        return game.card_sets[str(file)].text, f"the set {file}"
    return (files.read_text(file, BadCards), files.called(file)) if file else ("", "the base set")


class _Run(NamedTuple):
    """The games in which the records of cards are gathered, and where these are written."""

    games: int
    bot: str
    seed: int | None
    workers: int | None
    out: Path | None


def _print_records(game: Game, text: str, cards: Sequence[ListedCard], run: _Run, as_json: bool) -> None:
    """Let bots play with a set, and print how often each of its cards won; raises BadOption."""
    from quintain.lab.card_gathering import gather

    assert game.collection
    options = game.read_options(game.check_seats(None), {game.collection.option: text} if text else {})
    seed = read_seed(run.seed, None)
    with new_progress() as progress, open_pool(None, run.workers) as pool:
        task = progress.add_task("games", total=run.games)
        found = gather(
            game, options, run.games, seed, pool, run.bot, lambda done: progress.update(task, completed=done)
        )
    if run.out:
        files.write(run.out, msgspec.to_builtins(found))
    if as_json:
        print_lines(found.cards)
        return
    known = found.by_name
    for kind in dict.fromkeys(card.kind for card in cards):
        of_kind = {card: known[card.name] for card in cards if card.kind == kind and card.name in known}
        rows = sorted(of_kind.items(), key=lambda row: -row[1].won)
        told = {card: f"{one.won:.0%} ({100 * one.low:.0f} to {100 * one.high:.0f})" for card, one in rows}
        if told:
            print_cards(new_console(), f"{kind}, won by who had {found.counted} them", told)
    games = f"{found.games:,} games between bots of the level {found.bot} with the seed {found.seed}"
    new_console().print(Text(f"{games}; even is {found.even:.0%}."), soft_wrap=True)


def _print_base(collection: Collection, file: Path | None) -> None:
    """Print the text of the base set, byte for byte; raises BadOption if a file is given as well."""
    if file:
        raise BadOption(f"--toml writes the base set, so it cannot go with {files.called(file)}: leave one of them out")
    sys.stdout.write(collection.base())
    sys.stdout.flush()


def print_cards(console: Console, title: str, cards: dict[ListedCard, str]) -> None:
    """Print a table of cards; `cards` gives the number of copies of each, as text. Empty columns are left out."""
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
    """Return the collection of a game; raises BadOption, which names the games that have one."""
    if game.collection is None:
        others = ", ".join(other.id for other in all_games() if other.collection)
        raise BadOption(f"{game.title} has no cards to list; the games that have some are {others}")
    return game.collection
