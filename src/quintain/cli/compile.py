"""`quintain compile`: compiles all that bots, the lab and environments run, before anybody waits for it.

A game is compiled in one process, so as many games are compiled at a time as the machine has cores, the longest first.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.table import Table
from rich.text import Text

from quintain.bots import greedy, ismcts, net, net_games, net_tree, playout, shipped_nets
from quintain.cli import completion
from quintain.cli.arguments import GameFile, new_console, register
from quintain.cli.output import AsLines, print_lines
from quintain.engine.errors import BadOption
from quintain.engine.rules.compiling.compiled import (
    REMEDY,
    Example,
    can_compile,
    compiled_rules,
    is_switched_off,
    load,
    source_of,
)
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import contract_of, reached
from quintain.engine.rules.registry import all_games, game, register_files
from quintain.lab.pools import LocalPool

SECONDS_AT_LEAST, SECONDS_EACH = 4.0, 0.0004
"""About how long compiling takes on one core: for any game, and for each byte of its rules' bytecode."""
LOW = 10
"""How much the priority is lowered in the background."""

Workers = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="How many games to compile at a time; one for each core.")
]
Games = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]...", help="The ids of games; all if not given.", autocompletion=completion.games),
]
List = Annotated[bool, typer.Option("--list", help="Only say what each driver runs as now, and why.")]
Low = Annotated[bool, typer.Option("--low", help="Leave the processor to whatever else wants it.")]


class Compilation(NamedTuple):
    """A game to compile, and the files that define further games."""

    game: str
    files: tuple[Path, ...]
    releases_gil: bool = False


class Done(NamedTuple):
    """The result of a job: the game and its title, the names of the code that it compiled, and its seconds."""

    game: str
    title: str
    made: list[str]
    seconds: float


def compile_games(
    games: Games = None,
    workers: Workers = None,
    low: Low = False,
    listed: List = False,
    as_json: AsLines = False,
    game_file: GameFile = None,
) -> None:
    """Compile what bots, the lab and environments need, so that nobody waits for it later."""
    register(game_file)
    named = [game(each) for each in dict.fromkeys(games)] if games else all_games()
    if listed:
        rows = [run for each in named for run in drivers_run(each)]
        print_lines(rows) if as_json else new_console().print(table_of(rows))
        return
    if is_switched_off():
        raise BadOption("NUMBA_DISABLE_JIT is set, so nothing is compiled: unset it first")
    if low and hasattr(os, "nice"):
        os.nice(LOW)
    chosen = sorted(named, key=size_of, reverse=True)
    count = min(workers or os.cpu_count() or 1, len(chosen))
    jobs = [Compilation(each.id, tuple(file.resolve() for file in game_file or ())) for each in chosen]
    console = new_console()
    new_console(stderr=as_json).print(Text(_estimate([size_of(each) for each in chosen], count)))
    for done in _all_done(jobs, count):
        if as_json:
            print_lines([done])
            continue
        made = f"compiled {', '.join(done.made)}" if done.made else "all was there"
        console.print(Text(f"{done.title}: {made} ({done.seconds:.0f} s)"), soft_wrap=True)


@contextmanager
def in_background(files: Sequence[Path]) -> Iterator[subprocess.Popen[bytes]]:
    """While the context lasts, compile all games in a process of low priority, and yield it; `files` define more."""
    named = [word for file in files for word in ("--game-file", str(file))]
    command = [sys.executable, "-P", "-c", "from quintain.cli import main; main()", "compile", "--low", *named]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [*command, "--workers", "1"], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def size_of(game: Game) -> int:
    """Return how many bytes of bytecode the rules of a game have; the more there are, the longer compiling takes."""
    return sum(len(function.__code__.co_code) for function in reached(game, contract_of(game).values()))


def _estimate(sizes: list[int], workers: int) -> str:
    seconds = [SECONDS_AT_LEAST + SECONDS_EACH * size for size in sizes]
    games = f"{len(sizes)} game{'s' * (len(sizes) > 1)}"
    return f"{games}, {workers} at a time; about {max(sum(seconds) / workers, *seconds):.0f} s if nothing is there yet"


def _all_done(jobs: list[Compilation], workers: int) -> Iterator[Done]:
    if workers == 1:
        return map(compile_game, jobs)
    return LocalPool(workers, patience=0.0).map(compile_game, jobs)


def drivers_of(game: Game) -> Iterator[Example]:
    """Yield the drivers of a game that bots, the lab and environments call; without numpy, none of the last.

    Those of searches and of many games with a net are among them if a net comes with the game; whoever has another net
    compiles them.
    """
    yield from itertools.chain(*(each.drivers(game) for each in (ismcts, playout, greedy, net)))
    if shipped_nets.nets_of(game):
        yield from itertools.chain(net_tree.drivers(game), net_games.drivers(game))
    if importlib.util.find_spec("numpy"):
        from quintain.envs import batch

        yield from batch.drivers(game)


class DriverRun(NamedTuple):
    """What a driver of a game runs as, and why."""

    game: str
    title: str
    driver: str
    runs_as: str
    why: str


def drivers_run(game: Game) -> Iterator[DriverRun]:
    """Yield what each driver of a game runs as, and why."""
    found = {example.driver.driver.__name__: source_of(example) for example in drivers_of(game)}
    for name, (kind, why) in found.items():
        yield DriverRun(game.id, game.title, name, kind, why)


def table_of(rows: Sequence[DriverRun]) -> Table:
    """Return what drivers run as, for people."""
    table = Table("Game", "Driver", "Runs as", "Why")
    for row in rows:
        table.add_row(row.title, row.driver, row.runs_as, row.why)
    return table


def compile_game(job: Compilation) -> Done:
    """Compile everything that bots, the lab and environments run of a game."""
    register_files(job.files)
    found, begun = game(job.game), time.monotonic()
    examples = list(drivers_of(found))
    missing = [each.driver.driver.__name__ for each in examples if source_of(each)[0] == "interpreted"]
    if missing:
        raise BadOption(f"{found.title} has no library here for {', '.join(missing)}. {REMEDY}")
    load(examples)
    made = compiled_rules(found).made if can_compile() else []
    return Done(found.id, found.title, made, time.monotonic() - begun)
