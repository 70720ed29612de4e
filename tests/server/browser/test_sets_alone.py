"""Sets of cards in a browser alone: built, kept, shared, and taken at a table."""

import json
import re
from html import unescape
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.cards.sets.saved_sets import usual_choice
from server.browser.test_decks import said
from server.browser.test_house import ASKED, FOLDER, Browser, InMemory, browse

SETS = "/cards/robin/sets"
CHOICE = usual_choice(game("robin"))
CHARACTERS = [name for name, part in CHOICE.cards.items() if not part]
WHOLE = (
    CHARACTERS[: CHOICE.parts[0].needed]
    + [name for name, part in CHOICE.cards.items() if part == 1][: CHOICE.parts[1].needed]
)


async def begun(browser: Browser, body: str = "begins=dealt") -> str:
    """Return the address of a new set of Ann's."""
    return await browser.made(SETS, f"name=Ann&{body}")


async def text_of(browser: Browser, own_set: str) -> list[str]:
    """Return the cards of a set, as its page has them as text."""
    found = re.search(r'<textarea[^>]* id="set-text"[^>]*>(.*?)</textarea>', (await browser.get(own_set))["text"], re.S)
    assert found
    return unescape(found[1]).split("\n")


async def asked(browser: Browser, rival: str = "page", name: str = "Ann") -> str:
    """Return a table of Robin in the Hood at which Ann is asked for a set."""
    return await browser.made("/tables", f"game=robin&name={name}&seat.0=me&seat.1={rival}")


def decision(page: dict[str, Any]) -> str:
    """Return the number of the decision that a page of a table asks for."""
    found = re.search(r'name="decision" value="(\d+)"', page["text"])
    assert found
    return found[1]


async def taken(browser: Browser, table: str, cards: list[str]) -> dict[str, Any]:
    """Take a set at a table."""
    fields = [("decision", decision(await browser.get(table))), ("way", "chosen"), *(("cards", each) for each in cards)]
    return await browser.post(f"{table}/set", urlencode(fields))


def test_a_set_is_built_card_by_card_and_kept():
    kept, built = InMemory(), []

    async def build(browser: Browser) -> None:
        own = await begun(browser, "begins=nothing")
        built.append(own)
        moved = await browser.post(f"{own}/touch?order=name", f"take={quote(WHOLE[0])}")
        assert moved["headers"]["location"] == f"{FOLDER}{own}?order=name"
        assert await text_of(browser, own) == WHOLE[:1]
        twice = await browser.post(f"{own}/touch", f"take={quote(WHOLE[0])}")
        assert (twice["status"], "a set has each card once" in said(twice)) == (422, True)
        await browser.post(f"{own}/deal")
        assert len(await text_of(browser, own)) == len(WHOLE)
        others = await text_of(browser, own)
        other = next(name for name in CHARACTERS if name not in others)
        full = await browser.post(f"{own}/touch", f"take={quote(other)}")
        assert (full["status"], "put one back" in said(full)) == (422, True)
        await browser.post(f"{own}/touch", f"take={quote(other)}&back={quote(WHOLE[0])}")
        assert other in await text_of(browser, own)
        await browser.post(f"{own}/text", f"text={quote(chr(10).join(WHOLE))}")
        wrong = await browser.post(f"{own}/text", "text=Little+John%0ALittle+John")
        assert (wrong["status"], "ine 2: Little John is named twice" in said(wrong)) == (422, True)
        await browser.post(f"{own}/name", "title=Greenwood")

    async def look(browser: Browser) -> None:
        assert await text_of(browser, built[0]) == WHOLE
        part = await browser.get(built[0], **{"hx-request": "true"})
        assert part["text"].lstrip().startswith('<div id="deck-page"')
        assert "Greenwood" in said(await browser.get(SETS))
        again = await browser.made(SETS, f"set={built[0].rpartition('/')[2]}")
        assert await text_of(browser, again) == WHOLE
        await browser.post(f"{built[0]}/delete")
        assert (await browser.get(built[0]))["status"] == 404
        assert "Greenwood, again" in said(await browser.get(SETS))

    browse(build, kept)
    browse(look, kept)


def test_a_set_that_is_refused_stands_in_the_form_again():
    async def write(browser: Browser) -> None:
        found = await browser.post(SETS, "name=Ann&title=&text=Little+John")
        assert (found["status"], "give the set a name" in said(found)) == (422, True)
        assert "Little John</textarea>" in found["text"]

    browse(write)


def test_each_person_has_their_own_sets():
    async def look(browser: Browser) -> None:
        own = await begun(browser)
        await browser.post("/name", "name=Bo&next=/")
        assert (await browser.get(own))["status"] == 404
        assert (await browser.post(f"{own}/delete"))["status"] == 404
        assert "You have saved no set yet" in said(await browser.get(SETS))
        await browser.post("/name", "name=Ann&next=/")
        assert (await browser.get(own))["status"] == 200

    browse(look)


def test_a_saved_set_is_taken_at_a_table_and_its_games_are_counted():
    async def play(browser: Browser) -> None:
        own = await begun(browser, f"title=Greenwood&text={quote(chr(10).join(WHOLE))}")
        table = await asked(browser)
        offered = await browser.get(f"{table}/sets", **{"hx-request": "true"})
        assert offered["text"].lstrip().startswith('<div id="saved-sets">')
        names = re.search(r'data-set-names="([^"]+)"', offered["text"])
        assert names and json.loads(unescape(names[1])) == WHOLE
        page = await browser.get(f"{table}/sets")
        assert (page["status"], page["text"].count('name="cards"')) == (200, len(WHOLE))
        assert (await taken(browser, table, WHOLE[:4]))["status"] == 422
        assert (await taken(browser, table, WHOLE))["status"] == 303
        assert (await browser.get(f"{table}/sets"))["status"] == 409
        await browser.post(f"{table}/resign")
        assert "1 game of yours with this set" in said(await browser.get(own))
        assert "won 0 of 1 game" in said(await browser.get(SETS))
        other = next(name for name in CHARACTERS if name not in WHOLE)
        await browser.post(f"{own}/touch", f"take={quote(other)}&back={quote(WHOLE[0])}")
        assert "0 games of yours with this set" in said(await browser.get(own))

    browse(play)


def test_a_set_that_is_refused_at_a_table_is_not_counted():
    async def play(browser: Browser) -> None:
        own = await begun(browser, f"title=Greenwood&text={quote(chr(10).join(WHOLE))}")
        table = await asked(browser)
        body = urlencode([("decision", "7"), ("way", "chosen"), *(("cards", each) for each in WHOLE)])
        assert (await browser.post(f"{table}/set", body))["status"] == 409
        await browser.post(f"{table}/resign")
        assert "0 games of yours with this set" in said(await browser.get(own))

    browse(play)


def test_a_set_is_saved_and_read_as_text_at_a_table():
    text = quote("\n".join(WHOLE))

    async def play(browser: Browser) -> None:
        table = await asked(browser)
        saved = await browser.post(f"{table}/sets", f"title=Here&text={text}", **{"hx-request": "true"})
        assert (saved["status"], "<b>Here</b>" in saved["text"]) == (201, True)
        short = await browser.post(f"{table}/sets", "title=Short&text=Little+John")
        assert (short["status"], "Short" in said(short)) == (422, False)
        read = await browser.post(f"{table}/sets/text", f"text={text}", accept="application/json")
        assert json.loads(read["text"]) == {"cards": WHOLE, "lacks": None}
        page = await browser.post(f"{table}/sets/text", "text=Little+John")
        assert (page["status"], "Take them, and deal the rest" in page["text"]) == (200, True)
        wrong = await browser.post(f"{table}/sets/text", "text=Robin+Hud")
        assert (wrong["status"], "perhaps Robin Hood" in said(wrong)) == (422, True)
        assert "Here" in said(await browser.get(SETS))

    browse(play)


def test_saved_sets_are_shown_to_whoever_holds_the_device():
    async def play(browser: Browser) -> None:
        await begun(browser, f"title=Annes&text={quote(chr(10).join(WHOLE))}")
        table = await asked(browser, "person&seat.1.name=Bo")
        assert "Annes" in said(await browser.get(f"{table}/sets"))
        assert (await taken(browser, table, WHOLE))["status"] == 303
        assert ASKED in (await browser.get(table))["text"]
        assert (await browser.get(f"{table}/sets"))["status"] == 409
        assert (await browser.post(f"{table}/sets", f"title=Mine&text={quote(chr(10).join(WHOLE))}"))["status"] == 409
        await browser.post(f"{table}/hand-on")
        assert "Annes" not in said(await browser.get(f"{table}/sets"))

    browse(play)


@pytest.mark.parametrize(
    ("path", "status"),
    [(f"{SETS}/nothing", 404), (f"{SETS}/shared/nothing", 422), ("/cards/kings-court/sets", 404)],
)
def test_sets_that_are_not_there_are_refused(path: str, status: int):
    async def look(browser: Browser) -> None:
        assert (await browser.get(path))["status"] == status

    browse(look)


def test_a_link_holds_a_set_and_opens_on_a_device_without_the_site():
    links: list[str] = []

    async def share(browser: Browser) -> None:
        page = (await browser.get(await begun(browser, f"title=Greenwood&text={quote(chr(10).join(WHOLE))}")))["text"]
        found = re.search(r'id="share-link"[^>]* value="([^"]+)"', page)
        assert found
        links.append(unescape(found[1]))
        see = re.search(r'href="([^"]+)">See it', page)
        assert see and unescape(see[1]) == FOLDER + links[0].partition("#")[2]

    async def copy(browser: Browser) -> None:
        before, _, path = links[0].partition("#")
        assert before == f"https://host{FOLDER}/index.html"
        page = await browser.get(path)
        assert "A set from a link" in page["text"]
        text = re.search(r"<textarea[^>]*>(.*?)</textarea>", page["text"], re.S)
        assert text and unescape(text[1]).split("\n") == WHOLE
        own = await browser.made(SETS, f"name=Bo&title=Greenwood&text={quote(unescape(text[1]))}")
        assert await text_of(browser, own) == WHOLE

    browse(share)
    browse(copy)


def test_no_page_of_sets_leads_astray():
    async def look(browser: Browser) -> None:
        own = await begun(browser)
        pages = [await browser.get(path) for path in (SETS, own)]
        linked = {unescape(each) for page in pages for each in re.findall(r'\shref="([^"]+)"', page["text"])}
        own_paths = {each.removeprefix(FOLDER).partition("#")[0] for each in linked if each.startswith(f"{FOLDER}/")}
        paths = sorted(own_paths)
        assert own in paths and any("/shared/" in each for each in paths)
        assert any(each.endswith("/sets") for each in paths)
        for path in paths:
            if not path.startswith("/static/") and path != "/cards":
                assert (await browser.get(path))["status"] == 200, path

    browse(look)
