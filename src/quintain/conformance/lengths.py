"""Checks of two bounds that a game may declare: LONGEST, and OUTCOMES.

Adapters such as `quintain.envs.openspiel` pass the bounds on, and programs size their memory by them.
"""

from __future__ import annotations

import random
from functools import partial

from quintain.conformance.cases import Case, Failed, Skipped, require
from quintain.conformance.checks import check
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import bound_rules
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.linking import Function
from quintain.engine.rules.state import Cells

SEEDS = 3
"""How many random games each check plays."""


@check
def games_keep_to_their_longest(case: Case) -> None:
    """No game has more actions of players than LONGEST."""
    longest = case.game.longest
    if longest is None:
        raise Skipped("the game has no LONGEST: it declares no bound for the actions of a game")
    for seed in range(SEEDS):
        for actions, _ in enumerate(case.positions(seed)):
            require(actions <= longest, f"a game has {actions} actions, and LONGEST allows {longest}")


@check
def draws_keep_to_their_outcomes(case: Case) -> None:
    """No draw in `deal` or `play` has more outcomes than OUTCOMES, and every draw calls `rng.below`."""
    outcomes = case.game.outcomes
    if outcomes is None:
        raise Skipped("the game has no OUTCOMES: it declares no bound for the outcomes of a draw")

    def below(words: Cells[int], n: int) -> int:
        require(n <= outcomes, f"a draw has {n} outcomes, and OUTCOMES allows {outcomes}")
        return rng.below(words, n)

    def draw(words: Cells[int]) -> int:
        raise Failed("deal or play calls rng.draw, whose outcomes cannot be counted: let it call rng.below")

    stand_ins: dict[Function, Function] = {rng.below: below, rng.draw: draw}
    rules = bound_rules(case.game, stand_ins)
    for seed in range(SEEDS):
        chooser, moves, s = random.Random(seed), list[tuple[int, int]](), case.game.state()
        rng.seed(s.rng, seed)
        rules.deal(case.book, s)
        case.where = partial(case.described, seed, moves)
        for _ in range(case.length):  # about as long as other random games
            if s.over:
                break
            seat = seats_in(rules.to_act(case.book, s))[0]
            moves.append((seat, chooser.choice(case.game.legal_actions(case.book, s, seat))))
            rules.play(case.book, s, *moves[-1])
