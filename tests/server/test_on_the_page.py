"""What everyone sees on a table, in Chromium: only pieces fly, menus fit a phone, and nothing lies over anything."""

import itertools
import re

import pytest

import quintain
from quintain.engine.rules.registry import game
from quintain.server.pages import words
from quintain.server.pages.rendering import environment
from server.browsing import CHROMIUM, opened
from server.samples import NAMES, SEED, finished, played, positions, replay_page, table_page
from server.test_looks import html_of, swap

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)")

NOTE_FLIGHTS = r"""
window.flown = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (steps, how) {
  flown.push({what: this.outerHTML, is_piece: Boolean(this.dataset.flies), moves: String(steps[0].transform ?? "")});
  return animate.call(this, steps, how);
};
0
"""
SHEET = """() => {
  const box = document.querySelector("#menu .sheet").getBoundingClientRect();
  return [box.left, box.right, document.documentElement.scrollWidth];
}"""

COUNT_DOWN = """(left) => {
  document.querySelectorAll("time.clock").forEach((clock) => clock.remove());
  for (const [seconds, rests] of left) {
    const look = `class="clock${rests ? " rests" : ""}" data-left="${seconds + 0.02}"`;
    const mark = `<time ${look}><b></b> <span></span></time>`;
    document.body.insertAdjacentHTML("beforeend", mark);
  }
  document.dispatchEvent(new Event("htmx:after:swap"));
  return [...document.querySelectorAll("time.clock")].map((clock) => [clock.className, clock.innerHTML]);
}"""


@pytest.fixture
def templates():
    return environment()


@pytest.mark.long_for("robin-24", "heirless-30")
@pytest.mark.parametrize(
    ("id_", "moves"), [("kings-court", 24), ("rune-war", 30), ("heirless", 30), ("robin", 24), ("round-table", 40)]
)
def test_only_pieces_fly_and_at_their_own_size(browser, templates, id_, moves):
    found = game(id_)
    moments = positions(found, found.seats[0], 1)
    shown = opened(browser, html_of(templates, "table.html", table_page(next(moments), 0, foresees=False)))
    shown.emulate_media(reduced_motion="no-preference")
    shown.evaluate(NOTE_FLIGHTS)
    for match in itertools.islice(moments, moves):
        swap(shown, html_of(templates, "table_body.html", table_page(match, 0, foresees=False)))
    flown = shown.evaluate("flown")
    assert any("translate" in flight["moves"] for flight in flown)
    assert not [flight for flight in flown if not flight["is_piece"]]
    assert not [flight for flight in flown if "scale" in flight["moves"] or "matrix" in flight["moves"]]
    assert not shown.complaints
    shown.close()


def test_nothing_flies_when_the_page_alone_moves(browser, templates):
    """Something new above pushes the table down: the names of the Houses do not jump onto their arms meanwhile."""
    match = next(itertools.islice(positions(game("kings-court"), 2, 1), 14, None))
    context = table_page(match, 0, foresees=False)
    shown = opened(browser, html_of(templates, "table.html", context), 375, 812)
    shown.emulate_media(reduced_motion="no-preference")
    shown.evaluate(NOTE_FLIGHTS)
    shown.evaluate(
        "() => addEventListener('htmx:after:swap', () => { document.body.style.paddingTop = '40px'; }, true)"
    )
    top = "document.querySelector('.house-name').getBoundingClientRect().top"
    before = shown.evaluate(top)
    swap(shown, html_of(templates, "table_body.html", context))
    assert shown.evaluate(top) != before and not shown.evaluate("flown")
    shown.close()


def in_play():
    return table_page(played(game("kings-court"), lambda match: len(match.moves_made) > 9), 0)


def after_the_end():
    return table_page(played(game("kings-court"), lambda match: match.outcome is not None), 0)


def in_a_replay():
    match = played(game("kings-court"), lambda match: match.outcome is not None)
    table, replay = finished(match)
    return replay_page(table, replay, 12, None)


@pytest.mark.parametrize(
    ("template", "context"),
    [("table.html", in_play), ("table.html", after_the_end), ("replay.html", in_a_replay)],
    ids=["in play", "after the end", "in a replay"],
)
@pytest.mark.parametrize("width", [320, 375])
def test_the_whole_menu_is_on_the_screen_of_a_phone(browser, templates, template, context, width):
    shown = opened(browser, html_of(templates, template, context()), width, 812)
    shown.locator("#menu > summary").click()
    left, right, page_width = shown.evaluate(SHEET)
    assert left >= 0 and right <= width and page_width <= width
    shown.close()


@pytest.mark.parametrize(("width", "height"), [(375, 812), (1280, 800)])
def test_the_menu_in_which_somebody_resigned_closes_over_the_result(browser, templates, width, height):
    match = quintain.Match.new("kings-court", names=NAMES[:2], seed=SEED)
    shown = opened(browser, html_of(templates, "table.html", table_page(match, 0)), width, height)
    shown.locator("#menu > summary").click()
    swap(shown, html_of(templates, "table_body.html", table_page(match, 0)))
    assert shown.evaluate("document.getElementById('menu').open"), "a push of the table alone closes nothing"
    match.resign(0)
    swap(shown, html_of(templates, "table_body.html", table_page(match, 0)))
    assert not shown.evaluate("document.getElementById('menu').open")
    shown.close()


OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(".rt-verdicts > li, .rt-verdicts > li > *")];
  const boxes = parts.map((each) => [each, each.getBoundingClientRect()]);
  const met = [];
  for (const [one, a] of boxes) for (const [other, b] of boxes) {
    if (one === other || one.contains(other) || other.contains(one)) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 1) met.push([one.textContent, other.textContent]);
  }
  return [document.querySelectorAll(".rt-verdicts > li").length, met];
}"""


@pytest.mark.parametrize(("width", "height"), [(375, 812), (1280, 800)])
def test_what_autumn_decided_lies_beside_each_other(browser, templates, width, height):
    several = 0
    for match in positions(game("round-table"), 2, 1, seed=4):
        context = table_page(match, 0, foresees=False)
        html = html_of(templates, "table.html", context)
        if html.count('class="rt-verdict"') > 1:
            shown = opened(browser, html, width, height)
            number, met = shown.evaluate(OVERLAPS)
            assert number > 1 and not met
            shown.close()
            several += 1
        if several == 2:
            return
    pytest.fail("no Autumn decided several Regions")


LEFT = (-40, -12, -1, 0, 9, 59, 60, 119, 120, 3599, 3600, 86399, 2 * 86400 - 1, 2 * 86400, 7 * 86400)


def test_the_page_counts_down_in_the_words_of_the_server(browser, templates, monkeypatch):
    monkeypatch.setattr(words, "now", lambda: 1000.0)
    context = table_page(quintain.Match.new("kings-court", names=NAMES[:2], seed=SEED), 0)
    shown = opened(browser, html_of(templates, "table.html", context))
    asked = [(left, rests) for left in LEFT for rests in (False, True)]
    sent = [words.with_seconds_left(words.clock(1000.0 + left, rests)) for left, rests in asked]
    expected = [re.fullmatch(r'<time class="(.*)" data-left=".*?">(.*)</time>', html).groups() for html in sent]
    assert shown.evaluate(COUNT_DOWN, asked) == [list(each) for each in expected]
    shown.close()


def test_a_clock_has_words_for_its_last_ten_seconds(monkeypatch):
    monkeypatch.setattr(words, "now", lambda: 1000.0)
    told = [words.time_left(1000.0 + left) for left in (41, 10, 8, 0, -28, -40)]
    assert told[:2] == ["0:41 left", "0:10 hurry: a bot plays on in 0:40"]
    assert [each.removeprefix("0:0") for each in told[2:]] == [
        f"{left} hurry: a bot plays on in {then}" for left, then in ((8, "0:38"), (0, "0:30"), (0, "0:02"), (0, "0:00"))
    ]
    assert words.time_left(None) == "" and words.seconds_left(1041.5) == 41.5


INCOMING = """async ([told, decision]) => {
  const page = document.getElementById("table-body").cloneNode(true), waits = [];
  page.dataset.told = Number(page.dataset.told) + told;
  const number = page.querySelector("#moves > [name=decision]");
  number.setAttribute("value", Number(number.value) + decision);
  const detail = {message: {data: page.outerHTML}, waitUntil: (promise) => waits.push(promise)};
  document.dispatchEvent(new CustomEvent("htmx:ws:before:message:incoming", {detail}));
  await Promise.all(waits);
  return detail.cancelled;
}"""


@pytest.mark.parametrize(
    ("told", "decision", "is_old"), [(0, 0, False), (0, 1, False), (0, -1, True), (-1, 1, True), (-1, -1, True)]
)
def test_a_page_that_tells_or_asks_less_than_the_shown_one_is_old(browser, told, decision, is_old):
    """A page from the socket may come later than one that answered a post; not every decision tells something."""
    match = played(game("kings-court"), lambda match: match.decision(0) > 3 and 0 in match.to_act)
    page = opened(browser, environment().render_template("table.html", **table_page(match, 0)))
    assert page.evaluate(INCOMING, [told, decision]) is is_old
