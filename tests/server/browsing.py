"""Rendered pages in Chromium, with the static files and under the policy of the server, but without one."""

from pathlib import Path
from typing import Any

from quintain.server.pages import STATIC

CHROMIUM = Path("/usr/bin/chromium")
SITE = "http://quintain.test"
POLICY = {"Content-Security-Policy": "default-src 'self'"}
WHY = "<p>Not now: it is not in your hand.</p>"


def opened(browser: Any, html: str, width: int = 1280, height: int = 800, touch: bool = False) -> Any:
    """Return a browser's page that shows a rendered page; `complaints` gathers what the browser finds wrong.

    Every address but those of static files, and of reasons, shows the same page. Its socket opens and says nothing.
    """
    size = {"width": width, "height": height}
    page = browser.new_page(viewport=size, has_touch=touch, reduced_motion="reduce")
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(SITE).partition("?")[0]
        if path.startswith("/static/"):
            route.fulfill(path=STATIC / path.removeprefix("/static/"))
        elif path.endswith("/why"):
            route.fulfill(body=WHY, content_type="text/html")
        else:
            route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=POLICY)

    page.route("**/*", answer)
    page.route_web_socket("**/*", lambda socket: None)
    page.goto(f"{SITE}/tables/k7f3")
    return page
