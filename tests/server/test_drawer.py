"""The drawer of rules beside a table, in Chromium: it opens at the clause, finds words, and leaves the table alone."""

import pytest

import quintain
from server.browsing import ASKED, Person
from server.test_looks import RULES as WCAG
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]
DESK, PHONE = (1280, 800), (375, 812)
GAMES = sorted(game.id for game in quintain.all_games() if game.folder)
RULES, TEXT, FIELD, SAID = "#bar a.rules", "#drawer .drawer-text", "#drawer-search", "#drawer .book-said"

LINK = """([clause, place]) => {
  const link = document.createElement("a");
  Object.assign(link, {href: `/rules/kings-court#${clause}`, textContent: clause});
  document.querySelector(place).append(link);
  link.click();
}"""
"""A script that puts a link to a clause somewhere on the table, and follows it before the table changes."""


@pytest.fixture
def sit(browser, serving):
    """Return a function that seats Ann at a table with Bo, who posts his moves; her page must have no errors."""
    came = []

    def seated(game="kings-court", size=DESK, theme="light", **settings):
        host, bo = serving.guest("Ann"), serving.guest("Bo")
        viewport = {"width": size[0], "height": size[1]}
        ann = Person(browser, host.url, viewport=viewport, color_scheme=theme, **settings)
        came.append(ann)
        table = host.make(game, "me", "open")
        bo.sit(table, 1)
        ann.come_as(host, table)
        ann.page.locator("#table-body.frame").wait_for()
        return ann, bo, table

    yield seated
    for ann in came:
        ann.context.close()
        assert not ann.complaints


def opened(ann):
    """Open the drawer by the link to the rules, which on a phone is in the menu."""
    if ann.page.locator(RULES).is_visible():
        ann.page.locator(RULES).click()
    else:
        ann.page.locator("#menu > summary").click()
        ann.page.get_by_role("link", name="Rules").click()
    ann.page.locator(TEXT).wait_for()
    return ann.page.locator("#drawer")


def is_in_sight(page, selector):
    """Tell whether an element lies inside what the drawer shows of the rulebook."""
    inside, outside = page.locator(selector).bounding_box(), page.locator(TEXT).bounding_box()
    return outside["y"] - 1 <= inside["y"] and inside["y"] + 10 <= outside["y"] + outside["height"]


def boxes(page, *selectors):
    return [page.locator(selector).bounding_box() for selector in selectors]


def settled_boxes(page, *selectors):
    """Return the boxes once fonts are there and the page has stopped to move."""
    page.evaluate("document.fonts.ready.then(() => true)")
    before = None
    while (now := boxes(page, *selectors)) != before:
        before = now
        page.wait_for_timeout(500)
    return now


@pytest.mark.long_for(  # the drawers of the games differ by their texts alone
    *(f"{game}-{look}" for game in GAMES for look in ("size0-light", "size1-dark") if game != "kings-court")
)
@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")])
@pytest.mark.parametrize("game", GAMES)
def test_the_drawer_is_accessible_and_the_table_does_not_scroll(sit, game, size, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    ann, *_ = sit(game, size, theme)
    before = settled_boxes(ann.page, "#seats", "#board", "#dock")
    opened(ann)
    found = axe.run(ann.page, options={"runOnly": list(WCAG), "resultTypes": ["violations"]})
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found.response["violations"]] == []
    wide = ann.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert wide == list(size)
    assert boxes(ann.page, "#seats", "#board", "#dock") == before
    (drawer,) = boxes(ann.page, "#drawer")
    assert drawer["x"] >= 0 and drawer["x"] + drawer["width"] <= size[0] and drawer["y"] + drawer["height"] == size[1]
    text = ann.page.locator(TEXT)
    assert text.evaluate("text => text.scrollWidth <= text.clientWidth"), "the rulebook is wider than the drawer"


def test_on_a_desk_the_drawer_takes_the_place_of_the_rail_alone(sit):
    ann, *_ = sit()
    opened(ann)
    drawer, rail = boxes(ann.page, "#drawer", "#rail")
    assert drawer == rail


def test_on_a_phone_the_drawer_takes_three_fifths_of_the_height_or_all_below_the_bar(sit):
    ann, *_ = sit(size=PHONE)
    opened(ann)
    assert boxes(ann.page, "#drawer")[0]["height"] <= 0.6 * PHONE[1] + 1
    ann.page.get_by_role("button", name="Full height").click()
    assert boxes(ann.page, "#drawer")[0]["height"] > 0.9 * PHONE[1]


def test_a_link_to_a_clause_opens_the_drawer_there_and_marks_it(sit):
    ann, _, table = sit()
    page = ann.page
    page.evaluate(LINK, ["KC-13", "#why"])
    page.locator(f"{TEXT} .marked").wait_for()
    assert page.locator(f"{TEXT} .marked").inner_text().startswith("KC-13 A 7 moves up to 4")
    assert is_in_sight(page, f"{TEXT} .marked")
    assert page.url.endswith(table)
    page.locator(f"{TEXT} .marked + p a[href='#KC-12'], {TEXT} a[href='#KC-12']").first.click()
    assert page.locator(f"{TEXT} .marked").inner_text().startswith("KC-12")
    assert page.url.endswith(table)


def test_a_clause_that_the_rulebook_does_not_have_shows_it_from_the_top(sit):
    ann, *_ = sit()
    opened(ann)
    ann.page.locator(TEXT).evaluate("text => { text.scrollTop = 900; }")
    ann.page.evaluate(LINK, ["KC-99", "#board"])
    ann.page.wait_for_function("place => document.querySelector(place).scrollTop === 0", arg=TEXT)
    assert ann.page.locator(f"{TEXT} .marked").count() == 0


def test_search_marks_hits_goes_from_one_to_the_next_and_says_how_many(sit):
    ann, *_ = sit()
    opened(ann)
    page = ann.page
    page.locator(FIELD).fill("majority bonus")
    total = int(page.locator(SAID).inner_text().removeprefix("1 of "))
    assert total == page.locator(f"{TEXT} :is(p, li, tr):has(mark)").count() > 2
    assert is_in_sight(page, f"{TEXT} .at-hit")
    page.keyboard.press("Enter")
    assert page.locator(SAID).inner_text() == f"2 of {total}"
    assert is_in_sight(page, f"{TEXT} .at-hit")
    for _ in range(2):
        page.get_by_role("button", name="Previous hit").click()
    assert page.locator(SAID).inner_text() == f"{total} of {total}"
    page.locator(FIELD).fill("")
    assert page.locator(f"{TEXT} mark").count() == 0


def test_search_for_a_number_goes_to_its_clause(sit):
    ann, *_ = sit()
    opened(ann)
    ann.page.locator(FIELD).fill("kc-1")
    assert ann.page.locator(f"{TEXT} .at-hit").inner_text().startswith("KC-1 There are 48 cards")


def test_search_without_a_hit_says_what_could_be_found(sit):
    ann, *_ = sit("robin")
    opened(ann)
    ann.page.locator(FIELD).fill("<b>dragons")
    words = "Look for words of the rules, or for a number such as RH-1, or for the name of a card."
    assert ann.page.locator(SAID).inner_text() == f"Nothing found for “<b>dragons”. {words}"


@pytest.mark.long_for("round-table", "robin")  # these have the most cards
@pytest.mark.parametrize("game", [game.id for game in quintain.all_games() if game.folder and game.collection])
def test_search_finds_each_card_by_its_name(sit, game):
    ann, *_ = sit(game)
    opened(ann)
    names = [card.name for card in quintain.game(game).collection.cards("")]
    found = ann.page.evaluate(
        """names => names.filter(name => { const field = document.querySelector("#drawer-search"); field.value = name;
            field.dispatchEvent(new Event("input", {bubbles: true}));
            return [...document.querySelectorAll(".listed:has(mark) > b")].some(b => b.textContent === name); })""",
        names,
    )
    assert found == names


def test_the_contents_and_the_cards_are_one_touch_away(sit):
    ann, *_ = sit("heirless")
    opened(ann)
    ann.page.locator("#drawer-contents").select_option(label="Alliances")
    assert is_in_sight(ann.page, f"{TEXT} #part-alliances")
    ann.page.locator("#drawer").get_by_role("link", name="Cards").click()
    assert is_in_sight(ann.page, f"{TEXT} #cards")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_keyboard_opens_and_escape_closes_and_the_focus_returns(sit, size):
    ann, *_ = sit(size=size)
    opener = ann.page.locator(RULES if size == DESK else "#menu > summary")
    opener.focus()
    if size == DESK:
        ann.page.keyboard.press("Enter")
    else:
        opened(ann)
    ann.page.locator(f"{TEXT}:focus").wait_for()
    ann.page.keyboard.press("Escape")
    assert ann.page.locator("#drawer").is_hidden()
    assert opener.evaluate("opener => opener === document.activeElement")


def test_keys_that_are_pressed_in_the_drawer_ask_nothing_of_the_table(sit):
    ann, *_ = sit()
    ann.page.locator(ASKED).wait_for()
    opened(ann)
    posts = []
    ann.page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    for key in ("1", "h", "z", " "):
        ann.page.keyboard.press(key)
    ann.page.wait_for_timeout(500)
    assert posts == [] and ann.page.locator("#drawer").is_visible()


def test_a_push_neither_closes_the_drawer_nor_moves_what_it_shows(sit):
    ann, bo, table = sit()
    opened(ann)
    ann.page.locator(FIELD).fill("influence")
    ann.page.locator(TEXT).evaluate("text => { text.scrollTop = 1234; }")
    put = bo.view(table)["menu"][0]["action"]
    assert bo.move(table, put, bo.view(table)["table"]["decision"]).status_code == 200
    ann.page.locator("[id='seat.1'] :text('1')").first.wait_for()
    ann.page.locator("#moves button[name=action]:visible, #moves .piece.lit:visible").first.click()
    ann.page.locator("#moves > [name=decision]:not([value='0'])").wait_for(state="attached")
    assert ann.page.locator(TEXT).evaluate("text => text.scrollTop") == 1234
    assert ann.page.locator(FIELD).input_value() == "influence" and ann.page.locator(f"{TEXT} mark").count() > 9


def test_the_rulebook_is_loaded_once_and_not_before_somebody_asks(sit):
    ann, *_ = sit()
    asked = []
    ann.page.on("request", lambda request: asked.append(request.url) if "/rules/" in request.url else None)
    assert ann.page.locator(TEXT).count() == 0
    opened(ann)
    ann.page.locator("#drawer-close").click()
    opened(ann)
    assert len(asked) == 1


def test_without_a_connection_the_drawer_says_so_and_tries_again(sit):
    ann, *_ = sit()
    ann.page.route("**/rules/**", lambda route: route.abort())
    ann.page.locator(RULES).click()
    ann.page.get_by_text("The rules cannot be loaded just now").wait_for()
    ann.complaints.clear()
    ann.page.unroute("**/rules/**")
    ann.page.locator("#drawer-close").click()
    opened(ann)


def test_without_script_the_link_opens_the_page_of_the_rules(sit, browser):
    ann, *_ = sit()
    still = browser.new_page(java_script_enabled=False)
    still.goto(f"{ann.url}/rules/kings-court#KC-9")
    assert still.locator("#KC-9").is_visible()
    still.locator("#rules-search").fill("garnets")
    still.get_by_role("button", name="Find").click()
    assert still.locator("mark").first.inner_text().lower() == "garnets"
    assert ann.page.locator(RULES).get_attribute("href") == "/rules/kings-court"
    still.close()
