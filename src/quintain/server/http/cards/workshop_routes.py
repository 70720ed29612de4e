"""The addresses of the tab Workshop: a player's own sets, what is done with one, and sets that others share.

`posted/own_sets.py` does what is posted, and `pages/cards/workshop_pages.py` has the values of the pages.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.server.http.answers import answer_json, capitalized, is_partial, page, status_of
from quintain.server.http.documented import takes
from quintain.server.http.lobby_routes import MOST_TABLE_BODY
from quintain.server.http.requests import Post, address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.model.own_sets import OwnSet
from quintain.server.pages.cards.workshop_pages import (
    compare_context,
    draft_json,
    set_url,
    shared_set_context,
    workshop_url,
)
from quintain.server.pages.cards.workshop_versions import DRAFT, text_of_version
from quintain.server.people.players import Visitor
from quintain.server.posted.own_sets import (
    DraftChange,
    NewSet,
    SetForm,
    Workshop,
    file_headers,
    query_after,
    set_game,
)
from quintain.server.turns import Asker
from quintain.server.workshop.names import set_name

Doing = Callable[[Workshop, OwnSet], Awaitable[None]]
"""What a post does with a set."""


@get("/cards/{game_id:str}/workshop", include_in_schema=False)
async def workshop(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the sets of the visitor, and the ways to begin one."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    shown = await workshop_of(request, site, visitor).list_context(found, visitor)
    return page(site, visitor, "workshop.html", shown)


@post("/cards/{game_id:str}/workshop", include_in_schema=False, request_max_body_size=MOST_TABLE_BODY)
async def make(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Begin a set of one's own."""
    posted, found = await read_post(request, site, NewSet), set_game(game_id)
    await ensure_name(request, site, posted)
    visitor, given = await site.named(posted.visitor), posted.given
    place = workshop_of(request, site, visitor)
    try:
        id_ = await place.begin(found, given)
    except BadOption as error:
        if given.begin != "text":
            raise
        shown = await place.refused_context(found, visitor, given, capitalized(str(error)))
        return page(site, visitor, "workshop.html", shown, 422)
    return Redirect(f"{workshop_url(found)}/{id_}", status_code=303)


@get("/cards/{game_id:str}/workshop/{set_id:str}")
async def one_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Return the draft of a set of yours: the fields of its cards, what is wrong with them, and its options."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await workshop_of(request, site, visitor).own(found, set_id)
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
    place = workshop_of(request, site, visitor)
    own = await place.own(found, set_id)
    try:
        card = await place.change(found, own, posted.given, posted.fields)
    except QuintainError as error:
        if wants_json(request):
            raise
        return await _refused(request, site, visitor, found, own, error)
    return await _after(request, site, visitor, found, own, card)


@post("/cards/{game_id:str}/workshop/{set_id:str}/options", include_in_schema=False)
async def change_options(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Change with which options of the game a set is played."""
    posted, visitor, found, own = await _begin(request, site, game_id, set_id)

    async def do(place: Workshop, own: OwnSet) -> None:
        await place.change_options(found, own, posted.given, posted.fields)

    return await _done(request, site, visitor, found, own, do, "ws-options")


@post("/cards/{game_id:str}/workshop/{set_id:str}/back", include_in_schema=False)
async def take_back(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Take the last change of a set back; those before it can be taken back, too."""
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    return await _done(request, site, visitor, found, own, lambda place, own: place.go(found, own, -1))


@post("/cards/{game_id:str}/workshop/{set_id:str}/again", include_in_schema=False)
async def do_again(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Make the change of a set once more that was taken back last."""
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    return await _done(request, site, visitor, found, own, lambda place, own: place.go(found, own, 1))


@post("/cards/{game_id:str}/workshop/{set_id:str}/save", include_in_schema=False)
async def save(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Save the draft of a set as its next version."""
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    return await _done(request, site, visitor, found, own, lambda place, own: place.save(found, own))


@post("/cards/{game_id:str}/workshop/{set_id:str}/restore", include_in_schema=False)
async def restore(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Make a new version of an old one, which is the draft then."""
    posted, visitor, found, own = await _begin(request, site, game_id, set_id)
    text = text_of_version(found, own, await site.archive.sets.versions(own), posted.given.version)
    return await _done(request, site, visitor, found, own, lambda place, own: place.save(found, own, text))


@post("/cards/{game_id:str}/workshop/{set_id:str}/name", include_in_schema=False)
async def rename(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Give a set another name."""
    posted, visitor, found, own = await _begin(request, site, game_id, set_id)

    async def do(place: Workshop, own: OwnSet) -> None:
        await place.sets.rename(own, set_name(posted.given.title))

    return await _done(request, site, visitor, found, own, do)


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
    _, visitor, found, own = await _begin(request, site, game_id, set_id)
    await workshop_of(request, site, visitor).delete(own)
    return Redirect(workshop_url(found), status_code=303)


@get("/cards/{game_id:str}/workshop/{set_id:str}/set.toml", include_in_schema=False)
async def download(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Response[str]:
    """Return the draft or a version of a set as a file."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await workshop_of(request, site, visitor).own(found, set_id)
    versions = await site.archive.sets.versions(own)
    text = text_of_version(found, own, versions, request.query_params.get("version", DRAFT))
    return _file(own.name, text)


@get("/cards/{game_id:str}/workshop/{set_id:str}/compare", include_in_schema=False)
async def compare(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Response[str]:
    """Show two versions of a set side by side."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await workshop_of(request, site, visitor).own(found, set_id)
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
    shared = await workshop_of(request, site, visitor).shared(found, token)
    shown = await site.archive.bench.work(asker_of(request, visitor), shared_set_context, found, visitor, shared, token)
    return page(site, visitor, "workshop_shared.html", shown)


@get("/cards/{game_id:str}/workshop/shared/{token:str}/set.toml", include_in_schema=False)
async def shared_file(
    request: AnyRequest, site: TheSite, game_id: FromPath[str], token: FromPath[str]
) -> Response[str]:
    """Return a version of a set that somebody shares as a file."""
    site.check_replay_limit(address_of(request))
    visitor, found = site.nameless(request), set_game(game_id)
    shared = await workshop_of(request, site, visitor).shared(found, token)
    return _file(shared.name, shared.text)


def asker_of(request: AnyRequest, visitor: Visitor) -> Asker:
    """Return the address and the player for whom the bench works."""
    return Asker(address_of(request), visitor.id)


def workshop_of(request: AnyRequest, site: Site, visitor: Visitor) -> Workshop:
    """Return the workshop as a visitor uses it."""
    archive = site.archive
    asker = asker_of(request, visitor)
    return Workshop(archive.sets, archive.bench, site.tables.reader, site.trials, asker, visitor.number)


def _file(name: str, text: str) -> Response[str]:
    return Response(text, media_type="application/toml", headers=file_headers(name))


async def _begin(
    request: AnyRequest, site: Site, game_id: str, set_id: str
) -> tuple[Post[SetForm], Visitor, Game, OwnSet]:
    """Return a post about a set of the sender's own."""
    posted, found = await read_post(request, site, SetForm), set_game(game_id)
    visitor = await site.named(posted.visitor)
    return posted, visitor, found, await workshop_of(request, site, visitor).own(found, set_id)


async def _done(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, own: OwnSet, do: Doing, anchor: str = ""
) -> Reply:
    """Do something with a set, and answer with the set as it then is, or with why it was refused."""
    try:
        await do(workshop_of(request, site, visitor), own)
    except QuintainError as error:
        return await _refused(request, site, visitor, found, own, error)
    return await _after(request, site, visitor, found, own, anchor=anchor)


async def _refused(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, own: OwnSet, error: QuintainError
) -> Reply:
    """Answer with a set as it now is, and with why its change was refused."""
    own = await workshop_of(request, site, visitor).own(found, own.id)
    return await set_page(request, site, visitor, found, own, str(error), status_of(error))


async def _after(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    found: Game,
    own: OwnSet,
    card: int | None = None,
    anchor: str = "",
) -> Reply:
    """Answer a post with the set as it now is; browsers without script load its page."""
    own = await workshop_of(request, site, visitor).after_change(found, own)
    query = query_after(dict(request.query_params.items()), card)
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
    asked = dict(request.query_params.items()) if query is None else query
    place = workshop_of(request, site, visitor)
    shown = await place.set_context(found, visitor, own, asked, site.base_url(request), capitalized(said))
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
