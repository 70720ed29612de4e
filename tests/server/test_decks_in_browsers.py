"""The builder of decks in Chromium: by touches from nothing to a legal deck, by keys, without script, and readable."""

import pytest

from server.study.looking import DESK, LOOKS, PHONE, check
from server.test_decks import DECKS, LEGAL, begin
from server.test_looks import needs_chromium, needs_files
from server.test_sets import begin as begin_set

pytestmark = [needs_chromium, needs_files]


def test_forty_main_cards_from_nothing_in_at_most_sixty_touches(visit, serving):
    ann, touches = serving.guest("Ann"), 0
    page = visit(ann, DECKS, PHONE, has_touch=True)

    def tap(selector):
        nonlocal touches
        page.locator(selector).first.tap()
        touches += 1

    tap("button:has-text('begin with nothing')")
    page.wait_for_selector("[data-deck-page]")
    tap(".chip:has-text('Knights')")
    page.wait_for_selector(".chip[aria-current]:has-text('Knights')")
    for card, copies in (("knight_errant", 20), ("knight_bachelor", 20)):
        for _ in range(copies):
            tap(f"#more-{card}")
    page.wait_for_selector("#at-knight_bachelor .deck-steps b:text-is('20')")
    assert touches <= 60
    path = page.url.removeprefix(serving.url).partition("?")[0]
    assert ann.get(path).json()["sections"]["Main"] == {"Knight Errant": 20, "Knight Bachelor": 20}
    assert page.locator("#saved").inner_text() == "saved just now"
    assert page.complaints == []


def test_the_keys_search_change_draw_and_take_back(visit, serving):
    ann = serving.guest("Ann")
    path = begin(ann, ready="hedge-host")
    page = visit(ann, f"{path}?kind=Knights", DESK)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.type("errant")
    page.wait_for_selector(".shelf-foot:has-text('1 of 1 shown')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "at-knight_errant"
    page.keyboard.press("+")
    page.wait_for_selector(".deck-steps b:text-is('5')")
    assert page.evaluate("document.activeElement.id") == "at-knight_errant"
    page.keyboard.press("z")
    page.wait_for_selector(".deck-steps b:text-is('4')")
    page.keyboard.press("-")
    page.wait_for_selector(".deck-steps b:text-is('3')")
    first = page.locator(".first-hand").inner_text()
    page.keyboard.press("d")
    page.wait_for_function("first => document.querySelector('.first-hand').innerText !== first", arg=first)
    assert page.complaints == []


def test_a_touch_on_a_pale_plus_says_the_clause(visit, serving):
    ann = serving.guest("Ann")
    page = visit(ann, f"{begin(ann, ready='hedge-host')}?search=Kay&kind=Knights", PHONE, has_touch=True)
    page.locator("#more-kay.pale").tap()
    page.wait_for_selector("#deck-said:has-text('at most one copy of a named Knight')")
    assert page.locator("#deck-said a").get_attribute("href") == "/rules/round-table#RT-2"
    assert [each for each in page.complaints if "422" not in str(each)] == []


@pytest.mark.parametrize("script", [True, False])
def test_the_number_of_a_card_is_changed_in_the_list(visit, serving, script):
    ann = serving.guest("Ann")
    path = begin(ann, ready="hedge-host")
    page = visit(ann, f"{path}?search=Arthur", PHONE, has_touch=True, java_script_enabled=script)
    before = ann.get(path).json()["sections"]["Main"]["Knight Errant"]
    assert not page.locator("#row-more-knight_errant").is_visible()
    page.locator("#row-knight_errant summary").tap()
    assert page.locator("#row-knight_errant summary").bounding_box()["height"] >= 44
    page.locator("#row-more-knight_errant").tap()
    page.wait_for_selector(f"#row-knight_errant summary:has-text('{before + 1}')")
    if script:
        page.locator("#row-less-knight_errant").tap()
        page.wait_for_selector(f"#row-knight_errant summary:has-text('{before}')")
        assert page.locator("#row-less-knight_errant").is_visible(), "the row stays open"
    assert "search=Arthur" in page.url, "the filters stay"
    assert ann.get(path).json()["sections"]["Main"]["Knight Errant"] == before + (not script)
    assert page.complaints == []


def test_minus_is_pale_where_no_copy_is_left(visit, serving):
    ann = serving.guest("Ann")
    page = visit(ann, f"{begin(ann)}?kind=Knights", DESK)
    looks = "each => [getComputedStyle(each).borderStyle, Number(getComputedStyle(each).opacity) < 1]"
    assert page.locator("#less-knight_errant").evaluate(looks) == ["dashed", True]
    assert page.locator("#more-knight_errant").evaluate(looks) == ["solid", False]


def test_all_laws_that_a_deck_breaks_are_named(visit, serving):
    ann = serving.guest("Ann")
    path = begin(ann, ready="wandering-table")
    farms = ann.get(path).json()["sections"]["Demesne"]["Farm"]
    ann.post(f"{path}/touch", less="Farm", times=farms)
    page = visit(ann, path, DESK)
    both = "3 cards short together, no Farm among the Demesnes"
    assert page.locator(".headline .unready small").inner_text() == both
    assert f"Not legal yet: {both}" in page.locator(".legal").inner_text()
    assert page.locator(".laws .is-broken").all_inner_texts()[1].split("\n")[-2:] == [
        "a Farm among the Demesnes",
        "RT-1",
    ]


@pytest.mark.parametrize("what", ["Deck", "Set"])
def test_the_bar_of_a_phone_leads_to_the_panel_below_it(visit, serving, what):
    ann = serving.guest("Ann")
    path = begin(ann, ready="hedge-host") if what == "Deck" else begin_set(ann, title="Greenwood", text="Robin Hood")
    page = visit(ann, path, PHONE, has_touch=True)
    page.locator(f".deck-bar a:text-is('{what}')").tap()
    page.wait_for_function("scrollY > 500")
    page.wait_for_timeout(300)
    bar, panel = page.locator(".deck-bar").bounding_box(), page.locator("#deck .panel").first.bounding_box()
    assert bar["y"] == 0 and bar["height"] <= panel["y"] <= 120


def test_what_cannot_be_sent_waits_and_is_sent_later(visit, serving):
    ann = serving.guest("Ann")
    path = begin(ann)
    page = visit(ann, f"{path}?kind=Knights", DESK)
    page.context.set_offline(True)
    page.locator("#more-knight_errant").click()
    page.wait_for_selector("#saved:has-text('Not saved: no connection. 1 change waits here')")
    page.locator("#more-knight_errant").click()
    page.context.set_offline(False)
    page.wait_for_selector("#at-knight_errant .deck-steps b:text-is('2')", timeout=20_000)
    assert ann.get(path).json()["sections"]["Main"] == {"Knight Errant": 2}


def test_the_builder_works_in_a_browser_without_script(visit, serving):
    ann = serving.guest("Ann")
    page = visit(ann, DECKS, DESK, java_script_enabled=False)
    page.locator("button:has-text('begin with nothing')").click()
    page.locator(".chip:has-text('Knights')").click()
    page.locator("#more-knight_errant").click()
    assert page.locator("#at-knight_errant .deck-steps b").inner_text() == "1"
    page.locator("#deck-text").fill(LEGAL)
    page.locator("text=Take the text in").click()
    assert "Legal: 40 Main" in page.locator(".legal").inner_text()
    page.locator("text=Play with it").click()
    assert page.locator("select[name='option.decks.0'] option:checked").inner_text() == "My deck"


@pytest.mark.long_for("size1-dark")
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_pages_of_decks_are_readable(visit, serving, size, theme):
    ann = serving.guest("Ann")
    path = begin(ann, ready="wandering-table")
    empty = begin(ann)
    for each in (DECKS, path, f"{path}?kind=Titles&search=knight", empty):
        check(visit(ann, each, size, theme), size[0])
    page = visit(ann, path, size, theme)
    page.goto(page.locator("text=See it").get_attribute("href"))
    check(page, size[0])
    page = visit(ann, path, size, theme)
    page.locator("#deck-text").fill("Main\n1 Knigt Errant")
    page.locator("text=Take the text in").click()
    page.wait_for_selector("#deck-wrong")
    page.complaints.clear()
    check(page, size[0])
