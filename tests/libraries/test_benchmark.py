"""The benchmark of libraries measures what it says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from libraries.building import built
from quintain.engine.rules.compiling.targets import here

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "libraries.py"


@pytest.mark.long
def test_it_compares_search_and_playouts_and_measures_a_start():
    folder = built("kings-court", here())
    command = [sys.executable, BENCHMARK, "kings-court", "--pairs", "3", "--json"]
    ran = subprocess.run(
        command, env=os.environ | {"QUINTAIN_LIBRARIES": str(folder)}, capture_output=True, text=True, check=True
    )
    figures = json.loads(ran.stdout)
    assert set(figures) == {"kings-court.search", "kings-court.playouts", "first_move_s", "bytes"}
    assert all(0.2 < figures[f"kings-court.{name}"] < 5 for name in ("search", "playouts"))
    assert 0 < figures["first_move_s"] < 60
    files = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    assert 1_000 < figures["bytes"] < sum(files)


def test_without_libraries_it_says_what_makes_them():
    command = [sys.executable, BENCHMARK, "kings-court", "--pairs", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "there are no libraries in none: run `make libraries`" in ran.stderr
