"""Pairings: two bots, or two decks, against each other, with the seats swapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quintain.engine.errors import BadOption
from quintain.lab.extras import need
from quintain.lab.series import MOST_GAMES, Played, whole

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Pairing:
    """The share of games that a bot or a deck won against another, a tie counting half, with its 95 % interval.

    `name` is the level of the bot or the name of the deck; the share is between 0 and 1.
    """

    name: str
    other: str
    games: int
    share: float
    interval: tuple[float, float]


def alternating(name: str, other: str, seats: int) -> tuple[list[str], list[str]]:
    """Return who sits where when two bots take the seats alternately, and the same with the seats swapped."""
    first = [name if seat % 2 == 0 else other for seat in range(seats)]
    return first, [other if each == name else name for each in first]


def won_by(name: str, bots: Sequence[str], played: Played) -> int:
    """Return the games that the seats of a bot won, a tie shared, in units of 1 / whole(seats)."""
    seats = [seat for seat, bot in enumerate(bots) if bot == name]
    return int(played.won[:, seats].sum())


def check_even(games: int) -> None:
    """Raise BadOption for a number of games that no pairing can have."""
    if not 2 <= games <= MOST_GAMES or games % 2:
        takes = f"an even number of games up to {MOST_GAMES:,}, half of them with the seats swapped"
        raise BadOption(f"a pairing takes {takes}, not {games}")


def share_of(units: int, seats: int, games: int) -> float:
    """Return a share of games, from 0 to 1, of a number of units as `Played.won` has them."""
    return units / (whole(seats) * games)


def pairings_table(pairings: Sequence[Pairing]) -> pl.DataFrame:
    """Return pairings as a table: name, other, games, share, low and high (the bounds of the interval)."""
    need("polars")
    import polars as pl

    return pl.DataFrame(
        {
            "name": [each.name for each in pairings],
            "other": [each.other for each in pairings],
            "games": [each.games for each in pairings],
            "share": [each.share for each in pairings],
            "low": [each.interval[0] for each in pairings],
            "high": [each.interval[1] for each in pairings],
        }
    )
