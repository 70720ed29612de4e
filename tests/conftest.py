"""Every test runs with a home of its own kind: compiled code is kept in .venv, nothing reaches the user's folders."""

import gc
import os
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from cli.sitting import Run

os.environ["QUINTAIN_HOME"] = str(Path(__file__).parents[1] / ".venv" / "home")

os.environ["QUINTAIN_LIBRARIES"] = "none"  # rules are compiled as they stand; `libraries` has the tests of libraries

# Otherwise each process of the tests would compile all modules that it imports anew, where the environment says so.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

pytest_plugins = ["again", "costs"]

settings.register_profile("patient", deadline=None)  # no test fails for a busy machine
settings.load_profile("patient")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, since tests with browsers and servers often wait."""
    return 1 + (os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count the cases that a mark `long_for` names among the long tests."""
    for item in items:
        for mark in item.iter_markers("long_for"):
            if item.callspec.id in mark.args:  # type: ignore[attr-defined]
                item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """Let no collection of garbage go through all that the modules of the tests have imported again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def nothing_compiles_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no search that a test begins to compile in the background be compiled any longer than the test."""
    from quintain.bots import background

    monkeypatch.setattr(background, "_begun", {})
    yield
    for process in background._begun.values():
        process.kill()
        process.wait()


@pytest.fixture
def quintain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Run":
    """Run a command line in this process, with lines to type."""
    from cli.sitting import Result
    from quintain.cli import main

    def run(*arguments: str | Path, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["quintain", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", StringIO(typed))
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.setenv("PYTHONSAFEPATH", "")  # the command sets it for its processes, and the test takes it back
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Result(status, out, err)

    return run
