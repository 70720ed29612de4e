"""The handlers of analyses: the page of one, what it is asked to do, its progress, and the table of expected moves.

`study.judging` does the work, and `pages.study.analysis_page` has the values of the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Response, get, post, websocket
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from quintain.engine.errors import QuintainError
from quintain.lab.analysis import ExpectedMove
from quintain.server.http.answers import FRAMED_HERE, answer_json, is_partial, page
from quintain.server.http.documented import takes
from quintain.server.http.requests import address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, Socket, TheSite
from quintain.server.http.sockets import GONE, accepted, tell_progress
from quintain.server.pages.endings import ending
from quintain.server.pages.old_games import inset_context
from quintain.server.pages.study.analysis_page import AnalysisPage, Asked
from quintain.server.people.players import Visitor
from quintain.server.posted.posts import AskingAnalysis, Posted
from quintain.server.refused import Refused
from quintain.server.study.judging import check_access, finished, shown
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable

LOOKS = 0.7
"""Seconds between two looks how far an analysis is."""


@get("/tables/{table_id:str}/analysis", include_in_schema=False)
async def analysis(
    request: AnyRequest,
    site: TheSite,
    table_id: FromPath[str],
    step: FromQuery[int | None] = None,
    seen: FromQuery[str] = "",
    explain: FromQuery[bool] = False,
) -> Response[str]:
    """Show the analysis of a finished game, as far as it is."""
    site.check_replay_limit(address_of(request))
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    made = await _page(site, visitor, live, Asked(step, seen, explain))
    lines = [(name, await _line(site, made, name)) for name in made.explained]
    context = made.context(lines, site.judges.seconds_left(table_id))
    context["share_url"] = site.base_url(request) + made.here
    if made.state == "empty":
        await site.tables.stories.soon(live)
        context["result"] = ending(made.match, live.story, made.you, f"/tables/{table_id}")
    async with site.replays.pages.turn():
        return page(site, visitor, "analysis_body.html" if is_partial(request) else "analysis.html", context)


@get("/tables/{table_id:str}/analysis.json")
async def analysis_json(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Return the analysis of a finished game as data, as far as it is: every candidate and chance, luck and skill."""
    site.check_replay_limit(address_of(request))
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    return answer_json(site, visitor, (await _page(site, visitor, live, Asked())).data())


@get("/tables/{table_id:str}/analysis/table", include_in_schema=False)
async def marked_table(
    request: AnyRequest, site: TheSite, table_id: FromPath[str], step: FromQuery[int]
) -> Response[str]:
    """Show the table before a judged move, with marks on the best move and on the one made, for a frame of the page."""
    site.check_replay_limit(address_of(request))
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    made = await _page(site, visitor, live, Asked(step))
    judged = made.judged()
    async with site.replays.pages.turn():
        seen, seeing = made.marked(judged)
        return page(site, visitor, "replay_inset.html", inset_context(live, seen, visitor, seeing), 200, FRAMED_HERE)


@get("/tables/{table_id:str}/analysis/line", include_in_schema=False)
async def line(
    request: AnyRequest,
    site: TheSite,
    table_id: FromPath[str],
    step: FromQuery[int],
    after: FromQuery[str] = "best",
    at: FromQuery[int] = 0,
) -> Response[str]:
    """Show the table after a move of the line that the adviser expects, for a frame of the page."""
    site.check_replay_limit(address_of(request))
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    made = await _page(site, visitor, live, Asked(step, explain=True))
    made.check_line(after)
    seen = made.at_move(await _line(site, made, after), at)
    async with site.replays.pages.turn():
        shown_there = inset_context(live, seen, visitor)
        return page(site, visitor, "replay_inset.html", shown_there, headers=FRAMED_HERE)


@post("/tables/{table_id:str}/analysis", operation_class=takes(AskingAnalysis), status_code=200)
async def ask(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Have a finished game judged in the background; a player may ask for so many games a day."""
    posted = await read_post(request, site, AskingAnalysis)
    live = await site.tables.get(table_id)
    check_access(live.table, posted.visitor.id)
    finished(live.table)
    await ensure_name(request, site, posted)
    number = await acts.number_of(site.tables, posted.visitor.id)
    await site.judges.begin(live.table, number, better=posted.given.better)
    return await _done(request, site, posted.visitor, live)


@post("/tables/{table_id:str}/analysis/stop", operation_class=takes(Posted), status_code=200)
async def stop(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Stop the judging of a game; what is judged stays, and it can go on later."""
    posted = await read_post(request, site, Posted)
    live = await site.tables.get(table_id)
    check_access(live.table, posted.visitor.id)
    kept, asker = await site.judges.analyses.find(live.id), await site.store.player(posted.visitor.id)
    if kept is None:
        raise Refused(409, "nobody has asked for an analysis of this game")
    is_theirs = asker is not None and asker.number == kept.by
    if live.table.seat_of(posted.visitor.id) is None and not is_theirs:
        raise Refused(403, "only a player of this game, or who asked for its analysis, stops it")
    await site.judges.stop(live.id)
    return await _done(request, site, posted.visitor, live)


@websocket("/tables/{table_id:str}/analysis/socket")
async def analysis_socket(socket: Socket, site: TheSite, table_id: FromPath[str]) -> None:
    """Tell a page how far an analysis is, until it is done."""
    if not await accepted(socket):
        return
    visitor = await site.visitor(socket)
    try:
        check_access((await site.tables.get(table_id)).table, visitor.id)
    except QuintainError:
        await socket.close(GONE)
        return
    await tell_progress(socket, site, visitor, lambda: site.judges.analyses.progress(table_id), LOOKS)


async def _page(site: Site, visitor: Visitor, live: LiveTable, asked: Asked) -> AnalysisPage:
    """Return the page of an analysis; raises Refused if the game goes on, or is kept from this visitor."""
    check_access(live.table, visitor.id)
    match = finished(live.table)
    kept = await site.judges.resumed(live.table)
    replay = await site.replays.of(live.table, match)
    return AnalysisPage(live.table, match, visitor, replay, kept, shown(match, kept), asked)


async def _line(site: Site, made: AnalysisPage, name: str) -> Sequence[ExpectedMove]:
    """Return the line that the adviser expects after the better move, or after the one that was made."""
    return await site.judges.line(made.table.id, *made.begins(name))


async def _done(request: AnyRequest, site: Site, visitor: Visitor, live: LiveTable) -> Reply:
    if wants_json(request):
        kept = await site.judges.analyses.find(live.id)
        return answer_json(site, visitor, {"done": kept.done if kept else 0, "working": bool(kept and kept.is_working)})
    return Redirect(f"/tables/{live.id}/analysis", status_code=303)


HANDLERS = (analysis, analysis_json, marked_table, line, ask, stop, analysis_socket)
