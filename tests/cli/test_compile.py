"""`quintain compile` makes all that bots, lab and environments run, says what it did, and does it once."""

import time
from pathlib import Path

import pytest

from cli.sitting import Run
from quintain.bots.tree import search
from quintain.cli.compile import in_background
from quintain.engine import home
from quintain.engine.rules.compiling import code_cache
from quintain.engine.rules.compiling.compiled import is_warm
from quintain.engine.rules.registry import game
from tutorial import write_goofspiel

PATIENCE = 60.0


@pytest.fixture
def goofspiel(tmp_path: Path, nothing_compiled: None) -> Path:
    write_goofspiel(tmp_path / "goofspiel.py")
    return tmp_path / "goofspiel.py"


@pytest.mark.long
def test_a_game_is_compiled_once_for_bots_lab_and_environments(quintain: Run, goofspiel: Path):
    first = quintain("compile", "goofspiel", "--game-file", goofspiel, "--workers", "1")
    assert first.status == 0 and "Compiling Goofspiel (rules)" in first.err
    estimate, done = first.out.splitlines()
    assert estimate.startswith("1 game, 1 at a time; about ")
    lab = "play_games, play_on, follow_policy, deal_game, play_part, choose_greedily, "
    assert done.startswith(f"Goofspiel: compiled rules, search, {lab}")
    made = code_cache.files("goofspiel-")
    assert {path.name.split("-")[1] for path in made} >= {"rules", "search", "step_places", "look_float32", "look_int8"}
    assert is_warm(game("goofspiel"), search)
    second = quintain("compile", "goofspiel", "--game-file", goofspiel)
    assert second.err == "" and code_cache.files("goofspiel-") == made


def test_what_cannot_be_compiled_is_named(quintain: Run, goofspiel: Path, monkeypatch: pytest.MonkeyPatch):
    assert "there is no game 'nonsense'" in quintain("compile", "nonsense").err
    goofspiel.write_text("nonsense", encoding="utf-8")
    assert "goofspiel.py cannot be loaded" in quintain("compile", "--game-file", goofspiel).err
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    refused = quintain("compile", "kings-court")
    assert refused.status == 2 and "NUMBA_DISABLE_JIT is set" in refused.err
    assert code_cache.files() == []


def test_what_compiles_in_the_background_begins_at_once_and_ends_with_the_server(nothing_compiled: None):
    until = time.monotonic() + PATIENCE
    with in_background([]) as process:
        while not home.is_there(home.cache() / code_cache.LOCKS):
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.05)
    assert process.returncode is not None
