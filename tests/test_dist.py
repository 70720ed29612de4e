"""The source distribution and the wheel hold all that a server needs, also where no checkout is."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from html import unescape
from pathlib import Path

import httpx
import pytest

from libraries.building import build as build_libraries
from quintain.engine.rules.registry import own_games
from quintain.server.http.browser_files import FILES
from quintain.server.pages.rendering import STATIC
from server.guests import Guest, free_port, wait_until

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")
VENDOR, LIBRARIES = "src/quintain/server/pages/static/vendor", "src/quintain/libraries"
LINK = re.compile(r'(?:href|src)="(/[^"]*)"')
STEP = re.compile(r"/replay\?.*step=([2-9]|\d\d)")
"""Most steps of a replay, whose pages have the same links as the others."""
pytestmark = pytest.mark.long


def cloned(clone: Path) -> Path:
    """Make a clean clone in a folder, with this tree's changes, and return the folder."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in listed:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    return clone


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the source distribution and the wheel, with the libraries of this machine."""
    clone = cloned(tmp_path_factory.mktemp("built") / "quintain")
    shutil.copytree(STATIC / "vendor", clone / VENDOR)
    build_libraries(clone / LIBRARIES, [each.id for each in own_games()], ["here"])
    ran = build(clone)
    assert ran.returncode == 0, ran.stderr
    (source,), (wheel,) = (clone / "dist").glob("*.tar.gz"), (clone / "dist").glob("*.whl")
    return source, wheel


def build(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [UV, "build", "--no-build-isolation", "--offline", "--python", sys.executable, *arguments]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)


def test_without_the_files_for_browsers_nothing_is_built(tmp_path: Path):
    clone = cloned(tmp_path / "quintain")
    ran = build(clone, "--out-dir", "none")
    assert ran.returncode and "run `make setup` first, or `make dist` instead" in ran.stderr
    shutil.copytree(STATIC / "vendor", clone / VENDOR)
    ran = build(clone, "--out-dir", "none")
    assert ran.returncode and "run `make libraries` first, or `make dist` instead" in ran.stderr
    for name in FILES:
        (clone / VENDOR / name).rename(clone / "kept")
        ran = build(clone, "--wheel", "--out-dir", "none")
        assert ran.returncode and f"{name}, one of the files for browsers, is missing: run `make setup`" in ran.stderr
        (clone / "kept").rename(clone / VENDOR / name)
    assert not [*(clone / "none").glob("quintain*")]


def test_a_server_from_the_wheel_has_every_page_and_file_that_its_lobby_leads_to(
    built: tuple[Path, Path], tmp_path: Path
):
    source, wheel = built
    with tarfile.open(source) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {f"{VENDOR}/{name}" for name in FILES} <= names
    there = tmp_path / "installed"
    installed = [UV, "pip", "install", "--offline", "--no-deps", "--target", there, wheel]
    assert subprocess.run(installed, capture_output=True, check=False).returncode == 0
    check_libraries(there, tmp_path)
    follow_all(there, tmp_path)
    check_rooms(there, tmp_path)


BARRED = """
import sys
for name in ("numpy", "numba", "llvmlite"):
    sys.modules[name] = None
"""
"""What makes a machine one without a compiler, as a module that each Python imports at its start."""
CHECK = """
from pathlib import Path
from quintain.bots import level
from quintain.cli.compile import drivers_of
from quintain.engine.rules.compiling.compiled import source_of
from quintain.engine.rules.registry import own_games
import quintain
for game in own_games():
    assert {source_of(each)[0] for each in drivers_of(game)} == {"library"}, game.id
    match = quintain.Match.new(game.id, seed=bytes(32))
    for name in ("page", "greedy", "knight", "champion"):
        bot = level(name).kind(game, 1)
        seat = min(match.to_act)
        assert bot.choose(match.seen(seat), level(name).budget) in match.seen(seat).legal
        assert getattr(bot, "note", "") == ""
print(Path(quintain.__file__).parent)
"""


def check_libraries(there: Path, folder: Path) -> None:
    """Check that bots of an installed package play compiled, without a compiler and with an empty cache."""
    own = {name: value for name, value in os.environ.items() if name != "QUINTAIN_LIBRARIES"}
    own |= {"PYTHONPATH": barred(there, folder), "QUINTAIN_HOME": str(folder / "empty")}
    ran = subprocess.run(
        [sys.executable, "-c", CHECK], cwd=folder, env=own, capture_output=True, text=True, check=False
    )
    assert (ran.stdout.strip(), ran.stderr) == (str(there / "quintain"), "")


def barred(there: Path, folder: Path) -> str:
    """Return the path for an installed package on a machine without a compiler."""
    (folder / "barred").mkdir(exist_ok=True)
    (folder / "barred" / "sitecustomize.py").write_text(BARRED)
    return os.pathsep.join([str(folder / "barred"), str(there)])


def follow_all(there: Path, folder: Path) -> None:
    """Serve from an installed package, and follow the links of lobby, tables, rules and replays, and those behind."""
    port = free_port()
    own = {**os.environ, "PYTHONPATH": barred(there, folder), "QUINTAIN_HOME": str(folder / "home")}
    run = "from quintain.cli import main; main()"
    command = [sys.executable, "-c", run, "serve", "--port", str(port), "--host", "127.0.0.1"]
    with subprocess.Popen(command, cwd=folder, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until(lambda: answers(url))
            guest = Guest(url, "Ann")
            running, over = (guest.make("kings-court", "me", "page") for _ in range(2))
            assert guest.post(f"/tables/{over}/resign").is_success
            seen = followed(guest, "/", f"/tables/{running}", f"/tables/{over}", f"/tables/{over}/replay?step=1")
            guest.http.close()
        finally:
            server.terminate()
    assert len(seen) > 80 and sum(link.startswith("/static/vendor/") for link in seen) >= 5
    assert {path.split("/")[1] for path in seen} >= {"rules", "tables", "players", "games", "ratings", "new", "static"}


def followed(guest: Guest, *first: str) -> set[str]:
    """Follow all links of some pages, and of the pages behind them; return what was reached."""
    seen, todo = {*first}, [*first]
    while todo:
        answer = guest.http.get(path := todo.pop(), headers={"accept": "text/html"})
        assert answer.status_code in (200, 303), (path, answer.status_code)
        if "html" in answer.headers.get("content-type", "") and not STEP.search(path):
            found = {link.partition("#")[0] for link in LINK.findall(unescape(answer.text))}
            todo += found - seen
            seen |= found
    return seen


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").is_success
    except httpx.TransportError:
        return False


ROOMS = {
    "engine": ("verify", str(ROOT / "tests/golden/kings-court-bots.json")),
    "games": ("cards", "robin", "--check"),
    "bots": ("watch", "rune-war", "--bots", "page"),
    "lab": ("simulate", "kings-court", "-n", "200"),
    "conformance": ("check", "kings-court", "--only", "masks"),
    "cli": ("plugins",),
}
"""A command of each room; the server and the environments have tests of their own."""
LEARN = """
import gymnasium, quintain.envs.gymnasium
env = gymnasium.make("quintain/KingsCourt-v0")
env.reset(seed=1)
print(env.unwrapped.action_masks().any())
"""


def check_rooms(there: Path, folder: Path) -> None:
    """Run a command of each room from an installed package, where all extras are installed."""
    own = {**os.environ, "PYTHONPATH": str(there), "QUINTAIN_HOME": str(folder / "rooms")}
    for words in (*(["-m", "quintain", *each] for each in ROOMS.values()), ["-c", LEARN]):
        ran = subprocess.run([sys.executable, *words], cwd=folder, env=own, capture_output=True, text=True, check=False)
        assert ran.returncode == 0 and ran.stdout, (words, ran.stderr)


def test_the_description_of_the_package_holds_outside_the_checkout(built: tuple[Path, Path]):
    """Every link of the README leads to a file of the repository under its address, and so does the picture."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    _, wheel = built
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [each for each in packed.namelist() if each.endswith("/METADATA")]
        metadata = packed.read(name).decode()
    links = re.findall(r"\]\((\S+?)\)", metadata)
    assert len(links) > 30 and all(link.startswith("https://") for link in links)
    base = f"{project['urls']['Repository']}/blob/main/"
    for link in links:
        if link.startswith(base):
            assert (ROOT / link.removeprefix(base)).exists(), link
    assert "/main/docs/board.jpg)" in metadata and "Author: Quintain's contributors" in metadata
    for tool in ("twine check --strict", "check-wheel-contents"):
        program, *words = tool.split()
        ran = subprocess.run(
            [UV.with_name(program), *words, wheel], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("minor", [11, 12, 13, 14])
def test_the_wheel_with_the_server_is_installed_and_played_on_every_python(
    built: tuple[Path, Path], tmp_path: Path, minor: int
):
    """This needs the network, as an installation does."""
    _, wheel = built
    found = subprocess.run([UV, "python", "find", f"3.{minor}"], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"there is no Python 3.{minor}")
    fresh = tmp_path / "fresh" / "bin"
    for command in (
        [UV, "venv", "--python", found.stdout.strip(), fresh.parent],
        [UV, "pip", "install", "--python", fresh / "python", f"{wheel}[server]"],
        [UV, "pip", "check", "--python", fresh / "python"],
        [fresh / "quintain", "watch", "kings-court", "--bots", "squire,page"],
        [fresh / "python", "-c", "import quintain.server.run.app"],
    ):
        own = {**os.environ, "QUINTAIN_HOME": str(tmp_path / "home")}
        ran = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, (command, ran.stderr)
