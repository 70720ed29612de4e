"""The addresses of the tab Decks: a player's decks, the builder with what can be done there, and shared decks.

`model/deck_lists.py` changes lists, `store/cards/player_decks.py` keeps them, `pages/cards/deck_pages.py` has the
values of the pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadDeck
from quintain.engine.rules.game import Game
from quintain.server.http.answers import answer_json, is_partial, page
from quintain.server.http.cards.trialed import trial_of_deck, trialed_deck
from quintain.server.http.documented import takes
from quintain.server.http.requests import Post, address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.model.deck_lists import changed_list, deck_name, decks_of, kept_list, read_code
from quintain.server.pages.cards.deck_pages import (
    builder_context,
    deck_href,
    deck_json,
    deck_panel,
    decks_context,
    place_of,
    ready_made,
    refusal,
    shared_context,
)
from quintain.server.pages.cards.tabs import game_with_cards
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.posts import Named
from quintain.server.refused import Refused
from quintain.server.store.cards.player_decks import OwnDeck
from quintain.server.workshop.subjects import deck_key

Sent = TypeVar("Sent", bound=Named)
TRIES = 20
"""How often a change is tried if the deck changes at the same time."""
MOST_ID = 40
"""Characters of the id of a deck."""
NEW = "My deck"


class NewDeck(Named, kw_only=True):
    """A new deck: a copy of a `ready` made one, of a `deck` of yours by its id, or of a shared one by its `code`.

    Without any of them it begins with nothing. `title` is its name.
    """

    ready: str = ""
    deck: str = ""
    code: str = ""
    title: str = ""


class CardTouch(Named, kw_only=True):
    """One card `more`, or one `less`, by its name; `times` says how many copies."""

    more: str = ""
    less: str = ""
    times: int = 1


class AsText(Named, kw_only=True):
    """The whole deck as text."""

    text: str


class Title(Named, kw_only=True):
    """The name of a deck."""

    title: str


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
    title, text, began = await _copied(site, visitor, found, posted.given)
    name = deck_name(posted.given.title) if posted.given.title else title
    id_ = await site.archive.decks.add(visitor.number or 0, found.id, name, text, began)
    return await _show(request, site, visitor, found, id_, status=201)


@get("/cards/{game_id:str}/decks/{deck_id:str}")
async def builder(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Return a deck of yours: its list, its sections, and whether it keeps each law."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), deck_game(game_id)
    own = await own_deck(site, visitor, found, deck_id)
    if wants_json(request):
        return answer_json(site, visitor, deck_json(found, own))
    return await deck_page(request, site, visitor, found, own)


@get("/cards/{game_id:str}/decks/{deck_id:str}/list.txt", include_in_schema=False)
async def download(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Response[str]:
    """Return a deck of the visitor as a file."""
    visitor, found = await site.visitor(request), deck_game(game_id)
    own = await own_deck(site, visitor, found, deck_id)
    named = quote(f"{own.name}.deck", safe="")
    headers = {"content-disposition": f"attachment; filename=\"list.deck\"; filename*=UTF-8''{named}"}
    return Response(own.text, media_type="text/plain", headers=headers)


@post("/cards/{game_id:str}/decks/{deck_id:str}/touch", operation_class=takes(CardTouch), status_code=200)
async def touch(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Put copies of a card into a deck of yours, or take some out."""
    posted, visitor, found = await _begin(request, site, CardTouch, game_id)
    given = posted.given
    card, by = given.more or given.less, given.times if given.more else -given.times
    if not 1 <= given.times <= max(place.most for place in decks_of(found).places("").values()):
        raise Refused(422, "times says how many copies: a whole number from 1 on, and no more than a deck can have")
    try:
        await _write(site, visitor, found, deck_id, lambda own: changed_list(found, own.text, card, by))
    except BadDeck as error:
        if wants_json(request):
            raise
        own = await own_deck(site, visitor, found, deck_id)
        return await deck_page(request, site, visitor, found, own, {"said": refusal(error)}, 422)
    return await _show(request, site, visitor, found, deck_id, f"at-{place_of(found, card)}")


@post("/cards/{game_id:str}/decks/{deck_id:str}/text", operation_class=takes(AsText), status_code=200)
async def take_text(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Take a text in as the whole list of a deck of yours; it may be unfinished."""
    posted, visitor, found = await _begin(request, site, AsText, game_id)
    try:
        await _write(site, visitor, found, deck_id, lambda _: kept_list(found, posted.given.text))
    except BadDeck as error:
        if wants_json(request):
            raise
        own = await own_deck(site, visitor, found, deck_id)
        wrong = {"text": posted.given.text, **refusal(error)}
        return await deck_page(request, site, visitor, found, own, {"wrong": wrong}, 422)
    return await _show(request, site, visitor, found, deck_id, "as-text")


@post("/cards/{game_id:str}/decks/{deck_id:str}/name", operation_class=takes(Title), status_code=200)
async def rename(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Give a deck of yours another name."""
    posted, visitor, found = await _begin(request, site, Title, game_id)
    own = await own_deck(site, visitor, found, deck_id)
    await site.archive.decks.rename(own, deck_name(posted.given.title))
    return await _show(request, site, visitor, found, deck_id)


@post("/cards/{game_id:str}/decks/{deck_id:str}/back", operation_class=takes(Named), status_code=200)
async def take_back(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Take the last change of a deck of yours back."""
    _, visitor, found = await _begin(request, site, Named, game_id)
    if not await site.archive.decks.take_back(await own_deck(site, visitor, found, deck_id)):
        raise Refused(409, "there is no change to take back")
    return await _show(request, site, visitor, found, deck_id)


@post("/cards/{game_id:str}/decks/{deck_id:str}/delete", operation_class=takes(Named), status_code=200)
async def delete(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Delete a deck of yours for good."""
    _, visitor, found = await _begin(request, site, Named, game_id)
    own = await own_deck(site, visitor, found, deck_id)
    await site.archive.decks.delete(own)
    await site.trials.forget(deck_key(own.id))
    if wants_json(request):
        return answer_json(site, visitor, {"deleted": deck_id})
    return Redirect(f"/cards/{found.id}/decks", status_code=303)


def deck_game(game_id: str) -> Game:
    """Return a game whose players bring decks; raises UnknownGame."""
    found = game_with_cards(game_id)
    decks_of(found)
    return found


async def _begin(request: AnyRequest, site: Site, kind: type[Sent], game_id: str) -> tuple[Post[Sent], Visitor, Game]:
    """Return a post, its sender, who has a name from now on, and the game."""
    posted, found = await read_post(request, site, kind), deck_game(game_id)
    await ensure_name(request, site, posted)
    return posted, await site.named(posted.visitor), found


async def own_deck(site: Site, visitor: Visitor, found: Game, deck_id: str) -> OwnDeck:
    """Return a deck of a visitor's own for a game; raises Refused if there is none."""
    own = await site.archive.decks.find(visitor.number or 0, deck_id[:MOST_ID])
    if own.game != found.id:
        raise Refused(404, f"this is no deck for {found.title}")
    return own


async def _copied(site: Site, visitor: Visitor, found: Game, given: NewDeck) -> tuple[str, str, str]:
    """Return the name and the list of a new deck, and what it was copied from."""
    if given.ready:
        ready = next((each for each in ready_made(found) if each["name"] == given.ready), None)
        if ready is None:
            raise BadDeck(
                f"there is no ready-made deck of this name; there are {', '.join(decks_of(found).ready_made)}"
            )
        return f"My {str(ready['title']).removeprefix('The ')}", str(ready["list"]), str(ready["title"])
    if given.deck:
        own = await own_deck(site, visitor, found, given.deck)
        return deck_name(f"{own.name[:33]}, again"), own.text, own.name
    if given.code:
        name, text = read_code(given.code)
        return name, kept_list(found, text), name
    return NEW, kept_list(found, ""), ""


async def _write(site: Site, visitor: Visitor, found: Game, deck_id: str, changed: Callable[[OwnDeck], str]) -> None:
    """Keep a changed list; if the deck has changed meanwhile, the change is made anew. Raises BadDeck and Refused."""
    for _ in range(TRIES):
        own = await own_deck(site, visitor, found, deck_id)
        text = changed(own)
        if text == own.text or await site.archive.decks.write(own, text):
            return
    raise Refused(503, "this deck changes all the time: wait a moment")


async def _show(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, deck_id: str, anchor: str = "", status: int = 200
) -> Reply:
    """Answer a post with the deck as it now is; browsers load its page, with the filters that the address has."""
    own = await own_deck(site, visitor, found, deck_id)
    await site.trials.stop_about(deck_key(own.id), (await trial_of_deck(site, found, own)).id)
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
    trialed = deck_panel(own, await trialed_deck(site, found, own))
    return page(site, visitor, template, shown | {"balance": trialed} | (more or {}), status)


HANDLERS = (decks, shared, make, builder, download, touch, take_text, rename, take_back, delete)
