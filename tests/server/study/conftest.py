"""A browser for the pages of study."""

import pytest

from server.study.looking import DESK


@pytest.fixture
def visit(browser, serving):
    """Return a function that opens a page as a guest with a window of a size, in a theme."""
    contexts = []

    def opened(guest, address, size=DESK, theme="light", **more):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, base_url=serving.url, **more
        )
        contexts.append(context)
        cookies = guest.http.cookies.items()
        context.add_cookies([{"name": name, "value": value, "url": serving.url} for name, value in cookies])
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
