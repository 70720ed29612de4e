"""`benchmarks/against.py` tells this tree from another commit, and says what it cannot measure."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from against import LEAST_PAIRS, interval_of_median

ROOT = Path(__file__).parents[1]
SMALL = ("--figures", "interpreted", "--pairs", str(LEAST_PAIRS), "--seconds", "0.005")
SLOWER = """

_legal = legal


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    for _ in range(20):
        _legal(book, s, seat, mask)
    return _legal(book, s, seat, mask)
"""
"""Added to the rules of King's Court, it makes them several times slower."""


def against(*arguments: str, tree: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "benchmarks/against.py", *arguments]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def measured(*arguments: str, tree: Path = ROOT) -> Any:
    ran = against(*arguments, "--json", tree=tree)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def git(tree: Path, *arguments: str) -> None:
    someone = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", *someone, *arguments], cwd=tree, check=True, capture_output=True)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with three commits: without King's Court; with it, slower than it is; and as this tree is."""
    tree = tmp_path_factory.mktemp("copy")
    for name in ("src", "benchmarks"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "vendor"))
    kings_court, rules = tree / "src/quintain/games/kings_court", (ROOT / "src/quintain/games/kings_court/rules.py")
    git(tree, "init", "--quiet")
    kings_court.rename(tree / "elsewhere")
    commit(tree, "without")
    (tree / "elsewhere").rename(kings_court)
    with (kings_court / "rules.py").open("a") as file:
        file.write(SLOWER)
    commit(tree, "slower")
    shutil.copy(rules, kings_court / "rules.py")
    commit(tree, "same")
    return tree


def commit(tree: Path, tag: str) -> None:
    git(tree, "add", "src")
    git(tree, "commit", "--quiet", "--message", tag)
    git(tree, "tag", tag)


def test_the_tree_itself_is_about_as_fast_as_its_commit():
    figure = measured("HEAD", "kings-court", *SMALL)["kings-court"]["interpreted"]
    assert figure["low"] <= figure["ratio"] <= figure["high"]
    assert figure["this"] > 0 and figure["other"] > 0


def test_a_slower_commit_is_found_to_be_slower(copy: Path):
    figure = measured("slower", "kings-court", *SMALL, tree=copy)["kings-court"]["interpreted"]
    assert figure["low"] > 2
    assert figure["this"] > 2 * figure["other"]


def test_changes_that_are_not_committed_are_measured(copy: Path, tmp_path: Path):
    tree = shutil.copytree(copy, tmp_path / "changed")
    with (tree / "src/quintain/games/kings_court/rules.py").open("a") as file:
        file.write(SLOWER)
    assert measured("same", "kings-court", *SMALL, tree=tree)["kings-court"]["interpreted"]["high"] < 0.5


@pytest.mark.long  # the slower commit below runs the whole comparison
def test_a_game_that_the_other_commit_lacks_is_none(copy: Path):
    ran = against("without", "kings-court", *SMALL, tree=copy)
    assert ran.returncode == 0, ran.stderr
    assert "none" in ran.stdout
    assert "kings-court, interpreted: the other commit lacks it (UnknownGame: there is no game" in ran.stderr
    assert measured("without", "kings-court", *SMALL, tree=copy) == {"kings-court": {"interpreted": None}}


@pytest.mark.long  # the slower commit below runs the whole comparison
def test_a_kept_commit_is_not_checked_out_again(copy: Path, tmp_path: Path):
    keep = ("--keep", str(tmp_path))
    measured("same", "kings-court", *SMALL, *keep, tree=copy)
    (kept,) = tmp_path.iterdir()
    rules = kept / "src/quintain/games/kings_court/rules.py"
    with rules.open("a") as file:
        file.write(SLOWER)
    assert measured("same", "kings-court", *SMALL, *keep, tree=copy)["kings-court"]["interpreted"]["low"] > 1
    assert rules.read_text().endswith(SLOWER)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "there is no commit 'nowhere' in this repository: name a hash, a branch or a tag that it has"),
        (("HEAD", "chess"), "there is no game 'chess'; there are heirless, kings-court, robin, round-table, rune-war"),
        (("HEAD", "--figures", "guesses"), "there is no figure 'guesses'; there are compiled, search, interpreted"),
        (("HEAD", "--pairs", "5"), "'5' pairs give no interval; it takes a whole number from 6 on"),
        (("HEAD", "--seconds", "none"), "a slice cannot last 'none' seconds; it lasts more than 0 and at most 60"),
    ],
    ids=["commit", "game", "figure", "pairs", "seconds"],
)
def test_a_wrong_argument_is_answered_by_a_sentence(arguments: tuple[str, ...], said: str):
    ran = against(*arguments)
    assert ran.returncode == 2
    assert ran.stderr.endswith(f"{said}\n") and "Traceback" not in ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize(("count", "low", "high"), [(6, 1, 6), (25, 8, 18), (101, 41, 61)])
def test_the_interval_of_the_median_has_the_ranks_of_the_tables(count: int, low: int, high: int):
    values = [float(value) for value in range(count, 0, -1)]
    assert interval_of_median(values) == (low, high)


@pytest.mark.long
def test_every_figure_of_a_commit_is_measured():
    figures = measured("HEAD", "kings-court", "--pairs", str(LEAST_PAIRS), "--seconds", "0.01")["kings-court"]
    assert list(figures) == ["compiled", "search", "interpreted"]
    assert all(0.5 < one["ratio"] < 2 for one in figures.values())
