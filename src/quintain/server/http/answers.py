"""Answers to requests: pages with the visitor's cookie, notices for htmx, JSON, and the status of an error.

The handlers in `routes.py`, `rule_routes.py` and `replaying.py` end with one of these.
"""

from __future__ import annotations

from litestar import Response
from litestar.enums import MediaType

from quintain.engine.errors import CannotUndo, QuintainError, UnknownGame
from quintain.server.http.house import AnyRequest, House, Reply
from quintain.server.pages import contexts
from quintain.server.pages.browser_files import COMMAND, missing_files
from quintain.server.pages.drawing import move_link
from quintain.server.pages.rendering import Context
from quintain.server.people.players import COOKIE, COOKIE_SECONDS, Visitor
from quintain.server.processes import Stopping
from quintain.server.refused import Refused
from quintain.server.tables.foresight import NOTHING_FORESEEN, Previews
from quintain.server.tables.viewing import Viewing


def page(house: House, visitor: Visitor, template: str, context: Context, status: int = 200) -> Response[str]:
    """Return a page, with a cookie for a new visitor; without browser files, a page that says how to make them."""
    if not house.has_browser_files and (missing := missing_files()):
        html = house.templates.render_template("unfinished.html", command=COMMAND, missing=missing)
        return Response(html, media_type=MediaType.HTML, status_code=503)
    house.has_browser_files = True  # somebody may have made them since the server started
    html = house.templates.render_template(template, **context)
    response = Response(html, media_type=MediaType.HTML, status_code=status)
    if visitor.fresh:
        set_cookie(house, visitor, response)
    return response


def notice_alone(house: House, visitor: Visitor, notice: str, status: int) -> Response[str]:
    """Return a notice for htmx to show above the table. The table stays: the socket may have sent a newer view."""
    response = page(house, visitor, "parts/notice.html", {"notice": notice}, status)
    response.headers.update({"hx-retarget": "#notice", "hx-reswap": "outerHTML"})
    return response


def answer_json(visitor: Visitor, house: House, data: Context, status: int = 200) -> Response[Context]:
    """Return JSON, with a cookie for a new visitor."""
    response = Response(data, media_type=MediaType.JSON, status_code=status)
    if visitor.fresh:
        set_cookie(house, visitor, response)
    return response


async def previews_of(house: House, viewing: Viewing, chosen: str) -> Previews:
    """Return the previews that a page shows a visitor at once; none for a spectator, or before play has begun."""
    table, _, you, seen, _ = viewing
    if seen is None or you is None or table.standing():
        return NOTHING_FORESEEN
    return await table.foresight.of(house.foreseeing, seen, chosen)


def context_of(
    house: House,
    viewing: Viewing,
    base_url: str,
    chosen: str = "",
    previews: Previews = NOTHING_FORESEEN,
    remark: int | None = None,
) -> Context:
    """Return the values for the page of a table, for one viewer: see `contexts.table_context`.

    `reloads` tells a browser without script to load the page again and again, as long as there is news to wait for.
    """
    link = move_link(house.signer, viewing.table, viewing.visitor, base_url)
    shown = contexts.table_context(viewing, base_url, link, chosen=chosen, previews=previews, remark=remark)
    return {**shown, "reloads": viewing.is_now and _waits_for_news(viewing)}


def _waits_for_news(viewing: Viewing) -> bool:
    """Tell whether a viewer waits: for another's move, for the story of a finished game, or for the next game."""
    table, you, match = viewing.table, viewing.you, viewing.table.match
    if match is not None and match.outcome is not None:
        return table.story is None or (you in table.agreed and not table.row.rematch)
    is_asked = match is not None and you is not None and you in match.to_act
    return not is_asked or you is None or table.is_openly_forced(you) or table.is_passing(you)


def status_of(error: QuintainError) -> int:
    """Return the HTTP status for an error."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, UnknownGame):
        return 404
    if isinstance(error, Stopping):
        return 503
    return 409 if isinstance(error, CannotUndo) else 422


def is_partial(request: AnyRequest) -> bool:
    """Tell whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true"


def set_cookie(house: House, visitor: Visitor, response: Reply) -> None:
    """Give a visitor the cookie of their session."""
    cookie = house.signer.cookie(visitor.id, visitor.session, visitor.device)
    response.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="lax")
