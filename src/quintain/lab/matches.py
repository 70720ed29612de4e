"""Games between any bots, each as settled by its seed and number as those of a simulation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from quintain.bots import Level, Player, playout
from quintain.bots.greedy import Greedy
from quintain.bots.ismcts import Ismcts, warm_up
from quintain.bots.page import Page
from quintain.engine import rng
from quintain.engine.game import Game


def prepare(game: Game, levels: Iterable[Level]) -> None:
    """Compile what the levels need, so that they play as they do at the table."""
    kinds = {level.kind for level in levels}
    if any(issubclass(kind, Greedy | Page) for kind in kinds):
        playout.warm_up(game)
    if any(issubclass(kind, Ismcts) for kind in kinds):
        warm_up(game)


def play(game: Game, book: Any, levels: Sequence[Level], seed: int, number: int) -> tuple[int, list[int], list[int]]:
    """Play game `number` of a batch, with a level in each seat; return its plies, scores and ranks."""
    rules, seats = game.rules, len(levels)
    s: Any = game.state()
    plies = 0
    rng.seed(s.rng, rng.mix(seed, number))
    players = [Player(level, game, book, rng.mix(seed, number, 1 + seat)) for seat, level in enumerate(levels)]
    rules.deal(book, s)
    while bits := rules.to_act(book, s):
        seat = playout.lowest_seat(bits)
        rules.play(book, s, seat, players[seat].choose(game.blinded(book, s, seat), seat))
        plies += 1
    scores, ranks = [0] * seats, [0] * seats
    rules.outcome(book, s, scores, ranks)
    return plies, scores, ranks
