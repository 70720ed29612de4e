"""Rules run interpreted and compiled, each game as one library. Code from the cache is used when it is right."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from filelock import FileLock

from quintain.engine import home
from quintain.engine.errors import BadGame
from quintain.engine.rules import registry, rng
from quintain.engine.rules.compiling import code_cache
from quintain.engine.rules.compiling.calls import numbered
from quintain.engine.rules.compiling.compiled import compiled, compiled_rules, interpreted, is_warm
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.registry import register_file
from tutorial import write_goofspiel

KEPT = os.environ["QUINTAIN_HOME"]
"""The home of all tests, which holds the compiled Goofspiel."""
COMPILING, RULES = "Compiling Goofspiel (roll) ...", "Compiling Goofspiel (rules)"
PROGRESS, WAITING = "... Goofspiel", "Another process compiles Goofspiel (roll)"
DAMAGED = "The compiled code of Goofspiel (roll) in the cache is damaged"
NOT_KEPT = "The compiled code cannot be kept"
ROLLED = 5927040 // 2
"""What `roll` returns for the key 1, 2, 3, 4: half of the third number."""

SCRIPT = """
import sys
from pathlib import Path
from quintain.engine.rules.compiling.compiled import compiled, interpreted, is_warm
from quintain.engine.rules.registry import register_file
from driver import roll

game = register_file(Path("goofspiel.py"))
print(is_warm(game, roll), interpreted(game, roll)([1, 2, 3, 4]), "numba" in sys.modules, "numpy" in sys.modules)
import numpy
print(compiled(game, roll)(numpy.array([1, 2, 3, 4])))
"""

DRIVER = """
from quintain.engine.rules import rng
from quintain.engine.rules.linking import rule

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
def legal_actions(book: Any, s: Any, mask: Any) -> int:
    """Return the number of legal actions of seat 0."""
    return rules.legal(book, s, 0, mask)


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


@rule
def product(numbers: Any) -> int:
    """Return the last 32 bits of the product of two numbers."""
    return numbers[0] * numbers[1] & 0xFFFFFFFF


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
    """A home that holds the compiled `roll`, which calls no rule of a game."""
    path = tmp_path_factory.mktemp("rolled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUINTAIN_HOME", str(path))
        assert rolls(goofspiel) == ROLLED
    return path


@pytest.fixture
def warm(rolled_once: Path, goofspiel: Game) -> Path:
    """The file of the compiled `roll`, in a home that only this test uses."""
    shutil.copytree(rolled_once, home.cache().parent)
    (file,) = code_cache.files()
    return file


def rolls(game: Game) -> int:
    return compiled(game, roll)(np.array([1, 2, 3, 4]))


def deal(game: Game) -> tuple[Any, Any]:
    """Return a book and a dealt state as records."""
    book, s = game.make_book(2, {"cards": 13}), game.state()
    game.rules.deal(book, s)
    return game.book.array([book])[0], game.state.array([s])[0]


def lines(said: str) -> list[str]:
    """Return the known beginning of each printed line, but for those about the progress of a slow machine."""
    known = (COMPILING, RULES, WAITING, DAMAGED, NOT_KEPT)
    told = [line for line in said.splitlines() if not line.startswith(PROGRESS)]
    return [next(filter(line.startswith, known), line) for line in told]


def start(folder: Path, script: str = SCRIPT, **variables: str) -> "subprocess.Popen[str]":
    """Start a process that asks whether `roll` is warm, rolls interpreted, then compiled, or another script."""
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    write_goofspiel(folder / "goofspiel.py")
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **variables},
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
    goofspiel: Game, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("quintain.engine.rules.compiling.native.PROGRESS_EVERY", 0.0)
    rolls(goofspiel)
    first, *told = capfd.readouterr().err.splitlines()
    words = re.compile(r"\.\.\. Goofspiel \(roll\): (\d+) of (\d+) functions")
    counts = [tuple(map(int, words.fullmatch(line).groups())) for line in told]
    assert first == COMPILING and len(counts) > 1
    assert counts == sorted(counts) and counts[-1][0] <= counts[-1][1] == counts[0][1]


def test_of_several_processes_one_compiles_and_the_others_wait(tmp_path: Path):
    processes = [start(tmp_path) for _ in range(3)]
    said = []
    for process in processes:
        out, told = process.communicate()
        assert out.splitlines()[1] == f"{ROLLED}"
        said += lines(told)
    assert said.count(COMPILING) == 1 and set(said) <= {COMPILING, WAITING}
    assert len(code_cache.files()) == 1


def test_who_waits_too_long_for_another_process_compiles_too(
    goofspiel: Game, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(code_cache, "PATIENCE", 0.01)
    monkeypatch.setattr(code_cache, "LONGEST_WAIT", 0.01)
    own = compiled_rules(goofspiel)
    file = code_cache.file(f"{own.name_of(roll)}-{numbered((np.zeros(4, int),)).digest}", own.ending)
    (file.parent / code_cache.LOCKS).mkdir(parents=True)
    with FileLock(file.parent / code_cache.LOCKS / f"{file.name}.lock", is_singleton=False):
        assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [WAITING, COMPILING]
    assert is_warm(goofspiel, roll)


def test_compiled_code_is_kept_and_used_again(goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]):
    assert is_warm(goofspiel, roll)
    before = warm.stat().st_mtime_ns
    assert rolls(goofspiel) == ROLLED
    assert capfd.readouterr().err == "" and warm.stat().st_mtime_ns == before
    assert not is_warm(goofspiel, acting)


def test_a_driver_is_compiled_once_and_not_at_every_call(goofspiel: Game, capfd: pytest.CaptureFixture[str]):
    run, words = compiled(goofspiel, roll), np.array([1, 2, 3, 4])
    plain = [1, 2, 3, 4]
    assert [run(words) for _ in range(20)] == [roll(plain) for _ in range(20)]
    assert lines(capfd.readouterr().err) == [COMPILING]


def test_the_rules_of_a_game_are_compiled_once_for_all_drivers(goofspiel: Game, capfd: pytest.CaptureFixture[str]):
    assert compiled(goofspiel, acting)(*deal(goofspiel)) == 0b11
    assert lines(capfd.readouterr().err) == [RULES, "Compiling Goofspiel (acting) ..."]
    assert compiled(goofspiel, kind_of_a_bid)(*deal(goofspiel)) == 0
    assert lines(capfd.readouterr().err) == ["Compiling Goofspiel (kind_of_a_bid) ..."]
    assert is_warm(goofspiel, acting) and is_warm(goofspiel, kind_of_a_bid)
    (rules,) = code_cache.files("goofspiel-rules-")
    rules.unlink()
    assert not is_warm(goofspiel, acting)


@pytest.mark.long  # the rules are compiled once for all drivers above, and code is kept and used again
def test_a_further_driver_in_another_process_does_not_compile_the_rules_again(tmp_path: Path):
    script = """
from pathlib import Path
from quintain.bots import {bot}
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.registry import register_file
load({bot}.drivers(register_file(Path("goofspiel.py"))))
"""
    said = [start(tmp_path, script.format(bot=bot)).communicate()[1] for bot in ("greedy", "playout", "playout")]
    names = ("play_games", "play_on", "follow_policy", "deal_game", "play_part")
    further = [f"Compiling Goofspiel ({name}) ..." for name in names]
    assert list(map(lines, said)) == [[RULES, "Compiling Goofspiel (choose_greedily) ..."], further, []]


def test_arguments_of_other_types_are_refused_in_a_driver_that_has_run(goofspiel: Game):
    run = compiled(goofspiel, roll)
    assert run(np.array([1, 2, 3, 4])) == ROLLED
    with pytest.raises(TypeError, match=r"of the types int64\[1\], not float64\[1\]: make another one"):
        run(np.array([1.0, 2.0, 3.0, 4.0]))
    with pytest.raises(TypeError, match=r"a driver takes whole numbers, records, arrays, .*, not a list"):
        run([1, 2, 3, 4])
    with pytest.raises(TypeError, match="a driver takes whole numbers, records, arrays"):
        compiled(goofspiel, roll)(object())


def test_a_driver_that_gives_the_rules_arrays_of_a_wrong_type_is_told_which_are_right(goofspiel: Game):
    book, s = deal(goofspiel)
    with pytest.raises(BadGame, match=r"rules.legal takes array\(int8, .* as mask, and a driver gives it array\(int64"):
        compiled(goofspiel, legal_actions)(book, s, np.zeros(goofspiel.actions, np.int64))
    assert compiled(goofspiel, legal_actions)(book, s, np.zeros(goofspiel.actions, np.int8)) == 13


def test_code_for_other_types_is_kept_beside(goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]):
    assert compiled(goofspiel, roll)(np.array([1, 2, 3, 4], np.uint32)) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING]
    assert len(code_cache.files()) == 2
    assert rolls(goofspiel) == compiled(goofspiel, roll)(np.array([1, 2, 3, 4], np.uint32)) == ROLLED
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("Bid a card.", "Bid a card.", True),
        ("Bid a card.", "Bid one of your cards.\n\n    It is face down.\n    ", True),
        ("@rule\ndef play", "# A comment.\n\n\n@rule\ndef play", True),
        ("BID, SHOWN, WON = range(3)", "BID, SHOWN, WON = range(7, 10)", False),
        ("tell(s, BID, seat)", "tell(s, BID + 40, seat)", False),
        ("over: int = field(low=0, high=1)", "over: int = field(low=0, high=2)", False),
    ],
    ids=["another folder", "a docstring", "a comment", "a constant", "code", "a field"],
)
def test_only_what_changes_the_code_changes_its_name(old: str, new: str, same: bool, tmp_path: Path):
    found = []
    for number, (before, after) in enumerate([("", ""), (old, new)]):
        path = tmp_path / f"{number}" / "goofspiel.py"
        path.parent.mkdir()
        write_goofspiel(path)
        head = next(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("def play("))
        source = path.read_text(encoding="utf-8").replace(head, f'{head}\n    """Bid a card."""')
        assert before in source
        path.write_text(source.replace(before, after) if before else source, encoding="utf-8")
        found.append(compiled_rules(register_file(path)))
    assert (found[0].name == found[1].name) == same
    assert (found[0].name_of(acting) == found[1].name_of(acting)) == same


def test_a_changed_source_gives_the_new_behaviour(tmp_path: Path):
    path, kinds, files = tmp_path / "goofspiel.py", [], []
    write_goofspiel(path)
    source = path.read_text(encoding="utf-8")
    other_constant = source.replace("BID, SHOWN, WON = range(3)", "BID, SHOWN, WON = range(7, 10)")
    other_code = source.replace("tell(s, BID, seat)", "tell(s, BID + 40, seat)")
    for text in (source, other_constant, other_code, source):
        path.write_text(text, encoding="utf-8")
        game = register_file(path)
        kinds.append(compiled(game, kind_of_a_bid)(*deal(game)))
        files.append(len(code_cache.files("goofspiel-rules-")))
    assert kinds == [0, 7, 40, 0] and files == [1, 2, 3, 3]


IN_A_TABLE = """
from quintain.engine.rules.linking import rule
from tables import TOLD
import numpy as np
KINDS = np.array([TOLD, TOLD + 1])

@rule
def told():
    return KINDS[0]
"""
"""A helper that reads an array, which is made of a constant of a third file."""


# The constant proves it; what is hashed is the same.
@pytest.mark.long_for("an array of a helper", "a constant of a module", "a tuple")
@pytest.mark.parametrize(
    ("import_", "value"),
    [
        ("from tables import TOLD", "TOLD"),
        ("import tables", "tables.TOLD"),
        ("import helpers", "helpers.told()"),
        ("from tables import PAIR", "PAIR[0]"),
    ],
    ids=["a constant", "a constant of a module", "an array of a helper", "a tuple"],
)
def test_a_changed_value_of_another_module_gives_the_new_behaviour(
    import_: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(tmp_path)
    path, kinds = tmp_path / "goofspiel_with_tables.py", []
    write_goofspiel(path)
    source = path.read_text(encoding="utf-8").replace("tell(s, BID, seat)", f"tell(s, {value}, seat)")
    path.write_text(f"{import_}\n{source}", encoding="utf-8")
    (tmp_path / "helpers.py").write_text(IN_A_TABLE, encoding="utf-8")
    for number in (3, 44):
        (tmp_path / "tables.py").write_text(f"TOLD = {number}\nPAIR = (TOLD, 1)\n", encoding="utf-8")
        for name in ("tables", "helpers"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        game = register_file(path)
        kinds.append(compiled(game, kind_of_a_bid)(*deal(game)))
    assert kinds == [3, 44]


STEP = 2


@rule
def stepped(numbers: Any) -> int:
    """Return the first number, and STEP more."""
    return numbers[0] + STEP


def test_code_is_not_kept_where_a_value_has_changed_since_it_was_named(
    goofspiel: Game, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    """As by a test that replaces a constant: other processes would take the code for that of the usual value."""
    assert not is_warm(goofspiel, stepped) and rolls(goofspiel) == ROLLED
    files = code_cache.files()
    monkeypatch.setattr(sys.modules[__name__], "STEP", 30)
    assert compiled(goofspiel, stepped)(np.array([1])) == 31
    assert "a value that its rules read has changed in this process" in capfd.readouterr().err
    assert code_cache.files() == files


class Pair(NamedTuple):
    """Two arrays of one type."""

    first: Any
    second: Any


class Turned(NamedTuple):
    """The same with its fields in another order."""

    second: Any
    first: Any


Turned.__name__ = Turned.__qualname__ = "Pair"


def test_named_tuples_are_told_apart_by_their_fields_in_order():
    ones, twos = np.array([1]), np.array([2])
    assert numbered((Pair(ones, twos),)).digest != numbered((Turned(twos, ones),)).digest
    assert numbered((Pair(ones, twos),)).digest == numbered((Pair(twos, ones),)).digest


@rule
def even(n: int) -> bool:
    """Return whether a number is even, by the other rule."""
    return True if n == 0 else odd(n - 1)


@rule
def odd(n: int) -> bool:
    """Return whether a number is odd, by the other rule."""
    return False if n == 0 else even(n - 1)


@rule
def parity(numbers: Any) -> int:
    """Return 1 if the first number is odd."""
    return 1 if odd(numbers[0]) else 0


def test_rules_may_call_each_other_in_a_circle(goofspiel: Game):
    assert [compiled(goofspiel, parity)(np.array([n])) for n in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("setting", ["0", "1"])
def test_settings_of_numba_change_neither_bounds_nor_code(setting: str, tmp_path: Path):
    script = """
import numpy as np
from pathlib import Path
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.registry import register_file
from driver import roll
game = register_file(Path("goofspiel.py"))
for boundscheck in (True, False):
    try:
        print(compiled(game, roll, boundscheck)(np.array([1, 2, 3])) is None)
    except IndexError as error:
        print(error)
"""
    out, said = start(tmp_path, script, NUMBA_BOUNDSCHECK=setting, NUMBA_OPT="0").communicate()
    assert out.splitlines() == ["the compiled code of Goofspiel (roll) failed: index is out of bounds", "False"], said


def test_bitcode_that_is_damaged_is_made_anew_where_it_is_needed(
    goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    (bitcode,) = code_cache.files(ending=code_cache.BITCODE)
    warm.unlink()
    bitcode.write_bytes(bitcode.read_bytes()[:-1])
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [DAMAGED, COMPILING]
    assert is_warm(goofspiel, roll)


def test_one_flipped_byte_is_noticed_and_the_code_is_made_anew_from_the_bitcode(
    goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    held = bytearray(warm.read_bytes())
    for place in (0, code_cache.DIGEST, len(held) // 2, len(held) - 1):
        spoilt = held.copy()
        spoilt[place] ^= 1
        warm.write_bytes(spoilt)
        assert not is_warm(goofspiel, roll)
        assert rolls(goofspiel) == ROLLED
        assert lines(capfd.readouterr().err) == [DAMAGED]
        assert is_warm(goofspiel, roll) and rolls(goofspiel) == ROLLED
        assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(file.read_bytes()[:-20]),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"\xff\x00 no code"),
        lambda file: shutil.copy(code_cache.files("goofspiel-product")[0], file),
    ],
    ids=["truncated", "empty", "garbage", "of another name"],
)
def test_a_spoilt_file_is_noticed_and_the_code_is_made_anew_from_the_bitcode(
    spoil: Callable[[Path], None], goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    compiled(goofspiel, product)(np.array([1, 2]))
    spoil(warm)
    capfd.readouterr()
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [DAMAGED]
    assert is_warm(goofspiel, roll)


@pytest.mark.parametrize("name", ["file/home", "x" * 300], ids=["below a file", "too long a name"])
def test_a_home_that_cannot_be_written_costs_one_line_and_no_more(
    name: str, goofspiel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / name))
    assert not is_warm(goofspiel, roll)
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING, NOT_KEPT]


@pytest.mark.parametrize("lock", [True, False], ids=["not even a lock", "a lock"])
def test_a_cache_that_can_only_be_read_costs_a_compilation_and_two_lines(
    lock: bool, goofspiel: Game, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    def refuse(*arguments: Any, **more: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    if lock:
        monkeypatch.setattr(Path, "mkdir", refuse)
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [COMPILING, NOT_KEPT]
    assert code_cache.files() == []


def test_what_a_killed_process_left_behind_does_not_keep_code_from_being_kept(
    goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]
):
    warm.rename(warm.with_suffix(".part"))
    (warm.parent / code_cache.LOCKS / f"{warm.name}.lock").touch()
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == []
    assert is_warm(goofspiel, roll)


def test_compiled_products_wrap_around(goofspiel: Game):
    run = compiled(goofspiel, product)
    for pair in ([2**62, 6], [2**63 - 1, 2**63 - 1], [-(2**63), 3], [0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9]):
        assert run(np.array(pair)) == product(pair)


def test_where_nothing_may_be_compiled_drivers_run_interpreted_on_the_same_memory(tmp_path: Path):
    """It is what debuggers and measures of coverage need."""
    script = """
import numpy as np, sys
from pathlib import Path
from quintain.bots import ismcts, playout, tree
from quintain.engine.rules.compiling.compiled import is_warm
from quintain.engine.rules.registry import register_file
from quintain.envs.batch import Batch
game = register_file(Path("goofspiel.py"))
rows, kinds = np.zeros((3, 7), np.int64), np.array([0, 1, 0])
book = game.book.array([game.make_book(3, game.read_options(3, {}))])[0]
work = playout.new_workspace(game, is_compiled=True)
print(playout.compiled_games(game)(book, 3, kinds, work, 7, 0, rows), rows.tolist())
batch = Batch("goofspiel", 2, seats=2)
batch.reset(3)
for _ in range(20):
    batch.step(batch.sample())
print(batch.observation.tolist(), batch.returns.tolist(), batch.mask.tolist())
ismcts.warm_up(game)
print(is_warm(game, tree.search), file=sys.stderr)
"""
    plain, said = start(tmp_path, script, NUMBA_DISABLE_JIT="1").communicate()
    assert said == "False\n" and code_cache.files() == []
    fast, said = start(tmp_path, script, QUINTAIN_HOME=KEPT).communicate()
    assert said.endswith("True\n") and plain == fast != ""


def test_what_is_no_whole_number_is_refused(goofspiel: Game):
    run, numbers = compiled(goofspiel, number_at), np.array([5, 6, 7])
    assert run(numbers, np.int64(1)) == run(numbers, np.array(1)) == 6
    for given in (1.0, np.float64(1.0), np.array(1.0), "1", None, (1,)):
        with pytest.raises(TypeError, match="a driver takes whole numbers, records"):
            run(numbers, given)
    with pytest.raises(TypeError, match=r"Goofspiel \(number_at\) takes whole numbers of 64 bits"):
        run(numbers, 2**64)


def test_a_prepared_call_keeps_its_arrays_alive(goofspiel: Game):
    def prepared() -> Callable[[], int]:
        return compiled(goofspiel, number_at).prepared(np.arange(10_000, 20_000), 9_999)

    calls = [prepared() for _ in range(50)]
    for _ in range(50):
        np.zeros(10_000, np.int64)
    assert [call() for call in calls] == [19_999] * 50


def test_a_field_may_have_any_name(tmp_path: Path):
    write_goofspiel(path := tmp_path / "goofspiel.py")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("    prize: int = field", "    declared: int = field()\n    prize: int = field"))
    game = register_file(path)
    book, s = game.make_book(2, {"cards": 13}), game.state()
    game.rules.deal(book, s)
    assert compiled(game, acting)(in_memory(book), in_memory(s)) == 0b11


@rule
def quotient(numbers: Any) -> int:
    """Return the first number divided by the second."""
    return numbers[0] // numbers[1]


def test_a_fault_in_compiled_code_is_an_error_that_names_game_and_driver(goofspiel: Game):
    run = compiled(goofspiel, quotient)
    assert run(np.array([7, 2])) == 3
    with pytest.raises(ZeroDivisionError, match=r"^the compiled code of Goofspiel \(quotient\) failed: .*zero"):
        run(np.array([7, 0]))
    assert run(np.array([9, 2])) == 4


def test_memory_that_code_could_not_use_is_refused(goofspiel: Game):
    run = compiled(goofspiel, roll)
    read_only = np.array([1, 2, 3, 4])
    read_only.flags.writeable = False
    for given in (read_only, np.arange(8)[::2], np.array([None] * 4), np.array([1, 2, 3, 4], ">i8")):
        with pytest.raises(TypeError, match="arrays of numbers or records that it can write to, without gaps"):
            run(given)


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


def test_a_folder_in_the_place_of_a_file_costs_a_line(goofspiel: Game, warm: Path, capfd: pytest.CaptureFixture[str]):
    warm.unlink()
    warm.mkdir()
    assert rolls(goofspiel) == ROLLED
    assert lines(capfd.readouterr().err) == [DAMAGED, NOT_KEPT]
