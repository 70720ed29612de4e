"""Each layer imports only from those before it, a game only from the engine, and nobody but a game names it."""

import ast
import re
from pathlib import Path

import pytest

import quintain

SOURCE = Path(quintain.__file__).parent
LAYERS = ("engine", "games", "bots", "lab", "envs", "server", "conformance", "cli")
FILES = [path.relative_to(SOURCE) for path in sorted(SOURCE.rglob("*.py")) if len(path.relative_to(SOURCE).parts) > 1]


def imported(path: Path) -> set[tuple[str, ...]]:
    """Return the modules of Quintain that a file imports, as their parts after the package's name."""
    found = set()
    for node in ast.walk(ast.parse((SOURCE / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are written out from quintain on"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {tuple(name.split(".")[1:]) for name in found if name.split(".")[0] == "quintain"}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_imports_only_from_its_own_layer_and_those_before_it(path: Path):
    layer = LAYERS.index(path.parts[0])
    later = sorted(".".join(parts) for parts in imported(path) if not parts or LAYERS.index(parts[0]) > layer)
    assert later == [], f"{path.parts[0]} imports only from {', '.join(LAYERS[: layer + 1])}"


@pytest.mark.parametrize("path", [path for path in FILES if path.parts[0] == "games"], ids=str)
def test_a_game_imports_only_from_the_engine_and_its_own_folder(path: Path):
    own = path.parts[:2]
    assert [parts for parts in imported(path) if parts[0] != "engine" and parts[:2] != own] == []


def strings(path: Path) -> list[str]:
    """Return the strings of a file, those in f-strings too, but for docstrings and other strings that stand alone."""
    tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone]
    return [node.value for node in constants if isinstance(node.value, str)]


@pytest.mark.parametrize("path", [path for path in FILES if path.parts[0] != "games"], ids=str)
def test_no_file_outside_the_games_names_a_game(path: Path):
    """It imports no game, and no string in it holds the id, the name of the folder, or the title of a game as words."""
    games = [game for game in quintain.all_games() if game.folder]
    names = {name for game in games for name in (game.id, game.folder.name, game.title)}
    assert len(games) >= 5
    assert [parts for parts in imported(path) if parts[0] == "games"] == []
    named = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b", re.IGNORECASE)
    assert [text for text in strings(path) if named.search(text)] == []


def test_no_two_classes_of_one_name_stand_in_two_rooms():
    """Each game's folder has classes of the same names, such as State: that is one room."""
    places: dict[str, set[str]] = {}
    for path in FILES:
        for node in ast.walk(ast.parse((SOURCE / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                where = "games" if path.parts[0] == "games" else str(path)
                places.setdefault(node.name, set()).add(where)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_a_games_module_can_be_imported_by_its_name():
    import quintain.games.kings_court.state

    assert quintain.games.kings_court.state.HOUSES == 6
