"""Options that nest lists or tables thousands deep: every game refuses them with a short message."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quintain
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match

DEPTH = 10_000
DOTTED = 2_000
"""Far deeper than Python can print."""
DEEP_TABLE = f"{{ {'.'.join('a' * DOTTED)} = 1 }}"
GAMES = Path(quintain.__file__).parent / "games"
FILES = {
    ("heirless", "tables"): GAMES / "heirless" / "tables.toml",
    ("robin", "cards"): GAMES / "robin" / "cards.toml",
    ("round-table", "cards"): GAMES / "round_table" / "cards.toml",
}
BY_CLAUSE = ("cards", "decks", "tables")
"""Options whose messages name a line and a clause instead of the option."""
OPTIONS = [(game.id, option.name) for game in quintain.all_games() for option in game.text.OPTIONS]
"""Every option of every game."""


def lists(depth: int = DEPTH) -> list[Any]:
    whole: list[Any] = []
    for _ in range(depth):
        whole = [whole]
    return whole


def tables(depth: int = DEPTH) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for _ in range(depth):
        whole = {"a": whole}
    return whole


def refused(game: str, options: Any) -> str:
    """Return the message that refuses options; it is short, and a new match gives the same one."""
    found = quintain.game(game)
    with pytest.raises(BadOption) as error:
        found.make_book(found.seats[0], found.read_options(found.seats[0], options))
    with pytest.raises(BadOption) as again:
        Match.new(found, found.seats[0], options=options)
    assert str(again.value) == str(error.value) and len(str(error.value)) < 500
    return str(error.value)


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_a_value_of_endless_depth_is_refused_by_the_name_of_its_option(game: str, option: str):
    for value in (lists(), tables(), [lists()], (lists(), 0), [tables(), 0], ["0", lists()]):
        assert refused(game, {option: value}).startswith(f"the option {option} cannot be ")


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_a_text_of_endless_depth_is_refused(game: str, option: str):
    assert option in refused(game, {option: "[" * DEPTH}) or option in BY_CLAUSE


@pytest.mark.parametrize("options", [lists(), [tables()], "[" * 10], ids=["lists", "tables", "text"])
def test_options_that_are_not_a_table_are_refused(options: Any):
    for game in quintain.all_games():
        assert refused(game.id, options).startswith("options are given as names with values, not as ")


@pytest.mark.parametrize("given", ["names", "bots", "seed"])
def test_names_bots_and_seeds_of_great_depth_are_refused(given: str):
    for value in (lists(), [lists(), "Bo"], tables()):
        more: dict[str, Any] = {given: value}
        with pytest.raises(BadOption) as error:
            Match.new("kings-court", **more)
        assert len(str(error.value)) < 500


def altered_files() -> Iterator[Any]:
    """Yield each file with the first value under each key, inner keys too, replaced by a deeply nested value."""
    for (game, option), path in FILES.items():
        text = path.read_text(encoding="utf-8")
        keys = dict.fromkeys(re.findall(r"^\s*(\w+) = |[{,] (\w+) = ", text, re.MULTILINE))
        for key in ("".join(pair) for pair in keys):
            found = re.search(rf'(?<=\b{key} = )("[^"]*"|-?\d+|true|false|\[[^\]]*\]|\{{[^}}]*\}})', text)
            assert found, key
            as_many = ", ".join([DEEP_TABLE] * (1 + found[0].count(",")))
            for deep in (DEEP_TABLE, f"[{as_many}]"):
                changed = text[: found.start()] + deep + text[found.end() :]
                yield pytest.param(game, option, changed, id=f"{game}-{key}-{deep[0]}")


@pytest.mark.parametrize(("game", "option", "text"), list(altered_files()))
def test_a_file_with_a_value_of_great_depth_is_refused(game: str, option: str, text: str):
    refused(game, {option: text})


@pytest.mark.parametrize(("game", "option"), FILES)
@pytest.mark.parametrize(
    "text",
    [
        f"x = {'[' * DEPTH}{']' * DEPTH}",
        f"x = {'{ a = ' * DEPTH}1{' }' * DEPTH}",
        f"{'.'.join('a' * DOTTED)} = 1",
        f"[{'.'.join('a' * DOTTED)}]",
        *(
            f"{part}.{'.'.join('a' * DOTTED)} = 1"
            for part in ("tracks", "cards", "bandit_cards", "character", "knight")
        ),
        *(f"{part} = [{DEEP_TABLE}, {DEEP_TABLE}]" for part in ("tracks", "cards", "character", "knight")),
        *(f"[[{part}]]\n{'.'.join('a' * DOTTED)} = 1" for part in ("cards", "character", "modifier", "knight")),
        f"x = {'1' * 5_000}",
    ],
    ids=lambda text: text[:20],
)
def test_a_file_of_great_depth_is_refused(game: str, option: str, text: str):
    refused(game, {option: text})
