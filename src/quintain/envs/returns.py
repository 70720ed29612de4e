"""What each seat gets out of a game: the rewards of every environment."""

from __future__ import annotations

from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Record


@rule
def write_returns(
    book: Record, s: GameState, seats: int, scores: Cells[int], ranks: Cells[int], values: Cells[float]
) -> None:
    """Write each seat's return from a game that is over, and its scores and ranks.

    If the game writes `payoff`, that is the return. Otherwise it is the share of the win, centred so that all returns
    add up to 0 and a sole winner has 1: with two seats the loser has -1, and a draw is 0.
    """
    rules.payoff(book, s, seats, scores, ranks, values)
    for seat in range(seats):
        if rules.HAS_PAYOFF:
            values[seat] = rules.LEAST_PAYOFF + values[seat] * (rules.MOST_PAYOFF - rules.LEAST_PAYOFF)
        elif seats > 1:
            values[seat] = (values[seat] * seats - 1) / (seats - 1)
