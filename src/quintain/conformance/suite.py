"""Runs the checks on a game, and turns every failure and error into words.

`cli.check` prints what `check` yields. `checks` says how a check is written.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from quintain.conformance import (
    changes,
    features,
    forms,
    lengths,
    lessons,
    matches,
    observations,
    parts,
    previews,
    rulebooks,
    rules,
    secrecy,
    sets,
    stories,
    views,
    words,
)
from quintain.conformance.cases import Case, Failed, Skipped, cases_of
from quintain.conformance.checks import Check
from quintain.conformance.limits import TooLong, limited
from quintain.engine.errors import BadGame, BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, register
from quintain.engine.rules.registry import game as find_game

MODULES = (
    rules,
    forms,
    lengths,
    words,
    secrecy,
    changes,
    matches,
    previews,
    views,
    stories,
    parts,
    sets,
    rulebooks,
    lessons,
    observations,
    features,
)
CHECKS = {each.name: each for module in MODULES for each in vars(module).values() if isinstance(each, Check)}
"""All checks by name, in the order in which they are tried."""
LONGEST, TO_NAME = 60, 5
"""The most seconds of processor time for a check of one case, and for naming the moves that led to a failure."""


@dataclass(frozen=True)
class Checked:
    """How a check went. `words` say what is wrong and where, why the check was skipped, or a note for the author.

    `cause` is the part of a failure's words that says what is wrong, without the place. A failure `is_endless` if the
    check was stopped because it took too long.
    """

    check: Check
    state: Literal["passed", "skipped", "failed"]
    words: str = ""
    cause: str = ""
    is_endless: bool = False


def check(game: str | Game, cases: Sequence[Case] | None = None, only: str = "") -> Iterator[Checked]:
    """Run the checks that have `only` in their names on a game, and yield how each went.

    Without `cases`, the cases are those of `cases_of`. A game that is not registered yet is registered: its records are
    read by its id. A check stops at the first case that fails. After a check that does not end, all others are skipped.
    Raises UnknownGame, and BadOption if no check has `only` in its name.
    """
    found = find_game(game) if isinstance(game, str) else game
    if found.id not in [known.id for known in all_games()]:
        register(found)
    tried = cases_of(found) if cases is None else cases
    names = [name for name in CHECKS if only in name]
    if not names:
        raise BadOption(f"no check has {only!r} in its name; the checks are {', '.join(CHECKS)}")
    endless = ""
    for name in names:
        if endless:
            yield Checked(CHECKS[name], "skipped", f"not tried, since {endless} does not end")
            continue
        result = try_check(CHECKS[name], tried)
        endless = name if result.is_endless else ""
        yield result


def try_check(check: Check, cases: Sequence[Case], seconds: float = LONGEST) -> Checked:
    """Run one check on all cases of a game, each for at most `seconds` of processor time; return how it went."""
    do = check.of_case or _ends
    results = []
    for case in cases:
        results.append(_tried(check, case, partial(do, case), seconds))
        if results[-1].state == "failed":
            return results[-1]
    if check.of_game:
        return _tried(check, cases[0], partial(check.of_game, cases), 0)
    passed = [result for result in results if result.state == "passed"]
    notes = [result for result in passed if result.words]
    return (notes or passed or results)[0]


def _ends(case: Case) -> None:
    """Play a random game to its end in plain Python: nobody could stop or explain a compiled one that does not end."""
    for _ in case.positions(0):
        pass


def _tried(check: Check, case: Case, do: Callable[[], str | None], seconds: float) -> Checked:
    """Carry out a check on a case, and turn what it raises into words; 0 seconds set no limit."""
    case.where, endless = lambda: "", False
    try:
        with limited(seconds):
            note = do()
    except Skipped as reason:
        return Checked(check, "skipped", str(reason))
    except (Failed, BadGame) as error:
        cause = str(error)
        if isinstance(error, BadGame) and check.of_game:  # the rules do not compile, whatever the case
            return Checked(check, "failed", cause, cause)
    except TooLong as error:
        cause, endless = f"this has not ended after {seconds:g} s of computing: {_line(case.game, error)}", True
    except QuintainError as error:
        cause = f"{_line(case.game, error)}: {error}"
    except (Exception, SystemExit) as error:
        cause = f"{_line(case.game, error)}: {type(error).__name__}: {error}"
    else:
        return Checked(check, "passed", note or "")
    return Checked(check, "failed", f"{cause} ({_place(case)})", cause, endless)


def _place(case: Case) -> str:
    """Say in which case, and after which moves; the moves are left out if they cannot be named in time."""
    where = ""
    with contextlib.suppress(TooLong), limited(TO_NAME):
        where = case.where()
    return where if where.startswith(case.words) else ", ".join(filter(None, (case.words, where)))


def _line(game: Game, error: BaseException) -> str:
    """Return the place of an error in words: the last line of the game's own code on its way, or else of ours."""
    package = Path(__file__).parents[1]
    own = game.folder or game.file
    files = [(Path(frame.filename), frame) for frame in traceback.extract_tb(error.__traceback__)]
    inside = [frame for file, frame in files if own and (file == own or own in file.parents)]
    ours = [frame for file, frame in files if package in file.parents]
    last = (inside or ours)[-1]
    file = Path(last.filename)
    shown = file.relative_to(package) if package in file.parents else file
    return f"{shown}, line {last.lineno}, in {last.name}"
