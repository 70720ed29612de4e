"""Games between any bots, each as settled by its seed and number as those of a simulation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from quintain.bots import Level, playout
from quintain.bots.greedy import Greedy
from quintain.bots.ismcts import Ismcts, warm_up
from quintain.bots.page import Page
from quintain.engine import rng
from quintain.engine.game import Game


def prepare(game: Game, levels: Iterable[Level]) -> None:
    """Compile what the levels need, so that they play as they do at the table."""
    kinds = {level.kind for level in levels}
    if kinds & {Greedy, Page}:
        playout.warm_up(game)
    if Ismcts in kinds:
        warm_up(game)


def play(game: Game, book: Any, levels: Sequence[Level], seed: int, number: int) -> tuple[int, list[int], list[int]]:
    """Play game `number` of a batch, with a level in each seat; return its plies, scores and ranks."""
    rules, seats = game.rules, len(levels)
    s: Any = game.state()
    plies = 0
    rng.seed(s.rng, rng.mix(seed, number))
    bots = [level.kind(game, rng.mix(seed, number, 1 + seat)) for seat, level in enumerate(levels)]
    rules.deal(book, s)
    while bits := rules.to_act(book, s):
        seat = playout.lowest_seat(bits)
        action = bots[seat].choose(book, game.blinded(book, s, seat), seat, levels[seat].budget)
        rules.play(book, s, seat, action)
        plies += 1
    scores, ranks = [0] * seats, [0] * seats
    rules.outcome(book, s, scores, ranks)
    return plies, scores, ranks
