"""Write a picture of every page, in both themes, for a phone and for a wide window.

    .venv/bin/python tools/screenshots.py FOLDER [NAME ...]

`make screenshots` runs it. It needs Chromium (on Debian and Ubuntu: apt install chromium). The pages show the sample
data of tests/server/samples.py. A picture shows the full height of a page; a second one of each table shows what people
see first, in a window of usual height.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import quintain  # noqa: E402
from conformance.cases import tutorial_game  # noqa: E402
from quintain.server.pages.rendering import environment  # noqa: E402
from quintain.server.pages.words import with_seconds_left  # noqa: E402
from server.browsing import CHROMIUM, opened  # noqa: E402
from server.samples import all_pages  # noqa: E402

SIZES = {"phone": (375, 667), "wide": (1280, 800)}
THEMES = ("light", "dark")


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
    main(Path(sys.argv[1]), set(sys.argv[2:]))
