"""Analyses and statistics in a browser: games judged in the worker of the bots, kept, and shown as on a server."""

import asyncio
import json
import pickle
import re
from html import unescape
from typing import Any

import msgspec
import pytest

from quintain import Match
from quintain.server.browser.minds import BrowserMinds
from quintain.server.browser.shelf import ON_PAGE
from quintain.server.browser.study.kept_analyses import ANALYSES, JUDGED, BrowserClaims
from quintain.server.browser.workshop.trial_store import TrialClaims
from quintain.server.study import judging
from quintain.server.turns import Asker
from server.browser.test_house import FOLDER, Browser, InMemory, browse

MOVES = 6
TRIED = 20
MANY = 1_000_000
"""Turns of the loop of events after which a test gives up to wait."""


@pytest.fixture(autouse=True)
def _few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "FIRST_TRIES", TRIED)
    monkeypatch.setattr(judging, "TRIES", 2 * TRIED)
    monkeypatch.setattr(judging, "KEPT_EVERY", 0.0)


async def resigned(browser: Browser, game: str = "kings-court", bot: str = "greedy") -> str:
    """Return a short game against a bot: Ann resigns after some moves."""
    table = await browser.made("/tables", f"game={game}&name=Ann&seat.0=me&seat.1={bot}")
    for _ in range(MOVES):
        for _ in range(200):
            if await browser.move(table, (await browser.get(table))["text"]) is not None:
                break
            await asyncio.sleep(0.01)
    await browser.post(f"{table}/resign")
    assert 'id="result"' in (await browser.get(table))["text"]
    return table


async def state(browser: Browser, table: str) -> str:
    """Return the state of an analysis, as its page says it."""
    found = re.search(r'data-state="(\w+)"', (await browser.get(f"{table}/analysis"))["text"])
    assert found
    return found[1]


async def until(browser: Browser, table: str, wanted: str) -> None:
    """Wait for a state of an analysis."""
    for _ in range(600):
        if await state(browser, table) == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"the analysis is {await state(browser, table)}, not {wanted}")


async def judged(browser: Browser, table: str) -> str:
    """Have a game judged to the end, and return the page of its analysis."""
    assert (await browser.post(f"{table}/analysis"))["headers"]["location"] == f"{FOLDER}{table}/analysis"
    await until(browser, table, "finished")
    return str((await browser.get(f"{table}/analysis"))["text"])


def test_a_finished_game_is_judged_and_shown_move_by_move():
    asked: list[str] = []

    async def study(browser: Browser) -> None:
        table = await resigned(browser)
        assert f'href="{FOLDER}{table}/analysis"' in unescape((await browser.get(table))["text"])
        assert f'href="{FOLDER}{table}/analysis"' in unescape((await browser.get("/games"))["text"])
        assert await state(browser, table) == "empty"
        page = unescape(await judged(browser, table))
        assert "Luck and skill" in page
        assert "Make a puzzle of it" not in page
        assert 'id="an-share"' not in page
        page = unescape((await browser.get(f"{table}/analysis?step=1"))["text"])
        step = re.search(r'src="([^"]+/analysis/table\?step=(\d+))"', page)
        assert step
        frame = await browser.get(step[1].removeprefix(FOLDER))
        assert (frame["status"], 'class="frame inset' in frame["text"]) == (200, True)
        explained = unescape((await browser.get(f"{table}/analysis?step={step[2]}&explain=true"))["text"])
        lines = re.findall(r'href="([^"]+/analysis/line\?[^"]+)" target="an-inset"', explained)
        assert lines
        assert (await browser.get(lines[-1].removeprefix(FOLDER)))["status"] == 200
        opened = await browser.get(f"{table}/analysis?step={step[2]}&seen=all", **{"hx-request": "true"})
        inset = re.search(r'src="([^"]+&inset=true)"', unescape(opened["text"]))
        assert inset and opened["text"].lstrip().startswith('<div id="analysis"')
        assert 'class="frame inset' in (await browser.get(inset[1].removeprefix(FOLDER)))["text"]

    browse(study, asked=asked)
    assert asked[-1].endswith("/kings-court.wasm")


def test_an_analysis_is_a_file_with_all_candidates():
    async def study(browser: Browser) -> None:
        table = await resigned(browser)
        page = await judged(browser, table)
        assert f"{table}/analysis.json" in unescape(page)
        found = await browser.get(f"{table}/analysis.json")
        data: dict[str, Any] = json.loads(found["text"])
        assert found["headers"]["content-disposition"].startswith('attachment; filename="kings-court-')
        assert len(data["steps"]) == data["total"] > MOVES
        assert {one["tries"] for step in data["steps"] for one in step["candidates"]} == {2 * TRIED}
        assert [one["seat"] for one in data["luck_and_skill"]] == [0, 1]

    browse(study)


def test_judging_goes_on_when_the_page_is_opened_again():
    kept, tables = InMemory(), list[str]()

    def done() -> int:
        found = re.search(r'"done":(\d+)', kept.kept.get((ANALYSES, tables[0].rpartition("/")[2]), ""))
        return int(found[1]) if found else 0

    async def begin(browser: Browser) -> None:
        tables.append(await resigned(browser))
        await browser.post(f"{tables[0]}/analysis")
        for _ in range(MANY):
            if done() >= 3:
                return
            await asyncio.sleep(0)
        raise AssertionError(f"{done()} steps are judged")

    async def look(browser: Browser) -> None:
        assert await state(browser, tables[0]) == "working"
        await until(browser, tables[0], "finished")

    browse(begin, kept)
    before = msgspec.json.decode(kept.kept[ANALYSES, tables[0].rpartition("/")[2]])
    assert 3 <= before["done"] < 2 * MOVES
    assert not [kind for kind, _ in kept.kept if kind == JUDGED]
    browse(look, kept)
    after = msgspec.json.decode(kept.kept[ANALYSES, tables[0].rpartition("/")[2]])
    assert after["done"] > before["done"]


def test_judging_stops_and_goes_on_when_asked():
    async def study(browser: Browser) -> None:
        table = await resigned(browser)
        refused = await browser.post(f"{table}/analysis/stop")
        assert (refused["status"], "Nobody has asked" in refused["text"]) == (409, True)
        await browser.post(f"{table}/analysis")
        await browser.post(f"{table}/analysis/stop")
        assert await state(browser, table) == "stopped"
        await asyncio.sleep(0.2)
        assert await state(browser, table) == "stopped"
        await judged(browser, table)

    browse(study)


def test_nothing_more_is_kept_of_a_judging_that_was_stopped():
    async def study(browser: Browser) -> None:
        analyses = browser.begun.house.analyses
        assert await analyses.ask("a", 1, TRIED)
        assert await analyses.keep("a", 1, ())
        await analyses.claims.stop("a")
        assert not await analyses.keep("a", 2, ())
        kept = await analyses.find("a")
        assert kept is not None
        assert (kept.done, kept.is_stopped) == (1, True)

    browse(study)


def test_work_that_a_full_storage_cuts_off_can_begin_again():
    class Full:
        async def note(self, key: str, **changed: object) -> None:
            if changed.get("problem") or changed.get("over"):
                raise OSError("the storage is full")

    async def look(claims: BrowserClaims, problem: str) -> None:
        assert await claims.claim("it") and not await claims.claim("it")
        with pytest.raises(OSError, match="full"):
            await claims.release("it", problem)
        assert await claims.claim("it")

    asyncio.run(look(BrowserClaims(Full()), "it failed"))
    asyncio.run(look(TrialClaims(Full()), ""))


def test_bots_think_before_a_judging_goes_on():
    done: list[str] = []

    async def ask(files: list[str], question: bytes) -> bytes:
        done.append(pickle.loads(question)[0].__name__)
        await asyncio.sleep(0)
        return pickle.dumps(None)

    async def run() -> None:
        minds, seen, asker = BrowserMinds(ask), Match.new("kings-court", 2).seen(0), Asker("1", "a")
        jobs = [minds.think(asker, "analysis", judging.whole_line, seen, 0) for _ in range(3)]
        await asyncio.gather(*jobs, minds.judge(asker, seen))

    asyncio.run(run())
    assert done.index("judge") <= 1
    assert done.count("whole_line") == 3


def test_a_page_that_follows_hears_of_progress_and_of_the_end():
    heard: list[str] = []

    async def study(browser: Browser) -> None:
        table = await resigned(browser)
        await browser.post(f"{table}/analysis")
        browser.begun.connect("a", f"{FOLDER}{table}/analysis/socket", heard.append)
        await until(browser, table, "finished")
        await asyncio.sleep(1.0)
        total = json.loads((await browser.get(f"{table}/analysis.json"))["text"])["total"]
        assert heard[-1] == str(2 * total)

    browse(study)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/analysis/table?step=999", 404), ("/analysis/line?step=1&after=nothing", 404), ("/analysis/nothing", 404)],
)
def test_what_an_analysis_has_not_is_said(path: str, status: int):
    async def look(browser: Browser) -> None:
        table = await resigned(browser)
        assert (await browser.get(table + path))["status"] == status

    browse(look)


def test_a_game_that_goes_on_is_not_judged():
    async def look(browser: Browser) -> None:
        table = await browser.made("/name", "name=Ann&next=/play/robin")
        for found in (await browser.get(f"{table}/analysis"), await browser.post(f"{table}/analysis")):
            assert (found["status"], "judged after its end" in found["text"]) == (409, True)

    browse(look)


def test_a_person_sees_what_their_games_add_up_to():
    async def look(browser: Browser) -> None:
        assert (await browser.get("/players/1"))["status"] == 404
        table = await resigned(browser)
        await judged(browser, table)
        games = unescape((await browser.get("/games"))["text"])
        assert f'href="{FOLDER}/players/1"' in games
        page = unescape((await browser.get("/players/1"))["text"])
        sums = dict(re.findall(r"<dt>([\w ]+)</dt><dd>(\d+)</dd>", page))
        assert sums == {"games": "1", "won": "0", "resigned": "1"}
        assert re.search(r"Greedy</a></th><td>0 : 1</td><td>0 : 1</td>", page)
        luck = page[page.index('id="judged"') : page.index('id="last"')]
        assert re.search(r"King's Court</th><td class=\"num\">1</td><td[^>]*>too few to tell", luck)
        assert '/players/greedy"' not in page

    browse(look)


def test_a_person_hands_the_device_to_somebody_else_on_their_own_page():
    async def look(browser: Browser) -> None:
        for name in ("Ann", "Bo"):
            await browser.made("/name", f"name={name}&next=/")
        here = browser.begun.house.visitor()
        page = unescape((await browser.get(f"/players/{here.key}"))["text"])
        assert here.name == "Bo" and "Change name" not in page
        assert re.findall(r'name="name" value="([^"]+)"', page) == ["Ann"]
        await browser.made("/name", "name=Ann&next=/")
        assert browser.begun.house.visitor().name == "Ann"
        assert "Hand the device on" not in (await browser.get(f"/players/{here.key}"))["text"]

    browse(look)


def test_a_game_that_was_played_on_counts_for_nothing():
    kept = InMemory()

    async def look(browser: Browser) -> None:
        first = await resigned(browser)
        second = await browser.made(f"{first}/play-on", "step=2&seat=0&level=greedy")
        await browser.post(f"{second}/resign")
        await judged(browser, second)
        page = unescape((await browser.get("/players/1"))["text"])
        sums = dict(re.findall(r"<dt>([\w ]+)</dt><dd>(\d+)</dd>", page))
        assert (sums["games"], sums["not counted"]) == ("1", "1")
        assert re.search(r"Greedy</a></th><td>0 : 1</td><td>0 : 1</td>", page)
        assert 'id="judged"' not in page

    browse(look, kept)


def test_long_lists_of_games_have_pages():
    async def look(browser: Browser) -> None:
        tables = []
        for _ in range(ON_PAGE + 2):
            tables.append(await browser.made("/tables", "game=kings-court&name=Ann&seat.0=me&seat.1=greedy"))
            await browser.post(f"{tables[-1]}/resign")

        async def listed(path: str) -> tuple[list[str], list[str]]:
            text = unescape((await browser.get(path))["text"])
            links = re.findall(r'<nav class="pages".*?</nav>', text)
            more = re.findall(rf'href="{FOLDER}([^"]+)">(?:Newer|Older)', "".join(links))
            return [each for each in reversed(tables) if f'"{FOLDER}{each}' in text], more

        newest = tables[:1:-1]
        for path in ("/games", "/players/1/with/greedy"):
            assert await listed(path) == (newest, [f"{path}?page=2"])
            assert await listed(f"{path}?page=2") == (tables[1::-1], [f"{path}?page=1"])
            for number, shown in (("1", newest), ("0", newest), ("-2", newest), ("x", newest), ("99", tables[1::-1])):
                assert (await listed(f"{path}?page={number}"))[0] == shown

    browse(look)


def test_a_name_in_the_grid_opens_the_page_of_the_two():
    async def look(browser: Browser) -> None:
        table = await resigned(browser)
        await resigned(browser, "rune-war")
        other = await browser.made("/tables", "game=kings-court&seat.0=me&seat.1=page")
        await browser.post(f"{other}/resign")
        page = unescape((await browser.get("/players/1"))["text"])
        assert f'href="{FOLDER}/players/1/with/greedy"' in page
        pair = await browser.get("/players/1/with/greedy")
        text = unescape(pair["text"])
        assert (pair["status"], "2 games together" in text) == (200, True)
        assert ">0 : 2</b>" in text
        assert "2 games, 0 won" in text
        assert f'href="{FOLDER}{table}"' in text
        assert f'href="{FOLDER}{other}"' not in text
        assert '/players/greedy"' not in text
        for path in ("/players/1/with/squire", "/players/1/with/1", "/players/2/with/greedy"):
            assert (await browser.get(path))["status"] == 404

    browse(look)
