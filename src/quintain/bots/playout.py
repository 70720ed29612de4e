"""Random choice and playouts: what bots and simulation are made of, for every game, in both forms."""

from typing import Any

from quintain.engine import rng
from quintain.engine.compiled import rule, rules


@rule
def lowest_seat(bits: int) -> int:
    """Return the lowest seat whose bit is set, of those that may act."""
    seat = 0
    while not bits >> seat & 1:
        seat += 1
    return seat


@rule
def nth_action(mask: Any, n: int) -> int:
    """Return the n-th (from 0) action whose entry in the mask is 1; passes over eight at a time, for speed."""
    action = 0
    while action + 8 <= rules.ACTIONS:
        eight = mask[action] + mask[action + 1] + mask[action + 2] + mask[action + 3]
        eight += mask[action + 4] + mask[action + 5] + mask[action + 6] + mask[action + 7]
        if n < eight:
            break
        n -= eight
        action += 8
    while n > 0 or not mask[action]:
        n -= mask[action]
        action += 1
    return action


@rule
def random_action(mask: Any, count: int, words: Any) -> int:
    """Choose among `count` legal actions, each equally likely, with a generator of the chooser's own."""
    return nth_action(mask, rng.below(words, count))


@rule
def play_out(book: Any, s: Any, mask: Any, words: Any) -> int:
    """Play random legal actions to the end of the game and return how many there were."""
    plies = 0
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        count = rules.legal(book, s, seat, mask)
        rules.play(book, s, seat, random_action(mask, count, words))
        plies += 1
        bits = rules.to_act(book, s)
    return plies
