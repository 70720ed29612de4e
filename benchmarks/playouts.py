"""Random playouts side by side: a game of ours, compiled and interpreted, and OpenSpiel's C++ loop.

    python benchmarks/playouts.py kings-court [--seats N] [--json]

Slices of all of them take turns in one process on one core; the figures are medians, in decisions a second. The
decisions of a player are counted, not the chance nodes; `ratio` is ours to OpenSpiel's hearts.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from rich.console import Console
from rich.table import Table

import quintain
from quintain.bots.playout import compiled_workspace, plain_workspace, run
from quintain.engine.compiled import compiled, interpreted

PEERS = ("hearts", "spades", "crazy_eights")
SLICES = 9
SECONDS = 0.3
"""The length of a slice."""

Slice = Callable[[], float]


def for_a_while(play_some: Callable[[int], tuple[int, float]]) -> float:
    """Play batches of games for the length of a slice; return the decisions a second."""
    decisions, seconds, batch = 0, 0.0, 0
    while seconds < SECONDS:
        more, took = play_some(batch)
        decisions, seconds, batch = decisions + more, seconds + took, batch + 1
    return decisions / seconds


def ours(game: quintain.Game, seats: int) -> tuple[Slice, Slice]:
    """Return slices of the compiled and of the interpreted rules: deal, random play, scoring."""
    book = game.make_book(seats, game.read_options(seats, {}))
    record = game.book.array([book])[0]
    driver, fast = compiled(game, run), compiled_workspace(game)
    plain_driver, plain = interpreted(game, run), plain_workspace(game)
    kinds = np.zeros(seats, np.int64)

    def play_compiled(batch: int) -> tuple[int, float]:
        results = np.zeros((200, 1 + 2 * seats), np.int64)
        begun = time.perf_counter()
        plies = driver(record, seats, -1, kinds, fast, 1, batch * 200, results)
        return plies, time.perf_counter() - begun

    def play_interpreted(batch: int) -> tuple[int, float]:
        results = [[0] * (1 + 2 * seats) for _ in range(5)]
        begun = time.perf_counter()
        plies = plain_driver(book, seats, -1, [0] * seats, plain, 1, batch * 5, results)
        return plies, time.perf_counter() - begun

    play_compiled(0)
    return lambda: for_a_while(play_compiled), lambda: for_a_while(play_interpreted)


def peer(name: str) -> Slice:
    """Return a slice of an OpenSpiel game, played by its uniform random bots in C++."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def play_one(batch: int) -> tuple[int, float]:
        state = game.new_initial_state()
        begun = time.perf_counter()
        pyspiel.evaluate_bots(state, bots, batch)
        took = time.perf_counter() - begun
        return sum(item.player >= 0 for item in state.full_history()), took

    return lambda: for_a_while(play_one)


def measure(game: quintain.Game, seats: int) -> dict[str, float | dict[str, float]]:
    """Return the medians of alternating slices."""
    fast, plain = ours(game, seats)
    slices = {"ours": fast, "interpreted": plain, **{name: peer(name) for name in PEERS}}
    figures: dict[str, list[float]] = {name: [] for name in slices}
    for number in range(SLICES):
        print(f"slice {number + 1} of {SLICES}", file=sys.stderr)
        for name, one_slice in slices.items():
            figures[name].append(one_slice())
    medians = {name: statistics.median(values) for name, values in figures.items()}
    return {
        "ours": medians["ours"],
        "interpreted": medians["interpreted"],
        "peers": {name: medians[name] for name in PEERS},
        "ratio": statistics.median(a / b for a, b in zip(figures["ours"], figures["hearts"], strict=True)),
    }


def read_arguments(description: str | None) -> tuple[quintain.Game, int, bool]:
    """Return the game and the number of seats that a benchmark is asked for, and whether to print JSON."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game's id, such as kings-court")
    parser.add_argument("--seats", type=int, help="the number of seats, if not the usual one")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    try:
        game = quintain.game(arguments.game)
        return game, game.check_seats(arguments.seats), arguments.json
    except quintain.QuintainError as error:
        parser.error(str(error))


def main() -> None:
    """Measure and print."""
    game, seats, as_json = read_arguments(__doc__)
    figures = measure(game, seats)
    if as_json:
        print(json.dumps(figures))
        return
    table = Table("random playouts", "decisions a second", title=f"{game.title}, {seats} seats")
    rows = {f"{game.title}, compiled": figures["ours"], f"{game.title}, interpreted": figures["interpreted"]}
    peers = figures["peers"]
    assert isinstance(peers, dict)
    for name, figure in {**rows, **{f"OpenSpiel {name}, C++": figure for name, figure in peers.items()}}.items():
        table.add_row(name, f"{figure:,.0f}")
    table.add_row("compiled to hearts", f"{figures['ratio']:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
