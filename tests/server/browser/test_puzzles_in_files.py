"""Puzzles in a browser without a server: solved, missed and doubted, and a streak that outlives the page."""

import datetime
import http.server

import pytest
from playwright.sync_api import Browser, Page, expect

from quintain.engine.rules.registry import game
from quintain.lab.puzzles import Puzzle, puzzle_of_the_day, puzzles
from server.browser.visits import READY, address_of, made, opened

COURT = "kings-court"
LEARN = """async (game) => {
  const body = new URLSearchParams({name: 'Ann', next: `/play/${game}`}), headers = {accept: 'text/html'};
  const begun = await (await fetch('name', {method: 'POST', headers, body})).text();
  const table = /tables\\/[\\w-]+/.exec(begun.replaceAll('&#x2f;', '/'))[0];
  await fetch(`${table}/resign`, {method: 'POST', headers});
}"""
"""Plays a game to an early end, so that its puzzles are open."""
CHOOSE = "(action) => document.querySelector(`#acts [name=action][value='${action}']`).click()"
"""Answers a puzzle by its button, which may be hidden until a card is touched."""


def answer(page: Page, address: str, puzzle: Puzzle, action: int) -> None:
    """Open a puzzle, and answer it."""
    opened(page, f"{address}puzzles/{puzzle.game.id}/{puzzle.id}")
    page.frame_locator("#page").locator("#acts").wait_for(state="attached", timeout=READY)
    page.frames[1].evaluate(CHOOSE, action)


@made
@pytest.mark.long
def test_a_puzzle_is_solved_one_is_missed_and_doubted_and_the_streak_is_kept(
    browser: Browser, served: http.server.ThreadingHTTPServer
):
    today = puzzle_of_the_day(datetime.datetime.now(datetime.UTC).date())
    assert today is not None
    other = min((each for each in puzzles(game(COURT)) if each.id != today.id), key=lambda each: len(each.candidates))
    context = browser.new_context()
    page = context.new_page()
    opened(page, address := address_of(served))
    for found in {today.game.id, COURT}:
        page.frames[1].evaluate(LEARN, found)
    shown = page.frame_locator("#page")
    answer(page, address, today, today.best.action)
    expect(shown.locator("#verdict")).to_contain_text("Right", timeout=READY)
    expect(shown.locator(".answer-bar")).to_contain_text("Your streak is 1 day.")
    answer(page, address, other, other.candidates[-1].action)
    expect(shown.locator("#verdict")).to_contain_text("yours", timeout=READY)
    shown.get_by_role("button", name="I doubt this").click()
    expect(shown.get_by_text("it is judged again")).to_contain_text("% done", timeout=READY)
    page.close()
    page = context.new_page()
    opened(page, address)
    shown = page.frame_locator("#page")
    expect(shown.get_by_text("in a row")).to_contain_text("1 day in a row", timeout=READY)
    opened(page, f"{address}puzzles")
    expect(shown.locator(".puzzle-points")).to_contain_text("1 of 2 solved at the first try", timeout=READY)
    opened(page, f"{address}puzzles/{other.game.id}/{other.id}")
    expect(shown.get_by_text("it is judged again")).to_contain_text("% done", timeout=READY)
    shown.get_by_text("the answer holds").wait_for(timeout=5 * READY)
    expect(shown.locator("aside").get_by_text("The adviser tried each move")).to_contain_text("300,000 times")
    context.close()
