"""The reports in the docs, opened in Chromium: they need no network, fit any width, and leave nobody out."""

from pathlib import Path
from typing import Any

import pytest

REPORTS = sorted((Path(__file__).parents[2] / "docs" / "reports").glob("*.html"))
LONG = [pytest.param(*look, marks=pytest.mark.long) for look in ((375, "dark"), (1280, "light"))]
LOOKS = [(375, "light"), (1280, "dark"), *LONG]
"""Each width and each scheme of colours is in one of the first two; no colour depends on the width."""


def test_every_game_has_a_report():
    assert len(REPORTS) == 5


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_report_needs_no_network_fits_any_width_and_has_no_fault_of_access(
    path: Path, width: int, scheme: str, browser: Any
):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    assert asked == [path.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for at in range(page.locator("figure svg").count()):
        box = page.locator("figure svg").nth(at).bounding_box()
        assert box["width"] > 200 and box["x"] >= 0 and box["x"] + box["width"] <= width
    assert axe.run(page, options={"resultTypes": ["violations"]}).response["violations"] == []
    page.close()
