"""The lessons of the site in Chromium: all are done to their ends, with a network and without one."""

import http.server

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from quintain.engine.play.lesson import lesson_of
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import own_games
from server.browser.visits import KEPT, READY, address_of, made, opened, until

STEP = "#lesson-leave [name=step]"
GO_ON = "button[form=lesson-on]:visible"
SHOW = "button[form=lesson-show]:visible"


def do_lesson(page: Page, address: str, found: Game) -> None:
    """Do a lesson from the lobby to its end: see each move be made, and go on."""
    opened(page, address)
    shown: FrameLocator = page.frame_locator("#page")
    shown.locator(f"form[action$='/learn/{found.id}'] button").click(timeout=READY)
    asked = shown.get_by_label("Your name").or_(shown.locator("#coach"))
    asked.first.wait_for(timeout=READY)
    if not shown.locator("#coach").count():
        shown.get_by_label("Your name").fill("Ann")
        shown.get_by_role("button", name="That is me").click()
    for number, step in enumerate(lesson_of(found).steps):
        expect(shown.locator("#coach-title")).to_have_text(step.title, timeout=READY)
        expect(shown.locator(STEP)).to_have_value(str(number), timeout=READY)
        shown.locator(SHOW if step.move else GO_ON).click(timeout=READY)
    expect(shown.locator("#coach-title")).to_have_text("You know enough", timeout=READY)
    shown.locator(GO_ON).click()
    shown.locator("#coach").wait_for(state="detached", timeout=READY)


@made
@pytest.mark.long
def test_all_lessons_are_done_with_a_network_and_without(browser: Browser, served: http.server.ThreadingHTTPServer):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    first, second, *others = own_games()
    for found in (first, second):
        do_lesson(page, address_of(served), found)
    until(page, KEPT)
    served.shutdown()
    served.server_close()
    for found in others:
        do_lesson(page, address_of(served), found)
    context.close()
