"""The bell in Chromium: it says when it cannot ring, wakes at a touch, and notifies through a worker, as on phones."""

import pytest

import quintain
from quintain.server.pages.rendering import environment
from server.browsing import gather, site
from server.guests import wait_until
from server.samples import NAMES, SEED, table_page
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]
RINGS = "localStorage.setItem('quintain-bell', 'on')"
HIDDEN = "Object.defineProperty(document, 'hidden', {get: () => true})"
TURN = "document.dispatchEvent(new CustomEvent('your-turn', {detail: 'King\\u2019s Court'}))"
NOTE_SHOWN = """{
  window.shown = [];
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
    await show.call(this, title, options);
    shown.push([title, options.data.href]);
  };
}"""
"""Notes what Chromium has shown. Asked for its notifications just then, it sometimes forgets them."""


@pytest.fixture
def context(browser):
    """A browser of its own."""
    made = browser.new_context()
    yield made
    made.close()


@pytest.fixture
def table(context):
    """A page of a player who is asked: their bell is on since another day, and they have not touched the page."""
    page = context.new_page()
    page.complaints = []
    gather(page, page.complaints)
    page.route_web_socket("**/*", lambda socket: None)
    match = quintain.Match.new("kings-court", names=NAMES[:2], seed=SEED)
    page.html = environment().render_template("table.html", **table_page(match, min(match.to_act)))
    page.add_init_script(RINGS)
    page.address = site().address(page)
    return page


def test_after_a_reload_the_bell_sleeps_and_says_so_until_the_first_touch(table):
    table.goto(table.address)
    bell = table.locator("#bell")
    assert bell.get_attribute("aria-pressed") == "true"
    assert "asleep" in bell.get_attribute("class") and "Touch the page once" in bell.get_attribute("title")
    table.locator("#question").click()
    table.locator("#bell:not(.asleep)").wait_for()
    assert "Touch" not in bell.get_attribute("title") and not table.complaints


def test_a_page_in_the_background_notifies_and_says_where_it_cannot(table, context):
    context.grant_permissions(["notifications"], origin=table.address.rpartition("/tables")[0])
    table.add_init_script(HIDDEN)
    table.add_init_script(NOTE_SHOWN)
    table.goto(table.address)
    table.locator("#bell").click()
    table.locator("#bell").click()
    assert "shows a notification" in table.locator(".bell-words").inner_text()
    table.evaluate(TURN)
    wait_until(lambda: table.evaluate("shown.length"))
    assert table.evaluate("shown") == [["Your turn: King\u2019s Court", table.address]]
    table.evaluate("Object.defineProperty(window, 'isSecureContext', {value: false})")
    table.locator("#bell").click()
    table.locator("#bell").click()
    assert "shows no notifications" in table.locator(".bell-words").inner_text()
