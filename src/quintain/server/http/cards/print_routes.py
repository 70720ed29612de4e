"""The address of the tab Print: the cards of a game on paper."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from quintain.server.http.answers import page
from quintain.server.http.requests import address_of
from quintain.server.http.site import AnyRequest, TheSite
from quintain.server.pages.cards.own_prints import own_choices
from quintain.server.pages.cards.printing import print_context
from quintain.server.pages.cards.tabs import game_with_cards


@get("/cards/{game_id:str}/print", include_in_schema=False)
async def print_cards(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the pages that the browser prints."""
    site.check_replay_limit(address_of(request))
    visitor, found, query = await site.visitor(request), game_with_cards(game_id), request.query_params
    kinds, lines = query.getall("kind", []), query.getall("lines", [])
    own = await own_choices(site.archive.decks, site.archive.sets, visitor.number, found)
    return page(site, visitor, "cards_print.html", print_context(found, visitor, query, kinds, lines, own))


HANDLERS = (print_cards,)
