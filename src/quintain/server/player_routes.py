"""The addresses of players: the page of each, of each pair, and a visitor's own games."""

from __future__ import annotations

from dataclasses import replace

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from quintain.server.answers import page, set_cookie
from quintain.server.game_lists import games_context, read_filter
from quintain.server.house import AnyRequest, House, TheHouse
from quintain.server.identity_routes import own_page
from quintain.server.player_pages import pair_context, player_context
from quintain.server.players import new_id
from quintain.server.records import zipped
from quintain.server.requests import address_of, agent_of
from quintain.server.table import Refused

MOST_RECORDS = 5000
"""The records in one zip; a filter gives the rest."""
ZIP = "quintain-games.zip"


@get("/games", include_in_schema=False)
async def my_games(request: AnyRequest, house: TheHouse) -> Response[str]:
    """Show the visitor's games: those that run, and those that are over, as the filter in the address says."""
    _check_rate(request, house)
    visitor = await house.visitor(request)
    return page(house, visitor, "games.html", await games_context(house, visitor, dict(request.query_params.items())))


@get("/games/records.zip", media_type="application/zip")
async def my_records(request: AnyRequest, house: TheHouse) -> Stream:
    """Return a zip of the records of your finished games; the fields of the filter of My games narrow it down."""
    _check_rate(request, house)
    visitor = await house.visitor(request)
    if visitor.key is None:
        raise Refused(404, "you have no name here yet, and no game")
    wanted = read_filter(visitor.key, visitor, dict(request.query_params.items()))
    tables = await house.history.tables(wanted, MOST_RECORDS)
    headers = {"content-disposition": f'attachment; filename="{ZIP}"'}
    return Stream(zipped(house, tables), media_type="application/zip", headers=headers)


@get("/players/{who:str}", include_in_schema=False)
async def player(request: AnyRequest, house: TheHouse, who: FromPath[str]) -> Response[str]:
    """Show the page of a player or a bot."""
    _check_rate(request, house)
    visitor = await house.visitor(request)
    if visitor.number is None or who != visitor.key:
        return page(house, visitor, "player.html", await player_context(house, visitor, who))
    known, visitor = visitor.device, replace(visitor, device=visitor.device or new_id())
    await house.identities.saw(int(who), visitor.device, agent_of(request))
    answer = await own_page(house, visitor)
    if not known:
        set_cookie(house, visitor, answer)
    return answer


@get("/players/{who:str}/with/{other:str}", include_in_schema=False)
async def pair(request: AnyRequest, house: TheHouse, who: FromPath[str], other: FromPath[str]) -> Response[str]:
    """Show the page of two players."""
    _check_rate(request, house)
    visitor = await house.visitor(request)
    shown = await pair_context(house, visitor, who, other, dict(request.query_params.items()))
    return page(house, visitor, "pair.html", shown)


def _check_rate(request: AnyRequest, house: House) -> None:
    """Raise Refused if an address asks for too many lists at once, which are dearer than other pages."""
    if not house.replay_limit.allows(address_of(request)):
        raise Refused(429, "that was too much at once: wait a moment")


HANDLERS = (my_games, my_records, player, pair)
