"""The routes of a visitor: their name, how pages look for them, and links that move a seat to another device."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import QuintainError
from quintain.engine.rules.registry import all_games, game
from quintain.server.http.answers import answer_json, page, status_of
from quintain.server.http.documented import takes
from quintain.server.http.requests import give_name, note_device, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.pages import contexts
from quintain.server.people.players import CONFIRM_COOKIE, COOKIE_SECONDS, TALK_COOKIE, THEME_COOKIE, Visitor
from quintain.server.posted.fields import NeedsName
from quintain.server.posted.posts import ChoosingTheme, Confirming, Naming, Posted, Talking
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable

PLAY_NOW = "/play/"
LEARN = "/learn/"
"""A post to one of these paths and a game's id begins that game, or its lesson, at once; it may hold a name."""


@get("/credits", include_in_schema=False)
async def credits_page(request: AnyRequest, site: TheSite) -> Response[str]:
    """Show the people whose pictures, fonts and scripts Quintain uses."""
    visitor = await site.visitor(request)
    return page(site, visitor, "credits.html", contexts.page_context(visitor, "Credits", "/credits"))


@get("/name", include_in_schema=False)
async def ask_name(request: AnyRequest, site: TheSite) -> Response[str]:
    """Ask for a name."""
    visitor = await site.visitor(request)
    return name_page(site, visitor, own_path(request.query_params.get("next", "/")), visitor.name or "", "")


@post("/name", operation_class=takes(Naming), status_code=200)
async def set_name(request: AnyRequest, site: TheSite) -> Reply:
    """Choose a name."""
    posted = await read_post(request, site, Naming)
    back, name = own_path(posted.given.next), posted.given.name
    try:
        name = await give_name(site, posted.visitor.id, name)
    except QuintainError as error:
        if wants_json(request):
            raise
        return name_page(site, await site.named(posted.visitor), back, name, str(error), status_of(error))
    await note_device(request, site, posted.visitor)
    if wants_json(request):
        return answer_json(site, posted.visitor, {"name": name, contexts.CSRF: posted.visitor.csrf})
    return Redirect(back, status_code=303)


@post("/theme", include_in_schema=False)
async def set_theme(request: AnyRequest, site: TheSite) -> Reply:
    """Choose how pages look."""
    given = (await read_post(request, site, ChoosingTheme)).given
    return _kept(THEME_COOKIE, given.theme, given.next)


@post("/confirming", include_in_schema=False)
async def set_confirming(request: AnyRequest, site: TheSite) -> Reply:
    """Choose whether a move that can be taken back needs one touch or two."""
    given = (await read_post(request, site, Confirming)).given
    return _kept(CONFIRM_COOKIE, given.confirming, given.next)


@post("/talking", include_in_schema=False)
async def set_talking(request: AnyRequest, site: TheSite) -> Reply:
    """Choose whether you want to read what people say at tables."""
    given = (await read_post(request, site, Talking)).given
    return _kept(TALK_COOKIE, given.talking, given.next)


def _kept(cookie: str, chosen: str, back: str) -> Reply:
    """Keep a visitor's choice in a cookie, and send them back."""
    response = Redirect(own_path(back), status_code=303)
    response.set_cookie(cookie, chosen, max_age=COOKIE_SECONDS, samesite="lax")
    return response


@get("/seat/{token:str}", include_in_schema=False)
async def seat_link(request: AnyRequest, site: TheSite, token: FromPath[str]) -> Response[str]:
    """Ask the visitor whether to move a seat to this device."""
    visitor = await site.visitor(request)
    live, seat, *_ = await _linked(site, token)
    shown = {
        **contexts.page_context(visitor, "Your seat", f"/seat/{token}"),
        "seat_name": live.table.seats[seat].name,
        "game_title": game(live.table.row.game).title,
        "action": f"/seat/{token}",
    }
    return page(site, visitor, "take_seat.html", shown)


@post("/seat/{token:str}", include_in_schema=False)
async def move_seat(request: AnyRequest, site: TheSite, token: FromPath[str]) -> Reply:
    """Move a seat to this device."""
    posted = await read_post(request, site, Posted)
    live, seat, giver, moved = await _linked(site, token)
    if await site.store.player_name(posted.visitor.id) is None:
        await site.store.name_player(posted.visitor.id, live.table.seats[seat].name or "Player")
    await note_device(request, site, posted.visitor)
    await acts.move_seat(site.tables, live, seat, giver, moved, posted.visitor.id)
    return Redirect(f"/tables/{live.table.id}", status_code=303)


async def _linked(site: Site, token: str) -> tuple[LiveTable, int, str, int]:
    """Return the table, seat, player and earlier moves in the token of a link; raises Refused if it is not valid."""
    named = site.signer.seat(token)
    if named is None:
        raise Refused(404, "this link leads to no seat")
    table_id, seat, player, moved, session = named
    live = await site.tables.get(table_id)
    if not site.sessions.are_on(player, session):
        raise Refused(410, "this link holds no longer: its owner has signed out on all other devices")
    if (live.table.seats[seat].player, live.table.seats[seat].moved) != (player, moved):
        raise Refused(410, "this link has been used: the seat has moved on since")
    return live, seat, player, moved


def name_page(site: Site, visitor: Visitor, back: str, given: str, error: str, status: int = 200) -> Response[str]:
    """Show the page on which a visitor chooses a name; then they go `back`."""
    shown = {
        **contexts.page_context(visitor, "Your name", f"/name?next={quote(back)}"),
        "next": back,
        "action": back if back in {way + found.id for found in all_games() for way in (PLAY_NOW, LEARN)} else "/name",
        "given": given,
        "error": error or None,
        "kept": {},
    }
    return page(site, visitor, "name.html", shown, status)


def name_and_again(site: Site, visitor: Visitor, action: str, needed: NeedsName) -> Response[str]:
    """Ask for a name, and send the form that needed one once more, with it."""
    shown = {**contexts.page_context(visitor, "Your name", "/name"), "action": action, "next": "/", **needed.context()}
    return page(site, visitor, "name.html", shown, needed.status)


def own_path(url: str) -> str:
    """Return the path if it belongs to this server, else the lobby's: no link may lead to another site."""
    try:
        parts = urlsplit(url.replace("\\", "/"))
    except ValueError:
        return "/"
    return url if url.startswith("/") and not url.startswith("//") and not (parts.scheme or parts.netloc) else "/"


HANDLERS = (credits_page, ask_name, set_name, set_theme, set_confirming, set_talking, seat_link, move_seat)
