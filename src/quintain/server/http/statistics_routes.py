"""The addresses of statistics: what wins in a game, among people and among bots, from the counts in the database."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from quintain.engine.rules.registry import all_games, game
from quintain.server.http.answers import page
from quintain.server.http.site import AnyRequest, TheSite
from quintain.server.pages.study.win_shares import chosen_size, index_context, shown_statistics
from quintain.server.store.win_counts import counts_of, sizes


@get("/statistics", include_in_schema=False)
async def all_statistics(request: AnyRequest, site: TheSite) -> Response[str]:
    """Show for which games there are statistics."""
    visitor = await site.visitor(request)
    numbers = {found.id: sum((await sizes(site.store, found.id)).values()) for found in all_games()}
    return page(site, visitor, "statistics_index.html", index_context(visitor, numbers))


@get("/statistics/{game_id:str}", include_in_schema=False)
async def statistics(
    request: AnyRequest, site: TheSite, game_id: FromPath[str], seats: FromQuery[str] = ""
) -> Response[str]:
    """Show what wins in a game with a number of seats, the most usual one if none is given."""
    visitor, found = await site.visitor(request), game(game_id)
    numbers = await sizes(site.store, found.id)
    chosen = chosen_size(found, seats, numbers)
    counted = await counts_of(site.store, found.id, chosen) if chosen else []
    return page(site, visitor, "statistics.html", shown_statistics(found, visitor, numbers, chosen, counted))


HANDLERS = (all_statistics, statistics)
