"""The pages of a game's rules: /rules/GAME, and the drawer beside a table.

The rulebook is the same for everybody. With the header of htmx the first address gives the part that the drawer holds.
"""

from __future__ import annotations

from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from quintain.engine.rules.registry import game
from quintain.server.http.answers import is_partial, page
from quintain.server.http.site import AnyRequest, TheSite
from quintain.server.pages.contexts import by_weight, game_facts, page_context
from quintain.server.pages.rule_pages import rules_context
from quintain.server.pages.rulebooks import MOST_LETTERS


@get("/rules", include_in_schema=False)
async def books(request: AnyRequest, site: TheSite) -> Response[str]:
    """Show the rulebooks that there are."""
    visitor = await site.visitor(request)
    shown = {**page_context(visitor, "Rules", "/rules"), "games": [game_facts(found) for found in by_weight()]}
    return page(site, visitor, "rules_index.html", shown)


@get("/rules/{game_id:str}", include_in_schema=False)
async def rules(
    request: AnyRequest, site: TheSite, game_id: FromPath[str], search: FromQuery[str] = ""
) -> Response[str]:
    """Show a rulebook; with `search`, the clauses and cards that contain these words."""
    visitor, found, partial = await site.visitor(request), game(game_id), is_partial(request)
    shown = rules_context(found, visitor, site.templates, "" if partial else search)
    return page(site, visitor, "parts/rules_drawer.html" if partial else "rules.html", shown)


@get("/rules/{game_id:str}/cards", include_in_schema=False)
async def cards(game_id: FromPath[str], search: FromQuery[str] = "") -> Redirect:
    """Lead to the place Cards, where the list of cards has moved."""
    kept = f"?{urlencode({'search': search[:MOST_LETTERS]})}" if search else ""
    return Redirect(f"/cards/{game(game_id).id}{kept}", status_code=303)


HANDLERS = (books, rules, cards)
