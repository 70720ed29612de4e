"""Games as a table: one row a game, in memory (polars) or as a Parquet file.

| column | type | holds |
|---|---|---|
| `game`, `version` | text, int64 | the id of the game, and the version of its rules |
| `seed`, `number` | int64 | what decides the game: the seed of its series, and its number there |
| `option_NAME` | int64, bool or text | the value of each option; several values in one text, with commas |
| `deck_K` | text | the deck of seat K, in games whose players bring decks: its name or its list |
| `bot_K` | text | the bot at seat K |
| `decisions` | int64 | the number of actions |
| `score_K`, `rank_K` | int64 | the final score of seat K, and its rank, from 1 |
| `count_KEY`, `count_KEY_seat_K` | int64 | a count that the game itself reports; null where a game has none |
| `count_KEY_of` | int64 | what it is counted up to |

K counts seats from 0. Dots and hyphens in names become underscores. In the file, the words of a count are the metadata
`words` of its column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintain.engine.errors import QuintainError
from quintain.lab.extras import need
from quintain.lab.series import NOT_COUNTED, Counter, PlayedChunk, Series, ready

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

GROUP = 2**17
"""The rows of each row group of a file."""


def games_table(results: Iterable[PlayedChunk]) -> pl.DataFrame:
    """Return a table of games, with a row for each, in the order of the results."""
    need("polars", "pyarrow")
    import polars as pl
    import pyarrow as pa

    kept = list(results)
    schema = _schema(kept)
    return pl.DataFrame(pl.from_arrow(pa.Table.from_batches([_batch(each, schema) for each in kept], schema)))


def write_games(path: Path, results: Callable[[], Iterable[PlayedChunk]]) -> None:
    """Write a Parquet file with a row for each game; the same results make the same bytes, however they are divided.

    `results` is called twice. The file is written completely or not at all; raises QuintainError.
    """
    need("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema, unfinished = _schema(results()), path.with_name(f".{path.name}.part")
    try:
        with unfinished.open("wb") as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for table in _groups((_batch(each, schema) for each in results()), schema):
                writer.write_table(table, row_group_size=GROUP)
        unfinished.replace(path)
    except (OSError, pa.ArrowException) as error:
        unfinished.unlink(missing_ok=True)
        raise QuintainError(f"{path} cannot be written: {error}") from error


def _groups(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of batches in tables of GROUP rows; the last table has the rest."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += len(batch)
        while rows >= GROUP:
            table = pa.Table.from_batches(waiting, schema)
            yield table.slice(0, GROUP).combine_chunks()
            waiting, rows = table.slice(GROUP).to_batches(), rows - GROUP
    if rows:
        yield pa.Table.from_batches(waiting, schema).combine_chunks()


def _schema(results: Iterable[PlayedChunk]) -> pa.Schema:
    """Return the columns of a table; counts stand in the order in which the games first report them."""
    import pyarrow as pa

    fields: list[pa.Field] = []
    counters: dict[str, Counter] = {}
    known: tuple[Counter, ...] = ()
    seats = 0
    for series, _, played in results:
        if not fields:
            fields = [pa.field(name, pa.scalar(value).type) for name, value in _constants(series).items()]
            seats = len(series.bots)
        if played.counters != known:
            known = played.counters
            for counter in known:
                counters.setdefault(column_of(counter), counter)
    numbers = ["number", "decisions", *(f"score_{seat}" for seat in range(seats))]
    numbers += [f"rank_{seat}" for seat in range(seats)]
    fields += [pa.field(name, pa.int64()) for name in numbers]
    fields += [pa.field(name, pa.int64(), metadata={"words": counter.words}) for name, counter in counters.items()]
    return pa.schema(fields)


def _batch(result: PlayedChunk, schema: pa.Schema) -> pa.RecordBatch:
    """Return the rows of a result."""
    import pyarrow as pa

    series, first, played = result
    games, seats = played.rows.shape[0], len(series.bots)
    columns: dict[str, Any] = {name: pa.repeat(value, games) for name, value in _constants(series).items()}
    columns["number"] = pa.array(range(first, first + games), pa.int64())
    columns["decisions"] = pa.array(played.rows[:, 0])
    for seat in range(seats):
        columns[f"score_{seat}"] = pa.array(played.rows[:, 1 + seat])
        columns[f"rank_{seat}"] = pa.array(played.rows[:, 1 + seats + seat])
    for place, counter in enumerate(played.counters):
        numbers = played.counts[:, place]
        columns[column_of(counter)] = pa.array(numbers, mask=numbers == NOT_COUNTED)
    nothing = pa.nulls(games, pa.int64())
    return pa.RecordBatch.from_arrays([columns.get(name, nothing) for name in schema.names], schema=schema)


def _constants(series: Series) -> dict[str, Any]:
    """Return the values that all games of a series share, by column."""
    game, seats = ready(series).game, len(series.bots)
    decks = game.collection.decks.option if game.collection and game.collection.decks else None
    found: dict[str, Any] = {"game": game.id, "version": game.version, "seed": series.seed}
    for name, value in series.options.items():
        if name == decks:
            found |= {f"deck_{seat}": value[seat] for seat in range(seats)}
        else:
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else value
            found[_plain(f"option_{name}")] = text
    return found | {f"bot_{seat}": bot for seat, bot in enumerate(series.bots)}


def column_of(counter: Counter) -> str:
    """Return the name of a count's column."""
    seat = "" if counter.seat is None else f"_seat_{counter.seat}"
    return _plain(f"count_{counter.key}{seat}{'_of' if counter.is_limit else ''}")


def _plain(name: str) -> str:
    return name.replace(".", "_").replace("-", "_")
