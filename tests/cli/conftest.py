"""Fixtures: a home for each test, and the command line, run in this process or at a terminal."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pexpect
import pytest

from cli.sitting import Result, Run
from quintain.cli import main
from quintain.engine import registry

KEPT = os.environ["QUINTAIN_HOME"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_compiles_on: None) -> Path:
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(registry, "_games", {})
    return tmp_path / "home"


@pytest.fixture
def kept_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the home with the compiled code."""
    monkeypatch.setenv("QUINTAIN_HOME", KEPT)


@pytest.fixture
def quintain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process, with lines to type."""

    def run(*arguments: str | Path, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["quintain", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", StringIO(typed))
        monkeypatch.setattr(sys, "path", [*sys.path])
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Result(status, out, err)

    return run


def _heed_signals() -> None:
    """Let signals do what they usually do, even where the tests run in the background, without some of them."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def at_terminal(home: Path) -> Iterator[Callable[..., "pexpect.spawn[str]"]]:
    """Start a command line at a terminal of 80 by 24."""
    started = []

    def start(*arguments: str | Path) -> "pexpect.spawn[str]":
        child = pexpect.spawn(
            str(Path(sys.executable).with_name("quintain")),
            [*map(str, arguments)],
            env={**os.environ, "TERM": "xterm", "PAGER": "cat"},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=20,
            preexec_fn=_heed_signals,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)
