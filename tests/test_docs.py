"""Every example and every command in the README and the docs runs. (The tutorial has tests of its own.)"""

import asyncio
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import NODEFAULT, Struct, structs
from postgres import cluster

from quintain.engine import views
from quintain.server.run import prepare
from quintain.server.schema import PlayerRow
from quintain.server.store import Store
from server.browsing import CHROMIUM
from tutorial import kept_goofspiel

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
BIN = Path(sys.executable).parent
OWN_TESTS = "tutorial.md"
WITHOUT_EXAMPLES = (
    "CONTRIBUTING.md", "command-line.md", "hosting.md", "kings-court.md", "rune-war.md", "server.md", OWN_TESTS
)  # fmt: skip
POSTGRESQL = "postgresql+psycopg://quintain@localhost/quintain"
"""A database of the docs; the tests have their own."""
GOLDEN = "tests/golden/make.py"
EXPLAINED = (
    "quintain",
    "quintain.conformance",
    "quintain.engine.documents",
    "quintain.engine.state",
    "quintain.engine.game",
    "quintain.engine.names",
    "quintain.engine.positions",
    "quintain.engine.result",
    "quintain.engine.story",
    "quintain.engine.verdict",
    "quintain.engine.toml",
    "quintain.envs.batch",
    "quintain.games.robin.faces",
    "quintain.lab.compare",
    "quintain.lab.intervals",
    "quintain.lab.series",
    "quintain.server.coats",
    "quintain.server.counts",
    "quintain.server.heraldry",
    "quintain.server.identities",
    "quintain.server.limits",
    "quintain.server.listed_cards",
    "quintain.server.ratings",
    "quintain.server.results",
    "quintain.server.rule_search",
    "quintain.server.rulebooks",
    "quintain.server.turns",
)
"""Modules with examples in them."""
KEYS = {
    "clicks.py": {"p50_ms", "p95_ms", "moves"},
    "environments.py": {
        "kings_court",
        "peers",
        "missing",
        "ratio_hearts",
        "ratio_leduc",
        "ratio_pettingzoo",
        "ratio_pgx",
    },
    "lab.py": {"overhead", "cores"},
    "faults.py": {"kills", "acknowledged", "lost", "doubled", "seen_before_disk", "stuck_tables", "gave_up", "stores"},
    "lists.py": {"games", "store", "table_ms", "times", "worst"},
    "load.py": {"one", "two", "scaling_cost", "delivered", "p99_ms"},
    "playouts.py": {"ours", "interpreted", "peers", "ratio"},
    "search.py": {"ours", "peers", "ratio", "efficiency"},
}
"""What the benchmarks print as JSON."""


def commands() -> list[tuple[str, str]]:
    """Return every command of every page's `sh` blocks, with the first page that has it."""
    found: dict[str, str] = {}
    for page in PAGES:
        if page.name != OWN_TESTS:
            blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
            for line in "".join(blocks).splitlines():
                found.setdefault(line, page.name)
    return [(page, command) for command, page in found.items()]


def marked(found: list[tuple[str, str]]) -> list[object]:
    """Return these commands with those that measure, some for over a minute, as long tests."""
    measures = "python benchmarks/"
    return [pytest.param(*each, marks=pytest.mark.long if each[1].startswith(measures) else ()) for each in found]


def fields_on_the_page() -> list[tuple[str, dict[str, str]]]:
    """Return each class that `docs/views.md` describes, with the default of each field as it is written there."""
    found = []
    for part in (ROOT / "docs/views.md").read_text(encoding="utf-8").split("\n### ")[1:]:
        table = part.split("| field |")[1].split("\n\n")[0]
        rows = [[cell.strip() for cell in row.split("|")] for row in table.splitlines()[2:]]
        found.append((part.split("\n")[0].strip("`"), {row[1].strip("`"): row[3] for row in rows}))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_give_what_it_says(page: Path):
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
    assert results.attempted > 0 or page.name in WITHOUT_EXAMPLES


@pytest.mark.parametrize("part", fields_on_the_page(), ids=lambda part: part[0])
def test_the_page_of_views_lists_the_fields_of_each_class(part: tuple[str, dict[str, str]]):
    name, listed = part
    described = {each.name: each for each in structs.fields(getattr(views, name))}
    assert list(listed) == list(described)
    for field, default in listed.items():
        given = described[field].default
        assert default == ("needed" if given is NODEFAULT else f"`{given!r}`".replace("''", '""')), field


def test_the_page_of_views_has_every_class():
    classes = {name for name, each in vars(views).items() if isinstance(each, type) and issubclass(each, Struct)}
    assert {name for name, _ in fields_on_the_page()} == classes - {"Struct"}


@pytest.mark.parametrize("module", EXPLAINED)
def test_the_examples_of_a_module_give_what_it_says(module: str):
    __import__(module)
    results = doctest.testmod(sys.modules[module])
    assert results.failed == 0 and results.attempted > 0


@pytest.mark.parametrize(("page", "command"), marked(commands()), ids=lambda text: text.replace("/", "-"))
def test_a_command_of_the_docs_runs(page: str, command: str, tmp_path: Path):
    program, *arguments = shlex.split(command)
    if {"benchmarks/tables.py", "benchmarks/clicks.py"} & {*arguments} and not CHROMIUM.exists():
        pytest.skip("there is no /usr/bin/chromium (Debian: chromium)")
    if program == "make":
        ran = subprocess.run(["make", "-n", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    elif program == "pytest":
        ran = run([str(BIN / program), *arguments, "--collect-only", "-q", "-n0"], ROOT)
    elif GOLDEN in arguments:
        copied = shutil.copy(ROOT / GOLDEN, tmp_path)
        ran = run([str(BIN / program), *(copied if each == GOLDEN else each for each in arguments)], tmp_path)
    elif program == "quintain" and "goofspiel.py" in arguments:
        ran = run([str(BIN / program), *arguments], kept_goofspiel().parent)
    elif {"backup", "restore", "keys", "mute", "tables"} & {*arguments}:
        ran = run_with_database([str(BIN / program), *arguments], tmp_path)
    elif POSTGRESQL in arguments:
        with TemporaryDirectory() as folder, cluster(Path(folder)) as postgres:
            own = postgres.new_database().render_as_string(hide_password=False)
            ran = start_and_stop([str(BIN / program), *(own if each == POSTGRESQL else each for each in arguments)])
    elif "serve" in arguments:
        ran = start_and_stop([str(BIN / program), *arguments])
    elif {"--out", "--set"} & {*arguments}:
        sets = re.findall(r"^```toml\n(name = .*?)^```$", (ROOT / "docs/lab.md").read_text(), re.MULTILINE | re.DOTALL)
        for name, text in zip(("plain.toml", "rich.toml"), sets, strict=True):
            (tmp_path / name).write_text(text, encoding="utf-8")
        ran = run([str(BIN / program), *arguments], tmp_path)
        written = [tmp_path / name for name in arguments if Path(name).suffix in (".html", ".md", ".parquet")]
        assert all(path.stat().st_size for path in written)
    elif any("careful:Careful" in argument for argument in arguments):
        (block,) = re.findall(
            r"^```python\n(from .*?)^```$", (ROOT / "docs/bots.md").read_text(), re.MULTILINE | re.DOTALL
        )
        (tmp_path / "careful.py").write_text(block, encoding="utf-8")
        ran = run([str(BIN / program), *arguments], tmp_path)
    else:
        assert program in ("quintain", "python")
        ran = run([str(BIN / program), *arguments], ROOT)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout or "--out" in arguments
    if "--json" in arguments:
        (line,) = ran.stdout.splitlines()
        assert set(json.loads(line)) == KEYS[Path(arguments[0]).name]


def test_the_notebook_runs():
    ran = run([str(BIN / "jupyter-execute"), str(ROOT / "docs/lab.ipynb")], ROOT)
    assert ran.returncode == 0, ran.stderr


def start_and_stop(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of the docs that goes on until it is stopped."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        greeting = process.stdout.readline()
        process.terminate()
        process.communicate(timeout=60)
    return subprocess.CompletedProcess(command, 0, greeting, "")


def run_with_database(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the docs in a home with a database, and with a backup of it if it restores one."""
    home = {"QUINTAIN_HOME": str(folder)}
    prepare(folder / "data" / "server.sqlite")
    asyncio.run(add_player(folder / "data" / "server.sqlite", 7))
    if "restore" in command:
        made = run([command[0], "backup", "quintain.backup"], folder, **home)
        assert made.returncode == 0, made.stderr
    return run(command, folder, **home)


async def add_player(database: Path, number: int) -> None:
    """Write a player with a number into a database, for the commands that name one."""
    async with Store.open(database) as store, store.together.begin() as connection:
        row = {"number": number, "id": "ann", "name": "Ann", "made": 0.0, "named": 0.0}
        await connection.execute(store.insert(PlayerRow).values(row))


def run(command: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the docs; a game that it starts is left at once."""
    environment = {**os.environ, "NO_COLOR": "1", **variables}
    return subprocess.run(
        command, cwd=folder, input="quit\n", env=environment, capture_output=True, text=True, check=False, timeout=300
    )
