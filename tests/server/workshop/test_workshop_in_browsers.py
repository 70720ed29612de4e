"""The workshop in Chromium: changes at once, keys, what people type meanwhile, and whether all is readable."""

import re

import pytest

from server.study.looking import LOOKS, PHONE, check
from server.test_looks import needs_chromium, needs_files
from server.workshop.test_workshop import begun, number_in, post_card, shown, text_of

pytestmark = [needs_chromium, needs_files]


@pytest.fixture
def knights(serving):
    """Ann, the address of a set of hers, and the number of a Knight in it."""
    ann = serving.guest("Ann")
    url = begun(ann)
    return ann, url, number_in(shown(ann, url), "Balin")


def field(page, at, key):
    return page.locator(f'[name="{at}.{key}"]')


def saved(page, number):
    """Wait until the page shows the set after so many changes."""
    page.wait_for_selector(f'#workshop[data-workshop="{number}"]')


def test_typing_changes_the_card_at_once_and_keys_take_back_and_save(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?card={at}")
    field(page, at, "influence").fill("4")
    saved(page, 1)
    assert page.locator(".ws-face .stats b").first.inner_text() == "4"
    assert page.evaluate("document.activeElement.name") == f"{at}.influence"
    assert "Influence 5 → 4" in page.locator(".is-draft").inner_text()
    page.keyboard.press("Control+z")
    saved(page, 2)
    assert field(page, at, "influence").input_value() == "5"
    page.locator(f'[value="more:{at}.influence"]').click()
    saved(page, 3)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("h1:has-text('version 2')")
    saved(page, 4)
    assert "influence = 6" in text_of(ann, url, "2")
    assert page.complaints == []


def test_a_wrong_field_is_marked_and_keeps_the_card_as_it_was(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?card={at}")
    field(page, at, "influence").fill("lots")
    page.wait_for_selector(f'[name="{at}.influence"][aria-invalid]')
    assert field(page, at, "influence").input_value() == "lots"
    assert page.locator(".ws-face .stats b").first.inner_text() == "5"
    assert page.locator(".headline .ws-unready").all_inner_texts() == [
        "Save as version 2\nBalin is wrong",
        "Play with the set\nBalin is wrong",
    ]
    page.keyboard.press("Control+Enter")
    assert page.complaints == []


def test_what_somebody_types_while_an_answer_comes_stays(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?card={at}")
    page.route(re.compile(r"/workshop/[^/]+\?"), lambda route: (page.wait_for_timeout(700), route.continue_()))
    name = field(page, at, "name")
    name.press("End")
    name.type("x")
    page.wait_for_timeout(500)
    name.type("yz", delay=100)
    page.wait_for_function("() => document.getElementById('workshop').dataset.workshop >= 2")
    assert name.input_value() == "Balinxyz"
    page.unroute_all(behavior="wait")
    page.wait_for_selector("h2:has-text('Balinxyz')")
    assert 'name = "Balinxyz"' in text_of(ann, url)


def test_a_list_holds_only_what_the_fields_before_it_allow(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?card={at}")
    page.locator("text=Add a row").click()
    page.wait_for_selector("text=Row 2")
    field(page, at, "rows.1.when").select_option("attacks")
    saved(page, 2)
    field(page, at, "rows.1.whom").select_option("opponents")
    saved(page, 3)
    options = field(page, at, "rows.1.what").locator("option").all_inner_texts()
    assert "discard" in options and "influence" not in options and "return" not in options
    field(page, at, "rows.1.what").select_option("discard")
    page.wait_for_selector(f'[name="{at}.rows.1.amount"]')
    page.get_by_label("Remove row 2").click()
    page.wait_for_selector("text=Row 2", state="detached")
    assert page.complaints == []


def test_alt_and_arrows_go_from_card_to_card(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?kind=knight&card={at}")
    before = page.locator("#ws-card").inner_text()
    page.keyboard.press("Alt+ArrowDown")
    page.wait_for_function("words => document.getElementById('ws-card').innerText !== words", arg=before)
    assert f"card={at + 1}" in page.url
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_function("words => document.getElementById('ws-card').innerText === words", arg=before)


def test_numbers_in_tables_change_at_once(visit, serving):
    ann = serving.guest("Ann")
    url = begun(ann, "heirless")
    page = visit(ann, url)
    page.locator('[name="0.Delay.2"]').fill("7")
    page.wait_for_selector(".ws-fault")
    assert page.locator('[name="0.Delay.2"][aria-invalid]').count() == 1
    page.locator('[name="0.Delay.2"]').fill("4")
    page.wait_for_selector(".ws-fault", state="detached")
    page.locator('[name="1.name"]').fill("Trick")
    page.wait_for_selector("text=is now Trick")
    assert page.complaints == []


def test_on_a_phone_tables_scroll_sideways_under_fixed_names(visit, serving):
    ann = serving.guest("Ann")
    page = visit(ann, begun(ann, "heirless"), PHONE)
    place = page.locator(".ws-scroll").nth(1)
    before = place.locator("tbody th").first.bounding_box()["x"]
    place.evaluate("each => each.scrollTo(300, 0)")
    assert place.evaluate("each => each.scrollLeft") > 0
    assert abs(place.locator("tbody th").first.bounding_box()["x"] - before) <= 1


def test_a_change_that_could_not_be_sent_is_sent_again(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?card={at}")
    page.context.set_offline(True)
    field(page, at, "rp").fill("2")
    page.wait_for_selector("text=Not saved: no connection")
    page.context.set_offline(False)
    saved(page, 1)
    assert "rp = 2" in text_of(ann, url)


def test_without_script_forms_and_links_do_the_same(visit, knights):
    ann, url, at = knights
    page = visit(ann, f"{url}?card={at}", java_script_enabled=False)
    field(page, at, "influence").fill("4")
    page.locator("text=Change the card").click()
    assert "was 5" in page.locator("main").inner_text()
    page.locator("text=Save as version 2").click()
    assert "version 2" in page.locator("h1").inner_text()
    field(page, at, "rp").fill("1")
    page.keyboard.press("Enter")
    page.locator("text=Take back").click()
    assert field(page, at, "rp").input_value() == "3"


@pytest.mark.long_for("size1-dark")  # the other look has the same pages
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_all_pages_are_readable(visit, knights, size, theme):
    ann, url, at = knights
    check(visit(ann, f"{url}?card={at}", size, theme), size[0])
    post_card(ann, url, at, influence="4", **{"rows.1": "on", "rows.1.when": "attacks"})
    check(visit(ann, f"{url}?card={at}", size, theme), size[0])
    check(visit(ann, f"{url}/compare", size, theme), size[0])
    check(visit(ann, "/cards/round-table/workshop", size, theme), size[0])
    check(visit(ann, begun(ann, "heirless"), size, theme), size[0])
