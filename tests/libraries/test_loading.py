"""A library is used only where it is right, without numpy, Numba or llvmlite, and faults in it are errors."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.sitting import Run
from libraries.building import built, use
from quintain.bots import ismcts
from quintain.engine.rules import registry
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.compiling.calls import numbered
from quintain.engine.rules.compiling.compiled import compiled, is_warm, source_of
from quintain.engine.rules.compiling.targets import here
from quintain.games.kings_court import rules as court_rules
from tutorial import write_goofspiel

BARRED = "import sys\nfor name in ('numpy', 'numba', 'llvmlite'): sys.modules[name] = None\n"
"""What makes a process one on a machine without a compiler."""
WHOLE_GAME = """
import quintain
from quintain.bots import Budget, Level, Player, greedy, ismcts
from quintain.engine.rules.compiling.calls import numbered
from quintain.engine.rules.compiling.compiled import load
from quintain.bots.ismcts import Ismcts
from quintain.bots.greedy import Greedy
from quintain.bots.policy import Policy
import sys
match = quintain.Match.new({game!r}, seed=bytes(32), seats={seats})
load(ismcts.drivers(match.game))
load(greedy.drivers(match.game))
kinds = [Ismcts, Greedy, Policy]
players = [Player(Level("x", kinds[seat % 3], Budget(simulations=300)), match.game, seat) for seat in range({seats})]
while match.to_act:
    seat = min(match.to_act)
    match.play(seat, players[seat].choose(match.seen(seat)))
print([entry.text for entry in match.moves_made], {{player.note for player in players}})
print(sorted({{"numpy", "numba", "llvmlite"}} & {{name for name, module in sys.modules.items() if module}}))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A copy of the library of King's Court, which is used."""
    shutil.copytree(built("kings-court", here()), tmp_path / "libraries")
    use(tmp_path / "libraries", monkeypatch)
    yield tmp_path / "libraries"
    monkeypatch.undo()
    libraries.forget()


def ran(script: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    own = {key: value for key, value in os.environ.items() if key != libraries.SETTING} | variables
    return subprocess.run([sys.executable, "-c", script], env=own, capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.parametrize("id_", ["kings-court", "robin"])
def test_bots_play_the_same_game_without_numpy_numba_and_llvmlite(id_: str, tmp_path: Path):
    script = WHOLE_GAME.format(game=id_, seats=2)
    from_library = ran(BARRED + script, QUINTAIN_LIBRARIES=str(built(id_, here())), QUINTAIN_HOME=str(tmp_path))
    by_numba = ran(script, QUINTAIN_LIBRARIES="none")
    assert from_library.stderr == "" == by_numba.stderr
    (moves, imported), (others, _) = from_library.stdout.splitlines(), by_numba.stdout.splitlines()
    assert moves == others and len(moves) > 500 and moves.endswith("{''}")
    assert imported == "[]"


def test_without_library_and_compiler_bots_think_less_far_and_say_what_helps(tmp_path: Path):
    script = """
import quintain
from quintain.bots import CHAMPION
from quintain.bots.ismcts import Ismcts
match = quintain.Match.new("kings-court", seed=bytes(32))
bot, seat = Ismcts(match.game, 1), min(match.to_act)
print(bot.choose(match.seen(seat), CHAMPION) in match.seen(seat).legal, bot.note, bot.is_getting_ready)
from quintain.bots import playout
from quintain.engine.rules.compiling.memory import in_memory, zeros
book = in_memory(match.game.make_book(2, match.game.read_options(2, {})))
work = playout.new_workspace(match.game, is_compiled=True)
print(playout.compiled_games(match.game)(book, 2, zeros("int64", 2), work, 3, 0, zeros("int64", 1, 5)))
"""
    done = ran(BARRED + script, QUINTAIN_LIBRARIES="none", QUINTAIN_HOME=str(tmp_path))
    first, second = done.stdout.splitlines()
    assert first == (
        "True its search is not compiled, so it thinks less far ahead. "
        "To compile it, type `pip install 'quintain[compiler]'` False"
    )
    assert int(second) > 10
    assert done.stderr == (
        "King's Court (play_games) runs interpreted: there are no libraries in none, and Numba is not installed. "
        "To compile it, type `pip install 'quintain[compiler]'`.\n"
    )


def test_a_library_that_fits_is_used_and_said_to_be(folder: Path, quintain: Run):
    court = registry.game("kings-court")
    assert is_warm(court, ismcts.search) and libraries.problem(court, ismcts.search) == ""
    out = " ".join(quintain("compile", "kings-court", "--list").out.split())
    assert "search" in out and "library" in out and "nothing yet" not in out


def test_a_damaged_library_is_not_used(folder: Path):
    (file,) = (folder / here()).iterdir()
    spoilt = bytearray(file.read_bytes())
    spoilt[len(spoilt) // 2] ^= 1
    file.write_bytes(spoilt)
    libraries.forget()
    court = registry.game("kings-court")
    assert libraries.problem(court, ismcts.search) == "its library is missing, damaged, or does not fit this machine"
    file.unlink()
    libraries.forget()
    assert not libraries.holds(court, ismcts.search)
    assert ismcts.drivers(court) and compiled(court, ismcts.search).game is court


@pytest.mark.parametrize("spoil", [Path.mkdir, lambda file: file.symlink_to("nowhere"), os.mkfifo])
def test_what_is_no_file_is_not_used(spoil: Any, folder: Path):
    (file,) = (folder / here()).iterdir()
    file.unlink()
    spoil(file)
    libraries.forget()
    assert not libraries.holds(registry.game("kings-court"), ismcts.search)


def test_files_beside_a_library_do_not_matter(folder: Path):
    for ending in ("1", "aaa", "so.bak"):
        (folder / here() / f"kings-court.{ending}").write_bytes(b"")
    libraries.forget()
    assert libraries.holds(registry.game("kings-court"), ismcts.search)


def test_a_driver_that_the_index_names_but_the_library_lacks_is_not_used(folder: Path):
    index = json.loads((folder / libraries.INDEX).read_text())
    (example,) = ismcts.drivers(registry.game("kings-court"))
    held = index[here()]["kings-court"]["drivers"]
    index[here()]["kings-court"]["drivers"] = [*held, *(name[:-8] + "0" * 8 for name in held)]
    (folder / libraries.INDEX).write_text(json.dumps(index))
    libraries.forget()
    assert libraries.load(registry.game("kings-court"), ismcts.search, "0" * 8) is None
    assert libraries.load(registry.game("kings-court"), ismcts.search, numbered(example.arguments).digest)


def test_arguments_of_other_types_have_no_driver_in_a_library(folder: Path):
    said = libraries.problem(registry.game("kings-court"), ismcts.search, "0" * 8)
    assert said == "its library has this driver for arguments of other types"


def test_the_digest_tells_which_rule_is_which(folder: Path, monkeypatch: pytest.MonkeyPatch):
    court = registry.game("kings-court")
    before = libraries.digest_of(court, ismcts.search)
    functions = dict(court.functions)
    functions["to_act"], functions["deal"] = functions["deal"], functions["to_act"]
    monkeypatch.setitem(vars(court), "functions", functions)
    assert libraries.digest_of(court, ismcts.search) != before


def test_a_file_that_is_no_library_is_not_used(folder: Path):
    (file,) = (folder / here()).iterdir()
    file.write_bytes(b"no library")
    index = json.loads((folder / libraries.INDEX).read_text())
    index[here()]["kings-court"]["sha256"] = hashlib.sha256(b"no library").hexdigest()
    (folder / libraries.INDEX).write_text(json.dumps(index))
    libraries.forget()
    assert not libraries.holds(registry.game("kings-court"), ismcts.search)


@pytest.mark.parametrize("index", ["", "[]", "[" * 200_000, '{"linux-x86_64": {"kings-court": 5}}', "{"])
def test_a_damaged_index_is_none(index: str, folder: Path):
    (folder / libraries.INDEX).write_text(index)
    libraries.forget()
    assert libraries.problem(registry.game("kings-court"), ismcts.search) == f"there are no libraries in {folder}"


def test_a_library_of_other_rules_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch):
    court = registry.game("kings-court")
    before = libraries.digest_of(court, ismcts.search)
    name, value = next((name, value) for name, value in vars(court_rules).items() if type(value) is int)
    monkeypatch.setattr(court_rules, name, value + 1)
    libraries.forget()
    assert libraries.digest_of(court, ismcts.search) != before
    assert libraries.problem(court, ismcts.search) == "its library was made from other sources"


def test_a_platform_without_libraries_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(libraries, "here", lambda: "plan9-mips")
    libraries.forget()
    assert libraries.problem(registry.game("kings-court"), ismcts.search) == "there is no library for plan9-mips"


def test_a_game_of_ones_own_has_none(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_goofspiel(tmp_path / "goofspiel.py")
    monkeypatch.setattr(registry, "_games", {})
    game = registry.register_file(tmp_path / "goofspiel.py")
    assert libraries.problem(game, ismcts.search) == "not all of its rules are Quintain's own"
    (example,) = ismcts.drivers(game)
    assert source_of(example)[0] in ("cache", "nothing yet")
    monkeypatch.setattr("quintain.engine.rules.compiling.compiled.can_compile", lambda: False)
    assert source_of(example) == ("interpreted", "not all of its rules are Quintain's own, and Numba is not installed")
