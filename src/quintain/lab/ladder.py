"""The ladder: compares bots. Every pair of levels plays a number of games, each deal twice, with the seats swapped."""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

from quintain.bots import level
from quintain.engine.errors import BadOption
from quintain.engine.game import Game
from quintain.lab import matches
from quintain.lab.playouts import MOST_GAMES

CONFIDENCE = 0.95


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


def wilson(share: float, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the bounds of the confidence interval for a share of games, from 0 to 1 (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson(0.97, 400)]
    [0.948, 0.983]
    """
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    centre = share + z * z / (2 * games)
    margin = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return (centre - margin) / scale, (centre + margin) / scale


def climb(
    game: Game,
    names: Sequence[str],
    games: int,
    seed: int,
    seats: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Iterator[Pairing]:
    """Play `games` games for every pair of levels, and yield the results; raises BadOption.

    The two levels sit at every other seat, by default with the least number of seats. Games 2k and 2k + 1 have the same
    deal, with the seats swapped, so `games` must be even. `progress` is called after each game.
    """
    seats = game.check_seats(game.seats[0] if seats is None else seats)
    book = game.make_book(seats, game.read_options(seats, {}))
    kinds = {name: level(name) for name in names}
    if len(kinds) < 2 or len(kinds) < len(names):
        raise BadOption(f"a ladder takes at least two bots, each once, not {', '.join(names)}")
    if not 2 <= games <= MOST_GAMES or games % 2:
        takes = f"an even number of games up to {MOST_GAMES:,}, half of them with the seats swapped"
        raise BadOption(f"a pairing takes {takes}, not {games}")
    matches.prepare(game, kinds.values())

    def play(pairing: tuple[str, str], number: int) -> float:
        """Play one game and return the first level's share of the win."""
        swapped = number % 2
        at = [pairing[(seat + swapped) % 2] for seat in range(seats)]
        _, _, ranks = matches.play(game, book, [kinds[name] for name in at], seed, number // 2)
        progress()
        return sum(share for share, name in zip(matches.shares(ranks), at, strict=True) if name == pairing[0])

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for pairing in combinations(kinds, 2):
            share = sum(threads.map(lambda number, two=pairing: play(two, number), range(games))) / games
            yield Pairing(*pairing, games, share, wilson(share, games))
