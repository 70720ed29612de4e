"""The pages of a game's rules: /rules/GAME, and the drawer beside a table.

The rulebook is the same for everybody. With the header of htmx the first address gives the part that the drawer holds.
"""

from __future__ import annotations

from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from minijinja import Environment, safe

from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.http.answers import is_partial, page
from quintain.server.http.site import AnyRequest, TheSite
from quintain.server.pages.cards.listed import card_groups
from quintain.server.pages.contexts import by_weight, game_facts, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.rule_pictures import painter
from quintain.server.pages.rulebooks import MOST_LETTERS, Hit, RulebookPage, found_in, rulebook_page, words_of
from quintain.server.people.players import Visitor


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


def rules_context(found: Game, visitor: Visitor, templates: Environment, search: str) -> Context:
    """Return the values for the page of a rulebook, and for the drawer: then `search` is empty."""
    book, words = book_of(found, templates), words_of(search)
    return {
        **page_context(visitor, f"The rules of {found.title}", f"/rules/{found.id}"),
        **_shown(found, search),
        "rulebook": book,
        "hits": _hits(found, book, words) if words else None,
        "card_hits": drawn_cards(found, templates, words) if words and found.collection else "",
        "cards": drawn_cards(found, templates) if found.collection and not words else "",
    }


def book_of(found: Game, templates: Environment) -> RulebookPage:
    """Return the rulebook of a game as HTML, with its pictures."""
    return rulebook_page(found.text.rulebook(), painter(templates, found))


def drawn_cards(found: Game, templates: Environment, words: tuple[str, ...] = ()) -> str:
    """Return the cards of a game that contain these words, as HTML; empty if none does. For 144 cards it takes 5 ms."""
    groups = card_groups(found, words)
    html: str = safe(templates.render_template("parts/card_groups.html", groups=groups, game=found.id))
    return html


def _shown(found: Game, search: str) -> Context:
    return {"game": game_facts(found), "has_cards": found.collection is not None, "search": search[:MOST_LETTERS]}


def _hits(found: Game, book: RulebookPage, words: tuple[str, ...]) -> list[Hit]:
    """Return the passages with these words; links between clauses lead to the whole rulebook."""
    whole = f'href="/rules/{found.id}#'
    return [Hit(hit.chapter, hit.anchor, hit.html.replace('href="#', whole)) for hit in found_in(book, words)]


HANDLERS = (books, rules, cards)
