"""The addresses of the tab Browse: all cards of a game, and each card by itself."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import UnknownGame
from quintain.server.http.answers import page
from quintain.server.http.requests import address_of
from quintain.server.http.site import AnyRequest, TheSite
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.cards.one_card import card_context
from quintain.server.pages.cards.tabs import game_with_cards, games_with_cards


@get("/cards", include_in_schema=False)
async def cards() -> Redirect:
    """Lead to the cards of the easiest game."""
    games = games_with_cards()
    if not games:
        raise UnknownGame("no game here lists its cards")
    return Redirect(f"/cards/{games[0].id}", status_code=303)


@get("/cards/{game_id:str}", include_in_schema=False)
async def browse(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the cards of a game that the filters leave."""
    site.check_replay_limit(address_of(request))
    visitor, found, query = await site.visitor(request), game_with_cards(game_id), request.query_params
    return page(site, visitor, "cards_browse.html", browse_context(found, visitor, query, query.getall("kind", [])))


@get("/cards/{game_id:str}/{place:str}", include_in_schema=False)
async def one_card(request: AnyRequest, site: TheSite, game_id: FromPath[str], place: FromPath[str]) -> Response[str]:
    """Show a card by itself: its text, what the rules say about it, and the decks that have it."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), game_with_cards(game_id)
    return page(site, visitor, "cards_one.html", card_context(found, visitor, place, site.templates))


HANDLERS = (cards, browse, one_card)
