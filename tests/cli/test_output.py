"""What programs get: JSON from every command that prints figures or lists, and whole lines in every pipe."""

import asyncio
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import typer

from cli.sitting import Run
from quintain.cli import app
from quintain.engine.rules.registry import game
from quintain.lab import simulation
from quintain.lab.analysis import Analysis
from quintain.lab.puzzles import FILE, puzzles
from quintain.server.store.schema import PlayerRow
from quintain.server.store.store import Store
from quintain.server.store.upgrades import prepare

SOURCE = Path(__file__).parents[1] / "puzzles" / "kings-court.records.json.gz"
NET = Path(__file__).parents[2] / "src/quintain/games/kings_court/nets/two.safetensors"
GOLDEN = Path(__file__).parents[1] / "golden" / "kings-court-bots.json"
PROGRAM = Path(sys.executable).with_name("quintain")
PLAIN_BOTS = ("--bots", "quintain.bots.random:Random", "--seed", "1", "--workers", "1")
CLEAR = max(puzzles(game("kings-court")), key=lambda one: one.best.share - one.candidates[1].share).id
"""The id of the puzzle whose best move is farthest ahead."""
SETS = ("--set", "plain.toml", "--set", "rich.toml")
LISTING: dict[str, tuple[str | Path, ...]] = {
    "games": ("games",),
    "learn": ("learn",),
    "cards": ("cards", "robin"),
    "cards --check": ("cards", "heirless", "--check"),
    "cards --won": ("cards", "heirless", "--won", "20", "--seed", "1"),
    "deck": ("deck", "round-table", "hedge-host"),
    "deck --missed": ("deck", "round-table", "hedge-host", "--missed", "20", "--seed", "1", "--workers", "1"),
    "deck --check": ("deck", "round-table", "hedge-host", "--check"),
    "analyse": ("analyse", GOLDEN, "--tries", "2"),
    "verify": ("verify", GOLDEN),
    "simulate": ("simulate", "kings-court", "-n", "4", *PLAIN_BOTS),
    "ladder": ("ladder", "kings-court", "-n", "2", "--bots", "greedy,random", "--seed", "1"),
    "tournament": ("tournament", "kings-court", "-n", "2", "--bots", "greedy,random", "--seed", "1"),
    "exploitability": (
        "exploitability",
        "kings-court",
        "--option",
        "houses=2",
        "--option",
        "ranks=3",
        "--bot",
        "random",
        "--cfr",
        "1",
        "--seed",
        "1",
    ),
    "luck": ("luck", "kings-court", "-n", "2", "--bots", "greedy,random", "--tries", "2", "--seed", "1"),
    "report": ("report", "kings-court", "-n", "1", "--seed", "1", "--skill", "0", "--actions", "3"),
    "compare": ("compare", "kings-court", *SETS, "-n", "1", "--seed", "1"),
    "compare --report": ("compare", "kings-court", *SETS, "-n", "1", "--seed", "1", "--report"),
    "dataset": ("dataset", "kings-court", "-n", "1", "--bots", "random", "--seed", "1", "--out", "court"),
    "train": (
        *("train", "kings-court", "--out", "court.safetensors", "-n", "1", "--games", "4", "--steps", "2"),
        *("--every", "1", "--seed", "1", "--against", "none"),
    ),
    "net": ("net", str(NET)),
    "exploit": (
        *("exploit", "kings-court", "--bot", "random", "-n", "1", "--games", "4", "--steps", "2", "--judged", "2"),
        *("--seed", "1"),
    ),
    "check": ("check", "kings-court", "--only", "masks"),
    "compile --list": ("compile", "kings-court", "--list"),
    "compile": ("compile", "kings-court", "--workers", "1"),
    "keys list": ("keys", "list"),
    "tables check": ("tables", "check"),
    "tables rebuild": ("tables", "rebuild"),
    "mute": ("mute", "7"),
    "backup": ("backup", "quintain.backup", "--force"),
    "restore": ("restore", "quintain.backup", "--yes"),
    "plugins": ("plugins",),
    "puzzle --list": ("puzzle", "kings-court", "--list"),
    "puzzles mine": ("puzzles", "mine", "kings-court", "-n", "1", "--out", "found.json"),
    "puzzles check": (
        "puzzles",
        "check",
        "kings-court",
        "--id",
        CLEAR,
        "--tries",
        "300",
        "--seed",
        "1",
        "--workers",
        "1",
    ),
}
"""The commands that print figures or lists."""
IN_LINES = {
    "games",
    "learn",
    "cards",
    "cards --won",
    "deck",
    "deck --missed",
    "check",
    "compile --list",
    "compile",
    "keys list",
    "tables check",
    "plugins",
    "puzzle --list",
}
"""Those that print one object a line."""
WITHOUT_JSON = {"rules", "play", "resume", "watch", "replay", "serve", "site", "keys rotate", "new-game"}
"""The commands that only talk to people."""


@pytest.fixture
def ready(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with two sets to compare, a backup and mined puzzles, beside a database with one player."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.toml").write_text("options = { garnets = [0, 0] }\n")
    (tmp_path / "rich.toml").write_text("options = { garnets = [3, 0] }\n")
    court = game("kings-court")
    assert court.folder
    shutil.copy(court.folder / FILE, tmp_path / "found.json")
    shutil.copy(SOURCE, tmp_path / "found.records.json.gz")
    database = home / "data" / "server.sqlite"
    database.parent.mkdir()
    prepare(database)
    asyncio.run(add_player(database))


async def add_player(database: Path) -> None:
    async with Store.open(database) as store, store.together.begin() as connection:
        row = {"number": 7, "id": "ann", "name": "Ann", "made": 0.0, "named": 0.0}
        await connection.execute(store.insert(PlayerRow).values(row))


def commands() -> dict[str, Any]:
    """Return every command by its words."""
    group: Any = typer.main.get_command(app)
    found = dict(group.commands)
    for name in ("keys", "puzzles", "tables"):
        found |= {f"{name} {own}": command for own, command in found.pop(name).commands.items()}
    return found


def every_key(value: Any) -> set[str]:
    """Return the keys of all objects in a document."""
    if isinstance(value, dict):
        return set(value).union(*map(every_key, value.values()))
    return set().union(*map(every_key, value)) if isinstance(value, list) else set()


def run(quintain: Run, name: str, *more: str) -> Any:
    if name == "restore":
        assert quintain(*LISTING["backup"]).status == 0
    ran = quintain(*LISTING[name], *more)
    assert ran.status == 0, ran.err
    return ran


# The others print by the same function, and their own tests read the JSON.
@pytest.mark.long_for("deck --missed", "luck", "train", "exploit")
@pytest.mark.parametrize("name", LISTING)
def test_a_command_prints_json_and_nothing_else(quintain: Run, ready: None, name: str) -> None:
    lines = run(quintain, name, "--json").out.splitlines()
    documents = [json.loads(line) for line in lines]
    assert documents or name in ("tables check", "plugins")
    assert len(documents) == 1 or name in IN_LINES
    assert all(isinstance(each, dict) for each in documents)
    keys = {key for key in every_key(documents) if not re.fullmatch("[a-z][a-z0-9_]*", key)}
    assert keys == set() and "secret" not in every_key(documents)


def test_every_command_has_json_or_talks_to_people() -> None:
    with_json = {name for name, command in commands().items() if any("--json" in each.opts for each in command.params)}
    named = {name.partition(" --")[0] for name in LISTING}
    assert with_json == named and commands().keys() - with_json == WITHOUT_JSON


# The others print by the same functions.
@pytest.mark.long_for("deck --missed", "luck", "exploitability", "analyse", "train", "exploit")
@pytest.mark.parametrize("name", LISTING)
def test_a_pipe_gets_whole_lines_however_narrow_the_terminal_is(
    quintain: Run, ready: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shown = []
    # A simulation takes a second, since columns are as wide as its speed has figures.
    monkeypatch.setattr(simulation, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    for columns in ("40", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        shown.append(re.sub(r"[\d.,]+ s\b|before .* UTC", "", run(quintain, name).out))
    assert shown[0] == shown[1] != ""
    assert "…" not in shown[0] and "\x1b" not in shown[0]


@pytest.mark.parametrize("arguments", [("rules", "robin"), ("--help",), ("play", "--help"), ("keys", "--help")])
def test_texts_are_whole_in_a_pipe_too(quintain: Run, monkeypatch: pytest.MonkeyPatch, arguments: Any) -> None:
    shown = []
    for columns in ("40", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        shown.append(quintain(*arguments).out)
    assert shown[0] == shown[1] and max(map(len, shown[0].splitlines())) > 80
    assert not any(line.endswith((" ", "…")) or line.startswith(" " * 40) for line in shown[0].splitlines())
    assert not re.search("[┏╭│]", shown[0])


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("games", "--json"),
        ("cards", "robin", "--check", "--json"),
        ("cards", "robin", "--toml"),
        ("--help",),
    ],
    ids=" ".join,
)
def test_a_pipe_that_closes_early_ends_the_command_quietly(arguments: tuple[str, ...]) -> None:
    environment = os.environ | {"COLUMNS": "40"}
    with subprocess.Popen(
        [PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""


def test_programs_that_read_a_real_pipe_get_whole_lines_without_styles() -> None:
    shown = []
    for columns in ("40", "200"):
        environment = os.environ | {"COLUMNS": columns, "FORCE_COLOR": "1", "TERM": "xterm"}
        ran = subprocess.run([PROGRAM, "cards", "robin"], env=environment, capture_output=True, text=True, check=True)
        shown.append(ran.stdout)
    assert shown[0] == shown[1] and "\x1b" not in shown[0]


def test_a_message_is_whole_in_a_pipe(quintain: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    refused = quintain("simulate", "kings-court", "-n", "many")
    assert (refused.status, refused.out) == (2, "")
    assert "Error: Invalid value for '-n': " in refused.err and "─" not in refused.err


def test_an_error_leaves_the_standard_output_empty(quintain: Run) -> None:
    refused = quintain("cards", "kings-court", "--json", "--toml")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)


def test_numbers_are_numbers_and_what_the_text_says_is_in_the_document(quintain: Run, ready: None) -> None:
    found = json.loads(run(quintain, "analyse", "--json").out)
    assert found["names"] == ["Player 1", "Player 2"] and found["tries"] == 2
    analysis = msgspec.convert(found, Analysis)
    assert analysis.is_whole and [each["lost"] for each in found["steps"]] == [step.lost for step in analysis.steps]
    assert set(found["turning_points"]) <= {step.number for step in analysis.decisions}
    assert [each["cards"] for each in found["luck_and_skill"]] == [one.cards for one in analysis.luck_and_skill()]
    assert json.loads(run(quintain, "mute", "--json").out)["muted_until"] > 1e9
    assert json.loads(run(quintain, "backup", "--json").out) == {"file": "quintain.backup", "tables": 0, "players": 1}
    shown = json.loads(quintain("games", "--json").out.splitlines()[1])
    assert shown["id"] == "kings-court" and shown["seats"] == {"least": 2, "most": 2, "usual": 2}
    proved = json.loads(run(quintain, "verify", "--json").out)
    assert proved["result"]["scores"] == [36, 44] and proved["signature"] is None and len(proved["not_proved"]) == 5


def test_json_of_a_lesson_is_refused(quintain: Run) -> None:
    refused = quintain("learn", "kings-court", "--json")
    assert refused.status == 2 and "leave out --json" in refused.err
