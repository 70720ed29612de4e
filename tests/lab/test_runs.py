"""Runs: tables of games with the right rows, the same bytes in whatever way they were made, and runs that go on."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import psutil
import pyarrow.parquet as pq
import pytest

import quintain
from conformance.cases import tutorial_game
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.lab import extras, journal, tables
from quintain.lab.pools import LocalPool
from quintain.lab.series import Chunk, Series, play_chunk, ready
from quintain.lab.simulation import simulate, simulate_games
from tutorial import kept_goofspiel

PLAIN = "quintain.bots.random:Random"
"""A bot that plays as `random` does, but not in compiled games."""


@pytest.fixture
def goofspiel() -> Game:
    return tutorial_game()


def test_a_table_has_a_row_for_each_game_with_all_that_decides_it_and_its_result(goofspiel: Game):
    table = simulate_games(goofspiel, 30, ["random", PLAIN, "random"], {"cards": 4}, 9)
    assert table["number"].to_list() == list(range(30))
    for name, value in {"game": "goofspiel", "version": goofspiel.version, "seed": 9, "option_cards": 4}.items():
        assert table[name].unique().to_list() == [value]
    assert [table[f"bot_{seat}"][0] for seat in range(3)] == ["random", PLAIN, "random"]
    played = play_chunk(Chunk(Series.new(goofspiel, ["random", PLAIN, "random"], {"cards": 4}, 9), 0, 30))
    columns = ["decisions", *(f"score_{seat}" for seat in range(3)), *(f"rank_{seat}" for seat in range(3))]
    assert table.select(columns).rows() == [tuple(row) for row in played.rows.tolist()]


def test_counts_of_the_game_are_columns_and_null_where_a_game_has_none():
    table = simulate_games(quintain.game("robin"), 60, ["random", "random"], {"dealt": "on"}, 1)
    cards = [name for name in table.columns if name.startswith("count_card_") and not name.endswith("_of")]
    assert len(cards) == 64 and table["count_rounds"].min() >= 3
    assert 0 < table[cards[0]].null_count() < 60
    decided = table["count_rounds"] - table["count_rounds_drawn"]
    assert (table[cards[0] + "_of"].drop_nulls() == decided.filter(table[cards[0]].is_not_null())).all()


def test_decks_have_a_column_for_each_seat():
    table = simulate_games(quintain.game("round-table"), 1, ["random"] * 2, {"decks": "hedge-host,great-houses"}, 1)
    assert table.select("deck_0", "deck_1").rows() == [("hedge-host", "great-houses")]
    assert "option_decks" not in table.columns and "option_regions" in table.columns


def test_the_file_holds_the_table_and_the_words_of_each_count(tmp_path: Path):
    game, bots = quintain.game("heirless"), ["random"] * 3
    summary = simulate(game, 12, bots, {}, 4, out=tmp_path / "games.parquet")
    assert pl.read_parquet(tmp_path / "games.parquet").equals(simulate_games(game, 12, bots, {}, 4))
    assert pl.read_parquet(tmp_path / "games.parquet")["decisions"].sum() == summary.decisions
    field = pq.read_schema(tmp_path / "games.parquet").field("count_bandits")
    assert field.metadata[b"words"] == b"battles with Bandits won by the Bandits"
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


@pytest.mark.parametrize("bot", ["random", PLAIN])
def test_the_bytes_are_the_same_with_any_number_of_workers(
    bot: str, goofspiel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tables, "GROUP", 70)
    for name, pool in (("one", LocalPool(1)), ("three", LocalPool(3, patience=0))):
        simulate(goofspiel, 300, [bot, bot], {}, 4, pool=pool, out=tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "three").read_bytes()
    assert pq.ParquetFile(tmp_path / "one").num_row_groups == 5


class Stopped(LocalPool):
    """Breaks off after a number of jobs."""

    def __init__(self, jobs: int) -> None:
        super().__init__(1)
        self.jobs = jobs

    def map(self, do: Any, jobs: Any) -> Iterator[Any]:
        for number, result in enumerate(super().map(do, jobs)):
            if number == self.jobs:
                raise KeyboardInterrupt
            yield result


def test_a_run_that_was_stopped_goes_on_and_plays_no_game_twice(goofspiel: Game, tmp_path: Path):
    def run(name: str, pool: LocalPool) -> int:
        told: list[int] = []
        simulate(goofspiel, 20, [PLAIN, PLAIN], {}, 4, told.append, pool, tmp_path / name)
        return sum(told)

    run("whole", LocalPool(1))
    for jobs in (7, 5):
        with pytest.raises(KeyboardInterrupt):
            run("stopped", Stopped(jobs))
        assert not (tmp_path / "stopped").exists()
    assert journal.planned_seed(tmp_path / "stopped") == 4
    pool = Stopped(99)
    assert run("stopped", pool) == 20
    assert (tmp_path / "stopped").read_bytes() == (tmp_path / "whole").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"stopped", "whole"}
    assert journal.planned_seed(tmp_path / "stopped") is None


SLOW = """
import time


class Slow:
    def __init__(self, game, seed):
        pass

    def choose(self, seen, budget):
        time.sleep(0.004)
        return seen.legal[0]
"""


def test_a_run_that_was_killed_goes_on_from_its_last_commit_and_leaves_no_process(tmp_path: Path):
    (tmp_path / "slow.py").write_text(SLOW)
    program = str(Path(sys.executable).with_name("quintain"))
    command = [program, "simulate", "kings-court", "-n", "8", "--bots", "slow:Slow,slow:Slow", "--workers", "2"]
    subprocess.run([*command, "--seed", "3", "--out", "whole.parquet"], cwd=tmp_path, capture_output=True, check=True)
    with subprocess.Popen([*command, "--seed", "3", "--out", "killed.parquet"], cwd=tmp_path) as process:
        running = psutil.Process(process.pid)
        kept = tmp_path / "killed.parquet.unfinished"
        workers: list[psutil.Process] = []
        while process.poll() is None and not (workers and kept.exists() and _kept(kept)):
            workers = running.children(recursive=True)
            time.sleep(0.004)
        process.send_signal(signal.SIGKILL)
    assert workers and psutil.wait_procs(workers, timeout=20)[1] == []
    assert 0 < _kept(kept) < 8
    subprocess.run([*command, "--out", "killed.parquet"], cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "killed.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def _kept(path: Path) -> int:
    """Return how many results a journal holds."""
    try:
        with sqlite3.connect(path) as database:
            (count,) = database.execute("SELECT count(*) FROM result").fetchone()
            return int(count)
    except sqlite3.OperationalError:
        return 0


def test_results_of_another_run_are_refused_and_kept(goofspiel: Game, tmp_path: Path):
    out = tmp_path / "games.parquet"
    with pytest.raises(KeyboardInterrupt):
        simulate(goofspiel, 20, [PLAIN, PLAIN], {}, 4, pool=Stopped(3), out=out)
    before = (tmp_path / "games.parquet.unfinished").read_bytes()
    for n, options, seed, name in (
        (21, {}, 4, "n: 20, now 21"),
        (20, {}, 5, "seed: 4, now 5"),
        (20, {"cards": 3}, 4, 'options: {"cards": \\d+.*}, now {"cards": 3'),
    ):
        with pytest.raises(BadOption, match=f"unfinished run with other arguments \\(.*{name}.*repeat its arguments"):
            simulate(goofspiel, n, [PLAIN, PLAIN], options, seed, out=out)
    assert (tmp_path / "games.parquet.unfinished").read_bytes() == before


def test_a_file_that_cannot_be_used_is_refused_before_any_game_is_played(goofspiel: Game, tmp_path: Path):
    def refused(out: Path, message: str) -> None:
        with pytest.raises(QuintainError, match=message):
            simulate(goofspiel, 2, [PLAIN, PLAIN], {}, 4, lambda more: pytest.fail("a game was played"), out=out)

    refused(tmp_path / "none" / "games.parquet", "there is no folder .*none")
    refused(tmp_path, "is a folder")
    (tmp_path / "a.unfinished").write_bytes(b"something else, long enough to be looked at" * 99)
    refused(tmp_path / "a", "holds no results of a run.*delete it or move it away")
    with sqlite3.connect(tmp_path / "b.unfinished", isolation_level=None) as database:
        database.execute("BEGIN IMMEDIATE")
        refused(tmp_path / "b", "perhaps another run uses it")


def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it():
    with pytest.raises(QuintainError, match=r"needs no_such_module: type pip install .quintain\[lab\]., or `make lab`"):
        extras.need("pytest", "no_such_module")


def test_a_pool_returns_results_in_the_order_of_its_jobs_and_takes_jobs_only_as_they_are_needed(goofspiel: Game):
    series = Series.new(goofspiel, [PLAIN, PLAIN], {}, 5)
    chunks = [Chunk(series, number, 1) for number in range(40)]
    taken: list[int] = []

    def jobs() -> Iterator[Chunk]:
        for chunk in chunks:
            taken.append(chunk.first)
            yield chunk

    found = LocalPool(2, patience=0).map(play_chunk, jobs())
    first = next(found)
    assert len(taken) <= 8
    rows = [played.rows.tolist() for played in (first, *found)]
    assert rows == [play_chunk(chunk).rows.tolist() for chunk in chunks]


class Dies:
    """Kills its process."""

    def __init__(self, game: Game, seed: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def choose(self, seen: Any, budget: Any) -> int:
        return int(seen.legal[0])


def test_a_process_that_is_killed_ends_the_run_with_a_message(goofspiel: Game):
    series = Series.new(goofspiel, [f"{__name__}:Dies", "random"], {}, 5)
    with pytest.raises(QuintainError, match="a process that played games was killed"):
        list(LocalPool(2, patience=0).map(play_chunk, [Chunk(series, 0, 1)]))


def test_a_game_whose_file_has_changed_is_played_by_its_new_rules(tmp_path: Path):
    path = tmp_path / "small.py"

    def write(default: str) -> None:
        text = kept_goofspiel().read_text(encoding="utf-8").replace('"goofspiel"', '"small"')
        path.write_text(text.replace('"number", CARDS,', f'"number", {default},'), encoding="utf-8")

    for default in ("13", "4"):
        write(default)
        small = register_file(path)
        assert simulate(small, 2, [PLAIN, PLAIN], {}, 1).longest == 2 * int(default)
    write("2 + 1")
    changed = Series.new(small, [PLAIN, PLAIN], {}, 1)
    game = ready(changed).game
    assert game is not small and game.read_options(2, {}) == {"cards": 3}
