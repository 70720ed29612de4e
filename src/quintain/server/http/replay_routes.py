"""The handlers for games that are over: the page that shows one step of a replay, and playing on from there.

`old_games.py` has the values of the page, `replays.py` the steps, and `playing_on.py` makes the new table.
"""

from __future__ import annotations

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from quintain.engine.errors import BadOption
from quintain.server.http.answers import FRAMED_HERE, is_partial, page
from quintain.server.http.documented import takes
from quintain.server.http.requests import address_of, ensure_name, read_post
from quintain.server.http.site import AnyRequest, Reply, TheSite
from quintain.server.http.table_answers import show_new
from quintain.server.model.levels import levels
from quintain.server.pages.old_games import finished_match, inset_context, replay_context
from quintain.server.posted.posts import PlayingOn
from quintain.server.refused import Refused
from quintain.server.tables import playing_on


@get("/tables/{table_id:str}/replay", include_in_schema=False)
async def replay(
    request: AnyRequest,
    site: TheSite,
    table_id: FromPath[str],
    step: FromQuery[int] = 0,
    seat: FromQuery[int | None] = None,
    inset: FromQuery[bool] = False,
) -> Response[str]:
    """Show one step of a finished game; to htmx, without the lines of the log, which the browser has already.

    An `inset` is the table alone, for a frame in another page.
    """
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    site.check_replay_limit(address_of(request))
    if seat is not None and not 0 <= seat < len(live.table.seats):
        raise Refused(404, f"there is no seat {seat} at this table")
    found = await site.replays.of(live.table, finished_match(live.table))
    async with site.replays.pages.turn():
        if inset:
            moment = found.at(min(max(step, 0), found.last), seat)
            return page(site, visitor, "replay_inset.html", inset_context(live, moment.seen, visitor), 200, FRAMED_HERE)
        is_part = is_partial(request)
        shown = replay_context(live, found, visitor, step, seat, site.base_url(request), is_part)
        return page(site, visitor, "replay_body.html" if is_part else "replay.html", shown)


@post("/tables/{table_id:str}/play-on", operation_class=takes(PlayingOn), status_code=201)
async def play_on(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Play on from a step of a finished game, on a seat of your choice, against bots at a private table of your own."""
    posted = await read_post(request, site, PlayingOn)
    source = (await site.tables.get(table_id)).table
    entries = playing_on.beginning(finished_match(source), posted.given.step)
    seat, level = posted.given.seat, posted.given.level
    source.holder(seat)
    if level not in levels():
        raise BadOption(f"there is no bot {level!r}; there are {', '.join(levels())}")
    site.check_table_limit(posted.visitor.id, address_of(request))
    await ensure_name(request, site, posted)
    live = await playing_on.play_on(site.tables, source, entries, seat, level, posted.visitor.id)
    return show_new(request, site, posted.visitor, live)


HANDLERS = (replay, play_on)
