"""`quintain dataset`: bots play, and their decisions are written down to learn from."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from quintain.cli import files, players
from quintain.cli.arguments import (
    BatchSeed,
    GameFile,
    GameId,
    Options,
    RayAddress,
    Seats,
    Workers,
    bots_option,
    find,
    new_console,
    new_progress,
    open_pool,
    read_seed,
)
from quintain.cli.output import AsJson, print_document


def write_dataset(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many games.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Write the files here; if the run is stopped, the same command goes on."),
    ],
    bots: Annotated[str, bots_option("The bots of all seats; the last one fills the rest.")] = "squire",
    shard: Annotated[int, typer.Option(metavar="N", min=1, help="How many games each file holds.")] = 100,
    seats: Seats = None,
    seed: BatchSeed = None,
    option: Options = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play many games, and write each decision with what the seat saw and what a search thought of it.

    The folder gets Parquet files, and dataset.json, which says what they hold.
    """
    from quintain.envs.dataset import make_dataset, planned_seed

    found = find(game_id, game_file)
    names, options = players.read_bots(bots, found.check_seats(seats)), files.read_options(found, option or [])
    seed = read_seed(planned_seed(out) if seed is None else seed, None)
    with open_pool(ray, workers) as pool, new_progress() as progress:
        tell = partial(progress.advance, progress.add_task("games", total=n))
        new = make_dataset(found, n, names, options, seed, out, shard=shard, pool=pool, progress=tell)
    if as_json:
        print_document({"game": found.id, "seed": seed, "bots": names, "games": n, "new": new, "folder": str(out)})
    else:
        _say(f"{n:,} games of {found.title} in {out}, seed {seed}", n - new)


def _say(made: str, kept: int) -> None:
    """Say what was made, and how many of the games a run before had made."""
    if kept:
        new_console(stderr=True).print(Text(f"{kept:,} of the games were there before."), soft_wrap=True)
    new_console().print(Text(made), soft_wrap=True)
