"""The ribbon in real browsers: its numbers on the table, stepping through the news, and what ends it."""

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import environment
from quintain.server.pages.since import Back
from server.browsing import Person, Phone, Scriptless, opened
from server.guests import PATIENCE, wait_until
from server.samples import played, table_page
from server.test_looks import needs_chromium, needs_files
from server.test_since import put_first

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [needs_chromium, needs_files]
COUNTERS = {"house.0": "1", "house.1": "2"}
"""The houses of the first two counters of the second player, with the numbers of the news."""
NUMBERED = "Object.fromEntries([...document.querySelectorAll('#board [data-news]')].map((e) => [e.id, e.dataset.news]))"
RINGED = "[...document.querySelectorAll('[data-ringed]')].map((e) => e.id)"
PHONE = (375, 812)
BY_BO = "Bo put a counter on"


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
    playwright.expect(chips(ann.page)).to_have_text([f"1{BY_BO} Artois", f"2{BY_BO} Bellerophon"])
    assert ann.page.evaluate(NUMBERED).items() >= COUNTERS.items()
    ann.page.reload()
    playwright.expect(chips(ann.page)).to_have_count(2)
    assert ann.page.evaluate(NUMBERED).items() >= COUNTERS.items(), "a reload changes nothing"


def test_a_question_that_stands_is_not_taken_away_to_tell_what_others_do(sits):
    ann, bo, table = sits(counters=0)
    asked = []
    ann.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    for _ in range(2):
        put_first(bo, table)
    playwright.expect(chips(ann.page)).to_have_count(2)
    assert [each for each in asked if "since" in each] and not [each for each in asked if "steps" in each]


def test_an_answer_that_the_socket_overtakes_changes_nothing(sits):
    ann, _, _ = sits(counters=2)
    page, held = ann.page, []
    playwright.expect(chips(page)).to_have_count(2)
    asked = page.locator("#moves > [name=decision]").get_attribute("value")
    of_now = "fetch(location.pathname + '?since', {headers: {'HX-Request': 'true'}}).then((answer) => answer.text())"
    old = page.evaluate(of_now)

    def hold(route):
        held.append(route)

    page.route("**/moves", hold)
    ann.touch_answer()
    wait_until(lambda: page.wait_for_timeout(50) or held)
    held[0].fetch()
    ann.wait_for_news(asked)
    with page.expect_response("**/moves"):
        held[0].fulfill(status=200, content_type="text/html; charset=utf-8", body=old)
    page.locator("#table-body:not(.sending)").wait_for()
    assert page.locator("#moves > [name=decision]").get_attribute("value") != asked
    assert f'value="{asked}"' in old


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
    assert "counter.1.1" in page.evaluate(RINGED) and "counter.1.0" not in page.evaluate(RINGED)
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
    assert not chips(page).count(), "she has just decided"
    ann.answer()
    while not chips(page).count():
        seen = bo.view(table)
        if seen["menu"]:
            bo.move(table, seen["menu"][0]["action"], seen["table"]["decision"])
        elif page.locator("#table-body[data-turn=yes] #ribbon:not([data-asks])").count() and not chips(page).count():
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


def test_on_a_phone_the_ribbon_says_one_sentence_and_how_many_more(sits):
    ann, _, _ = sits(Phone)
    ann.page.set_viewport_size(dict(zip(("width", "height"), PHONE, strict=True)))
    playwright.expect(chips(ann.page)).to_have_text([f"1{BY_BO} Artois"])
    assert ann.words("#ribbon-beyond") == "+1"
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
    assert chips(page).count() == 2 and page.locator("[id='house.1'][data-news='2']").count()
    ann.touch(page.locator("#ribbon-replay"))
    assert ann.words(".ribbon-count") == "1 of 2" and page.locator("[id='counter.1.0'][data-ringed]").count()
    ann.touch(page.locator("#ribbon-on"))
    assert ann.words(".ribbon-count") == "2 of 2"
    ann.touch(page.locator("#ribbon-back"))
    ann.touch(page.locator("#ribbon-to-now"))
    assert chips(page).count() == 2 and page.locator("#moves button[name=action]").count()


def test_chips_show_whole_sentences_and_count_the_rest(browser):
    match = played(game("round-table"), lambda match: len(match.moments(0)) > 12, seats=4)
    back = Back(match, 0)
    page_of = table_page(match, 0) | {"since": back.context}
    page = opened(browser, back.marked(environment().render_template("table.html", **page_of)))
    for width in (1280, 800, 375):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        seen = [chip for chip in page.locator("#ribbon li").all() if not chip.evaluate("chip => chip.inert")]
        ribbon = page.locator("#ribbon .ribbon-news").bounding_box()
        for chip in seen:
            box = chip.bounding_box()
            assert box["x"] + box["width"] <= ribbon["x"] + ribbon["width"] + 1
        assert seen and page.locator("#ribbon-beyond").inner_text() == f"+{len(back.chips) - len(seen)}"
    page.close()
