"""Every example and every command in the README and the docs runs. (The tutorial has tests of its own.)"""

import ast
import asyncio
import doctest
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec import NODEFAULT, Struct, structs

from cli.sitting import Result, Run
from parts.postgres import cluster
from quintain.engine.rules import registry, views
from quintain.server.store.schema import PlayerRow
from quintain.server.store.store import Store
from quintain.server.store.upgrades import prepare
from server.browsing import CHROMIUM
from tutorial import kept_goofspiel

ROOT = Path(__file__).parents[1]
FOLDERS = [ROOT / "docs", ROOT / "docs" / "start"]
PAGES = [
    ROOT / "README.md", *(page for folder in FOLDERS for page in sorted(folder.glob("*.md"))), ROOT / "CONTRIBUTING.md"
]  # fmt: skip
BIN = Path(sys.executable).parent
OWN_TESTS = "tutorial.md"
WITHOUT_EXAMPLES = (
    "CONTRIBUTING.md", "command-line.md", "designing.md", "hosting.md", "kings-court.md", "notebook.md", "plugins.md",
    "public.md", "rune-war.md", "server.md", "site.md", "author.md", "designer.md", "host.md", "player.md", OWN_TESTS,
)  # fmt: skip
POSTGRESQL = "postgresql+psycopg://quintain@localhost/quintain"
"""A database of the docs; the tests have their own."""
GOLDEN = "tests/golden/make.py"
SOURCE = ROOT / "src"
EXPLAINED = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in (SOURCE / "quintain").rglob("*.py")
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
)
"""The modules whose docstrings have examples."""
KEYS = {
    "analysis.py": {"kings-court"},
    "clicks.py": {"p50_ms", "p95_ms", "moves"},
    "compiling.py": {"kings-court"},
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
LONG: dict[str, str] = {
    "quintain simulate kings-court -n 2000 --seed 1 --ray local --workers 2":
    "tests/lab/test_cluster.py plays on such a cluster, and tests/cli/test_commands.py proves that --ray joins it",
    "quintain report round-table -n 100 --seed 1 --actions 20 --skill 0":
    "tests/cli/test_report.py reports on the same decks, of the same games, with fewer of them",
    "quintain report kings-court -n 200 --seed 1 --actions 5 --skill 2":
    "tests/cli/test_report.py reports on any game, with the worth of skill",
    "quintain report kings-court -n 100 --seed 1 --actions 20 --skill 0 --out kings-court.html --out kings-court.md":
    "tests/cli/test_report.py writes both kinds of pages, of the same game",
    "quintain report robin -n 100 --seed 1 --option dealt=on --skill 0":
    "tests/cli/test_report.py reports on any game, with fewer games",
    "quintain report rune-war -n 100 --seed 1 --skill 0 --out rune-war.html --out rune-war.md":
    "tests/cli/test_report.py writes both kinds of pages, and tests/lab/test_chapters.py the chapters about this game",
    "quintain tournament heirless --seats 3 --bots greedy,page,random -n 600 --seed 1 --until-sure"
    " --out heirless.parquet":
    "tests/lab/test_tournament.py plays until it is sure, and keeps the games",
    "quintain compare kings-court --set plain.toml --set rich.toml -n 40 --seed 1 --actions 5":
    "tests/cli/test_report.py compares two sets side by side, with fewer games",
    "quintain deck round-table hedge-host --missed 20 --seed 1":
    "tests/cli/test_deck.py lists the cards that a deck misses, with fewer games",
    "quintain simulate kings-court -n 1000000":
    "tests/cli/test_commands.py simulates fewer games",
    "quintain puzzles check kings-court --tries 3000 --seed 1":
    "tests/cli/test_puzzles.py checks puzzles with fewer tries",
    "quintain exploitability kings-court --option houses=2 --option ranks=3 --bot random --cfr 1,10,100 --seed 1":
    "tests/cli/test_exploitability.py prints the same of Kuhn poker, and tests/lab/test_exact.py walks this game",
    "quintain analyse tests/golden/kings-court-bots.json --tries 300":
    "tests/cli/test_advice.py analyses a game with fewer tries",
    "quintain luck kings-court --bots squire,page -n 2 --tries 100 --seed 1":
    "tests/lab/test_luck.py judges such games with fewer tries",
    "quintain simulate kings-court -n 400 --bots greedy,random":
    "tests/cli/test_commands.py simulates fewer games between such bots",
    "quintain tournament kings-court --bots greedy,page,random -n 40 --seed 1":
    "tests/lab/test_tournament.py plays between these bots",
    "quintain train kings-court --out court.safetensors -n 4 --games 64 --every 2 --seed 1 --against none":
    "tests/cli/test_train.py trains a smaller net",
}  # fmt: skip
"""The commands that run with the long tests, each with what proves in all runs what they show."""
NOTEBOOKS = [ROOT / "docs/lab.ipynb", *sorted((ROOT / "docs/notebooks").glob("*.ipynb"))]
PROMISED = set(re.findall(r"^# (quintain[\w.]*)$", (ROOT / "docs/public.md").read_text(encoding="utf-8"), re.MULTILINE))
"""The modules that are public."""
PATH = re.compile(r"""(?:^|[\s"'(=:])/[a-z]+/[\w.-]+|[A-Z]:\\\\""", re.MULTILINE)
"""A path from the root of somebody's machine."""
MOST_BYTES = 100_000


def commands() -> list[tuple[str, str]]:
    """Return every command of every page's `sh` blocks without its remark, with the first page that has it."""
    found: dict[str, str] = {}
    for page in PAGES:
        if page.name != OWN_TESTS:
            blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
            for line in "".join(blocks).splitlines():
                found.setdefault(line.partition("  #")[0].rstrip(), page.name)
    return [(page, command) for command, page in found.items()]


def marked(found: list[tuple[str, str]]) -> list[object]:
    """Return these commands with those as long tests that measure, some for over a minute, or that `LONG` names."""
    return [
        pytest.param(*each, marks=pytest.mark.long if each[1] in LONG or each[1].startswith("python bench") else ())
        for each in found
    ]


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


@dataclass
class Desk:
    """Where the commands of the docs run: a folder of their own, and the command line in this process."""

    folder: Path
    quintain: Run
    monkeypatch: pytest.MonkeyPatch

    def here(self, arguments: list[str], folder: Path = ROOT) -> Result:
        """Run a command of Quintain in this process; a game that it starts is left at once."""
        self.monkeypatch.chdir(folder)
        return self.quintain(*arguments[1:], typed="quit\n")


def dry_run(desk: Desk, arguments: list[str]) -> Result:
    return process(["make", "-n", *arguments[1:]], ROOT)


def collected(desk: Desk, arguments: list[str]) -> Result:
    return process([str(BIN / arguments[0]), *arguments[1:], "--collect-only", "-q", "-n0"], ROOT)


def golden_elsewhere(desk: Desk, arguments: list[str]) -> Result:
    copied = shutil.copy(ROOT / GOLDEN, desk.folder)
    return process([sys.executable, *(copied if each == GOLDEN else each for each in arguments[1:])], desk.folder)


def beside_goofspiel(desk: Desk, arguments: list[str]) -> Result:
    return desk.here(arguments, kept_goofspiel().parent)


def with_database(desk: Desk, arguments: list[str]) -> Result:
    """Run a command in a home with a database, and with a backup of it if it restores one."""
    desk.monkeypatch.setenv("QUINTAIN_HOME", str(desk.folder))
    prepare(desk.folder / "data" / "server.sqlite")
    asyncio.run(add_player(desk.folder / "data" / "server.sqlite", 7))
    if "restore" in arguments:
        made = desk.here([arguments[0], "backup", "quintain.backup"], desk.folder)
        assert made.status == 0, made.err
    return desk.here(arguments, desk.folder)


def served(desk: Desk, arguments: list[str]) -> Result:
    return start_and_stop([str(BIN / arguments[0]), *arguments[1:]])


def served_on_postgresql(desk: Desk, arguments: list[str]) -> Result:
    with TemporaryDirectory() as folder, cluster(Path(folder)) as postgres:
        own = postgres.new_database().render_as_string(hide_password=False)
        return served(desk, [own if each == POSTGRESQL else each for each in arguments])


def with_files(desk: Desk, arguments: list[str]) -> Result:
    """Run a command that reads the sets of `lab.md`, or writes files."""
    sets = re.findall(r"^```toml\n(name = .*?)^```$", (ROOT / "docs/lab.md").read_text(), re.MULTILINE | re.DOTALL)
    for name, text in zip(("plain.toml", "rich.toml"), sets, strict=True):
        (desk.folder / name).write_text(text, encoding="utf-8")
    ran = desk.here(arguments, desk.folder)
    written = [desk.folder / name for name in arguments if Path(name).suffix in (".html", ".md", ".parquet")]
    assert all(path.stat().st_size for path in written)
    return ran


def with_careful(desk: Desk, arguments: list[str]) -> Result:
    """Run a command beside the bot of `bots.md`."""
    (block,) = re.findall(r"^```python\n(from .*?)^```$", (ROOT / "docs/bots.md").read_text(), re.MULTILINE | re.DOTALL)
    (desk.folder / "careful.py").write_text(block, encoding="utf-8")
    desk.monkeypatch.delitem(sys.modules, "careful", raising=False)
    return desk.here(arguments, desk.folder)


def apart(desk: Desk, arguments: list[str]) -> Result:
    return process([str(BIN / arguments[0]), *arguments[1:]], ROOT)


def measured(desk: Desk, arguments: list[str]) -> Result:
    """Run a benchmark, and check the names of the figures that it prints as JSON."""
    if {"benchmarks/tables.py", "benchmarks/clicks.py"} & {*arguments} and not CHROMIUM.exists():
        pytest.skip("there is no /usr/bin/chromium (Debian: chromium)")
    ran = apart(desk, arguments)
    if "--json" in arguments and not ran.status:
        (line,) = ran.out.splitlines()
        assert set(json.loads(line)) == KEYS[Path(arguments[1]).name]
    return ran


RUNNERS: dict[str, Callable[[Desk, list[str]], Result]] = {
    r"quintain new-game ": lambda desk, arguments: desk.here(arguments, desk.folder),
    r"make ": dry_run,
    r"pytest ": collected,
    rf"python {GOLDEN} ": golden_elsewhere,
    r"python benchmarks/": measured,
    r"quintain .* goofspiel\.py\b": beside_goofspiel,
    r"quintain (backup|restore|keys|mute|tables)\b": with_database,
    r"quintain serve .* postgresql": served_on_postgresql,
    r"quintain serve\b": served,
    r"quintain .* --(out|set) ": with_files,
    r"quintain .*\bcareful:Careful\b": with_careful,
    r"quintain .* --ray ": apart,
    r"quintain ": Desk.here,
}
"""How commands run: the first pattern that a command begins with says it."""


@pytest.mark.parametrize(("page", "command"), marked(commands()), ids=lambda text: text.replace("/", "-"))
def test_a_command_of_the_docs_runs(
    page: str, command: str, tmp_path: Path, quintain: Run, monkeypatch: pytest.MonkeyPatch, nothing_compiles_on: None
):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(registry, "_games", {})
    runner = next(runner for pattern, runner in RUNNERS.items() if re.match(pattern, command))
    ran = runner(Desk(tmp_path, quintain, monkeypatch), shlex.split(command))
    assert ran.status == 0, ran.err
    assert ran.out or " --out " in command


def test_every_command_that_is_long_stands_on_a_page():
    assert {*LONG} <= {command for _, command in commands()}


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook that hold code."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def names_of_quintain(code: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name that code takes from a module of Quintain, with its module; no name for a whole module."""
    for node in ast.walk(code):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", each.name) for each in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "quintain":
            yield "quintain", node.attr


@pytest.mark.long  # what the cells call has tests of its own, and the next test proves that it is public
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_the_notebook_runs(notebook: Path, tmp_path: Path):
    ran = process([str(BIN / "jupyter-execute"), str(notebook)], tmp_path)
    assert ran.status == 0, ran.err


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_uses_only_what_is_public(notebook: Path):
    sources = ["".join(cell["source"]) for cell in cells_of(notebook)]
    code = ast.parse("\n".join(re.sub(r"^%.*$", "", source, flags=re.MULTILINE) for source in sources))
    used = {(module, name) for module, name in names_of_quintain(code) if module.split(".")[0] == "quintain"}
    assert len(used) > 2 and {module for module, _ in used} <= PROMISED
    assert [each for each in used if each[1] and each[1] not in importlib.import_module(each[0]).__all__] == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_shows_the_results_of_one_run(notebook: Path):
    cells = cells_of(notebook)
    assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert len(outputs) > 5
    assert {output["output_type"] for output in outputs} <= {"execute_result", "stream", "display_data"}
    assert {output.get("name", "stdout") for output in outputs} == {"stdout"}  # no warning, and no progress
    shown = ["".join(text) for output in outputs for text in (output.get("text", ""), *output.get("data", {}).values())]
    assert [found for text in shown for found in PATH.findall(text)] == []
    assert notebook.stat().st_size < MOST_BYTES


def start_and_stop(command: list[str]) -> Result:
    """Run a command of the docs that goes on until it is stopped."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        greeting = process.stdout.readline()
        process.terminate()
        process.communicate(timeout=60)
    return Result(0, greeting, "")


async def add_player(database: Path, number: int) -> None:
    """Write a player with a number into a database, for the commands that name one."""
    async with Store.open(database) as store, store.together.begin() as connection:
        row = {"number": number, "id": "ann", "name": "Ann", "made": 0.0, "named": 0.0}
        await connection.execute(store.insert(PlayerRow).values(row))


def process(command: list[str], folder: Path) -> Result:
    """Run a command of the docs in a process of its own."""
    environment = {**os.environ, "NO_COLOR": "1"}
    ran = subprocess.run(
        command, cwd=folder, input="quit\n", env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    return Result(ran.returncode, ran.stdout, ran.stderr)


def test_the_commands_for_designers_lead_from_a_number_to_a_verdict(
    tmp_path: Path, quintain: Run, monkeypatch: pytest.MonkeyPatch, nothing_compiles_on: None
):
    """They build on each other, so they run one after another, with fewer games and one check."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/designing.md").read_text(encoding="utf-8")
    (changed,) = re.findall(r"^```toml\n\[\[character\]\]\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    name, *_ = changed.splitlines()
    said = {}
    for line in re.findall(r"^\$ quintain (.*)$", page, re.MULTILINE):
        command, _, file = line.partition(" > ")
        words = shlex.split(re.sub(r"-n \d+", "-n 10", command))
        words += {"check": ["--only", "masks"], "report": ["-n", "10"]}.get(words[0], [])
        ran = quintain(*words, typed="quit\n")
        assert ran.status == 0, (line, ran.err)
        said[words[0]] = ran.out
        if file:
            Path(file).write_text(ran.out, encoding="utf-8")
            own = re.sub(rf"{re.escape(name)}\n.*?(?=\n\n)", changed.strip(), ran.out, count=1, flags=re.DOTALL)
            assert own != ran.out
            Path("mine.toml").write_text(own, encoding="utf-8")
    assert {"cards", "check", "compare", "report", "play"} <= said.keys()
    assert "mine.toml is a valid set" in said["cards"]
    assert re.search(r"Little John .*%", said["compare"])
    assert Path("mine.html").stat().st_size
