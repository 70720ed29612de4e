"""Visits of the site in a browser: whether its files can be made here, opening a page, and sitting down at a table."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from quintain.cli import site

READY = 120_000
"""Milliseconds that a page may take to come on a busy machine."""
WASM = site.PACKAGE.parents[1] / ".venv" / "wasm"
"""Where `make site` puts the searches."""
made = pytest.mark.skipif(
    not (site.RUNTIME / "pyodide.mjs").is_file() or not WASM.is_dir(),
    reason="needs Python for browsers and the searches: `make site`",
)
PLAY = """async ([start, limit]) => {
  const headers = {'hx-request': 'true', accept: 'text/html'};
  const page = async (url) => (await fetch(url, {headers: {accept: 'text/html'}})).text();
  const form = typeof start === 'string' ? {name: 'Ann', next: `/play/${start}`} : start;
  const body = new URLSearchParams(form), path = form.next ? 'name' : 'tables';
  const begun = await (await fetch(path, {method: 'POST', headers: {accept: 'text/html'}, body})).text();
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
"""Plays a game against bots to its end by posts, as its page would, and returns the table and the number of moves.

The game is one that begins at once, by its id, or the form of a new table.
"""
KEPT = """async () => {
  const kept = await Promise.all(['warm/packages', 'warm/python_stdlib.zip'].map((path) => fetch(path)));
  const names = await caches.keys();
  const files = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const nets = files.flat().filter(({url}) => url.endsWith('.safetensors'));
  return kept.every(({status}) => status === 200) && nets.length > 2;
}"""
"""Tells whether everything is kept that comes after the first page: bytecode, and nets."""
BEGIN = """async () => {
  const body = new URLSearchParams({name: 'Ann', next: '/play/kings-court'});
  const begun = await (await fetch('name', {method: 'POST', headers: {accept: 'text/html'}, body})).text();
  return /tables\\/[\\w-]+/.exec(begun.replaceAll('&#x2f;', '/'))[0];
}"""
"""Begins a game, and returns the address of its table below the folder."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format: str, *given: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    """Serve a folder on this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def opened(page: Page, address: str) -> None:
    """Open the site, and wait until its page is there."""
    page.goto(address, wait_until="commit")
    page.locator("#page").wait_for(timeout=READY)


def until(page: Page, script: str) -> None:
    """Wait until a function of a page returns true; it may be an async one, and the page may be loaded anew."""
    for _ in range(READY // 500):
        with contextlib.suppress(Error):
            if page.evaluate(script):
                return
        page.wait_for_timeout(500)
    raise AssertionError(f"this stays false: {script}")


def address_of(served: http.server.ThreadingHTTPServer) -> str:
    """Return the address of the site that is served."""
    return f"http://127.0.0.1:{served.server_port}/club/"


def at_table(browser: Browser, served: http.server.ThreadingHTTPServer) -> tuple[Page, str, str]:
    """Return a page of a new visitor who is asked for a move, the site's address, and the table's below it."""
    page = browser.new_context().new_page()
    opened(page, address := address_of(served))
    begun = page.frames[1].evaluate(BEGIN)
    opened(page, f"{address}{begun}")
    page.frame_locator("#page").locator("[name=decision]").first.wait_for(state="attached", timeout=READY)
    return page, address, begun
