"""The place Cards of the site in Chromium: a deck is built and played, a set is taken, and links are opened."""

import http.server

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from server.browser.visits import KEPT, READY, address_of, made, opened, until

DECKS, SETS = "cards/round-table/decks", "cards/robin/sets"


def shown(page: Page, address: str) -> FrameLocator:
    """Open a page of the site, and return its frame."""
    opened(page, address)
    return page.frame_locator("#page")


@made
@pytest.mark.long
def test_a_deck_is_built_and_played_and_survives_a_reload_and_a_stopped_server(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    address, context = address_of(served), browser.new_context()
    page = context.new_page()
    inside = shown(page, f"{address}index.html#/{DECKS}")
    inside.get_by_role("button", name="Copy").first.click(timeout=READY)
    inside.get_by_label("Your name").fill("Ann", timeout=READY)
    inside.get_by_role("button", name="That is me").click()
    text = inside.locator("#deck-text")
    before = text.input_value(timeout=READY)
    inside.locator("button[form=touches][name=less]").first.click()
    expect(text).not_to_have_value(before, timeout=READY)
    inside.locator("button[form=take-back]").click()
    expect(text).to_have_value(before, timeout=READY)
    link = inside.locator("#share-link").input_value()
    until(page, KEPT)
    served.shutdown()
    served.server_close()
    page.reload(wait_until="commit")
    expect(inside.locator("#deck-text")).to_have_value(before, timeout=READY)
    page.close()
    page = context.new_page()
    inside = shown(page, address + DECKS)
    inside.locator(".deck-rows h3 a").first.click(timeout=READY)
    expect(inside.locator("#deck-text")).to_have_value(before, timeout=READY)
    inside.get_by_role("link", name="Play with it").click()
    inside.get_by_role("button", name="Make the table").click(timeout=READY)
    inside.locator("#table").wait_for(timeout=READY)
    inside = shown(page, link)
    expect(inside.locator(".deck-text")).to_have_text(before.strip(), timeout=READY)
    context.close()


@made
@pytest.mark.long
def test_a_set_is_taken_at_a_table_and_its_link_opens_on_another_device(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    address, context = address_of(served), browser.new_context()
    page = context.new_page()
    inside = shown(page, f"{address}index.html#/{SETS}")
    inside.get_by_label("Your name").first.fill("Ann", timeout=READY)
    inside.get_by_role("button", name="Deal a set").click()
    cards = inside.locator("#set-text").input_value(timeout=READY)
    link = inside.locator("#share-link").input_value()
    inside.get_by_role("link", name="Make a table").click()
    inside.get_by_role("button", name="Make the table").click(timeout=READY)
    inside.locator("#saved-sets").get_by_role("button", name="Take").click(timeout=READY)
    inside.get_by_role("button", name="Ready").click(timeout=READY)
    inside.locator("[data-set-choice]").wait_for(state="detached", timeout=READY)
    context.close()
    other = browser.new_context()
    inside = shown(other.new_page(), link)
    expect(inside.get_by_label("Its cards")).to_have_value(cards, timeout=READY)
    other.close()
