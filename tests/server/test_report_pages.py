"""The reports in the docs, opened in Chromium: they need no network, fit any width, and leave nobody out."""

from pathlib import Path
from typing import Any

import pytest

REPORTS = sorted((Path(__file__).parents[2] / "docs" / "reports").glob("*.html"))


def test_every_game_has_a_report():
    assert len(REPORTS) == 5


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_a_report_needs_no_network_fits_any_width_and_has_no_fault_of_access(path: Path, browser: Any):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for width, height in ((375, 812), (1280, 800)):
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(path.as_uri())
            assert asked == [path.as_uri()]
            assert page.evaluate("document.documentElement.scrollWidth") == width
            for at in range(page.locator("figure svg").count()):
                box = page.locator("figure svg").nth(at).bounding_box()
                assert box["width"] > 200 and box["x"] >= 0 and box["x"] + box["width"] <= width
            assert axe.run(page, options={"resultTypes": ["violations"]}).response["violations"] == []
            page.close()
