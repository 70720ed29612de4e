"""The ribbon in real browsers: its numbers on the table, stepping through the news, and what ends it."""

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import environment
from quintain.server.pages.since import Back
from server.browsing import Person, Phone, Scriptless, opened
from server.guests import PATIENCE
from server.samples import asked_in, played, table_page
from server.test_looks import needs_chromium, needs_files
from server.test_since import put_first

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [needs_chromium, needs_files]
COUNTERS = {"counter.1.0": "1", "counter.1.1": "2"}
"""The places of the first two counters of the second player, with the numbers of the news."""
NUMBERED = "Object.fromEntries([...document.querySelectorAll('#board [data-news]')].map((e) => [e.id, e.dataset.news]))"
RINGED = """
[...document.querySelectorAll("[data-news]")]
  .filter((e) => getComputedStyle(e).outlineStyle === "dashed").map((e) => e.id)
"""
PHONE = (375, 812)
BY_BO = "Bo puts a counter on"


@pytest.fixture
def sits(browser, serving):
    """Return a function that lets Ann come with a browser, and Bo without one: her page, Bo and their table.

    Ann has put one counter, and Bo as many as the test wants.
    """
    playwright.expect.set_options(timeout=1000 * PATIENCE)
    people = []

    def sit(kind=Person, counters=2):
        ann, bo = kind(browser, serving.url), serving.guest("Bo")
        people.append(ann)
        table = ann.make_table("kings-court", "Ann").rpartition("/")[2]
        bo.sit(table, 1)
        ann.page.locator("#table-body[data-turn=yes]").wait_for() if kind is not Scriptless else ann.reload()
        asked = str(ann.page.locator("#moves > [name=decision]").get_attribute("value"))
        ann.touch(ann.page.locator("#moves button[name=action]:visible").first)
        if kind is not Scriptless:
            ann.wait_for_news(asked)
        for _ in range(counters):
            put_first(bo, table)
        return ann, bo, table

    yield sit
    for person in people:
        person.context.close()
    assert not [fault for person in people for fault in person.complaints]


def chips(page):
    return page.locator("#ribbon .ribbon-news li:visible")


def test_chips_appear_with_the_question_and_their_numbers_stand_on_the_table(sits):
    ann, _, _ = sits()
    playwright.expect(chips(ann.page)).to_have_text([f"1{BY_BO} Artois.", f"2{BY_BO} Bellerophon."])
    assert ann.page.evaluate(NUMBERED).items() >= COUNTERS.items()
    ann.page.reload()
    playwright.expect(chips(ann.page)).to_have_count(2)
    assert ann.page.evaluate(NUMBERED).items() >= COUNTERS.items(), "a reload changes nothing"


def test_pointing_at_a_chip_rings_its_places_alone(sits):
    ann, _, _ = sits()
    playwright.expect(chips(ann.page)).to_have_count(2)
    assert {*COUNTERS} <= {*ann.page.evaluate(RINGED)}
    for act in ("hover", "focus"):
        getattr(chips(ann.page).nth(1).locator("a"), act)()
        ringed = ann.page.evaluate(RINGED)
        assert "counter.1.1" in ringed and "counter.1.0" not in ringed
        ann.page.mouse.move(5, 5)
        ann.page.locator("#question").focus()


def test_replay_steps_through_the_news_while_the_question_waits(sits):
    ann, bo, table = sits(counters=3)
    page, lines = ann.page, ann.page.locator("#log li:not(.heading)")
    playwright.expect(chips(page)).to_have_count(3)
    count, question = lines.count(), ann.words("#question")
    page.locator("#ribbon-replay").click()
    playwright.expect(page.locator(".ribbon-count")).to_have_text("1 of 3")
    playwright.expect(lines).to_have_count(count - 2)
    assert ann.words("#question") == question and "This waits" in ann.words("#help")
    assert not page.locator("#moves button[name=action]").count()
    page.locator("#ribbon-on").click()
    playwright.expect(page.locator(".ribbon-count")).to_have_text("2 of 3")
    assert page.evaluate(NUMBERED)["counter.1.1"] == "2" and "counter.1.0" not in page.evaluate(NUMBERED)
    page.locator("#ribbon-back").click()
    playwright.expect(page.locator(".ribbon-count")).to_have_text("1 of 3")
    put_first(bo, table)
    page.wait_for_timeout(500)
    assert page.locator(".ribbon-count").inner_text() == "1 of 3", "what others do does not end it"
    page.locator("#ribbon-to-now").click()
    playwright.expect(chips(page)).to_have_count(4)
    playwright.expect(lines).to_have_count(count + 1)
    assert page.locator("#moves button[name=action]").count()


def test_the_key_r_goes_step_by_step_and_back_to_now(sits):
    ann, _, _ = sits()
    playwright.expect(chips(ann.page)).to_have_count(2)
    for place in ("1 of 2", "2 of 2"):
        ann.page.keyboard.press("r")
        playwright.expect(ann.page.locator(".ribbon-count")).to_have_text(place)
    ann.page.keyboard.press("r")
    playwright.expect(chips(ann.page)).to_have_count(2)


def test_the_page_asks_again_for_its_news_if_the_server_had_too_much_to_do(sits):
    ann, bo, table = sits(counters=0)
    refused = []

    def answer(route):
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(status=429, body="wait a moment")
        else:
            route.continue_()

    ann.page.route("**/*?since", answer)
    for _ in range(2):
        put_first(bo, table)
    playwright.expect(chips(ann.page)).to_have_count(2)
    assert len(refused) == 2
    ann.complaints[:] = [fault for fault in ann.complaints if "429" not in fault]


def test_a_new_decision_ends_the_replay_and_a_decision_takes_the_ribbon_away(sits):
    ann, bo, table = sits(counters=6)
    for _ in range(4):
        ann.answer()
    page = ann.page
    playwright.expect(page.locator("#question")).to_contain_text("Febrois")
    assert not page.locator("#ribbon").count(), "she has just decided"
    ann.answer()
    while not page.locator("#table-body[data-turn=yes] #ribbon").count():
        seen = bo.view(table)
        if seen["menu"]:
            bo.move(table, seen["menu"][0]["action"], seen["table"]["decision"])
        elif page.locator("#table-body[data-turn=yes]").count():
            ann.answer()
        page.wait_for_timeout(200)
    playwright.expect(chips(page).first).to_be_visible()
    before = page.locator("#moves > [name=decision]").get_attribute("value")
    page.locator("#ribbon-replay").click()
    page.locator("#table-body[data-step]").wait_for()
    other = ann.new_tab()
    other.goto(page.url)
    other.locator("#table-body[data-turn=yes]").wait_for()
    first, ann.page = page, other
    ann.answer()
    first.locator(f"#moves > [name=decision]:not([value='{before}'])").wait_for(state="attached")
    assert not first.locator("#table-body[data-step]").count()


def test_on_a_phone_the_ribbon_says_how_many_and_the_last(sits):
    ann, _, _ = sits(Phone)
    ann.page.set_viewport_size(dict(zip(("width", "height"), PHONE, strict=True)))
    playwright.expect(chips(ann.page)).to_have_text([f"2{BY_BO} Bellerophon."])
    assert ann.words(".ribbon-many") == "2 new"
    ann.page.locator("#ribbon-replay").tap()
    playwright.expect(ann.page.locator(".ribbon-count")).to_have_text("1 of 2")
    for link in ("#ribbon-on", "#ribbon-to-now"):
        box = ann.page.locator(link).bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44
    ann.page.locator("#ribbon-to-now").tap()
    playwright.expect(chips(ann.page)).to_have_count(1)


def test_news_that_comes_while_the_page_is_hidden_or_away_is_all_there(sits):
    ann, bo, table = sits(counters=1)
    playwright.expect(chips(ann.page)).to_have_count(1)
    address = ann.page.url
    ann.page.goto("about:blank")
    for _ in range(3):
        put_first(bo, table)
    ann.page.goto(address)
    playwright.expect(chips(ann.page)).to_have_count(4)


def test_without_script_links_show_the_same(sits):
    ann, _, _ = sits(Scriptless)
    ann.reload()
    page = ann.page
    ann.touch(page.locator("#ribbon .ribbon-news a"))
    assert chips(page).count() == 2 and page.locator("[id='counter.1.1'][data-news='2']").count()
    ann.touch(page.locator("#ribbon-replay"))
    assert ann.words(".ribbon-count") == "1 of 2" and page.locator("[id='counter.1.0'][data-news='1']").count()
    ann.touch(page.locator("#ribbon-on"))
    assert ann.words(".ribbon-count") == "2 of 2"
    ann.touch(page.locator("#ribbon-back"))
    ann.touch(page.locator("#ribbon-to-now"))
    assert chips(page).count() == 2 and page.locator("#moves button[name=action]").count()


@pytest.mark.parametrize(
    ("size", "is_shown"), [((1280, 800), True), (PHONE, True), ((1366, 660), False), ((360, 640), False)]
)
def test_where_there_is_little_height_the_ribbon_joins_the_question(browser, size, is_shown):
    match = played(game("kings-court"), asked_in("play", 8))
    back = Back(match, 0)
    html = back.marked(environment().render_template("table.html", **table_page(match, 0)))
    page = opened(browser, html, *size, touch=size[0] < 500)
    assert back.moments and page.locator("#ribbon").is_visible() == is_shown
    assert page.locator("#dock .news-line").is_visible() != is_shown
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.close()
