"""The addresses of players: the page of each, of each pair, and a visitor's own games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from quintain.engine.errors import QuintainError
from quintain.server.http.answers import capitalized, page, set_cookie, status_of
from quintain.server.http.identity_routes import own_page
from quintain.server.http.records import zipped
from quintain.server.http.requests import address_of, ensure_name, note_device, read_post
from quintain.server.http.site import AnyRequest, Reply, TheSite
from quintain.server.model.results import number_in
from quintain.server.pages.contexts import by_weight, game_facts, page_context
from quintain.server.pages.game_lists import found_player, games_context, read_filter
from quintain.server.pages.player_pages import pair_context, player_context
from quintain.server.pages.rating_pages import best_context, index_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor, new_device
from quintain.server.posted.posts import BringingIn
from quintain.server.refused import Refused
from quintain.server.tables import bringing_in
from quintain.server.turns import Asker

MOST_RECORD = 1024 * 1024
"""Bytes of a record that is brought in."""
MOST_RECORDS = 5000
"""The records in one zip; a filter gives the rest."""
ZIP = "quintain-games.zip"


@get("/games", include_in_schema=False)
async def my_games(request: AnyRequest, site: TheSite) -> Response[str]:
    """Show the visitor's games: those that run, and those that are over, as the filter in the address says."""
    site.check_replay_limit(address_of(request))
    visitor = await site.visitor(request)
    return page(
        site, visitor, "games.html", await games_context(site.archive, visitor, dict(request.query_params.items()))
    )


@get("/games/records.zip", media_type="application/zip")
async def my_records(request: AnyRequest, site: TheSite) -> Stream:
    """Return a zip of the records of your finished games; the fields of the filter of My games narrow it down."""
    site.check_replay_limit(address_of(request))
    visitor = await site.visitor(request)
    if visitor.key is None:
        raise Refused(404, "you have no name here yet, and no game")
    wanted = read_filter(visitor.key, visitor, dict(request.query_params.items()))
    tables = await site.archive.history.tables(wanted, MOST_RECORDS)
    headers = {"content-disposition": f'attachment; filename="{ZIP}"'}
    return Stream(zipped(site, tables), media_type="application/zip", headers=headers)


@get("/games/import", include_in_schema=False)
async def bring_in_page(request: AnyRequest, site: TheSite) -> Response[str]:
    """Ask for a record that is brought in."""
    visitor = await site.visitor(request)
    return page(site, visitor, "import.html", _import_context(visitor))


@post("/games/import", include_in_schema=False, request_max_body_size=MOST_RECORD)
async def bring_in_record(request: AnyRequest, site: TheSite) -> Reply:
    """Bring a record in; without a seat it asks which one was the visitor's, unless their name says so."""
    posted = await read_post(request, site, BringingIn)
    await ensure_name(request, site, posted)
    visitor, text = await site.named(posted.visitor), posted.given.record
    site.check_replay_limit(address_of(request))
    site.check_table_limit(visitor.id, address_of(request))
    try:
        found = await site.tables.reader.read_record(Asker(address_of(request), visitor.id), text)
        names = found.document.names
        number = number_in(str(posted.given.seat))
        seat = -1 if number is None else number
        if seat < 0 and names.count(visitor.name or "") == 1:
            seat = names.index(visitor.name or "")
        if seat < 0:
            return page(site, visitor, "import.html", _import_context(visitor, text=text, names=names))
        brought = await bringing_in.bring_in(site.tables, visitor.id, found, seat)
    except QuintainError as error:
        wrong = _import_context(visitor, error=capitalized(str(error)))
        return page(site, visitor, "import.html", wrong, status_of(error))
    shown = await games_context(site.archive, visitor, {})
    return page(site, visitor, "games.html", shown | {"notice": brought.words}, 201)


def _import_context(visitor: Visitor, text: str = "", names: Sequence[str] = (), error: str = "") -> Context:
    """Return the values for the page that brings a record in; with `names`, it asks who the visitor was."""
    shown = {"text": text, "names": list(names), "error": error or None}
    return {**page_context(visitor, "Bring in a record", "/games/import"), **shown}


@get("/players/{who:str}", include_in_schema=False)
async def player(request: AnyRequest, site: TheSite, who: FromPath[str]) -> Response[str]:
    """Show the page of a player or a bot."""
    site.check_replay_limit(address_of(request))
    visitor = await site.visitor(request)
    if visitor.number is None or who != visitor.key:
        return page(site, visitor, "player.html", await player_context(site.archive, visitor, who))
    known, visitor = visitor.device, replace(visitor, device=visitor.device or new_device())
    await note_device(request, site, visitor)
    answer = await own_page(site, visitor)
    if not known:
        set_cookie(site, visitor, answer)
    return answer


@get("/players/{who:str}/invite", include_in_schema=False)
async def invite(request: AnyRequest, site: TheSite, who: FromPath[str]) -> Response[str]:
    """Ask to which game a player is invited."""
    visitor, found = await site.visitor(request), await found_player(site.store, who)
    shown = {"who": {"key": found.key, "name": found.name}, "games": [game_facts(each) for each in by_weight()]}
    return page(
        site, visitor, "invite.html", {**page_context(visitor, f"Invite {found.name}", f"/players/{who}"), **shown}
    )


@get("/players/{who:str}/with/{other:str}", include_in_schema=False)
async def pair(request: AnyRequest, site: TheSite, who: FromPath[str], other: FromPath[str]) -> Response[str]:
    """Show the page of two players."""
    site.check_replay_limit(address_of(request))
    visitor = await site.visitor(request)
    shown = await pair_context(site.archive, visitor, who, other, dict(request.query_params.items()))
    return page(site, visitor, "pair.html", shown)


@get("/ratings", include_in_schema=False)
async def ratings(request: AnyRequest, site: TheSite) -> Response[str]:
    """List the games in which there are ratings, and say how they are reckoned."""
    visitor = await site.visitor(request)
    return page(site, visitor, "ratings.html", index_context(visitor))


@get("/ratings/{game_id:str}", include_in_schema=False)
async def best(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the best players of a game."""
    site.check_replay_limit(address_of(request))
    visitor = await site.visitor(request)
    return page(site, visitor, "ratings.html", await best_context(site.archive, visitor, game_id))


HANDLERS = (my_games, my_records, bring_in_page, bring_in_record, player, invite, pair, ratings, best)
