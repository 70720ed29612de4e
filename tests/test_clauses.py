"""The rulebooks are the project's list of clauses, and a test proves each."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import quintain
from quintain.engine.rules.game import Game

TESTS = Path(__file__).parent
MOST_IN_A_TEST = 3
LEAST_TESTS = 2
ONE_IS_ENOUGH = {
    "RT-36": "It is about chances, not about what may be done: one test plays thousands of games for it.",
}
"""The clauses that fewer tests are marked with than `LEAST_TESTS`, each with the reason why they are enough."""


@cache
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
    marked = Counter(id_ for test in marked_clauses().values() for id_ in set(test) if id_.startswith(f"{prefix}-"))
    assert set(ids) - set(marked) == set(), "no test proves these"
    assert set(marked) - set(ids) == set(), "the rulebook does not have these"
    few = {id_ for id_ in ids if marked[id_] < LEAST_TESTS}
    excused = {id_ for id_ in ONE_IS_ENOUGH if id_.startswith(f"{prefix}-")}
    assert few - excused == set(), f"fewer than {LEAST_TESTS} tests prove these, and ONE_IS_ENOUGH gives no reason"
    assert excused - few == set(), "ONE_IS_ENOUGH gives a reason for these, which tests enough prove or no rulebook has"


def test_every_reason_why_one_test_is_enough_is_a_sentence_about_a_clause_of_a_game():
    rulebooks = "".join(game.text.rulebook() for game in quintain.all_games() if game.clauses)
    assert [id_ for id_ in ONE_IS_ENOUGH if f"**{id_}**" not in rulebooks] == []
    assert [why for why in ONE_IS_ENOUGH.values() if len(why.split()) < 6 or not why.endswith(".")] == []


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
