"""Nothing but a table scrolls sideways, in Chromium: with long names, wide spaces between letters, and large text."""

from typing import Any

import pytest

import quintain
from quintain.engine.rules.registry import game
from quintain.server.pages import forms
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.rendering import environment
from quintain.server.pages.rule_pages import rules_context
from server import samples
from server.browsing import opened, reopened
from server.samples import NAMES, SEED, VISITOR, other_pages, played, table_page, waiting_pages
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]
WIDTHS = (320, 375, 1280)
WIDE = "W" * 24
"""The widest name that a player can have."""
SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important; }
    * { word-spacing: .16em !important; }
    p { margin-bottom: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
"""The spaces that a reader may need, as WCAG 1.4.12 has them."""
LARGE = """() => {
  const sizes = [...document.querySelectorAll("*")].map((each) => [each, parseFloat(getComputedStyle(each).fontSize)]);
  for (const [each, size] of sizes) each.style.fontSize = `${2 * size}px`;
}"""
"""Text of twice the size, as in browsers that enlarge text alone."""
WIDER = """() => {
  const wide = document.documentElement.scrollWidth;
  if (wide <= innerWidth) return "";
  const scrolls = (each) => /auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX);
  const isHeld = (each) => each !== document.body && (scrolls(each) || isHeld(each.parentElement));
  const over = [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > innerWidth + 1 && !isHeld(each.parentElement));
  const names = over.slice(-4).map((each) => `${each.tagName}.${each.className} ${each.textContent.slice(0, 20)}`);
  return [wide, ...names].join();
}"""
"""What makes a page wider than its window."""


def renamed(value: Any) -> Any:
    """Return the values of a page in which everybody has the widest name."""
    if isinstance(value, dict):
        return {key: renamed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(renamed, value)) if type(value) in (list, tuple) else value
    if isinstance(value, str) and type(value) is str and "<" not in value:
        for name in NAMES[:2]:
            value = value.replace(name, WIDE)
    return value


def pages():
    """Yield all pages but tables, each with its name."""
    kings_court = game("kings-court")
    waits = waiting_pages(quintain.Match.new("kings-court", names=NAMES[:2], seed=SEED))
    for name, template, context in [*waits, *other_pages(kings_court)]:
        yield name, template, renamed(context)
    for found in quintain.all_games():
        yield f"rules of {found.id}", "rules.html", rules_context(found, VISITOR, environment(), "")
        yield f"search of {found.id}", "rules.html", rules_context(found, VISITOR, environment(), "card")
        if found.collection:
            yield f"cards of {found.id}", "cards_browse.html", browse_context(found, VISITOR, {})
        yield f"new {found.id}", "new_table.html", renamed(forms.new_table_context(found, VISITOR, {}))


@pytest.mark.parametrize(
    "change",
    [None, pytest.param(SPACED, marks=pytest.mark.long), pytest.param(LARGE, marks=pytest.mark.long)],
    ids=["as it is", "wide spaces", "large text"],
)
def test_no_page_but_a_table_scrolls_sideways(browser, change):
    templates, shown, faults = environment(), None, []
    for name, template, context in pages():
        html = templates.render_template(template, **context)
        for width in WIDTHS:
            shown = reopened(shown, html) if shown else opened(browser, html, width)
            shown.set_viewport_size({"width": width, "height": 800})
            if change:
                shown.evaluate(change)
            if wider := shown.evaluate(WIDER):
                faults.append(f"{name}, {width}: {wider}")
    shown.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("found", quintain.all_games(), ids=lambda found: found.id)
def test_no_table_scrolls_sideways_whatever_its_seats_say(browser, found, monkeypatch):
    """With the widest names, and with bots that play on for people who have left."""
    monkeypatch.setattr(samples, "NAMES", [WIDE[seat:] for seat in range(found.seats[1])])
    match = played(found, lambda match: len(match.moves_made) > 12)
    shown = table_page(match, 0, foresees=False)
    words = {"stand_in": "squire", "stand_in_words": "Squire, a bot, plays on", "connected": False}
    page, faults = None, []
    for more in ({}, words):
        seats = [seat | more for seat in shown["table"]["seats"]]
        table = {**shown["table"], "seats": seats, "adjourned": bool(more)}
        html = environment().render_template("table.html", **{**shown, "table": table, "ends_at": 0})
        page = opened(browser, html, 375, 812, touch=True) if page is None else reopened(page, html)
        for width in (375, 320):
            page.set_viewport_size({"width": width, "height": 812})
            if over := page.evaluate(WIDER):
                faults.append((width, bool(more), over))
    assert not faults
