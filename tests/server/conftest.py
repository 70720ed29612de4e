"""Fixtures: the servers that most tests of this folder share, and Goofspiel from the tutorial as a further game.

Tests marked `both_stores` run on SQLite with one server, and on PostgreSQL with two. On PostgreSQL they are among the
long tests, unless the mark says `always=True`: as those do that are about the store, and about who comes first.
"""

import asyncio
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from parts.postgres import cluster
from quintain.engine.rules import registry
from quintain.engine.rules.registry import register_file
from quintain.server.store.upgrades import prepare
from quintain.server.tables import stewards as stewards_module
from quintain.server.tables import table as table_module
from server.browsing import CHROMIUM
from server.guests import PATIENCE, Serving, put_database
from server.stores import POSTGRESQL, SQLITE, Pair, servers_on
from tutorial import kept_goofspiel


@pytest.fixture(scope="session")
def goofspiel():
    return kept_goofspiel()


@pytest.fixture(autouse=True)
def games_are_as_before(monkeypatch):
    """Let a test register further games; the next one finds Quintain's and Goofspiel again, read once for all."""
    monkeypatch.setattr(registry, "_games", dict(registry._games))


@pytest.fixture(scope="package", autouse=True)
def goofspiel_stays(goofspiel):
    before = dict(registry._games)
    register_file(goofspiel)
    yield
    registry._games.clear()
    registry._games.update(before)


@pytest.fixture(scope="package", autouse=True)
def nobody_asks_by_https(tmp_path_factory):
    """Let httpx read no certificates: else each request without a client of its own would, in 23 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SSL_CERT_FILE", raising=False)
        patch.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("none")))
        yield


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL for the tests of this process; it does not wait for the disk, since no test cuts the power.

    If we are root, it runs as another user, to whom each start of pytest closes the folder of pytest.
    """
    with TemporaryDirectory() as folder, cluster(Path(folder)) as started:
        with psycopg.connect(started.uri, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        yield started


@pytest.fixture(scope="session")
def new_database(postgres):
    """Return a function that makes a PostgreSQL database: a copy of one on which the migrations have run."""
    migrated = postgres.new_database()
    prepare(migrated)
    return partial(postgres.new_database, like=migrated)


def pytest_generate_tests(metafunc):
    """Let a test marked `both_stores` run on each of them."""
    mark = metafunc.definition.get_closest_marker("both_stores")
    if mark and "store" in metafunc.fixturenames:
        marks = [] if mark.kwargs.get("always") else [pytest.mark.long]
        metafunc.parametrize("store", [SQLITE, pytest.param(POSTGRESQL, marks=marks)], indirect=True)


@pytest.fixture
def store(request):
    """The store of this test."""
    return getattr(request, "param", SQLITE)


@pytest.fixture
def database(request, store, tmp_path):
    """A new database of this test; a test that starts several servers starts them all there."""
    if store == SQLITE:
        made = tmp_path / "server.sqlite"
        put_database(made)
        yield made
        return
    made = request.getfixturevalue("new_database")()
    yield made
    request.getfixturevalue("postgres").drop(made)


@pytest.fixture
def start(database):
    """Return a function that starts a server on the database of this test, or a pair if the store allows it."""
    return partial(servers_on, database)


@pytest.fixture(scope="package")
def server(tmp_path_factory, goofspiel):
    with Serving(tmp_path_factory.mktemp("server"), game_files=(goofspiel,)) as server:
        yield server


@pytest.fixture(scope="package")
def pair(postgres, new_database, goofspiel):
    database = new_database()
    with Pair(database, game_files=(goofspiel,)) as pair:
        yield pair
    postgres.drop(database)


@pytest.fixture
def serving(request, store):
    """The shared server, or the pair of servers; their guests leave after each test."""
    server = request.getfixturevalue("server" if store == SQLITE else "pair")
    yield server
    server.say_goodbye()


@pytest.fixture
def impatient(start, goofspiel, monkeypatch):
    """A server on which a clock runs fast, until a test sets the time for a decision again."""
    monkeypatch.setitem(table_module.CLOCKS, "30", 0.3)
    monkeypatch.setattr(stewards_module, "GRACE", 0.2)
    with start(game_files=(goofspiel,)) as serving:
        yield serving


loops: list[asyncio.AbstractEventLoop] = []
"""The loop in which Playwright runs in this process, once it does."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Let Playwright's loop run in tests with a browser alone: others run loops of their own in this thread."""
    if loops and "driver" in item.fixturenames:
        run_playwright()
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(None)


def run_playwright():
    """Make Playwright's loop the running one, as Playwright does itself whenever it gives control back."""
    asyncio._set_running_loop(loops[-1])


@pytest.fixture(scope="session")
def driver():
    """Playwright, which starts all browsers of this process."""
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=1000 * PATIENCE)
    with playwright.sync_playwright() as driver:
        loops.append(asyncio.get_running_loop())
        yield driver
        run_playwright()


@pytest.fixture(scope="session")
def chromium(driver):
    """Chromium, without a window, for all tests of this process."""
    browser = driver.chromium.launch(executable_path=CHROMIUM)
    yield browser
    run_playwright()
    browser.close()


@pytest.fixture(scope="module")
def browser(chromium):
    """Chromium; what the tests of a module leave open is closed after the last of them."""
    yield chromium
    run_playwright()
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def visit(browser, serving):
    """Return a function that opens a page as a guest with a window of a size, in a theme."""
    contexts = []

    def opened(guest, address, size=(1280, 800), theme="light", **more):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, base_url=serving.url, **more
        )
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        cookies = guest.http.cookies.items()
        context.add_cookies([{"name": name, "value": value, "url": serving.url} for name, value in cookies])
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
