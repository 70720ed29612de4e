"""Answers about cards: all cards of a game, each card by itself, and the pages to print."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.errors import UnknownGame
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.cards.deck_answers import decks_answer, decks_post
from quintain.server.browser.cards.set_answers import sets_answer, sets_post
from quintain.server.browser.house import House
from quintain.server.browser.workshop.set_answers import workshop_answer, workshop_post
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.cards.one_card import card_context
from quintain.server.pages.cards.own_prints import own_choices
from quintain.server.pages.cards.printing import print_context
from quintain.server.pages.cards.tabs import DECKS, PRINT, SETS, WORKSHOP, game_with_cards, games_with_cards
from quintain.server.pages.rendering import Context
from quintain.server.refused import Refused


async def cards_page(house: House, asked: PageRequest, parts: Sequence[str]) -> PageAnswer:
    """Show a page of the place Cards; `parts` is the rest of its address."""
    visitor = house.visitor()
    match parts:
        case []:
            return PageAnswer.redirect(f"/cards/{_first()}")
        case [id_]:
            shown = browse_context(game_with_cards(id_), visitor, asked.query, asked.all("kind"))
            return _page(house, "cards_browse.html", shown)
        case [id_, tab, *rest] if tab == DECKS:
            return await decks_answer(house, asked, id_, rest)
        case [id_, tab, *rest] if tab == SETS:
            return await sets_answer(house, asked, id_, rest)
        case [id_, tab, *rest] if tab == WORKSHOP:
            return await workshop_answer(house, asked, id_, rest)
        case [id_, place] if place == PRINT:
            found, kinds, lines = game_with_cards(id_), asked.all("kind"), asked.all("lines")
            own = await own_choices(house.decks, house.sets, visitor.number, found)
            shown = print_context(found, visitor, asked.query, kinds, lines, own)
            return _page(house, "cards_print.html", shown)
        case [id_, place]:
            return _page(house, "cards_one.html", card_context(game_with_cards(id_), visitor, place, house.templates))
    raise Refused(404, "there is no such page")


async def cards_post(house: House, asked: PageRequest, parts: Sequence[str]) -> PageAnswer:
    """Do what is posted to the place Cards."""
    match parts:
        case [id_, tab, *rest] if tab == DECKS:
            return await decks_post(house, asked, id_, rest)
        case [id_, tab, *rest] if tab == SETS:
            return await sets_post(house, asked, id_, rest)
        case [id_, tab, *rest] if tab == WORKSHOP:
            return await workshop_post(house, asked, id_, rest)
    raise Refused(404, "nothing of this kind can be posted here")


def _first() -> str:
    """Return the id of the easiest game that lists its cards."""
    games = games_with_cards()
    if not games:
        raise UnknownGame("no game here lists its cards")
    return games[0].id


def _page(house: House, template: str, context: Context) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context))
