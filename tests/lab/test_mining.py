"""Mining finds the same puzzles for the same seed, goes on where it was stopped, and keeps what is clear alone."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import quintain
from lab.test_puzzles import played_to
from quintain.bots import Budget, Level, ismcts
from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.play.documents import named_record
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.lab import candidates, mining
from quintain.lab.candidates import Candidate
from quintain.lab.mining import is_clear, mine, read_source, source_path
from quintain.lab.pools import LocalPool
from quintain.lab.puzzles import puzzles, read_puzzles

SEED = 3


@pytest.fixture
def court(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return King's Court, whose decisions are judged by so few tries here that mining takes a second."""
    monkeypatch.setattr(mining, "PLAYERS", Level("miner", ismcts.Ismcts, Budget(simulations=20)))
    quick = {
        "LOOK": 40,
        "TRIES": 100,
        "AGAIN": 2,
        "LOOKS": 8,
        "SURE": 0,
        "WISE": 0,
        "KNIGHTS": 0,
        "PAGES": 5,
    }
    monkeypatch.setattr(candidates, "ERRORS", 1.0)
    for name, number in quick.items():
        monkeypatch.setattr(mining, name, number)
    return quintain.game("kings-court")


def mined(game: Game, out: Path, n: int, **more: Any) -> tuple[bytes, bytes]:
    mine(game, n, SEED, out, pool=LocalPool(1), **more)
    return out.read_bytes(), source_path(out).read_bytes()


def test_the_seed_alone_decides_the_puzzles_also_of_a_run_that_was_stopped(court: Game, tmp_path: Path):
    told: list[tuple[int, int]] = []
    whole = mined(court, tmp_path / "whole.json", 2, progress=lambda games, kept: told.append((games, kept)))
    assert told[-1][1] == 2 and [games for games, _ in told] == [*range(1, len(told) + 1)]

    class Stop(Exception):
        pass

    def stop(games: int, kept: int) -> None:
        if games == 1:
            raise Stop

    with pytest.raises(Stop):
        mined(court, tmp_path / "parts.json", 2, progress=stop)
    assert mined(court, tmp_path / "parts.json", 2) == whole
    assert mined(court, tmp_path / "parts.json", 2) == whole


def test_what_is_mined_reads_back_from_its_record(court: Game, tmp_path: Path):
    out = tmp_path / "found.json"
    mined(court, out, 2)
    found, source = read_puzzles(court, out), read_source(source_path(out))
    assert len(found) == 2 and source.seed == SEED and source.game == "kings-court"
    for one in found:
        place = source.places[one.id]
        match = Match.load(named_record(source.records[place.record], ["Ann", "Bo"]))
        assert match.outcome and match.moves_made[place.step].seat == one.seen.viewer
        assert match.moves_made[place.step].text in {move.text for move in one.seen.moves}
        before = played_to(source.records[place.record], place.step)
        before.rename(one.seen.names)
        assert one.seen.log == before.seen(one.seen.viewer).log[-12:]


def test_a_run_goes_on_only_with_its_own_seed_and_both_files(court: Game, tmp_path: Path):
    out = tmp_path / "found.json"
    mined(court, out, 1)
    with pytest.raises(BadOption, match=f"with the seed {SEED}: give that seed, or another file"):
        mine(court, 1, SEED + 1, out)
    source_path(out).write_bytes(b"nothing")
    with pytest.raises(BadRecord, match="holds no records of puzzles"):
        mine(court, 1, SEED, out)
    source_path(out).unlink()
    with pytest.raises(BadOption, match=r"is there already, without found\.records\.json\.gz"):
        mine(court, 1, SEED, out)
    with pytest.raises(BadOption, match="its folder is missing"):
        mine(court, 1, SEED, tmp_path / "none" / "found.json")


@pytest.mark.parametrize(
    "best, second, tries, clear",
    [
        (0.56, 0.50, 30_000, True),
        (0.54, 0.50, 30_000, False),
        (0.56, 0.50, 500, False),
        (0.98, 0.50, 30_000, False),
        (0.09, 0.01, 30_000, False),
    ],
)
def test_a_move_is_clearly_best_by_five_points_and_three_errors(best: float, second: float, tries: int, clear: bool):
    judged = [Candidate(number, "", share, tries) for number, share in enumerate((best, second))]
    assert is_clear(judged) is clear


def test_nothing_is_kept_that_page_finds_or_no_knight_finds(court: Game, monkeypatch: pytest.MonkeyPatch):
    job = mining.MineGame("kings-court", "", 2, SEED, 1)
    assert mining.mine_game(job).found
    asked: list[str] = []

    def choices(level: Level, seen: Seen, seed: int, times: int, best: int) -> list[bool]:
        asked.append(level.name)
        return [level.name == "page"] * times

    monkeypatch.setattr(mining, "choices", choices)
    assert not mining.mine_game(job).found and {*asked} == {"page"}
    monkeypatch.setattr(mining, "choices", lambda *given: [False] * given[3])
    monkeypatch.setattr(mining, "WISE", 1)
    assert not mining.mine_game(job).found
    monkeypatch.setattr(mining, "WISE", 0)
    assert mining.mine_game(job).found


@pytest.mark.parametrize("faithful, kept", [(True, True), (False, False)])
def test_a_best_move_that_another_seed_does_not_prefer_is_not_kept(
    faithful: bool, kept: bool, monkeypatch: pytest.MonkeyPatch
):
    one = puzzles(quintain.game("kings-court"))[0]

    def judged(_: Seen, action: int, tries: int, seed: int) -> Candidate:
        is_better = (action == one.best.action) == (faithful or seed == SEED)
        return Candidate(action, "", 0.6 if is_better else 0.4, tries)

    monkeypatch.setattr(mining, "judge_candidate", judged)
    assert bool(mining.confirmed(one, SEED)) is kept


def test_any_worker_can_mine_and_judge():
    job = mining.MineGame("kings-court", "", 2, SEED, 0)
    (one, *_) = puzzles(quintain.game("kings-court"))
    for each in (job, mining.JudgePuzzle(one, 100, SEED)):
        assert pickle.loads(pickle.dumps(each)) == each


def test_a_puzzle_judged_anew_has_the_shares_of_those_who_solve_it():
    found = max(puzzles(quintain.game("kings-court")), key=lambda one: mining.lead(one.candidates))
    (judged,) = mining.judge_puzzles([found], 300, 1, LocalPool(1))
    assert judged.is_confirmed and judged.best.action == found.best.action and 0 <= judged.page < 0.5
    assert mining.solved([judged]) == {"confirmed": 1, "page": judged.page, "knight": judged.knight}
