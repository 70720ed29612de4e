"""The rulebooks are the project's list of clauses, and a test proves each."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import quintain
from quintain.engine.game import Game

TESTS = Path(__file__).parent
MOST_IN_A_TEST = 3


def marked_clauses() -> dict[str, list[str]]:
    """Return the clause ids that each test function is marked with; every id is a literal."""
    found = {}
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                marks = [mark for mark in node.decorator_list if ast.unparse(mark).startswith("pytest.mark.clause")]
                ids = [ast.literal_eval(id_) for mark in marks if isinstance(mark, ast.Call) for id_ in mark.args]
                if marks:
                    found[f"{path.name}::{node.name}"] = ids
    return found


@pytest.mark.parametrize("game", [game for game in quintain.all_games() if game.clauses], ids=lambda game: game.id)
def test_the_rulebook_the_marked_tests_and_the_declared_count_agree(game: Game):
    ids = re.findall(r"\*\*([A-Z]+-\d+)\*\*", game.text.rulebook())
    assert len(ids) == game.clauses and not [id_ for id_, times in Counter(ids).items() if times > 1]
    prefix = ids[0].split("-")[0]
    assert ids == [f"{prefix}-{number}" for number in range(1, game.clauses + 1)]
    marked = {id_ for test in marked_clauses().values() for id_ in test if id_.startswith(f"{prefix}-")}
    assert set(ids) - marked == set(), "no test proves these"
    assert marked - set(ids) == set(), "the rulebook does not have these"


def test_no_test_is_marked_with_nothing_or_with_more_than_three_clauses():
    marked = marked_clauses()
    assert marked
    assert [name for name, ids in marked.items() if not 1 <= len(ids) <= MOST_IN_A_TEST] == []


@pytest.mark.parametrize("game", [game for game in quintain.all_games() if game.clauses], ids=lambda game: game.id)
def test_every_rule_names_the_clauses_that_it_carries_out(game: Game):
    ids = set(re.findall(r"\*\*([A-Z]+-\d+)\*\*", game.text.rulebook()))
    rules = [
        node
        for path in Path(game.module.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and "rule" in map(ast.unparse, node.decorator_list)
    ]
    assert len(rules) >= len(game.written)
    for node in rules:
        named = set(re.findall(r"\b[A-Z]+-\d+\b", ast.get_docstring(node) or ""))
        assert named and named <= ids, node.name
