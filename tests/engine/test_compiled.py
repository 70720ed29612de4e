"""Rules run interpreted and compiled. The cache of compiled code is used when it is right, and replaced when not."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quintain.engine import home, registry, rng
from quintain.engine.compiled import MANIFEST, compiled, interpreted, is_warm, rule, rules
from quintain.engine.game import Game
from quintain.engine.registry import register_file
from tutorial import write_goofspiel

COMPILING = "Compiling Goofspiel (roll)"
DAMAGED = "The compiled code of Goofspiel in the cache is damaged"
NOT_KEPT = "The compiled code cannot be kept"
ROLLED = 5927040 // 2
"""What `roll` returns for the key 1, 2, 3, 4: half of the third number."""

SCRIPT = """
import sys
from pathlib import Path
from quintain.engine.compiled import compiled, interpreted, is_warm
from quintain.engine.registry import register_file
from driver import roll

game = register_file(Path("goofspiel.py"))
print(is_warm(game, roll), interpreted(game, roll)([1, 2, 3, 4]), "numba" in sys.modules, "numpy" in sys.modules)
import numpy
print(compiled(game, roll)(numpy.array([1, 2, 3, 4])))
"""

DRIVER = """
from quintain.engine import rng
from quintain.engine.compiled import rule

@rule
def roll(words):
    rng.draw(words)
    rng.draw(words)
    return rng.below(words, 2**31)
"""


@rule
def roll(words: Any) -> int:
    """Return a number below 2**31, made from the third draw."""
    rng.draw(words)
    rng.draw(words)
    return rng.below(words, 2**31)


@rule
def acting(book: Any, s: Any) -> int:
    """Return the seats that may act."""
    return rules.to_act(book, s)


@rule
def kind_of_a_bid(book: Any, s: Any) -> int:
    """Bid the 5, and return the kind of the event for this bid."""
    rules.play(book, s, 0, 5)
    return s.events[0].kind


@rule
def number_at(numbers: Any, place: int) -> int:
    """Return the number at a place of an array; the place may be outside."""
    return numbers[place]


@rule
def number_beside(numbers: Any, place: int) -> int:
    """Return the number after a place, by a rule."""
    return number_at(numbers, place + 1)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(registry, "_games", {})


@pytest.fixture(scope="module")
def goofspiel(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("games") / "goofspiel.py"
    write_goofspiel(path)
    return register_file(path)


@pytest.fixture(scope="module")
def rolled_once(goofspiel: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the compiled `roll`."""
    path = tmp_path_factory.mktemp("rolled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUINTAIN_HOME", str(path))
        assert rolls(goofspiel) == ROLLED
    return path


@pytest.fixture
def warm(rolled_once: Path, goofspiel: Game) -> Path:
    """The folder of the compiled `roll`, in a home that only this test uses."""
    shutil.copytree(rolled_once, home.cache().parent)
    (folder,) = home.cache().iterdir()
    return folder


def rolls(game: Game) -> int:
    return compiled(game, roll)(np.array([1, 2, 3, 4]))


def deal(game: Game) -> tuple[Any, Any]:
    """Return a book and a dealt state as records."""
    book, s = game.make_book(2, {"cards": 13}), game.state()
    game.rules.deal(book, s)
    return game.book.array([book])[0], game.state.array([s])[0]


def lines(said: str) -> list[str]:
    """Return the known beginning of each printed line."""
    known = (COMPILING, DAMAGED, NOT_KEPT)
    return [next(filter(line.startswith, known), line) for line in said.splitlines()]


def code_file(folder: Path) -> Path:
    (path,) = folder.rglob("*.nbc")
    return path


def flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def start(folder: Path) -> "subprocess.Popen[str]":
    """Start a process that asks whether `roll` is warm, rolls interpreted, then compiled."""
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    write_goofspiel(folder / "goofspiel.py")
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_first_process_says_that_it_compiles_and_the_next_is_warm_and_silent_without_numba(tmp_path: Path):
    first, first_said = start(tmp_path).communicate()
    assert first.splitlines() == [f"False {ROLLED} False False", f"{ROLLED}"]
    assert lines(first_said) == [COMPILING]
    second, second_said = start(tmp_path).communicate()
    assert second.splitlines() == [f"True {ROLLED} False False", f"{ROLLED}"]
    assert second_said == ""


def test_a_long_compilation_says_how_many_functions_are_done(
    goofspiel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path))
    monkeypatch.setattr("quintain.engine.compiled.PROGRESS_EVERY", 0.0)
    rolls(goofspiel)
    first, *told = lines(capfd.readouterr().err)
    counts = [tuple(map(int, re.fullmatch(r"\.\.\. (\d+) of (\d+) functions", line).groups())) for line in told]
    assert first == COMPILING and len(counts) > 1
    assert counts == sorted(counts) and counts[-1][0] <= counts[-1][1] == counts[0][1]


def test_processes_that_compile_at_the_same_time_do_no_harm(tmp_path: Path):
    processes = [start(tmp_path) for _ in range(2)]
    for process in processes:
        out, said = process.communicate()
        assert out.splitlines()[1] == f"{ROLLED}" and set(lines(said)) <= {COMPILING}
    assert len(list(home.cache().iterdir())) == 1
    out, said = start(tmp_path).communicate()
    assert out.splitlines()[0].startswith("True") and said == ""


def test_compiled_code_is_kept_and_used_again(goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]):
    assert is_warm(goofspiel, roll)
    before = {path: path.stat().st_mtime_ns for path in warm.rglob("*")}
    assert rolls(goofspiel) == ROLLED
    assert capfd.readouterr().err == ""
    assert {path: path.stat().st_mtime_ns for path in warm.rglob("*")} == before
    assert not is_warm(goofspiel, acting)


def test_a_driver_is_compiled_once_and_not_at_every_call(goofspiel: Game, capfd: pytest.CaptureFixture[str]):
    run, words = compiled(goofspiel, roll), np.array([1, 2, 3, 4])
    plain = [1, 2, 3, 4]
    assert [run(words) for _ in range(20)] == [roll(plain) for _ in range(20)]
    assert lines(capfd.readouterr().err) == [COMPILING]


def test_a_changed_source_gives_another_folder_and_the_new_behaviour(tmp_path: Path):
    path, kinds, folders = tmp_path / "goofspiel.py", [], []
    write_goofspiel(path)
    source = path.read_text(encoding="utf-8")
    other_constant = source.replace("BID, SHOWN, WON = range(3)", "BID, SHOWN, WON = range(7, 10)")
    other_code = source.replace("tell(s, BID, seat)", "tell(s, BID + 40, seat)")
    for text in (source, other_constant, other_code, source):
        path.write_text(text, encoding="utf-8")
        game = register_file(path)
        kinds.append(compiled(game, kind_of_a_bid)(*deal(game)))
        folders.append(len(list(home.cache().iterdir())))
    assert kinds == [0, 7, 40, 0] and folders == [1, 2, 3, 3]


@pytest.mark.parametrize(
    ("import_", "constant"),
    [("from tables import TOLD", "TOLD"), ("import tables", "tables.TOLD")],
    ids=["the constant is imported", "the module is imported"],
)
def test_a_changed_constant_of_another_module_gives_the_new_behaviour(
    import_: str, constant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(tmp_path)
    path, kinds = tmp_path / "goofspiel_with_tables.py", []
    write_goofspiel(path)
    source = path.read_text(encoding="utf-8").replace("tell(s, BID, seat)", f"tell(s, {constant}, seat)")
    path.write_text(f"{import_}\n{source}", encoding="utf-8")
    for number in (3, 44):
        (tmp_path / "tables.py").write_text(f"TOLD = {number}\n", encoding="utf-8")
        monkeypatch.delitem(sys.modules, "tables", raising=False)
        game = register_file(path)
        kinds.append(compiled(game, kind_of_a_bid)(*deal(game)))
    assert kinds == [3, 44]


def test_code_that_another_process_has_kept_meanwhile_is_left_there(
    goofspiel: Game, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    def rename_too_late(self: Path, target: Path) -> Path:
        shutil.copytree(self, target)
        return rename(self, target)

    rename = Path.rename
    monkeypatch.setattr(Path, "rename", rename_too_late)
    assert rolls(goofspiel) == rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING]
    assert len(list(home.cache().iterdir())) == 1


def test_one_flipped_byte_is_noticed_and_the_code_is_made_anew(
    goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    flip_a_byte(code_file(warm))
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [DAMAGED, COMPILING]
    assert rolls(goofspiel) == ROLLED
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "spoil",
    [
        lambda manifest: manifest.write_bytes(manifest.read_bytes()[:-20]),
        lambda manifest: manifest.write_bytes(b"\xff\x00 no manifest"),
        lambda manifest: manifest.write_text("[]"),
        lambda manifest: manifest.write_text(json.dumps({"other": "file"})),
        lambda manifest: manifest.unlink(),
    ],
    ids=["truncated", "garbage", "of another kind", "of other files", "missing"],
)
def test_a_spoilt_manifest_is_noticed_and_the_code_is_made_anew(
    spoil: Callable[[Path], None], goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    spoil(warm / MANIFEST)
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [DAMAGED, COMPILING]
    assert is_warm(goofspiel, roll) and list(json.loads((warm / MANIFEST).read_text()))


@pytest.mark.parametrize("name", ["file/home", "x" * 300], ids=["below a file", "too long a name"])
def test_a_home_that_cannot_be_written_costs_one_line_and_no_more(
    name: str, goofspiel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / name))
    assert not is_warm(goofspiel, roll)
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING, NOT_KEPT]


@pytest.mark.parametrize("below", ["/", "home"])
def test_a_cache_that_can_only_be_read_costs_a_compilation_and_two_lines(
    below: str,
    goofspiel: Game,
    warm: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    """Numba must not use another folder, where it would not notice that the rules have changed."""

    def refuse(*arguments: Any, dir: Path, **more: Any) -> Any:
        if Path(dir).is_relative_to(tmp_path / below):
            raise PermissionError(13, "Permission denied")
        return make(*arguments, dir=dir, **more)

    make = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)  # Numba's way to see whether it may write
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING, NOT_KEPT]


def test_what_a_killed_process_left_behind_does_not_keep_code_from_being_kept(
    goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    warm.rename(warm.with_name(f"{warm.name}.{os.getpid()}"))
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING]
    assert is_warm(goofspiel, roll)


@pytest.mark.parametrize(("driver", "last"), [(number_at, 2), (number_beside, 1)], ids=["in a driver", "in a rule"])
def test_bounds_are_checked_on_request(driver: Callable[..., int], last: int, goofspiel: Game):
    checked, numbers = compiled(goofspiel, driver, boundscheck=True), np.array([5, 6, 7])
    assert checked(numbers, last) == 7
    for place in (last + 1, -9, 10**6):
        with pytest.raises(IndexError):
            checked(numbers, place)


def test_a_driver_that_is_bound_to_no_game_says_what_to_do():
    with pytest.raises(
        TypeError, match=r"^rules.to_act belongs to no game: bind the driver by `interpreted` or `compiled` first$"
    ):
        acting(None, None)


def test_a_bound_driver_gives_the_same_on_plain_objects_and_records(goofspiel: Game):
    book, s = goofspiel.make_book(3, {"cards": 13}), goofspiel.state()
    goofspiel.rules.deal(book, s)
    records = goofspiel.book.array([book])[0], goofspiel.state.array([s])[0]
    assert interpreted(goofspiel, acting)(book, s) == compiled(goofspiel, acting)(*records) == 0b111
    goofspiel.rules.play(book, s, 1, 5)
    records[1]["waiting"] = 0b100
    assert interpreted(goofspiel, acting)(book, s) == 0b101 and compiled(goofspiel, acting)(*records) == 0b100


def test_binding_a_driver_to_one_game_leaves_it_free_for_others_and_changes_no_module(goofspiel: Game):
    court = registry.game("kings-court")
    of_court, of_goofspiel = interpreted(court, acting), interpreted(goofspiel, acting)
    book, s = goofspiel.make_book(2, {"cards": 4}), goofspiel.state()
    goofspiel.rules.deal(book, s)
    court_book, court_state = court.make_book(2, {"garnets": [3, 1]}), court.state()
    court.rules.deal(court_book, court_state)
    assert of_goofspiel(book, s) == 0b11 and of_court(court_book, court_state) == 0b01
    with pytest.raises(TypeError, match="bind the driver"):
        acting(book, s)
    assert of_court.__globals__ is not acting.__globals__ and acting.__globals__["rules"] is rules


def test_a_file_in_the_place_of_a_cache_folder_gives_way(
    goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    shutil.rmtree(warm)
    warm.write_text("garbage")
    assert rolls(goofspiel) == ROLLED
    assert warm.is_dir() and is_warm(goofspiel, roll)
    assert lines(capfd.readouterr().err)[-1] == COMPILING
