"""Answers to what cannot be done: a notice above the table, a page, or JSON, each with the status of the error."""

from __future__ import annotations

from quintain.engine.errors import CannotUndo, QuintainError, UnknownGame
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.pages.contexts import page_context
from quintain.server.refused import Refused

TITLES = {403: "Not for you", 404: "Not here", 409: "Not now"}


def status_of(error: QuintainError) -> int:
    """Return the HTTP status for an error."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, UnknownGame):
        return 404
    return 409 if isinstance(error, CannotUndo) else 422


def refused(house: House, asked: PageRequest, words: str, status: int) -> PageAnswer:
    """Return the words of an error as the page wants them."""
    words = words[:1].upper() + words[1:]
    if asked.wants_json:
        return PageAnswer.json({"error": words, "status": status}, status)
    if asked.is_partial:
        html = house.templates.render_template("parts/notice.html", notice=words)
        return PageAnswer.html(html, status, {"hx-retarget": "#notice", "hx-reswap": "outerHTML"})
    shown = {**page_context(house.visitor(), TITLES.get(status, "Sorry"), "/"), "status": status, "words": words}
    return PageAnswer.html(house.templates.render_template("error.html", **shown), status)
