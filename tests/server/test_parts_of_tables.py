"""The parts of a table in windows of all sizes, in Chromium: none lies on another, and none moves another.

`test_widths.py` tests that no page scrolls sideways.
"""

import pytest

import quintain
from parts.tables.lessons import steps_of
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import environment
from server import samples
from server.browsing import opened, reopened
from server.samples import SEED, positions, table_page
from server.test_looks import needs_chromium, needs_files
from server.test_widths import WIDER

pytestmark = [needs_chromium, needs_files]
MIDDLE = ((1024, 768), (812, 375))
LYING = """() => {
  const parts = [...document.querySelectorAll(".frame > *")].filter((each) => each.checkVisibility());
  const boxes = parts.map((each) => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
  const flow = boxes.filter(([each]) => !/absolute|fixed/.test(getComputedStyle(each).position));
  const faults = [];
  for (const [i, [one, a]] of flow.entries())
    for (const [other, b] of flow.slice(i + 1))
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        faults.push(`${one.id || one.className} and ${other.id || other.className}`);
  const lowest = Math.max(...flow.map(([, box]) => box.bottom)) + scrollY;
  if (lowest > document.documentElement.scrollHeight + 1) faults.push("the page ends before its parts");
  return faults;
}"""
"""Which parts of a table lie on one another, and whether the page can be scrolled down to the last of them."""
MEETS_NAME = """() => [...document.querySelectorAll(".hand .piece:has(.mark)")].filter((card) => {
  const mark = card.querySelector(".mark").getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(card.querySelector(".foot b"));
  return [...range.getClientRects()].some((line) =>
    Math.min(mark.right, line.right) - Math.max(mark.left, line.left) > 1 &&
    Math.min(mark.bottom, line.bottom) - Math.max(mark.top, line.top) > 1);
}).map((card) => card.id)"""
"""The cards of the hand whose eye lies on their name."""
TOP = "() => Math.round(document.querySelector('#board').getBoundingClientRect().top)"
TILES = "() => [...document.querySelectorAll('.tile')].map((each) => each.getBoundingClientRect().toJSON())"
GAMES = [
    pytest.param(found, seats, marks=[pytest.mark.long] if seats > 2 else [])
    for found in quintain.all_games()
    for seats in sorted({found.seats[0], found.seats[1]})
]


def tables(found: quintain.Game, seats: int, every: int):
    """Yield the pages of the seats that are asked, at many moments of a game at random."""
    for match in positions(found, seats, every):
        for seat in sorted(match.to_act)[:1]:
            shown = table_page(match, seat, foresees=False)
            yield match, environment().render_template("table.html", **shown)


@pytest.mark.long_for("round-table-2", "rune-war-2", "heirless-2")  # the other boards lie in the same frame
@pytest.mark.parametrize(("found", "seats"), GAMES, ids=lambda given: getattr(given, "id", given))
def test_in_windows_of_middle_size_no_part_of_a_table_lies_on_another_and_the_page_scrolls(browser, found, seats):
    page, faults = None, set()
    for match, html in tables(found, seats, every=9):
        page = opened(browser, html, *MIDDLE[0]) if page is None else reopened(page, html)
        for width, height in MIDDLE:
            page.set_viewport_size({"width": width, "height": height})
            faults |= {(width, match.view().phase.key, fault) for fault in page.evaluate(LYING)}
    page.close()
    assert not faults


@pytest.mark.long
def test_rune_wars_board_stays_in_its_place_whatever_the_plates_say(browser):
    """With five seats on a phone: a plate is as high without a sign of its state as with one."""
    page, tops = None, {}
    for match, html in tables(game("rune-war"), 5, every=11):
        page = opened(browser, html, 375, 812, touch=True) if page is None else reopened(page, html)
        tops.setdefault(page.evaluate(TOP), match.view().phase.key)
    page.close()
    assert len(tops) == 1, tops


def test_the_eye_on_a_card_that_others_know_lies_beside_its_name(browser):
    page, marked = None, 0
    for _, html in tables(game("rune-war"), 2, every=3):
        if "rune-card" not in html or '<span class="mark">' not in html.partition('class="hand')[2]:
            continue
        page = opened(browser, html, 320, 812, touch=True) if page is None else reopened(page, html)
        marked += page.locator(".hand .piece .mark").count()
        assert page.evaluate(MEETS_NAME) == []
    page.close()
    assert marked


@pytest.mark.parametrize("seats", [2, pytest.param(6, marks=pytest.mark.long)])
def test_knights_sent_out_move_no_tile_on_a_phone(browser, seats):
    match, page, places = Match.new("heirless", seats, samples.NAMES[:seats], seed=SEED), None, []
    while question := match.view(0).question:
        if question.key != "send":
            break
        html = environment().render_template("table.html", **table_page(match, 0, foresees=False))
        page = opened(browser, html, 375, 812, touch=True) if page is None else reopened(page, html)
        places.append(page.evaluate(TILES))
        match.play(0, match.moves(0)[-1].action)
    page.close()
    assert len(places) > 2 and all(each == places[0] for each in places)


def test_robins_lesson_does_not_scroll_sideways_on_the_narrowest_phones(browser):
    page, faults = None, {}
    for step in steps_of(game("robin"), 2):
        page = opened(browser, step.html, 320, 640, touch=True) if page is None else reopened(page, step.html)
        if wider := page.evaluate(WIDER):
            faults[step.kind] = wider
    page.close()
    assert not faults
