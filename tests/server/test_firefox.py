"""People play the opening of each game in Firefox, as Debian has it."""

import pytest

from quintain.server.pages.rendering import STATIC
from server.browsing import ASKED, Distant, Person, play
from server.firefox import FIREFOX, launched

pytestmark = [
    pytest.mark.skipif(not FIREFOX.exists(), reason=f"there is no {FIREFOX} (Debian: firefox-esr)"),
    pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run"),
]
GAMES = ("kings-court", "rune-war", "heirless", "robin", "round-table")
ANSWERS = 10


@pytest.fixture
def firefox(driver, tmp_path):
    """Firefox, without a window."""
    with launched(driver, tmp_path) as browser:
        yield browser


@pytest.mark.long  # test_browser.py plays in Chromium
def test_openings_are_played_in_firefox(firefox, serving):
    for game in GAMES:
        ann, bo = Person(firefox, serving.url), Distant(firefox, serving.url)
        bo.sit_down(ann.make_table(game, "Ann"), "Bo")
        ann.page.locator(ASKED).wait_for()
        play([ann, bo], ANSWERS)
        while not ann.comes_to_turn():
            bo.answer()
        before = ann.words("#log")
        ann.page.reload()
        assert ann.words("#log").startswith(before.strip()), game
        ann.context.close()
        bo.context.close()
        assert not [fault for fault in ann.complaints if not (ann.was_late and "409" in fault)], game
