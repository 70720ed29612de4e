"""The maps are true: `docs/house.md` and CONTRIBUTING.md name no file and no function that is not there.

The map also misses no file, and a real move, played over HTTP, takes the way that its tables describe. Nor do
the comments of the package name a file that is not there.
"""

import ast
import fnmatch
import io
import re
import sys
import threading
import tokenize
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import pytest

import quintain
from quintain.server.pages.rendering import environment
from server.guests import Serving, wait_until
from server.samples import table_page

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "quintain"
MAP, CONTRIBUTING = ROOT / "docs" / "house.md", ROOT / "CONTRIBUTING.md"
PAGES = [MAP, CONTRIBUTING]
FOLDERS = ("src/quintain", "tests", "benchmarks", "docs", "tools")
NOT_MAPPED = ("__pycache__", "vendor", "runtime")
LIBRARIES = Path("src/quintain/libraries")
"""What `make libraries` writes."""
FILE = re.compile(r"[\w.*/-]+\.(?:py|md|toml|txt|json|html|css|js|deck|mako|jpg|svg|ipynb)|[\w.-]+(?:/[\w.-]+)+/?")
DOTTED = re.compile(r"\w+(?:\.\w+)+")
MARK = re.compile(r"`([^`\n]+)`")
MADE = ("goofspiel.py", ".venv/bin", ".venv/bin/activate", "src/quintain/libraries", "server/browser/runtime")
"""Files that readers or commands make, and that git ignores."""
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|\*")
"""What stands for many files in the name of one, such as ``boards/ID.html``."""
MOST_STEPS, MOST_FILES = 11, 7
"""How many steps a move may take from the post to its rule, and through how many files a card may go to its picture."""


class Row(NamedTuple):
    """A row of a table: the heading above it, and its cells."""

    heading: str
    cells: list[str]


class Step(NamedTuple):
    """A function on the way of a move or of a card."""

    file: str
    name: str


def prose(page: Path) -> str:
    """Return the text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def rows(page: Path) -> list[Row]:
    """Return the rows of all tables of a page, heads aside."""
    heading, found = "", []
    for line in prose(page).splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("| `"):
            found.append(Row(heading, [cell.strip() for cell in line.strip("|").split(" | ")]))
    return found


def folder_of(heading: str) -> Path:
    """Return the folder that a heading names, or the root."""
    named = MARK.search(heading)
    return ROOT / named[1] if named else ROOT


def files_named(text: str, folder: Path) -> list[Path]:
    """Return the files that a text may mean: paths from a folder, from the root, or from the package."""
    if folder == SOURCE / "games" and (found := [*folder.glob(f"*/{text}")]):
        return found
    for start in (folder, ROOT, SOURCE):
        if found := [*start.glob(text.rstrip("/"))]:
            return found
    return []


@cache
def functions_in(path: Path) -> set[str]:
    """Return the classes and functions of a file by their names, such as ``Tables.enter`` or ``_handler.handle``."""

    def walk(node: ast.AST, before: str) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield before + child.name
                yield from walk(child, f"{before}{child.name}.")
            else:
                yield from walk(child, before)

    return set(walk(ast.parse(path.read_text(encoding="utf-8")), ""))


def is_called(name: str, wanted: str) -> bool:
    """Tell whether a function has a name, with or without the functions around it."""
    return name == wanted or name.endswith(f".{wanted}")


def steps(heading: str) -> list[Step]:
    """Return the functions of the table under a heading of the map."""
    return [
        Step(*(mark[1] for cell in row.cells[:2] if (mark := MARK.fullmatch(cell))))
        for row in rows(MAP)
        if row.heading == heading and len(row.cells) == 3
    ]


WAYS = [heading for heading in dict.fromkeys(row.heading for row in rows(MAP)) if steps(heading)]
OF_A_MOVE, OF_A_CARD = [heading for heading in WAYS if "card" not in heading], "The way of a card"


def comments(path: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module, and the comments of a script, a style sheet or a template."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
        yield from (str(node.value.value) for node in nodes if isinstance(node.value, ast.Constant))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
    else:
        yield from re.findall(r"//.*|/\*.*?\*/|\{#.*?#\}", text)


def is_there(name: str, path: Path) -> bool:
    """Tell whether a file that a module names is there: a module without a path near it, or in several games."""
    package = f"/{path.relative_to(SOURCE).parts[0]}/"
    found = [each for each in paths_in(SOURCE) if each.endswith(f"/{name}")]
    is_near = any(each.startswith(package) for each in found)
    is_shared = sum(each.startswith("/games/") for each in found) > 1
    is_bare_module = name.endswith(".py") and "/" not in name
    return is_near or is_shared or (ROOT / name).exists() or (bool(found) and not is_bare_module)


@cache
def paths_in(folder: Path) -> list[str]:
    """Return the paths of everything in a folder, each with a stroke before it."""
    return [f"/{path.relative_to(folder)}" for path in folder.rglob("*")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_map_names_is_there(page: Path):
    marks = {mark for mark in MARK.findall(prose(page)) if FILE.fullmatch(mark) and "*" not in mark}
    paths = [str(path) for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    there = {mark for mark in marks if files_named(mark, ROOT) or any(path.endswith(f"/{mark}") for path in paths)}
    assert len(marks) > 20
    assert sorted(marks - there - set(MADE)) == []


def test_every_file_in_the_tables_of_the_map_is_in_the_folder_of_its_table():
    named = [(row.heading, mark) for row in rows(MAP) for mark in MARK.findall(row.cells[0]) if "*" not in mark]
    assert [(heading, mark) for heading, mark in named if not files_named(mark, folder_of(heading))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_function_that_a_map_names_with_its_class_or_module_is_there(page: Path):
    names = {f"{path.stem}.{name}" for path in SOURCE.rglob("*.py") for name in functions_in(path)}
    names |= {name for path in SOURCE.rglob("*.py") for name in functions_in(path)}
    owners = {name.split(".")[0] for name in names if "." in name}
    marks = {mark for mark in MARK.findall(prose(page)) if DOTTED.fullmatch(mark) and not FILE.fullmatch(mark)}
    assert {mark for mark in marks if mark.split(".")[0] in owners} - names == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_target_of_make_that_a_map_names_is_there(page: Path):
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {mark.split()[1] for mark in MARK.findall(prose(page)) if mark.startswith("make ")} - {*targets} == set()


def test_every_file_that_a_comment_of_the_package_names_is_there():
    paths = [path for kind in ("py", "js", "css", "html") for path in SOURCE.rglob(f"*.{kind}")]
    paths = [path for path in paths if not set(path.parts) & set(NOT_MAPPED)]
    named = [
        (str(path.relative_to(SOURCE)), mark)
        for path in paths
        for comment in comments(path)
        for mark in MARK.findall(comment)
        if FILE.fullmatch(mark) and Path(mark).suffix and not PLACEHOLDER.search(mark)
    ]
    assert len(named) > 100
    assert [(path, mark) for path, mark in named if not is_there(mark, SOURCE / path)] == []


def test_what_a_row_says_of_a_file_names_only_what_stands_there():
    for row in rows(MAP):
        files = [path for mark in MARK.findall(row.cells[0]) for path in files_named(mark, folder_of(row.heading))]
        text = "\n".join(path.read_text(encoding="utf-8") for path in files if path.suffix == ".py")
        if text and len(row.cells) == 2:
            words = [word for word in MARK.findall(row.cells[1]) if word.isidentifier()]
            assert [word for word in words if not re.search(rf"\b{word}\b", text)] == [], row.cells[0]


def test_the_map_misses_no_file():
    patterns = [
        str((folder_of(row.heading) / mark).relative_to(ROOT))
        for row in rows(MAP)
        for mark in MARK.findall(row.cells[0])
    ]
    patterns += [pattern.replace("games/", "games/*/", 1) for pattern in patterns if "games/" in pattern]
    files = [
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file() and path.stat().st_size
    ]
    paths = [path.relative_to(ROOT) for path in files if not set(path.parts) & set(NOT_MAPPED)]
    paths = [path for path in paths if LIBRARIES not in path.parents]
    assert len(paths) > 200
    missed = {str(path) for path in paths if not any(fnmatch.fnmatch(str(path), each) for each in patterns)}
    assert sorted(missed) == []


@pytest.mark.parametrize("heading", WAYS)
def test_every_function_on_a_way_is_in_its_file(heading: str):
    for step in steps(heading):
        found = functions_in(SOURCE / step.file)
        assert any(is_called(name, step.name) for name in found), step


class Calls:
    """Every function of the package that is called while `counts` is set, in order."""

    def __init__(self) -> None:
        self.made: list[Step] = []
        self.counts = False

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Take note of a call, as `sys.setprofile` reports it."""
        code = frame.f_code
        if self.counts and event == "call" and code.co_filename.startswith(str(SOURCE)):
            name = code.co_qualname.replace("<locals>.", "")
            self.made.append(Step(str(Path(code.co_filename).relative_to(SOURCE)), name))

    def first_missing(self, way: list[Step]) -> Step | None:
        """Return the first step of a way that was not called after those before it; None if all were."""
        made = iter(self.made)
        for step in way:
            if not any(call.file == step.file and is_called(call.name, step.name) for call in made):
                return step
        return None


@contextmanager
def noted(start: Callable[[Callable[..., None] | None], None]) -> Iterator[Calls]:
    calls = Calls()
    start(calls.note)
    try:
        yield calls
    finally:
        start(None)


def forget_what_is_kept() -> None:
    """Empty the caches of what is drawn, so that it is drawn anew."""
    from quintain.engine.rules import views
    from quintain.engine.seen import layout
    from quintain.games.kings_court import view
    from quintain.server.pages import heraldry
    from quintain.server.pages import rendering as pages

    for module in (layout, views, view, heraldry, pages):
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


@pytest.fixture(scope="module")
def calls_of_a_move(tmp_path_factory: pytest.TempPathFactory) -> Calls:
    """The calls that a server makes for one move by a browser that has a socket open."""
    with noted(threading.setprofile) as calls, Serving(tmp_path_factory.mktemp("server")) as serving:
        threading.setprofile(None)
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table = ann.make("kings-court", "me", "open")
        bo.sit(table, 1)
        seen = ann.view(table)
        fields = {"action": str(seen["menu"][-1]["action"]), "decision": str(seen["table"]["decision"])}
        with ann.watching(table) as socket:
            socket.recv()
            wait_until(lambda: serving.live(table).is_settled)
            forget_what_is_kept()
            calls.counts = True
            answer = ann.http.post(
                f"/tables/{table}/moves",
                data={"csrf": ann.csrf, **fields},
                headers={"accept": "text/html", "hx-request": "true"},
            )
            assert answer.status_code == 204 and 'id="table-body"' in socket.recv()
            calls.counts = False
    return calls


@pytest.mark.parametrize("heading", OF_A_MOVE)
def test_a_move_takes_the_way_that_the_map_describes(heading: str, calls_of_a_move: Calls):
    assert len(steps(heading)) > 2
    assert calls_of_a_move.first_missing(steps(heading)) is None


def test_a_move_reaches_its_rule_in_at_most_eleven_steps(calls_of_a_move: Calls):
    way = [step for heading in OF_A_MOVE for step in steps(heading)]
    to_the_rule = way[: way.index(Step("games/kings_court/rules.py", "play")) + 1]
    assert to_the_rule[0] == Step("server/http/table_routes.py", "handle")
    assert len(to_the_rule) <= MOST_STEPS
    assert calls_of_a_move.first_missing(to_the_rule) is None


def test_a_card_goes_through_at_most_seven_files_to_its_picture():
    assert len({step.file for step in steps(OF_A_CARD)}) <= MOST_FILES


def test_a_card_takes_the_way_that_the_map_describes():
    match = quintain.Match.new("kings-court", names=["Ann", "Bo"], seed=bytes(32))
    while match.view(0).phase.key != "play":
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    match = quintain.Match.from_position("kings-court", match.position(), names=["Ann", "Bo"])
    forget_what_is_kept()
    with noted(sys.setprofile) as calls:
        calls.counts = True
        environment().render_template("table_body.html", **table_page(match, 0))
    assert len(steps(OF_A_CARD)) > 5
    assert calls.first_missing(steps(OF_A_CARD)) is None
