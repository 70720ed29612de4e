"""The addresses of the tab Decks: a player's decks, the builder with what can be done there, and shared decks.

`model/deck_lists.py` changes lists, `store/cards/player_decks.py` keeps them, `pages/cards/deck_pages.py` has the
values of the pages.
"""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadDeck
from quintain.engine.rules.game import Game
from quintain.server.http.answers import answer_json, is_partial, page
from quintain.server.http.documented import takes
from quintain.server.http.requests import Post, address_of, read_post, sender, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.model.deck_lists import deck_name, read_code
from quintain.server.model.own_decks import OwnDeck
from quintain.server.pages.cards.balance.of_decks import deck_panel
from quintain.server.pages.cards.deck_games import builder_context, decks_context
from quintain.server.pages.cards.deck_pages import (
    deck_href,
    deck_json,
    place_of,
    refusal,
    shared_context,
)
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.decks import AsText, CardTouch, NewDeck, Title, deck_game, own_deck
from quintain.server.posted.posts import Named
from quintain.server.posted.trialed import trial_of_deck, trialed_deck
from quintain.server.refused import Refused
from quintain.server.workshop.subjects import deck_key

Sent = TypeVar("Sent", bound=Named)


@get("/cards/{game_id:str}/decks", include_in_schema=False)
async def decks(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the decks of the visitor, and the ready-made ones."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), deck_game(game_id)
    return page(site, visitor, "decks.html", await decks_context(site.archive, found, visitor))


@get("/cards/{game_id:str}/decks/shared/{code:str}", include_in_schema=False)
async def shared(request: AnyRequest, site: TheSite, game_id: FromPath[str], code: FromPath[str]) -> Response[str]:
    """Show the deck that a link holds."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), deck_game(game_id)
    return page(site, visitor, "deck_shared.html", shared_context(found, visitor, *read_code(code)))


@post("/cards/{game_id:str}/decks", operation_class=takes(NewDeck), status_code=201)
async def make(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Begin a deck of your own: a copy of another, or with nothing."""
    posted, visitor, found = await _begin(request, site, NewDeck, game_id)
    id_ = await posted.given.begin(site.archive.decks, visitor.number or 0, found)
    return await _show(request, site, visitor, found, id_, status=201)


@get("/cards/{game_id:str}/decks/{deck_id:str}")
async def builder(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Return a deck of yours: its list, its sections, and whether it keeps each law."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), deck_game(game_id)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    if wants_json(request):
        return answer_json(site, visitor, deck_json(found, own))
    return await deck_page(request, site, visitor, found, own)


@get("/cards/{game_id:str}/decks/{deck_id:str}/list.txt", include_in_schema=False)
async def download(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Response[str]:
    """Return a deck of the visitor as a file."""
    visitor, found = await site.visitor(request), deck_game(game_id)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    named = quote(f"{own.name}.deck", safe="")
    headers = {"content-disposition": f"attachment; filename=\"list.deck\"; filename*=UTF-8''{named}"}
    return Response(own.text, media_type="text/plain", headers=headers)


@post("/cards/{game_id:str}/decks/{deck_id:str}/touch", operation_class=takes(CardTouch), status_code=200)
async def touch(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Put copies of a card into a deck of yours, or take some out."""
    posted, visitor, found = await _begin(request, site, CardTouch, game_id)
    try:
        card = await posted.given.do(site.archive.decks, visitor.number, found, deck_id)
    except BadDeck as error:
        if wants_json(request):
            raise
        own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
        return await deck_page(request, site, visitor, found, own, {"said": refusal(error)}, 422)
    return await _show(request, site, visitor, found, deck_id, f"at-{place_of(found, card)}")


@post("/cards/{game_id:str}/decks/{deck_id:str}/text", operation_class=takes(AsText), status_code=200)
async def take_text(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Take a text in as the whole list of a deck of yours; it may be unfinished."""
    posted, visitor, found = await _begin(request, site, AsText, game_id)
    try:
        await posted.given.do(site.archive.decks, visitor.number, found, deck_id)
    except BadDeck as error:
        if wants_json(request):
            raise
        own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
        wrong = {"text": posted.given.text, **refusal(error)}
        return await deck_page(request, site, visitor, found, own, {"wrong": wrong}, 422)
    return await _show(request, site, visitor, found, deck_id, "as-text")


@post("/cards/{game_id:str}/decks/{deck_id:str}/name", operation_class=takes(Title), status_code=200)
async def rename(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Give a deck of yours another name."""
    posted, visitor, found = await _begin(request, site, Title, game_id)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    await site.archive.decks.rename(own, deck_name(posted.given.title))
    return await _show(request, site, visitor, found, deck_id)


@post("/cards/{game_id:str}/decks/{deck_id:str}/back", operation_class=takes(Named), status_code=200)
async def take_back(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Take the last change of a deck of yours back."""
    _, visitor, found = await _begin(request, site, Named, game_id)
    if not await site.archive.decks.take_back(await own_deck(site.archive.decks, visitor.number, found, deck_id)):
        raise Refused(409, "there is no change to take back")
    return await _show(request, site, visitor, found, deck_id)


@post("/cards/{game_id:str}/decks/{deck_id:str}/delete", operation_class=takes(Named), status_code=200)
async def delete(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Delete a deck of yours for good."""
    _, visitor, found = await _begin(request, site, Named, game_id)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    await site.archive.decks.delete(own)
    await site.trials.forget(deck_key(own.id))
    if wants_json(request):
        return answer_json(site, visitor, {"deleted": deck_id})
    return Redirect(f"/cards/{found.id}/decks", status_code=303)


async def _begin(request: AnyRequest, site: Site, kind: type[Sent], game_id: str) -> tuple[Post[Sent], Visitor, Game]:
    """Return a post, its sender, who has a name from now on, and the game."""
    posted, found = await read_post(request, site, kind), deck_game(game_id)
    return posted, await sender(request, site, posted), found


async def _show(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, deck_id: str, anchor: str = "", status: int = 200
) -> Reply:
    """Answer a post with the deck as it now is; browsers load its page, with the filters that the address has."""
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    await site.trials.stop_about(deck_key(own.id), (await trial_of_deck(site.trials, found, own)).id)
    if wants_json(request):
        return answer_json(site, visitor, deck_json(found, own), status)
    query = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"{deck_href(own)}{'?' if query else ''}{query}{'#' if anchor else ''}{anchor}", status_code=303)


async def deck_page(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    own: OwnDeck,
    more: Context | None = None,
    status: int = 200,
) -> Response[str]:
    """Return the page of the builder; for a script only its body."""
    query = request.query_params
    kinds, base_url = query.getall("kind", []), site.base_url(request)
    shown = await builder_context(site.archive, found, visitor, own, query, kinds, base_url)
    template = "deck_body.html" if is_partial(request) else "deck.html"
    trialed = deck_panel(own, await trialed_deck(site.trials, found, own))
    return page(site, visitor, template, shown | {"balance": trialed} | (more or {}), status)


HANDLERS = (decks, shared, make, builder, download, touch, take_text, rename, take_back, delete)
