"""The recipes of docs/recipes run as their page says, in small."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"


def said(tmp_path: Path, name: str, *arguments: str) -> str:
    """Run a recipe, and return what it prints."""
    command = (sys.executable, RECIPES / name, *arguments)
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout


@pytest.mark.long
def test_ppo_in_jax_plays_itself_and_learns(tmp_path: Path):
    pytest.importorskip("optax")
    rounds = re.findall(r"^round (\d+), \d+ s: beats random (\d+)%", said(tmp_path, "ppo.py", "10"), re.MULTILINE)
    assert [number for number, _ in rounds] == ["10"] and int(rounds[0][1]) > 65


def test_maskable_ppo_runs_on_many_games_at_once(tmp_path: Path):
    pytest.importorskip("sb3_contrib")
    last = said(tmp_path, "maskable_ppo.py", "20000").splitlines()[-1]
    assert re.fullmatch(r"after 24,576 steps: \d+% against squire", last)


@pytest.mark.long
def test_deep_cfr_runs_on_the_reduced_court(tmp_path: Path):
    pytest.importorskip("flax")
    found = re.fullmatch(
        r"after \d+ s: ([+-]\d\.\d\d) ± (\d\.\d\d) a game against random play\n",
        said(tmp_path, "deep_cfr.py", "1", "2"),
    )
    assert found and abs(float(found[1])) < 2 and 0 < float(found[2]) < 0.5
