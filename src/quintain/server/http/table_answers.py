"""Answers about one table: its page for a viewer, and what a post to it is answered with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from litestar import Response
from litestar.response import Redirect

from quintain.engine.errors import QuintainError
from quintain.server.http.answers import answer_json, is_partial, notice_alone, page, status_of
from quintain.server.http.requests import address_of, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site
from quintain.server.pages import contexts
from quintain.server.pages.drawing import move_link
from quintain.server.pages.rendering import Context
from quintain.server.pages.since import looked_back
from quintain.server.people.players import Visitor
from quintain.server.posted.fields import NeedsName
from quintain.server.tables.foresight import NOTHING_FORESEEN, Previews
from quintain.server.tables.live_table import LiveTable, Viewing


async def change(
    request: AnyRequest,
    site: Site,
    table_id: str,
    visitor: Visitor,
    do: Callable[[LiveTable], Awaitable[str | None]],
    thanks: str = "",
) -> Reply:
    """Do something at a table, then show the table. If it is refused, show the table as it stands, with the reason."""
    live = await site.tables.get(table_id)
    live.table.check_here()
    try:
        other = await do(live)
    except NeedsName:
        raise
    except QuintainError as error:
        return await show(request, site, live, visitor, status_of(error), str(error))
    notice = "" if wants_json(request) else thanks
    return await show(request, site, await site.tables.get(other) if other else live, visitor, notice=notice)


async def show(
    request: AnyRequest, site: Site, live: LiveTable, visitor: Visitor, status: int = 200, notice: str = ""
) -> Reply:
    """Show a table after a post: as JSON, as the part of the page that htmx swaps, or as a page."""
    await live.settled()
    await site.tables.stories.soon(live)
    if wants_json(request):
        return answer_json(site, visitor, contexts.table_json(Viewing.of(live, visitor), notice), status)
    if is_partial(request):
        if live.is_watched_by(visitor.id):
            return notice_alone(site, visitor, notice, status) if notice else Response(b"", status_code=204)
        shown = context_of(site, Viewing.of(live, visitor), site.base_url(request))
        return page(site, visitor, "table_body.html", {**shown, "notice": notice or None}, status)
    if notice:
        visitor = await site.named(visitor)
        await live.settled()
        shown = context_of(site, Viewing.of(live, visitor), site.base_url(request))
        return page(site, visitor, "table.html", {**shown, "notice": notice}, status)
    return Redirect(f"/tables/{live.table.id}", status_code=303)


def show_new(request: AnyRequest, site: Site, visitor: Visitor, live: LiveTable) -> Reply:
    """Show the table that somebody has just made by playing on: as JSON, or as a page."""
    if wants_json(request):
        return answer_json(site, visitor, contexts.table_json(Viewing.of(live, visitor)), 201)
    return Redirect(f"/tables/{live.table.id}", status_code=303)


async def look_back(request: AnyRequest, site: Site, live: LiveTable, visitor: Visitor, asked: str) -> Response[str]:
    """Show the news since the viewer's last decision, or the table after one; if there is no such, say so."""
    site.check_replay_limit(address_of(request))
    previews = NOTHING_FORESEEN
    if not is_partial(request):
        previews = await previews_of(site, Viewing.of(live, visitor), "")
    viewing, back, refused = await looked_back(site.looking_back, live, visitor, asked)
    shown = context_of(site, viewing, site.base_url(request), previews=previews)
    template = "table_body.html" if is_partial(request) else "table.html"
    more = {"since": back.context, "notice": str(refused) if refused else None}
    answer = page(site, visitor, template, {**shown, **more}, refused.status if refused else 200)
    answer.content = back.marked(answer.content)
    return answer


async def previews_of(site: Site, viewing: Viewing, chosen: str) -> Previews:
    """Return the previews that a page shows a visitor at once; none for a spectator, or before play has begun.

    The table may change meanwhile: all that has is on disk then.
    """
    live, you, seen = viewing.live, viewing.you, viewing.seen
    if seen is None or you is None or live.table.lesson_progress():
        return NOTHING_FORESEEN
    found = await live.foresight.of(site.foreseeing, seen, chosen)
    await live.settled()
    return found


def context_of(
    site: Site,
    viewing: Viewing,
    base_url: str,
    chosen: str = "",
    previews: Previews = NOTHING_FORESEEN,
    remark: int | None = None,
) -> Context:
    """Return the values for the page of a table, for one viewer: see `contexts.table_context`.

    `reloads` tells a browser without script to load the page again and again, as long as there is news to wait for.
    """
    link = move_link(site.signer, viewing.table, viewing.visitor, base_url)
    shown = contexts.table_context(viewing, base_url, link, chosen=chosen, previews=previews, remark=remark)
    return {**shown, "reloads": viewing.is_now and _waits_for_news(viewing)}


def _waits_for_news(viewing: Viewing) -> bool:
    """Tell whether a viewer waits: for another's move, for the story of a finished game, or for the next game."""
    table, you, match = viewing.table, viewing.you, viewing.table.match
    if match is not None and match.outcome is not None:
        return viewing.live.story is None or (you in table.agreed and not table.row.rematch)
    is_asked = match is not None and you is not None and you in match.to_act
    return not is_asked or you is None or table.is_openly_forced(you) or table.is_passing(you)
