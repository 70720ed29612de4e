"""Answers to requests: pages with the visitor's cookie, notices for htmx, JSON, and the status of an error.

Every handler ends with one of these, or of those in `table_answers.py`, which show a table.
"""

from __future__ import annotations

from collections.abc import Mapping

from litestar import Response
from litestar.enums import MediaType

from quintain.engine.errors import CannotUndo, QuintainError, UnknownGame
from quintain.server.http.browser_files import COMMAND, missing_files
from quintain.server.http.site import AnyRequest, Reply, Site
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import with_seconds_left
from quintain.server.people.players import COOKIE, COOKIE_SECONDS, Visitor
from quintain.server.refused import Refused, Stopping

NO_HEADERS: Mapping[str, str] = {}


def policy(framed_by: str) -> str:
    """Return which sources a page may use, and which pages may show it in a frame: 'none' or 'self', in quotes."""
    return f"default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors {framed_by}; object-src 'none'"


FRAMED_HERE = {"content-security-policy": policy("'self'")}
"""The headers of a page that stands in a frame of another page of this server, and of nobody else's."""


def page(
    site: Site,
    visitor: Visitor,
    template: str,
    context: Context,
    status: int = 200,
    headers: Mapping[str, str] = NO_HEADERS,
) -> Response[str]:
    """Return a page, with a cookie for a new visitor; without browser files, a page that says how to make them."""
    if not site.has_browser_files and (missing := missing_files()):
        html = site.templates.render_template("unfinished.html", command=COMMAND, missing=missing)
        return Response(html, media_type=MediaType.HTML, status_code=503)
    site.has_browser_files = True  # somebody may have made them since the server started
    html = site.templates.render_template(template, **context)
    response = Response(with_seconds_left(html), media_type=MediaType.HTML, status_code=status, headers=headers)
    if visitor.fresh:
        set_cookie(site, visitor, response)
    return response


def notice_alone(site: Site, visitor: Visitor, notice: str, status: int) -> Response[str]:
    """Return a notice for htmx to show above the table. The table stays: the socket may have sent a newer view."""
    response = page(site, visitor, "parts/notice.html", {"notice": notice}, status)
    response.headers.update({"hx-retarget": "#notice", "hx-reswap": "outerHTML"})
    return response


def answer_json(site: Site, visitor: Visitor, data: Context, status: int = 200) -> Response[Context]:
    """Return JSON, with a cookie for a new visitor."""
    response = Response(data, media_type=MediaType.JSON, status_code=status)
    if visitor.fresh:
        set_cookie(site, visitor, response)
    return response


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


def capitalized(words: str) -> str:
    """Return the words of an error with a capital letter, as they begin a line on a page."""
    return words[:1].upper() + words[1:]


def set_cookie(site: Site, visitor: Visitor, response: Reply) -> None:
    """Give a visitor the cookie of their session."""
    cookie = site.signer.cookie(visitor.id, visitor.session, visitor.device)
    response.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="lax")
