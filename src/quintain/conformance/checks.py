"""How a check is written.

A check is a function that is given a case and returns nothing if all is well; it raises Failed with what is wrong, or
Skipped with the property that the game lacks. What it returns in words is a note for the game's author. The docstring
says what it demands. A check of the whole game is given all cases at once, since compiling takes long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quintain.conformance.cases import Case

CaseCheck = Callable[[Case], str | None]
GameCheck = Callable[[Sequence[Case]], str | None]


@dataclass(frozen=True)
class Check:
    """A demand on every game, and the function that tries it: on each case, or on a game."""

    name: str
    demand: str
    of_case: CaseCheck | None = None
    of_game: GameCheck | None = None


def check(function: CaseCheck) -> Check:
    """Make a check of a function that tries a case."""
    return Check(function.__name__, _demand(function), of_case=function)


def check_game(function: GameCheck) -> Check:
    """Make a check of a function that tries a game, given all its cases."""
    return Check(function.__name__, _demand(function), of_game=function)


def _demand(function: Callable[..., object]) -> str:
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())
