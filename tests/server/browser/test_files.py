"""`quintain site`: the files, and games played in them in a browser, with a network and without one."""

import functools
import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from quintain.cli import site
from quintain.engine.errors import BadOption
from quintain.engine.rules.registry import own_games

READY = 120_000
"""Milliseconds that a page may take to come on a busy machine."""
made = pytest.mark.skipif(not (site.RUNTIME / "pyodide.mjs").is_file(), reason="needs Python for browsers: `make site`")
PLAY = """async ([start, limit]) => {
  const headers = {'hx-request': 'true', accept: 'text/html'};
  const page = async (url) => (await fetch(url, {headers: {accept: 'text/html'}})).text();
  const named = new URLSearchParams({name: 'Ann', next: `/play/${start}`});
  const begun = await (await fetch('name', {method: 'POST', headers: {accept: 'text/html'}, body: named})).text();
  const table = /tables\\/([\\w-]+)\\/moves/.exec(begun.replaceAll('&#x2f;', '/'))[1];
  const until = performance.now() + limit;
  for (let moves = 0; performance.now() < until;) {
    const html = await page(`tables/${table}`);
    if (html.includes('id="result"')) return {table, moves};
    const found = new DOMParser().parseFromString(html, 'text/html');
    const decision = found.querySelector('#moves > [name=decision]')?.value;
    const acts = [...found.querySelectorAll('[name=action]')].map((each) => each.value).filter(Boolean);
    if (found.getElementById('hurry')) await fetch(`tables/${table}/hurry`, {method: 'POST', headers});
    if (!acts.length) { await new Promise((go) => setTimeout(go, 50)); continue; }
    const body = new URLSearchParams({decision, action: acts[moves * 7 % acts.length]});
    await fetch(`tables/${table}/moves`, {method: 'POST', headers, body});
    moves += 1;
  }
  return {table, moves: -1};
}"""
"""Plays a game against bots to its end by posts, as its page would, and returns the table and the number of moves."""


def test_a_folder_with_other_files_stays_as_it_is(tmp_path: Path):
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(BadOption, match="holds other files, which would be deleted: name a new folder"):
        site.check_folder(tmp_path)
    with pytest.raises(BadOption, match="is a file: name a folder"):
        site.check_folder(tmp_path / "letters.txt")


def test_a_new_folder_and_an_older_site_will_do(tmp_path: Path):
    site.check_folder(tmp_path / "new")
    (tmp_path / site.WORKER).touch()
    site.check_folder(tmp_path)


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(site, "RUNTIME", tmp_path)
    with pytest.raises(BadOption, match=r"Python for browsers .* missing here: type `make site`"):
        site.check_sources()


def test_an_archive_is_the_same_whenever_it_is_made():
    parts = {"b.py": b"2", "a.py": b"1"}
    assert site.archived(parts) == site.archived(dict(reversed(parts.items())))


def test_modules_come_with_what_they_import():
    found = {
        path.relative_to(site.PACKAGE).as_posix() for path in site.reached([site.PACKAGE / each for each in site.ROOTS])
    }
    assert {"server/tables/memory.py", "engine/play/match.py", "bots/ismcts.py"} <= found
    assert not [each for each in found if each.startswith(("server/store/", "server/http/", "server/run/"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the site below it, in /club."""
    made_in = tmp_path_factory.mktemp("web")
    site.site(made_in / "club")
    return made_in


@pytest.fixture
def served(folder: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    """Serve the folder on this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format: str, *given: object) -> None:
        """Say nothing."""


def opened(page: Page, address: str) -> None:
    """Open the site, and wait until its page is there."""
    page.goto(address, wait_until="commit")
    page.locator("#page").wait_for(timeout=READY)


@made
@pytest.mark.long
def test_a_first_visit_loads_little_and_every_file_is_listed_with_its_hash(folder: Path):
    files = [path for path in (folder / "club").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 8_500_000
    worker = (folder / "club" / site.WORKER).read_text(encoding="utf-8")
    listed = json.loads(re.search(r"^const FILES = (.*);$", worker, re.MULTILINE)[1])  # type: ignore[index]
    assert len(listed) == len(files) - 1


@made
@pytest.mark.long
def test_all_games_are_played_to_the_end_with_a_network_and_without(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    address, asked = f"http://127.0.0.1:{served.server_port}/club/", set[str]()
    context = browser.new_context()
    context.on("request", lambda request: asked.add(request.url))
    page = context.new_page()
    opened(page, address)
    for found in own_games():
        assert page.frames[1].evaluate(PLAY, [found.id, READY])["moves"] > 0, found.id
        opened(page, address)
    served.shutdown()
    served.server_close()
    page.close()
    page = context.new_page()
    opened(page, f"{address}games")
    assert page.frame_locator("#page").locator(".run-row").count() == len(own_games())
    opened(page, address)
    assert page.frames[1].evaluate(PLAY, ["robin", READY])["moves"] > 0
    assert [url for url in asked if not url.startswith((address, "blob:", "data:", "about:"))] == []
    context.close()
