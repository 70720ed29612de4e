"""The libraries of our games side by side with what Numba makes on this machine, and how soon a bot is ready.

    python benchmarks/libraries.py [GAME ...] [--pairs N] [--json]

Both play and search in one process, in turns. `GAME.playouts` is the ratio of decisions a second of random games,
`GAME.search` that of simulations a second of one tree, in CPU time: above 1 the library is faster. Each is the median
of the pairs. `first_move_s` are the seconds from the start of a Python process without numpy and Numba, with an empty
cache, until a Champion in the slowest game has made its first 1,000 simulations; the median of some starts. `bytes` are
those that a wheel is larger by: the libraries of all platforms, compressed. `make libraries` must have made them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

import quintain
from parts.slices import SIMULATIONS, position
from quintain.bots import playout, tree
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.compiling.calls import LoadedDriver, numbered
from quintain.engine.rules.compiling.compiled import compiled_rules
from quintain.engine.rules.compiling.memory import filled, in_memory, zeros
from quintain.engine.rules.registry import own_games

PAIRS, STARTS = 41, 9
GAMES = 100
"""Games in one slice of playouts."""
POSITIONS = 10
"""Positions that trees are grown from, in turns."""
FIRST_MOVE = """
import sys, time
for name in ("numpy", "numba", "llvmlite"):
    sys.modules[name] = None
import quintain
from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts
match = quintain.Match.new(sys.argv[1], seed=bytes(32))
bot, seat = Ismcts(match.game, 1), min(match.to_act)
bot.choose(match.seen(seat), Budget(simulations=1_000))
assert bot.note == "", bot.note
"""

Work = Callable[[LoadedDriver, int], None]
"""Does the piece of work with this number by a driver."""


def both(game: quintain.Game, driver: Any, arguments: tuple[object, ...]) -> tuple[LoadedDriver, LoadedDriver]:
    """Return a driver from the library and from Numba; raises SystemExit if there is no library of these rules."""
    types = numbered(arguments).digest
    loaded = libraries.load(game, driver, types)
    if loaded is None:
        raise SystemExit(f"{game.title}: {libraries.problem(game, driver, types)}: run `make libraries`")
    return loaded, compiled_rules(game).load_driver(driver, arguments, types)


def ratio(entries: tuple[LoadedDriver, LoadedDriver], work: Work, pairs: int) -> float:
    """Return the median of the ratios of speed, the first entry's to the second's, over pairs of slices."""
    found = []
    for number in range(-1, pairs):
        took = []
        for entry in entries if number % 2 else entries[::-1]:
            begun = time.process_time()
            work(entry, number)
            took.append(time.process_time() - begun)
        ours, theirs = took if number % 2 else took[::-1]
        found += [theirs / ours] if number >= 0 else []  # the first pair warms up
    return round(statistics.median(found), 3)


def playouts(game: quintain.Game, pairs: int) -> float:
    """Return the ratio for random games from the deal to the score."""
    seats = game.seats[2]
    book = in_memory(game.make_book(seats, game.read_options(seats, {})))
    kinds, work = filled("int64", [playout.RANDOM] * seats), playout.new_workspace(game, is_compiled=True)
    rows = zeros("int64", GAMES, 1 + 2 * seats)

    def given(first: int) -> tuple[object, ...]:
        return book, seats, kinds, work, 1, first, rows

    def play(entry: LoadedDriver, number: int) -> None:
        entry(numbered(given((number + 1) * GAMES)).words)

    return ratio(both(game, playout.play_games, given(0)), play, pairs)


def search(game: quintain.Game, pairs: int) -> float:
    """Return the ratio for trees that grow from the middle of random games."""
    seats = game.seats[2]
    book = game.make_book(seats, game.read_options(seats, {}))
    positions = [position(game, book, random.Random(number)) for number in range(POSITIONS)]
    held = in_memory(book)

    def given(number: int) -> tuple[object, ...]:
        s, seat = positions[number % POSITIONS]
        grown = tree.new_tree(game, SIMULATIONS, number + 1, is_compiled=True)
        tree.set_root(game, grown, game.blinded(book, s, seat))
        return held, game.seats[1], seat, grown, SIMULATIONS

    def grow(entry: LoadedDriver, number: int) -> None:
        arguments = given(number)
        entry(numbered(arguments).words)

    return ratio(both(game, tree.search, given(0)), grow, pairs)


def first_move(games: list[quintain.Game]) -> float:
    """Return the seconds until a first move is being thought about, in the slowest of some games."""
    medians = []
    with tempfile.TemporaryDirectory() as empty:
        for game in games:
            took = []
            for _ in range(STARTS):
                begun = time.perf_counter()
                command = [sys.executable, "-c", FIRST_MOVE, game.id]
                subprocess.run(command, env=os.environ | {"QUINTAIN_HOME": empty}, check=True)
                took.append(time.perf_counter() - begun)
            medians.append(statistics.median(took))
    return round(max(medians), 3)


def compressed() -> int:
    """Return the bytes of all libraries, compressed one by one as a wheel does it."""
    files = [path for path in libraries.folder().rglob("*") if path.is_file()]
    return sum(len(zlib.compress(path.read_bytes())) for path in files)


def main() -> None:
    """Measure, and print a table or one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the ids of games (all if not given)")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"pairs of slices ({PAIRS} if not given)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    given = parser.parse_args()
    games = [quintain.game(id_) for id_ in given.games] or list(own_games())
    figures: dict[str, float] = {}
    for game in games:
        figures[f"{game.id}.search"] = search(game, given.pairs)
        figures[f"{game.id}.playouts"] = playouts(game, given.pairs)
    figures |= {"first_move_s": first_move(games), "bytes": compressed()}
    if given.json:
        print(json.dumps(figures))
        return
    table = Table("Figure", "Value", title="Libraries")
    for name, value in figures.items():
        table.add_row(name, f"{value:,}")
    Console().print(table)


if __name__ == "__main__":
    main()
