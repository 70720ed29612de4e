"""Luck and skill of bots: plays games between bots, analyses each, and gives the means of what cards and moves did.

It shows whether an analysis is honest: between equal bots the cards give nobody anything on average, and if one bot
plays better than another, the difference must be what the other gave away. `simulation` plays games without analysis.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct, structs

from quintain.bots import Player
from quintain.bots.ismcts import warm_up
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.lab.analysis import LuckAndSkill, begun, judge_choice, positions
from quintain.lab.intervals import mean_and_margin
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.series import Series, prepare, ready

__all__ = ["BotLuck", "MeanShare", "luck"]

TRIES = 300
"""How often each candidate is tried: few, as many games are analysed."""


class MeanShare(Struct, frozen=True):
    """The mean of a share of a win over games, with the bounds of its 95 % interval."""

    mean: float
    interval: tuple[float, float]

    @staticmethod
    def of(shares: Sequence[float]) -> MeanShare:
        """Return the mean of at least two numbers.

        >>> MeanShare.of([0.0, 1.0, 0.0, 1.0]).mean
        0.5
        """
        mean, margin = mean_and_margin(shares)
        return MeanShare(mean, (mean - margin, mean + margin))


class BotLuck(Struct, frozen=True):
    """What cards and decisions did for a bot in a game, on average: see `LuckAndSkill`, whose parts add up as there."""

    bot: str
    cards: MeanShare
    lost: MeanShare
    gained: MeanShare
    result: MeanShare


@dataclass(frozen=True)
class AnalysedGame:
    """A game to be played and analysed: number `number` of a series, whose bots move on by a seat with each game."""

    series: Series
    number: int
    tries: int

    @property
    def releases_gil(self) -> bool:
        """Whether threads can do it side by side."""
        return False


def luck(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    tries: int = TRIES,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
) -> list[BotLuck]:
    """Play n games between bots, one for each seat, analyse them, and return the means of each bot; raises BadOption.

    `seed` (0 to 2**63 - 1) and i decide game i, whatever the number of workers. The bots move on by a seat with each
    game, so n is a multiple of the number of seats. `progress` is called with the number of games just analysed.
    """
    if n < 2 or n % len(bots):
        raise BadOption(f"luck takes a number of games that all seats can share, at least two, not {n}")
    series = Series.new(game, bots, options, seed)
    prepare(series)
    warm_up(game)
    found: list[list[LuckAndSkill]] = [[] for _ in bots]
    for one in (pool or LocalPool()).map(play_and_analyse, (AnalysedGame(series, i, tries) for i in range(n))):
        for bot, its in enumerate(one):
            found[bot].append(its)
        progress(1)
    parts = [name for name in structs.asdict(found[0][0]) if name in BotLuck.__struct_fields__]
    return [
        BotLuck(bot, **{part: MeanShare.of([getattr(one, part) for one in its]) for part in parts})
        for bot, its in zip(bots, found, strict=True)
    ]


def play_and_analyse(wanted: AnalysedGame) -> list[LuckAndSkill]:
    """Play a game and return what cards and decisions did for each bot, in the order of the bots of the series."""
    seats = len(wanted.series.bots)
    match = play(wanted)
    steps = tuple(judge_choice(position, wanted.tries) for position in positions(match))
    found = structs.replace(begun(match, wanted.tries), steps=steps).luck_and_skill()
    return [found[(bot + wanted.number) % seats] for bot in range(seats)]


def play(wanted: AnalysedGame) -> Match:
    """Play a game between bots to its end; raises BadBot."""
    series, number = wanted.series, wanted.number
    (game, _, levels), seats = ready(series), len(series.bots)
    chance = hashlib.sha256(f"{series.seed} {number}".encode()).hexdigest()
    match = Match.new(game, seats, options=series.options, seed=chance)
    players = [
        Player(levels[(seat - number) % seats], game, rng.mix(series.seed, number, 1 + seat)) for seat in range(seats)
    ]
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, players[seat].choose(match.seen(seat)))
    return match
