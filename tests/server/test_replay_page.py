"""The page of a replay: what each step shows, and how keys, the bar, the log and playing lead from step to step."""

import re

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import environment
from quintain.server.tables.replays import Replay
from server.guests import PATIENCE, wait_until
from server.samples import finished as table_of
from server.samples import played, replay_page
from server.test_looks import NOTE_FLIGHTS, Page, needs_chromium, needs_files
from server.test_replays import finished

pytestmark = needs_files
STEP = "() => Number(document.getElementById('table-body').dataset.step)"


@pytest.fixture(scope="module")
def courtly():
    """A finished game of King's Court: its table and its replay."""
    return table_of(played(game("kings-court"), lambda match: False))


def drawn(table, replay, step, seat, template="replay.html"):
    return Page(environment().render_template(template, **replay_page(table, replay, step, seat)))


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_every_line_of_the_log_leads_to_the_step_that_added_it(courtly, seat):
    table, replay = courtly
    links = [link for link in drawn(table, replay, 40, seat).all("a") if "data-to" in link and "id" not in link]
    words = replay.at(replay.last, seat).seen.log
    assert len(links) == len(words) > 100
    for link, line in zip(links, words, strict=True):
        step = int(link["data-to"])
        assert f"step={step}" in link["href"] and ("seat=" in link["href"]) == (seat is not None)
        moment = replay.at(step, seat)
        assert line in moment.seen.log[moment.before :] if step else line in moment.seen.log


def test_the_current_lines_are_marked_and_what_is_to_come_is_pale(courtly):
    table, replay = courtly
    page = drawn(table, replay, 40, 0)
    current = [int(link["data-to"]) for link in page.all("a", **{"aria-current": "step"})]
    assert current and set(current) == {max(line.step for line in replay.lines(0) if line.step <= 40)}
    pale = len([line for line in page.all("li") if line.get("class") == "to-come"])
    assert pale == sum(line.step > 40 for line in replay.lines(0)) > 0


def test_rounds_are_headings_of_the_log_and_marks_of_the_bar(courtly):
    table, replay = courtly
    rounds = [words for _, words in replay.rounds]
    assert rounds == [f"Turn {number}" for number in range(1, len(rounds) + 1)] and len(rounds) > 10
    page = drawn(table, replay, 40, None)
    assert [line["text"] for line in page.all("li", **{"class": "heading"})] == rounds
    (marks,) = [path["d"] for path in page.all("path") if path["d"].startswith("M")]
    assert [int(step) for step in re.findall(r"M(\d+)", marks)] == [step for step, _ in replay.rounds]
    for step, words in replay.rounds:
        assert replay.at(step, 0).seen.view.phase.round == int(words.split()[1])
        assert replay.at(step - 1, 0).seen.view.phase.round != int(words.split()[1])


def test_the_headings_are_where_the_table_had_them(courtly):
    table, replay = courtly
    for seat in (0, 1):
        lines = replay.lines(seat)
        found = [(line.heading, number) for number, line in enumerate(lines) if line.heading]
        assert found == [(words, lengths[seat]) for words, lengths in table.headings if lengths[seat] < len(lines)]


def test_with_everything_open_the_page_shows_the_cards_of_all_hands(courtly):
    table, replay = courtly
    page, seen = drawn(table, replay, 40, None), replay.at(40, None).seen
    (hands,) = page.all("div", id="open-hands")
    cards = [piece.name for zone in seen.view.zones if zone.role == "hand" for piece in zone.pieces]
    assert len(cards) > 5 and all(card in hands["text"] for card in cards)
    assert not drawn(table, replay, 40, 0).all("div", id="open-hands")


def test_a_step_for_htmx_is_the_body_alone_without_the_lines_of_the_log(serving):
    table, eve = finished(serving), serving.guest("Eve")
    path, headers = f"/tables/{table}/replay?step=2", {"accept": "text/html"}
    whole = eve.get(path, headers=headers).text
    part = eve.get(path, headers=headers | {"hx-request": "true"}).text
    assert part.lstrip().startswith('<div id="table-body"') and "<html" not in part
    assert "placed a bid" in whole and "data-to" in part
    assert not re.search(r"<li[^>]*><a [^>]*data-to", part) and re.search(r"<li[^>]*><a [^>]*data-to", whole)


@pytest.fixture
def shown(browser, serving):
    """Return a function that opens the replay of a finished game, and gives the page."""
    table, contexts = finished(serving), []

    def show(step=0, seat="", **settings):
        contexts.append(browser.new_context(**{"reduced_motion": "reduce", **settings}))
        page = contexts[-1].new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{serving.url}/tables/{table}/replay?step={step}{seat}")
        return page

    yield show
    for context in contexts:
        assert not [fault for page in context.pages for fault in page.complaints]
        context.close()


def at(page, step):
    """Wait until a page shows a step, which its address names, too."""
    wait_until(lambda: (page.wait_for_timeout(10), page.evaluate(STEP) == step)[1])
    wait_until(lambda: (page.wait_for_timeout(10), f"step={step}" in page.url)[1])
    assert page.locator("[id='step.bar']").input_value() == str(step)
    current = page.locator("#log .now a").evaluate_all("all => all.map((line) => Number(line.dataset.to))")
    assert bool(current) == (step > 0) and all(number <= step for number in current)
    return True


@needs_chromium
def test_keys_lead_through_a_game_and_the_address_follows(shown):
    page = shown()
    loaded = []
    page.on("framenavigated", lambda frame: loaded.append(frame.url))
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 6),
        ("ArrowRight", 6),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("Home", 0),
    ):
        page.wait_for_timeout(150)  # longer than the page waits between two requests
        page.keyboard.press(key)
        assert at(page, step), key
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Shift+ArrowRight")
    assert at(page, 0)
    page.keyboard.press("ArrowRight")
    assert at(page, 1)
    pages = [url for url in loaded if "step=" not in url]
    assert not pages
    page.reload()
    assert at(page, 1)


@needs_chromium
def test_arrows_stay_with_a_field_that_has_the_focus(shown):
    page = shown(3)
    page.locator("#share").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    page.wait_for_timeout(300)
    assert at(page, 3)
    page.locator("[id='step.bar']").focus()
    page.keyboard.press("ArrowLeft")
    assert at(page, 2)
    page.keyboard.press("End")
    assert at(page, 6)


@needs_chromium
def test_the_bar_tells_what_lies_under_it_and_shows_it_when_it_is_let_go(shown):
    page = shown()
    box = page.locator("[id='step.bar']").bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    assert page.evaluate(STEP) == 0 and page.locator("[id='step.at'] b").inner_text() == "3"
    under = page.locator("#log a[data-to='3'], #log a[data-to='2']").last.inner_text()
    assert page.locator("#question").inner_text() == under
    page.mouse.up()
    assert at(page, 3)


@needs_chromium
def test_a_line_of_the_log_leads_to_its_moment_and_the_seat_stays(shown):
    page = shown(0, "&seat=1")
    line = page.locator("#log a[data-to='4']").last
    words = line.inner_text()
    line.click()
    assert at(page, 4) and "seat=1" in page.url
    assert words in page.locator("#question").inner_text()
    page.get_by_role("link", name="Everything open").click()
    page.wait_for_url(re.compile(r"step=4$"))
    assert at(page, 4)


@needs_chromium
def test_playing_goes_on_by_itself_and_stops_at_the_end(shown):
    page = shown()
    button, speed = page.locator("[id='step.play']"), page.get_by_label("Speed")
    assert speed.locator("option").all_inner_texts() == ["Slow", "Usual", "Fast"]
    speed.select_option("fast")
    button.click()
    assert button.inner_text() == "Pause"
    assert at(page, 6)
    wait_until(lambda: (page.wait_for_timeout(10), button.inner_text() == "Play")[1])
    button.click()
    wait_until(lambda: (page.wait_for_timeout(10), page.evaluate(STEP) == 2)[1])
    button.click()
    page.wait_for_timeout(900)
    assert page.evaluate(STEP) <= 3 and button.inner_text() == "Play"


@needs_chromium
@pytest.mark.parametrize(("motion", "flies"), [("reduce", False), ("no-preference", True)])
def test_cards_fly_only_for_people_who_allow_motion(shown, motion, flies):
    page = shown(reduced_motion=motion)
    page.evaluate(NOTE_FLIGHTS)
    for step in (1, 2, 3, 4):
        page.keyboard.press("ArrowRight")
        at(page, step)
    assert bool(page.evaluate("flown.length")) == flies


@needs_chromium
def test_a_server_that_is_gone_or_refuses_is_named_and_the_step_stays(shown):
    page, answers = shown(2), {}

    def answer(route):
        answers.get("hx-request" in route.request.headers, lambda route: route.continue_())(route)

    page.route("**/replay?*", answer)
    page.reload()  # a browser may let the first request pass that follows a route set up while its page still loads
    for answers[True], words in (
        (lambda route: route.abort(), "cannot be reached"),
        (lambda route: route.fulfill(status=429), "too fast"),
        (lambda route: route.fulfill(status=500), "cannot show this step"),
    ):
        page.keyboard.press("ArrowRight")
        page.locator("#notice").filter(has_text=words).wait_for()
    answers.clear()
    page.keyboard.press("ArrowRight")
    assert at(page, 3)


@needs_chromium
def test_without_script_links_and_a_number_lead_to_every_step(shown):
    page = shown(2, "&seat=0", java_script_enabled=False)
    page.get_by_role("link", name="One step on").click()
    assert "step=3" in page.url and "seat=0" in page.url
    page.get_by_label("Number of the step").fill("5")
    page.get_by_role("button", name="Go").click()
    page.wait_for_url(re.compile("step=5"))
    assert "seat=0" in page.url and page.locator("[id='step.at']").inner_text().startswith("5 of 6")
    page.locator("#log a[data-to='2']").first.click()
    assert "step=2" in page.url
    page.locator("#play-on summary").click()
    page.get_by_label("Your name").fill("Eve")
    page.locator("#play-on").get_by_role("button", name="Play on").click()
    page.locator("#table-body.is-playing").wait_for()


def test_a_replay_without_headings_has_no_rounds():
    match = played(game("kings-court"), lambda match: False)
    replay = Replay(match)
    for _ in replay.play(match):
        pass
    assert replay.rounds == [] and replay.at(9, 0).round == ""
