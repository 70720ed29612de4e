"""In forced colours, which take backgrounds and shadows, what can be touched shows, and whose turn it is, and backs."""

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import STATIC, environment
from server.browsing import CHROMIUM, opened
from server.samples import ANSWERED, asked_in, is_answering, is_asked, played, table_page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]
ASKED = {
    "kings-court": asked_in("house", 6),
    "rune-war": lambda match: is_asked(match, "attack") and len(match.moves_made) > 30,
    "round-table": lambda match: is_asked(match, "draw"),
    "robin": is_answering,
    "heirless": lambda match: 0 in match.to_act and len(match.moves_made) > 30,
}
EDGE = """(element) => {
  const {outlineStyle, outlineWidth, outlineColor} = getComputedStyle(element.closest(".house") ?? element);
  return outlineStyle === "none" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
}"""
"""The edge of a piece, or of the house whose name it is; empty without one."""


@pytest.fixture
def forced(browser, request):
    """A page in forced colours, at which the first seat is asked something."""
    match = played(game(request.param), ASKED[request.param], ANSWERED if request.param == "robin" else 1)
    page = opened(browser, environment().render_template("table.html", **table_page(match, 0, foresees=False)))
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    yield page
    assert not page.complaints
    page.emulate_media(forced_colors="none")
    page.close()


def edges(page, selector):
    """Return the edges of all visible elements, without double ones."""
    return {each.evaluate(EDGE) for each in page.locator(selector).locator("visible=true").all()}


@pytest.mark.parametrize("forced", ASKED, indirect=True)
def test_what_can_be_touched_and_whose_turn_it_is_have_edges_and_backs_their_pattern(forced):
    lit = edges(forced, ".piece.lit")
    assert lit and all("solid" in edge for edge in lit), lit
    assert "" not in edges(forced, ".seat.to-act")
    assert edges(forced, ".seat:not(.to-act)") <= {""}
    backs = forced.locator(".back, .seal.down, .deck-back, .rh-back").locator("visible=true")
    adjusts = backs.evaluate_all("backs => backs.map((back) => getComputedStyle(back).forcedColorAdjust)")
    assert set(adjusts) <= {"none"} and (adjusts or forced.locator(".hb").count())


@pytest.mark.parametrize("forced", ["robin"], indirect=True)
def test_each_state_of_a_piece_has_an_edge_of_its_own(forced):
    piece = forced.locator(".hand .piece.lit").first.element_handle()
    found = [piece.evaluate(EDGE)]
    for state in ("chosen", "target", "going"):
        piece.evaluate("(piece, state) => piece.classList.add(state)", state)
        forced.locator("#table-body").evaluate("(body, is) => body.classList.toggle('sending', is)", state == "going")
        found.append(piece.evaluate(EDGE))
        piece.evaluate("(piece, state) => piece.classList.remove(state)", state)
    piece.evaluate("(piece) => { piece.classList.remove('lit'); piece.classList.add('barred'); }")
    found.append(piece.evaluate(EDGE))
    assert len({*found, ""}) == len(found) + 1, found
