"""The games that bots play with a set or a deck, in Chromium: they begin by themselves, grow in sight, and are read."""

import time

import pytest

from quintain.server.workshop import trials
from server.study.looking import LOOKS, PHONE, check
from server.test_decks import begin
from server.test_looks import needs_chromium, needs_files
from server.workshop.test_trials import SLOW, change, found, numbers, over, played, run
from server.workshop.test_workshop import begun, number_in, shown

pytestmark = [needs_chromium, needs_files]


@pytest.fixture
def robin(serving):
    """Ann, the address of a set of Robin in the Hood of hers, and the number of a card in it."""
    ann = serving.guest("Ann")
    url = begun(ann, "robin")
    return ann, url, number_in(shown(ann, url), "Robin Hood")


def state(page, *names):
    """Wait until the panel is in one of these states."""
    # A run ends after the game that is being played, which takes long on a busy machine.
    page.wait_for_selector(", ".join(f'#balance[data-state="{name}"]' for name in names), timeout=120_000)


def test_a_changed_number_brings_an_interval_and_then_the_verdict(visit, robin):
    ann, url, at = robin
    page = visit(ann, f"{url}?card={at}")
    state(page, "empty")
    seen = time.monotonic()
    page.locator(f'[name="{at}.levels.0"]').fill("5")
    page.wait_for_selector("#balance .bal-verdict")
    assert time.monotonic() - seen >= 2
    assert page.evaluate("document.activeElement.name") == f"{at}.levels.0"
    state(page, "finished")
    words = page.locator(".bal-verdict p").first.inner_text()
    assert words.startswith("Robin Hood, ") and " of games in which it is drawn" in words
    assert "On equal deals the change is +" in page.locator(".bal-verdict").inner_text()
    assert page.locator(".bal-lines .line-now").get_attribute("points").count(",") >= 2
    assert page.locator(f"#share-{at} b").inner_text().isdigit()
    page.wait_for_function("words => document.getElementById('bal-heard').textContent === words", arg=words)
    assert page.complaints == []


def test_the_key_b_reads_the_verdict(visit, robin):
    ann, url, at = robin
    run(ann, url)
    over(ann, url)
    page = visit(ann, f"{url}?card={at}")
    assert page.locator("#bal-heard").text_content() == ""
    page.keyboard.press("b")
    page.wait_for_function("() => document.getElementById('bal-heard').textContent.includes('off balance')")
    page.locator(f'[name="{at}.name"]').press("b")
    assert "b" in page.locator(f'[name="{at}.name"]').input_value()


def test_stop_and_go_on_keep_the_page(visit, serving):
    ann = serving.guest("Ann")
    url = numbers(ann)
    page = visit(ann, url)
    page.locator("#bal-level").select_option("squire")
    state(page, "working")
    page.wait_for_selector("#balance .bal-verdict")
    page.locator("#bal-stop").click()
    state(page, "stopped")
    games = found(ann, url)["games"]
    assert games and f"{games} of 400, stopped" in page.locator(".bal-run").inner_text()
    page.locator("#bal-run").click()
    state(page, "working")
    ann.submit(f"{url}/balance/stop")
    state(page, "stopped")
    assert page.complaints == []


def test_a_new_change_ends_the_games_and_begins_others(visit, serving):
    ann = serving.guest("Ann")
    url = numbers(ann)
    run(ann, url, **SLOW)
    played(ann, url)
    page = visit(ann, url)
    state(page, "working")
    thrust = page.locator(".ws-numbers tr:has([value='Thrust']) input").nth(1)
    thrust.fill("7")
    state(page, "empty")
    state(page, "working")
    thrust.fill("many")
    state(page, "refused")
    assert "Something is wrong" in page.locator("#balance").inner_text()
    assert page.complaints == []


def test_what_is_refused_stands_in_the_panel(visit, serving, monkeypatch):
    monkeypatch.setattr(trials, "A_DAY", 0)
    ann = serving.guest("Ann")
    page = visit(ann, numbers(ann))
    page.locator("#bal-run").click()
    page.wait_for_selector("#balance [role=alert]:has-text('Bots play 0 games a day for you')")


def test_on_a_phone_a_bar_keeps_the_verdict_in_sight(visit, robin):
    ann, url, at = robin
    run(ann, url)
    over(ann, url)
    page = visit(ann, f"{url}?card={at}", PHONE)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert abs(page.locator("#bal-top").bounding_box()["y"]) <= 1
    page.locator("#bal-top a").click()
    assert page.locator("#bal-head").is_visible()


def test_bots_play_with_a_deck_in_sight(visit, serving):
    ann = serving.guest("Ann")
    page = visit(ann, begin(ann, ready="hedge-host"))
    page.locator("text=Let bots play 200 games with it").click()
    state(page, "finished")
    assert "of its games" in page.locator("#balance .bal-verdict").inner_text()
    assert page.locator("#balance .bal-figures").count() == 2
    assert page.complaints == []


def test_without_script_the_same_buttons_load_the_page(visit, serving):
    ann = serving.guest("Ann")
    url = numbers(ann)
    page = visit(ann, url, java_script_enabled=False)
    page.locator("#bal-run").click()
    assert page.url.endswith("#balance")
    over(ann, url)
    page.reload()
    assert "Thrust, " in page.locator(".bal-verdict").inner_text()


@pytest.mark.long_for("size1-dark")
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_all_states_are_readable(visit, serving, size, theme):
    ann = serving.guest("Ann")
    url = numbers(ann)
    run(ann, url, **SLOW)
    played(ann, url)
    check(visit(ann, url, size, theme), size[0])
    ann.submit(f"{url}/balance/stop")
    check(visit(ann, url, size, theme), size[0])
    run(ann, url)
    over(ann, url)
    check(visit(ann, url, size, theme), size[0])
    change(ann, url, "many")
    check(visit(ann, url, size, theme), size[0])
    deck = begin(ann, ready="hedge-host")
    run(ann, deck)
    over(ann, deck)
    check(visit(ann, deck, size, theme), size[0])


def test_stop_stays_under_a_slow_touch(visit, serving):
    ann = serving.guest("Ann")
    url = numbers(ann)
    run(ann, url, **SLOW)
    played(ann, url)
    page = visit(ann, url)
    page.wait_for_selector("#bal-stop")
    page.locator("#bal-stop").hover()
    page.mouse.down()
    held = page.locator("#bal-stop").element_handle()
    games = found(ann, url)["games"]
    while found(ann, url)["games"] < games + 3:
        time.sleep(0.3)
    time.sleep(1)
    assert held.evaluate("each => each.isConnected")
    page.mouse.up()
    state(page, "stopped")
    assert page.complaints == []


def test_the_balance_stays_in_sight_beside_rows_far_below(visit, serving):
    ann = serving.guest("Ann")
    page = visit(ann, numbers(ann), (1280, 800))
    page.locator(".ws-numbers tr:last-child input").last.evaluate("each => each.scrollIntoView({block: 'center'})")
    assert page.evaluate("scrollY") > 300
    box = page.locator("#bal-head").bounding_box()
    assert 0 <= box["y"] < 200
