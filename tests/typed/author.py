"""A program of an author, who checks a game, for the type checker and for a test."""

from pathlib import Path

import quintain
from quintain.conformance import Case, Checked, cases_of, check
from quintain.engine import CONTRACT, CardSet, Game, Option, View


def checked(path: Path) -> list[Checked]:
    """Return how some checks of a game in a file went."""
    found: Game = quintain.register_file(path)
    assert found.contract in (None, CONTRACT)
    case: Case = cases_of(found)[0]
    return list(check(found, [case], only="states_can"))


def facts(id_: str) -> tuple[tuple[Option, ...], View, CardSet]:
    """Return the options of a game, what a spectator sees first, and a card set."""
    found = quintain.game(id_)
    return tuple(found.text.OPTIONS), quintain.Match.new(found).view(), CardSet(id_, "Mine", "a = 1")
