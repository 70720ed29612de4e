"""The routes of one table: its page, its JSON, previews, steps of news, its record, and all that players do there."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery
from msgspec import to_builtins

from quintain.engine.rules.registry import game
from quintain.server.http.answers import answer_json, is_partial, page
from quintain.server.http.documented import takes
from quintain.server.http.records import record_of
from quintain.server.http.requests import address_of, ensure_name, read_post
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.http.table_answers import change, context_of, look_back, previews_of
from quintain.server.pages import contexts
from quintain.server.pages.brought.collections import ready_cards
from quintain.server.pages.drawing import move_link
from quintain.server.pages.old_games import old_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.since import steps_json
from quintain.server.posted.posts import ACTS, FOR_PAGES, Newcomer, TableAct
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable, Viewing


@get("/tables/{table_id:str}", include_in_schema=False)
async def table_page(
    request: AnyRequest,
    site: TheSite,
    table_id: FromPath[str],
    why: FromQuery[int | None] = None,
    chosen: FromQuery[str] = "",
    since: FromQuery[str | None] = None,
    remark: FromQuery[int | None] = None,
) -> Reply:
    """Show a table: as JSON if the path ends in .json, else as a page.

    With `why`, say why that action is not legal. With `chosen`, the id of a piece, show what can be done with it. With
    `since`, list the news since the viewer's last decision; with the number of one, show the table after it. With
    `remark`, the number of an earlier step of a lesson, show what it said.
    """
    if table_id.endswith(".json"):
        return await _table_json(request, site, table_id.removesuffix(".json"))
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    if live.table.is_old:
        return page(site, visitor, "old.html", old_context(live.table, visitor))
    await site.tables.stories.soon(live)
    if why is not None and is_partial(request):
        return page(site, visitor, "parts/why.html", contexts.why_context(Viewing.of(live, visitor), why))
    if since is not None and live.table.match:
        return await look_back(request, site, live, visitor, since)
    previews = await previews_of(site, Viewing.of(live, visitor), chosen)
    viewing = Viewing.of(live, visitor)  # the table may have changed meanwhile
    shown = context_of(site, viewing, site.base_url(request), chosen, previews, remark=remark)
    reason = {} if why is None else contexts.why_context(viewing, why)
    return page(site, visitor, "table.html", {**shown, **reason})


@get("/tables/{table_id:str}/steps", include_in_schema=False)
async def steps(
    request: AnyRequest, site: TheSite, table_id: FromPath[str], after: FromQuery[int] = 0
) -> Response[Context]:
    """Return the table after each piece of news since the viewer's decision, after this many lines of their log."""
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    site.check_replay_limit(address_of(request))
    await live.settled()
    base_url = site.base_url(request)
    link = move_link(site.signer, live.table, visitor, base_url)
    found = await steps_json(site.looking_back, Viewing.of(live, visitor), site.templates, base_url, link, after)
    return answer_json(site, visitor, found)


@get("/tables/{table_id:str}/looks", include_in_schema=False)
async def table_looks(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Response[str]:
    """Show all pieces of a table in full: to a script as a part of the table's page, else as a page of its own."""
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    live.table.playing()
    await live.settled()
    previews = await previews_of(site, Viewing.of(live, visitor), "")
    shown = contexts.looks_context(Viewing.of(live, visitor), previews)
    return page(site, visitor, "parts/looks.html" if is_partial(request) else "looks.html", shown)


@get("/tables/{table_id:str}/previews")
async def table_previews(
    request: AnyRequest, site: TheSite, table_id: FromPath[str], chosen: FromQuery[str] = ""
) -> Response[Context]:
    """Return what your next moves would do, by action: those of a chosen piece, or the first ones of all."""
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    live.table.check_here()
    await live.settled()
    found = await previews_of(site, Viewing.of(live, visitor), chosen)
    shown = {"+".join(map(str, path)): to_builtins(made) for path, made in found.shown.items()}
    return answer_json(site, visitor, {"decision": found.decision, "previews": shown})


@get("/tables/{table_id:str}/view")
async def table_json(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Return all that you may see of a table. The address is /tables/{table_id}.json."""
    return await _table_json(request, site, table_id)


async def _table_json(request: AnyRequest, site: Site, table_id: str) -> Reply:
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    live.table.check_here()
    await site.tables.stories.soon(live)
    return answer_json(site, visitor, contexts.table_json(Viewing.of(live, visitor)))


@post("/tables/{table_id:str}/seats/{seat:int}", operation_class=takes(Newcomer), status_code=200)
async def sit_down(request: AnyRequest, site: TheSite, table_id: FromPath[str], seat: FromPath[int]) -> Reply:
    """Sit down on an empty seat, or come back to your own from a bot that plays on."""
    posted = await read_post(request, site, Newcomer)

    async def do(live: LiveTable) -> None:
        await ensure_name(request, site, posted)
        row, you = live.table.row, posted.visitor.id
        if row.owned and live.table.seat_of(you) is None:
            await ready_cards(site.archive, await acts.number_of(site.tables, you), game(row.game))
        await acts.sit_down(site.tables, live, seat, posted.visitor.id, posted.given.committed())

    return await change(request, site, table_id, posted.visitor, do)


@get("/tables/{table_id:str}/record.json")
async def record(site: TheSite, table_id: FromPath[str]) -> Response[dict[str, object]]:
    """Return the record of a finished game, for `quintain replay` and `quintain verify`."""
    live = await site.tables.get(table_id)
    if live.table.folded.record is None:
        live.table.check_here()
        raise Refused(409, "the game is not over yet")
    found = record_of(live.table.folded, site.keys)
    name = f"{live.table.row.game}-{live.table.id}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(found, media_type=MediaType.JSON, headers=headers)


def _handler(part: str, name: str, kind: type[TableAct]) -> HTTPRouteHandler:
    """Return the handler of an act; its path ends with `part`."""

    async def handle(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
        posted = await read_post(request, site, kind)

        async def do(live: LiveTable) -> str | None:
            return await posted.given.do(site.tables, live, posted.visitor.id)

        return await change(request, site, table_id, posted.visitor, do, kind.thanks)

    handle.__name__, handle.__doc__ = name, kind.__doc__
    made = post(
        f"/tables/{{table_id:str}}/{part}",
        operation_class=takes(kind),
        status_code=200,
        include_in_schema=kind not in FOR_PAGES,
    )
    return made(handle)


HANDLERS = (
    table_page,
    table_json,
    table_looks,
    table_previews,
    steps,
    sit_down,
    record,
    *(_handler(*act) for act in ACTS),
)
