"""The ladder: compares bots. Every pair of levels plays a number of games, each deal twice, with the seats swapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.intervals import wilson
from quintain.lab.pairings import Pairing, alternating, check_even, share_of, won_by
from quintain.lab.pools import WorkerPool
from quintain.lab.runs import Run
from quintain.lab.series import Chunk, PlayedChunk, Series

__all__ = ["Pairing", "climb"]


def climb(
    game: Game,
    names: Sequence[str],
    games: int,
    seed: int,
    seats: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
    others: int | None = None,
    pool: WorkerPool | None = None,
    out: Path | None = None,
) -> Iterator[Pairing]:
    """Play `games` games for every pair of levels, and yield the results; raises BadOption.

    `others`, if given, is the number of games for pairs that are not neighbours in `names`. The two levels take the
    seats alternately. Without `seats` the game has its lowest number of seats. Half of the games have the seats
    swapped, with the same deals, so the numbers must be even. `progress` is called with the number of games just
    played. `pool` and `out` are as for `simulate`.
    """
    seats = game.check_seats(game.seats[0] if seats is None else seats)
    if len(names) < 2 or len({*names}) < len(names):
        raise BadOption(f"a ladder takes at least two bots, each once, not {', '.join(names)}")
    for number in (games, games if others is None else others):
        check_even(number)
    pairs = {pair: games_of(names, pair, games, others) for pair in combinations(names, 2)}
    first = Series.new(game, [names[0]] * seats, {}, seed)
    tables = {pair: [first.seated(bots) for bots in alternating(*pair, seats)] for pair in pairs}
    plan = {"command": "ladder", "n": games, "others": others, "seed": seed}
    for name in names:
        Series.new(game, [name] * seats, {}, seed)  # raises BadOption for a name that is not a bot
    with Run([each for both in tables.values() for each in both], plan, pool, out) as run:
        results = run.play(Chunk(each, 0, pairs[pair] // 2) for pair, both in tables.items() for each in both)
        for pair, number in pairs.items():
            yield _pairing(pair, number, seats, results, progress)
        run.write()


def _pairing(
    pair: tuple[str, str], games: int, seats: int, results: Iterator[PlayedChunk], progress: Callable[[int], None]
) -> Pairing:
    """Return how a pair did, from the results that come next: those of its games."""
    won = played = 0
    while played < games:
        result = next(results)
        won += won_by(pair[0], result.series.bots, result.played)
        played += len(result.played.rows)
        progress(len(result.played.rows))
    share = share_of(won, seats, games)
    return Pairing(*pair, games, share, wilson(share, games))


def games_of(names: Sequence[str], pair: tuple[str, str], games: int, others: int | None) -> int:
    """Return how many games a pair plays: `games` for neighbours in `names`, and else `others`, if it is given."""
    are_neighbours = abs(names.index(pair[0]) - names.index(pair[1])) == 1
    return games if are_neighbours or others is None else others
