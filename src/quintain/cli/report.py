"""`quintain report`: lets bots play many games of any game, and prints what happened in them."""

from __future__ import annotations

import math
import secrets
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from quintain.bots.playout import POLICY_BOT
from quintain.cli import files
from quintain.cli.arguments import BatchSeed, GameFile, GameId, Options, Seats, find, new_console, new_progress
from quintain.engine.game import Game
from quintain.lab.balance import balance, field_shares
from quintain.lab.intervals import wilson
from quintain.lab.pairings import Pairing
from quintain.lab.report import Counted, Report, report
from quintain.lab.simulation import Summary

POLICY = "policy"
"""The name of the playout policy among the bots of this command."""


def print_report(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many games.")] = 1000,
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="The bot that plays all seats; the game's playout policy if not given.")
    ] = POLICY,
    seats: Seats = None,
    actions: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many actions to list: those that were most often legal.")
    ] = 100,
    seed: BatchSeed = None,
    option: Options = None,
    game_file: GameFile = None,
) -> None:
    """Let bots play many games, and print who won, how each action did, and what the game itself counts.

    If the game has ready-made decks, these play each other, too. Hundreds of games between Squires take minutes.
    """
    game, player = find(game_id, game_file), POLICY_BOT if bot == POLICY else bot
    options, number = files.read_options(game, option or []), game.check_seats(seats)
    seed = secrets.randbits(62) if seed is None else seed
    decks, pairings, even = _decks_to_pair(game, options), [], n + n % 2
    with new_progress() as progress:
        task = progress.add_task("games", total=n + even * math.comb(len(decks), 2))
        found = report(game, n, [player] * number, options, seed, lambda more: progress.advance(task, more))
        if decks:
            pairings = balance(game, decks, even, seed, player, options, lambda more: progress.advance(task, more))
    bots = f"{n:,} games by {'the playout policy' if bot == POLICY else bot}, seed {seed}"
    new_console().print(Group(Text(game.title, style="bold"), bots, *_tables(found, actions, decks, pairings)))


def _tables(found: Report, actions: int, decks: Sequence[str], pairings: Sequence[Pairing]) -> Iterator[str | Table]:
    """Yield the parts of the report: lengths, wins, actions, the game's own counts, decks."""
    yield _lengths(found.summary)
    yield _wins(found.summary)
    if actions:
        yield _actions(found, actions)
    if found.counts:
        yield _counts(found)
    if pairings:
        yield _pairings(decks, pairings)


def _decks_to_pair(game: Game, options: dict[str, Any]) -> Sequence[str]:
    """Return the ready-made decks of a game for two players; none if the options name decks."""
    decks = game.collection.decks if game.collection else None
    return decks.ready_made if decks and game.seats[0] == 2 and decks.option not in options else ()


def _lengths(summary: Summary) -> str:
    lasts = f"{summary.decisions / summary.games:.1f} decisions in a game, {summary.shortest} to {summary.longest}"
    return f"{lasts}; {summary.drawn:,} games without a single winner"


def _wins(summary: Summary) -> Table:
    """Return a table of the share of games that each seat won, a tie shared."""
    table = _table("Seat", "Won", "95 % interval", "Mean score", words=(2,))
    for seat, (share, score) in enumerate(zip(summary.shares, summary.scores, strict=True)):
        table.add_row(str(seat), f"{share:.1%}", _interval(wilson(share, summary.games)), f"{score:.2f}")
    return table


def _actions(found: Report, most: int) -> Table:
    """Return a table of the most offered actions: how often players chose them, and won when they did."""
    watched = found.watched
    where = "" if watched.games == found.summary.games else f", in the first {watched.games:,} games"
    table = _table(f"Action{where}", "Available", "Used", "Won")
    by_number = sorted(watched.actions.items(), key=lambda item: (-item[1].available, item[0]))
    for name, usage in sorted(by_number[:most]):
        won = f"{usage.used_won / usage.users:.1%}" if usage.users else ""
        table.add_row(Text(name), f"{usage.available:,}", f"{usage.used / usage.available:.1%}", won)
    return table


def _counts(found: Report) -> Table:
    """Return a table of the game's own counts; among counts of one kind, the greatest share comes first."""
    table = _table("Counted", "Number", "Of", "Share")

    def place(item: tuple[tuple[str, int | None], Counted]) -> tuple[str, float]:
        (key, _), total = item
        return key.partition(".")[0], -total.number / max(1, total.of or total.games)

    for _, total in sorted(found.counts.items(), key=place):
        words = total.words if total.seat is None else f"{total.words}, seat {total.seat}"
        if total.of is None:
            table.add_row(Text(words), f"{total.number:,}", "", f"{total.number / total.games:.2f} a game")
        else:
            table.add_row(Text(words), f"{total.number:,}", f"{total.of:,}", f"{total.number / max(1, total.of):.1%}")
    return table


def _pairings(decks: Sequence[str], pairings: Sequence[Pairing]) -> Table:
    """Return a table of the decks' results against each other, and of each against all."""
    table = _table("Deck", "Against", "Won", "95 % interval", words=(0, 1, 3))
    for pairing in pairings:
        table.add_row(pairing.name, pairing.other, f"{pairing.share:.1%}", _interval(pairing.interval))
    for deck, share in field_shares(decks, pairings).items():
        table.add_row(deck, f"the field of {len(decks)}", f"{share:.1%}", "")
    return table


def _interval(bounds: tuple[float, float]) -> str:
    return f"{bounds[0]:.1%} to {bounds[1]:.1%}"


def _table(*titles: str, words: Collection[int] = (0,)) -> Table:
    """Return an empty table in Markdown; the columns in `words` are set to the left, all others to the right."""
    table = Table(box=box.MARKDOWN, header_style="bold")
    for number, title in enumerate(titles):
        table.add_column(title, justify="left" if number in words else "right")
    return table
