"""Reports as pages, opened in Chromium: they need no network, fit any width, and leave nobody out."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import quintain as package

if TYPE_CHECKING:
    from cli.sitting import Run

GAMES = [game.id for game in package.all_games() if game.folder]
SHORT = ("-n", "20", "--actions", "4", "--skill", "0", "--seed", "1")
LOOKS = (375, "light"), (1280, "dark")
"""Each width and each scheme of colours is in one of them; no colour depends on the width."""


def test_every_game_of_ours_has_two_reports_in_the_docs():
    there = (Path(__file__).parents[2] / "docs" / "reports").iterdir()
    named = {f"{id_}{by}.md" for id_ in GAMES for by in ("", "-minstrels")}
    assert {path.name for path in there} == named


@pytest.mark.long_for("round-table", "heirless", "rune-war", "robin")  # the page of King's Court has all the same parts
@pytest.mark.parametrize("id_", GAMES)
def test_a_report_needs_no_network_fits_any_width_and_has_no_fault_of_access(
    id_: str, quintain: "Run", tmp_path: Path, browser: Any
):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    path = tmp_path / f"{id_}.html"
    made = quintain("report", id_, *SHORT, "--out", path)
    assert made.status == 0, made.err
    for width, scheme in LOOKS:
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        assert asked == [path.as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("figure svg").count()
        for at in range(page.locator("figure svg").count()):
            box = page.locator("figure svg").nth(at).bounding_box()
            assert box["width"] > 200 and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert axe.run(page, options={"resultTypes": ["violations"]}).response["violations"] == []
        page.close()
