"""What the lab costs beside bare compiled playouts: bookkeeping, and the use of all cores.

    python benchmarks/lab.py [--games N] [--rounds N] [--ray] [--json]

`overhead` is the CPU time of `simulate` for games of King's Court with one worker, divided by that of the bare compiled
playouts of the same games, minus one. `cores` is the speed of `simulate` on all cores, divided by that of as many bare
processes side by side. Both are medians over rounds in which all take turns, without starting and compiling. `ray`, if
asked for, is the time of a run on a local Ray cluster divided by that on the local cores, minus one, counted from when
the cluster stands; it takes about a minute each.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable
from multiprocessing.synchronize import Barrier

import numpy as np
from rich.console import Console
from rich.table import Table

import quintain
from quintain.bots.playout import compiled_games, new_workspace
from quintain.lab.cluster import RayPool
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.simulation import simulate

GAMES, ROUNDS = 2_000_000, 3
BOTS, SEED = ["random", "random"], 1
PART = 100_000
"""How many games a bare process plays in one call, so that its table of results stays small."""
SEARCHERS, MINUTE = ["squire", "squire"], 1500
"""Bots whose games need processes, and how many of their games take a minute on two cores, about."""


def bare(games: int, first: int = 0) -> None:
    """Play games in compiled code, and do nothing with the results."""
    court = quintain.game("kings-court")
    book = court.book.array([court.make_book(2, court.read_options(2, {}))])[0]
    driver, work, kinds = compiled_games(court), new_workspace(court, is_compiled=True), np.zeros(2, np.int64)
    for start in range(first, first + games, PART):
        results = np.zeros((min(PART, first + games - start), 5), np.int64)
        driver(book, 2, kinds, work, SEED, start, results)


def bare_process(games: int, first: int, ready: Barrier, done: Barrier) -> None:
    """Play bare games between two barriers."""
    bare(1)
    ready.wait()
    bare(games, first)
    done.wait()


def seconds_side_by_side(games: int) -> float:
    """Return how long as many bare processes as there are cores take for so many games together."""
    cores = os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    ready, done = context.Barrier(cores + 1), context.Barrier(cores + 1)
    share = games // cores
    workers = [
        context.Process(target=bare_process, args=(share, number * share, ready, done)) for number in range(cores)
    ]
    for worker in workers:
        worker.start()
    ready.wait()
    begun = time.perf_counter()
    done.wait()
    took = time.perf_counter() - begun
    for worker in workers:
        worker.join()
    return took * games / (share * cores)


def timed(clock: Callable[[], float], work: Callable[[], object]) -> float:
    """Return the seconds that some work takes by a clock."""
    begun = clock()
    work()
    return clock() - begun


def run(games: int, bots: list[str], pool: WorkerPool) -> None:
    """Simulate games of King's Court."""
    simulate(quintain.game("kings-court"), games, bots, {}, SEED, pool=pool)


def measure(games: int, rounds: int) -> dict[str, float]:
    """Return the medians."""
    overheads, cores = [], []
    run(1000, BOTS, LocalPool())
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        plain = timed(time.process_time, lambda: bare(games))
        ours = timed(time.process_time, lambda: run(games, BOTS, LocalPool(1)))
        overheads.append(ours / plain - 1)
        together = seconds_side_by_side(games)
        cores.append(together / timed(time.perf_counter, lambda: run(games, BOTS, LocalPool())))
    return {"overhead": statistics.median(overheads), "cores": statistics.median(cores)}


def measure_ray() -> float:
    """Return the cost of a local Ray cluster."""
    run(2, SEARCHERS, LocalPool())
    local = timed(time.perf_counter, lambda: run(MINUTE, SEARCHERS, LocalPool()))
    with RayPool("local") as pool:
        return timed(time.perf_counter, lambda: run(MINUTE, SEARCHERS, pool)) / local - 1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES, help=f"games of one run ({GAMES:,} if not given)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"number of runs of each ({ROUNDS} if not given)")
    parser.add_argument("--ray", action="store_true", help="measure a local Ray cluster, too")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    if arguments.games < 1000 or arguments.rounds < 1:
        parser.error("--games takes a number from 1,000, and --rounds a number from 1")
    figures = measure(arguments.games, arguments.rounds)
    if arguments.ray:
        figures["ray"] = measure_ray()
    if arguments.json:
        print(json.dumps(figures))
        return
    table = Table("figure", "", title="The lab beside bare playouts of King's Court")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
