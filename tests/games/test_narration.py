"""Every event that the rules of a game tell has a sentence in the table of its narration."""

import ast
from collections.abc import Iterator
from importlib import import_module

import pytest

import quintain


def kinds(node: ast.expr) -> Iterator[str]:
    """Yield the names of the kinds that the second argument of `tell` may mean, such as ``st.ALLIED``."""
    if isinstance(node, ast.IfExp):
        yield from (*kinds(node.body), *kinds(node.orelse))
    elif isinstance(node, ast.BinOp):
        yield from kinds(node.left)
    else:
        assert isinstance(node, ast.Attribute), ast.unparse(node)
        yield node.attr


@pytest.mark.parametrize("game", [game for game in quintain.all_games() if game.folder], ids=lambda game: game.id)
def test_each_event_of_the_rules_has_a_sentence(game: quintain.Game):
    assert game.folder
    state, narration = (import_module(f"quintain.games.{game.folder.name}.{name}") for name in ("state", "narration"))
    nodes = [
        node for path in game.folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "tell"]
    told = {kind for call in calls for kind in kinds(call.args[1])}
    assert len(told) >= 12
    assert {kind for kind in told if getattr(state, kind) not in narration.SENTENCES} == set()
