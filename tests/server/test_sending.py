"""What a page says while it waits: that an answer is on its way, and that the connection is lost or back."""

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.rendering import STATIC, environment
from server.browsing import ASKED, CHROMIUM, Distant, Person, opened
from server.guests import wait_until
from server.samples import played, table_page

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]
NOTES = """
window.spoken = [];
window.sockets = [];
window.isDeaf = false;
WebSocket = class extends WebSocket {
  constructor(...more) {
    super(...more);
    sockets.push(this);
    this.addEventListener("close", (event) => { if (isDeaf && event.isTrusted) event.stopImmediatePropagation(); });
  }
};
addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("spoken");
  const note = () => spoken.push(place.textContent);
  if (place) new MutationObserver(note).observe(place, {childList: true, characterData: true, subtree: true});
});
"""
"""A script that notes what a page speaks, and its sockets; a socket of a deaf page closes without a word."""


@pytest.fixture
def at_table(browser, serving):
    """Ann in a browser and Bo, at a table of Goofspiel at which both bid."""
    ann, bo = Person(browser, serving.url), Distant(browser, serving.url)
    ann.context.add_init_script(NOTES)
    bo.sit_down(ann.make_table("goofspiel", "Ann"), "Bo")
    ann.page.locator(ASKED).wait_for()
    playwright.expect(ann.page.locator("#link")).to_have_text("Connected")
    yield ann, bo
    ann.page.unroute_all(behavior="ignoreErrors")
    ann.context.close()
    bo.context.close()
    assert not ann.complaints


def held_posts(page, act="moves"):
    """Return the list of such posts that a page sends from now on, none of which goes further by itself."""
    held = []

    def hold(route):
        held.append(route)

    page.route(f"**/{act}", hold)
    return held


def lay_a_card(page):
    """Touch a card, and its button if the touch only chooses it; return the card's id."""
    card = page.locator(".hand .piece.lit").first
    name = card.get_attribute("id")
    card.click()
    if card.evaluate("card => card.matches('a')"):
        page.locator("#acts .act:visible").first.click()
    return name


def test_a_card_is_on_its_way_at_once_and_no_second_touch_is_sent(at_table):
    page = at_table[0].page
    page.clock.install()
    held = held_posts(page)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    name = lay_a_card(page)
    going = page.locator(f"[id='{name}'].going")
    playwright.expect(going).to_have_css("outline-style", "dashed")
    assert not page.locator("#sending").count()
    page.clock.run_for(1000)
    playwright.expect(page.locator("#sending")).to_contain_text("On its way: ")
    lay_a_card(page)
    page.clock.run_for(4000)
    playwright.expect(page.locator("#sending")).to_contain_text("Sent 5 seconds ago.")
    playwright.expect(page.locator("#try-again")).to_be_hidden()
    assert len(held) == 1
    held[0].continue_()
    playwright.expect(page.locator(".going, #sending, .sending")).to_have_count(0)
    playwright.expect(page.locator("#question")).to_have_text("Bo is to act")
    assert [words.partition(":")[0] for words in page.evaluate("spoken")] == ["On its way"]


def test_a_press_holds_although_previews_come_before_it_ends(browser):
    match = played(game("kings-court"), lambda match: match.to_act == {0} and len(match.moves_made) > 20)
    page, held = opened(browser, environment().render_template("table.html", **table_page(match, 0))), []

    def hold(route):
        held.append(route)

    page.route("**/previews*", hold)
    chosen = page.locator("#acts .group[data-for]:has(.preview)").first.get_attribute("data-for")
    page.locator(f"a.piece.lit[id='{chosen}']").click()
    act = page.locator("#acts .act:visible:has(.preview)").first
    preview = act.locator(".preview")
    before, value = preview.inner_text(), act.get_attribute("value")
    box = preview.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    wait_until(lambda: page.wait_for_timeout(50) or held)
    late = {"tone": "good", "short": "late", "lines": [{"words": "late"}]}
    decision = int(page.locator("#moves > [name=decision]").get_attribute("value"))
    held[0].fulfill(json={"decision": decision, "previews": {value: late}})
    page.wait_for_timeout(300)
    assert preview.inner_text() == before
    page.evaluate("document.addEventListener('previewed', () => { window.isShown = true; })")
    with page.expect_request("**/moves"):
        page.mouse.up()
    wait_until(lambda: page.evaluate("window.isShown"))


def shown(browser, **table):
    """Open the page of a player of King's Court who is not asked."""
    match = played(game("kings-court"), lambda match: match.to_act == {1} and len(match.moves_made) > 20)
    return opened(browser, environment().render_template("table.html", **table_page(match, 0, table=table)))


def test_skip_is_on_its_way_at_once_and_sent_once(browser):
    page = shown(browser, waits_for_bots="a second")
    held = held_posts(page, "hurry")
    page.locator("#hurry-button").click()
    playwright.expect(page.locator("#sending")).to_contain_text("On its way: Skip to my turn")
    page.locator("#hurry-button").click()
    page.wait_for_timeout(200)
    assert len(held) == 1


def test_whoever_is_out_may_skip_to_the_end_or_leave(browser):
    page = shown(browser, is_out=True, can_skip=True)
    assert "You are out of the game" in page.locator("#help").inner_text()
    assert page.locator("#acts a").get_attribute("href") == "/"
    with page.expect_request("**/skip"):
        page.keyboard.press("s")


def test_a_hint_that_cannot_be_asked_for_can_be_asked_for_again(browser):
    match = played(game("kings-court"), lambda match: match.to_act == {0} and len(match.moves_made) > 20)
    page = opened(browser, environment().render_template("table.html", **table_page(match, 0)))
    before = page.locator("#help").inner_text()
    page.route("**/hint", lambda route: route.abort())
    button = page.locator(".tool[form=hint]")
    for _ in range(2):
        with page.expect_event("requestfailed"):
            button.click()
        playwright.expect(button).not_to_have_attribute("aria-busy", "true")
        assert page.locator("#help").inner_text() == before


def test_what_is_on_its_way_stays_marked_when_a_page_comes_meanwhile(at_table):
    ann, bo = at_table
    page, held = ann.page, held_posts(ann.page)
    name = lay_a_card(page)
    page.locator("#sending").wait_for()
    bo.answer()
    playwright.expect(page.locator("#seats")).to_contain_text("done")
    playwright.expect(page.locator(f"[id='{name}'].going")).to_have_count(1)
    playwright.expect(page.locator("#sending")).to_be_visible()
    held[0].continue_()
    playwright.expect(page.locator("#log")).to_contain_text("won the prize")
    playwright.expect(page.locator(".going, #sending")).to_have_count(0)


def test_after_fifteen_seconds_it_can_be_sent_again(at_table):
    page = at_table[0].page
    page.clock.install()
    held = held_posts(page)
    lay_a_card(page)
    page.clock.run_for(15_000)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("() => !document.getElementById('try-again')")
    page.clock.run_for(1000)
    assert len(held) == 2 and held[0].request.post_data == held[1].request.post_data
    held[1].continue_()
    playwright.expect(page.locator("#question")).to_have_text("Bo is to act")


def test_a_page_speaks_of_its_connection_only_when_that_changes(at_table):
    ann, bo = at_table
    ann.answer()
    bo.answer()
    playwright.expect(ann.page.locator("#log")).to_contain_text("won the prize")
    link = ann.page.locator("#link")
    assert ann.page.evaluate("spoken") == [] and not link.get_attribute("aria-live")
    ann.page.evaluate("sockets.at(-1).close(1000)")
    ann.page.wait_for_function("() => spoken.length === 2")
    assert ann.page.evaluate("spoken") == ["Connecting again", "Connected"]
    assert ann.page.evaluate("sockets.length") == 2, "a close that the page did not ask for is tried again"


def test_a_page_that_the_browser_has_kept_connects_again_and_shows_the_table_as_it_is_now(at_table):
    ann, bo = at_table
    page = ann.page
    ann.answer()
    page.evaluate("isDeaf = true; sockets.at(-1).close(1000)")
    page.wait_for_function("() => sockets.at(-1).readyState === WebSocket.CLOSED")
    bo.answer()
    page.wait_for_timeout(1000)
    assert "won the prize" not in ann.words("#log")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    playwright.expect(page.locator("#log")).to_contain_text("won the prize")
    playwright.expect(page.locator("#link")).to_have_text("Connected")
    assert page.evaluate("sockets.length") == 2
