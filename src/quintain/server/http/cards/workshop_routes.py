"""The addresses of the tab Workshop: a player's own sets, what is done with one, and sets that others share.

`server/workshop` changes sets, `store/cards/player_sets.py` keeps them, `pages/cards/workshop_pages.py` has the values
of the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect
from msgspec import Meta, field

from quintain.engine.errors import BadCards, BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.server.http.answers import answer_json, capitalized, is_partial, page, status_of
from quintain.server.http.cards.trialed import trial_of_set, trialed_set, version_results
from quintain.server.http.documented import takes
from quintain.server.http.lobby_routes import MOST_TABLE_BODY
from quintain.server.http.requests import Post, address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.pages.cards.tabs import game_with_cards
from quintain.server.pages.cards.workshop_pages import (
    compare_context,
    draft_json,
    set_context,
    set_url,
    shared_set_context,
    workshop_context,
    workshop_url,
)
from quintain.server.pages.cards.workshop_versions import DRAFT, text_of_version
from quintain.server.pages.forms import OPTION
from quintain.server.people.players import Visitor
from quintain.server.posted.posts import Named
from quintain.server.refused import Refused
from quintain.server.store.cards.player_sets import OwnSet, SharedSet
from quintain.server.turns import Asker
from quintain.server.workshop.changes import changed, with_fields
from quintain.server.workshop.drafts import base_draft, first_draft, first_fault, parts_of
from quintain.server.workshop.names import MOST_NAME, set_name
from quintain.server.workshop.set_options import head_with, read_head, with_options
from quintain.server.workshop.subjects import set_key

MOST_ID = 64
"""Characters of the id of a set, and of the token of a link."""
MOVED = "this set was changed meanwhile, in another window: this is how it is now"


class NewSet(Named, kw_only=True):
    """A new set: it begins with the `base` set, with `one` card, with a `text`, or with a version that is `shared`."""

    begin: str = "base"
    text: str = ""
    token: str = ""
    title: str = ""


class SetForm(Named, kw_only=True):
    """A form of a set: `change` says which state of the set it shows, and `do` which of its buttons was pressed."""

    change: int = -1
    do: str = ""
    title: str = ""
    version: str = ""


class DraftChange(Named, kw_only=True):
    """A change of a draft whose last `change` you know: `fields` of its cards, `options` of the game, a button `do`.

    Fields are named by the number of the card, such as "3.influence"; those that you leave out stay as they are.
    """

    change: int = -1
    do: str = ""
    fields: Annotated[Any, Meta(extra_json_schema={"type": "object"})] = field(default_factory=dict)
    options: Annotated[Any, Meta(extra_json_schema={"type": "object"})] = field(default_factory=dict)


@get("/cards/{game_id:str}/workshop", include_in_schema=False)
async def workshop(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the sets of the visitor, and the ways to begin one."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    mine = await site.archive.sets.of_player(visitor.number, found.id) if visitor.number else []
    return page(
        site,
        visitor,
        "workshop.html",
        await site.archive.bench.work(asker_of(request, visitor), workshop_context, found, visitor, mine),
    )


@post("/cards/{game_id:str}/workshop", include_in_schema=False, request_max_body_size=MOST_TABLE_BODY)
async def make(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Begin a set of one's own."""
    posted, found = await read_post(request, site, NewSet), set_game(game_id)
    await ensure_name(request, site, posted)
    visitor, given = await site.named(posted.visitor), posted.given
    try:
        title, text = await _begun(request, site, visitor, found, given)
    except BadOption as error:
        if given.begin != "text":
            raise
        mine = await site.archive.sets.of_player(visitor.number or 0, found.id)
        brought = {"text": given.text, "title": given.title[:MOST_NAME], "wrong": capitalized(str(error))}
        shown = await site.archive.bench.work(
            asker_of(request, visitor), workshop_context, found, visitor, mine, brought
        )
        return page(site, visitor, "workshop.html", shown, 422)
    fault = await site.archive.bench.work(asker_of(request, visitor), first_fault, found, text)
    name = set_name(given.title) if given.title.strip() else title
    id_ = await site.archive.sets.add(visitor.number or 0, found.id, name, text, fault is None)
    return Redirect(f"{workshop_url(found)}/{id_}", status_code=303)


async def _begun(request: AnyRequest, site: Site, visitor: Visitor, found: Game, given: NewSet) -> tuple[str, str]:
    """Return the name and the text of a new set; raises BadCards, with its line, if none can be read."""
    if given.begin == "shared":
        shared = await site.archive.sets.shared(given.token[:MOST_ID])
        if shared.game != found.id:
            raise Refused(404, f"this is no set for {found.title}")
        return shared.name, shared.text
    if given.begin == "text":
        if not given.text.strip():
            raise BadCards("there is nothing to read: paste a set, or choose a file")
        asker = asker_of(request, visitor)
        read = await site.tables.reader.read_set(asker, found, given.text)
        options = await site.archive.bench.work(asker, read_head, found, given.text)
        return f"My {found.title}"[:MOST_NAME], head_with(found, options) + read
    if given.begin not in ("base", "one"):
        raise BadOption("a set begins with the base set, with one card, with a text, or as a copy")
    begun = base_draft if given.begin == "base" else first_draft
    return f"My {found.title}"[:MOST_NAME], await site.archive.bench.work(asker_of(request, visitor), begun, found)


@get("/cards/{game_id:str}/workshop/{set_id:str}")
async def one_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Return the draft of a set of yours: the fields of its cards, what is wrong with them, and its options."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await own_set(site, visitor, found, set_id)
    if wants_json(request):
        return await _draft(request, site, visitor, found, own)
    return await set_page(request, site, visitor, found, own)


async def _draft(request: AnyRequest, site: Site, visitor: Visitor, found: Game, own: OwnSet) -> Reply:
    """Answer a program with a draft."""
    return answer_json(site, visitor, await site.archive.bench.work(asker_of(request, visitor), draft_json, found, own))


@post("/cards/{game_id:str}/workshop/{set_id:str}", operation_class=takes(DraftChange), status_code=200)
async def change(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Change the draft of a set of yours: fields of its cards, its options, or what one of its buttons does."""
    posted, found = await read_post(request, site, DraftChange), set_game(game_id)
    visitor = await site.named(posted.visitor)
    own = await own_set(site, visitor, found, set_id)
    asker, given = asker_of(request, visitor), posted.given
    try:
        if given.change != own.change:
            raise Refused(409, MOVED)
        fields = {name: value for name, value in posted.fields.items() if isinstance(value, str)}
        if some := _texts(given.fields, "fields"):
            fields |= await site.archive.bench.work(asker, with_fields, found, own.draft, some)
        text, card = await site.archive.bench.work(asker, changed, found, own.draft, fields, given.do)
        if options := _texts(given.options, "options"):
            text = await site.archive.bench.work(asker, with_options, found, text, options)
        await _write(site, asker, found, own, text)
    except QuintainError as error:
        if wants_json(request):
            raise
        own = await own_set(site, visitor, found, set_id)
        return await set_page(request, site, visitor, found, own, str(error), status_of(error))
    return await _after(request, site, visitor, found, own, card)


@post("/cards/{game_id:str}/workshop/{set_id:str}/options", include_in_schema=False)
async def change_options(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Change with which options of the game a set is played."""
    posted, visitor, found, own = await _begin(request, site, game_id, set_id)
    given = {name.removeprefix(OPTION): value for name, value in posted.fields.items() if name.startswith(OPTION)}
    asker = asker_of(request, visitor)
    try:
        if posted.given.change != own.change:
            raise Refused(409, MOVED)
        await _write(
            site, asker, found, own, await site.archive.bench.work(asker, with_options, found, own.draft, given)
        )
    except QuintainError as error:
        own = await own_set(site, visitor, found, set_id)
        return await set_page(request, site, visitor, found, own, str(error), status_of(error))
    return await _after(request, site, visitor, found, own, anchor="ws-options")


def _texts(given: object, what: str) -> dict[str, str]:
    """Return the fields or options in JSON as a form posts them; raises Refused if they are none."""
    if not isinstance(given, dict) or not all(isinstance(value, str | int) for value in given.values()):
        raise Refused(400, f"{what} must be an object with names and values, which are texts, numbers, true or false")
    words = {True: "on", False: "off" if what == "options" else ""}
    return {str(name): words[value] if isinstance(value, bool) else str(value) for name, value in given.items()}


async def _write(site: Site, asker: Asker, found: Game, own: OwnSet, text: str) -> None:
    """Keep a changed draft; raises Refused if the set has changed meanwhile."""
    if text != own.draft:
        is_valid = await site.archive.bench.work(asker, first_fault, found, text) is None
        if not await site.archive.sets.write(own, text, is_valid):
            raise Refused(409, MOVED)


@post("/cards/{game_id:str}/workshop/{set_id:str}/back", include_in_schema=False)
async def take_back(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Take the last change of a set back; those before it can be taken back, too."""
    return await _go(request, site, game_id, set_id, -1, "there is no change to take back")


@post("/cards/{game_id:str}/workshop/{set_id:str}/again", include_in_schema=False)
async def do_again(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Make the change of a set once more that was taken back last."""
    return await _go(request, site, game_id, set_id, 1, "there is no change that was taken back")


async def _go(request: AnyRequest, site: Site, game_id: str, set_id: str, by: int, none_left: str) -> Reply:
    """Go back or ahead among the drafts of a set."""
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    draft = await site.archive.sets.draft_at(own, by)
    if draft is None:
        return await set_page(request, site, visitor, found, own, none_left, 409)
    is_valid = await site.archive.bench.work(asker_of(request, visitor), first_fault, found, draft) is None
    if not await site.archive.sets.go(own, by, draft, is_valid):
        own = await own_set(site, visitor, found, set_id)
        return await set_page(request, site, visitor, found, own, MOVED, 409)
    return await _after(request, site, visitor, found, own)


@post("/cards/{game_id:str}/workshop/{set_id:str}/save", include_in_schema=False)
async def save(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Save the draft of a set as its next version."""
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    return await _save(request, site, visitor, found, own, own.draft)


@post("/cards/{game_id:str}/workshop/{set_id:str}/restore", include_in_schema=False)
async def restore(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Make a new version of an old one, which is the draft then."""
    posted, visitor, found, own = await _begin(request, site, game_id, set_id)
    versions = await site.archive.sets.versions(own)
    text = text_of_version(found, own, versions, posted.given.version)
    return await _save(request, site, visitor, found, own, text)


async def _save(request: AnyRequest, site: Site, visitor: Visitor, found: Game, own: OwnSet, text: str) -> Reply:
    """Save a text as the next version of a set, unless it is faulty or the last version already."""
    versions = await site.archive.sets.versions(own)
    fault = await site.archive.bench.work(asker_of(request, visitor), first_fault, found, text)
    if fault:
        words = f"{fault.fault.words} ({fault.fault.clause})"
        return await set_page(request, site, visitor, found, own, f"not saved: {words}", 422)
    if versions and versions[0].text == text == own.draft:
        return await set_page(request, site, visitor, found, own, "nothing has changed since the last version", 409)
    if not await site.archive.sets.save(own, text):
        own = await own_set(site, visitor, found, own.id)
        return await set_page(request, site, visitor, found, own, MOVED, 409)
    return await _after(request, site, visitor, found, own)


@post("/cards/{game_id:str}/workshop/{set_id:str}/name", include_in_schema=False)
async def rename(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Give a set another name."""
    posted, visitor, found, own = await _begin(request, site, game_id, set_id)
    try:
        await site.archive.sets.rename(own, set_name(posted.given.title))
    except BadOption as error:
        return await set_page(request, site, visitor, found, own, str(error), 422)
    return await _after(request, site, visitor, found, own)


@post("/cards/{game_id:str}/workshop/{set_id:str}/share", include_in_schema=False)
async def share(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Make a link to the last version of a set, by which anybody can read it."""
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    if not own.version:
        return await set_page(request, site, visitor, found, own, "save a version first: a link shows a version", 409)
    await site.archive.sets.share(own, own.version)
    return await _after(request, site, visitor, found, own, anchor="share")


@post("/cards/{game_id:str}/workshop/{set_id:str}/delete", include_in_schema=False)
async def delete(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Delete a set for good."""
    _, _, found, own = await _begin(request, site, game_id, set_id)
    await site.archive.sets.delete(own)
    await site.trials.forget(set_key(own.id))
    return Redirect(workshop_url(found), status_code=303)


@get("/cards/{game_id:str}/workshop/{set_id:str}/set.toml", include_in_schema=False)
async def download(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Response[str]:
    """Return the draft or a version of a set as a file."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await own_set(site, visitor, found, set_id)
    versions = await site.archive.sets.versions(own)
    text = text_of_version(found, own, versions, request.query_params.get("version", DRAFT))
    return _file(own.name, text)


@get("/cards/{game_id:str}/workshop/{set_id:str}/compare", include_in_schema=False)
async def compare(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Response[str]:
    """Show two versions of a set side by side."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await own_set(site, visitor, found, set_id)
    versions, query = await site.archive.sets.versions(own), request.query_params
    old = query.get("old", str(own.version) if versions else "base")
    shown = await site.archive.bench.work(
        asker_of(request, visitor), compare_context, found, visitor, own, versions, old, query.get("new", DRAFT)
    )
    return page(site, visitor, "workshop_compare.html", shown)


@get("/cards/{game_id:str}/workshop/shared/{token:str}", include_in_schema=False)
async def shared_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], token: FromPath[str]) -> Response[str]:
    """Show a version of a set that somebody shares."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    shared = await _shared(site, found, token)
    shown = await site.archive.bench.work(asker_of(request, visitor), shared_set_context, found, visitor, shared, token)
    return page(site, visitor, "workshop_shared.html", shown)


@get("/cards/{game_id:str}/workshop/shared/{token:str}/set.toml", include_in_schema=False)
async def shared_file(
    request: AnyRequest, site: TheSite, game_id: FromPath[str], token: FromPath[str]
) -> Response[str]:
    """Return a version of a set that somebody shares as a file."""
    site.check_replay_limit(address_of(request))
    shared = await _shared(site, set_game(game_id), token)
    return _file(shared.name, shared.text)


def asker_of(request: AnyRequest, visitor: Visitor) -> Asker:
    """Return the address and the player for whom the bench works."""
    return Asker(address_of(request), visitor.id)


def _file(name: str, text: str) -> Response[str]:
    named = quote(f"{name}.toml", safe="")
    headers = {"content-disposition": f"attachment; filename=\"set.toml\"; filename*=UTF-8''{named}"}
    return Response(text, media_type="application/toml", headers=headers)


def set_game(game_id: str) -> Game:
    """Return a game that takes own sets; raises UnknownGame."""
    found = game_with_cards(game_id)
    parts_of(found)
    return found


async def own_set(site: Site, visitor: Visitor, found: Game, set_id: str) -> OwnSet:
    """Return a set of a visitor's own for a game; raises Refused if there is none."""
    own = await site.archive.sets.find(visitor.number or 0, set_id[:MOST_ID])
    if own.game != found.id:
        raise Refused(404, f"this is no set for {found.title}")
    return own


async def _shared(site: Site, found: Game, token: str) -> SharedSet:
    """Return a version of a set for a game that a link shares; raises Refused if there is none."""
    shared = await site.archive.sets.shared(token[:MOST_ID])
    if shared.game != found.id:
        raise Refused(404, f"this is no set for {found.title}")
    return shared


async def _begin(
    request: AnyRequest, site: Site, game_id: str, set_id: str
) -> tuple[Post[SetForm], Visitor, Game, OwnSet]:
    """Return a post about a set of the sender's own."""
    posted, found = await read_post(request, site, SetForm), set_game(game_id)
    visitor = await site.named(posted.visitor)
    return posted, visitor, found, await own_set(site, visitor, found, set_id)


async def _after(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    own: OwnSet,
    card: int | None = None,
    anchor: str = "",
) -> Reply:
    """Answer a post with the set as it now is; browsers without script load its page.

    The trial of what it was before a change stops, and the bots get ready for the next one.
    """
    own = await own_set(site, visitor, found, own.id)
    subject = await trial_of_set(site, found, own, await site.archive.sets.versions(own))
    await site.trials.stop_about(subject.key, subject.id)
    site.trials.get_ready(subject, own.number)
    query = dict(request.query_params.items()) | (
        {} if card is None else {"card": str(card), "kind": "", "changed": "", "off": ""}
    )
    if is_partial(request):
        return await set_page(request, site, visitor, found, own, query=query)
    if wants_json(request):
        return await _draft(request, site, visitor, found, own)
    given = urlencode({name: query[name] for name in ("kind", "changed", "off", "card") if query.get(name)})
    where = f"{set_url(own)}{'?' if given else ''}{given}{'#' if anchor else ''}{anchor}"
    return Redirect(where, status_code=303)


async def set_page(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    own: OwnSet,
    said: str = "",
    status: int = 200,
    query: Mapping[str, str] | None = None,
) -> Response[str]:
    """Return the page of a set; for a script only its body."""
    versions = await site.archive.sets.versions(own)
    asked = dict(request.query_params.items()) if query is None else query
    base_url, words, trialed = site.base_url(request), capitalized(said), await trialed_set(site, found, own, versions)
    asker = asker_of(request, visitor)
    results = await version_results(site, asker, found, own, versions)
    shown = await site.archive.bench.work(
        asker, set_context, found, visitor, own, versions, asked, base_url, words, trialed, results
    )
    return page(site, visitor, "workshop_body.html" if is_partial(request) else "workshop_set.html", shown, status)


HANDLERS = (
    workshop,
    make,
    shared_set,
    shared_file,
    one_set,
    change,
    change_options,
    take_back,
    do_again,
    save,
    restore,
    rename,
    share,
    delete,
    download,
    compare,
)
