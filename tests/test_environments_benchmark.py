"""`benchmarks/environments.py` measures what it is asked to, and compares the medians of rounds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from environments import gathered, prepared

ROOT = Path(__file__).parents[1]
SMALL = ("--games", "8", "--seconds", "0.01", "--rounds", "1", "--json")
RATIOS = {"ratio_hearts", "ratio_leduc", "ratio_pettingzoo", "ratio_pgx"}


def measured(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "benchmarks/environments.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_it_measures_the_environments_that_it_is_asked_for():
    ran = measured("--only", "kings-court", "openspiel_leduc", *SMALL)
    assert ran.returncode == 0, ran.stderr
    figures = json.loads(ran.stdout)
    assert set(figures) == {"kings_court", "peers", "missing"} | RATIOS
    forms, sizes = {"float32", "int8", "bare"}, {"floats", "bytes", "actions", "length"}
    assert set(figures["kings_court"]) == forms | sizes and set(figures["peers"]) == {"openspiel_leduc"}
    assert 95 < figures["kings_court"]["length"] < 115
    assert figures["ratio_leduc"] > 0 and figures["ratio_hearts"] is None


def test_it_refuses_names_that_it_does_not_know():
    assert "invalid choice: 'chess'" in measured("--only", "chess").stderr
    assert "take numbers from 1" in measured("--games", "0").stderr


def test_ratios_are_medians_over_the_rounds():
    slices = {"kings_court.float32": [10.0, 20.0, 90.0], "kings_court.bare": [5.0], "openspiel_hearts": [5.0, 4.0, 9.0]}
    figures = gathered(slices, {"pgx_leduc": "No module named 'pgx'"}, {"kings_court": {"actions": 165}})
    assert figures["kings_court"] == {"float32": 20, "bare": 5, "actions": 165}
    assert figures["peers"] == {"openspiel_hearts": 5, "pgx_leduc": None}
    assert figures["missing"] == {"pgx_leduc": "No module named 'pgx'"}
    assert (figures["ratio_hearts"], figures["ratio_pgx"]) == (5, None)


def test_a_peer_that_is_not_installed_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "jax", None)  # where JAX has been imported, every later fork brings a warning
    work, missing = prepared(8, ["pgx_leduc", "openspiel_leduc"])
    assert set(work) == {"openspiel_leduc"} and "jax" in missing["pgx_leduc"]


@pytest.mark.parametrize("peer", ["openspiel_hearts", "openspiel_leduc", "pettingzoo_leduc"])
def test_each_peer_makes_as_many_decisions_as_it_says(peer: str):
    work, _ = prepared(8, [peer])
    assert work[peer]() == 100
