"""The addresses of sets: the tab Sets of the place Cards with its builder, and the sets that are taken at a table.

`model/set_lists.py` changes lists, `store/cards/saved_sets.py` keeps them, `pages/cards/sets` has the values of the
pages. Only `choose_set` writes to the log of a table, so that nobody else learns that a saved set was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.collection import SetChoice
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.sets import CHOSEN, REST, set_choice, set_moves
from quintain.server.http.answers import answer_json, is_partial, page, status_of
from quintain.server.http.documented import takes
from quintain.server.http.requests import Post, address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.http.table_answers import change
from quintain.server.model.set_lists import (
    MOST_NAME,
    changed_set,
    dealt_set,
    read_code,
    read_list,
    read_list_here,
    set_name,
)
from quintain.server.pages.cards.deck_games import did_context
from quintain.server.pages.cards.deck_pages import refusal
from quintain.server.pages.cards.sets.choosing_sets import lacks_in_words
from quintain.server.pages.cards.sets.saved_sets import saved_rows, sets_context, sets_json, usual_choice
from quintain.server.pages.cards.sets.set_builder import set_href, set_json, set_page
from quintain.server.pages.cards.sets.set_games import games_of_sets
from quintain.server.pages.contexts import page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.fields import NeedsName
from quintain.server.posted.posts import ChoosingSet, Named
from quintain.server.refused import Refused
from quintain.server.store.cards.saved_sets import SavedSet
from quintain.server.tables.live_table import LiveTable, Viewing

Sent = TypeVar("Sent", bound=Named)


NEW = "My set"
MOST_ID = 40
"""Characters of the id of a set."""
TRIES = 20
"""How often a change is tried if the set changes at the same time."""


class SavingSet(Named, kw_only=True):
    """Save a set under a name: its cards by their names, one a line."""

    title: str
    text: str


class BeginningSet(Named, kw_only=True):
    """A new set: the cards of a `text`, one a line, whole or not; or a copy of a `set` of yours, by its id.

    Without either it `begins` with nothing, or is dealt. `title` is its name.
    """

    title: str = ""
    text: str = ""
    set: str = ""
    begins: Literal["", "nothing", "dealt"] = ""


class SetTouch(Named, kw_only=True):
    """Take a card into a set, put one `back`, or both, which puts one card in the place of another."""

    take: str = ""
    back: str = ""


class SetText(Named, kw_only=True):
    """The whole list of a set as text: one card a line."""

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


@post("/cards/{game_id:str}/sets", operation_class=takes(BeginningSet), status_code=201)
async def save_set(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Save a new set under a name, for any table of the game; it may still be unfinished."""
    posted, found = await read_post(request, site, BeginningSet), game(game_id)
    given, visitor = posted.given, await _sender(request, site, posted)
    try:
        name, cards = await _begun(site, visitor, found, given)
        id_ = await site.archive.saved_sets.add(visitor.number or 0, found.id, name, "\n".join(cards))
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
    saved = await _own(site, visitor, found, set_id)
    if wants_json(request):
        return answer_json(site, visitor, set_json(found, saved))
    return await _builder(request, site, visitor, found, saved)


@post("/cards/{game_id:str}/sets/{set_id:str}/touch", operation_class=takes(SetTouch), status_code=200)
async def touch_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Take a card into a set of yours, put one back, or put one in the place of another."""
    posted, found = await read_post(request, site, SetTouch), game(game_id)
    visitor, given = await _sender(request, site, posted), posted.given
    if not given.take and not given.back:
        raise Refused(422, "name a card to take, or one to put back")

    def touched(names: Sequence[str]) -> Sequence[str]:
        return changed_set(usual_choice(found), names, given.take, given.back)

    return await _changed(request, site, visitor, found, set_id, touched, "said")


@post("/cards/{game_id:str}/sets/{set_id:str}/deal", operation_class=takes(Named), status_code=200)
async def deal_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Deal the cards that a set of yours has too few of."""
    posted, found = await read_post(request, site, Named), game(game_id)
    visitor = await _sender(request, site, posted)

    def dealt(names: Sequence[str]) -> Sequence[str]:
        return dealt_set(usual_choice(found), names)

    return await _changed(request, site, visitor, found, set_id, dealt, "said")


@post("/cards/{game_id:str}/sets/{set_id:str}/text", operation_class=takes(SetText), status_code=200)
async def take_set_text(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Take a text in as the whole list of a set of yours; it may be unfinished."""
    posted, found = await read_post(request, site, SetText), game(game_id)
    visitor, text = await _sender(request, site, posted), posted.given.text

    def taken(_: Sequence[str]) -> Sequence[str]:
        return read_list(usual_choice(found), text)

    return await _changed(request, site, visitor, found, set_id, taken, "wrong", text)


@post("/cards/{game_id:str}/sets/{set_id:str}/name", operation_class=takes(SetTitle), status_code=200)
async def rename_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Give a saved set of yours another name."""
    posted, found = await read_post(request, site, SetTitle), game(game_id)
    visitor = await _sender(request, site, posted)
    saved = await _own(site, visitor, found, set_id)
    await site.archive.saved_sets.rename(saved, set_name(posted.given.title))
    return await _answer(request, site, visitor, found, set_href(saved))


@post("/cards/{game_id:str}/sets/{set_id:str}/delete", operation_class=takes(Named), status_code=200)
async def delete_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Delete a saved set of yours for good."""
    posted, found = await read_post(request, site, Named), game(game_id)
    visitor = await _sender(request, site, posted)
    await site.archive.saved_sets.delete(await _own(site, visitor, found, set_id))
    return await _answer(request, site, visitor, found, f"/cards/{found.id}/sets")


@post("/tables/{table_id:str}/set", operation_class=takes(ChoosingSet), status_code=200)
async def choose_set(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Choose a whole set of cards by their names, in a game whose players choose sets: all its moves are made, or none.

    With the way "rest" the cards that are missing are dealt; with "keep" the last set is kept.
    """
    posted = await read_post(request, site, ChoosingSet)
    visitor = await site.named(posted.visitor)

    async def do(live: LiveTable) -> None:
        names = _named_whole(live, visitor, posted.given)
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


@post("/tables/{table_id:str}/sets/text", operation_class=takes(SetText), status_code=200)
async def read_table_set(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Read a text as the set that you choose at a table, one card a line, whole or not; the table does not change.

    The answer has the cards as the game writes them. A wrong line is named.
    """
    posted, live = await read_post(request, site, SetText), await site.tables.get(table_id)
    visitor, text = await site.named(posted.visitor), posted.given.text
    viewing, choice = _asked(live, visitor)
    assert viewing.seen is not None
    try:
        cards = read_list_here(choice, text)
        lacks = lacks_in_words(choice, cards)
        if wants_json(request):
            return answer_json(site, visitor, {"cards": cards, "lacks": lacks or None})
        set_moves(viewing.seen, choice, [name for name in cards if name not in choice.taken], REST if lacks else CHOSEN)
    except BadOption as error:
        if wants_json(request):
            raise
        return await _at_table(request, site, visitor, live, status=422, typed={"text": text, **refusal(error)})
    return await _at_table(request, site, visitor, live, typed={"text": text, "names": cards, "lacks": lacks})


async def _sender(request: AnyRequest, site: Site, posted: Post[Sent]) -> Visitor:
    """Return who sent a post; they have a name from now on. Raises NeedsName."""
    await ensure_name(request, site, posted)
    return await site.named(posted.visitor)


def _named_whole(live: LiveTable, visitor: Visitor, given: ChoosingSet) -> Sequence[str]:
    """Return the cards of a set that is named whole, as the game writes them; none if cards are dealt or kept."""
    viewing = Viewing.of(live, visitor)
    choice = set_choice(viewing.seen) if viewing.seen and given.way == CHOSEN else None
    if choice is None:
        return ()
    known = {name.casefold(): name for name in choice.cards}
    return (*choice.taken, *(known.get(" ".join(name.split()).casefold(), name) for name in given.cards))


async def _begun(site: Site, visitor: Visitor, found: Game, given: BeginningSet) -> tuple[str, Sequence[str]]:
    """Return the name and the cards of a new set; raises BadOption and Refused."""
    choice = usual_choice(found)
    if given.set:
        saved = await _own(site, visitor, found, given.set)
        return set_name(given.title or f"{saved.name[: MOST_NAME - 7]}, again"), saved.names
    if given.begins:
        cards = dealt_set(choice, ()) if given.begins == "dealt" else ()
        return set_name(given.title or NEW), cards
    return set_name(given.title), read_list(choice, given.text)


async def _own(site: Site, visitor: Visitor, found: Game, set_id: str) -> SavedSet:
    """Return a set of a visitor's own for a game whose players choose sets; raises Refused and UnknownGame."""
    usual_choice(found)
    return await site.archive.saved_sets.find(visitor.number or 0, found.id, set_id[:MOST_ID])


async def _changed(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    set_id: str,
    changed: Callable[[Sequence[str]], Sequence[str]],
    place: str,
    text: str = "",
) -> Reply:
    """Keep a changed list, and answer with the set. What is refused stands on the page in its place, with `text`."""
    try:
        saved = await _write(site, visitor, found, set_id, changed)
    except BadOption as error:
        if wants_json(request):
            raise
        saved = await _own(site, visitor, found, set_id)
        refused = {place: {"text": text, **refusal(error)}}
        return await _builder(request, site, visitor, found, saved, refused, 422)
    if wants_json(request):
        return answer_json(site, visitor, set_json(found, saved))
    query = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"{set_href(saved)}{'?' if query else ''}{query}", status_code=303)


async def _write(
    site: Site, visitor: Visitor, found: Game, set_id: str, changed: Callable[[Sequence[str]], Sequence[str]]
) -> SavedSet:
    """Keep a changed list; if the set has changed meanwhile, the change is made anew. Raises BadOption and Refused."""
    for _ in range(TRIES):
        saved = await _own(site, visitor, found, set_id)
        cards = "\n".join(changed(saved.names))
        if cards == saved.cards or await site.archive.saved_sets.write(saved, cards):
            return await _own(site, visitor, found, set_id)
    raise Refused(503, "this set changes all the time: wait a moment")


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
    did, query = await did_context(site.archive, games), request.query_params
    mine = await site.archive.saved_sets.of_player(saved.number, found.id)
    shown = set_page(found, visitor, saved, did, query, query.getall("group", []), site.base_url(request), mine)
    template = "set_body.html" if is_partial(request) else "set.html"
    return page(site, visitor, template, shown | (more or {}), status)


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
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    live: LiveTable,
    said: str = "",
    status: int = 200,
    typed: Context | None = None,
) -> Reply:
    """Return the saved sets for a table, and below them on a page of their own the text that somebody `typed`."""
    viewing, choice = _asked(live, visitor)
    saved = await site.archive.saved_sets.of_player(visitor.number or 0, live.table.row.game)
    if wants_json(request):
        return answer_json(site, visitor, sets_json(saved, choice), status)
    assert viewing.seen is not None
    here, decision = f"/tables/{live.id}", viewing.seen.decision
    games = await games_of_sets(site.archive, visitor, live.table.row.game, saved)
    rows, table = saved_rows(saved, choice, games), {"href": here, "decision": decision, "game": live.table.row.game}
    shown = {"sets": rows, "said": said, "table": table, "typed": typed, "taken": choice.taken}
    if is_partial(request):
        return page(site, visitor, "parts/saved_sets.html", shown, status)
    frame = page_context(visitor, "Your saved sets", f"{here}/sets")
    return page(site, visitor, "table_sets.html", {**frame, **shown}, status)


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
    shown = sets_context(found, visitor, saved, games, site.base_url(request))
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
