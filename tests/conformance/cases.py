"""What the conformance suite runs over here: every game of the registry, the tutorial's, and Kuhn poker."""

import os
from pathlib import Path
from typing import Any

import pytest

import quintain
from quintain.conformance import Case
from quintain.engine import home
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.engine.seen.seen import Seen
from tutorial import kept_goofspiel, write_goofspiel

OUTLAWS = (
    "Robin Hood,Little John,Will Scarlet,Friar Tuck,Much the Miller's Son,Alan-a-Dale,Will Stutely,"
    "David of Doncaster,Gilbert Whitehand,Arthur a Bland,Maid Marian"
)
OPTIONS = {
    "kings-court": {"garnets": "3,1", "houses": "3", "ranks": "3"},
    "rune-war": {"runes": "off"},
    "heirless": {"bandits": "off", "knights": "2"},
    "robin": {"ante": "on", "active": "10", "modifiers": "off", "collection-1": OUTLAWS},
    "goofspiel": {"cards": "4"},
    "round-table": {"decks": "wandering-table,great-houses", "regions": "6"},
}
"""A further case for each of these games: with these options together, and the usual number of seats."""
SEATS = {"round-table": 2, "rune-war": 3}
"""The seats of that case where the usual number would take too long, or would be that of another case."""
KUHN = Path(__file__).parents[1] / "kuhn.py"


def tutorial_game() -> Game:
    """Register the tutorial's game."""
    return register_file(kept_goofspiel())


def cases() -> list[Case]:
    """Return every case of every game."""
    tutorial_game()
    register_file(KUHN)
    found = []
    for game in quintain.all_games():
        least, most, usual = game.seats
        found += [Case(game, seats) for seats in range(least, most + 1)]
        if game.id in OPTIONS:
            found.append(Case(game, SEATS.get(game.id, usual), OPTIONS[game.id]))
    return found


def is_long(case: Case) -> bool:
    """Tell whether other cases try the same in less time: with the least number of seats, or with options."""
    if case.options:
        return case.game.id == "rune-war"
    return case.seats > case.game.seats[0] or case.game.id == "round-table"


CASES = cases()
GAMES = sorted({case.game.id for case in CASES})
over_cases = pytest.mark.parametrize(
    "case", [pytest.param(case, id=str(case), marks=[pytest.mark.long] * is_long(case)) for case in CASES]
)
"""Over all cases; those that others stand for are among the long tests."""


def seen_by(game: Game, book: Any, s: Any, seat: int) -> Seen:
    """Return what a seat sees of a state."""
    return Seen.of(game, book, game.blinded(book, s, seat), seat)


POLICY = """
@rule
def policy(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    highest = 0
    for card in range(ACTIONS):
        if mask[card]:
            highest = card
    return highest
"""


def game_with_policy() -> Game:
    """Register Goofspiel with a policy, which always bids the highest card."""
    path = home.data() / "goofspiel_policy.py"
    write_goofspiel(own := tutorial_game().file.with_suffix(f".{os.getpid()}"))
    text = own.read_text(encoding="utf-8").replace('"goofspiel",', '"goofspiel-policy",')
    before, module, after = text.partition("here = sys.modules")
    own.write_text(before + POLICY.lstrip() + "\n\n" + module + after, encoding="utf-8")
    own.replace(path)
    return register_file(path)
