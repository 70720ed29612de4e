"""Reports on a game: who wins, how long games last, how each action and card does, and what the game itself counts.

It plays games by `simulation` and watches some of them. A game's own counts come from its `report` (see
`engine.collection`), so this module knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quintain.engine.game import Game
from quintain.lab.pools import LocalPool, Pool
from quintain.lab.series import NOT_COUNTED, Chunk, Played, Series, play_chunk, prepare, split
from quintain.lab.simulation import Summary, Total, check_games
from quintain.lab.watched import Watch, Watched, watch_chunk

WATCHED = 100
"""How many games are watched move by move, at most: they are played again, interpreted."""


@dataclass
class Counted:
    """One of a game's own counts, summed over `games` games.

    `number` is the sum of its numbers, and `of` that of the numbers it is counted up to, None if it has none.
    """

    words: str
    seat: int | None
    number: int = 0
    of: int | None = None
    games: int = 0


@dataclass
class Report:
    """A report: the summary of all games, what was counted in the watched ones, and the counts by key and seat."""

    summary: Summary
    watched: Watched
    counts: dict[tuple[str, int | None], Counted]


def report(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    pool: Pool | None = None,
) -> Report:
    """Play n games between bots, one for each seat, and report on them; raises BadOption.

    The arguments are those of `simulate`. Actions and cards are counted in the first WATCHED games.
    """
    series = Series.new(game, bots, options, seed)
    check_games(n)
    prepare(series)
    pool = LocalPool() if pool is None else pool
    total, counts = Total(len(bots)), dict[tuple[str, int | None], Counted]()
    for played in pool.map(play_chunk, split(Chunk(series, 0, n, counted=True), pool.workers)):
        total.add(played)
        _add_counts(counts, played)
        progress(len(played.rows))
    watched = Watched()
    for seen in pool.map(watch_chunk, (Watch(Chunk(series, number, 1)) for number in range(min(n, WATCHED)))):
        watched.add(seen)
    return Report(total.summary(0.0), watched, dict(sorted(counts.items(), key=str)))


def _add_counts(counts: dict[tuple[str, int | None], Counted], played: Played) -> None:
    """Add the game's own counts of some games."""
    for place, counter in enumerate(played.counters):
        column = played.counts[:, place]
        numbers = column[column != NOT_COUNTED]
        total = counts.setdefault((counter.key, counter.seat), Counted(counter.words, counter.seat))
        if counter.is_limit:
            total.of = (total.of or 0) + int(numbers.sum())
        else:
            total.number += int(numbers.sum())
            total.games += len(numbers)
