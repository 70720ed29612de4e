"""Games whose chance is one number: rules in which a caller chooses the outcome of all draws of a move at once.

The draws of a move are the digits of a number in mixed radix: a draw of three outcomes takes the rest of a division by
three, the next draw works on the quotient. Counting that number up from 0 walks through all that chance can do. The
number stands in the generator of the state, which the rules do not need for anything else, so the compiled form of a
game stays what it is, but for `rng.below`. `quintain.engine.rules.explicit` does the same for interpreted rules, one
draw after another.
"""

from __future__ import annotations

from functools import cache

from quintain.engine.rules import contract, rng
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import Function, Linker, is_rule, readings, rule
from quintain.engine.rules.state import Cells, GameState, Record

NUMBER, WAYS, TOO_MANY = 0, 1, 2
"""The words of the generator: what is left of the number, the product of the outcomes of all draws so far, and 1 once
that product is too large."""
MOST_WAYS = 2**40
"""The largest product of the outcomes of a move's draws."""


@rule
def chosen(words: Cells[int], n: int) -> int:
    """Return the next digit of the number in the place of a random number below `n`."""
    if n <= 1:
        return 0
    if words[WAYS] > MOST_WAYS // n:
        words[TOO_MANY] = 1
        return 0
    left = words[NUMBER]
    words[NUMBER] = left // n
    words[WAYS] *= n
    return left % n


@rule
def choose(s: GameState, number: int) -> None:
    """Make a number the outcome of all draws that follow."""
    s.rng[NUMBER] = number
    s.rng[WAYS] = 1
    s.rng[TOO_MANY] = 0
    s.rng[3] = 0


@rule
def forget(s: GameState) -> None:
    """Leave no trace of chance in the state: equal positions have equal words."""
    for i in range(4):
        s.rng[i] = 0


@rule
def leave(book: Record, s: GameState) -> None:
    """Stand in the place of a redeal, which no walk needs: so the rules compile in half the time."""


@rule
def leave_out(book: Record, s: GameState, seat: int, out: Cells[int]) -> None:
    """Stand in the place of an observation, which no walk needs."""


class ChosenChance:
    """A game in which `chosen` takes the place of `rng.below`: all that linking and compiling need of a game."""

    def __init__(self, game: Game) -> None:
        self.game, self.id, self.title = game, game.id, game.title
        self.state: type[GameState] = game.state
        self.book: type[Record] = game.book
        self.constants: dict[str, int | float] = game.constants
        linker = Linker(game, _marked, _draws, {rng.below: chosen})
        self.written: dict[str, Function] = {name: linker.link(each) for name, each in game.written.items()}
        self.written["redeal"] = leave
        self.functions: dict[str, Function] = contract.complete(self.written)
        self.functions |= {"observe": leave_out, "observe_int8": leave_out}

    @classmethod
    @cache
    def of(cls, game: Game) -> ChosenChance:
        """Return the one of a game, of which a process has one."""
        return cls(game)


def _marked(copy: Function) -> Function:
    """Mark a copy of a rule as a rule."""
    return rule(copy)


@cache
def _draws(function: Function) -> bool:
    """Tell whether a rule draws, directly or through the rules that it calls."""
    known, todo = {function}, [function]
    while todo:
        called = {value for _, value in readings(todo.pop()) if is_rule(value)}
        todo += called - known
        known |= called
    return rng.below in known
