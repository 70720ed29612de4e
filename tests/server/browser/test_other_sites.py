"""The site in Firefox, as Debian has it; a site with a game from a file; and whether two sites are alike."""

import http.server
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

from quintain.cli import site
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.registry import own_games
from server.browser.visits import KEPT, PLAY, READY, WASM, address_of, made, opened, serving, until
from server.firefox import FIREFOX, launched
from tutorial import write_goofspiel


@made
@pytest.mark.long
@pytest.mark.skipif(not FIREFOX.exists(), reason=f"there is no {FIREFOX} (Debian: firefox-esr)")
def test_all_games_are_played_to_the_end_in_firefox(
    driver: Playwright, tmp_path: Path, served: http.server.ThreadingHTTPServer
):
    with launched(driver, tmp_path) as firefox:
        page = firefox.new_page()
        opened(page, address := address_of(served))
        until(page, KEPT)
        for number, found in enumerate(own_games()):
            if number == len(own_games()) - 1:
                served.shutdown()
                served.server_close()
                page.reload()
            opened(page, address)
            assert page.frames[1].evaluate(PLAY, [found.id, 3 * READY])["moves"] > 0, found.id
        opened(page, f"{address}games")
        assert page.frame_locator("#page").locator(".run-row").count() == len(own_games())


@made
@pytest.mark.long
def test_a_game_from_a_file_is_on_the_site(browser: Browser, tmp_path: Path):
    write_goofspiel(tmp_path / "goofspiel.py")
    command = [sys.executable, "-c", "from quintain.cli import main; main()", "site", str(tmp_path / "web" / "club")]
    setting = {**os.environ, libraries.SETTING: str(WASM)}
    subprocess.run([*command, "--game-file", str(tmp_path / "goofspiel.py")], check=True, env=setting)
    with serving(tmp_path / "web") as served:
        page = browser.new_page()
        opened(page, f"{address_of(served)}index.html#/new/goofspiel")
        page.frame_locator("#page").get_by_role("heading", name="Goofspiel").first.wait_for(timeout=READY)
        opened(page, address_of(served))
        assert page.frames[1].evaluate(PLAY, ["goofspiel", READY])["moves"] > 0
        page.close()


@made
@pytest.mark.long
def test_the_same_sources_give_the_same_bytes(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(libraries.SETTING, str(WASM))
    site.site(tmp_path / "club")
    one, other = folder / "club", tmp_path / "club"
    files = [
        {path.relative_to(each): path.read_bytes() for path in each.rglob("*") if path.is_file()}
        for each in (one, other)
    ]
    assert files[0] == files[1]
