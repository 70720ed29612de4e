"""Write a picture of every page, in both themes, for a phone and for a wide window.

    .venv/bin/python tools/screenshots.py FOLDER [NAME ...]
    .venv/bin/python tools/screenshots.py --docs

`make screenshots` runs the first. The second writes the pictures of docs/pictures: the table of each game, in a wide
window of the light theme. It needs Chromium (on Debian and Ubuntu: apt install chromium). The pages show the sample
data of tests/server/samples.py. A picture shows the full height of a page; a second one of each table shows what people
see first, in a window of usual height.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import quintain  # noqa: E402
from conformance.cases import tutorial_game  # noqa: E402
from quintain.engine.play.match import Match  # noqa: E402
from quintain.server.pages.rendering import environment  # noqa: E402
from quintain.server.pages.words import with_seconds_left  # noqa: E402
from server.browsing import CHROMIUM, opened  # noqa: E402
from server.samples import ANSWERED, all_pages, asked_in, bears_much, is_answering, is_asked, played, table_page  # noqa: E402

SIZES = {"phone": (375, 667), "wide": (1280, 800)}
THEMES = ("light", "dark")
PICTURES = ROOT / "docs" / "pictures"
MOMENTS: dict[str, tuple[Callable[[Match], bool], dict[str, Any]]] = {
    "kings-court": (asked_in("play", 8), {}),
    "rune-war": (lambda match: is_asked(match, "attack") and len(match.moves_made) > 60, {"seats": 4}),
    "heirless": (lambda match: bool(match.account()) and is_asked(match, "attack"), {"seats": 4}),
    "robin": (is_answering, {"seed": ANSWERED}),
    "round-table": (lambda match: is_asked(match, "support") and bears_much(match), {}),
}
"""The moment of each game that its page in the docs shows, with what `played` needs for it."""
QUALITY = 62
"""Of the JPEG files, in per cent."""


def main(folder: Path, wanted: set[str]) -> None:
    """Write the pictures of the wanted pages; of all pages if `wanted` is empty."""
    folder.mkdir(parents=True, exist_ok=True)
    templates = environment()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        games = quintain.game("kings-court"), tutorial_game(), quintain.game("robin")
        for name, template, context in all_pages(*games):
            if not wanted or name in wanted:
                for theme in THEMES:
                    html = with_seconds_left(templates.render_template(template, **(context | {"theme": theme})))
                    write(browser, html, folder, name, theme, first=template == "table.html")
        browser.close()


def write_for_docs() -> None:
    """Write the pictures of the docs."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for name, (until, how) in MOMENTS.items():
            context = table_page(played(quintain.game(name), until, **how), 0) | {"theme": "light"}
            html = with_seconds_left(environment().render_template("table.html", **context))
            page: Any = opened(browser, html, *SIZES["wide"])
            page.evaluate("document.fonts.ready")
            page.wait_for_timeout(500)  # until all previews stand on their pieces
            page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=QUALITY)
            page.close()
        browser.close()


def write(browser: Browser, html: str, folder: Path, name: str, theme: str, first: bool) -> None:
    """Write the pictures of one page in one theme."""
    for size, (width, height) in SIZES.items():
        page: Any = opened(browser, html, width, height, touch=size == "phone")
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(100)
        if first:
            page.screenshot(path=folder / f"{name}-{size}-{theme}-first.png")
        whole = max(height, page.evaluate("document.body.scrollHeight"))
        page.set_viewport_size({"width": width, "height": whole})
        page.screenshot(path=folder / f"{name}-{size}-{theme}.png")
        for complaint in page.complaints:
            print(f"{name}: {complaint}")
        page.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["--docs"]:
        write_for_docs()
    else:
        main(Path(sys.argv[1]), set(sys.argv[2:]))
