"""The analysis of a finished game: how many seconds of one core it takes, with few tries and with the usual number.

    python benchmarks/analysis.py [GAME ...] [--tries N ...] [--rounds N] [--every K] [--json]

Greedy bots play the games. `seconds` are those of the process's CPU time, for each number of tries, that judging all
positions of a game takes: the medians over several games. `positions` and `candidates` are how many of them a game has.
With `--every K` only every K-th position is judged, and the seconds are multiplied accordingly.
"""

import argparse
import json
import statistics
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

import quintain
from quintain.bots.ismcts import warm_up
from quintain.lab.analysis import FIRST_TRIES, TRIES, judge, positions
from quintain.lab.luck import AnalysedGame, play
from quintain.lab.series import Series, prepare

ROUNDS, EVERY = 5, 5


def main() -> None:
    """Measure, and print a table or a line of JSON."""
    given = read_arguments()
    found = {game.id: measure(game, given.tries, given.rounds, given.every) for game in map(quintain.game, given.games)}
    if given.json:
        print(json.dumps(found))
        return
    table = Table("game", "positions", "candidates", *(f"{tries:,} tries, s" for tries in given.tries))
    for id_, one in found.items():
        seconds = (f"{one['seconds'][str(tries)]:.1f}" for tries in given.tries)
        table.add_row(id_, f"{one['positions']:.0f}", f"{one['candidates']:.0f}", *seconds)
    Console().print(table)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[game.id for game in quintain.all_games()], metavar="GAME")
    parser.add_argument("--tries", nargs="+", type=int, default=[FIRST_TRIES, TRIES], metavar="N")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="how many games of each")
    parser.add_argument("--every", type=int, default=EVERY, metavar="K", help="judge every K-th position only")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def measure(game: quintain.Game, tries: list[int], rounds: int, every: int) -> dict[str, Any]:
    """Return the medians over games."""
    seats = game.seats[2]
    series = Series.new(game, ["greedy"] * seats, game.read_options(seats, {}), 1)
    prepare(series)
    warm_up(game)
    seconds: dict[int, list[float]] = {number: [] for number in tries}
    sizes = []
    for number in range(rounds):
        print(f"{game.id}: game {number + 1} of {rounds}", file=sys.stderr)
        all_of_it = list(positions(play(AnalysedGame(series, number, 0))))
        chosen = all_of_it[number % every :: every]
        sizes.append((len(all_of_it), sum(len(one.seens[one.seat].legal) for one in all_of_it if not one.is_forced)))
        for each, found in seconds.items():
            begun = time.process_time()
            for position in chosen:
                judge(position, each)
            found.append((time.process_time() - begun) * len(all_of_it) / len(chosen))
    counts = dict(zip(("positions", "candidates"), map(statistics.median, zip(*sizes, strict=True)), strict=True))
    return {**counts, "seconds": {str(number): statistics.median(found) for number, found in seconds.items()}}


if __name__ == "__main__":
    main()
