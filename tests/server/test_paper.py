"""Pages on paper: the text, without what only a screen can use, and nothing cut off."""

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.rendering import STATIC, environment
from quintain.server.pages.rule_pages import rules_context
from server.browsing import CHROMIUM, opened
from server.samples import VISITOR, asked_in, finished, played, replay_page, table_page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]
A4 = {"width": 794, "height": 1123}
"""A page of paper, in CSS pixels."""
CUT = """() => [...document.querySelectorAll("#main :not(.piece, .piece *, .card *)")].filter((each) => {
  const hides = getComputedStyle(each).overflowY !== "visible" && each.clientHeight > 1;
  return each.checkVisibility() && hides && each.scrollHeight > each.clientHeight + 1;
}).map((each) => each.outerHTML.slice(0, 200))"""
"""The beginnings of visible elements that hide a part of what they hold."""
ON_SCREENS = "header.top, footer, form.book-search, nav, .button, .icons, .tools, .acts, input"


def pages():
    """Yield a page of each kind: its template, its values, and words that are on its paper."""
    kings_court, robin = game("kings-court"), game("robin")
    over = played(kings_court, lambda match: False)
    table, steps = finished(over)
    yield "rules.html", rules_context(kings_court, VISITOR, environment(), ""), ["King's Court", "KC-19"]
    yield "cards_browse.html", browse_context(robin, VISITOR, {}), ["Robin Hood", "Little John"]
    yield "table.html", table_page(over, 0), ["Where the score came from", "What turned it"]
    yield "table.html", table_page(played(kings_court, asked_in("play", 8)), 0), ["Which card do you play?", "Artois"]
    yield "replay.html", replay_page(table, steps, steps.last // 2, None), ["What happened", "The lot falls"]


def test_paper_shows_the_text_of_a_page_whole_and_nothing_to_press(browser):
    for template, values, words in pages():
        dark = environment().render_template(template, **values).replace('data-theme="auto"', 'data-theme="dark"')
        page = opened(browser, dark, **A4)
        page.emulate_media(media="print", reduced_motion="reduce")
        shown = "all => all.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 200))"
        assert page.locator(ON_SCREENS).evaluate_all(shown) == [], template
        text = page.locator("#main").inner_text()
        assert all(word in text for word in words), (template, words)
        assert page.evaluate(CUT) == [], template
        assert page.evaluate("document.documentElement.scrollWidth") == A4["width"]
        assert page.locator("body").evaluate("body => getComputedStyle(body).color") == "rgb(0, 0, 0)"
        page.emulate_media(media="screen")
        page.close()
