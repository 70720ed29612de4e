"""How to write a check: a function with the decorator `check` or `check_game`, in one of the modules of `suite`.

The function raises Failed if the game does not keep the contract, and Skipped if the game lacks the property that the
check is about. It may return a note for the game's author. The first paragraph of its docstring is the demand that
`quintain check` prints. `check` is for a function that takes one case; `check_game` is for one that takes all cases of
a game at once, since compiling takes long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quintain.conformance.cases import Case

CaseCheck = Callable[[Case], str | None]
GameCheck = Callable[[Sequence[Case]], str | None]


@dataclass(frozen=True)
class Check:
    """A demand on every game, and the function that checks it: `of_case` on one case, or `of_game` on all cases."""

    name: str
    demand: str
    of_case: CaseCheck | None = None
    of_game: GameCheck | None = None


def check(function: CaseCheck) -> Check:
    """Return a check made from a function that takes one case. Use it as a decorator."""
    return Check(function.__name__, _demand(function), of_case=function)


def check_game(function: GameCheck) -> Check:
    """Return a check made from a function that takes all cases of a game. Use it as a decorator."""
    return Check(function.__name__, _demand(function), of_game=function)


def _demand(function: Callable[..., object]) -> str:
    """Return the first paragraph of a function's docstring, on one line."""
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())
