"""A series: games between the same bots, played in chunks by threads, processes or other machines.

`Series` says which games these are, `Chunk` names some of them, and `play_chunk` plays them. All three can be pickled,
so any worker can play any chunk; the seed and the number of a game decide everything in it.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from quintain.bots import MINSTREL, NET, Level, level, net_games
from quintain.bots.net import Net, NetMemory
from quintain.bots.net_games import BY_NET, compiled_games_by_net
from quintain.bots.playout import GAME, KINDS, compiled_games, drivers, new_workspace
from quintain.bots.shipped_nets import SHARPNESS, has_net, net_for
from quintain.engine.errors import BadOption
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game, register_file
from quintain.engine.rules.state import Record
from quintain.lab import matches

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.int64]

MOST_GAMES = 10**12
"""The most games of one series."""
SECONDS = 0.1
"""How long a worker plays one chunk of compiled games, about."""
TRIAL = 0.02
"""Seconds of play from which the speed of a series can be told."""
NOT_COUNTED = -(2**63)
"""Stands for a count that a game did not have."""


@dataclass(frozen=True)
class Series:
    """Games of one game, between the same bots at the same seats, with the same options.

    `file` is the Python file of the game, and `digest` the SHA-256 of what is in it; both are empty for one of
    Quintain's own. `bots` has a name for each seat, and `options` holds the value of every option. `seed` (0 to
    2**63 - 1) and i decide game i.
    """

    game: str
    file: str
    digest: str
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, Any] = field(hash=False)

    @staticmethod
    def new(game: Game, bots: Sequence[str], options: Mapping[str, Any], seed: int) -> Series:
        """Return a series of a registered game, with one bot for each seat; raises BadOption."""
        seats = game.check_seats(len(bots))
        for name in bots:
            level(name)
        check_seed(seed)
        file = str(game.file.resolve()) if game.file else ""
        digest = hashlib.sha256(game.file.read_bytes()).hexdigest() if game.file else ""
        return Series(game.id, file, digest, tuple(bots), seed, game.read_options(seats, options))

    @property
    def is_compiled(self) -> bool:
        """Whether these games run in compiled code from the deal to the score."""
        return all(name in KINDS for name in self.bots)

    @property
    def net(self) -> str:
        """The bot that plays a net, if these games run in compiled code in which it does; else empty.

        All such seats must play the same net, and all others a bot that compiled code knows.
        """
        nets = {name for name in self.bots if name.startswith(f"{NET}:") or name == MINSTREL}
        rest = all(name in KINDS or name in nets for name in self.bots)
        if not (rest and len(nets) == 1):
            return ""
        name = nets.pop()
        return name if name != MINSTREL or has_net(ready(self).game, len(self.bots), ready(self).book) else ""

    @property
    def is_whole(self) -> bool:
        """Whether a worker plays many of these games in one call of compiled code."""
        return self.is_compiled or bool(self.net)

    def seated(self, bots: Sequence[str]) -> Series:
        """Return the series of the same deals with other bots at the seats."""
        return replace(self, bots=tuple(bots))


@dataclass(frozen=True)
class Chunk:
    """Some games of a series: `games` of them, from number `first` on.

    If `counted`, the counts that the game itself reports (see `engine.collection`) come with the results.
    """

    series: Series
    first: int
    games: int
    counted: bool = False

    @property
    def releases_gil(self) -> bool:
        """Whether threads can play chunks like this one side by side."""
        return self.series.is_whole and not (self.counted and ready(self.series).game.report)


class Counter(NamedTuple):
    """One of a game's own counts: its key, its seat (None: the whole table), and its words.

    `is_limit` is set for the number that it is counted up to.
    """

    key: str
    seat: int | None
    is_limit: bool
    words: str


class Played(NamedTuple):
    """The results of a chunk.

    `rows` has a row for each game: its number of actions, then the scores of the seats, then their ranks. It is int64
    of shape (games, 1 + 2 * seats). `counts` has a column for each of the `counters`, with NOT_COUNTED where a game had
    no such count. It is int64 of shape (games, counters).
    """

    rows: Rows
    counters: tuple[Counter, ...]
    counts: Rows

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.rows.shape[1]) // 2

    @property
    def scores(self) -> Rows:
        """The scores, of shape (games, seats)."""
        return self.rows[:, 1 : 1 + self.seats]

    @property
    def ranks(self) -> Rows:
        """The ranks, of shape (games, seats)."""
        return self.rows[:, 1 + self.seats :]

    @property
    def won(self) -> Rows:
        """Each seat's share of each win, in units of 1 / `whole`, of shape (games, seats).

        As whole numbers they add up to the same sum in any order.
        """
        import numpy as np

        first = (self.ranks == 1).astype(np.int64)
        shared: Rows = first * (whole(self.seats) // first.sum(axis=1, keepdims=True))
        return shared


class PlayedChunk(NamedTuple):
    """The results of games of a series, from number `first` on."""

    series: Series
    first: int
    played: Played


def whole(seats: int) -> int:
    """Return the number of units that make up a win, which any number of seats can share evenly.

    >>> whole(4)
    12
    """
    return math.lcm(*range(1, 1 + seats))


class Ready(NamedTuple):
    """What it takes to play a series in this process."""

    game: Game
    book: Record
    levels: list[Level]


@lru_cache(maxsize=64)
def ready(series: Series) -> Ready:
    """Return what it takes to play a series; raises BadOption, BadGame and UnknownGame."""
    found = _game_of(series)
    return Ready(found, found.make_book(len(series.bots), series.options), [level(name) for name in series.bots])


def prepare(series: Series) -> None:
    """Compile whatever a series needs, unless the cache holds it already."""
    found = ready(series)
    if series.is_compiled:
        load(drivers(found.game))
    elif series.net:
        load(net_games.drivers(found.game))
    else:
        matches.prepare(found.game, found.levels)


def play_chunk(chunk: Chunk) -> Played:
    """Play the games of a chunk, and return their results in order; raises BadBot."""
    import numpy as np

    found, seats = ready(chunk.series), len(chunk.series.bots)
    rows = np.zeros((chunk.games, 1 + 2 * seats), np.int64)
    own = _OwnCounts(found, chunk.games) if chunk.counted and found.game.report else None
    if chunk.series.is_whole:
        _play_compiled(chunk, found, rows, own)
    else:
        for row in range(chunk.games):
            s = found.game.state()
            plies = sum(
                1 for _ in matches.moves(found.game, found.book, s, found.levels, chunk.series.seed, chunk.first + row)
            )
            scores, ranks = matches.result(found.game, found.book, s, seats)
            rows[row] = [plies, *scores, *ranks]
            if own:
                own.add(row, s)
    return Played(rows, *(own.table() if own else ((), np.zeros((chunk.games, 0), np.int64))))


def _play_compiled(chunk: Chunk, found: Ready, rows: Rows, own: _OwnCounts | None) -> None:
    """Play a chunk in compiled code; one game at a time if the game counts something at the end of each."""
    import numpy as np

    series, book = chunk.series, record(chunk.series)
    work = new_workspace(found.game, is_compiled=True)
    given = (book, len(series.bots), np.array([KINDS.get(name, BY_NET) for name in series.bots]), work)
    if series.net:
        sharpness = SHARPNESS if series.net == MINSTREL else 0
        play = partial(compiled_games_by_net(found.game), *given, _net_of(found, series), sharpness, series.seed)
    else:
        play = partial(compiled_games(found.game), *given, series.seed)
    step, pool = 1 if own else max(1, chunk.games), cast(Any, work.pool)
    for row in range(0, chunk.games, step):
        play(chunk.first + row, rows[row : row + step])
        if own:
            own.add(row, found.game.state.unpack(bytes(pool[GAME])))


def _net_of(found: Ready, series: Series) -> NetMemory:
    """Return the memory of the net that plays in a series, for one worker."""
    kind = level(series.net).kind
    kind = kind if issubclass(kind, Net) else net_for(found.game, len(series.bots))
    return kind(found.game, 0).memory_for(found.book, is_compiled=True)


@lru_cache(maxsize=64)
def record(series: Series) -> Any:
    """Return the book of a series as a record for compiled code."""
    found = ready(series)
    return in_memory(found.book)


class _OwnCounts:
    """Gathers what a game counts at the end of each game of a chunk."""

    def __init__(self, found: Ready, games: int) -> None:
        self.found, self.games = found, games
        self.columns: dict[Counter, list[int]] = {}

    def add(self, row: int, s: Any) -> None:
        """Add the counts of a game that is over."""
        assert self.found.game.report
        for one in self.found.game.report(self.found.book, s):
            self._set(Counter(one.key, one.seat, False, one.words), row, one.number)
            if one.of is not None:
                self._set(Counter(one.key, one.seat, True, one.words), row, one.of)

    def _set(self, counter: Counter, row: int, number: int) -> None:
        self.columns.setdefault(counter, [NOT_COUNTED] * self.games)[row] = number

    def table(self) -> tuple[tuple[Counter, ...], Rows]:
        """Return the counters, and a column of numbers for each."""
        import numpy as np

        columns = np.array(list(self.columns.values()), np.int64).reshape(len(self.columns), self.games)
        return tuple(self.columns), columns.T


def split(chunk: Chunk, workers: int) -> Iterator[Chunk]:
    """Yield a chunk in parts of a size that suits this number of workers."""
    size = 1
    if chunk.series.is_whole:
        size = chunk.games if chunk.games <= workers else games_in(chunk, SECONDS)
        size = max(1, min(size, -(-chunk.games // workers)))
    for start in range(0, chunk.games, size):
        yield replace(chunk, first=chunk.first + start, games=min(size, chunk.games - start))


def games_in(chunk: Chunk, seconds: float) -> int:
    """Return how many games like those of a chunk a worker plays in so many seconds, about."""
    games, took = 1, _seconds(chunk, 1)
    while took < TRIAL and games * 4 <= chunk.games:
        games *= 4
        took = _seconds(chunk, games)
    return max(1, int(games * seconds / max(took, 1e-6)))


def _seconds(chunk: Chunk, games: int) -> float:
    """Play the first games of a chunk, and return how many seconds that took."""
    begun = time.perf_counter()
    play_chunk(replace(chunk, games=games))
    return time.perf_counter() - begun


def check_seed(seed: int) -> None:
    """Raise BadOption for a seed that no series can have."""
    if not 0 <= seed < 2**63:
        raise BadOption(f"a seed is a number from 0 to 2**63 - 1, not {seed}")


_games: dict[tuple[str, str], Game] = {}
"""The games of files that series of this process had, by file and digest."""


def _game_of(series: Series) -> Game:
    """Return the game of a series; reads its file if this process has not registered it in that form."""
    if not series.file:
        return game(series.game)
    key = series.file, series.digest
    if key not in _games:
        for known in all_games():
            is_there = known.file is not None and known.file.resolve() == Path(series.file)
            if known.id == series.game and is_there and known not in _games.values():
                _games[key] = known
    return _games.get(key) or _games.setdefault(key, register_file(series.file))
