"""Builds libraries for tests, once for all of them, and lets a test use them."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from filelock import FileLock

from quintain.engine import home
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.compiling.targets import PLATFORMS

TOOL = Path(__file__).parents[2] / "tools" / "libraries.py"
SOURCES = Path(libraries.__file__).parents[3]


def newest_source() -> int:
    """Return when a source was last changed."""
    return max(path.stat().st_mtime_ns for path in [TOOL, *SOURCES.rglob("*.py")])


def built(id_: str, platform: str) -> Path:
    """Return the folder of the library of a game for a platform; build it unless that was done from these sources."""
    folder = home.data() / "libraries" / id_ / platform
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):
        stamp = folder / "made_from"
        if not stamp.is_file() or stamp.read_text() != str(newest_source()):
            build(folder, [id_], [platform])
            stamp.write_text(str(newest_source()))
    return folder


def build(folder: Path, ids: Iterable[str], platforms: Iterable[str] = (), **variables: str) -> None:
    """Build libraries into a folder; for all platforms if none is named."""
    named = ["--platforms", *platforms] if platforms else []
    command = [sys.executable, TOOL, "--games", *ids, *named, "--folder", folder]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def use(folder: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process use the libraries of a folder, or none."""
    monkeypatch.setenv(libraries.SETTING, str(folder or "none"))
    libraries.forget()


def ending(platform: str) -> str:
    """Return the ending of the libraries of a platform."""
    return next(each.ending for each in PLATFORMS if each.name == platform)
