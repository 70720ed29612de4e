"""The frame around every board, in Chromium: the order of the keyboard, seats in full, and news in the log."""

import re

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import STATIC, environment
from server.browsing import opened
from server.samples import ANSWERED, asked_in, hint_for, is_answering, played, table_page
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]
PHONE = (375, 812)


@pytest.fixture(scope="module")
def match():
    """King's Court, whose first player is asked for a card to play."""
    return played(game("kings-court"), asked_in("play"))


def page_of(match):
    """Return the page of the player who is asked."""
    (viewer,) = match.to_act
    return environment().render_template("table.html", **table_page(match, viewer))


@pytest.fixture
def show(browser, match):
    """Return a function that opens the page in a window of a size."""
    return lambda size=(1280, 800): opened(browser, page_of(match), *size, touch=size == PHONE)


def test_tab_goes_from_the_hand_over_the_board_and_the_seats_to_the_log(browser):
    page, regions = opened(browser, page_of(played(game("kings-court"), asked_in("switch")))), []
    page.locator("#question").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        region = page.evaluate("document.activeElement.closest('.hand, #board, #seats, #log, #rail')?.id")
        if region and (not regions or regions[-1] != region):
            regions.append(region)
        if region == "log":
            break
    hand, *others = [region for region in regions if region != "rail"]
    assert hand.startswith("zone.hand.") and others == ["board", "seats", "log"]
    page.close()


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_a_touch_of_a_seat_opens_what_its_score_is_made_of(show, match, size):
    page = show(size)
    page.locator("[id='seat.1'] .score").click()
    page.locator("#inspector .look").wait_for()
    words = page.locator("#inspector .look").inner_text()
    (viewer,) = match.to_act
    for part in match.view(viewer).scores[1].parts:
        assert f"{part.words}\n{part.number}" in words.replace("\n\n", "\n")
    assert page.locator("#inspector h3").inner_text() == page.locator("[id='seat.1']").get_attribute("title")
    assert not page.complaints
    page.close()


def test_without_script_the_address_of_a_seat_shows_it_in_full(browser, match):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    html = environment().render_template("table.html", **table_page(match, 0))

    def answer(route):
        path = route.request.url.partition("?")[0].removeprefix("http://quintain.test")
        route.fulfill(path=STATIC / path.removeprefix("/static/")) if path.startswith("/static/") else route.fulfill(
            body=html, content_type="text/html; charset=utf-8"
        )

    page.route("**/*", answer)
    page.goto("http://quintain.test/tables/k7f3")
    look = page.locator("[id='look.seat.1']")
    assert not look.is_visible()
    page.locator("[id='seat.1'] .score").click()
    assert look.is_visible() and not page.locator("[id='look.seat.0']").is_visible()
    context.close()


def test_whoever_reads_back_in_the_log_is_told_how_many_lines_are_new(show):
    page = show()
    line = (
        "document.querySelector('#log ol').append(Object.assign(document.createElement('li'), {textContent: 'News.'}))"
    )
    swap = "document.dispatchEvent(new CustomEvent('htmx:after:swap'))"
    page.evaluate("for (let i = 0; i < 60; i++) " + line)
    page.evaluate(swap)
    assert not page.locator("#log-news").is_visible(), "the end is in sight"
    page.evaluate("document.getElementById('log').scrollTop = -300")
    page.wait_for_timeout(100)
    page.evaluate(f"{line}; {line}")
    page.evaluate(swap)
    assert page.locator("#log-news").inner_text() == "2 new below"
    page.locator("#log-news").click()
    page.locator("#log-news").wait_for(state="hidden")
    assert page.evaluate("document.getElementById('log').scrollTop") == 0
    page.close()


def test_a_long_press_shows_the_card_and_nothing_else_happens(browser):
    html = environment().render_template("table.html", **table_page(played(game("robin"), is_answering, ANSWERED), 0))
    page = opened(browser, html, *PHONE, touch=True)
    card = page.locator(".hand .piece").nth(1)
    box = card.bounding_box()
    finger = {"x": box["x"] + 20, "y": box["y"] + 20}
    device = page.context.new_cdp_session(page)
    device.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    page.locator("#rail.open").wait_for()
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(200)
    name = page.locator(f"[id='look.{card.get_attribute('id')}'] h3").text_content()
    assert page.locator("#inspector h3").text_content() == name
    assert page.locator("#rail.open").count(), "the touch that ends it does not close the sheet"
    page.close()


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_a_hint_moves_nothing(browser, match, size):
    (viewer,) = match.to_act
    places = []
    for hint in ((), hint_for(match, viewer)):
        context = table_page(match, viewer, hint=hint)
        page = opened(browser, environment().render_template("table.html", **context), *size)
        places.append(
            page.evaluate(
                "[...document.querySelectorAll('#board .piece, .hand .piece')].map(e => e.getBoundingClientRect().y)"
            )
        )
        page.close()
    assert places[0] == places[1] and len(places[0]) > 10


def test_a_hint_marks_each_piece_with_its_share_and_the_best_with_a_star(match):
    (viewer,) = match.to_act
    hint = hint_for(match, viewer)
    page = environment().render_template("table.html", **table_page(match, viewer, hint=hint))
    board = page.partition('<section class="hand')[2]
    badges = re.findall(r'<span class="advice([a-z ]*)" title="([^"]*)">', board)
    assert badges == [
        (" best", "wins 61 % of 400 tries, so 56 to 66 %"),
        ("", "wins 58 % of 400 tries, so 53 to 63 %"),
        ("", "wins 55 % of 400 tries, so 50 to 60 %"),
    ]
    assert f"Hint: {hint[0].words}, wins 61 %" in page


def test_the_page_says_at_once_that_the_search_thinks(browser, match):
    (viewer,) = match.to_act
    page = opened(browser, environment().render_template("table.html", **table_page(match, viewer)))
    said = page.evaluate("""() => {
      document.querySelector(".tool[form=hint]").click();
      return [document.getElementById("help").textContent, document.querySelector(".tool[form=hint]").ariaBusy];
    }""")
    assert said == ["The search tries your moves, which takes one to three seconds.", "true"]
    page.close()


def test_the_menu_closes_after_resigning(browser, match):
    (viewer,) = match.to_act
    page = opened(browser, environment().render_template("table.html", **table_page(match, viewer)))
    page.locator("#menu > summary").click()
    page.locator("#menu .resign > summary").click()
    is_open = page.evaluate("""() => {
      document.querySelector("button[form=resign]").click();
      return document.getElementById("menu").open;
    }""")
    assert not is_open
    page.close()


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_a_hint_lists_its_moves_with_bounds_and_reasons_and_folds_on_a_phone(browser, match, size):
    (viewer,) = match.to_act
    context = table_page(match, viewer, hint=hint_for(match, viewer))
    page = opened(browser, environment().render_template("table.html", **context), *size)
    (shown,) = [each for each in page.locator(".hints").all() if each.is_visible()]
    assert shown.locator("li").count() == 3 and "56\N{EN DASH}66 %" in shown.inner_text()
    assert shown.locator(".hint-move span").count(), "a preview gives the reason"
    assert page.locator(".piece > .advice").count() == 3
    if size == PHONE:
        for touched in (shown.locator("summary"), shown.locator("li").nth(1), page.locator("#seats")):
            assert shown.locator("ol").is_visible()
            touched.click()
            assert not shown.locator("ol").is_visible()
            shown.locator("summary").click()
    page.close()


def test_with_script_badges_and_pills_follow_the_choice(browser):
    match = played(game("heirless"), asked_in("send", 1))
    viewer = min(match.to_act)
    context = table_page(match, viewer, hint=hint_for(match, viewer))
    page = opened(browser, environment().render_template("table.html", **context))
    shown = "[...document.querySelectorAll('.piece > .advice')].map(e => e.parentElement.id)"
    before = page.evaluate(shown)
    assert before
    page.locator("#board").click(position={"x": 3, "y": 3})
    assert page.evaluate(shown) == before
    page.close()


def test_a_pill_says_what_a_card_would_do(browser, match):
    (viewer,) = match.to_act
    page = opened(browser, environment().render_template("table.html", **table_page(match, viewer)))
    card = page.locator(".hand .piece:has(> .preview.is-good)").first
    short, id_ = card.locator(".preview").text_content(), card.get_attribute("id")
    assert short.startswith("+") and "\N{RIGHTWARDS ARROW}" in card.get_attribute("aria-description")
    page.close()
    chosen = opened(browser, environment().render_template("table.html", **table_page(match, viewer, chosen=id_)))
    assert "\N{RIGHTWARDS ARROW}" in chosen.locator("#picked > p").text_content(), "the dock says the whole reckoning"
    assert chosen.locator("#acts .group:not([hidden]) .act .preview").first.text_content() == short
    chosen.close()
