"""Measure how long compiling takes: all drivers of a game, and one further driver, in CPU seconds.

    python benchmarks/compiling.py [COMMIT] [GAME ...] [--rounds N] [--keep FOLDER] [--json]

For every game (all, if you name none) it measures, each in a process of its own that imports Numba, too:

- all: the drivers of bots, lab and environments, from an empty cache;
- further: the search alone, where the cache holds the rules and all other drivers.

Each figure is the median of the rounds. With a COMMIT, each round measures that commit, too, in turns with this tree;
`ratio` is the median of the rounds' ratios of `all`, this tree to the other: below 1 this tree compiles faster.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from against import ROOT, Failure, checked_out, full_hash

COMPILE = "--compile"
ALL, FURTHER = "all", "further"
OLDER = ("warm_up", "warm_up_playouts")
"""What compiled the drivers of a module before each module listed its own."""
ROUNDS = 3


def compile_here(game_id: str, figure: str) -> None:
    """Compile the drivers of a game in this process, and print the CPU seconds that the process has used."""
    import quintain
    from quintain.bots import greedy, ismcts, playout
    from quintain.envs import batch

    game = quintain.game(game_id)
    ismcts.warm_up(game)
    if figure == ALL:
        for module in (playout, greedy, batch):
            if hasattr(module, "drivers"):
                for driver, arguments in module.drivers(game):
                    driver.load(*arguments)
            else:  # of an older commit
                for warm_up in filter(None, (getattr(module, name, None) for name in OLDER)):
                    warm_up(game)
    used = os.times()
    print(json.dumps(used.user + used.system))


def seconds(tree: Path, home: Path, game: str, figure: str) -> float:
    """Return the CPU seconds in which a process compiles, with the package of a tree, what `home` does not hold."""
    own = {"PYTHONPATH": str(tree / "src"), "QUINTAIN_HOME": str(home), "QUINTAIN_LIBRARIES": str(home / "none")}
    command = [sys.executable, __file__, COMPILE, game, figure]
    ran = subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Failure(f"{tree} cannot compile {game}: {ran.stderr.strip().splitlines()[-1]}")
    return float(ran.stdout)


def measured(tree: Path, game: str) -> dict[str, float]:
    """Return both figures of a game in a tree."""
    with tempfile.TemporaryDirectory(prefix="quintain-compiling-") as folder:
        home = Path(folder)
        found = {ALL: seconds(tree, home, game, ALL)}
        for path in (home / "cache").glob(f"{game}-search-*"):
            path.unlink()
        if tree == ROOT:
            found[FURTHER] = seconds(tree, home, game, FURTHER)
    return found


@contextlib.contextmanager
def other_tree(commit: str | None, keep: Path | None) -> Iterator[Path | None]:
    """Yield a folder with the package of the other commit; None if there is none."""
    if commit is None:
        yield None
    else:
        with checked_out(full_hash(commit), keep) as tree:
            yield tree


def measure(arguments: argparse.Namespace) -> dict[str, dict[str, float | None]]:
    """Measure every game in turns."""
    results: dict[str, dict[str, float | None]] = {}
    with other_tree(arguments.commit, arguments.keep) as other:
        for game in arguments.games:
            print(f"measuring {game}", file=sys.stderr)
            ours, theirs = [], []
            for _ in range(arguments.rounds):
                ours.append(measured(ROOT, game))
                if other:
                    theirs.append(measured(other, game)[ALL])
            figures: dict[str, float | None] = {
                name: statistics.median(each[name] for each in ours) for name in (ALL, FURTHER)
            }
            ratios = [one[ALL] / two for one, two in zip(ours, theirs, strict=bool(theirs))]
            results[game] = {**figures, "ratio": statistics.median(ratios) if ratios else None}
    return results


def show(results: dict[str, dict[str, float | None]]) -> None:
    """Print the figures as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "all drivers, s", "a further driver, s", "ratio")
    for game, found in results.items():
        cells = [f"{found[name]:.1f}" for name in (ALL, FURTHER)]
        table.add_row(game, *cells, "" if found["ratio"] is None else f"{found['ratio']:.2f}")
    Console().print(table)


def main() -> None:
    """Measure and print."""
    import quintain

    known = [game.id for game in quintain.all_games()]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="COMMIT GAME", nargs="*", help="a commit, if you like, and ids of games")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often to measure ({ROUNDS} if not given)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the other tree stays for the next time")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    first = next(iter(arguments.names), None)
    arguments.commit = None if first is None or first in known else first
    arguments.games = [name for name in arguments.names if name != arguments.commit] or known
    if unknown := [name for name in arguments.games if name not in known]:
        parser.error(f"there is no game {unknown[0]!r}; there are {', '.join(known)}")
    if arguments.rounds < 1:
        parser.error("measure at least one round")
    try:
        results = measure(arguments)
    except Failure as failure:
        parser.error(str(failure))
    print(json.dumps(results)) if arguments.json else show(results)


if __name__ == "__main__":
    compile_here(*sys.argv[2:]) if sys.argv[1:2] == [COMPILE] else main()
