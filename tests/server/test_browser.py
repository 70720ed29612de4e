"""People play in real browsers on a real server: by clicks, keys and taps, without script, and with the network cut."""

import json
import random
import re
from itertools import pairwise

import pytest

from conformance.cases import KUHN
from quintain.server.pages.rendering import STATIC
from server.browsing import (
    ANSWER,
    ASKED,
    CHROMIUM,
    CUT_OFF,
    TAKE_BACK,
    WORDS,
    Distant,
    Keyboard,
    Person,
    Phone,
    Scriptless,
    play,
)
from server.guests import PATIENCE, Guest, ServingProcess, cards_in

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]
LONG = ("kings-court", "rune-war", "heirless", "robin", "round-table")
whole_games = pytest.mark.parametrize(
    "game", ["goofspiel", *(pytest.param(game, marks=pytest.mark.long) for game in LONG)]
)
GRID = "#grid tbody th, #grid tbody td"
TABLE = ("#seats", "#board", "#dock", "#log")


@pytest.fixture(scope="module")
def running(tmp_path_factory, goofspiel):
    server = ServingProcess(tmp_path_factory.mktemp("running"), goofspiel, KUHN)
    yield server
    server.process.terminate()
    server.process.wait(PATIENCE)


@pytest.fixture
def comes(browser, running):
    """Return a function that lets people come, each with their own browser; the test fails if a page has an error."""
    came = []

    def come(kind=Person, server=running):
        came.append(kind(browser, server.url))
        came[-1].chance.seed(len(came))
        return came[-1]

    yield come
    for person in came:
        person.context.close()
    for person in came:
        assert not [fault for fault in person.complaints if not (person.was_late and "409 (Conflict)" in fault)]


def sit_down(game, ann, bo):
    """Let two people sit down at a table of theirs; return its address."""
    invite = ann.make_table(game, "Ann")
    bo.sit_down(invite, "Bo")
    ann.page.locator(ASKED).wait_for()
    return invite


def play_until_asked(ann, bo, answers):
    """Let both give some answers, and go on until the first is asked: then her page shows the table as it stays."""
    play([ann, bo], answers)
    while not ann.comes_to_turn():
        bo.answer()


def check_result(*people):
    """Check that each reads the result, that all see the same grid, and the cards that were hidden, but for decks."""
    for person in people:
        person.page.locator(GRID).first.wait_for()  # that of a long game comes after the result
    words = [person.page.locator("#result-words").inner_text() for person in people]
    heads = sorted(said.partition(",")[0].rpartition(" to ")[0] or said.partition(",")[0] for said in words)
    possible = (["You lose", "You win"], ["You draw with Ann", "You draw with Bo"])
    alone = [[head] for heads in possible for head in heads]
    assert heads in (possible if len(people) == 2 else alone), words
    grids = [person.page.locator(GRID).all_text_contents() for person in people]
    assert len(grids[0]) > 2 and all(grid == grids[0] for grid in grids)
    for person in people:
        person.page.get_by_role("link", name="Show the table").click()
        playwright.expect(person.page.locator("#question")).to_have_text("The game is over")
        assert not person.page.locator(".back:not([data-role=pile] .back)").count()
        assert not person.page.locator("#notice").is_visible()
        person.page.get_by_role("link", name="Back to the result").click()
        playwright.expect(person.page.locator("#result-words")).to_be_visible()


def play_to_the_end(game, ann, bo):
    sit_down(game, ann, bo)
    play([ann, bo])
    check_result(*(person for person in (ann, bo) if not isinstance(person, Distant)))


@pytest.mark.long
@pytest.mark.parametrize("game", LONG)
def test_a_game_is_played_by_clicks(comes, game):
    play_to_the_end(game, comes(), comes())


def test_a_spectator_finds_no_hidden_card_in_the_page(comes, running):
    """Ann and Bo play without browsers, which would show what other tests look at."""
    ann, bo, other, eve = running.guest("Ann"), running.guest("Bo"), running.guest(), comes()
    table, chance = ann.make("kings-court", "me", "open"), random.Random(5)
    bo.sit(table, 1)
    eve.page.goto(f"{running.url}/tables/{table}")
    for _ in range(8):
        for _ in range(8):
            assert ann.move_at_random(table, chance) or bo.move_at_random(table, chance)
        hidden = cards_in(hand(ann, table, 0)) | cards_in(hand(bo, table, 1))
        assert len(hidden) > 10
        log = eve.page.locator("#log li:not(.heading)")
        playwright.expect(log).to_have_count(len(other.view(table)["log"]))
        assert not cards_in(eve.page.content()) & hidden
    assert len(cards_in(eve.page.content())) > 1
    assert not eve.page.locator("#moves button").count()
    for guest in (ann, bo, other):
        guest.http.close()


def test_a_game_of_a_few_moves_in_a_file_is_played_to_the_end(comes):
    ann, bo = comes(), comes(Phone)
    bo.sit_down(ann.make_table("kuhn", "Ann"), "Bo")
    play([ann, bo])
    check_result(ann, bo)


@whole_games
def test_a_game_is_played_by_keyboard_alone_and_by_taps_on_a_phone(comes, game):
    play_to_the_end(game, comes(Keyboard), comes(Phone))


@whole_games
def test_a_game_is_played_without_script(comes, game):
    play_to_the_end(game, comes(Scriptless), comes(Distant))


@pytest.mark.parametrize("kind", [Person, Scriptless])
def test_a_move_is_taken_back_and_the_game_goes_on(comes, kind):
    ann, bo = comes(kind), comes(Person if kind is Person else Distant)
    sit_down("kings-court", ann, bo)
    seals = ann.page.locator("#board .seal")
    before = seals.all_text_contents()
    for log in ("You put", "You take the last move back.\n", "back.\nYou put"):
        taking_back = ann.page.locator(TAKE_BACK)
        ann.touch(taking_back) if log.startswith("You take") else ann.answer()
        playwright.expect(ann.page.locator("#log")).to_contain_text(log.strip(), use_inner_text=True)
        assert (seals.all_text_contents() == before) == log.startswith("You take")
    if kind is Person:
        playwright.expect(bo.page.locator("#log")).to_contain_text("Ann takes the last move back.")
    play([ann, bo], answers=4)


def test_pages_from_the_socket_get_their_previews_and_a_reload_shows_the_same(comes):
    ann, bo = comes(), comes(Scriptless)
    sit_down("kings-court", ann, bo)
    play_until_asked(ann, bo, answers=14)
    while not ann.page.locator("#question", has_text="Which card do you play?").count():
        play_until_asked(ann, bo, answers=1)
    pills = ann.page.locator(".hand .piece > .preview")
    pills.first.wait_for()
    shown = pills.all_text_contents()
    assert len(shown) > 3
    ann.page.reload()
    pills.first.wait_for()
    assert pills.all_text_contents() == shown
    while not bo.is_asked():
        ann.answer()
        bo.page.reload()
    assert bo.page.locator("#moves .preview").count(), "a whole page needs no script"


def test_a_double_click_answers_once(comes):
    ann, bo = comes(), comes(Distant)
    sit_down("kings-court", ann, bo)
    posts = []
    ann.page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    asked = ann.page.locator("#moves > [name=decision]").get_attribute("value")
    ann.page.locator(ANSWER).first.dblclick()
    ann.wait_for_news(asked)
    assert len(posts) == 1
    playwright.expect(ann.page.locator("#notice")).to_be_hidden()
    play([ann, bo], answers=4)


def test_bids_of_goofspiel_are_made_at_once_on_the_generic_board(comes):
    ann, bo = comes(), comes()
    sit_down("goofspiel", ann, bo)
    for prize in range(13, 1, -1):
        for person in (ann, bo):
            playwright.expect(person.page.locator("#question")).to_have_text(
                f"Which card do you bid for the prize of {prize}?"
            )
        before = bo.page.locator("#log li:not(.heading)").all_inner_texts()
        ann.touch_answer()
        if prize % 2:
            playwright.expect(ann.page.locator("#question")).to_have_text("Bo is to act")
            playwright.expect(bo.page.locator("#log li:not(.heading)")).to_have_text([*before, "Ann placed a bid."])
        bo.touch_answer()
        for person in (ann, bo):
            playwright.expect(person.page.locator("#log")).to_contain_text(f"won the prize of {prize}.")
    for person in (ann, bo):
        person.page.locator("#result").wait_for()
    check_result(ann, bo)


NOTE_LINES = """
window.lines = [];
new MutationObserver(() => {
  const count = document.querySelectorAll("#log li:not(.heading)").length;
  if (count !== lines.at(-1)?.[0]) lines.push([count, Math.round(performance.now())]);
}).observe(document.getElementById("table"), {subtree: true, childList: true, attributes: true});
0
"""


def told_to(viewer, ann, bo, act=lambda: None):
    """Let both bid, Bo last; return how many lines a viewer's log had more at each change, and when that was."""
    ann.answer()
    log = viewer.page.locator("#log li:not(.heading)")
    playwright.expect(log.last).to_be_attached()
    viewer.page.wait_for_timeout(300)
    viewer.page.evaluate(NOTE_LINES)
    before = log.count()
    bo.answer()
    act()
    playwright.expect(log).to_have_count(before + 4)
    return [(count - before, time) for count, time in viewer.page.evaluate("lines") if count > before]


def test_what_others_do_is_told_one_event_at_a_time_and_can_be_skipped(browser, running):
    ann, bo = Person(browser, running.url), Distant(browser, running.url)
    eve = Person(browser, running.url, hurries=False)
    sit_down("goofspiel", ann, bo)
    eve.page.goto(ann.page.url)
    eve.page.locator("#link.on").wait_for()
    told = told_to(eve, ann, bo)
    assert [count for count, _ in told] == [1, 2, 3, 4]
    assert all(after - before > 400 for (_, before), (_, after) in pairwise(told))
    eve.page.locator("#question").focus()

    def skip():
        eve.page.locator(".touched").first.wait_for()
        eve.page.keyboard.press("Space")
        eve.page.keyboard.press("Space")

    def is_hurried():
        return any(after - before < 400 for (_, before), (_, after) in pairwise(told_to(eve, ann, bo, skip)))

    assert any(is_hurried() for _ in range(3)), "what is skipped takes no time, unless a busy machine presses too late"
    for person in (ann, bo, eve):
        person.context.close()
    assert not eve.complaints


def test_a_question_never_waits_until_all_is_told(browser, running):
    ann, bo = Person(browser, running.url, hurries=False), Distant(browser, running.url)
    sit_down("goofspiel", ann, bo)
    told = told_to(ann, ann, bo)
    assert [count for count, _ in told] == [4], "the new question comes at once, with all that led to it"
    ann.context.close()
    bo.context.close()
    assert not ann.complaints


@pytest.mark.parametrize("wrong", [3600, -86400])
def test_a_device_with_a_wrong_clock_counts_down_right(comes, running, wrong):
    """The clock of the device is wrong, and somebody sets it while the page is open."""
    guest, rival = Guest(running.url, "Ann"), Guest(running.url, "Bo")
    table = guest.make("goofspiel", "me", "open", clock="120")
    rival.sit(table, 1)
    ann = comes()
    ann.context.add_init_script(f"const right = Date.now.bind(Date); Date.now = () => right() + {1000 * wrong};")
    ann.come_as(guest, table)
    clock, right = ann.page.locator("#seats .clock").first, re.compile(r"^(2:00|1:5\d) left$")
    playwright.expect(clock).to_have_text(right)
    rival.move(table, rival.view(table)["menu"][0]["action"], 1)
    playwright.expect(ann.page.locator("#seats .clock")).to_have_count(1)
    playwright.expect(clock).to_have_text(right)
    ann.page.evaluate("() => { const set = Date.now; Date.now = () => set() + 7200000; }")
    before = clock.text_content()
    ann.page.wait_for_function("before => document.querySelector('#seats .clock').textContent !== before", arg=before)
    playwright.expect(clock).to_have_text(right)
    for each in (guest, rival):
        each.http.close()


def test_a_clock_that_runs_on_counts_from_the_arrival_of_its_own_page(comes, running):
    guest, rival = Guest(running.url, "Ann"), Guest(running.url, "Bo")
    table = guest.make("goofspiel", "me", "open", clock="120")
    rival.sit(table, 1)
    ann = comes()
    ann.come_as(guest, table)
    clock = ann.page.locator("#seats .clock b").first
    for number in range(2):
        ann.page.wait_for_timeout(3000)
        rival.post(f"/tables/{table}/talk", text=f"Good luck {number}")
        playwright.expect(ann.page.locator("#talk")).to_contain_text(f"Good luck {number}")
        minutes, _, seconds = clock.inner_text().partition(":")
        left = guest.view(table)["table"]["seats"][0]["seconds_left"]
        assert 60 * int(minutes) + int(seconds) == pytest.approx(left, abs=2)
    for each in (guest, rival):
        each.http.close()


def test_reload_and_a_second_tab_show_the_same_and_follow(comes):
    ann, bo = comes(), comes(Distant)
    sit_down("kings-court", ann, bo)
    play_until_asked(ann, bo, answers=20)
    before = [ann.words(place) for place in TABLE]
    ann.page.reload()
    assert [ann.words(place) for place in TABLE] == before
    first, ann.page = ann.page, ann.new_tab()
    ann.page.goto(first.url)
    assert [ann.words(place) for place in TABLE] == before
    play_until_asked(ann, bo, answers=6)
    for place in TABLE:
        shows = f"([place, words]) => ({WORDS})(document.querySelector(place)) === words"
        first.wait_for_function(shows, arg=[place, ann.words(place)])
    assert [ann.words(place) for place in TABLE] != before


def test_after_ten_seconds_offline_the_page_catches_up_and_plays_no_click_made_meanwhile(comes):
    ann, bo = comes(), comes()
    sit_down("kings-court", ann, bo)
    for _ in range(2):
        ann.answer()
    link, question = ann.page.locator("#link"), ann.page.locator("#question")
    ann.context.set_offline(True)
    playwright.expect(link).to_have_text("Connecting again")
    ann.touch_answer()
    notice = ann.page.locator("#notice")
    playwright.expect(notice).to_have_text("The server cannot be reached just now: what you chose was not sent.")
    bo.answer()
    ann.page.wait_for_timeout(10_000)
    assert "Bo puts" not in ann.words("#log")
    ann.context.set_offline(False)
    playwright.expect(link).to_have_text("Connected")
    playwright.expect(ann.page.locator("#log")).to_contain_text("Bo puts a counter on Artois.")
    playwright.expect(notice).to_be_hidden()
    bo.answer()
    playwright.expect(ann.page.locator("#log")).to_contain_text("Bo puts a counter on Bellerophon.")
    playwright.expect(question).to_have_text("Which counter do you put on Castellia?")
    assert "Ann puts a counter on Castellia" not in bo.words("#log")
    ann.answer()
    playwright.expect(question).to_have_text("Which counter do you put on De Bourgogne?")
    forgive_the_cut(ann)


def forgive_the_cut(person):
    person.complaints[:] = [fault for fault in person.complaints if not any(cut in fault for cut in CUT_OFF)]


def test_pages_go_on_when_the_server_is_killed_and_comes_back(comes, tmp_path, goofspiel):
    server = ServingProcess(tmp_path, goofspiel)
    try:
        ann, bo = comes(server=server), comes(Distant, server)
        sit_down("kings-court", ann, bo)
        play([ann, bo], answers=16)
        before = ann.words("#log")
        server.kill()
        playwright.expect(ann.page.locator("#link")).to_have_text("Connecting again")
        server.start()
        playwright.expect(ann.page.locator("#link")).to_have_text("Connected")
        play([ann, bo], answers=8)
        assert ann.words("#log").startswith(before)
        assert ann.words("#log") != before
        ann.page.close()
        forgive_the_cut(ann)
    finally:
        server.kill()


def hand(guest, table, seat):
    """Return the hand of a player as JSON."""
    zones = guest.view(table)["view"]["zones"]
    return json.dumps([zone for zone in zones if zone["id"] == f"hand.{seat}"])


def test_people_who_agree_play_again_and_the_end_is_reached_from_the_table_and_back(comes):
    ann, bo = comes(), comes(Phone)
    bo.sit_down(ann.make_table("kuhn", "Ann"), "Bo")
    play([ann, bo])
    check_result(ann, bo)
    ann.page.get_by_role("button", name="Play again").click()
    playwright.expect(ann.page.locator("#next")).to_contain_text("Waiting for Bo")
    playwright.expect(bo.page.locator("#next")).to_contain_text("Ann wants to play again")
    old = bo.page.url
    bo.page.get_by_role("button", name="Play again").click()
    playwright.expect(bo.page.locator("#result")).to_have_count(0)
    playwright.expect(ann.page.locator("#table-body")).to_have_class(re.compile("is-playing"))
    assert ann.page.url == bo.page.url != old, "both are taken there"


def looks_asked_for(person):
    """Return the addresses at which a person's browser asks from now on for the cards in full."""
    asked = []
    person.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/looks") else None)
    return asked


def test_the_cards_in_full_come_when_somebody_points_at_one_and_again_after_a_change(comes):
    ann, bo = comes(), comes()
    sit_down("kings-court", ann, bo)
    play_until_asked(ann, bo, 4)
    ann.page.mouse.move(1, 1)
    ann.page.reload()
    asked = looks_asked_for(ann)
    assert not ann.page.locator("#looks .look:not([id^='look.seat'])").count() and not asked
    card = ann.page.locator(".hand .piece").first
    for _ in range(2):
        card.hover()
        ann.page.locator("#inspector .look").wait_for()
    name = ann.page.locator("#inspector h3").inner_text()
    assert name and name in card.locator(".said").last.text_content() and len(asked) == 1
    ann.answer()
    ann.page.mouse.move(1, 1)
    bo.answer()
    ann.page.locator(ASKED).wait_for()
    ann.page.locator(".hand .piece").last.hover()
    ann.page.locator("#inspector .look").wait_for()
    assert len(asked) > 1, "the cards as they were are not those of another moment"
    before = len(asked)
    ann.page.wait_for_timeout(300)
    assert len(asked) == before


def test_on_a_phone_a_chosen_card_is_explained(comes):
    ann, bo = comes(Phone), comes()
    sit_down("kings-court", ann, bo)
    play_until_asked(ann, bo, 6)
    card = ann.page.locator(".hand a.piece").first
    if card.count():
        card.tap()
        ann.page.locator("#picked b:not(:empty)").wait_for()
        assert ann.page.locator("#picked b").inner_text() in card.locator(".said").last.text_content()


def test_without_script_a_link_leads_to_all_cards_in_full(comes):
    ann, bo = comes(Scriptless), comes()
    invite = ann.make_table("kings-court", "Ann")
    bo.sit_down(invite, "Bo")
    ann.page.goto(invite)
    ann.page.get_by_role("link", name="All cards here in full").click()
    assert ann.page.locator(".all-looks .look h3").count() > 20
    ann.page.get_by_role("link", name="Back to the table").click()
    assert ann.page.url == invite
