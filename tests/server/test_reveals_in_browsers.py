"""Browsers commit to random numbers and reveal them by themselves; nobody has to do anything for it."""

import pytest

import quintain
from quintain.server.pages.rendering import STATIC
from server.browsing import ASKED, CHROMIUM, RESULT, TABLE, Person, Scriptless, play
from server.guests import PATIENCE, wait_until

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]


@pytest.fixture
def comes(browser, serving):
    """Return a function that lets people come, each with their own browser; the test fails if a page has an error."""
    came = []

    def come(kind=Person):
        came.append(kind(browser, serving.url))
        return came[-1]

    yield come
    for person in came:
        person.context.close()
    assert not [fault for person in came for fault in person.complaints]


def shares(serving, address):
    """Return whether each seat that has committed has revealed its number, by seat."""
    table = serving.table(address.rpartition("/")[2])
    return {each.seat: bool(each.revealed) for each in table.playing().reveals}


def test_two_browsers_commit_and_reveal_by_themselves(serving, comes):
    ann, bo = comes(), comes()
    invite = ann.make_table("goofspiel", "Ann")
    bo.sit_down(invite, "Bo")
    ann.page.locator(ASKED).wait_for()
    assert shares(serving, invite) == {0: True, 1: True}
    stored = [person.page.evaluate("localStorage.getItem('quintain-random-numbers')") for person in (ann, bo)]
    assert stored == ["{}", "{}"]


def test_a_person_without_script_does_not_hold_the_other_up(serving, comes):
    ann, bo = comes(), comes(Scriptless)
    invite = ann.make_table("goofspiel", "Ann")
    bo.sit_down(invite, "Bo")
    ann.page.locator(ASKED).wait_for()
    assert shares(serving, invite) == {0: True}


def test_play_now_begins_with_the_number_of_its_player(serving, comes):
    ann = comes()
    ann.page.goto(serving.url)
    ann.page.locator("form[action='/play/kings-court'] button").click()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_role("button", name="That is me").click()
    ann.page.locator(ASKED).wait_for()
    assert shares(serving, ann.page.url.partition("?")[0]) == {0: True}


def test_a_browser_that_keeps_nothing_does_not_commit(serving, comes):
    ann = comes()
    ann.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('private') }")
    bo = comes()
    invite = ann.make_table("goofspiel", "Ann")
    bo.sit_down(invite, "Bo")
    ann.page.locator(ASKED).wait_for()
    assert shares(serving, invite) == {1: True}


def test_both_players_of_a_rematch_are_taken_to_it_and_reveal_for_it(serving, comes):
    ann, bo = comes(), comes()
    invite = ann.make_table("goofspiel", "Ann")
    bo.sit_down(invite, "Bo")
    ann.page.locator(ASKED).wait_for()
    play([ann, bo])
    for person in (ann, bo):
        person.page.locator(RESULT).wait_for()
        person.page.get_by_role("button", name="Play again").click()
    for person in (ann, bo):
        person.page.wait_for_url(lambda url: not url.startswith(invite))
        person.page.locator(f"{TABLE}.is-playing").wait_for(timeout=5000)
    assert ann.page.url == bo.page.url and shares(serving, bo.page.url) == {0: True, 1: True}


def test_the_record_of_a_game_in_browsers_verifies(serving, comes):
    ann, bo = comes(), comes()
    invite = ann.make_table("goofspiel", "Ann")
    bo.sit_down(invite, "Bo")
    play([ann, bo])
    guest = serving.guest()
    wait_until(lambda: guest.get(f"{invite.removeprefix(serving.url)}/record.json").status_code == 200, PATIENCE)
    record = guest.get(f"{invite.removeprefix(serving.url)}/record.json").json()
    assert len(record["reveals"]) == 2 and len({each["revealed"] for each in record["reveals"]}) == 2
    quintain.Match.load(record)
