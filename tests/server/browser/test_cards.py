"""The place Cards in a browser alone: all cards, one card, and paper."""

import re
from html import unescape
from typing import Any

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.cards.tabs import games_with_cards
from quintain.server.pages.rendering import environment
from server.browser.test_house import FOLDER, Browser, browse


@pytest.mark.parametrize("game_id", [each.id for each in games_with_cards()])
def test_all_cards_of_a_game_are_listed(game_id: str):
    async def look(browser: Browser) -> None:
        page = await browser.get(f"/cards/{game_id}")
        first = re.search(rf'href="({FOLDER}/cards/{game_id}/[^"/?]+)"', unescape(found_shelf(page)))
        assert first
        card = await browser.get(first[1].removeprefix(FOLDER))
        paper = await browser.get(f"/cards/{game_id}/print")
        assert [each["status"] for each in (page, card, paper)] == [200, 200, 200]
        assert "What the rules say" in card["text"]
        assert 'id="papers"' in paper["text"]

    browse(look)


def found_shelf(page: dict[str, Any]) -> str:
    """Return the part of a page that lists cards."""
    return str(page["text"]).partition('id="shelf"')[2]


def test_cards_begin_with_the_easiest_game():
    async def look(browser: Browser) -> None:
        found = await browser.get("/cards")
        assert found["headers"]["location"] == f"{FOLDER}/cards/{games_with_cards()[0].id}"
        assert f'href="{FOLDER}/cards"' in unescape((await browser.get("/"))["text"])

    browse(look)


def test_filters_leave_the_cards_that_they_leave_on_a_server():
    round_table = game("round-table")

    async def look(browser: Browser) -> None:
        shown = browse_context(round_table, browser.begun.house.visitor(), {})
        kinds = [each["words"] for each in shown["kinds"][:2]]
        query = "&".join(f"kind={each.replace(' ', '+')}" for each in kinds)
        page = (await browser.get(f"/cards/round-table?{query}&search=draw"))["text"]
        context = browse_context(round_table, browser.begun.house.visitor(), {"search": "draw"}, kinds)
        theirs = environment(address=lambda path: path).render_template("cards_browse.html", **context)
        assert 0 < context["left"] < context["all"]
        assert unescape(found_shelf({"text": theirs})) == unescape(found_shelf({"text": page})).replace(FOLDER, "")
        wrong = await browser.get("/cards/round-table?kind=nothing")
        assert (wrong["status"], "Kind is one of" in wrong["text"]) == (422, True)

    browse(look)


@pytest.mark.parametrize("path", ["/cards/chess", "/cards/robin/no-such-card", "/cards/robin/print/more"])
def test_cards_that_are_not_there_are_refused(path: str):
    async def look(browser: Browser) -> None:
        assert (await browser.get(path))["status"] == 404

    browse(look)
