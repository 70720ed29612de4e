"""The page of a rulebook: its contents list, and anchors to link to."""

import html
import re

import pytest

import quintain
from quintain.engine.rules.registry import game
from quintain.server.pages.rulebooks import rulebook_page, with_contents
from server.browsing import CHROMIUM

GAMES = sorted(game.id for game in quintain.all_games() if game.folder)
PHONE, WIDE = (375, 812), (1280, 800)


def links(page: str, tag: str) -> list[tuple[str, str]]:
    """Return the addresses and words of the links in the contents list that is this element."""
    (listed,) = re.findall(rf'<{tag} class="contents".*?</{tag}>', page, re.DOTALL)
    return [(href, plain(words)) for href, words in re.findall(r'<a href="([^"]*)">(.*?)</a>', listed)]


def plain(words: str) -> str:
    """Return words of HTML without tags and entities."""
    return html.unescape(re.sub(r"<[^>]*>", "", words))


@pytest.mark.parametrize("id_", GAMES)
def test_the_contents_list_links_to_every_heading_of_the_rulebook(serving, id_):
    page = serving.guest().get(f"/rules/{id_}", headers={"accept": "text/html"}).text
    headings = [(anchor, plain(words)) for anchor, words in re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', page)]
    assert [words for _, words in headings] == re.findall(r"^## (.*)$", game(id_).text.rulebook(), re.MULTILINE)
    assert len({anchor for anchor, _ in headings}) == len(headings)
    for tag in ("nav", "details"):
        assert links(page, tag) == [(f"#{anchor}", words) for anchor, words in headings]


def test_headings_of_the_same_words_get_anchors_of_their_own():
    page = rulebook_page("# Go\n\n## Scoring\n\n## *Your* first `game`\n\n### A detail\n\n## Scoring\n")
    assert [heading.id for heading in page.contents] == ["part-scoring", "part-your-first-game", "part-scoring-2"]
    assert [heading.words for heading in page.contents] == ["Scoring", "Your first game", "Scoring"]
    assert page.chapters.count('<h2 id="part-scoring-2">Scoring</h2>') == 1


@pytest.mark.parametrize("rulebook", ["# Go\n\nTake all.\n", "# Go\n\n## The rule\n\nTake all.\n"])
def test_a_rulebook_with_less_than_two_headings_has_no_contents_list(rulebook):
    page = rulebook_page(rulebook)
    assert page.contents == []
    assert page.opening.startswith("<h1>Go</h1>")
    assert "Take all." in page.opening + page.chapters
    assert with_contents(rulebook) == rulebook


def test_headings_in_a_block_of_code_are_no_headings():
    rulebook = "# Go\n\n## The board\n\n```\n## not a heading\n```\n\n## The stones\n"
    assert [heading.words for heading in rulebook_page(rulebook).contents] == ["The board", "The stones"]


@pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)")
@pytest.mark.parametrize(("size", "shown", "hidden"), [(WIDE, "nav", "details"), (PHONE, "details", "nav")])
def test_one_contents_list_is_shown_and_leads_to_its_heading_without_script(browser, serving, size, shown, hidden):
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, java_script_enabled=False)
    page.goto(f"{serving.url}/rules/round-table")
    assert not page.is_visible(f"{hidden}.contents")
    if shown == "details":
        assert not page.is_visible("details.contents a")
        page.click("details.contents summary")
    link = page.locator(f"{shown}.contents a").last
    anchor = link.get_attribute("href")
    link.click()
    page.wait_for_url(f"**{anchor}")
    assert 0 <= page.locator(anchor).bounding_box()["y"] < size[1]
    page.close()
