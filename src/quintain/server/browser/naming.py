"""Names of the people on a device: what a post needs one for, and the page that asks for it."""

from __future__ import annotations

from quintain.engine.errors import BadOption
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.pages.contexts import page_context
from quintain.server.posted.fields import NeedsName, decoded
from quintain.server.posted.posts import Named


async def sender(house: House, asked: PageRequest) -> int:
    """Return the number of whoever sent a post: if nobody has a name here yet, the one that the post names.

    Raises NeedsName, which keeps the form: the page that asks for a name sends it again.
    """
    number = house.visitor().number
    if number is not None:
        return number
    fields = asked.fields(Named)
    name = decoded(fields, Named).name
    if not name:
        raise NeedsName.of(fields)
    try:
        return (await house.named(name)).number
    except BadOption as error:
        raise NeedsName.of(fields, error) from error


def name_and_again(house: House, asked: PageRequest, needed: NeedsName) -> PageAnswer:
    """Ask for a name, and send the form that needed one once more, with it."""
    address = f"{asked.path}{'?' if asked.search else ''}{asked.search}"
    shown = {**page_context(house.visitor(), "Your name", "/name"), "action": address, "next": "/"}
    html = house.templates.render_template("name.html", **shown, **needed.context())
    return PageAnswer.html(html, needed.status)
