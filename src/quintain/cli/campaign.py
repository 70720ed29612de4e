"""Campaigns of Heirless battles: `quintain campaign balance`."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from quintain.cli.files import BatchSeed
from quintain.engine.errors import BadOption
from quintain.games.heirless.words import CAMP_NAMES
from quintain.lab import campaigns as lab

app = typer.Typer(help="See how campaigns of Heirless battles go.", no_args_is_help=True)

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


@app.callback()
def campaign() -> None:
    """See how campaigns of Heirless battles go."""


@app.command("balance")
def balance_campaigns(
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="Games for each number of seats.")] = 300,
    seats: Annotated[str, typer.Option(metavar="N,...", help="The numbers of seats.")] = "3,4",
    bot: Annotated[str, typer.Option(metavar="BOT", help="Who plays all seats.")] = "squire",
    seed: BatchSeed = None,
) -> None:
    """Let bots play campaigns, and print who won, which cards were used, where Knights went, how Bandits fared.

    Six hundred games of Squires take some minutes.
    """
    numbers = _numbers(seats)
    seed = secrets.randbits(62) if seed is None else seed
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("games", total=n * len(numbers))
        played = {number: lab.campaigns(n, number, bot, seed, lambda: progress.advance(task)) for number in numbers}
    console = Console(highlight=False)
    console.print(f"{n} games of {bot} for each number of seats, seed {seed}")
    console.print(_table(played))


def _numbers(seats: str) -> list[int]:
    parts = [part.strip() for part in seats.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise BadOption(f"the numbers of seats are given with commas between, as 3,4, not {seats!r}")
    return list(dict.fromkeys(map(int, parts)))


def _table(played: dict[int, lab.Campaigns]) -> Table:
    table = Table(box=box.MARKDOWN, header_style="bold")
    table.add_column("Of all")
    for seats in played:
        table.add_column(f"{seats} seats", justify="right")

    def row(title: str, share: Callable[[lab.Campaigns], float]) -> None:
        table.add_row(title, *(f"{share(tally):.1%}" for tally in played.values()))

    for kind, title in (("seat", "games won by seat {}"), ("place", "games won by who begins {}")):
        for number in range(max(played)):
            which = PLACES[number] if kind == "place" else str(number)
            cells = (f"{t.won[kind, number] / t.games:.1%}" if number < s else "" for s, t in played.items())
            table.add_row(title.format(which), *cells)
    cards = dict.fromkeys(card for tally in played.values() for card in tally.offered if tally.offered[card])
    for role, name in sorted(cards, key=lambda card: card[0]):
        row(f"{name} to {role}, where it could be", partial(_chosen, card=(role, name)))
    for where in (lab.CAPITAL, lab.LOCATION, lab.CAMP, lab.ABROAD, lab.HOME):
        several = f", one of {len(CAMP_NAMES) - 1}" if where == lab.CAMP else ""
        row(f"Knights sent to {where}{several}", partial(_sent, where=where))
    row("battles with Bandits that they won", lambda tally: _part(tally.bandits))
    row("battles of three sides or more won by an alliance", lambda tally: _part(tally.allied))
    return table


def _chosen(tally: lab.Campaigns, card: tuple[str, str]) -> float:
    return tally.chosen[card] / max(tally.offered[card], 1)


def _sent(tally: lab.Campaigns, where: str) -> float:
    return tally.sent[where] / tally.sent.total()


def _part(counted: Counter[bool]) -> float:
    """Return which part of what was counted is true."""
    return counted[True] / max(counted.total(), 1)
