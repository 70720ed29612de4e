"""The tool makes the same bytes of the same sources anywhere, with nothing of a machine in them."""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quintain
from libraries.building import TOOL, built
from quintain.bots import ismcts
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.compiling.calls import LoadedDriver, numbered
from quintain.engine.rules.compiling.compiled import compiled_rules
from quintain.engine.rules.compiling.memory import filled
from quintain.engine.rules.compiling.targets import PLATFORMS, here
from quintain.engine.rules.linking import rule

OTHER_PYTHONS = [f"python3.{minor}" for minor in range(11, 20) if minor != sys.version_info.minor]


@rule
def quotient(numbers: Any) -> int:
    """Return the first number divided by the second."""
    return numbers[0] // numbers[1]


def test_a_fault_in_a_library_is_an_error_that_names_game_and_driver(tmp_path: Path):
    spec = importlib.util.spec_from_file_location("tool_of_libraries", TOOL)
    assert spec and spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    platform = next(each for each in PLATFORMS if each.name == here())
    rules, arguments = compiled_rules(quintain.game("kings-court")), (filled("int64", [7, 2]),)
    given = numbered(arguments)
    bitcode = rules.driver_bitcode(quotient, arguments, given.digest)
    tool.build(
        tool.Made("court", [bitcode], {f"{rules.name_of(quotient)}-{given.digest}": "quotient"}), platform, tmp_path
    )
    (file,) = (tmp_path / platform.name).iterdir()
    function = ctypes.CDLL(str(file))["quotient"]
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int32
    entry = LoadedDriver("King's Court (quotient)", function)
    assert entry(given.words) == 3
    arguments[0][1] = 0
    with pytest.raises(ZeroDivisionError, match=r"^the compiled code of King's Court \(quotient\) failed: .*zero"):
        entry(given.words)
    arguments[0][1] = 7
    assert entry(given.words) == 1


def test_a_library_holds_no_path_of_this_machine_and_calls_only_the_copying_of_memory():
    (file,) = (built("kings-court", here()) / here()).iterdir()
    held = file.read_bytes()
    root = str(Path(quintain.__file__).parents[2]).encode()
    assert root not in held and str(Path.home()).encode() not in held
    declared = {name for name in (b"memcpy", b"memset", b"memmove", b"malloc", b"free", b"NRT_", b"Py") if name in held}
    assert declared <= {b"memcpy", b"memset", b"memmove"}


@pytest.mark.long
def test_the_same_sources_give_the_same_bytes_in_another_folder_without_a_cache(tmp_path: Path):
    shutil.copytree(Path(quintain.__file__).parent, tmp_path / "src" / "quintain")
    made = []
    for number, source in enumerate((Path(quintain.__file__).parents[1], tmp_path / "src")):
        out, home = tmp_path / f"libraries{number}", tmp_path / f"home{number}"
        own = {"PYTHONPATH": str(source), "QUINTAIN_HOME": str(home), "PYTHONHASHSEED": str(number)}
        command = [sys.executable, TOOL, "--games", "kings-court", "--folder", out, "--workers", str(1 + number)]
        subprocess.run(command, env=os.environ | own, check=True, capture_output=True)
        made.append({path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    assert len(made[0]) == 1 + len(PLATFORMS) and made[0].keys() == made[1].keys()
    assert [str(name) for name, held in made[0].items() if made[1][name] != held] == []


@pytest.mark.long
@pytest.mark.parametrize("python", OTHER_PYTHONS)
def test_the_digest_is_the_same_with_every_version_of_python(python: str, tmp_path: Path):
    if not shutil.which(python):
        pytest.skip(f"{python} is not installed")
    made = subprocess.run([python, "-m", "venv", tmp_path], check=False, capture_output=True)
    pip = [tmp_path / "bin" / "python", "-m", "pip", "install", "--quiet", "msgspec", "platformdirs", "filelock"]
    if made.returncode or subprocess.run(pip, check=False, capture_output=True).returncode:
        pytest.skip(f"{python} has no packages here")
    script = """
from quintain.bots import ismcts
from quintain.engine.rules.compiling.libraries import digest_of
from quintain.engine.rules.registry import own_games
print([digest_of(game, ismcts.search) for game in own_games()])
"""
    own = {"PYTHONPATH": str(Path(quintain.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}
    there = subprocess.run(
        [tmp_path / "bin" / "python", "-c", script], env=os.environ | own, check=True, capture_output=True, text=True
    ).stdout.strip()
    games = [quintain.game(id_) for id_ in ("heirless", "kings-court", "robin", "round-table", "rune-war")]
    assert there == str([libraries.digest_of(game, ismcts.search) for game in games])
