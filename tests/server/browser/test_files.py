"""`quintain site`: the files, and games played in them in a browser, with a network and without one."""

import contextlib
import gzip
import hashlib
import http.server
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Worker, expect

from quintain.bots.tree import search
from quintain.cli import site
from quintain.engine.errors import BadOption
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.registry import own_games
from server.browser.visits import BEGIN, KEPT, PLAY, READY, at_table, made, opened, until

MOVE = """async () => {
  const decision = document.querySelector('[name=decision]').value;
  const action = [...document.querySelectorAll('[name=action]')].map((each) => each.value).filter(Boolean)[0];
  const headers = {'hx-request': 'true', accept: 'text/html'};
  await fetch(`${location.pathname}/moves`, {method: 'POST', headers, body: new URLSearchParams({decision, action})});
}"""
"""Makes the first move that the page of a table offers."""
HANG = """() => {
  const send = BroadcastChannel.prototype.postMessage;
  BroadcastChannel.prototype.postMessage = function (message) {
    send.call(this, message);
    while (message.taken) ; // for ever
  };
}"""
"""In the worker of the house: it takes a question and does nothing any more."""
SILENT = """() => {
  const send = BroadcastChannel.prototype.postMessage;
  BroadcastChannel.prototype.postMessage = function (message) { if (!message.answer) send.call(this, message); };
}"""
"""In the worker of the house: it does what it is asked, and does not say so."""
FORM = """async (table) => {
  const page = await (await fetch(table, {headers: {accept: 'text/html'}})).text();
  const found = new DOMParser().parseFromString(page, 'text/html');
  const decision = found.querySelector('[name=decision]').value;
  return {decision, action: [...found.querySelectorAll('[name=action]')].map((each) => each.value).filter(Boolean)[0]};
}"""
"""Returns the decision that a table asks for, and the first action that it offers."""
ASK = """([table, form]) => {
  const headers = {accept: 'text/html'}, partial = {...headers, 'hx-request': 'true'};
  const seats = new URLSearchParams({game: 'kings-court', 'seat.0': 'me', 'seat.1': 'page'});
  const asked = [
    fetch('./', {headers}),
    fetch('tables', {method: 'POST', headers, body: seats}),
    fetch(`${table}/moves`, {method: 'POST', headers: partial, body: new URLSearchParams(form)}),
  ];
  window.answers = Promise.all(asked.map(async (each) => [(await each).status, await (await each).text()]));
}"""
"""Asks for the lobby, for a new table and for a move; `window.answers` are their statuses and texts."""
VERSIONS = "async () => (await caches.keys()).map((name) => name.split(' ').pop())"
"""Names the versions that are kept."""


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


def test_searches_of_other_sources_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for path in ("pyodide.mjs", "vendor/arms.svg", f"{site.TARGET}/robin.wasm"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    monkeypatch.setattr(site, "RUNTIME", tmp_path)
    monkeypatch.setattr(site, "STATIC", tmp_path)
    monkeypatch.setenv(libraries.SETTING, str(tmp_path))
    fits = {found.id: libraries.digest_of(found, search) for found in own_games()}
    for digests, refusal in (
        (fits, ""),
        ({**fits, "robin": "0" * 16}, "than the rules of Robin in the Hood: type `make"),
    ):
        made = {id_: {"sha256": "", "drivers": [f"search_{digest}_0"]} for id_, digest in digests.items()}
        (tmp_path / libraries.INDEX).write_text(json.dumps({site.TARGET: made}))
        libraries.forget()
        with pytest.raises(BadOption, match=refusal) if refusal else contextlib.nullcontext():
            site.check_sources()
    monkeypatch.undo()
    libraries.forget()


def test_an_archive_is_the_same_whenever_it_is_made():
    parts = {"b.py": b"2", "a.py": b"1"}
    assert site.archived(parts) == site.archived(dict(reversed(parts.items())))


def test_modules_come_with_what_they_import():
    found = {
        path.relative_to(site.PACKAGE).as_posix() for path in site.reached([site.PACKAGE / each for each in site.ROOTS])
    }
    assert {"server/tables/memory.py", "engine/play/match.py", "bots/ismcts.py"} <= found
    assert not [each for each in found if each.startswith(("server/store/", "server/http/", "server/run/"))]


def held(folder: Path, path: str, is_packed: bool) -> bytes:
    """Return what a file of the site holds."""
    return gzip.decompress((folder / f"{path}.gz").read_bytes()) if is_packed else (folder / path).read_bytes()


@made
@pytest.mark.long
def test_a_first_visit_loads_little_and_every_file_is_listed_with_its_hash(folder: Path):
    files = [path for path in (folder / "club").rglob("*") if path.is_file()]
    worker = (folder / "club" / site.WORKER).read_text(encoding="utf-8")
    found = re.search(r"^const FILES = (.*);$", worker, re.MULTILINE)
    assert found is not None
    listed = json.loads(found[1])
    assert len(listed) == len(files) - 1
    later = [path for path, each in listed.items() if each["later"]]
    assert later and all(path.endswith(".safetensors") for path in later)
    assert sum(path.stat().st_size for path in files if path.suffixes[:1] != [".safetensors"]) < 8_500_000
    for path, each in listed.items():
        assert hashlib.sha256(held(folder / "club", path, each["packed"])).hexdigest() == each["hash"], path


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
    until(page, KEPT)
    served.shutdown()
    served.server_close()
    page.close()
    page = context.new_page()
    opened(page, f"{address}games")
    assert page.frame_locator("#page").locator(".run-row").count() == len(own_games())
    opened(page, address)
    made_table = {"game": "kings-court", "seat.0": "me", "seat.1": "minstrel"}
    assert page.frames[1].evaluate(PLAY, [made_table, READY])["moves"] > 0
    assert "searches as a Squire" not in page.frames[1].evaluate("document.body.innerText")
    assert [url for url in asked if not url.startswith((address, "blob:", "data:", "about:"))] == []
    context.close()


@made
@pytest.mark.long
def test_later_starts_find_bytecode_and_play_on(browser: Browser, served: http.server.ThreadingHTTPServer):
    context = browser.new_context()
    page, put = context.new_page(), list[str]()
    page.on("request", lambda request: put.append(request.url) if request.method == "PUT" else None)
    opened(page, address := f"http://127.0.0.1:{served.server_port}/club/")
    until(page, KEPT)
    assert [url.rpartition("/")[2] for url in put] == ["python_stdlib.zip", "packages"]
    page.close()
    page = context.new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    opened(page, address)
    assert page.frames[1].evaluate(BEGIN).startswith("tables/")
    assert [url for url in loaded if url.endswith("/app.zip")] == []
    context.close()


@made
@pytest.mark.long
def test_a_new_version_is_offered_and_a_running_game_goes_on(
    browser: Browser, folder: Path, served: http.server.ThreadingHTTPServer
):
    page = browser.new_page()
    opened(page, address := f"http://127.0.0.1:{served.server_port}/club/")
    begun = page.frames[1].evaluate(BEGIN)
    opened(page, f"{address}{begun}")
    worker = folder / "club" / site.WORKER
    old = worker.read_text(encoding="utf-8")
    worker.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "newer"', old), encoding="utf-8")
    try:
        page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        page.locator("#offer").wait_for(timeout=READY)
        assert page.evaluate(VERSIONS).count("newer") == 1
        table = page.frame_locator("#page").locator("#table")
        assert table.is_visible()
        page.locator("#later").click()
        assert not page.locator("#offer").is_visible()
        assert table.is_visible()
        page.reload(wait_until="commit")
        page.locator("#take").click(timeout=READY)
        until(page, f"async () => JSON.stringify(await ({VERSIONS})()) === '[\"newer\"]'")
        table.wait_for(timeout=READY)
    finally:
        worker.write_text(old, encoding="utf-8")
    page.close()


@made
@pytest.mark.long
def test_two_tabs_share_a_game_and_the_second_goes_on_alone(browser: Browser, served: http.server.ThreadingHTTPServer):
    context = browser.new_context()
    first, second = context.new_page(), context.new_page()
    opened(first, address := f"http://127.0.0.1:{served.server_port}/club/")
    begun = first.frames[1].evaluate(BEGIN)
    opened(second, f"{address}{begun}")
    opened(first, f"{address}{begun}")
    question = [page.frame_locator("#page").locator("[name=decision]").first for page in (first, second)]
    before = question[1].get_attribute("value", timeout=READY)
    first.frames[1].evaluate(MOVE)
    expect(question[1]).not_to_have_attribute("value", before or "", timeout=READY)
    first.close()
    before = question[1].get_attribute("value", timeout=READY)
    second.frames[1].evaluate(MOVE)
    expect(question[1]).not_to_have_attribute("value", before or "", timeout=READY)
    context.close()


def house_of(page: Page) -> Worker:
    """Return the worker of a page that is the house."""
    return next(worker for worker in page.workers if worker.url.endswith("house.js"))


@made
@pytest.mark.long
def test_a_move_on_its_way_arrives_when_the_tab_with_the_house_is_closed(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    first, address, begun = at_table(browser, served)
    second = first.context.new_page()
    opened(second, f"{address}{begun}")
    question = second.frame_locator("#page").locator("[name=decision]").first
    before = question.get_attribute("value", timeout=READY)
    house_of(first).evaluate(HANG)
    second.frames[1].evaluate(f"() => {{ window.sent = ({MOVE})(); }}")
    second.wait_for_timeout(500)
    first.close()
    second.frames[1].evaluate("() => window.sent")
    expect(question).not_to_have_attribute("value", before or "", timeout=READY)
    second.context.close()


@made
@pytest.mark.long
def test_what_might_be_done_twice_is_not_asked_again_when_the_tab_with_the_house_is_closed(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    first, address, begun = at_table(browser, served)
    second = first.context.new_page()
    opened(second, address)
    form = second.frames[1].evaluate(FORM, begun)
    house_of(first).evaluate(SILENT)
    second.frames[1].evaluate(ASK, [begun, form])
    second.wait_for_timeout(2500)
    first.close()
    while_it_starts = second.frames[1].evaluate(
        "async () => (await fetch('./', {headers: {accept: 'text/html'}})).status"
    )
    assert while_it_starts == 200, "the next house takes what comes before it is ready, and answers later"
    lobby, table, move = second.frames[1].evaluate("() => window.answers")
    assert lobby[0] == 200 and "Ann" in lobby[1]
    assert table[0] == 503 and "See whether what you sent was done" in table[1]
    assert move[0] == 409 and 'id="table-body"' in move[1], "the first house had made it: it gets the table"
    assert second.frames[1].evaluate(FORM, begun)["decision"] != form["decision"]
    second.context.close()


@made
@pytest.mark.long
def test_a_house_whose_python_dies_is_followed_by_a_new_one_in_the_same_tab(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    page, address, _ = at_table(browser, served)
    other = page.context.new_page()
    opened(other, address)
    for _ in range(2):
        house_of(page).evaluate("() => self.postMessage({dead: 'no memory'})")
        until(other, "async () => (await fetch('./', {headers: {accept: 'text/html'}})).status === 200")
        decision = page.frame_locator("#page").locator("[name=decision]").first
        before = decision.get_attribute("value") or ""
        page.frames[1].evaluate(MOVE)
        expect(decision).not_to_have_attribute("value", before, timeout=READY)
    house_of(page).evaluate("() => self.postMessage({dead: 'no memory'})")
    expect(page.locator("#say")).to_contain_text("Something went wrong: no memory")
    page.context.close()


@made
@pytest.mark.long
def test_storage_that_is_taken_away_is_told(browser: Browser, served: http.server.ThreadingHTTPServer):
    page, address, _ = at_table(browser, served)
    origin = address.removesuffix("/club/")
    page.context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"}
    )
    expect(page.locator("#say")).to_contain_text("has taken away what Quintain had kept", timeout=READY)
    page.context.close()


@made
@pytest.mark.long
def test_the_address_of_a_record_downloads_it_and_shows_its_table(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    page, address, begun = at_table(browser, served)
    page.frames[1].evaluate("async () => { await fetch(`${location.pathname}/resign`, {method: 'POST'}); }")
    with page.expect_download() as download:
        page.goto(f"{address}index.html#/{begun}/record.json", wait_until="commit")
    assert download.value.suggested_filename.endswith(".json")
    page.frame_locator("#page").locator("#result").wait_for(timeout=READY)
    assert page.url == f"{address}{begun}"
    page.context.close()


@made
@pytest.mark.long
@pytest.mark.parametrize(
    ("lacks", "says"),
    [
        ("delete window.DecompressionStream", "This browser is too old for Quintain"),
        ("navigator.serviceWorker.register = () => Promise.reject(new Error())", "refuses to keep files"),
    ],
)
def test_a_browser_that_will_not_do_is_told_so(
    browser: Browser, served: http.server.ThreadingHTTPServer, lacks: str, says: str
):
    page = browser.new_page()
    page.add_init_script(lacks)
    page.goto(f"http://127.0.0.1:{served.server_port}/club/")
    expect(page.locator("#say")).to_contain_text(says)
    page.close()


@made
@pytest.mark.long
def test_a_full_storage_is_said(browser: Browser, served: http.server.ThreadingHTTPServer):
    page, address, _ = at_table(browser, served)
    context = page.context
    quota = {"origin": address.removesuffix("/club/"), "quotaSize": 1}
    context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
    page.frames[1].evaluate(MOVE)
    expect(page.locator("#say")).to_contain_text("The storage of this browser is full", timeout=READY)
    context.close()


@made
@pytest.mark.long
def test_a_finished_game_is_analysed_and_a_closed_page_loses_nothing(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    page, address, begun = at_table(browser, served)
    context = page.context
    page.frames[1].evaluate(MOVE)
    page.frames[1].evaluate("fetch(`${location.pathname}/resign`, {method: 'POST'})")
    shown = page.frame_locator("#page")
    shown.get_by_role("link", name="Analyse").click(timeout=READY)
    shown.get_by_role("button", name="Analyse").click(timeout=READY)
    shown.locator("#analysis[data-state=working] .an-step").wait_for(timeout=READY)
    page.close()
    page = context.new_page()
    opened(page, f"{address}{begun}/analysis")
    shown = page.frame_locator("#page")
    shown.locator("#analysis[data-state=finished]").wait_for(timeout=READY)
    with page.expect_download() as saved:
        shown.get_by_role("link", name="Analysis", exact=True).click()
    data = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert len(data["steps"]) == data["total"]
    assert min(one["tries"] for step in data["steps"] for one in step["candidates"]) >= 1_000
    opened(page, f"{address}players/1")
    expect(page.frame_locator("#page").locator("#judged")).to_be_visible(timeout=READY)
    context.close()


@made
@pytest.mark.long
def test_bots_try_a_changed_set_and_go_on_after_its_page_was_closed(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    context = browser.new_context()
    page = context.new_page()
    opened(page, address := f"http://127.0.0.1:{served.server_port}/club/")
    page.frames[1].evaluate(BEGIN)
    opened(page, f"{address}cards/robin/workshop")
    shown = page.frame_locator("#page")
    shown.get_by_role("button", name="Begin with the base set").click(timeout=READY)
    number = shown.locator(".ws-fields input[inputmode=numeric]").first
    before = number.input_value(timeout=READY)
    number.fill(str(int(before) + 1))
    played_some = "#balance[data-state=working] progress:not([value='0'])"
    games = shown.locator(played_some)
    games.wait_for(timeout=READY)
    own = page.frames[1].url.removeprefix(address).partition("?")[0]
    played = int(games.get_attribute("value") or 0)
    page.close()
    page = context.new_page()
    opened(page, f"{address}{own}")
    shown = page.frame_locator("#page")
    progress = shown.locator("#balance[data-state=working] progress")
    progress.wait_for(timeout=READY)
    kept = progress.get_attribute("value") or ""
    assert int(kept) >= played
    expect(progress).not_to_have_attribute("value", kept, timeout=READY)
    shown.locator("#bal-stop").click(timeout=READY)
    shown.locator("#balance[data-state=stopped]").wait_for(timeout=READY)
    number = shown.locator(".ws-fields input[inputmode=numeric]").first
    number.fill(str(int(number.input_value()) - 1))
    shown.get_by_text("nothing has changed").first.wait_for(timeout=READY)
    shown.locator(played_some).wait_for(timeout=READY)
    with page.expect_download() as saved:
        shown.get_by_role("link", name="Download the draft").click()
    assert saved.value.suggested_filename == "My Robin in the Hood.toml"
    assert Path(saved.value.path()).read_text(encoding="utf-8").startswith("[[character]]")
    context.close()
