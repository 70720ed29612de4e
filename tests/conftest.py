"""Every test runs with a home of its own kind: compiled code is kept in .venv, nothing reaches the user's folders."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["QUINTAIN_HOME"] = str(Path(__file__).parents[1] / ".venv" / "home")

# Otherwise each process of the tests would compile all modules that it imports anew, where the environment says so.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

pytest_plugins = ["again", "costs"]

settings.register_profile("patient", deadline=None)  # no test fails for a busy machine
settings.load_profile("patient")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, since tests with browsers and servers often wait."""
    return 1 + (os.cpu_count() or 1)


@pytest.fixture
def nothing_compiles_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no search that a test begins to compile in the background be compiled any longer than the test."""
    from quintain.bots import warm

    monkeypatch.setattr(warm, "_begun", {})
    yield
    for process in warm._begun.values():
        process.kill()
        process.wait()
