"""The site that `make docs` builds: no link is dead, the search finds what people look for, and all can read it."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from filelock import FileLock

from public import MODULES
from quintain.cli import app
from quintain.engine.rules.registry import own_games
from server.browsing import CHROMIUM

ROOT = Path(__file__).parents[1]
RULEBOOKS = "src/quintain/games/*/rulebook"
SEARCHED = {
    "KC-4": "src/quintain/games/kings_court/rulebook.html#kc-4",
    "rt-31": "src/quintain/games/round_table/rulebook.html#rt-31",
    "quintain ladder": "docs/command-line.html#quintain-ladder",
    "quintain.Match": "docs/api/quintain.html#quintain.Match",
    "read_entries": "docs/api/engine.html#quintain.engine.read_entries",
    "environments": "docs/environments.html",
}
"""What is typed, one of each kind, and where the first result leads."""
KINDS = (
    "index.html",
    "docs/start/player.html",
    "docs/lab.html",
    "docs/notebook.html",
    "docs/api/quintain.html",
    "docs/reports/robin.html",
    "src/quintain/games/kings_court/rulebook.html",
    "genindex.html",
    "search.html?q=KC-4",
)
"""A page of each kind."""
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
RESULTS = "#search-results ul.search li a"
BARE = """

def bare() -> None:
    pass


__all__ += ["bare"]
"""
needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)")


def build(root: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Build the site as `make docs` does, from a copy of the repository or from itself."""
    (command,) = re.findall(r"^\t\$\(BIN\)/(sphinx-build .*) -d \S+ \. site$", (ROOT / "Makefile").read_text(), re.M)
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "NO_COLOR": "1"}
    program, *options = command.split()
    return subprocess.run(
        [Path(sys.executable).with_name(program), *options, "-d", f"{out}.doctrees", ".", out],
        cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The site, which one of the processes that run tests builds for all of them."""
    pytest.importorskip("sphinx")
    shared = tmp_path_factory.getbasetemp().parent if worker_id != "master" else tmp_path_factory.getbasetemp()
    said = shared / "site.said"
    with FileLock(shared / "site.lock"):
        if not said.exists():
            built = build(ROOT, shared / "site")
            said.write_text(f"{built.returncode} {built.stdout}{built.stderr}", encoding="utf-8")
    assert said.read_text(encoding="utf-8").strip() == "0"
    return shared / "site"


@pytest.fixture(scope="module")
def index(site: Path) -> dict[str, Any]:
    """The index in which the search looks."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    return dict(json.loads(text.removeprefix("Search.setIndex(").removesuffix(")")))


def pages_of(found: int | list[int]) -> set[int]:
    """Return the numbers of the pages that have a word."""
    return {found} if isinstance(found, int) else {*found}


def test_the_search_finds_each_clause_at_its_paragraph(site: Path, index: dict[str, Any]):
    books = sorted(ROOT.glob(f"{RULEBOOKS}.md"))
    assert len(books) == 5
    for book in books:
        name = str(book.relative_to(ROOT).with_suffix(""))
        html = (site / f"{name}.html").read_text(encoding="utf-8")
        for clause in re.findall(r"^\*\*([A-Z]+-\d+)\*\*", book.read_text(encoding="utf-8"), re.MULTILINE):
            ((page, anchor, is_main),) = index["indexentries"][clause.lower()]
            assert (index["docnames"][page], anchor, is_main) == (name, clause.lower(), True)
            assert html.count(f'id="{anchor}"') == 1
            assert page in pages_of(index["terms"][clause.lower()])


def test_the_search_finds_each_command(index: dict[str, Any]):
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    terms = {**index["titleterms"], **index["terms"]}
    stem = pytest.importorskip("snowballstemmer").stemmer("english").stemWord
    assert len(commands) > 20
    for command in commands:
        is_entry = f"quintain {command}" in index["indexentries"]
        assert is_entry or pages_of(terms[stem(command)]) & pages_of(terms["quintain"]), command


def test_the_search_finds_each_public_name(index: dict[str, Any]):
    known = {f"{before}.{each[4]}" for before, objects in index["objects"].items() for each in objects}
    known |= {*index["alltitles"]}
    for path in MODULES:
        assert path in known
        for name in getattr(import_module(path), "__all__", ()):
            assert f"{path}.{name}" in known


def test_the_page_of_each_game_shows_a_small_picture_of_its_table():
    for game in own_games():
        picture = ROOT / "docs" / "pictures" / f"{game.id}.jpg"
        assert f"](pictures/{game.id}.jpg)" in (ROOT / "docs" / f"{game.id}.md").read_text(encoding="utf-8")
        assert picture.stat().st_size < 150_000


def test_each_game_is_a_click_away_from_its_page_and_that_of_the_tutorial_stands_in_it(site: Path):
    for game in own_games():
        assert f'href="../play/index.html#/new/{game.id}"' in (site / f"docs/{game.id}.html").read_text(
            encoding="utf-8"
        )
    tutorial = (site / "docs/tutorial.html").read_text(encoding="utf-8")
    assert tutorial.count('<iframe src="../play/index.html#/new/goofspiel"') == 1
    assert "quintain site site/play --game-file" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_site_needs_no_other_site(site: Path):
    for page in site.rglob("*.html"):
        fetched = re.findall(r'<(?:script|img|iframe)[^>]* src="(.*?)"|<link[^>]* href="(.*?)"', page.read_text())
        assert [each for pair in fetched for each in pair if "//" in each] == [], page


def test_a_link_to_a_notebook_leads_to_its_page_with_all_cells(site: Path):
    notebooks = [ROOT / "docs/lab.ipynb", *(ROOT / "docs/notebooks").glob("*.ipynb")]
    linked = re.findall(
        r'<a class="reference internal" href="([^"]*)"><span class="doc">', (site / "README.html").read_text()
    )
    pages = [page for page in dict.fromkeys(linked) if "notebook" in page]
    assert len(pages) == len(notebooks) == 4
    headings = {page: re.findall(r"<h[12]>(.*?)<a", (site / page).read_text(encoding="utf-8")) for page in pages}
    for notebook in notebooks:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        wanted = re.findall(r"^##? (.*)$", "\n".join(texts), re.MULTILINE)
        assert wanted in [[html.unescape(each) for each in found] for found in headings.values()]


@pytest.mark.long
def test_a_dead_link_and_a_public_name_without_a_docstring_stop_the_build(tmp_path: Path):
    pytest.importorskip("sphinx")
    for path in (*ROOT.glob("*.md"), *(ROOT / name for name in ("LICENSE", "CITATION.cff", "pyproject.toml"))):
        shutil.copy(path, tmp_path)
    for name in ("docs", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("vendor", "libraries", "__pycache__"))
    with (tmp_path / "docs/bots.md").open("a", encoding="utf-8") as page:
        page.write("\n[No page](nowhere.md), [no heading](lab.md#nowhere), [no clause](robin.md#rh-999).\n")
    with (tmp_path / "src/quintain/conformance/__init__.py").open("a", encoding="utf-8") as module:
        module.write(BARE)
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    complaints = [line for line in built.stderr.splitlines() if "WARNING" in line]
    assert ["docs/bots.md" in line for line in complaints].count(True) == len(complaints) - 1 == 3
    assert all(f"'{name}'" in built.stderr for name in ("nowhere.md", "nowhere", "rh-999"))
    assert "the public name quintain.conformance.bare has no docstring" in built.stderr


class Quiet(SimpleHTTPRequestHandler):
    """Serves the site, and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def opened(site: Path) -> Iterator[Any]:
    """Open Chromium, whose pages find the site at /; complaints of any page fail the test."""
    from playwright.sync_api import sync_playwright

    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server,
        sync_playwright() as play,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = play.chromium.launch(executable_path=CHROMIUM)
        yield partial(browser.new_context, base_url=f"http://127.0.0.1:{server.server_port}")
        browser.close()
        server.shutdown()


def first_results(site: Path) -> dict[str, str]:
    """Return where the first result of each search leads."""
    with opened(site) as new:
        page, found = new().new_page(), {}
        for text in SEARCHED:
            page.goto("/index.html")
            page.get_by_label("Search").first.fill(text)
            page.keyboard.press("Enter")
            found[text] = page.locator(RESULTS).first.get_attribute("href")
    return found


@needs_chromium
def test_a_search_in_a_browser_leads_to_the_place(site: Path):
    with ThreadPoolExecutor(1) as aside:  # Playwright wants a thread without a running loop
        assert aside.submit(first_results, site).result() == SEARCHED


def faults(site: Path, theme: str, width: int, height: int) -> list[Any]:
    """Return what is hard to read or to use on a page of each kind."""
    axe, found = pytest.importorskip("axe_playwright_python.sync_playwright").Axe(), []
    with opened(site) as new:
        page = new(viewport={"width": width, "height": height}, color_scheme=theme).new_page()
        for kind in KINDS:
            page.goto(f"/{kind}")
            if "search" in kind:
                page.locator(RESULTS).first.wait_for()
            ran = axe.run(page, options={"runOnly": list(RULES), "resultTypes": ["violations"]})
            for each in ran.response["violations"]:
                found.append((kind, each["id"], [node["html"][:200] for node in each["nodes"][:3]]))
            if page.evaluate("document.documentElement.scrollWidth") > width:
                found.append((kind, "wider than the window"))
    return found


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(375, 812), (1280, 800)])
def test_no_kind_of_page_is_hard_to_read(site: Path, theme: str, width: int, height: int):
    with ThreadPoolExecutor(1) as aside:
        assert aside.submit(faults, site, theme, width, height).result() == []
