"""Datasets: the decisions of games between bots, written as Parquet files to learn from.

A dataset is a folder with a description, dataset.json, and files of so many games each. In each file a row is a
decision, in the order of play:

| column | type | holds |
|---|---|---|
| `game`, `number` | int64, int32 | the number of the game, and that of the decision in it, both from 0 |
| `seat` | int8 | who decided |
| `observation` | W x float32 | what the seat saw: the columns that the description names |
| `mask` | A x int8 | 1 for each legal action |
| `action` | int32 | what the bot chose |
| `tries` | A x int32 | how often its search tried each action; null where it did not search |
| `share` | A x float32 | the share of wins that it expected from each action; NaN if it did not try the action |
| `return` | float32 | what the seat got at the end of the game, as environments reward it |
| `score`, `rank` | int64, int8 | its final score, and its rank from 1 |

W is the size of an observation, and A the number of actions. The seed and the number of a game decide it, and no file
depends on who made it.
"""

from __future__ import annotations

import io
import itertools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintain.bots import Judgement
from quintain.engine.errors import BadOption, QuintainError, quoted
from quintain.engine.rules.compiling.compiled import compiled, interpreted
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.engine.version import __version__
from quintain.envs import memory
from quintain.envs.returns import write_returns
from quintain.envs.stepping import look_float32
from quintain.lab import matches
from quintain.lab.extras import need
from quintain.lab.matches import Decision
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.series import Series, prepare, ready, record
from quintain.lab.simulation import check_games

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

__all__ = ["Shard", "make_dataset"]

ABOUT = "dataset.json"
GAMES = 100
"""How many games a file holds, if nothing else is said."""
ROWS = 512
"""The rows of each row group of a file: those of wide observations take much memory."""


@dataclass(frozen=True)
class Shard:
    """The games of one file: `games` of a series, from number `first` on."""

    series: Series
    first: int
    games: int
    releases_gil = False

    def file(self, folder: Path) -> Path:
        """Return where the file of these games lies in the folder of a dataset."""
        return folder / f"games-{self.first:09}.parquet"


def make_dataset(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    out: Path,
    *,
    shard: int = GAMES,
    pool: WorkerPool | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> int:
    """Play n games between bots, one for each seat, and write their decisions; return how many games were new.

    `out` is the folder of the dataset, which gets a file for each `shard` games. If it holds some of the files already,
    because a run was stopped, only the others are made. `progress` is called with the number of games in each file.
    Raises BadOption for wrong arguments and for a folder that holds something else, and QuintainError.
    """
    need("numpy", "pyarrow")
    check_games(n)
    if shard < 1:
        raise BadOption(f"a file takes at least 1 game, not {shard}")
    series = Series.new(game, bots, options, seed)
    shards = [Shard(series, first, min(shard, n - first)) for first in range(0, n, shard)]
    _begin(out, {"quintain": __version__, "version": game.version, "games": n, "shard": shard, **asdict(series)}, game)
    left = [each for each in shards if not each.file(out).exists()]
    progress(n - sum(each.games for each in left))
    if left:
        prepare(series)
    made = (LocalPool() if pool is None else pool).map(play_shard, left)
    for each, data in zip(left, made, strict=True):
        _write(each.file(out), data)
        progress(each.games)
    return sum(each.games for each in left)


def play_shard(shard: Shard) -> bytes:
    """Play the games of a shard; return the bytes of its file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    game, out = ready(shard.series).game, io.BytesIO()
    with pq.ParquetWriter(out, _schema(game), compression="zstd") as writer:
        rows = _rows(shard)
        while part := list(itertools.islice(rows, ROWS)):
            writer.write_table(pa.Table.from_batches([_batch(shard.series, part)]))
    return out.getvalue()


@dataclass
class DatasetRow:
    """A decision, and what came of its game."""

    game: int
    number: int
    decision: Decision
    judged: Sequence[Judgement]
    returned: float = 0.0
    score: int = 0
    rank: int = 0


def _rows(shard: Shard) -> Iterator[DatasetRow]:
    """Play the games of a shard, and yield their decisions."""
    game, book, levels = ready(shard.series)
    for number in range(shard.first, shard.first + shard.games):
        s = game.state()
        rows = [
            DatasetRow(number, turn, each, each.player.judged)
            for turn, each in enumerate(matches.decisions(game, book, s, levels, shard.series.seed, number))
        ]
        scores, ranks = matches.result(game, book, s, len(levels))
        returns = [0.0] * len(levels)
        interpreted(game, write_returns)(book, s, len(levels), [0] * len(levels), [0] * len(levels), returns)
        for row in rows:
            seat = row.decision.seen.seat
            row.returned, row.score, row.rank = returns[seat], scores[seat], ranks[seat]
        yield from rows


def _schema(game: Game) -> pa.Schema:
    import pyarrow as pa

    width, actions = game.observation.size, game.actions
    return pa.schema(
        {
            "game": pa.int64(),
            "number": pa.int32(),
            "seat": pa.int8(),
            "observation": pa.list_(pa.float32(), width),
            "mask": pa.list_(pa.int8(), actions),
            "action": pa.int32(),
            "tries": pa.list_(pa.int32(), actions),
            "share": pa.list_(pa.float32(), actions),
            "return": pa.float32(),
            "score": pa.int64(),
            "rank": pa.int8(),
        }
    )


def _batch(series: Series, rows: Sequence[DatasetRow]) -> pa.RecordBatch:
    """Return decisions as rows of a file."""
    import numpy as np
    import pyarrow as pa

    game, schema = ready(series).game, _schema(ready(series).game)
    seen = [row.decision.seen for row in rows]
    mask = np.zeros((len(rows), game.actions), np.int8)
    tries, share = np.zeros(mask.shape, np.int32), np.full(mask.shape, np.nan, np.float32)
    for place, row in enumerate(rows):
        mask[place, list(seen[place].legal)] = 1
        for each in row.judged:
            tries[place, each.action] = each.simulations
            share[place, each.action] = each.share if each.simulations else np.nan
    silent = np.array([not row.judged for row in rows])
    tables: dict[str, npt.NDArray[Any]] = {
        "observation": _observed(series, seen),
        "mask": mask,
        "tries": tries,
        "share": share,
    }
    plain = {
        "game": [row.game for row in rows],
        "number": [row.number for row in rows],
        "seat": [each.seat for each in seen],
        "action": [row.decision.action for row in rows],
        "return": [row.returned for row in rows],
        "score": [row.score for row in rows],
        "rank": [row.rank for row in rows],
    }

    def column(name: str) -> pa.Array:
        kind = schema.field(name).type
        if name in plain:
            return pa.array(plain[name], kind)
        numbers = pa.array(tables[name].reshape(-1))
        missing = pa.array(silent) if name in ("tries", "share") else None
        return pa.FixedSizeListArray.from_arrays(numbers, type=kind, mask=missing)

    return pa.RecordBatch.from_arrays([column(name) for name in schema.names], schema=schema)


def _observed(series: Series, seen: Sequence[Seen]) -> npt.NDArray[np.float32]:
    """Return what seats saw as rows of an observation."""
    import numpy as np

    game, count = ready(series).game, len(seen)
    out = np.zeros((count, 1, game.observation.size), np.float32)
    states, seats = game.state.array(each.state for each in seen), np.array([[each.seat] for each in seen], np.int64)
    look, work = compiled(game, look_float32), memory.workspace(game)
    look(record(series), states, seats, np.ones(count, np.bool_), work, 0, out, 0, count)
    return out[:, 0]


def _begin(out: Path, plan: Mapping[str, Any], game: Game) -> None:
    """Make the folder of a dataset, or find a part of the same one there; raises BadOption and QuintainError."""
    about = out / ABOUT
    given = json.loads(json.dumps(plan))
    if about.is_file():
        had = plan_of(about)
        other = next((name for name, value in given.items() if had.get(name) != value), None)
        if other:
            raise BadOption(
                f"{out} holds a dataset with other arguments ({other}: {json.dumps(had.get(other))}, now "
                f"{json.dumps(given[other])}); repeat its arguments to go on with it, or name another folder"
            )
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadOption(f"{out} is there already, and is no dataset: name another folder")
    columns = [{"name": each.name, "first": each.first, "width": each.width} for each in game.observation.blocks]
    size = {"columns": game.observation.size, "actions": game.actions, "observation": columns}
    try:
        out.mkdir(parents=True, exist_ok=True)
        _write(about, (json.dumps(given | size, indent=1) + "\n").encode())
    except OSError as error:
        raise QuintainError(f"{out} cannot be written: {error}") from error


def planned_seed(out: Path) -> int | None:
    """Return the seed of the dataset in a folder; None if there is none."""
    seed = plan_of(out / ABOUT).get("seed") if (out / ABOUT).is_file() else None
    return seed if isinstance(seed, int) else None


def plan_of(about: Path) -> dict[str, Any]:
    """Return what a description says; raises BadOption if it cannot be read."""
    try:
        found = json.loads(about.read_bytes())
    except (OSError, ValueError) as error:
        raise BadOption(f"{about} cannot be read: {quoted(str(error))}; name another folder") from error
    if not isinstance(found, dict):
        raise BadOption(f"{about} says nothing of a dataset: name another folder")
    return found


def _write(file: Path, data: bytes) -> None:
    """Write a file completely or not at all; raises QuintainError."""
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise QuintainError(f"{file} cannot be written: {error}") from error
