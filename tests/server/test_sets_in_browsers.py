"""Choosing a set of Robin on a server: by touch on a phone, by keyboard, and without script, in Chromium."""

import pytest

from server.browsing import CHROMIUM, Person
from server.guests import Serving, wait_until
from server.test_looks import needs_files
from server.test_sets import MODIFIERS, SET, choose, own_set, save

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium"), needs_files]
PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True}
ROUND = "[data-set-choice]"


@pytest.fixture
def sits(browser, tmp_path):
    """Return a function that opens the table of a guest in a browser, before the first round or after it."""
    came = []
    with Serving(tmp_path) as serving:

        def open_table(second=False, **settings):
            ann, bo = serving.guest("Ann"), serving.guest("Bo")
            table = ann.make("robin", "me", "open")
            bo.sit(table, 1)
            if second:
                play_a_round(ann, bo, table)
            person = Person(browser, serving.url, **{**PHONE, **settings})
            cookies = [{"name": name, "value": value, "url": serving.url} for name, value in ann.http.cookies.items()]
            person.context.add_cookies(cookies)
            came.append(person)
            return person, ann, bo, table

        yield open_table
        for person in came:
            person.context.close()
    assert not [fault for person in came for fault in person.complaints]


def play_a_round(ann, bo, table):
    """Play with dealt sets until both are asked for another one."""
    for guest in (ann, bo):
        choose(guest, table, way="rest")
    while ann.view(table)["view"]["phase"]["round"] < 2:
        for guest in (ann, bo):
            seen = guest.view(table)
            if seen["menu"] and seen["view"]["phase"]["round"] < 2:
                guest.move(table, seen["menu"][0]["action"], seen["table"]["decision"])


def opened(person, table):
    person.page.goto(f"{person.url}/tables/{table}")
    person.page.locator(ROUND).wait_for()
    return person.page


def is_ready(guest, table):
    asked = guest.view(table)["view"]["question"]
    return asked is None or asked["key"] != "set"


def test_a_dealt_set_takes_two_touches_on_a_phone(sits):
    person, ann, _, table = sits()
    page = opened(person, table)
    assert page.locator(".rh-card label").nth(5).bounding_box()["y"] < 660, "six characters are in sight"
    page.locator("[data-way=rest]").tap()
    assert page.locator("[data-set-lacks]").inner_text() == "the set is full"
    assert page.locator("input[data-set-name]:checked").count() == 15 and not is_ready(ann, table)
    page.locator("[data-way=chosen]").tap()
    wait_until(lambda: is_ready(ann, table))
    assert len(own_set(ann, table)) == 15
    page.locator(ROUND).wait_for(state="detached")


def test_the_last_set_takes_two_touches_and_is_kept(sits):
    person, ann, bo, table = sits(second=True)
    last, page = own_set(ann, table), opened(person, table)
    page.locator("[data-way=keep]").tap()
    page.locator("[data-way=chosen]").tap()
    wait_until(lambda: is_ready(ann, table))
    assert own_set(ann, table) == last
    assert "keeps" in " ".join(line["words"] for line in bo.view(table)["log"])


def test_a_saved_set_takes_two_touches(sits):
    person, ann, bo, table = sits()
    save(ann, table)
    page = opened(person, table)
    page.locator("[data-set-names]").tap()
    page.locator("[data-way=chosen]").tap()
    wait_until(lambda: is_ready(ann, table))
    assert own_set(ann, table) == sorted(SET)
    assert "keeps" not in " ".join(line["words"] for line in bo.view(table)["log"])


def test_cards_are_put_back_and_exchanged_and_a_full_set_is_saved(sits):
    person, ann, _, table = sits()
    page = opened(person, table)
    for name in SET:
        page.locator(f'label:has-text("{name}")').first.tap()
    assert page.locator("[data-set-lacks]").inner_text() == "the set is full"
    page.locator(f'label:has-text("{MODIFIERS[5]}")').first.tap()
    assert "Instead of whom? Touch one of the 3 modifiers." in page.locator("#help").inner_text()
    page.locator(f'label:has-text("{SET[-1]}")').first.tap()
    page.locator(f'label:has-text("{SET[0]}")').first.tap()
    assert page.locator("[data-set-lacks]").inner_text() == "1 character missing (RH-4)"
    page.locator("[data-way=chosen]").tap(force=True)
    assert "Not yet: 1 character missing." in page.locator("#help").inner_text() and not is_ready(ann, table)
    page.reload()
    assert page.locator("input[data-set-name]:checked").count() == 14, "what is chosen outlasts a reload"
    page.locator("[data-way=rest]").tap()
    page.locator("#set-title").fill("Greenwood")
    page.locator("[data-set-save]").tap()
    playwright.expect(page.locator(".saved-sets b")).to_have_text("Greenwood")
    assert page.locator("input[data-set-name]:checked").count() == 15
    (saved,) = ann.get(f"/tables/{table}/sets").json()["sets"]
    assert len(saved["cards"]) == 15 and {MODIFIERS[5], *SET[1:-1]} <= set(saved["cards"]), saved["cards"]


def test_the_keyboard_searches_takes_and_is_ready(sits):
    person, ann, _, table = sits(second=True, viewport={"width": 1280, "height": 800}, has_touch=False)
    page = opened(person, table)
    page.keyboard.press("/")
    page.keyboard.type("lady clare")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("input[data-set-name]:checked").evaluate_all("all => all.map((each) => each.value)") == [
        "Lady Clare"
    ]
    page.keyboard.press("r")
    assert not is_ready(ann, table)
    page.keyboard.press("k")
    page.keyboard.press("r")
    wait_until(lambda: is_ready(ann, table))


def test_the_choice_outlasts_what_the_rival_does(sits):
    person, _, bo, table = sits()
    page = opened(person, table)
    for name in SET[:3]:
        page.locator(f'label:has-text("{name}")').first.tap()
    choose(bo, table, way="rest")
    playwright.expect(page.locator("#seats")).not_to_contain_text("choosing choosing")
    page.wait_for_timeout(500)
    assert page.locator("input[data-set-name]:checked").count() == 3
    assert page.locator("[data-set-lacks]").inner_text() == "9 characters, 3 modifiers missing (RH-4)"


def test_without_script_boxes_are_ticked_and_a_saved_set_is_taken(sits):
    person, ann, _, table = sits(java_script_enabled=False)
    save(ann, table)
    page = person.page
    page.goto(f"{person.url}/tables/{table}")
    page.locator(f'label:has-text("{SET[0]}")').first.tap()
    page.locator("[data-way=chosen]").tap()
    playwright.expect(page.locator("#notice")).to_contain_text("choose 11 characters and 3 modifiers more (RH-4)")
    person.complaints.clear()
    page.goto(f"{person.url}/tables/{table}/sets")
    page.locator("button:has-text('Take')").tap()
    wait_until(lambda: is_ready(ann, table))
    assert own_set(ann, table) == sorted(SET)
