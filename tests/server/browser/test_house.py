"""The house of a browser, which runs here on this Python: pages, posts, people on one device, and what is kept."""

import asyncio
import json
import marshal
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from html import unescape
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from quintain import Match
from quintain.engine.play.signatures import signed
from quintain.server.browser import added
from quintain.server.browser.bytecode import with_bytecode
from quintain.server.browser.keeping import BrowserStore
from quintain.server.browser.minds import answered
from quintain.server.browser.start import Start, start
from quintain.server.pages.contexts import table_context
from quintain.server.pages.rendering import STATIC, environment
from quintain.server.people.players import Visitor
from quintain.server.tables.live_table import Viewing
from server import filled
from tutorial import write_goofspiel

ASSETS = json.dumps({path.relative_to(STATIC).as_posix(): "0" for path in STATIC.rglob("*") if path.is_file()})
FOLDER = "/club"
SERVERS = ["alembic", "cryptography", "litestar", "multiprocessing", "numba", "numpy", "sqlalchemy", "uvicorn"]
"""What only servers and compilers import."""
ASKED = "is asked</h1>"
MOST_MOVES = 400


class InMemory:
    """A keeper that keeps everything in memory."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, int], list[object]] = {}
        self.rows: dict[str, object] = {}
        self.settings: object = {}
        self.kept: dict[tuple[str, str], str] = {}

    async def load(self) -> str:
        """Return everything but the entries."""
        return as_json({"tables": [*self.rows.values()], "settings": self.settings})

    async def read(self, table: str) -> str:
        """Return the entries of a table."""
        return as_json([entry for (of, _), entry in sorted(self.entries.items()) if of == table])

    async def write(self, entries: str, rows: str) -> bool:
        """Write entries and rows; False if a place is taken."""
        found = {(entry[0], entry[1]): entry for entry in msgspec.json.decode(entries)}
        if found.keys() & self.entries.keys():
            return False
        self.entries |= found
        self.rows |= {each["row"]["id"]: each for each in msgspec.json.decode(rows)}
        return True

    async def keep(self, settings: str) -> None:
        """Write the settings."""
        self.settings = msgspec.json.decode(settings)

    async def documents(self, kind: str) -> str:
        """Return all documents of a kind."""
        return as_json([text for (of, _), text in sorted(self.kept.items()) if of == kind])

    async def document(self, kind: str, id_: str) -> str:
        """Return the text of a document; empty if there is none."""
        return self.kept.get((kind, id_), "")

    async def put(self, kind: str, id_: str, text: str) -> None:
        """Write a document, or remove it if the text is empty."""
        if text:
            self.kept[kind, id_] = text
        else:
            self.kept.pop((kind, id_), None)


def as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


class Browser:
    """A browser with a house in it, at /club of its host; bots think in the same Python, without pauses."""

    def __init__(self, begun: Start) -> None:
        self.begun = begun
        begun.house.tables.pace = 0.0

    async def get(self, path: str, **headers: str) -> dict[str, Any]:
        """Return the answer to a request."""
        found: dict[str, Any] = json.loads(await self.begun.answer("GET", FOLDER + path, json.dumps(headers), ""))
        return found

    async def post(self, path: str, body: str = "", **headers: str) -> dict[str, Any]:
        """Return the answer to a post of a form."""
        given = {"content-type": "application/x-www-form-urlencoded", **headers}
        found: dict[str, Any] = json.loads(await self.begun.answer("POST", FOLDER + path, json.dumps(given), body))
        return found

    async def made(self, path: str, body: str) -> str:
        """Return the address of the table to which a post leads."""
        return str((await self.post(path, body))["headers"]["location"]).removeprefix(FOLDER)

    async def move(self, table: str, page: str) -> dict[str, Any] | None:
        """Make the first move that a page offers; None if it offers none."""
        decision = re.search(r'name="decision" value="(\d+)"', page)
        offered = re.findall(r'name="action" value="([^"]+)"', page)
        if not (decision and offered):
            return None
        body = f"decision={decision[1]}&action={unescape(offered[0]).replace('+', '%2B')}"
        return await self.post(f"{table}/moves", body, **{"hx-request": "true"})

    async def finish(self, table: str) -> str:
        """Play a game to its end, handing the device on, and return the last page."""
        for _ in range(MOST_MOVES):
            page = (await self.get(table))["text"]
            if 'id="result"' in page:
                return str(page)
            if ASKED in page:
                await self.post(f"{table}/hand-on")
            elif await self.move(table, page) is None:
                await asyncio.sleep(0.02)
        raise AssertionError("the game does not end")


def browse(
    do: Callable[[Browser], Awaitable[None]], keeper: InMemory | None = None, asked: list[str] | None = None
) -> None:
    """Do something in a browser; `asked` gets the names of the files that bots need."""

    async def ask(files: list[str], question: bytes) -> bytes:
        if asked is not None:
            asked.extend(files)
        return answered(question)

    async def run() -> None:
        await do(Browser(await start(keeper or InMemory(), ask, f"https://host{FOLDER}", FOLDER, ASSETS)))

    asyncio.run(run())


def test_a_game_against_bots_is_played_to_its_end_and_kept():
    kept = InMemory()
    tables = []

    async def play(browser: Browser) -> None:
        tables.append(await browser.made("/name", "name=Ann&next=/play/kings-court"))
        page = await browser.finish(tables[0])
        assert "Play again" in page
        assert "Analyse" in page
        record = await browser.get(f"{tables[0]}/record.json")
        assert Match.load(record["text"]).outcome is not None

    async def look(browser: Browser) -> None:
        assert tables[0] in unescape((await browser.get("/games"))["text"])
        replay = await browser.get(f"{tables[0]}/replay?step=3")
        assert (replay["status"], "step by step" in replay["text"]) == (200, True)

    browse(play, kept)
    browse(look, kept)


def test_a_game_that_was_added_to_the_site_is_played_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "bids.py"
    write_goofspiel(file)
    file.write_text(file.read_text().replace('"goofspiel"', '"bids"').replace('"Goofspiel"', '"Bids"'))
    monkeypatch.setattr(added, "ADDED", tmp_path)

    async def play(browser: Browser) -> None:
        assert "/new/bids" in unescape((await browser.get("/"))["text"])
        assert "A table for Bids" in (await browser.get("/new/bids"))["text"]
        table = await browser.made("/tables", "game=bids&name=Ann&seat.0=me&seat.1=page&option.cards=4")
        assert "Play again" in await browser.finish(table)

    browse(play)


def test_a_record_comes_in_again_in_another_browser(monkeypatch: pytest.MonkeyPatch):
    records = []

    async def play(browser: Browser) -> None:
        table = await browser.made("/name", "name=Ann&next=/play/robin")
        await browser.finish(table)
        records.append((await browser.get(f"{table}/record.json"))["text"])

        again = await browser.post("/games/import", f"record={quote(records[0])}")
        assert (again["status"], "you have played this game here" in again["text"].lower()) == (409, True)

    async def bring(browser: Browser) -> None:
        found = await browser.post("/games/import", f"name=Ann&record={quote(records[0])}")
        assert (found["status"], "is among your games now" in found["text"]) == (201, True)
        again = await browser.post("/games/import", f"record={quote(records[0])}")
        assert (again["status"], "brought this game in already" in again["text"]) == (409, True)
        torn = await browser.post("/games/import", "record=%7B")
        assert torn["status"] == 422

    browse(play)
    monkeypatch.setitem(sys.modules, "cryptography", None)  # as in a browser
    browse(bring)


def test_a_record_that_a_server_has_signed_comes_in_unchecked(monkeypatch: pytest.MonkeyPatch):
    record = signed(filled.played("robin", 2).record(), bytes([7] * 32))

    async def bring(browser: Browser) -> None:
        found = await browser.post("/games/import", f"name=Ann&seat=0&record={quote(json.dumps(record))}")
        assert found["status"] == 201
        assert "`quintain verify` can tell whether the signature is true" in unescape(found["text"])
        changed = {**record, "moves": record["moves"][:-1]}
        assert (await browser.post("/games/import", f"seat=0&record={quote(json.dumps(changed))}"))["status"] == 422

    monkeypatch.setitem(sys.modules, "cryptography", None)
    browse(bring)


def test_a_table_is_hidden_from_somebody_else_who_comes_back_to_it():
    async def look(browser: Browser) -> None:
        alone = await browser.made("/name", "name=Ann&next=/play/robin")
        two = await browser.made("/tables", "game=robin&name=Ann&seat.0=me&seat.1=person&seat.1.name=Bo")
        assert ASKED not in (await browser.get(alone))["text"] + (await browser.get(two))["text"]
        await browser.post("/name", "name=Mary&next=/")
        for table in (alone, two):
            page = (await browser.get(table))["text"]
            assert f"Ann {ASKED}" in page and 'name="cards"' not in page
            assert (await browser.get(f"{table}/looks"))["status"] == 409
        await browser.post(f"{alone}/hand-on")
        assert ASKED not in (await browser.get(alone))["text"]

    browse(look)


def test_the_page_hides_the_table_between_two_people():
    form = "game=kings-court&name=Ann&seat.0=me&seat.1=person&seat.1.name=Bo"

    async def play(browser: Browser) -> None:
        table = await browser.made("/tables", form)
        hidden = 0
        shown: list[str] = []
        browser.begun.connect("a", f"{FOLDER}{table}/socket", shown.append)
        for _ in range(30):
            page = (await browser.get(table))["text"]
            if ASKED in page:
                hidden += 1
                assert 'id="hand' not in page
                assert 'name="action"' not in page
                refused = await browser.get(f"{table}/looks")
                assert refused["status"] == 409
                assert (await browser.post(f"{table}/hand-on"))["status"] == 303
            else:
                assert await browser.move(table, page)
            await asyncio.sleep(0)
        assert hidden > 1
        hiding = [html for html in shown if ASKED in html]
        assert hiding and not any("data-told" in html for html in hiding), "a page that seems older is not shown"
        await browser.finish(table)

    browse(play)


def test_lists_of_games_say_nothing_of_what_another_person_is_asked():
    """A question of Rune War names a card of the hand, and one of King's Court a house."""
    form = "game=rune-war&name=Ann&seat.0=me&seat.1=person&seat.1.name=Bo"

    async def play(browser: Browser) -> None:
        table = await browser.made("/tables", form)
        live = await browser.begun.house.tables.get(table.rpartition("/")[2])
        named = set()
        for _ in range(80):
            page = (await browser.get(table))["text"]
            if ASKED in page:
                asked = live.table.seats[min(live.table.match.to_act)]
                question = live.question(asked.seat)
                named.add(question)
                for path in ("/", "/games"):
                    listed = unescape((await browser.get(path))["text"])
                    assert question not in listed and f"{asked.name} is asked" in listed
                (holder,) = re.findall(r'<a class="who".*<span>(.*)</span></a>', page)
                assert holder != asked.name, "at the top stands who holds the device"
                await browser.post(f"{table}/hand-on")
                assert question in unescape((await browser.get("/games"))["text"])
            elif await browser.move(table, page) is None:
                await asyncio.sleep(0.02)
        assert len(named) > 1
        await browser.post(f"{table}/hand-on")
        await browser.post(f"{table}/resign")
        assert re.search(r"<td>(Ann|Bo)</td><td>2nd</td>", (await browser.get("/games"))["text"])
        await browser.post("/name", "name=Mary&next=/")
        assert re.search(r"<td>(Ann|Bo) won</td>", (await browser.get("/games"))["text"])

    browse(play)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("[" * 10_000 + "]" * 10_000, "at most 100 levels are allowed"),
        ('{"a":' * 200_000, "takes too long here"),
        ('"' + '\\"' * 50_000, "Unterminated string"),
    ],
)
def test_a_record_that_would_break_python_down_is_refused(record: str, words: str):
    async def bring(browser: Browser) -> None:
        found = await browser.post("/games/import", f"name=Ann&record={quote(record)}")
        assert (found["status"], words in unescape(found["text"])) == (422, True)
        data = await browser.post("/name", "[" * 10_000, **{"content-type": "application/json"})
        assert data["status"] == 400

    browse(bring)


def test_the_address_of_a_refused_table_leads_to_the_lobby():
    async def look(browser: Browser) -> None:
        found = await browser.get("/tables")
        assert (found["status"], found["headers"]["location"]) == (303, f"{FOLDER}/")

    browse(look)


def test_two_people_need_two_names():
    form = "game=kings-court&name=Ann&seat.0=me&seat.1=person&seat.1.name="

    async def make(browser: Browser) -> None:
        for name in ("", "Ann"):
            found = await browser.post("/tables", form + name)
            assert (found["status"], "needs a name of their own" in found["text"]) == (422, True)

    browse(make)


@pytest.mark.parametrize("game_id", ["kings-court", "robin", "heirless", "rune-war", "round-table"])
def test_a_table_is_drawn_as_the_server_draws_it(game_id: str):
    async def look(browser: Browser) -> None:
        table = await browser.made("/name", f"name=Ann&next=/play/{game_id}")
        house = browser.begun.house
        live = await house.tables.get(table.rpartition("/")[2])
        visitor = house.at_table(live)
        assert isinstance(visitor, Visitor)
        context = table_context(Viewing.of(live, visitor), house.base_url, "")
        theirs = environment(address=lambda path: f"/static/{path}?v=0").render_template("table_body.html", **context)
        ours = house.templates.render_template("table_body.html", **context)
        assert len(without_menu(ours)) > 5_000
        assert without_menu(ours) == without_menu(theirs)

    browse(look)


def without_menu(html: str) -> str:
    """Return the table without its menu."""
    return re.sub(r'<details class="menu".*?</details>\s*</div>\s*</header>', "", html, flags=re.DOTALL)


def test_all_addresses_lie_below_the_folder():
    async def look(browser: Browser) -> None:
        table = await browser.made("/name", "name=Ann&next=/play/heirless")
        for path in ("/", "/games", "/rules", "/rules/robin", "/new/robin", "/credits", table):
            text = (await browser.get(path))["text"]
            named = re.findall(r'\s(?:href|src|action|hx-post|hx-get|hx-ws:connect)="([^"]+)"', text)
            own = [each for each in map(unescape, named) if each.startswith("/")]
            assert len(own) > 10
            assert [each for each in own if not each.startswith(f"{FOLDER}/")] == []

    browse(look)


def test_every_link_leads_to_a_page():
    async def follow(browser: Browser) -> None:
        table = await browser.made("/name", "name=Ann&next=/play/kings-court")
        lesson = await browser.made("/learn/robin", "")
        await browser.finish(table)
        left, seen = ["/", table, lesson], set[str]()
        while left:
            if (path := left.pop()) not in seen:
                seen.add(path)
                found = await browser.get(path)
                if path == "/cards":
                    found = await browser.get(found["headers"]["location"].removeprefix(FOLDER))
                assert found["status"] == 200, path
                linked = {unescape(each).partition("#")[0] for each in re.findall(r'\shref="([^"]+)"', found["text"])}
                own = [each.removeprefix(FOLDER) for each in linked if each.startswith(f"{FOLDER}/")]
                left += [each for each in own if not each.startswith("/static/") and not is_variant(each)]
        assert {"/games", "/rules/heirless", "/new/robin", f"{table}/replay", "/cards/robin/print"} <= seen

    browse(follow)


def is_variant(address: str) -> bool:
    """Tell whether an address shows another step of a replay, or other cards of a list."""
    return "step=" in address or (address.startswith("/cards/") and "?" in address)


@pytest.mark.parametrize(
    ("path", "status"), [("/nothing", 404), ("/tables/nowhere", 404), ("/rules/chess", 404), ("/ratings", 404)]
)
def test_what_is_not_here_is_said(path: str, status: int):
    async def look(browser: Browser) -> None:
        found = await browser.get(path)
        assert (found["status"], 'class="status"' in found["text"]) == (status, True)

    browse(look)


def test_a_lesson_begins_and_goes_on():
    async def learn(browser: Browser) -> None:
        table = await browser.made("/name", "name=Ann&next=/learn/kings-court")
        assert 'id="lesson-step"' in (await browser.get(table))["text"]
        assert await browser.made("/learn/kings-court", "") == table

    browse(learn)


def test_a_place_in_a_log_is_taken_once():
    async def write(browser: Browser) -> None:
        store: BrowserStore = browser.begun.house.store
        table = (await browser.made("/name", "name=Ann&next=/play/robin")).rpartition("/")[2]
        entries = await store.entries(table)
        assert entries
        assert not await store.add(entries[-1:])

    browse(write)


def test_a_minstrel_plays_by_its_net():
    form = "game=kings-court&name=Ann&seat.0=me&seat.1=minstrel"
    asked: list[str] = []

    async def play(browser: Browser) -> None:
        page = await browser.finish(await browser.made("/tables", form))
        assert "searches as a Squire" not in page

    browse(play, asked=asked)
    assert asked[1] == "games/kings_court/nets/two.safetensors"


def test_modules_with_bytecode_are_the_same():
    source = b"def twice(x):\n    return 2 * x\n"

    async def made() -> list[tuple[str, bytes]]:
        files = [("quintain/a.py", source), ("quintain/a.html", b"<p>"), ("other/b.py", source)]
        return [each async for each in with_bytecode(files, "/place", lambda name: f"{name}c")]

    found = dict(asyncio.run(made()))
    assert list(found) == ["quintain/a.py", "quintain/a.pyc", "quintain/a.html", "other/b.py"]
    code = marshal.loads(found["quintain/a.pyc"][16:])
    assert (code.co_filename, found["quintain/a.pyc"][:4]) == ("/place/quintain/a.py", MAGIC_NUMBER)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["twice"](4) == 8


def test_a_browser_needs_nothing_of_a_server():
    code = f"import sys, quintain.server.browser.start; print([m for m in {SERVERS} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
