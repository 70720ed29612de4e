"""Shells complete commands, games, bots, options and decks."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.sitting import Run
from tutorial import write_goofspiel

PROGRAM = Path(sys.executable).with_name("quintain")
SHELLS = ("bash", "zsh", "fish")


def asked(shell: str, typed: str) -> dict[str, str]:
    """Return the variables by which a shell asks for completions of what is typed, its last word included."""
    words = {
        "bash": {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))},
        "zsh": {"_TYPER_COMPLETE_ARGS": typed},
        "fish": {"_TYPER_COMPLETE_ARGS": typed, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }
    return {"_QUINTAIN_COMPLETE": f"complete_{shell}", **words[shell]}


def offered(quintain: Run, monkeypatch: pytest.MonkeyPatch, shell: str, typed: str) -> list[str]:
    """Return the words that a shell offers."""
    for name, value in asked(shell, typed).items():
        monkeypatch.setenv(name, value)
    ran = quintain()
    assert (ran.status, ran.err) == (0, "")
    if shell == "zsh":
        return re.findall(r'^(?:_arguments .*\(\()?"([^"]+)"', ran.out, re.MULTILINE)
    return [line.partition("\t")[0] for line in ran.out.splitlines() if line]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("quintain l", ["learn", "ladder", "luck"]),
        ("quintain play k", ["kings-court"]),
        ("quintain check r", ["robin", "round-table", "rune-war"]),
        (
            "quintain watch robin --bots ",
            ["random", "page", "greedy", "squire", "minstrel", "knight", "champion", "grandmaster"],
        ),
        ("quintain ladder robin --bots page,s", ["page,squire"]),
        ("quintain play robin --option v", ["victories="]),
        ("quintain deck round-table h", ["hedge-host"]),
        ("quintain deck robin h", []),
        ("quintain keys l", ["list"]),
    ],
)
def test_a_shell_is_offered_what_may_stand_there(
    quintain: Run, monkeypatch: pytest.MonkeyPatch, shell: str, typed: str, words: list[str]
) -> None:
    assert offered(quintain, monkeypatch, shell, typed) == words


@pytest.mark.parametrize("shell", SHELLS)
def test_a_long_meaning_stays_in_its_line(quintain: Run, monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    words = offered(quintain, monkeypatch, shell, "quintain ")
    assert {"games", "report", "keys"} <= {*words} and all(re.fullmatch("[a-z-]+", word) for word in words)


def test_games_of_files_are_offered(quintain: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write_goofspiel(tmp_path / "goofspiel.py") or tmp_path / "goofspiel.py"
    typed = f"quintain play --game-file {path} goof"
    assert offered(quintain, monkeypatch, "bash", typed) == ["goofspiel"]
    assert offered(quintain, monkeypatch, "bash", "quintain play --game-file missing.py kin") == ["kings-court"]


def test_completing_imports_nothing_that_is_slow() -> None:
    code = (
        "import sys\n"
        "from quintain.cli import main\n"
        "try:\n    main()\nfinally:\n"
        "    print({'numba', 'numpy', 'polars', 'sqlalchemy', 'litestar'} & {*sys.modules})\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | asked("bash", "quintain play k"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "kings-court\nset()\n"


@pytest.mark.parametrize(
    ("shell", "ask"),
    [
        (
            "bash",
            'COMP_WORDS=(quintain play k); COMP_CWORD=2; _quintain_completion quintain; echo "${COMPREPLY[@]}"',
        ),
        (
            "zsh",
            "autoload -U compinit; compinit -D; words=(quintain play k); CURRENT=3; "
            '_arguments() { print -- "$@"; }; _quintain_completion',
        ),
        ("fish", "complete -C 'quintain play k'"),
    ],
)
def test_a_real_shell_completes(shell: str, ask: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    environment = os.environ | {"PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    written = subprocess.run(
        [PROGRAM],
        env=environment | {"_QUINTAIN_COMPLETE": f"source_{shell}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    flags = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    load = written if shell != "zsh" else f"autoload -U compinit; compinit -D\n{written}"
    command = [shell, *flags, "-c", f"{load}\n{ask}"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "kings-court" in ran.stdout, ran.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_is_for_the_name_of_the_program(
    quintain: Run, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv("_QUINTAIN_COMPLETE", f"source_{shell}")
    script = quintain().out
    assert "_QUINTAIN_COMPLETE" in script and re.search(r"(complete|compdef|command) .*\bquintain\b", script)
