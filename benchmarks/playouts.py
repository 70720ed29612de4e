"""Random playouts side by side: a game of ours, compiled and interpreted, and OpenSpiel's C++ loop.

    python benchmarks/playouts.py kings-court [--seats N] [--rounds N] [--json]

Slices of all of them take turns in one process on one core; the figures are medians, in decisions a second of the
process's CPU time. Only decisions of players count, not chance nodes; `ratio` is ours to OpenSpiel's hearts.
"""

import argparse
import json
import statistics
import sys
import time

import pyspiel
from rich.console import Console
from rich.table import Table

import quintain
from parts.slices import Slice, compiled_play, interpreted_play

PEERS = ("hearts", "spades", "crazy_eights")
ROUNDS = 9
SECONDS = 0.3
"""The length of a slice."""


def for_a_while(work: Slice) -> float:
    """Do pieces of work for the length of a slice; return how much was done in a second."""
    done, seconds, number = 0.0, 0.0, 0
    while seconds < SECONDS:
        more, took = work(number)
        done, seconds, number = done + more, seconds + took, number + 1
    return done / seconds


def peer(name: str) -> Slice:
    """Return slices of one game each of an OpenSpiel game, played by its uniform random bots in C++."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def play_one(number: int) -> tuple[float, float]:
        state = game.new_initial_state()
        begun = time.process_time()
        pyspiel.evaluate_bots(state, bots, number)
        took = time.process_time() - begun
        return sum(item.player >= 0 for item in state.full_history()), took

    return play_one


def measure(game: quintain.Game, seats: int, rounds: int) -> dict[str, float | dict[str, float]]:
    """Return the medians of alternating slices."""
    slices = {"ours": compiled_play(game, seats), "interpreted": interpreted_play(game, seats)}
    slices |= {name: peer(name) for name in PEERS}
    figures: dict[str, list[float]] = {name: [] for name in slices}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for name, work in slices.items():
            figures[name].append(for_a_while(work))
    medians = {name: statistics.median(values) for name, values in figures.items()}
    return {
        "ours": medians["ours"],
        "interpreted": medians["interpreted"],
        "peers": {name: medians[name] for name in PEERS},
        "ratio": statistics.median(a / b for a, b in zip(figures["ours"], figures["hearts"], strict=True)),
    }


def read_arguments(description: str | None, rounds: int) -> tuple[quintain.Game, int, int, bool]:
    """Return the game, the seats and the rounds (`rounds` if not given) of a benchmark, and whether to print JSON."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game's id, such as kings-court")
    parser.add_argument("--seats", type=int, help="the number of seats, if not the usual one")
    parser.add_argument("--rounds", type=int, default=rounds, help=f"number of slices of each ({rounds} if not given)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    try:
        game = quintain.game(arguments.game)
        seats = game.check_seats(arguments.seats)
    except quintain.QuintainError as error:
        parser.error(str(error))
    if arguments.rounds < 1:
        parser.error(f"--rounds takes a number from 1, not {arguments.rounds}")
    return game, seats, arguments.rounds, arguments.json


def main() -> None:
    """Measure and print."""
    game, seats, rounds, as_json = read_arguments(__doc__, ROUNDS)
    figures = measure(game, seats, rounds)
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
