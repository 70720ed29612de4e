"""Slices of work on our games for `playouts.py`, `search.py` and `against.py`: random play and searches.

`against.py` also runs these functions with the `quintain` of older commits. So they use as little of it as the figure
needs, and import it inside the functions.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from typing import Any

import quintain
from quintain.engine import rng

Slice = Callable[[int], tuple[float, float]]
"""Does the piece of work with this number, and returns the amount of work and the CPU seconds it took."""

COMPILED_GAMES = 100
"""Compiled games in one piece of work."""
SIMULATIONS = 1_000
"""Simulations of one search in `searches`."""
POSITIONS = 10
"""Positions that `searches` searches from, in turns."""
LEAST_ACTIONS = 3
"""Legal actions that a position to search from has at least."""


def driver() -> tuple[Callable[..., Any], tuple[int, ...]]:
    """Return the driver that plays games, and what it is given between the seats and the bots: older ones take -1."""
    from quintain.bots import playout

    return (playout.play_games, ()) if hasattr(playout, "play_games") else (vars(playout)["run"], (-1,))


def workspace(game: quintain.Game, is_compiled: bool) -> Any:
    """Return what the driver works on; older commits have a function for each form of it."""
    from quintain.bots import playout

    if hasattr(playout, "new_workspace"):
        return playout.new_workspace(game, is_compiled=is_compiled)
    return vars(playout)["compiled_workspace" if is_compiled else "plain_workspace"](game)


def engine(package: str, name: str) -> Any:
    """Return a module of the engine, which has fewer packages or none in older commits."""
    for place in (f"{package}.compiling.{name}", f"{package}.{name}"):
        try:
            return importlib.import_module(f"quintain.engine.{place}")
        except ModuleNotFoundError:
            continue
    return importlib.import_module(f"quintain.engine.{name}")


def compiled_play(game: quintain.Game, seats: int, kind: int = 0) -> Slice:
    """Return slices of compiled games from the deal to the score, in decisions, between random players.

    `kind` names another kind of players, as `bots.playout` counts them.
    """
    import numpy as np

    book = game.book.array([game.make_book(seats, game.read_options(seats, {}))])[0]
    play_games, first = driver()
    run, work, kinds = (
        engine("rules", "compiled").compiled(game, play_games),
        workspace(game, True),
        np.full(seats, kind),
    )

    def play(number: int) -> tuple[float, float]:
        results = np.zeros((COMPILED_GAMES, 1 + 2 * seats), np.int64)
        begun = time.process_time()
        plies = run(book, seats, *first, kinds, work, 1, number * COMPILED_GAMES, results)
        return plies, time.process_time() - begun

    play(0)
    return play


def interpreted_play(game: quintain.Game, seats: int) -> Slice:
    """Return slices of one interpreted game between random players, from the deal to the score, in decisions."""
    book = game.make_book(seats, game.read_options(seats, {}))
    play_games, first = driver()
    run, work, kinds = engine("rules", "compiled").interpreted(game, play_games), workspace(game, False), [0] * seats

    def play(number: int) -> tuple[float, float]:
        results = [[0] * (1 + 2 * seats)]
        begun = time.process_time()
        plies = run(book, seats, *first, kinds, work, 1, number, results)
        return plies, time.process_time() - begun

    return play


def searches(game: quintain.Game, seats: int) -> Slice:
    """Return slices of one compiled search each, from the middle of random games, in simulations."""
    from quintain.bots import Budget
    from quintain.bots.ismcts import Ismcts, warm_up

    warm_up(game)
    book = game.make_book(seats, game.read_options(seats, {}))
    positions = [position(game, book, random.Random(number)) for number in range(POSITIONS)]

    def search(number: int) -> tuple[float, float]:
        s, seat = positions[number % POSITIONS]
        given = asked(game, book, game.blinded(book, s, seat), seat)
        bot: Any = Ismcts(game, number, threads=1)
        begun = time.process_time()
        bot.judge(*given, Budget(SIMULATIONS))
        return SIMULATIONS, time.process_time() - begun

    return search


def asked(game: quintain.Game, book: Any, blinded: Any, seat: int) -> tuple[Any, ...]:
    """Return what a bot is asked with: what its seat sees, or in earlier commits what that was made of."""
    try:
        seen = engine("seen", "seen")
    except ModuleNotFoundError:
        return book, blinded, seat
    return (seen.Seen.of(game, book, blinded, seat),)


def position(game: quintain.Game, book: Any, chooser: random.Random) -> tuple[Any, int]:
    """Return a state from the second half of a random game, and the seat that has a choice in it."""
    while True:
        positions = []
        s: Any = game.state()
        rng.seed(s.rng, chooser.randrange(2**62))
        game.rules.deal(book, s)
        while bits := game.rules.to_act(book, s):
            seat = (bits & -bits).bit_length() - 1
            legal = game.legal_actions(book, s, seat)
            positions.append((s.copy(), seat, len(legal)))
            game.rules.play(book, s, seat, chooser.choice(legal))
        for s, seat, choices in positions[len(positions) // 2 :]:
            if choices >= LEAST_ACTIONS:
                return s, seat
