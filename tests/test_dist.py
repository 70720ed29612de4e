"""The source distribution and the wheel hold all that a server needs, also where no checkout is."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from html import unescape
from pathlib import Path

import httpx
import pytest

from quintain.server.pages.browser_files import FILES
from quintain.server.pages.rendering import STATIC
from server.guests import PATIENCE, free_port, wait_until

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")
VENDOR = "src/quintain/server/pages/static/vendor"
LINK = re.compile(r'(?:href|src)="(/[^"]*)"')
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clean clone, with this tree's changes."""
    clone = tmp_path_factory.mktemp("clone") / "quintain"
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in listed:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    return clone


def build(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [UV, "build", "--no-build-isolation", "--offline", "--python", sys.executable, *arguments]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)


def test_without_the_files_for_browsers_nothing_is_built(clone: Path):
    ran = build(clone, "--out-dir", "none")
    assert ran.returncode and "run `make setup` first, or `make dist` instead" in ran.stderr
    assert not [*(clone / "none").glob("quintain*")]


def test_a_server_from_the_wheel_has_every_page_and_file_that_its_lobby_leads_to(clone: Path, tmp_path: Path):
    shutil.copytree(STATIC / "vendor", clone / VENDOR)
    ran = build(clone)
    assert ran.returncode == 0, ran.stderr
    (source,), (wheel,) = (clone / "dist").glob("*.tar.gz"), (clone / "dist").glob("*.whl")
    with tarfile.open(source) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {f"{VENDOR}/{name}" for name in FILES} <= names
    there = tmp_path / "installed"
    installed = [UV, "pip", "install", "--offline", "--no-deps", "--target", there, wheel]
    assert subprocess.run(installed, capture_output=True, check=False).returncode == 0
    follow_all(there, tmp_path)


def follow_all(there: Path, folder: Path) -> None:
    """Serve from an installed package, and follow all links of the lobby, and those of the pages behind them."""
    port = free_port()
    own = {**os.environ, "PYTHONPATH": str(there), "QUINTAIN_HOME": str(folder / "home")}
    run = "from quintain.cli import main; main()"
    command = [sys.executable, "-c", run, "serve", "--port", str(port), "--host", "127.0.0.1"]
    with subprocess.Popen(command, cwd=folder, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", headers={"accept": "text/html"}, timeout=PATIENCE
            ) as http:
                wait_until(lambda: answers(http))
                seen, todo = {"/"}, ["/"]
                while todo:
                    answer = http.get(path := todo.pop())
                    assert answer.status_code in (200, 303), (path, answer.status_code)
                    if "html" in answer.headers.get("content-type", ""):
                        found = {link.partition("#")[0] for link in LINK.findall(unescape(answer.text))}
                        todo += found - seen
                        seen |= found
        finally:
            server.terminate()
    assert len(seen) > 40 and sum(link.startswith("/static/vendor/") for link in seen) >= 5


def answers(http: httpx.Client) -> bool:
    try:
        return http.get("/health").is_success
    except httpx.TransportError:
        return False
