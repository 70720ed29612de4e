"""Runs the checks on a game, and turns whatever goes wrong into words."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from quintain.conformance import changes, matches, parts, rules, secrecy, views
from quintain.conformance.cases import Case, Failed, Skipped, cases_of
from quintain.conformance.checks import Check
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.game import Game
from quintain.engine.registry import game as find_game

MODULES = (rules, secrecy, changes, matches, views, parts)
CHECKS = {each.name: each for module in MODULES for each in vars(module).values() if isinstance(each, Check)}
"""All checks by name, in the order in which they are tried."""


@dataclass(frozen=True)
class Checked:
    """How a check went: `words` say what is wrong and where, why it was skipped, or what the author should know."""

    check: Check
    state: Literal["passed", "skipped", "failed"]
    words: str = ""


def check(game: str | Game, cases: Sequence[Case] | None = None, only: str = "") -> Iterator[Checked]:
    """Try all checks whose name holds `only` on a game, and yield how each went; raises UnknownGame.

    `cases` are those of `cases_of` if not given. A check stops at the first case that fails.
    """
    found = find_game(game) if isinstance(game, str) else game
    tried = cases_of(found) if cases is None else cases
    names = [name for name in CHECKS if only in name]
    if not names:
        raise BadOption(f"no check has {only!r} in its name; the checks are {', '.join(CHECKS)}")
    for name in names:
        yield try_check(CHECKS[name], tried)


def try_check(check: Check, cases: Sequence[Case]) -> Checked:
    """Try one check on all cases of a game."""
    if check.of_game:
        return _tried(check, cases, cases[0])
    results = []
    for case in cases:
        results.append(_tried(check, [case], case))
        if results[-1].state == "failed":
            return results[-1]
    passed = [result for result in results if result.state == "passed"]
    notes = [result for result in passed if result.words]
    return (notes or passed or results)[0]


def _tried(check: Check, cases: Sequence[Case], case: Case) -> Checked:
    case.where = lambda: ""
    try:
        note = check.of_game(cases) if check.of_game else check.of_case(case) if check.of_case else None
    except Skipped as reason:
        return Checked(check, "skipped", str(reason))
    except Failed as error:
        return Checked(check, "failed", f"{error} ({_place(case)})")
    except BadGame as error:
        return Checked(check, "failed", str(error))
    except Exception as error:
        return Checked(check, "failed", f"{_explained(case.game, error)} ({_place(case)})")
    return Checked(check, "passed", note or "")


def _place(case: Case) -> str:
    where = case.where()
    return f"{case.words}, {where}" if where else case.words


def _explained(game: Game, error: Exception) -> str:
    """Say what a game's own code raised, and at which line of it."""
    package = Path(__file__).parents[1]
    own = game.folder or game.file
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if own and (Path(frame.filename) == own or own in Path(frame.filename).parents)]
    last = (inside or frames)[-1]
    file = Path(last.filename)
    shown = file.relative_to(package) if package in file.parents else file
    return f"{shown}, line {last.lineno}, in {last.name}: {type(error).__name__}: {error}"
