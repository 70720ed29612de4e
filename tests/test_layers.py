"""Packages and floors import only from those below them, no modules in a circle, and nobody but a game names it."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import quintain
import quintain.engine
from tutorial import blocks

SOURCE = Path(quintain.__file__).parent
PACKAGES = ("engine", "games", "bots", "lab", "envs", "server", "conformance", "cli")
"""The packages, from the bottom: each imports only from itself and from those below it."""
FLOORS = {
    "engine": ("", "rules", "seen", "play"),
    "server": (
        "",
        "model",
        "store",
        "people",
        "tables",
        "beside",
        "study",
        "workshop",
        "pages",
        "posted",
        "browser",
        "http",
        "run",
    ),
}
"""The floors of a package, from the bottom: its own modules, then its folders, each a package of its own."""
MOST_MODULES = 20
"""The most modules of a folder of the engine or the server, without its __init__.py. CONTRIBUTING.md names it, too."""


class Code(NamedTuple):
    """What the tests ask of a file: whom it imports, as parts after the package's name, its classes, its strings."""

    modules: set[tuple[str, ...]]
    classes: set[str]
    strings: list[str]


def read(path: Path) -> Code:
    """Read a file. Its strings are those in f-strings too, but no docstrings and others that stand alone."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are written out from quintain on"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    constants = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in alone]
    return Code(
        {tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "quintain"},
        {node.name for node in nodes if isinstance(node, ast.ClassDef)},
        [node.value for node in constants if isinstance(node.value, str)],
    )


@pytest.fixture(scope="module")
def files() -> dict[Path, Code]:
    """Return every file of every package, by its path in `quintain`; a template is no part of a package."""
    found = [path for path in sorted(SOURCE.rglob("*.py")) if path.parent != SOURCE and "template" not in path.parts]
    assert len(found) > 300
    return {path.relative_to(SOURCE): read(path) for path in found}


def test_a_file_imports_only_from_its_own_package_and_those_below_it(files: dict[Path, Code]):
    above = {
        (str(path), ".".join(parts))
        for path, code in files.items()
        for parts in code.modules
        if not parts or PACKAGES.index(parts[0]) > PACKAGES.index(path.parts[0])
    }
    assert above == set(), f"a package imports only from those below it; from the bottom they are {', '.join(PACKAGES)}"


def arrows(files: dict[Path, Code]) -> dict[Path, set[Path]]:
    """Return for each file the files that it imports from, for types alone and inside of functions too."""
    homes = {path.with_suffix("").parts: path for path in files}
    homes |= {path.parent.parts: path for path in files if path.name == "__init__.py"}
    ends = {path: (homes.get(parts) or homes.get(parts[:-1]) for parts in code.modules) for path, code in files.items()}
    return {path: {end for end in found if end and end != path} for path, found in ends.items()}


def circle(arrows: dict[Path, set[Path]]) -> list[Path]:
    """Return files of which each imports the next one, and the last one the first; an empty list if there are none."""
    left = dict(arrows)
    while ends := [path for path, found in left.items() if not found & left.keys()]:
        for path in ends:
            del left[path]
    way = [*left][:1]
    while way and (after := min(left[way[-1]] & left.keys())) not in way:
        way.append(after)
    return way[way.index(after) :] if way else []


def test_no_modules_import_each_other_in_a_circle(files: dict[Path, Code]):
    found = arrows(files)
    assert sum(map(len, found.values())) > 500
    assert " -> ".join(map(str, circle(found))) == ""


def test_a_circle_is_found():
    a, b, c, d = map(Path, "abcd")
    assert circle({a: {b}, b: {c, d}, c: {b}, d: set()}) == [b, c]
    assert circle({a: {b, c}, b: {c}, c: set()}) == []


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_imports_only_from_itself_and_those_below_it(files: dict[Path, Code], package: str):
    def floor(path: Path) -> int:
        return FLOORS[package].index("" if len(path.parts) == 2 else path.parts[1])

    found = arrows({path: code for path, code in files.items() if path.parts[0] == package})
    found.pop(Path(package, "__init__.py"))  # the package's face hands on names of all floors
    assert {floor(path) for path in found} == {*range(len(FLOORS[package]))}
    above = [(str(path), str(end)) for path, ends in found.items() for end in ends if floor(end) > floor(path)]
    assert above == [], f"a floor imports only from those below it; from the bottom they are {FLOORS[package]}"


@pytest.mark.parametrize("package", FLOORS)
def test_no_folder_has_too_many_modules(files: dict[Path, Code], package: str):
    inside = [path for path in files if path.parts[0] == package and path.name != "__init__.py"]
    folders = {path.parent: sum(path.parent == other.parent for other in inside) for path in inside}
    assert len(folders) >= len(FLOORS[package])
    full = {str(folder): number for folder, number in folders.items() if number > MOST_MODULES}
    assert full == {}, f"a folder has more than {MOST_MODULES} modules: cut it in two, and make the new one a floor"


def test_only_the_store_knows_sql():
    """So tables can have their logs elsewhere."""
    found = [
        path for path in SOURCE.rglob("*.py") if re.search(r"sqlalchemy|alembic", path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 10
    assert [str(path) for path in found if path.relative_to(SOURCE).parts[:2] != ("server", "store")] == []


def test_a_game_imports_only_the_engines_face_and_its_own_folder(files: dict[Path, Code]):
    games = {path: code.modules for path, code in files.items() if path.parts[0] == "games"}
    assert len({path.parts[1] for path in games}) > 5, "five folders and __init__.py"
    face = {("engine", name) for name in quintain.engine.__all__}
    assert [
        (str(path), ".".join(parts))
        for path, modules in games.items()
        for parts in modules
        if parts not in face and parts[:2] != path.parts[:2]
    ] == [], "a game imports what quintain.engine itself hands on, and modules of its own folder"


def test_the_engines_face_hands_on_what_the_tutorial_and_kuhn_poker_import():
    tutorial = "\n".join(blocks("python"))
    for source in (tutorial, (Path(__file__).parent / "kuhn.py").read_text(encoding="utf-8")):
        imported = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
        assert {name for name in imported if name and name.startswith("quintain")} == {"quintain.engine"}


def test_no_file_outside_the_games_names_a_game(files: dict[Path, Code]):
    """It imports no game, and no string in it holds the id, the name of the folder, or the title of a game as words."""
    games = [game for game in quintain.all_games() if game.folder]
    names = {name for game in games for name in (game.id, game.folder.name, game.title)}
    assert len(games) >= 5
    named = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b", re.IGNORECASE)
    outside = {path: code for path, code in files.items() if path.parts[0] != "games"}
    imported = {(str(path), parts) for path, code in outside.items() for parts in code.modules}
    assert [each for each in imported if each[1][:1] == ("games",)] == []
    assert [(str(path), text) for path, code in outside.items() for text in code.strings if named.search(text)] == []


def test_no_two_classes_of_one_name_stand_in_two_packages(files: dict[Path, Code]):
    """Each game's folder has classes of the same names, such as State: that is one package."""
    places: dict[str, set[str]] = {}
    for path, code in files.items():
        for name in code.classes:
            places.setdefault(name, set()).add("games" if path.parts[0] == "games" else str(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_games_module_can_be_imported_by_its_name():
    import quintain.games.kings_court.state

    assert quintain.games.kings_court.state.HOUSES == 6


@pytest.mark.parametrize("module", ["tables.acts", "tables.memory", "pages.drawing", "pages.old_games"])
def test_tables_and_their_pages_need_no_database(module: str):
    """So a table can be played where there is none: all that it needs of a store is a protocol."""
    program = f"import sys, quintain.server.{module}\nprint([name for name in sys.modules if 'sqlalchemy' in name][:1])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
