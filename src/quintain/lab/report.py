"""Reports on a game: who wins, how long games last, how they go, and how each action, card, deck and option does.

`report` gathers all figures, `chapters` puts them into words, tables and charts, and `pages` writes them down. A game's
own counts come from its `report` (see `engine.collection`), so this module knows no game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.lab.balance import balance
from quintain.lab.extras import need
from quintain.lab.intervals import SURE, wilson
from quintain.lab.ladder import climb
from quintain.lab.pairings import Pairing, pairings_table
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.series import NOT_COUNTED, Chunk, Played, Series, play_chunk, prepare, split
from quintain.lab.simulation import Summary, Total, check_games
from quintain.lab.watched import Usage, Watch, Watched, watch_chunk

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Counted", "Report", "report", "whole_report"]

WATCHED = 200
"""The most games that are watched move by move: the report plays these again, interpreted."""
LEVELS = ("squire", "greedy", "page", "random")
"""The bots whose strength says how much skill counts; stronger ones would take too long."""
SKILL_GAMES = 40
"""How many games each pair of them plays."""


@dataclass
class Counted:
    """One of a game's own counts, summed over `games` games.

    `number` is the sum of its numbers, and `of` that of the numbers it is counted up to, None if it has none. The last
    three are sums of squares and products, of which `error` is made: a count without `of` is counted up to 1 there.
    """

    words: str
    seat: int | None
    number: int = 0
    of: int | None = None
    games: int = 0
    number_squares: int = 0
    of_squares: int = 0
    products: int = 0

    @property
    def share(self) -> float:
        """The share of `of`; without it, the mean number in a game."""
        return self.number / max(1, self.games if self.of is None else self.of)

    @property
    def is_share(self) -> bool:
        """Whether the count is a part of `of`, so that its share lies between 0 and 1."""
        return self.of is not None and 0 <= self.number <= self.of > 0

    @property
    def error(self) -> float:
        """The standard error of `share`, a ratio of sums over games: what is counted in one game belongs together.

        See Cochran, Sampling Techniques, 1977, chapter 6.
        """
        of, squares = (self.games, self.games) if self.of is None else (self.of, self.of_squares)
        if self.games < 2 or not of:
            return math.inf
        rest = self.number_squares - 2 * self.share * self.products + self.share**2 * squares
        return math.sqrt(max(0.0, rest) * self.games / (self.games - 1)) / of

    @property
    def weight(self) -> float:
        """The number of independent trials that would give a share with this error; `of` if nobody knows the error."""
        spread = self.share * (1 - self.share)
        return spread / self.error**2 if spread > 0 and 0 < self.error < math.inf else float(self.of or 0)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the 95 % interval of `share`: for a true share the one of Wilson, for the weight."""
        if self.is_share:
            return wilson(self.share, self.weight)
        return self.share - SURE * self.error, self.share + SURE * self.error


@dataclass
class Report:
    """The figures of a report.

    `summary` and `lengths` (how many games had each number of decisions) are of all games, `watched` of the first
    WATCHED. `counts` are the game's own, by key and seat. `decks` compares its ready-made decks, and `options` has the
    summary of other games for values of each option. `skill` compares levels of bots.
    """

    game: Game
    seed: int
    bots: tuple[str, ...]
    given: Mapping[str, Any]
    summary: Summary
    lengths: dict[int, int] = field(default_factory=dict)
    watched: Watched = field(default_factory=Watched)
    counts: dict[tuple[str, int | None], Counted] = field(default_factory=dict)
    decks: list[Pairing] = field(default_factory=list)
    options: list[tuple[Option, Any, Summary]] = field(default_factory=list)
    skill: list[Pairing] = field(default_factory=list)

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The figures as tables, by name.

        `lengths` has decisions and games; `seats` has seat, share and score; `menus` has actions (to choose from) and
        decisions; `trajectories` has lead_changes and decided, a row for each watched game. `actions` and `cards` have
        name and the fields of `watched.Usage`; `counts` has words, seat, number, of, games, share, low and high.
        `decks` and `skill` are as `pairings.pairings_table` returns them; `options` has option, value, games,
        decisions, first_seat and drawn.
        """
        need("polars")
        import polars as pl

        made = {name: pl.DataFrame(rows, infer_schema_length=None) for name, rows in self._rows().items()}
        return made | {"decks": pairings_table(self.decks), "skill": pairings_table(self.skill)}

    @property
    def document(self) -> dict[str, Any]:
        """The figures as plain values, by name, for programs: those of `tables`, and what they are made of."""
        summary, watched = self.summary, self.watched
        return {
            "game": self.game.id,
            "seed": self.seed,
            "bots": self.bots,
            "given": self.given,
            "games": summary.games,
            "mean_decisions": summary.length,
            "drawn": summary.drawn,
            "watched": {"games": watched.games, "decisions": watched.decisions, "forced": watched.forced},
            **self._rows(),
            "decks": self.decks,
            "skill": self.skill,
        }

    def _rows(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of all tables but `decks` and `skill`."""
        summary, watched = self.summary, self.watched
        return {
            "lengths": [{"decisions": length, "games": games} for length, games in sorted(self.lengths.items())],
            "seats": [
                {"seat": seat, "share": share, "score": score}
                for seat, (share, score) in enumerate(zip(summary.shares, summary.scores, strict=True))
            ],
            "menus": [{"actions": number, "decisions": times} for number, times in sorted(watched.menus.items())],
            "trajectories": [
                {"lead_changes": trajectory.lead_changes, "decided": trajectory.decided}
                for trajectory in watched.trajectories
            ],
            "actions": _usages(watched.actions),
            "cards": _usages(watched.cards),
            "counts": [_row(each) for each in self.counts.values()],
            "options": [
                {
                    "option": option.name,
                    "value": str(value),
                    "games": other.games,
                    "decisions": other.length,
                    "first_seat": other.shares[0],
                    "drawn": other.drawn / other.games,
                }
                for option, value, other in self.options
            ],
        }


def _row(count: Counted) -> dict[str, Any]:
    """Return the row of a count."""
    names = ("words", "seat", "number", "of", "games")
    low, high = count.interval
    return {name: getattr(count, name) for name in names} | {"share": count.share, "low": low, "high": high}


def _usages(found: Mapping[str, Usage]) -> list[dict[str, Any]]:
    """Return a row for each action or card of watched games."""
    return [{"name": name, **asdict(usage)} for name, usage in sorted(found.items())]


def report(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
    watched: int = WATCHED,
) -> Report:
    """Play n games between bots, one for each seat, and report on them; raises BadOption.

    The arguments are those of `simulate`; `watched` is the most games that are watched move by move. The parts that
    compare decks, options and bots are empty: see `whole_report`.
    """
    series = Series.new(game, bots, options, seed)
    check_games(n)
    prepare(series)
    pool = LocalPool() if pool is None else pool
    total, made = Total(len(bots)), Report(game, seed, series.bots, dict(options), Summary.none())
    for played in pool.map(play_chunk, split(Chunk(series, 0, n, counted=True), pool.workers)):
        total.add(played)
        _add_counts(made.counts, played)
        for length in played.rows[:, 0].tolist():
            made.lengths[length] = made.lengths.get(length, 0) + 1
        progress(len(played.rows))
    for seen in pool.map(watch_chunk, (Watch(Chunk(series, number, 1)) for number in range(min(n, watched)))):
        made.watched.add(seen)
        progress(1)
    made.summary, made.counts = total.summary(0.0), dict(sorted(made.counts.items(), key=str))
    return made


def whole_report(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
    skill: int = SKILL_GAMES,
) -> Report:
    """Return the report of `report`, and compare decks, values of options, and levels of bots, too.

    Each pair of decks plays `n` games, with the bot of the first seat, and each value of an option half as many. Each
    pair of the LEVELS plays `skill` games; with 0 the report has no such part.
    """
    made, even = report(game, n, bots, options, seed, progress, pool), n + n % 2
    decks = decks_to_pair(game, options)
    made.decks = balance(game, decks, even, seed, bots[0], options, progress, pool) if decks else []
    for option, value in values_to_try(game, len(bots), options):
        other = report(game, max(1, n // 2), bots, {**options, option.name: value}, seed, progress, pool, watched=0)
        made.options.append((option, value, other.summary))
    if skill:
        made.skill = list(climb(game, LEVELS, skill, seed, None, progress, pool=pool))
    return made


def games_of_report(game: Game, n: int, seats: int, options: Mapping[str, Any], skill: int = SKILL_GAMES) -> int:
    """Return how many games `whole_report` plays."""
    values = sum(1 for _ in values_to_try(game, seats, options))
    decks, levels = (math.comb(len(each), 2) for each in (decks_to_pair(game, options), LEVELS))
    return n + min(n, WATCHED) + decks * (n + n % 2) + values * max(1, n // 2) + levels * skill


def decks_to_pair(game: Game, options: Mapping[str, Any]) -> Sequence[str]:
    """Return the ready-made decks of a game for two players; none if the options name decks."""
    decks = game.collection.decks if game.collection else None
    return decks.ready_made if decks and game.seats[0] == 2 and decks.option not in options else ()


def values_to_try(game: Game, seats: int, options: Mapping[str, Any]) -> Iterator[tuple[Option, Any]]:
    """Yield every option that is not given, with values that a match can have, the default among them."""
    for option in game.text.OPTIONS:
        if option.name not in options:
            values = [value for value in _values(option, seats) if _is_possible(game, seats, options, option, value)]
            yield from ((option, value) for value in values if len(values) > 1)


def _values(option: Option, seats: int) -> list[Any]:
    """Return values of an option, a few over its whole range; none for an option that takes names or files."""
    if option.kind == "switch":
        return [False, True]
    if option.kind == "choice":
        return list(option.choices)
    if option.kind == "number" and option.least is not None and option.most is not None:
        usual = option.default_for(seats)
        return sorted({option.least, (option.least + usual) // 2, usual, (usual + option.most) // 2, option.most})
    return []


def _is_possible(game: Game, seats: int, options: Mapping[str, Any], option: Option, value: Any) -> bool:
    """Tell whether a match can have a value of an option, with the other options as they are."""
    try:
        game.read_options(seats, {**options, option.name: value})
    except BadOption:
        return False
    return True


def _add_counts(counts: dict[tuple[str, int | None], Counted], played: Played) -> None:
    """Add the game's own counts of some games."""
    columns = {
        (counter.key, counter.seat, counter.is_limit): played.counts[:, place]
        for place, counter in enumerate(played.counters)
    }
    for counter in played.counters:
        if counter.is_limit:
            continue
        column, limits = (columns.get((counter.key, counter.seat, is_limit)) for is_limit in (False, True))
        assert column is not None
        there = column != NOT_COUNTED
        numbers = column[there]
        total = counts.setdefault((counter.key, counter.seat), Counted(counter.words, counter.seat))
        total.number += int(numbers.sum())
        total.games += len(numbers)
        total.number_squares += int((numbers**2).sum())
        total.products += int(numbers.sum())
        if limits is not None:
            upto = limits[there]
            total.of = (total.of or 0) + int(upto.sum())
            total.of_squares += int((upto**2).sum())
            total.products += int((numbers * upto).sum()) - int(numbers.sum())
