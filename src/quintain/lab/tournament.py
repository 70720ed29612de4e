"""Tournaments: bots play each other at full tables, or in pairings, until it is clear who is better.

Bots take turns at the seats: every deal is played once for each way to seat the bots. `ladder` is the simpler form for
levels that are known to stand in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.extras import need
from quintain.lab.intervals import CONFIDENCE, wilson
from quintain.lab.pairings import Pairing, alternating, pairings_table, won_by
from quintain.lab.pools import WorkerPool
from quintain.lab.runs import Run
from quintain.lab.series import MOST_GAMES, Chunk, Played, PlayedChunk, Series, whole

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BotStanding", "Tournament", "read_tournament", "tournament"]

FIRST_LOOK = 10
"""How many deals each table plays before the first look at the order; each further look comes after twice as many."""
RATED = 50_000
"""How many games the ratings are made from, at most: those of the lowest numbers at each table."""
MOST_TABLES = 1000
"""The most tables of one tournament."""


@dataclass(frozen=True)
class BotStanding:
    """How one bot did: its games, its share of them with the 95 % interval, and its mean score at a seat.

    `rating` and `uncertainty` are the mean and the standard deviation of its strength (OpenSkill, Plackett-Luce), on a
    scale where everybody starts with 25 and 8.3.
    """

    bot: str
    games: int
    share: float
    interval: tuple[float, float]
    score: float
    rating: float
    uncertainty: float


@dataclass(frozen=True)
class Tournament:
    """The result of a tournament.

    `standings` has the best bot first, by the mean share of the games in which it finished ahead of each other bot.
    `pairings` has, for each two bots, the better first, the share of their games in which the first finished ahead.
    `is_sure` tells whether the order of the standings is certain at 95 %.
    """

    games: int
    standings: list[BotStanding]
    pairings: list[Pairing]
    is_sure: bool

    @property
    def standings_table(self) -> pl.DataFrame:
        """The standings as a table: bot, games, share, low, high, score, rating, uncertainty."""
        need("polars")
        import polars as pl

        rows = [
            (each.bot, each.games, each.share, *each.interval, each.score, each.rating, each.uncertainty)
            for each in self.standings
        ]
        names = ["bot", "games", "share", "low", "high", "score", "rating", "uncertainty"]
        return pl.DataFrame(rows, schema=names, orient="row")

    @property
    def pairings_table(self) -> pl.DataFrame:
        """The pairings as a table: see `pairings.pairings_table`."""
        return pairings_table(self.pairings)


def tournament(
    game: Game,
    bots: Sequence[str],
    n: int,
    seed: int,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    in_pairs: bool = False,
    until_sure: bool = False,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
    out: Path | None = None,
) -> Tournament:
    """Let bots play a tournament, and return the result; raises BadOption.

    Every group of bots that fills the seats makes a table, which plays `n` games: each deal as often as there are
    seats, with the bots one seat further each time. So `n` is a multiple of the seats. With `in_pairs`, or if there are
    fewer bots than seats, every pair of bots makes a table instead: the two take the seats alternately, and play each
    deal twice, with the seats swapped. With `until_sure` the tournament stops as soon as the order is certain, with at
    most `n` games a table. `progress` is called with the number of games just played. `pool` and `out` are as for
    `simulate`.
    """
    number = game.check_seats(seats)
    tables = _tables(bots, number, in_pairs)
    turns = len(tables[0])
    _check_multiple(n, turns)
    series = _seated(game, bots, tables, options or {}, seed)
    plan = {"command": "tournament", "n": n, "until_sure": until_sure, "seed": seed}
    count = _Count(bots, number, RATED // len(series))
    with Run(series, plan, pool, out) as run:
        done = 0
        for look, until in enumerate(_looks(n // turns) if until_sure else [n // turns], 1):
            for result in run.play([Chunk(each, done, until - done) for each in series]):
                count.add(result)
                progress(len(result.played.rows))
            done = until
            if until_sure and count.is_sure(look):
                break
        run.write()
    return count.result(look if until_sure else 0)


def _check_multiple(games: int, turns: int) -> None:
    """Raise BadOption for a number of games that no table can have."""
    if not turns <= games <= MOST_GAMES or games % turns:
        raise BadOption(
            f"a table takes a multiple of {turns} games up to {MOST_GAMES:,}, for each deal is played {turns} times, "
            f"with other seats each time; not {games}"
        )


def _seated(
    game: Game, bots: Sequence[str], tables: list[list[list[str]]], options: Mapping[str, Any], seed: int
) -> list[Series]:
    """Return the games of each way in which the bots of each table sit; raises BadOption for a name of no bot."""
    seats = len(tables[0][0])
    first, *_ = [Series.new(game, [bot] * seats, options, seed) for bot in bots]  # all, to check their names
    return [first.seated(seated) for table in tables for seated in table]


def read_tournament(path: Path, game: Game) -> Tournament:
    """Return the tournament whose games are in a Parquet file of `tournament` or `climb`; raises BadOption."""
    need("polars", "pyarrow")
    import numpy as np
    import polars as pl

    try:
        with path.open("rb") as file:  # polars would take the name as a pattern, and a folder for all files in it
            games = pl.read_parquet(file)
        seats = sum(name.startswith("bot_") for name in games.columns)
        bots = [f"bot_{seat}" for seat in range(seats)]
        numbers = ["decisions", *(f"{what}_{seat}" for what in ("score", "rank") for seat in range(seats))]
        of, seed = games["game"][0], games["seed"][0]
        parts = [
            (seated, np.ascontiguousarray(part.select(numbers).to_numpy(), np.int64))
            for seated, part in games.group_by(bots, maintain_order=True)
        ]
    except (OSError, IndexError, pl.exceptions.PolarsError) as error:
        raise BadOption(f"{path} holds no games of a tournament: {str(error).splitlines()[0]}") from error
    if of != game.id:
        raise BadOption(f"{path} holds games of {of}, not of {game.id}")
    names = list(dict.fromkeys(str(bot) for seated, _ in parts for bot in seated))
    if len(names) < 2:
        raise BadOption(f"{path} holds no games of a tournament: {', '.join(names)} plays alone")
    count = _Count(names, seats, RATED // len(parts))
    for seated, rows in parts:
        series = Series(game.id, "", "", tuple(map(str, seated)), seed, {})
        count.add(PlayedChunk(series, 0, Played(rows, (), np.zeros((len(rows), 0), np.int64))))
    return count.result(0)


def tables_of(game: Game, bots: Sequence[str], seats: int | None = None, in_pairs: bool = False) -> int:
    """Return how many tables a tournament has; raises BadOption."""
    return len(_tables(bots, game.check_seats(seats), in_pairs))


def _tables(bots: Sequence[str], seats: int, in_pairs: bool) -> list[list[list[str]]]:
    """Return the tables; each is a list of the ways in which its bots sit."""
    if len(bots) < 2 or len({*bots}) < len(bots):
        raise BadOption(f"a tournament takes at least two bots, each once, not {', '.join(bots)}")
    if in_pairs or len(bots) < seats or seats == 2:
        tables = [[*alternating(*pair, seats)] for pair in combinations(bots, 2)]
    else:
        tables = [
            [[*table[turn:], *table[:turn]] for turn in range(seats)] for table in map(list, combinations(bots, seats))
        ]
    if len(tables) > MOST_TABLES:
        raise BadOption(
            f"{len(bots)} bots make {len(tables):,} tables, and a tournament takes at most {MOST_TABLES:,}: "
            "name fewer bots, or let them play in pairs"
        )
    return tables


def _looks(deals: int) -> Iterator[int]:
    """Yield the numbers of deals after which the order is looked at."""
    look = FIRST_LOOK
    while look < deals:
        yield look
        look *= 2
    yield deals


def error_allowed(look: int, pairs: int) -> float:
    """Return how probable a wrong order of a pair may be at one of several looks, counted from 1.

    Look k may err with a probability of 5 % / (k (k + 1)), which adds up to 5 % for any number of looks. The pairs
    share it equally (Bonferroni), since only the results show which of them are neighbours. Look 0 is the only one.
    """
    return (1 - CONFIDENCE) / (look * (look + 1) or 1) / pairs


@dataclass
class _Sum:
    """The games of a bot, or of a bot against another, with the units that it won of them."""

    games: int = 0
    won: int = 0
    score: int = 0
    places: int = 0

    def share(self, seats: int) -> float:
        return self.won / (whole(seats) * self.games)


@dataclass
class _Count:
    """Adds up the results of a tournament."""

    bots: Sequence[str]
    seats: int
    rated: int
    sums: dict[str, _Sum] = field(default_factory=dict)
    ahead: dict[tuple[str, str], _Sum] = field(default_factory=dict)
    ranks: dict[Series, list[list[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sums = {bot: _Sum() for bot in self.bots}
        self.ahead = {pair: _Sum() for pair in combinations(self.bots, 2)}

    def add(self, result: PlayedChunk) -> None:
        """Add the results of some games."""
        at, played = result.series.bots, result.played
        for bot in {*at}:
            places, total = [seat for seat, name in enumerate(at) if name == bot], self.sums[bot]
            total.games += len(played.rows)
            total.won += won_by(bot, at, played)
            total.score += int(played.scores[:, places].sum())
            total.places += len(places) * len(played.rows)
        for pair, between in self.ahead.items():
            if {*pair} <= {*at}:
                between.games += len(played.rows)
                between.won += _ahead(pair, at, played)
        kept = self.ranks.setdefault(result.series, [])
        kept += played.ranks[: max(0, self.rated - len(kept))].tolist()

    def is_sure(self, look: int) -> bool:
        """Tell whether the order is certain at 95 %; `look` is as for `error_allowed`."""
        error, order = error_allowed(look, len(self.ahead)), self._order()
        return all(
            wilson(share, games, 1 - error)[0] > 0.5
            for share, games in (self._against(*pair) for pair in pairwise(order))
        )

    def result(self, look: int) -> Tournament:
        """Return the result; `look` is as for `error_allowed`."""
        order, ratings = self._order(), self._ratings()
        standings = []
        for bot in order:
            total = self.sums[bot]
            share = total.share(self.seats)
            interval = wilson(share, total.games)
            standings.append(BotStanding(bot, total.games, share, interval, total.score / total.places, *ratings[bot]))
        pairings = []
        for pair in combinations(order, 2):
            share, games = self._against(*pair)
            pairings.append(Pairing(*pair, games, share, wilson(share, games)))
        tables = sum(total.games for total in self.sums.values())
        at_table = len({*next(iter(self.ranks)).bots})
        return Tournament(tables // at_table, standings, pairings, self.is_sure(look))

    def _against(self, bot: str, other: str) -> tuple[float, int]:
        """Return the share of games in which a bot finished ahead of another, a tie counting half, and the games."""
        found = self.ahead.get((bot, other))
        if found:
            return found.share(self.seats), found.games
        found = self.ahead[other, bot]
        return 1 - found.share(self.seats), found.games

    def _order(self) -> list[str]:
        """Return the bots, the best first."""
        means = {bot: sum(self._against(bot, other)[0] for other in self.bots if other != bot) for bot in self.bots}
        return sorted(self.bots, key=lambda bot: -means[bot])

    def _ratings(self) -> dict[str, tuple[float, float]]:
        """Return the rating and its uncertainty for each bot, from the first games of all tables in turn."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        players = {bot: model.rating(name=bot) for bot in self.bots}
        for number in range(max(map(len, self.ranks.values()))):
            for series, rows in self.ranks.items():
                if number < len(rows):
                    best = {bot: min(_at(series.bots, bot, rows[number])) for bot in {*series.bots}}
                    bots = sorted(best)
                    rated = model.rate([[players[bot]] for bot in bots], ranks=[best[bot] for bot in bots])
                    players |= {bot: team[0] for bot, team in zip(bots, rated, strict=True)}
        return {bot: (player.mu, player.sigma) for bot, player in players.items()}


def _at(bots: Sequence[str], bot: str, ranks: Sequence[int]) -> list[int]:
    """Return the ranks of a bot's seats."""
    return [rank for name, rank in zip(bots, ranks, strict=True) if name == bot]


def _ahead(pair: tuple[str, str], bots: Sequence[str], played: Played) -> int:
    """Return how often the first bot of a pair finished ahead of the second, in units of 1 / whole(seats).

    With a seat each, the better rank is ahead. With several seats each, a bot is ahead by its share of the win.
    """
    if len({*bots}) == 2:
        return won_by(pair[0], bots, played)
    one, other = (played.ranks[:, bots.index(bot)] for bot in pair)
    unit = whole(len(bots)) // 2
    return int(((one < other) * 2 + (one == other)).sum()) * unit
