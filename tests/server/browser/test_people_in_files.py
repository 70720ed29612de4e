"""Two people who share a device, in Chromium: a turn ends, and the other one is asked."""

import http.server

import pytest
from playwright.sync_api import Browser, expect

from server.browser.visits import READY, address_of, made, opened

PEOPLE = {"game": "robin", "name": "Ann", "seat.0": "me", "seat.1": "person", "seat.1.name": "Mary"}
SIT = """async (form) => {
  const body = new URLSearchParams(form), headers = {accept: 'text/html'};
  const begun = await (await fetch('tables', {method: 'POST', headers, body})).text();
  return /tables\\/[\\w-]+/.exec(begun.replaceAll('&#x2f;', '/'))[0];
}"""
"""Makes a table, and returns its address below the folder."""


@made
@pytest.mark.long
def test_the_table_hides_as_soon_as_somebody_else_is_asked(browser: Browser, served: http.server.ThreadingHTTPServer):
    address, context = address_of(served), browser.new_context()
    page = context.new_page()
    opened(page, address)
    opened(page, address + page.frames[1].evaluate(SIT, PEOPLE))
    inside = page.frame_locator("#page")
    chosen = inside.locator("input[data-set-name]:checked")
    inside.locator("[data-way=rest]").click(timeout=READY)
    expect(chosen).to_have_count(15, timeout=READY)
    inside.locator("[data-way=chosen]").click()
    expect(inside.locator(".hand-on h1")).to_have_text("Mary is asked", timeout=READY)
    expect(inside.locator("input[data-set-name]")).to_have_count(0)
    inside.get_by_role("button", name="I am Mary").click()
    expect(inside.locator("[data-set-choice]")).to_be_visible(timeout=READY)
    expect(chosen).to_have_count(0)
    inside.locator("[data-way=rest]").click()
    inside.locator("[data-way=chosen]").click()
    expect(inside.locator("#log")).to_contain_text("Round 1 begins", timeout=READY)
    context.close()


@made
@pytest.mark.long
@pytest.mark.parametrize("path", ["", "index.html", "index.html#nothing", "index.html#/", "?from=elsewhere"])
def test_every_address_of_the_lobby_leads_to_it(browser: Browser, served: http.server.ThreadingHTTPServer, path: str):
    context = browser.new_context()
    page = context.new_page()
    opened(page, address_of(served) + path)
    expect(page.frame_locator("#page").get_by_role("heading", level=1)).to_be_visible(timeout=READY)
    assert page.url.partition("?")[0] == address_of(served)
    context.close()
