"""The addresses of saved sets: the tab Sets of the place Cards, and the sets that somebody can take at a table.

`model/set_lists.py` reads lists, `store/cards/saved_sets.py` keeps them, `pages/cards/saved_sets.py` has the values of
the pages. Nothing here writes to the log of a table, so that nobody else learns that a saved set was looked at.
"""

from __future__ import annotations

from typing import TypeVar

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import QuintainError
from quintain.engine.rules.collection import SetChoice
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.sets import CHOSEN, set_choice, set_moves
from quintain.server.http.answers import answer_json, is_partial, page, status_of
from quintain.server.http.documented import takes
from quintain.server.http.posts import Named
from quintain.server.http.requests import NeedsName, Post, address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.model.set_lists import read_code, read_list, set_name
from quintain.server.pages.cards.saved_sets import saved_rows, sets_context, sets_json, usual_choice
from quintain.server.pages.contexts import page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.tables.live_table import LiveTable, Viewing

Sent = TypeVar("Sent", bound=Named)


class SavingSet(Named, kw_only=True):
    """Save a set under a name: its cards by their names, one a line."""

    title: str
    text: str


class SetTitle(Named, kw_only=True):
    """The name of a set."""

    title: str


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


@post("/cards/{game_id:str}/sets", operation_class=takes(SavingSet), status_code=201)
async def save_set(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Save a set under a name, for any table of the game."""
    posted, found = await read_post(request, site, SavingSet), game(game_id)
    choice, given = usual_choice(found), posted.given
    visitor = await _sender(request, site, posted)
    try:
        name, cards = set_name(given.title), read_list(choice, given.text)
        await site.archive.saved_sets.add(visitor.number or 0, found.id, name, "\n".join(cards))
    except QuintainError as error:
        if wants_json(request):
            raise
        draft = {"draft": {"title": given.title, "text": given.text}, "said": str(error)}
        return await _show(request, site, visitor, found, draft, status_of(error))
    return await _answer(request, site, visitor, found, 201)


@post("/cards/{game_id:str}/sets/{set_id:str}/name", operation_class=takes(SetTitle), status_code=200)
async def rename_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Give a saved set of yours another name."""
    posted, found = await read_post(request, site, SetTitle), game(game_id)
    visitor = await _sender(request, site, posted)
    saved = await site.archive.saved_sets.find(visitor.number or 0, found.id, set_id)
    await site.archive.saved_sets.rename(saved, set_name(posted.given.title))
    return await _answer(request, site, visitor, found)


@post("/cards/{game_id:str}/sets/{set_id:str}/delete", operation_class=takes(Named), status_code=200)
async def delete_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Delete a saved set of yours for good."""
    posted, found = await read_post(request, site, Named), game(game_id)
    visitor = await _sender(request, site, posted)
    await site.archive.saved_sets.delete(await site.archive.saved_sets.find(visitor.number or 0, found.id, set_id))
    return await _answer(request, site, visitor, found)


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
    viewing, choice = _asked(live, visitor)
    said, status = "", 201
    try:
        name, cards = set_name(posted.given.title), read_list(choice, posted.given.text)
        assert viewing.seen is not None
        set_moves(viewing.seen, choice, cards, CHOSEN)
        await site.archive.saved_sets.add(visitor.number or 0, live.table.row.game, name, "\n".join(cards))
    except QuintainError as error:
        if wants_json(request):
            raise
        said, status = str(error), status_of(error)
    return await _at_table(request, site, visitor, live, said, status)


async def _sender(request: AnyRequest, site: Site, posted: Post[Sent]) -> Visitor:
    """Return who sent a post; they have a name from now on. Raises NeedsName."""
    await ensure_name(request, site, posted)
    return await site.named(posted.visitor)


def _asked(live: LiveTable, visitor: Visitor) -> tuple[Viewing, SetChoice]:
    """Return what a visitor sees of a table, and may choose a set from; raises Refused if nobody asks them for one."""
    live.table.check_here()
    viewing = Viewing.of(live, visitor)
    choice = set_choice(viewing.seen) if viewing.seen else None
    if choice is None:
        raise Refused(409, "nobody asks you for a set at this table now")
    if visitor.number is None:
        raise NeedsName
    return viewing, choice


async def _at_table(
    request: AnyRequest, site: Site, visitor: Visitor, live: LiveTable, said: str = "", status: int = 200
) -> Reply:
    viewing, choice = _asked(live, visitor)
    saved = await site.archive.saved_sets.of_player(visitor.number or 0, live.table.row.game)
    if wants_json(request):
        return answer_json(site, visitor, sets_json(saved, choice), status)
    assert viewing.seen is not None
    here, decision = f"/tables/{live.id}", viewing.seen.decision
    shown = {"sets": saved_rows(saved, choice), "said": said, "table": {"href": here, "decision": decision}}
    if is_partial(request):
        return page(site, visitor, "parts/saved_sets.html", shown, status)
    frame = page_context(visitor, "Your saved sets", f"{here}/sets")
    return page(site, visitor, "table_sets.html", {**frame, **shown}, status)


async def _answer(request: AnyRequest, site: Site, visitor: Visitor, found: Game, status: int = 200) -> Reply:
    """Answer a post with all saved sets; browsers load the tab again."""
    if wants_json(request):
        return await _show(request, site, visitor, found, status=status)
    return Redirect(f"/cards/{found.id}/sets", status_code=303)


async def _show(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, more: Context | None = None, status: int = 200
) -> Response[str] | Response[Context]:
    """Return the tab Sets, or the sets as JSON."""
    choice = usual_choice(found)
    number = visitor.number
    saved = [] if number is None else await site.archive.saved_sets.of_player(number, found.id)
    if wants_json(request):
        return answer_json(site, visitor, sets_json(saved, choice), status)
    shown = sets_context(found, visitor, saved, site.base_url(request))
    return page(site, visitor, "sets.html", shown | (more or {}), status)


HANDLERS = (sets, shared_set, save_set, rename_set, delete_set, table_sets, save_table_set)
