"""Features that leave something unwritten, read what is hidden or favour a seat fail the check that is about it."""

from pathlib import Path

import pytest

from quintain.conformance import CHECKS, cases_of
from quintain.conformance.suite import try_check
from quintain.engine.errors import BadGame
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game, register_file
from tutorial import write_goofspiel

HERE = "here = sys.modules"
RIGHT = """STATE_FEATURES, ACTION_FEATURES = 2, 1


@rule
def state_features(book: Book, s: State, seat: int, out: list[float]) -> None:
    out[0] = s.points[seat] / 10.0
    out[1] = s.prize / 13.0


@rule
def action_features(book: Book, s: State, seat: int, action: int, state: list[float], out: list[float]) -> None:
    out[0] = action / 13.0


"""
NAMES = [name for name in CHECKS if "features" in name]


def goofspiel(tmp_path: Path, features: str) -> Game:
    """Return a Goofspiel that writes features."""
    path = tmp_path / "game.py"
    write_goofspiel(path)
    path.write_text(path.read_text(encoding="utf-8").replace(HERE, features + HERE), encoding="utf-8")
    return register_file(path)


def test_features_that_are_right_pass_every_check(tmp_path: Path):
    cases = cases_of(goofspiel(tmp_path, RIGHT))
    assert len(NAMES) == 4
    assert {name: try_check(CHECKS[name], cases).state for name in NAMES} == dict.fromkeys(NAMES, "passed")


@pytest.mark.parametrize(
    ("old", "new", "name", "words"),
    [
        (
            "    out[1] = s.prize / 13.0\n",
            "",
            "features_are_written_whole",
            "state_features leaves the features 1 unwritten",
        ),
        (
            "action / 13.0",
            "action * 100.0",
            "features_are_written_whole",
            "writes the features 0 farther from 0 than 100",
        ),
        (
            "out[0] = s.points[seat] / 10.0",
            "out[0] = s.bid[book.seats - 1 - seat] / 13.0",
            "features_use_nothing_hidden",
            "state_features reads what seat",
        ),
        (
            "s.points[seat]",
            "s.points[0]",
            "features_of_a_state_turn_with_the_seats",
            "differ from those of the turned state",
        ),
        (
            "s.prize / 13.0",
            "(1 << 61 + s.prize % 2) * 8 / 2.0**63",
            "features_agree_in_both_forms",
            "interpreted than compiled",
        ),
    ],
    ids=["unwritten", "far", "hidden", "a seat apart", "two forms"],
)
def test_a_slip_in_features_is_found(old: str, new: str, name: str, words: str, tmp_path: Path):
    assert old in RIGHT
    result = try_check(CHECKS[name], cases_of(goofspiel(tmp_path, RIGHT.replace(old, new))))
    assert result.state == "failed" and words in result.words


def test_games_without_features_are_skipped():
    cases = cases_of(game("kings-court"))
    assert {try_check(CHECKS[name], cases).state for name in NAMES} == {"skipped"}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("def action_features", "def other_features", "writes state_features without action_features: nets need both"),
        ("ACTION_FEATURES = 2, 1", "ACTION_FEATURES = 2, 0", "must be how many numbers action_features writes"),
        ("STATE_FEATURES, ACTION", "OTHER, ACTION", "STATE_FEATURES of goofspiel must be how many numbers"),
        ("seat: int, out", "seat: int, row", r"state_features takes \(book, s, seat, out\)"),
    ],
    ids=["one alone", "no numbers", "no constant", "other parameters"],
)
def test_features_that_cannot_be_used_are_refused(old: str, new: str, words: str, tmp_path: Path):
    assert old in RIGHT
    with pytest.raises(BadGame, match=words):
        goofspiel(tmp_path, RIGHT.replace(old, new))
