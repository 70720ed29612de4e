"""Levels: names for bots with budgets, and for somebody's own bot."""

import sys
from pathlib import Path

import pytest

from conformance.cases import seen_by, tutorial_game
from quintain.bots import KNIGHT, Budget, Level, level, levels
from quintain.bots.ismcts import Ismcts
from quintain.bots.page import Page
from quintain.engine.errors import BadOption

MERLIN = """
class Merlin:
    def __init__(self, game, seed):
        pass

    def choose(self, seen, budget):
        return seen.legal[-1]


class Stone:
    pass


wand = Merlin(None, 0)
"""


@pytest.fixture
def merlin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sorcery.py").write_text(MERLIN)
    (tmp_path / "broken.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sorcery", raising=False)


def test_the_searching_levels_differ_by_their_budgets_alone():
    searching = {name: found.budget for name, found in levels().items() if found.kind is Ismcts}
    assert searching == {
        "squire": Budget(simulations=200),
        "knight": Budget(simulations=5000, seconds=0.3),
        "champion": Budget(simulations=50_000, seconds=1.0),
    }
    assert list(levels()) == [*("random", "page", "greedy", "squire", "minstrel", "knight", "champion"), "grandmaster"]
    assert all(level(name) == found for name, found in levels().items())


def test_anyones_own_bot_is_found_by_its_module_and_class_and_plays_on_a_knights_budget(merlin: None):
    found = level("sorcery:Merlin")
    assert isinstance(found, Level) and found.budget == KNIGHT
    game = tutorial_game()
    book, s = game.make_book(2, {"cards": 4}), game.state()
    game.rules.deal(book, s)
    assert found.kind(game, 1).choose(seen_by(game, book, s, 0), found.budget) == 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "oracle",
            "there is no bot 'oracle'; the bots are random, page, greedy, squire, minstrel, knight, champion, "
            "grandmaster, and your own",
        ),
        ("", "there is no bot ''"),
        ("nowhere:Merlin", "'nowhere:Merlin' cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("broken:Merlin", "'broken:Merlin' cannot be loaded: ZeroDivisionError"),
        ("sorcery:Morgan", "'sorcery:Morgan' cannot be loaded: AttributeError"),
        ("sorcery:", "'sorcery:' cannot be loaded"),
        (":Merlin", "':Merlin' cannot be loaded"),
        ("sorcery:Stone", "'sorcery:Stone' is not a bot: a bot is a class with a method"),
        ("sorcery:wand", "'sorcery:wand' is not a bot: a bot is a class with a method"),
    ],
)
def test_a_name_that_means_no_bot_is_refused_with_what_would_be_right(name: str, message: str, merlin: None):
    with pytest.raises(BadOption) as error:
        level(name)
    assert message in str(error.value)


def test_page_plays_half_of_its_moves_at_random():
    game = tutorial_game()  # greedy bids the 2 first, nearly always; a random bot every other time
    book, s = game.make_book(2, {"cards": 2}), game.state()
    game.rules.deal(book, s)
    seen = seen_by(game, book, s, 0)
    chosen = [Page(game, seed).choose(seen, Budget()) for seed in range(200)]
    one = Page(game, 5)
    chosen_by_one = [one.choose(seen, Budget()) for _ in range(200)]
    for bids in (chosen, chosen_by_one):
        assert set(bids) == {1, 2} and 30 < bids.count(1) < 75
