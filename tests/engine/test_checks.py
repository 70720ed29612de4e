"""A game that breaks the contract is refused when it is made, and so is a rule that would not compile."""

from pathlib import Path

import pytest

from quintain.engine import home
from quintain.engine.errors import BadGame
from quintain.engine.rules import registry
from quintain.engine.rules.registry import register_file
from quintain.lab.simulation import simulate
from tutorial import write_goofspiel

MOST_LINES = 10


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "_games", {})
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))


def refused(path: Path, *changes: tuple[str, str]) -> str:
    """Return the error that the tutorial's game gives when it is registered with some of its text changed."""
    write_goofspiel(path)
    code = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in code
        code = code.replace(old, new, 1)
    path.write_text(code, encoding="utf-8")
    with pytest.raises(BadGame) as error:
        register_file(path)
    assert len(str(error.value).splitlines()) < MOST_LINES
    return str(error.value)


def line_of(path: Path, text: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "@rule\ndef highest_bidder(",
            "def highest_bidder(",
            "calls highest_bidder, which is not marked with @rule",
        ),
        ("s.points[winner] +=", "s.point[winner] +=", "State has no field point; perhaps points"),
        (
            "(1 << book.seats) - 1\n\n\n@rule\ndef to_act",
            "(1 << book.seat) - 1\n\n\n@rule\ndef to_act",
            "perhaps seats",
        ),
        ("        reveal(book, s)", "        reveal(s, book)", "reveal takes a Book as book, and is given s, a State"),
        ("        reveal(book, s)", "        reveal(book)", "missing a required argument: 's'"),
        ("        reveal(book, s)", "        revael(book, s)", "there is no revael; perhaps reveal"),
        ("    tell(s, BID, seat)", "    tell(s, BID, seat, sceret=1)", "got an unexpected keyword argument 'sceret'"),
        ("    tell(s, BID, seat)", "    s.events[0].knid = BID", "Event has no field knid; perhaps kind"),
        (
            "    tell(s, BID, seat)",
            "    event = s.events[0]\n    event.knid = 1",
            "Event has no field knid; perhaps kind",
        ),
        ("    tell(s, BID, seat)", "    s.shown = [0] * SEATS", "a rule cannot make a list, a text or another object"),
        ("    tell(s, BID, seat)", "    s.over = len({seat for seat in range(2)}) - 2", "a rule cannot make a list"),
        ("    tell(s, BID, seat)", '    raise ValueError("no")', "nor raise or catch errors"),
    ],
    ids=lambda text: None,
)
def test_a_rule_that_would_not_compile_is_refused_with_its_line_and_cause(
    tmp_path: Path, old: str, new: str, said: str
):
    message = refused(path := tmp_path / "goofspiel.py", (old, new))
    wrong = {
        "def highest_bidder(": "highest_bidder(book, s.shown)",
        "    tell(s, BID, seat)": "    s.events[0].knid = BID" if "events[0].knid" in new else new.splitlines()[-1],
    }
    mark = next((place for key, place in wrong.items() if key in old), new.splitlines()[0])
    assert message.startswith(f"{path}, line {line_of(path, mark.strip())}, in ")
    assert said in message


WRAPPER = "@functools.wraps(six)\ndef told():\n    return 7"
KEPT = "which compiled code would keep as it is now"


@pytest.mark.parametrize(
    ("made", "read", "said"),
    [
        ("KINDS = [7, 8]", "KINDS[0]", f"it reads KINDS, of the type list, {KEPT}"),
        ("KINDS = {1: 2}", "KINDS[1]", f"it reads KINDS, of the type dict, {KEPT}"),
        ("class Kinds:\n    told = 7", "Kinds.told", f"it reads Kinds, of the type type, {KEPT}"),
        ("import enum\nclass Kinds(enum.IntEnum):\n    told = 7", "Kinds.told", "it reads Kinds, of the type EnumType"),
        ("KINDS = ((1, [2]), 3)", "KINDS[1]", f"it reads KINDS, of the type tuple, {KEPT}"),
        ("import math", "len(str(math))", "it reads math, a module"),
        ("import numpy as np\nKINDS = np.array([None, 2])", "KINDS[1]", "it reads KINDS, of the type ndarray"),
        ("def told(): return 7", "max(3, told())", "it calls told, which is not marked with @rule"),
        ("KEEP = State()", "KEEP.prize", "it reads KEEP, of the type State"),
        (
            "import sys, types\nM = types.ModuleType('M')\nM.__getattr__ = lambda name: 7",
            "M.told",
            "there is no M.told",
        ),
    ],
)
def test_a_value_that_could_change_unseen_is_refused_with_its_line(tmp_path: Path, made: str, read: str, said: str):
    path = tmp_path / "goofspiel.py"
    line = f"    tell(s, {read}, seat)"
    message = refused(path, ("@rule\ndef deal", f"{made}\n\n\n@rule\ndef deal"), ("    tell(s, BID, seat)", line))
    assert message.startswith(f"{path}, line {line_of(path, line)}, in ") and said in message


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("@rule\ndef told(n=[7]):\n    return n[0]", "in told: it reads a default, of the type list"),
        ("@rule\ndef told():\n    def inner():\n        return 7\n    return inner()", "a rule cannot make a list"),
        ("told = rule(lambda: 7)", ""),
        ("import functools\n@rule\ndef six():\n    return 6\n\n\n" + WRAPPER, "wraps no other function"),
    ],
    ids=["a default", "a function inside", "a lambda", "a wrapper"],
)
def test_rules_of_unusual_forms_are_refused_or_work(tmp_path: Path, made: str, said: str):
    path, told = tmp_path / "goofspiel.py", "    tell(s, told(), seat)"
    changes = (("@rule\ndef deal", f"{made}\n\n\n@rule\ndef deal"), ("    tell(s, BID, seat)", told))
    if said:
        assert said in refused(path, *changes)
    else:
        write_goofspiel(path)
        code = path.read_text(encoding="utf-8")
        path.write_text(code.replace(*changes[0], 1).replace(*changes[1], 1), encoding="utf-8")
        assert simulate(register_file(path), 3, ["random"] * 2, {}, 0).games == 3


def test_numbers_texts_tuples_and_arrays_may_be_read(tmp_path: Path):
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    code = path.read_text(encoding="utf-8")
    values = "import math\nimport numpy as np\nA, B, C = np.array([0, 1]), (0, (1.5, True)), np.int64(0)\n\n\n"
    read = "tell(s, A[0] + B[0] + C + int(math.sqrt(0)) + np.int64(BID), seat)"
    code = code.replace("@rule\ndef deal", f"{values}@rule\ndef deal", 1).replace("tell(s, BID, seat)", read, 1)
    path.write_text(code, encoding="utf-8")
    assert register_file(path).id == "goofspiel"


@pytest.mark.parametrize("extra", ["", ", *, least=1"], ids=["a variable around it", "a parameter after a star"])
def test_a_rule_that_is_more_than_a_plain_function_is_refused(tmp_path: Path, extra: str):
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    code = path.read_text(encoding="utf-8")
    (head,) = [line for line in code.splitlines() if line.startswith("def highest_bidder(")]
    if extra:
        message = refused(path, (head, head.replace(") ->", f"{extra}) ->")))
    else:
        around = "def around(n):\n    @rule\n    def told():\n        return n\n    return told\n\n\ntold = around(7)"
        told = ("@rule\ndef deal", f"{around}\n\n\n@rule\ndef deal")
        message = refused(path, told, ("tell(s, BID, seat)", "tell(s, told(), seat)"))
    assert "cannot be compiled: a rule stands at the top of its module" in message and f"{path}, line " in message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "def to_act(book: Book, s: State)",
            "def to_act(s: State, book: Book)",
            "takes (book, s), not (s, book)",
        ),
        ("def view(book: Book, blinded: State, seat: int)", "def view(book: Book, blinded: State)", "takes 3 "),
    ],
    ids=["rules", "words"],
)
def test_a_function_with_wrong_parameters_is_refused(tmp_path: Path, old: str, new: str, said: str):
    message = refused(path := tmp_path / "goofspiel.py", (old, new))
    name, marked = new.removeprefix("def ").partition("(")[0], "to_act" in new
    assert f"{path}, line {line_of(path, new) - marked}: {name} {said}" in message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("weight=1", "weight=6", "weight from 1 to 5"),
        ("minutes=(5, 10)", "minutes=(10, 5)", "as minutes the shortest and the longest time"),
        ("seats=(2, SEATS, 2)", "seats=(2, SEATS, 5)", "the seats of goofspiel"),
    ],
)
def test_a_game_with_impossible_facts_is_refused(tmp_path: Path, old: str, new: str, said: str):
    assert said in refused(tmp_path / "goofspiel.py", (old, new))


def test_a_rule_may_take_the_book_and_state_of_any_game(tmp_path: Path):
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    code = path.read_text(encoding="utf-8").replace("import UNKNOWN,", "import UNKNOWN, GameState,", 1)
    path.write_text(code.replace("def reveal(book: Book, s: State)", "def reveal(book: Record, s: GameState)", 1))
    assert register_file(path).id == "goofspiel"


def test_an_error_that_only_numba_finds_is_reported_in_few_lines(tmp_path: Path):
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    code = path.read_text(encoding="utf-8")
    path.write_text(code.replace("    tell(s, BID, seat)", '    s.prize += "one"', 1), encoding="utf-8")
    game = register_file(path)
    with pytest.raises(BadGame) as error:
        simulate(game, 1, ["random"] * 2, {}, 0)
    message = str(error.value)
    assert len(message.splitlines()) < MOST_LINES
    place = f"{path}, line {line_of(path, 's.prize += ')}"
    assert message.startswith(f"the rules of goofspiel do not compile: {place}: ")
    assert not list(home.cache().glob("goofspiel-*"))
