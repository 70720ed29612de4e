"""Ratings: how strong people and bots are at each game, on one scale, as pure functions.

The model is OpenSkill's Plackett-Luce: Weng and Lin 2011, algorithm 4; the library is Joshy 2024. A rating is a mean
and a standard deviation, `mu` and `sigma`. Bots hold the scale still: the results of the lab's ladders, in the file
`ladder.toml` of a game's folder, fix how far apart the levels are.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

import msgspec
from openskill.models import PlackettLuce

from quintain.bots import MINSTREL, levels_of, own_levels
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.rules.game import Game
from quintain.lab.intervals import SURE, wilson
from quintain.lab.pairings import Pairing
from quintain.lab.skill import strengths

TAU = 25 / 300
"""The standard deviation by which a strength may drift from game to game, in `mu`: OpenSkill's usual value.

After 500 games, a rating makes up half of a jump in strength in 54 games; without drift it takes 103. The price is
small: after 500 games the margin is 88 points instead of 67.
"""
MODEL = PlackettLuce(tau=TAU)
MOST_SEATS = 6
"""The most seats of a game that is rated."""
START = 1500
"""The points of a newcomer."""
POINTS = 400 / (math.log(10) * math.sqrt(2) * MODEL.beta)
"""Points for each unit of `mu`: of two well-known players, one 400 points ahead wins ten times as often as the other.

That holds for the logistic function by which the model updates ratings, and which fits the ladders. Its `predict_win`
uses the normal distribution, and makes 99 % of the same difference instead of 91 %.
"""
AT_START = "squire"
"""The level of bots that stands where newcomers start."""
USUAL: Mapping[str, int] = {
    "random": 950,
    "page": 1150,
    "greedy": 1375,
    "squire": 1500,
    "minstrel": 1925,
    "knight": 1825,
    "champion": 1900,
    "grandmaster": 2000,
}
"""The points of the levels in a usual game: the means of the ladders; a Champion and a Grandmaster win about 60 %."""
BOT_SIGMA = 1.5
"""The `sigma` of a bot, 44 points: about the standard error of the ladders, which is 27 to 76 points."""


class Rating(NamedTuple):
    """A player's strength in a game: the mean, and the standard deviation, of what the model believes."""

    mu: float
    sigma: float


NEWCOMER = Rating(MODEL.mu, MODEL.sigma)
"""The rating before the first game."""


class Rated(NamedTuple):
    """A seat of a game that is over: its rating before, and its rank, 1 for the best; seats of equal rank tie.

    `has_left` says that the person left the game early; then the rank of the seat does not count.
    """

    rating: Rating
    rank: int
    is_bot: bool = False
    has_left: bool = False


def points(rating: Rating) -> int:
    """Return a rating in points, for people to read.

    >>> points(NEWCOMER)
    1500
    """
    return round(START + (rating.mu - MODEL.mu) * POINTS)


def margin(rating: Rating) -> int:
    """Return how many points a rating may be off: the true strength is within them with a probability of 95 %."""
    return round(SURE * rating.sigma * POINTS)


def rate(players: Sequence[Rated]) -> list[Rating]:
    """Return the rating of each seat after a game.

    Bots keep theirs. People who left lose to everybody who stayed, and tie with each other. Raises BadOption if the
    model does not rate a game of so many seats.
    """
    if not 2 <= len(players) <= MOST_SEATS:
        raise BadOption(f"a game of 2 to {MOST_SEATS} seats is rated, not one of {len(players)}")
    if all(each.is_bot for each in players):
        return [each.rating for each in players]
    last = 1 + max(each.rank for each in players)
    ranks: list[float] = [last if each.has_left else each.rank for each in players]
    found = MODEL.rate([[MODEL.rating(*each.rating)] for each in players], ranks)
    return [
        each.rating if each.is_bot else Rating(new.mu, new.sigma) for each, (new,) in zip(players, found, strict=True)
    ]


@cache  # reads and fits a ladder once, not for each game that ends: 0.5 ms
def anchors(game: Game) -> Mapping[str, Rating]:
    """Return the rating of each level of bots in a game, which never changes.

    The strengths come from the game's ladder (Bradley and Terry 1952). A level without results stands as far above the
    next weaker level as in a usual game. Raises BadGame if the file of the ladder is wrong.
    """
    file = game.folder / "ladder.toml" if game.folder else None
    known = {AT_START: float(START)}
    if file and file.is_file():
        above = {each.bot: each.points for each in strengths(read_ladder(file))}
        known = {bot: START + more - above[AT_START] for bot, more in above.items()}
    there = levels_of(game)
    return MappingProxyType({level: rating for level, rating in _anchored(known).items() if level in there})


def usual_anchors() -> Mapping[str, Rating]:
    """Return the rating of each level of bots in a game without a ladder, or one that is not installed."""
    return _anchored({AT_START: float(START)})


def _anchored(known: Mapping[str, float]) -> Mapping[str, Rating]:
    """Return the ratings of all levels, from the points of some."""
    numbers = _completed(known)
    return MappingProxyType(
        {level: Rating(MODEL.mu + (at - START) / POINTS, BOT_SIGMA) for level, at in numbers.items()}
    )


class Ladder(msgspec.Struct, forbid_unknown_fields=True):
    """The file of a ladder. A pairing is a level, the level against it, their games, and the share won in percent."""

    pairings: list[tuple[str, str, Annotated[int, msgspec.Meta(ge=1)], Annotated[float, msgspec.Meta(ge=0, le=100)]]]


def read_ladder(file: Path) -> list[Pairing]:
    """Return the pairings in the file of a ladder; raises BadGame, which names the file."""
    where = f"{file.parent.name}/{file.name}"
    try:
        rows = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Ladder).pairings
    except tomllib.TOMLDecodeError as error:
        raise BadGame(f"{where} is not valid TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise BadGame(f"{where}: {error}") from error
    if not any(AT_START in row[:2] for row in rows):
        raise BadGame(f"{where} has no games of the level {AT_START}, which the points of all levels are counted from")
    return [
        Pairing(level, other, games, percent / 100, wilson(percent / 100, games))
        for level, other, games, percent in rows
    ]


def _completed(known: Mapping[str, float]) -> dict[str, float]:
    """Return the points of Quintain's own levels, from those of some.

    The others stand at the usual distance to the next weaker. The weakest level, if it is not known, stands at its
    usual distance to the weakest one that is. Minstrel, which does not search, stands at its usual distance to the
    level from which points are counted.
    """
    names = sorted(own_levels(), key=lambda name: name == MINSTREL)
    found: dict[str, float] = {}
    for place, name in enumerate(names):
        weaker = AT_START if name == MINSTREL else names[place - 1]
        near, points_of = (weaker, found) if place else (next(each for each in names if each in known), known)
        found[name] = known.get(name, points_of[near] + USUAL[name] - USUAL[near])
    return found
