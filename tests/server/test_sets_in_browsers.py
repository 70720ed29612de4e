"""Choosing a set of Robin on a server: by touch on a phone, by keyboard, and without script, in Chromium."""

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import environment
from server.browsing import CHROMIUM, Person
from server.browsing import opened as opened_page
from server.guests import Serving, wait_until
from server.samples import ANSWERED, is_answering, is_asked, played, table_page
from server.test_looks import needs_files
from server.test_sets import MODIFIERS, SET, SETS, begin, choose, own_set, save

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium"), needs_files]
PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True}
SIZES = [{"width": 375, "height": 812}, {"width": 1280, "height": 800}]
PHONE_FIRST = [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.long)]
"""On a desk the same scripts run, with more room."""
MOST_TOUCHES = 3
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
    """Open a table that asks for a set, and wait for the saved ones, which its page fetches once."""
    with person.page.expect_response(f"**/tables/{table}/sets"):
        person.page.goto(f"{person.url}/tables/{table}")
    person.page.locator(ROUND).wait_for()
    return person.page


def is_ready(guest, table):
    asked = guest.view(table)["view"]["question"]
    return asked is None or asked["key"] != "set"


def wait_for_cards(person, guest, path, holds):
    """Wait until the cards of a set are as wanted; slowly, since a server limits how often somebody may ask."""

    def looked():
        person.page.wait_for_timeout(200)
        return holds(guest.get(path).json()["cards"])

    wait_until(looked)


class Finger:
    """Touches a page, and counts the touches."""

    def __init__(self, page):
        self.page, self.touches = page, 0

    def touch(self, selector):
        self.touches += 1
        self.page.locator(selector).first.tap()


@pytest.mark.parametrize("viewport", PHONE_FIRST)
@pytest.mark.parametrize("way", ["rest", "keep", "saved"])
def test_a_whole_set_takes_at_most_three_touches_at_a_table(sits, way, viewport):
    person, ann, _, table = sits(second=way == "keep", viewport=viewport)
    if way == "saved":
        save(ann, table)
    last, finger = own_set(ann, table), Finger(opened(person, table))
    finger.touch("[data-set-names]" if way == "saved" else f"[data-way={way}]")
    finger.touch("[data-way=chosen]")
    wait_until(lambda: is_ready(ann, table))
    assert finger.touches <= MOST_TOUCHES and len(own_set(ann, table)) == 15
    assert own_set(ann, table) == {"saved": sorted(SET), "keep": last}.get(way, own_set(ann, table))


@pytest.mark.parametrize("viewport", PHONE_FIRST)
def test_a_whole_set_takes_at_most_three_touches_in_the_tab(sits, viewport):
    person, ann, *_ = sits(viewport=viewport)
    person.page.goto(f"{person.url}/cards/robin")
    finger = Finger(person.page)
    finger.touch("nav.tabs a:has-text('Sets')")
    finger.touch("button:has-text('Deal a set')")
    person.page.locator(".legal.is-legal").wait_for()
    (saved,) = ann.get(SETS).json()["sets"]
    assert saved["wrong"] is None and len(saved["cards"]) == 15 and finger.touches <= MOST_TOUCHES


@pytest.mark.parametrize("viewport", PHONE_FIRST)
@pytest.mark.parametrize("script", [True, False])
def test_a_set_is_built_by_touching_cards(sits, script, viewport):
    person, ann, *_ = sits(java_script_enabled=script, viewport=viewport)
    path, page = begin(ann, title="Greenwood", text="\n".join(SET[1:])), person.page
    page.goto(f"{person.url}{path}")

    def touch(selector):
        page.locator(selector).first.tap()

    def wait_for(cards):
        wait_for_cards(person, ann, path, lambda there: there == cards)

    touch(".chips a:has-text('Outlaw')")
    playwright.expect(page.locator(".set-cards > li")).to_have_count(10)
    touch(".set-row:has-text('Robin Hood')")
    wait_for(SET)
    playwright.expect(page.locator(".legal.is-legal")).to_contain_text("The set is full")
    playwright.expect(page.locator(".set-cards > li")).to_have_count(10)
    touch(".chips a:has-text('Outlaw')")
    playwright.expect(page.locator(".set-cards > li")).to_have_count(64)
    touch(".set-row:has-text('Templar')")
    playwright.expect(page.locator(".set-instead")).to_contain_text("Templar: instead of whom?")
    touch(".set-row:has-text('Little John')")
    wait_for([SET[0], *SET[2:12], "Templar", *SET[12:]])
    playwright.expect(page.locator(".set-instead")).to_have_count(0)
    touch(".set-row:has-text('Templar')")
    wait_for([SET[0], *SET[2:]])
    playwright.expect(page.locator(".headline .unready")).to_contain_text("Make a table")
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]


@pytest.mark.parametrize("viewport", PHONE_FIRST)
def test_the_last_card_moves_no_other_card_and_the_panel_stays_in_sight(sits, viewport):
    person, ann, *_ = sits(viewport=viewport)
    path, page = begin(ann, title="Greenwood", text="\n".join(SET[1:])), person.page
    page.goto(f"{person.url}{path}")
    page.locator(".set-row:has-text('Templar')").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 300)")
    heights = """() => [...document.querySelectorAll('.set-row:not(#touch-robin_hood)')].map((row) => {
        const {top, height} = row.getBoundingClientRect();
        return [Math.round(top + (row.ownerDocument.defaultView.scrollY)), Math.round(height)];
    })"""
    before = page.evaluate(heights)
    page.evaluate("document.getElementById('touch-robin_hood').click()")
    page.locator(".legal.is-legal").wait_for(state="attached")
    assert page.evaluate(heights) == before and len(before) == 63
    panel = page.locator(".deck-bar" if viewport["width"] < 500 else ".legal")
    place = panel.bounding_box()
    assert 0 <= place["y"] < place["y"] + place["height"] <= viewport["height"]
    playwright.expect(panel).to_contain_text("12 of 12 characters" if viewport["width"] < 500 else "in whose place")


def test_a_set_is_built_by_keys(sits):
    person, ann, *_ = sits(viewport={"width": 1280, "height": 800}, has_touch=False)
    path, page = begin(ann, title="Greenwood", text="\n".join(SET[1:])), person.page
    page.goto(f"{person.url}{path}")
    page.keyboard.press("/")
    page.keyboard.type("guy of gisborne")
    playwright.expect(page.locator(".set-cards > li")).to_have_count(1)
    page.keyboard.press("Enter")
    page.locator("#find").blur()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_cards(person, ann, path, lambda there: "Guy of Gisborne" in there)
    playwright.expect(page.locator(".legal.is-legal")).to_have_count(1)
    assert page.evaluate("document.activeElement.closest('li')?.id") == "at-guy_of_gisborne"
    page.keyboard.press("Enter")
    wait_for_cards(person, ann, path, lambda there: "Guy of Gisborne" not in there)
    playwright.expect(page.locator(".legal.is-legal")).to_have_count(0)
    page.keyboard.press("d")
    wait_for_cards(person, ann, path, lambda there: len(there) == 15)
    assert ann.get(path).json()["wrong"] is None


def test_a_touch_without_a_connection_waits_and_the_page_says_so(sits):
    person, ann, *_ = sits()
    path, page = begin(ann, title="Greenwood", text="\n".join(SET)), person.page
    page.goto(f"{person.url}{path}")
    page.route("**/touch*", lambda route: route.abort())
    page.locator(".set-row:has-text('Little John')").first.tap()
    playwright.expect(page.locator("#saved")).to_have_text("Not saved: no connection. 1 change waits here")
    page.unroute("**/touch*")
    wait_for_cards(person, ann, path, lambda there: len(there) == 14)
    playwright.expect(page.locator("#saved")).to_have_text("saved just now")
    person.complaints.clear()


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


@pytest.mark.parametrize("second", [False, True])
def test_a_set_is_on_its_way_at_once_and_sent_once(sits, second):
    """Also the last set, which another button sends than the one that is touched."""
    person, ann, _, table = sits(second=second)
    page, held = opened(person, table), []

    def hold(route):
        held.append(route)

    page.route("**/set", hold)
    page.locator("[data-way=keep]" if second else "[data-way=rest]").tap()
    for _ in range(2):
        page.locator("[data-way=chosen]").tap()
    playwright.expect(page.locator("#sending")).to_contain_text("On its way: your set")
    page.locator("[data-way=chosen]").tap()
    page.wait_for_timeout(200)
    assert len(held) == 1 and page.locator(".act.going").count() == 1
    held[0].continue_()
    wait_until(lambda: is_ready(ann, table))
    playwright.expect(page.locator("#sending, .going")).to_have_count(0)


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
    """By clicks: a touch that a busy machine holds for long opens the card instead."""
    person, ann, _, table = sits()
    page = opened(person, table)
    for name in SET:
        page.locator(f'label:has-text("{name}")').first.click()
    assert page.locator("[data-set-lacks]").inner_text() == "the set is full"
    page.locator(f'label:has-text("{MODIFIERS[5]}")').first.click()
    asked = f"{MODIFIERS[5]}: instead of whom? Touch the one of the 3 modifiers that goes back."
    playwright.expect(page.locator(".rh-instead")).to_contain_text(asked)
    there = page.locator(".rh-card:visible b").all_inner_texts()
    assert sorted(there) == sorted(SET[-3:]), "only those that can go back are in sight"
    page.locator("text=Keep the set").click()
    playwright.expect(page.locator(".rh-instead")).to_be_hidden()
    assert page.locator("input[data-set-name]:checked").evaluate_all("all => all.map((each) => each.value)") == SET
    playwright.expect(page.locator("[data-way=rest]")).to_contain_text("none is missing")
    assert page.locator("[data-set-count]").all_inner_texts() == ["12", "3"]
    page.locator(f'label:has-text("{MODIFIERS[5]}")').first.click()
    page.locator(f'label:has-text("{SET[-1]}")').first.click()
    page.locator(f'label:has-text("{SET[0]}")').first.click()
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


def test_a_phone_leads_from_the_filters_to_the_set(sits):
    person, _, _, table = sits()
    page = opened(person, table)
    assert page.locator(".rh-boxes").bounding_box()["y"] > 812
    page.locator(".rh-jump").tap()
    playwright.expect(page.locator(".rh-boxes")).to_be_in_viewport(ratio=1)
    filters, boxes = page.locator(".rh-filters").bounding_box(), page.locator(".rh-boxes").bounding_box()
    assert filters["y"] + filters["height"] <= boxes["y"]


def test_filters_list_the_castes_in_the_order_of_the_cards(sits):
    person, ann, _, table = sits(viewport={"width": 1280, "height": 800})
    page = opened(person, table)
    at_table = page.locator(".rh-castes label").evaluate_all("all => all.map((each) => each.firstChild.data.trim())")
    page.goto(f"{person.url}{begin(ann, title='Greenwood', text=SET[0])}")
    in_tab = page.locator(".set-filters .chips").first.locator(".chip").all_inner_texts()
    castes = ["Outlaw", "Noble", "Royalty", "Knight", "Guard", "Townsfolk", "Modifiers"]
    assert at_table == castes and [words.split()[0] for words in in_tab] == castes


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


def test_whoever_takes_over_the_browser_does_not_see_what_the_rival_has_chosen(sits):
    """As where two people share a device: the same table and tab, and a first decision of both."""
    person, ann, bo, table = sits()
    for guest, chosen in ((ann, SET[:3]), (bo, []), (ann, SET[:3])):
        cookies = [{"name": name, "value": value, "url": person.url} for name, value in guest.http.cookies.items()]
        person.context.clear_cookies()
        person.context.add_cookies(cookies)
        page = opened(person, table)
        if guest is ann and not page.locator("input[data-set-name]:checked").count():
            for name in chosen:
                page.locator(f'label:has-text("{name}")').first.tap()
        page.wait_for_timeout(300)
        found = page.locator("input[data-set-name]:checked")
        assert [each.get_attribute("data-set-name") for each in found.all()] == chosen


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


@pytest.mark.parametrize("viewport", PHONE_FIRST)
def test_a_set_is_typed_at_a_table_and_a_wrong_line_is_named(sits, viewport):
    person, ann, bo, table = sits(viewport=viewport)
    page, text = opened(person, table), None
    page.locator("#set-as-text > summary").tap()
    text, line = page.locator("#set-text"), page.locator("#set-read")
    text.fill("\n".join([*SET[:4], "Robin Hud"]))
    page.locator("button:has-text('Take the text in')").tap()
    playwright.expect(line).to_contain_text("line 5: there is no card 'Robin Hud' here")
    seen = bo.view(table)
    begun = next(move["action"] for move in seen["menu"] if "choose" in move["words"])
    assert bo.move(table, begun, seen["table"]["decision"]).status_code == 200
    page.wait_for_timeout(500)
    assert text.input_value().endswith("Robin Hud") and text.is_visible() and line.is_visible()
    text.fill("\n".join(SET).lower())
    page.locator("button:has-text('Take the text in')").tap()
    playwright.expect(page.locator("[data-set-lacks]")).to_have_text("the set is full")
    assert not line.is_visible() and text.input_value().splitlines()[0] in SET
    page.locator("[data-way=chosen]").tap()
    wait_until(lambda: is_ready(ann, table))
    assert own_set(ann, table) == sorted(SET)
    (refused,) = person.complaints
    assert "422" in refused, "the browser notes the answer to the wrong text"
    person.complaints.clear()


@pytest.mark.parametrize(("viewport", "most"), [(SIZES[0], 190), (SIZES[1], 100)])
def test_a_stake_is_chosen_without_an_empty_dock(browser, viewport, most):
    match = played(game("robin"), lambda match: is_asked(match, "stake"), ante=True)
    page = opened_page(browser, environment().render_template("table.html", **table_page(match, 0)), *viewport.values())
    dock, card = page.locator("#dock"), page.locator(".rh-who").first
    assert viewport["height"] - dock.bounding_box()["y"] <= most and page.locator("#scene").count() == 0
    card.click()
    act = page.locator("#acts button:visible", has_text="Stake")
    place = act.bounding_box()
    assert place["y"] >= dock.bounding_box()["y"] and place["y"] + place["height"] <= viewport["height"]
    page.close()


@pytest.mark.parametrize(("viewport", "most"), [(SIZES[0], 190), (SIZES[1], 100)])
@pytest.mark.parametrize("id_", ["heirless", "kings-court", "robin", "round-table", "rune-war"])
def test_without_cards_in_hand_the_dock_keeps_no_room_for_them(browser, id_, viewport, most):
    match = Match.new(id_, names=("Ann", "Bo", "Cy", "Dee")[: game(id_).seats[2]], seed="5a" * 32)
    holding = {
        zone.seat for seat in match.to_act for zone in match.view(seat).zones if zone.role == "hand" and zone.size
    }
    viewers = [None, *(seat for seat in match.to_act if seat not in holding)]
    for viewer in viewers:
        shown = environment().render_template("table.html", **table_page(match, viewer))
        page = opened_page(browser, shown, *viewport.values())
        if not page.locator("[data-set-choice]").count():
            assert viewport["height"] - page.locator("#dock").bounding_box()["y"] <= most
        page.close()


def test_a_phone_marks_where_the_button_of_a_touched_card_will_stand(browser):
    match = played(game("robin"), is_answering, ANSWERED)
    page = opened_page(browser, environment().render_template("table.html", **table_page(match, 0)), *SIZES[0].values())
    place, act = page.locator(".touch-first"), page.locator("#acts .act:visible")
    there = place.bounding_box()
    assert there["height"] >= 44 and act.count() == 0
    page.locator(".hand .piece").first.click()
    assert not place.is_visible() and abs(act.bounding_box()["y"] - there["y"]) < 6
    page.close()


def test_a_place_names_the_card_that_would_stand_there_in_full_where_there_is_room():
    match = played(game("robin"), is_answering, ANSWERED)
    shown = environment().render_template("table.html", **table_page(match, 0))
    hand = next(zone for zone in match.view(0).zones if zone.id == "hand.0")
    assert hand.pieces and all(f'↓ <span class="rh-long">{piece.name}</span>' in shown for piece in hand.pieces)


def test_round_table_says_what_rp_are():
    match = played(game("round-table"), lambda match: 0 in match.to_act)
    shown = environment().render_template("table.html", **table_page(match, 0))
    assert '0 of 1 <span class="wide">Resource Points (</span>RP<span class="wide">)</span> in use' in shown
