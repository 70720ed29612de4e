"""Rules, bots and the terminal need no extra; a command that needs one says which."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = (
    "sqlalchemy",
    "alembic",
    "litestar",
    "uvicorn",
    "numpy",
    "numba",
    "llvmlite",
    "polars",
    "pyarrow",
    "openskill",
    "prometheus_client",
    "segno",
)
GOLDEN = ROOT / "tests" / "golden" / "kings-court-bots.json"


def ran(folder: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a command where none of the extras is installed; it answers every question by q."""
    barred = f"import sys\nfor name in {EXTRAS}: sys.modules[name] = None\n"
    (folder / "sitecustomize.py").write_text(barred)
    path = os.pathsep.join([str(folder), str(ROOT / "src")])
    return subprocess.run(
        [sys.executable, "-m", "quintain", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": path, "QUINTAIN_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        input="q\n",
        check=False,
    )


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("server", ("serve",)),
        ("server", ("backup", "copy.sqlite")),
        ("server", ("keys", "list")),
        ("server", ("mute", "5")),
        ("server", ("tables", "check")),
        ("compiler", ("check", "kings-court")),
        ("lab", ("simulate", "kings-court", "-n", "10")),
        ("lab", ("tournament", "kings-court", "--bots", "page,random", "-n", "4")),
    ],
)
def test_a_command_whose_extra_is_missing_names_it(extra: str, arguments: tuple[str, ...], tmp_path: Path):
    said = ran(tmp_path, *arguments).stderr
    assert said.startswith("quintain: this needs ") and f"type pip install 'quintain[{extra}]'" in said


def test_the_version_is_said_in_one_way(tmp_path: Path):
    import quintain

    assert ran(tmp_path, "--version").stdout == f"quintain {quintain.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("rules", "robin"),
        ("play", "kings-court", "--against", "page"),
        ("learn", "kings-court"),
        ("watch", "kings-court", "--bots", "random,random"),
        ("analyse", GOLDEN, "--tries", "2", "--html", os.devnull),
        ("puzzle", "--list"),
        ("compile", "kings-court", "--list"),
    ],
)
def test_commands_for_players_need_no_extra(arguments: tuple[str | Path, ...], tmp_path: Path):
    done = ran(tmp_path, *arguments)
    assert done.returncode == 0 and done.stdout and "Traceback" not in done.stderr
