"""A server without the browser files, which git ignores: its pages say how to make them, and the JSON API works."""

import html
import logging
import re
import shutil

import pytest

from quintain.server.http.browser_files import COMMAND, FILES
from quintain.server.pages import rendering as pages
from quintain.server.run import app
from server.guests import Serving

ASKED_BY_A_BROWSER = {"accept": "text/html"}
PAGES = ("/", "/name", "/credits", "/new/goofspiel", "/rules/goofspiel", "/tables/k7f3", "/nowhere")


@pytest.fixture
def static(tmp_path, monkeypatch):
    """Return a folder of static files in which `vendor` is empty; the server takes its files from there."""
    folder = tmp_path / "static"
    shutil.copytree(pages.STATIC, folder, ignore=shutil.ignore_patterns("vendor"))
    (folder / "vendor").mkdir()
    pages.asset.cache_clear()
    for module in (pages, app):
        monkeypatch.setattr(module, "STATIC", folder)
    yield folder
    pages.asset.cache_clear()


def make_files(static):
    for name in FILES:
        (static / "vendor" / name).write_text("[]")


@pytest.fixture
def guest(static, tmp_path):
    with Serving(tmp_path) as server:
        yield server.guest("Ann")


def test_without_browser_files_every_page_names_the_command_that_makes_them(guest):
    for path in PAGES:
        answer = guest.get(path, headers=ASKED_BY_A_BROWSER)
        assert answer.status_code == 503
        assert answer.headers["content-type"].startswith("text/html")
        assert COMMAND in html.unescape(answer.text)
        assert "arms.svg" in answer.text and "htmx.min.js" in answer.text
        assert "vendor/" not in "".join(re.findall(r'(?:href|src)="([^"]*)"', answer.text))


def test_without_browser_files_the_json_api_works(guest):
    table = guest.make("goofspiel", "me", "random")
    assert guest.view(table)["table"]["status"] == "playing"
    assert guest.get("/health").json() == {"status": "ok"}
    refused = guest.get("/tables/k7f3.json")
    assert (refused.status_code, refused.json()["error"]) == (404, "there is no such table")


def test_one_missing_file_is_named_and_pages_come_as_soon_as_it_is_made(static, guest):
    make_files(static)
    (static / "vendor" / "crest.svg").unlink()
    answer = guest.get("/", headers=ASKED_BY_A_BROWSER)
    assert answer.status_code == 503
    assert "crest.svg" in answer.text and "htmx.min.js" not in answer.text
    make_files(static)
    assert "The games" in guest.get("/", headers=ASKED_BY_A_BROWSER).text


def test_the_log_says_once_at_the_start_which_files_are_missing(static, tmp_path, caplog):
    with caplog.at_level(logging.ERROR, "quintain.server"), Serving(tmp_path) as server:
        for _ in range(2):
            server.guest().get("/", headers=ASKED_BY_A_BROWSER)
    (record,) = [record for record in caplog.records if record.getMessage() == "browser files are missing"]
    assert vars(record)["missing"] == list(FILES)
    assert vars(record)["command"] == COMMAND


def test_the_list_of_browser_files_has_those_that_pages_and_sheets_ask_for():
    sources = [*pages.TEMPLATES.rglob("*.html"), *(pages.STATIC / "css").glob("*.css"), pages.HERE / "rendering.py"]
    sources.append(pages.HERE / "heraldry.py")
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    asked = set(re.findall(r'vendor[/" ]+([\w.-]+\.\w+)', text))
    assert asked == set(FILES)
