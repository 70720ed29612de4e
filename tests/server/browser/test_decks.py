"""Decks in a browser alone: built, kept, and played."""

import asyncio
import re
from html import unescape
from typing import Any
from urllib.parse import quote

from quintain.engine.rules.registry import game
from quintain.server.browser.cards.deck_store import BrowserDecks
from quintain.server.browser.cards.set_store import BrowserSavedSets
from quintain.server.model.deck_lists import decks_of
from quintain.server.model.own_decks import MOST_VERSIONS
from server.browser.test_house import FOLDER, Browser, InMemory, browse

DECKS = "/cards/round-table/decks"
ROUND_TABLE = game("round-table")
READY = decks_of(ROUND_TABLE).ready_made[0]


async def begun(browser: Browser, body: str = f"ready={READY}") -> str:
    """Return the address of a new deck of Ann's."""
    await browser.post("/name", "name=Ann&next=/")
    return await browser.made(DECKS, body)


async def listed(browser: Browser, deck: str) -> str:
    """Return a deck as text."""
    return str((await browser.get(f"{deck}/list.txt"))["text"])


def said(found: dict[str, Any]) -> str:
    """Return the words of a page."""
    return unescape(re.sub(r"<[^>]+>", "", found["text"]))


def first_card(text: str) -> tuple[int, str]:
    """Return the copies and the name of the first card of a deck."""
    found = re.search(r"^(\d+) (.+)$", text, re.MULTILINE)
    assert found
    return int(found[1]), found[2]


def test_a_deck_is_kept_changed_and_taken_back():
    kept = InMemory()
    decks = []

    async def build(browser: Browser) -> None:
        deck = await begun(browser)
        decks.append(deck)
        before = await listed(browser, deck)
        copies, card = first_card(before)
        moved = await browser.post(f"{deck}/touch?order=name", f"less={quote(card)}&times={copies}")
        place = moved["headers"]["location"].removeprefix(FOLDER)
        assert place.startswith(f"{deck}?order=name#at-")
        assert card not in await listed(browser, deck)
        await browser.post(f"{deck}/back")
        assert await listed(browser, deck) == before
        assert (await browser.post(f"{deck}/back"))["status"] == 409
        await browser.post(f"{deck}/touch", f"less={quote(card)}")
        await browser.post(f"{deck}/name", "title=Grail+first")

    async def look(browser: Browser) -> None:
        page = await browser.get(decks[0], **{"hx-request": "true"})
        assert page["text"].lstrip().startswith('<div id="deck-page"')
        assert "Grail first" in said(page)
        assert "Grail first" in said(await browser.get(DECKS))
        paper = await browser.get(f"/cards/round-table/print?which=deck:{decks[0].rpartition('/')[2]}")
        assert (paper["status"], "Your deck Grail first" in said(paper)) == (200, True)
        await browser.post(f"{decks[0]}/delete")
        assert (await browser.get(decks[0]))["status"] == 404

    browse(build, kept)
    browse(look, kept)


def test_a_deck_comes_in_as_text_and_is_copied():
    async def build(browser: Browser) -> None:
        deck = await begun(browser, "")
        text = decks_of(ROUND_TABLE).write(decks_of(ROUND_TABLE).read(READY, ""), "")
        assert (await browser.post(f"{deck}/text", f"text={quote(text)}"))["status"] == 303
        assert await listed(browser, deck) == text
        wrong = await browser.post(f"{deck}/text", "text=2+Nobody+knows")
        assert (wrong["status"], "Not taken in" in wrong["text"]) == (422, True)
        again = await browser.made(DECKS, f"deck={deck.rpartition('/')[2]}")
        assert await listed(browser, again) == text
        assert (await browser.post(f"{deck}/touch", "more=Nobody"))["status"] == 422
        other = await browser.post("/cards/robin/decks")
        assert other["status"] == 404

    browse(build)


def test_a_deck_of_ones_own_is_played_and_counted():
    async def play(browser: Browser) -> None:
        deck = await begun(browser)
        id_ = deck.rpartition("/")[2]
        form = unescape((await browser.get(f"/new/round-table?option.decks.0=deck:{id_}"))["text"])
        assert f'<option value="deck:{id_}" selected>' in form
        seats = "game=round-table&seat.0=me&seat.1=page"
        table = await browser.made("/tables", f"{seats}&option.decks.0=deck:{id_}&option.decks.1={READY}")
        live = await browser.begun.house.tables.get(table.rpartition("/")[2])
        played = decks_of(ROUND_TABLE).read(live.table.row.options["decks"][0], "")
        assert decks_of(ROUND_TABLE).write(played, "") == await listed(browser, deck)
        await browser.post(f"{table}/resign", "sure=yes")
        assert "1 game of yours with this list" in said(await browser.get(deck))

    browse(play)


def test_a_deck_that_breaks_a_law_cannot_be_played():
    async def play(browser: Browser) -> None:
        deck = await begun(browser, "")
        id_ = deck.rpartition("/")[2]
        form = f"game=round-table&seat.0=me&seat.1=page&option.decks.0=deck:{id_}"
        found = await browser.post("/tables", form)
        assert (found["status"], "cannot be played yet" in found["text"]) == (422, True)

    browse(play)


def test_each_person_has_their_own_decks():
    async def look(browser: Browser) -> None:
        deck = await begun(browser)
        await browser.post("/name", "name=Bo&next=/")
        assert (await browser.get(deck))["status"] == 404
        assert "You have no deck yet" in said(await browser.get(DECKS))
        await browser.post("/name", "name=Ann&next=/")
        assert (await browser.get(deck))["status"] == 200

    browse(look)


def test_no_page_of_decks_leads_astray():
    async def look(browser: Browser) -> None:
        deck = await begun(browser)
        pages = [await browser.get(path) for path in (DECKS, deck)]
        linked = {unescape(each) for page in pages for each in re.findall(r'\shref="([^"]+)"', page["text"])}
        own = sorted({each.removeprefix(FOLDER).partition("#")[0] for each in linked if each.startswith(f"{FOLDER}/")})
        assert any("/shared/" in each for each in own)
        for path in own:
            if not path.startswith("/static/") and path != "/cards":
                assert (await browser.get(path))["status"] == 200, path
        assert f"{deck}/balance" in unescape(pages[1]["text"])

    browse(look)


def test_whoever_has_no_name_is_asked_for_one_and_the_deck_is_copied_at_once():
    async def copy(browser: Browser) -> None:
        asked = await browser.post(DECKS, f"ready={READY}")
        assert (asked["status"], f'name="ready" value="{READY}"' in asked["text"]) == (403, True)
        assert f'action="{FOLDER}{DECKS}"' in unescape(asked["text"])
        wrong = await browser.post(DECKS, f"ready={READY}&name=Grandmaster")
        assert (wrong["status"], "looks like the name of a bot" in said(wrong)) == (422, True)
        assert f'name="ready" value="{READY}"' in wrong["text"]
        deck = await browser.made(DECKS, f"ready={READY}&name=Ann")
        assert await listed(browser, deck) == decks_of(ROUND_TABLE).write(decks_of(ROUND_TABLE).read(READY, ""), "")

    browse(copy)


def test_a_link_holds_a_deck_and_opens_on_a_device_without_the_site():
    links: list[str] = []

    async def share(browser: Browser) -> None:
        deck = await begun(browser)
        page = (await browser.get(deck))["text"]
        found = re.search(r'id="share-link"[^>]* value="([^"]+)"', page)
        assert found
        links.extend([unescape(found[1]), await listed(browser, deck)])
        see = re.search(r'href="([^"]+)">See it', page)
        assert see
        assert unescape(see[1]) == FOLDER + links[0].partition("#")[2]

    async def copy(browser: Browser) -> None:
        before, _, path = links[0].partition("#")
        assert before == f"https://host{FOLDER}/index.html"
        page = await browser.get(path)
        code = re.search(r'name="code" value="([^"]+)"', page["text"])
        assert code
        deck = await browser.made(DECKS, f"name=Bo&code={quote(unescape(code[1]))}")
        assert await listed(browser, deck) == links[1]

    browse(share)
    browse(copy)


def test_a_table_offers_the_decks_of_all_people_here_with_their_names():
    async def play(browser: Browser) -> None:
        deck = await begun(browser)
        id_, text = deck.rpartition("/")[2], await listed(browser, deck)
        await browser.post(f"{deck}/name", "title=Grail+first")
        await browser.post("/name", "name=Bo&next=/")
        form = unescape((await browser.get("/new/round-table"))["text"])
        assert form.count(f'<option value="deck:{id_}">Grail first (Ann)</option>') == ROUND_TABLE.seats[1]
        assert "<b>Grail first (Ann)</b>" not in form, "nobody else reads it"
        seats = "game=round-table&seat.0=me&seat.1=person&seat.1.name=Ann"
        table = await browser.made("/tables", f"{seats}&option.decks.0={READY}&option.decks.1=deck:{id_}")
        live = await browser.begun.house.tables.get(table.rpartition("/")[2])
        played = decks_of(ROUND_TABLE).read(live.table.row.options["decks"][1], "")
        assert decks_of(ROUND_TABLE).write(played, "") == text
        none = await browser.post("/tables", f"{seats}&option.decks.0=deck:nothing")
        assert (none["status"], "you have no such deck" in said(none).lower()) == (404, True)

    browse(play)


def test_as_many_changes_are_taken_back_as_versions_are_kept():
    kept = InMemory()

    async def build(browser: Browser) -> None:
        deck = await begun(browser)
        copies, card = first_card(await listed(browser, deck))
        for _ in range(MOST_VERSIONS + 5):
            found = await browser.begun.house.decks.find(1, deck.rpartition("/")[2])
            await browser.begun.house.decks.write(found, f"{found.text}# {found.version}\n")
        back = [(await browser.post(f"{deck}/back"))["status"] for _ in range(MOST_VERSIONS)]
        assert back == [303] * (MOST_VERSIONS - 1) + [409]
        await browser.post(f"{deck}/touch", f"less={quote(card)}&times={copies}")
        await browser.post(f"{deck}/delete")
        assert not [kind for kind, _ in kept.kept if "decks" in kind]

    browse(build, kept)


class Pausing(InMemory):
    """A keeper that lets others go on before it answers, as IndexedDB does."""

    async def document(self, kind: str, id_: str) -> str:
        text = await super().document(kind, id_)
        await asyncio.sleep(0)
        return text


def test_of_two_changes_at_once_one_is_kept_and_the_other_is_told():
    async def look() -> None:
        decks, sets = BrowserDecks(Pausing()), BrowserSavedSets(Pausing())
        deck = await decks.find(1, await decks.add(1, "round-table", "Mine", "first"))
        assert sorted(await asyncio.gather(decks.write(deck, "one"), decks.write(deck, "other"))) == [False, True]
        changed = await decks.find(1, deck.id)
        await asyncio.gather(decks.rename(changed, "Ours"), decks.write(changed, "last"))
        kept = await decks.find(1, deck.id)
        assert (kept.name, kept.text, kept.version) == ("Ours", "last", 2)
        saved = await sets.find(1, "robin", await sets.add(1, "robin", "Mine", "Much"))
        assert sorted(await asyncio.gather(sets.write(saved, "Will"), sets.write(saved, "Tuck"))) == [False, True]

    asyncio.run(look())
