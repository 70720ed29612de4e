"""The addresses of sets: the tab Sets of the place Cards with its builder, and the sets that are taken at a table.

`posted/saved_sets.py` changes lists, `store/cards/saved_sets.py` keeps them, `pages/cards/sets` has the values of the
pages. Only `choose_set` writes to the log of a table, so that nobody else learns that a saved set was looked at.
"""

from __future__ import annotations

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.http.answers import answer_json, is_partial, page, status_of
from quintain.server.http.documented import takes
from quintain.server.http.requests import address_of, read_post, sender, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.http.table_answers import change
from quintain.server.model.saved_sets import SavedSet
from quintain.server.model.set_lists import (
    read_code,
    read_list,
    set_name,
)
from quintain.server.pages.cards.deck_pages import refusal
from quintain.server.pages.cards.played_lists import did_context
from quintain.server.pages.cards.sets.saved_sets import at_table_context, sets_context, sets_json, usual_choice
from quintain.server.pages.cards.sets.set_builder import set_href, set_json, set_page
from quintain.server.pages.cards.sets.set_games import games_of_sets
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.posts import ChoosingSet, Named
from quintain.server.posted.saved_sets import (
    BeginningSet,
    Changed,
    SavingSet,
    SetText,
    SetTitle,
    SetTouch,
    asked_for_set,
    change_set,
    dealt,
    named_whole,
    saved_set,
)
from quintain.server.tables.live_table import LiveTable


@get("/cards/{game_id:str}/sets")
async def sets(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Return your saved sets for a game, each with what is wrong with it for the usual cards."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), game(game_id)
    return await _show(request, site, visitor, found)


@get("/cards/{game_id:str}/sets/shared/{code:str}", include_in_schema=False)
async def shared_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], code: FromPath[str]) -> Reply:
    """Show the set that a link holds, ready to be saved."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), game(game_id)
    name, text = read_code(code)
    draft = {"title": name, "text": "\n".join(read_list(usual_choice(found), text))}
    return await _show(request, site, visitor, found, {"draft": draft})


@post("/cards/{game_id:str}/sets", operation_class=takes(BeginningSet), status_code=201)
async def save_set(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Save a new set under a name, for any table of the game; it may still be unfinished."""
    posted, found = await read_post(request, site, BeginningSet), game(game_id)
    given, visitor = posted.given, await sender(request, site, posted)
    try:
        id_ = await given.begin(site.archive.saved_sets, visitor.number or 0, found)
    except QuintainError as error:
        if wants_json(request):
            raise
        draft = {"draft": {"title": given.title, "text": given.text}, "said": str(error)}
        return await _show(request, site, visitor, found, draft, status_of(error))
    if wants_json(request):
        return await _show(request, site, visitor, found, status=201)
    return Redirect(f"/cards/{found.id}/sets/{id_}", status_code=303)


@get("/cards/{game_id:str}/sets/{set_id:str}")
async def one_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Return a set of yours: its cards, what is wrong with it for the usual cards, and what it adds up to."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), game(game_id)
    saved = await saved_set(site.archive.saved_sets, visitor.number, found, set_id)
    if wants_json(request):
        return answer_json(site, visitor, set_json(found, saved))
    return await _builder(request, site, visitor, found, saved)


@post("/cards/{game_id:str}/sets/{set_id:str}/touch", operation_class=takes(SetTouch), status_code=200)
async def touch_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Take a card into a set of yours, put one back, or put one in the place of another."""
    posted, found = await read_post(request, site, SetTouch), game(game_id)
    visitor = await sender(request, site, posted)
    return await _changed(request, site, visitor, found, set_id, posted.given.change(found), "said")


@post("/cards/{game_id:str}/sets/{set_id:str}/deal", operation_class=takes(Named), status_code=200)
async def deal_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Deal the cards that a set of yours has too few of."""
    posted, found = await read_post(request, site, Named), game(game_id)
    visitor = await sender(request, site, posted)
    return await _changed(request, site, visitor, found, set_id, dealt(found), "said")


@post("/cards/{game_id:str}/sets/{set_id:str}/text", operation_class=takes(SetText), status_code=200)
async def take_set_text(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Take a text in as the whole list of a set of yours; it may be unfinished."""
    posted, found = await read_post(request, site, SetText), game(game_id)
    visitor, given = await sender(request, site, posted), posted.given
    return await _changed(request, site, visitor, found, set_id, given.change(found), "wrong", given.text)


@post("/cards/{game_id:str}/sets/{set_id:str}/name", operation_class=takes(SetTitle), status_code=200)
async def rename_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Give a saved set of yours another name."""
    posted, found = await read_post(request, site, SetTitle), game(game_id)
    visitor = await sender(request, site, posted)
    saved = await saved_set(site.archive.saved_sets, visitor.number, found, set_id)
    await site.archive.saved_sets.rename(saved, set_name(posted.given.title))
    return await _answer(request, site, visitor, found, set_href(saved))


@post("/cards/{game_id:str}/sets/{set_id:str}/delete", operation_class=takes(Named), status_code=200)
async def delete_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Delete a saved set of yours for good."""
    posted, found = await read_post(request, site, Named), game(game_id)
    visitor = await sender(request, site, posted)
    await site.archive.saved_sets.delete(await saved_set(site.archive.saved_sets, visitor.number, found, set_id))
    return await _answer(request, site, visitor, found, f"/cards/{found.id}/sets")


@post("/tables/{table_id:str}/set", operation_class=takes(ChoosingSet), status_code=200)
async def choose_set(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Choose a whole set of cards by their names, in a game whose players choose sets: all its moves are made, or none.

    With the way "rest" the cards that are missing are dealt; with "keep" the last set is kept.
    """
    posted = await read_post(request, site, ChoosingSet)
    visitor = await site.named(posted.visitor)

    async def do(live: LiveTable) -> None:
        names = named_whole(live, visitor, posted.given)
        await posted.given.do(site.tables, live, visitor.id)
        if names and visitor.number is not None:
            await site.archive.saved_sets.note(visitor.number, live.table.row.game, live.id, names)

    return await change(request, site, table_id, posted.visitor, do)


@get("/tables/{table_id:str}/sets")
async def table_sets(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Return your saved sets for a table at which you are asked for one, each with what is wrong with it there."""
    site.check_replay_limit(address_of(request))
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    return await _at_table(request, site, visitor, live)


@post("/tables/{table_id:str}/sets", operation_class=takes(SavingSet), status_code=201)
async def save_table_set(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Save the whole set that you have chosen at a table, before you play it; the table does not change."""
    posted, live = await read_post(request, site, SavingSet), await site.tables.get(table_id)
    visitor = await site.named(posted.visitor)
    said, status = "", 201
    try:
        await posted.given.save(site.archive.saved_sets, live, visitor)
    except QuintainError as error:
        if wants_json(request):
            raise
        said, status = str(error), status_of(error)
    return await _at_table(request, site, visitor, live, said, status)


@post("/tables/{table_id:str}/sets/text", operation_class=takes(SetText), status_code=200)
async def read_table_set(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Read a text as the set that you choose at a table, one card a line, whole or not; the table does not change.

    The answer has the cards as the game writes them. A wrong line is named.
    """
    posted, live = await read_post(request, site, SetText), await site.tables.get(table_id)
    visitor, given = await site.named(posted.visitor), posted.given
    seen, choice = asked_for_set(live, visitor)
    try:
        if wants_json(request):
            cards, lacks = given.read(choice)
            return answer_json(site, visitor, {"cards": cards, "lacks": lacks or None})
        typed = given.at_table(seen, choice)
    except BadOption as error:
        if wants_json(request):
            raise
        return await _at_table(request, site, visitor, live, status=422, typed={"text": given.text, **refusal(error)})
    return await _at_table(request, site, visitor, live, typed=typed)


async def _changed(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    set_id: str,
    changed: Changed,
    place: str,
    text: str = "",
) -> Reply:
    """Keep a changed list, and answer with the set. What is refused stands on the page in its place, with `text`."""
    try:
        saved = await change_set(site.archive.saved_sets, visitor.number, found, set_id, changed)
    except BadOption as error:
        if wants_json(request):
            raise
        saved = await saved_set(site.archive.saved_sets, visitor.number, found, set_id)
        refused = {place: {"text": text, **refusal(error)}}
        return await _builder(request, site, visitor, found, saved, refused, 422)
    if wants_json(request):
        return answer_json(site, visitor, set_json(found, saved))
    query = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"{set_href(saved)}{'?' if query else ''}{query}", status_code=303)


async def _builder(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    saved: SavedSet,
    more: Context | None = None,
    status: int = 200,
) -> Response[str]:
    """Return the page of the builder; for a script only its body."""
    games = (await games_of_sets(site.archive, visitor, found.id, [saved])).get(saved.id, [])
    did, query = await did_context(site.archive.store, games), request.query_params
    mine = await site.archive.saved_sets.of_player(saved.number, found.id)
    shown = set_page(found, visitor, saved, did, query, query.getall("group", []), site.base_url(request), mine)
    template = "set_body.html" if is_partial(request) else "set.html"
    return page(site, visitor, template, shown | (more or {}), status)


async def _at_table(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    live: LiveTable,
    said: str = "",
    status: int = 200,
    typed: Context | None = None,
) -> Reply:
    """Return the saved sets for a table, and below them on a page of their own the text that somebody `typed`."""
    seen, choice = asked_for_set(live, visitor)
    saved = await site.archive.saved_sets.of_player(visitor.number or 0, live.table.row.game)
    if wants_json(request):
        return answer_json(site, visitor, sets_json(saved, choice), status)
    games = await games_of_sets(site.archive, visitor, live.table.row.game, saved)
    shown = at_table_context(visitor, live, seen.decision, choice, saved, games, said, typed)
    return page(site, visitor, "parts/saved_sets.html" if is_partial(request) else "table_sets.html", shown, status)


async def _answer(request: AnyRequest, site: Site, visitor: Visitor, found: Game, href: str) -> Reply:
    """Answer a post with all saved sets; browsers load a page."""
    if wants_json(request):
        return await _show(request, site, visitor, found)
    return Redirect(href, status_code=303)


async def _show(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, more: Context | None = None, status: int = 200
) -> Response[str] | Response[Context]:
    """Return the tab Sets, or the sets as JSON."""
    choice = usual_choice(found)
    number = visitor.number
    saved = [] if number is None else await site.archive.saved_sets.of_player(number, found.id)
    if wants_json(request):
        return answer_json(site, visitor, sets_json(saved, choice), status)
    games = await games_of_sets(site.archive, visitor, found.id, saved)
    shown = sets_context(found, visitor, saved, games)
    return page(site, visitor, "sets.html", shown | (more or {}), status)


HANDLERS = (
    sets,
    shared_set,
    save_set,
    one_set,
    touch_set,
    deal_set,
    take_set_text,
    rename_set,
    delete_set,
    choose_set,
    table_sets,
    save_table_set,
    read_table_set,
)
