"""Sets of one's own in a browser alone: made, changed, kept, printed and played, and tried by bots."""

import asyncio
import json
import random
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest

from quintain.engine.rules.registry import game
from quintain.server.browser.workshop.set_links import code_of, read_code
from quintain.server.link_codes import packed
from quintain.server.model.deck_lists import decks_of
from quintain.server.model.own_sets import OwnSet, SetVersion
from quintain.server.workshop.drafts import base_draft
from server.browser.test_house import FOLDER, Browser, InMemory, browse

ROBIN = game("robin")
SETS = "/cards/robin/workshop"
HX = {"hx-request": "true"}
HEAD = '["robin", "Friars", 1, 0.0]'


async def begun(browser: Browser, body: str = "begin=base", sets: str = SETS) -> str:
    """Return the address of a new set of Ann's."""
    await browser.post("/name", "name=Ann&next=/")
    return await browser.made(sets, body)


def said(found: dict[str, Any]) -> str:
    """Return the words of a page."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", found["text"])))


def state(page: str) -> str:
    """Return the number of the change that a page shows."""
    found = re.search(r'data-workshop="(\d+)"', page)
    assert found
    return found[1]


async def change(browser: Browser, own: str, fields: dict[str, object], do: str = "") -> dict[str, Any]:
    """Post a change of a set in JSON, and return the part of the page that a script shows then."""
    number = int(state((await browser.get(own, **HX))["text"]))
    body = json.dumps({"change": number, "do": do, "fields": fields})
    return await browser.post(own, body, **HX, **{"content-type": "application/json"})


async def text_of(browser: Browser, own: str, version: str = "draft") -> str:
    """Return a set as a file."""
    return str((await browser.get(f"{own}/set.toml?version={version}"))["text"])


def test_a_set_is_changed_taken_back_and_saved_in_versions():
    kept, sets = InMemory(), list[str]()

    async def build(browser: Browser) -> None:
        own = await begun(browser)
        sets.append(own)
        base = await text_of(browser, own)
        assert base == base_draft(ROBIN)
        moved = await change(browser, own, {"2.name": "Hooded Friar"})
        assert (moved["status"], "Hooded Friar" in moved["text"]) == (200, True)
        assert moved["text"].lstrip().startswith('<div id="workshop"')
        stale = await browser.post(own, "change=0&2.name=Late+One", **HX)
        assert (stale["status"], "This set was changed meanwhile" in said(stale)) == (409, True)
        changed = await text_of(browser, own)
        assert "Hooded Friar" in changed
        await browser.post(f"{own}/back", **HX)
        assert await text_of(browser, own) == base
        assert (await browser.post(f"{own}/back", **HX))["status"] == 409
        await browser.post(f"{own}/again", **HX)
        assert await text_of(browser, own) == changed
        assert "version 2" in said(await browser.post(f"{own}/save", **HX))
        assert "Nothing has changed since the last version" in said(await browser.post(f"{own}/save", **HX))
        assert await text_of(browser, own, "1") == base
        await browser.post(f"{own}/name", "title=Friars")

    async def look(browser: Browser) -> None:
        own = sets[0]
        page = said(await browser.get(SETS))
        assert all(words in page for words in ("Friars", "version 2", "1 of", "differs from the base set"))
        assert "Hooded Friar" in said(await browser.get(f"{own}/compare?old=1&new=draft"))
        restored = await browser.post(f"{own}/restore", "version=1", **HX)
        assert (restored["status"], await text_of(browser, own)) == (200, base_draft(ROBIN))
        await browser.post(f"{own}/delete")
        assert (await browser.get(own))["status"] == 404
        assert [key for key in kept.kept if key[0].startswith("sets")] == []

    browse(build, kept)
    browse(look, kept)


def share_link(page: dict[str, Any]) -> str:
    """Return the link that the page of a set has to its last version."""
    (link,) = re.findall(r'id="share-link"[^>]*value="([^"]+)"', page["text"])
    return unescape(link)


def test_a_link_holds_the_last_version_and_opens_on_another_device():
    links = list[str]()

    async def share(browser: Browser) -> None:
        own = await begun(browser)
        await change(browser, own, {"2.name": "Hooded Friar"})
        before = share_link(await browser.get(own))
        await browser.post(f"{own}/save", **HX)
        await browser.post(f"{own}/name", "title=Friars+%26+Foes")
        await change(browser, own, {"2.name": "Draft Friar"})
        page = await browser.get(own)
        links.extend([before, share_link(page)])
        assert "This link holds version 2 itself. Later changes do not reach it." in said(page)

    async def look(browser: Browser) -> None:
        first, last = (link.split("/index.html#", 1)[1] for link in links)
        assert "Hooded Friar" not in said(await browser.get(first))
        page = said(await browser.get(last))
        assert all(words in page for words in ("Friars & Foes", "version 2", "Hooded Friar"))
        assert "Draft Friar" not in page and "somebody" not in page
        assert "Hooded Friar" in (await browser.get(f"{last}/set.toml"))["text"]
        wrong = await browser.get(last.replace("robin", "round-table"))
        assert (wrong["status"], "This is no set for Round Table" in said(wrong)) == (404, True)
        own = await browser.made(SETS, f"begin=shared&name=Bo&token={last.rpartition('/')[2]}")
        assert "Hooded Friar" in await text_of(browser, own)

    browse(share)
    browse(look)


def linked(head: str, text: str) -> str:
    """Return a code with these words before a version."""
    return packed(f"{head}\n{text}")


@pytest.mark.parametrize(
    "code",
    [
        "abc",
        "é",
        "A" * 40_000,
        packed(""),
        packed("no head"),
        linked('["robin", "Friars", 0, 0.0]', "x"),
        linked('["robin", "", 1, 0.0]', "x"),
        linked('["robin", "Friars", 1, 1e300]', "x"),
        linked('["robin", "Friars", 1, 0.0, "more"]', "x"),
        linked(HEAD, "x" * 1_000_000),
        linked(HEAD, "x")[:-4],
    ],
    ids=lambda code: code[:12],
)
def test_a_link_that_holds_no_set_is_refused_with_what_to_do(code: str):
    async def look(browser: Browser) -> None:
        for path in (code, f"{code}/set.toml"):
            page = await browser.get(f"{SETS}/shared/{quote(path)}")
            assert (page["status"], "Nobody shares a set by this link" in said(page)) == (404, True)

    browse(look)


@pytest.mark.parametrize("text", ["", "[[", "x", "[[deed]]\nname = 3", "[[character]]\nname = 3"])
def test_a_link_that_holds_a_broken_set_says_what_is_wrong(text: str):
    async def look(browser: Browser) -> None:
        code = linked(HEAD, text)
        page = await browser.get(f"{SETS}/shared/{code}")
        wrong = ("The rules of today refuse this set", "cards cannot be read", "Line 1, ")
        assert page["status"] in {200, 422} and any(words in said(page) for words in wrong)
        copied = await browser.post(SETS, f"begin=shared&name=Bo&token={code}")
        mine = await browser.get(SETS)
        assert mine["status"] == 200
        if copied["status"] == 422:
            assert "You have no set for" in said(mine)
        else:
            own = copied["headers"]["location"].removeprefix(FOLDER)
            assert (await browser.get(own))["status"] == 200
            assert await text_of(browser, own) == text

    browse(look)


def test_a_version_that_is_too_long_for_a_link_is_a_file():
    own = OwnSet("a", 1, "robin", "Long", 0.0, 0.0, 0, 1, "", "", 0)
    noise = random.Random(1).randbytes(40_000).hex()
    assert code_of(own, SetVersion(1, noise, 0.0, None)) is None
    assert code_of(own, SetVersion(1, "a" * 1_000_000, 0.0, None)) is None
    code = code_of(own, SetVersion(1, noise[:9000], 0.0, None))
    assert code is not None and read_code(code).text == noise[:9000]


def test_a_set_is_seen_by_its_player_alone():
    async def look(browser: Browser) -> None:
        own = await begun(browser)
        await browser.post("/name", "name=Bo&next=/")
        assert "You have no such set" in said(await browser.get(own))
        assert "You have no set for" in said(await browser.get(SETS))

    browse(look)


def test_a_set_comes_in_from_a_file_or_is_refused_with_its_line():
    async def bring(browser: Browser) -> None:
        text = base_draft(ROBIN)
        own = await begun(browser, f"begin=text&title=Brought&text={quote(text)}")
        assert await text_of(browser, own) == text
        wrong = await browser.post(SETS, f"begin=text&text={quote(text.replace('[[', '[[x', 1))}")
        assert wrong["status"] == 422
        assert "Line 1" in said(wrong)
        empty = await browser.post(SETS, "begin=text&text=")
        assert "There is nothing to read: paste a set, or choose a file" in said(empty)
        missing = await browser.post(SETS, "begin=shared&token=abc")
        assert (missing["status"], "Nobody shares a set by this link" in said(missing)) == (404, True)

    browse(bring)


def test_whoever_has_no_name_gives_it_with_the_first_set():
    async def make(browser: Browser) -> None:
        assert (await browser.post(SETS, "begin=base"))["headers"]["location"] == f"{FOLDER}/name?next={SETS}"
        own = await browser.made(SETS, "begin=one&name=Ann")
        assert (await browser.get(own))["status"] == 200

    browse(make)


def test_a_faulty_set_is_kept_as_a_draft_and_says_what_is_wrong():
    async def spoil(browser: Browser) -> None:
        own = await begun(browser)
        page = await change(browser, own, {"0.levels.0": "many"})
        assert (page["status"], "is wrong" in said(page)) == (200, True)
        refused = await browser.post(f"{own}/save", **HX)
        assert (refused["status"], "Not saved:" in said(refused)) == (422, True)
        tried = await browser.post(f"{own}/balance", "level=policy", **HX)
        assert (tried["status"], "Something is wrong in the set" in said(tried)) == (409, True)

    browse(spoil)


def test_the_options_of_a_set_go_with_it_to_a_table():
    async def play(browser: Browser) -> None:
        own = await begun(browser)
        page = unescape((await browser.get(own))["text"])
        play_url = re.search(r'href="/club(/new/robin\?set=[^"]+)"', page)
        assert play_url
        form = await browser.get(play_url[1])
        assert "This table plays your set My Robin" in said(form)
        assert "you get a link to send" not in said(form)
        text = re.search(r'<textarea id="([^"]+)" name="([^"]+)"[^>]*>(.+?)</textarea>', form["text"], re.DOTALL)
        assert text
        body = f"game=robin&seat.0=me&seat.1=squire&{quote(text[2])}={quote(unescape(text[3]))}"
        table = await browser.made("/tables", body)
        assert table.startswith("/tables/")
        assert (await browser.get(table))["status"] == 200

    browse(play)


def test_the_cards_of_a_set_can_be_printed():
    async def look(browser: Browser) -> None:
        own = await begun(browser)
        paper = await browser.get(f"/cards/robin/print?which=set:{own.rpartition('/')[2]}")
        assert (paper["status"], "Your set My Robin" in said(paper)) == (200, True)

    browse(look)


@pytest.mark.parametrize("path", ["shared/abc", "nothing", "nothing/balance"])
def test_what_is_not_there_is_said(path: str):
    async def look(browser: Browser) -> None:
        await begun(browser)
        assert (await browser.get(f"{SETS}/{path}"))["status"] == 404

    browse(look)


async def trial_of(browser: Browser, own: str) -> dict[str, Any]:
    """Return the trial of a set or a deck as data."""
    found: dict[str, Any] = json.loads((await browser.get(f"{own}/balance.json"))["text"])
    return found


async def until(browser: Browser, own: str, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the trial of a set or a deck as data, as soon as it is as expected."""
    for _ in range(1200):
        if is_there(found := await trial_of(browser, own)):
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(found)


def plays(found: dict[str, Any]) -> bool:
    """Tell whether a trial is played, and its first games are over."""
    return found["state"] == "working" and found["games"] > 0


def test_bots_try_a_set_and_its_page_hears_of_it_and_they_go_on_after_the_page_was_closed():
    kept, sets, told, files, closed = InMemory(), list[str](), list[str](), list[str](), list[bool]()

    async def begin(browser: Browser) -> None:
        own = await begun(browser)
        sets.append(own)
        await change(browser, own, {"2.levels.0": 5})
        assert (await trial_of(browser, own))["state"] == "empty"
        page = await browser.post(f"{own}/balance", "level=policy", **HX)
        assert (page["status"], 'data-state="working"' in page["text"]) == (200, True)
        browser.begun.connect("a", f"{FOLDER}{own}/balance/socket", told.append)
        found = await until(browser, own, plays)
        await asyncio.sleep(0.5)
        assert (found["before"], found["now"]) == ("version 1", "the draft")
        assert [int(number) for number in told] == sorted(map(int, told))
        assert int(told[-1]) > 0
        assert "libraries/" in files[-1]
        assert files[-1].endswith("/robin.wasm")

    async def go_on(browser: Browser) -> None:
        own = sets[0]
        before = await trial_of(browser, own)
        assert before["state"] == "stopped"
        await browser.get(own)
        found = await until(browser, own, lambda each: each["games"] > before["games"])
        assert found["state"] == "working"
        report = await browser.get(f"{own}/balance/report")
        assert (report["status"], "Cards" in said(report)) == (200, True)
        browser.begun.connect("b", f"{FOLDER}{own}/balance/socket", told.append, lambda: closed.append(True))
        await asyncio.sleep(0.5)
        assert closed == []
        stopped = await browser.post(f"{own}/balance/stop", **HX)
        assert 'data-state="stopped"' in stopped["text"]
        await asyncio.sleep(0.5)
        assert closed == [True], "so the page can listen again when the bots go on"
        await browser.get(own)
        assert (await trial_of(browser, own))["state"] == "stopped"
        await browser.post(f"{own}/delete")
        assert [key for key in kept.kept if key[0].startswith("trials")] == []

    browse(begin, kept, files)
    browse(go_on, kept)


def test_one_trial_of_a_person_is_played_at_a_time_and_a_change_stops_it():
    async def play(browser: Browser) -> None:
        one = await begun(browser)
        two = await begun(browser, "begin=base&title=Two")
        for own in (one, two):
            await change(browser, own, {"2.levels.0": 5})
        await browser.post(f"{one}/balance", "level=policy", **HX)
        await until(browser, one, plays)
        await browser.post(f"{two}/balance", "level=policy", **HX)
        other = await trial_of(browser, one)
        assert (other["state"], "games with Two began" in other["problem"]) == ("stopped", True)
        await until(browser, two, plays)
        await change(browser, two, {"2.levels.0": 4})
        assert (await trial_of(browser, two))["state"] == "empty"
        await browser.post(f"{two}/back", **HX)
        assert (await trial_of(browser, two))["state"] == "stopped"

    browse(play)


def test_an_unknown_level_is_refused():
    async def ask(browser: Browser) -> None:
        own = await begun(browser)
        wrong = await browser.post(f"{own}/balance", "level=grandmaster", **HX)
        assert (wrong["status"], "Bots play trials at the levels" in said(wrong)) == (422, True)

    browse(ask)


def test_bots_try_a_deck():
    async def play(browser: Browser) -> None:
        await browser.post("/name", "name=Ann&next=/")
        ready = decks_of(game("round-table")).ready_made[0]
        deck = await browser.made("/cards/round-table/decks", f"ready={ready}")
        assert "Let bots play 200 games with it" in said(await browser.get(deck))
        await browser.post(f"{deck}/balance", **HX)
        found = await until(browser, deck, lambda each: each["state"] == "finished")
        assert found["games"] == 200
        assert "Let bots play 5,000 games with it" in said(await browser.get(deck))
        empty = await browser.made("/cards/round-table/decks", "")
        refused = await browser.post(f"{empty}/balance", **HX)
        assert (refused["status"], "The deck is not legal yet" in said(refused)) == (409, True)

    browse(play)
