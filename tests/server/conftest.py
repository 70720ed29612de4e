"""Fixtures: one server that most tests of this folder share, and Goofspiel from the tutorial as a further game."""

import pytest

from quintain.engine import registry
from quintain.engine.registry import register_file
from quintain.server import stewards as stewards_module
from quintain.server import table as table_module
from server.browsing import CHROMIUM
from server.guests import Serving
from tutorial import kept_goofspiel


@pytest.fixture(scope="session")
def goofspiel():
    return kept_goofspiel()


@pytest.fixture(autouse=True)
def goofspiel_is_there(goofspiel, monkeypatch):
    monkeypatch.setattr(registry, "_games", dict(registry._games))
    register_file(goofspiel)


@pytest.fixture(scope="package")
def server(tmp_path_factory, goofspiel):
    before = dict(registry._games)
    register_file(goofspiel)
    with Serving(tmp_path_factory.mktemp("server"), game_files=(goofspiel,)) as server:
        yield server
    registry._games.clear()
    registry._games.update(before)


@pytest.fixture
def serving(server):
    """The shared server; its guests leave after each test."""
    yield server
    server.say_goodbye()


@pytest.fixture
def impatient(tmp_path, goofspiel, monkeypatch):
    """A server on which a clock runs fast, until a test sets the time for a decision again."""
    monkeypatch.setitem(table_module.CLOCKS, "30", 0.3)
    monkeypatch.setattr(stewards_module, "GRACE", 0.2)
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        yield serving


@pytest.fixture(scope="module")
def browser():
    """Chromium, without a window."""
    with pytest.importorskip("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()
