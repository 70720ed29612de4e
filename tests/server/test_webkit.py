"""A person plays in WebKit, as Debian has it, and goes back to a page that the browser has kept."""

import pytest

from quintain.server.pages.rendering import STATIC
from server.browsing import Distant, play
from server.guests import wait_until
from server.webkit import IS_INSTALLED, WebKit

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not IS_INSTALLED, reason="WebKit is not there (Debian: webkit2gtk-driver and xvfb)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]
GAMES = ("kings-court", "rune-war", "heirless", "robin", "round-table")
ANSWERS = 20


@pytest.fixture
def ann(serving):
    person = WebKit(serving.url)
    yield person
    person.close()


def sit_down(ann, serving, game):
    """Let Ann sit down in WebKit, and Bo, who plays over HTTP, at a table of theirs; return Bo."""
    guest, bo = serving.guest("Ann"), Distant(None, serving.url)
    table = guest.make(game, "me", "open")
    bo.sit_down(f"{serving.url}/tables/{table}", "Bo")
    ann.come_as(guest, table)
    return bo


@pytest.mark.parametrize("game", GAMES)
def test_openings_are_played_in_webkit(ann, serving, game):
    bo = sit_down(ann, serving, game)
    play([ann, bo], ANSWERS)
    while not ann.is_asked():
        bo.answer()
    seen = ann.text("#log")
    ann.ask("/refresh")
    assert ann.text("#log").startswith(seen.strip())
    bo.context.close()


def test_a_page_to_which_back_leads_shows_the_table_as_it_is_now(ann, serving):
    bo = sit_down(ann, serving, "goofspiel")
    wait_until(lambda: ann.has("#link.on"))
    ann.answer()
    ann.run("window.isKept = true")
    ann.goto(f"{serving.url}/rules")
    bo.answer()
    ann.ask("/back")
    assert ann.run("return window.isKept === true"), "WebKit keeps the pages that it leaves"
    wait_until(lambda: "won the prize" in ann.text("#log") and ann.has("#link.on"))
    bo.context.close()
