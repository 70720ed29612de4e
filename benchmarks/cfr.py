"""An iteration of OpenSpiel's CFR on our Goofspiel, through the adapter, and on OpenSpiel's own, which is in C++.

    python benchmarks/cfr.py [--cards N] [--rounds N] [--json]

The algorithm is the same, `open_spiel.python.algorithms.cfr`, and so are the games: that of docs/tutorial.md, and
OpenSpiel's with open bids and descending prizes, in which the players choose one after another. Iterations on both take
turns in one process; the figures are medians, in milliseconds of the process's CPU time. The first iteration, which
grows our tree, does not count. `ratio` is the median of ours to OpenSpiel's.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
import time
from pathlib import Path

import pyspiel
from open_spiel.python.algorithms.cfr import CFRSolver
from rich.console import Console
from rich.table import Table

from quintain.engine.rules.registry import register_file
from quintain.envs.openspiel import register

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
CARDS, ROUNDS = 4, 9


def ours(cards: int) -> pyspiel.Game:
    """Return the Goofspiel of the tutorial through the adapter."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "goofspiel.py"
        path.write_text("\n\n".join(blocks), encoding="utf-8")
        return pyspiel.load_game(register(register_file(path)), {"cards": cards})


def theirs(cards: int) -> pyspiel.Game:
    """Return OpenSpiel's own Goofspiel with the same rules, in which the players choose one after another."""
    rules = {"num_cards": cards, "players": 2, "points_order": "descending", "returns_type": "win_loss"}
    return pyspiel.load_game_as_turn_based("goofspiel", {**rules, "imp_info": False})


def measure(cards: int, rounds: int) -> dict[str, float]:
    """Return the medians of alternating iterations, in milliseconds, and the median of their ratios."""
    solvers = {"ours": CFRSolver(ours(cards)), "theirs": CFRSolver(theirs(cards))}
    figures: dict[str, list[float]] = {name: [] for name in solvers}
    for number in range(rounds + 1):
        for name, solver in solvers.items():
            begun = time.process_time()
            solver.evaluate_and_update_policy()
            if number:
                figures[name].append(1000 * (time.process_time() - begun))
    ratios = [ours / theirs for ours, theirs in zip(figures["ours"], figures["theirs"], strict=True)]
    return {name: statistics.median(found) for name, found in figures.items()} | {"ratio": statistics.median(ratios)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=CARDS, help=f"cards in each hand ({CARDS} if not given)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"iterations on each ({ROUNDS} if not given)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    if arguments.cards < 2 or arguments.rounds < 1:
        parser.error("--cards takes a number from 2, and --rounds a number from 1")
    figures = measure(arguments.cards, arguments.rounds)
    if arguments.json:
        print(json.dumps(figures))
        return
    table = Table("one iteration of CFR", "milliseconds", title=f"Goofspiel with {arguments.cards} cards")
    table.add_row("ours, through the adapter", f"{figures['ours']:.1f}")
    table.add_row("OpenSpiel's, C++", f"{figures['theirs']:.1f}")
    table.add_row("ours to OpenSpiel's", f"{figures['ratio']:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
