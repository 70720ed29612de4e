"""Tree search side by side: ours on a game of ours, and OpenSpiel's C++ ISMCTS on hearts and oh_hell.

    python benchmarks/search.py kings-court [--seats N] [--rounds N] [--json]

The searches take turns in one process on one core. Each starts in the middle of a random game, with at least three
legal actions, and plays out to the end. `simulations` are per second of the process's CPU time; `decisions`
per second are simulations times the mean length of a game from there. The figures are medians; `ratio` is our
simulations to those of hearts, and `efficiency` our decisions in search to those in whole games of ours, whose players
choose by the same policy as the search's playouts: at random, where a game has none.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import pyspiel
from rich.console import Console
from rich.table import Table

import quintain
from parts.slices import LEAST_ACTIONS, compiled_play
from parts.slices import position as our_position
from playouts import for_a_while, read_arguments
from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts, warm_up
from quintain.bots.playout import POLICY, play_out
from quintain.bots.tree import EXPLORATION
from quintain.engine.rules.compiling.compiled import interpreted
from quintain.engine.seen.seen import Seen

PEERS = ("hearts", "oh_hell")
ROUNDS = 25
"""The number of positions to search from."""
SIMULATIONS = 5_000
"""Simulations of one search, as many as a Knight's turn has."""
GAMES = 20
"""Random games from a position, for their mean length."""

Search = Callable[[int], tuple[float, float]]
"""Searches from the position with this number; returns simulations a second and the mean length of its games."""


def ours(game: quintain.Game, seats: int) -> Search:
    """Return searches of ours, with one tree, compiled."""
    warm_up(game)
    book = game.make_book(seats, game.read_options(seats, {}))
    to_the_end = interpreted(game, play_out)

    def search(position: int) -> tuple[float, float]:
        s, seat = our_position(game, book, random.Random(position))
        seen, words, plies = Seen.of(game, book, game.blinded(book, s, seat), seat), [1, 2, 3, 4], 0
        begun = time.process_time()
        Ismcts(game, position, threads=1).judge(seen, Budget(SIMULATIONS))
        took = time.process_time() - begun
        for seed in range(GAMES):
            world = seen.state.copy()
            game.rules.redeal(book, world, seed)
            plies += to_the_end(book, world, [0] * game.actions, words)
        return SIMULATIONS / took, plies / GAMES

    return search


def peer(name: str) -> Search:
    """Return searches of an OpenSpiel game, in C++."""
    game = pyspiel.load_game(name)

    def search(position: int) -> tuple[float, float]:
        chooser = random.Random(position)
        state = their_position(game, chooser)
        evaluator = pyspiel.RandomRolloutEvaluator(1, position)
        bot = pyspiel.ISMCTSBot(position, evaluator, EXPLORATION, SIMULATIONS)
        begun = time.process_time()
        bot.step(state)
        took = time.process_time() - begun
        plies = sum(len(play_theirs(state.clone(), chooser)) for _ in range(GAMES))
        return SIMULATIONS / took, plies / GAMES

    return search


def play_theirs(state: Any, chooser: random.Random) -> list[Any]:
    """Play a state of OpenSpiel to its end, at random; return each state in which a player decided."""
    decided = []
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(actions, chances)[0])
        else:
            decided.append(state.clone())
            state.apply_action(chooser.choice(state.legal_actions()))
    return decided


def their_position(game: Any, chooser: random.Random) -> Any:
    """Return a state from the second half of a random game, in which there is a choice."""
    while True:
        states = play_theirs(game.new_initial_state(), chooser)
        for state in states[len(states) // 2 :]:
            if len(state.legal_actions()) >= LEAST_ACTIONS:
                return state


def measure(game: quintain.Game, seats: int, rounds: int) -> dict[str, Any]:
    """Return the medians over positions, each searched in turn, with whole games of ours between."""
    playouts = compiled_play(game, seats, POLICY)
    searches = {"ours": ours(game, seats), **{name: peer(name) for name in PEERS}}
    simulations: dict[str, list[float]] = {name: [] for name in searches}
    decisions: dict[str, list[float]] = {name: [] for name in searches}
    bare = []
    for position in range(rounds):
        print(f"position {position + 1} of {rounds}", file=sys.stderr)
        for name, search in searches.items():
            rate, length = search(position)
            simulations[name].append(rate)
            decisions[name].append(rate * length)
        bare.append(for_a_while(playouts))
    figures = {
        name: {"simulations": statistics.median(simulations[name]), "decisions": statistics.median(decisions[name])}
        for name in searches
    }
    return {
        "ours": figures["ours"],
        "peers": {name: figures[name] for name in PEERS},
        "ratio": median_ratio(simulations["ours"], simulations["hearts"]),
        "efficiency": median_ratio(decisions["ours"], bare),
    }


def median_ratio(one: list[float], other: list[float]) -> float:
    """Return the median of the ratios of figures that were measured one after the other."""
    return statistics.median(a / b for a, b in zip(one, other, strict=True))


def main() -> None:
    """Measure and print."""
    game, seats, rounds, as_json = read_arguments(__doc__, ROUNDS)
    figures = measure(game, seats, rounds)
    if as_json:
        print(json.dumps(figures))
        return
    table = Table("tree search", "simulations a second", "decisions a second", title=f"{game.title}, {seats} seats")
    rows = {game.title: figures["ours"]}
    rows.update({f"OpenSpiel {name}, C++": figure for name, figure in figures["peers"].items()})
    for name, figure in rows.items():
        table.add_row(name, f"{figure['simulations']:,.0f}", f"{figure['decisions']:,.0f}")
    table.add_row("ours to hearts", f"{figures['ratio']:.1f}", "")
    table.add_row("search to whole games", "", f"{figures['efficiency']:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
