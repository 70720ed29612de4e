"""Fixtures: a home for each test, and the command line at a terminal."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from quintain.engine.rules import registry

KEPT = os.environ["QUINTAIN_HOME"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_compiles_on: None) -> Path:
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(registry, "_games", {})
    cache = Path(KEPT) / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").symlink_to(cache)  # to compile a game takes ten seconds and more
    return tmp_path / "home"


@pytest.fixture
def nothing_compiled(home: Path) -> None:
    """Begin in a home without compiled code."""
    (home / "cache").unlink()


@pytest.fixture
def kept_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the home of all tests, where the file of the tutorial's game always lies at one path."""
    monkeypatch.setenv("QUINTAIN_HOME", KEPT)


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
