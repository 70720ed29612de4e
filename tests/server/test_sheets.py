"""Style sheets in Chromium: what belongs to one game or to one kind of page reaches nothing else."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

import quintain
from quintain.engine.rules.registry import own_games
from quintain.server.pages import forms
from quintain.server.pages.rendering import STATIC, environment, sheets
from server.browsing import opened
from server.samples import NAMES, SEED, VISITOR, table_page
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]
ROOT = Path(__file__).parents[2]
OF_PAGES = (
    "players.css",
    "rules.css",
    "end.css",
    "replay.css",
    "talk.css",
    "puzzle.css",
    "shelf.css",
    "workshop.css",
    "balance.css",
    "paper.css",
    "chances.css",
    "analysis.css",
    "deck.css",
)
"""The style sheets of pages and parts that are no board."""
OF_ALL = ("page.css",)
"""Those whose names are for all pages."""
SHARED = {".menu", ".arms", ".icon", ".said", ".button", ".panel", ".quiet", ".notice", ".empty"}
"""The names in them that boards use, too."""
TOPS = """() => [...document.styleSheets].filter((sheet) => sheet.href?.includes("boards.css"))
  .flatMap((sheet) => [...sheet.cssRules])
  .map((rule) => [rule.selectorText ?? rule.cssText.slice(0, 60), rule.cssRules?.length])"""
"""The rules of boards.css as the browser reads them: the selector of each that stands in no other, and its length."""
REACHES = """(names) => {
  const places = [...document.querySelectorAll("#board *, .hand *")];
  const found = new Set();
  const look = (rules) => {
    for (const rule of rules) {
      if (rule.cssRules && !rule.selectorText) look(rule.cssRules);
      for (const one of (rule.selectorText ?? "").replace(/::[a-z-]+/g, "").split(/,(?![^(]*\\))/))
        if (one.includes(".") && places.some((each) => each.matches(one))) found.add(one.trim());
    }
  };
  for (const sheet of document.styleSheets)
    if (names.some((name) => new URL(sheet.href).pathname.endsWith(`/${name}`))) look(sheet.cssRules);
  return [...found];
}"""
"""The selectors with a class, in the style sheets of these names, that reach something on the board or in the hand."""


def games():
    """Return the games with a board of their own."""
    folder = ROOT / "src" / "quintain" / "games"
    return [found for found in quintain.all_games() if (folder / found.id.replace("-", "_") / "board.css").is_file()]


@pytest.fixture
def show(browser):
    """Return a function that opens a table of a game."""

    def page_of(found):
        match = quintain.Match.new(found, names=NAMES[: found.seats[2]], seed=SEED)
        html = environment().render_template("table.html", **table_page(match, min(match.to_act), foresees=False))
        return opened(browser, html)

    return page_of


def test_every_rule_of_a_board_stands_under_the_scope_of_its_game(show):
    """The names of boards are short, such as `.house` and `.key`: under a scope no other page can meet them."""
    assert (STATIC / "vendor" / "boards.css").read_text(encoding="utf-8") == sheets(own_games()), "run tools/assets.py"
    page = show(quintain.game("kings-court"))
    scopes = [f':where([data-game="{found.id}"])' for found in sorted(games(), key=lambda each: each.id)]
    tops = page.evaluate(TOPS)
    assert [selector for selector, _ in tops] == scopes and all(rules for _, rules in tops)
    assert page.locator("body").get_attribute("data-game") == "kings-court"
    page.close()


@pytest.mark.parametrize("found", games(), ids=lambda found: found.id)
def test_no_rule_of_another_page_reaches_a_board(show, found):
    page = show(found)
    assert page.evaluate(REACHES, OF_PAGES) == []
    shared = [each for each in page.evaluate(REACHES, OF_ALL) if not any(name in each for name in SHARED)]
    assert shared == []
    page.close()


def test_a_deck_is_chosen_for_each_seat_that_somebody_takes(browser):
    context = forms.new_table_context(quintain.game("round-table"), VISITOR, {})
    page = opened(browser, environment().render_template("new_table.html", **context))
    decks = page.locator("[data-of-seat]")
    assert [deck.is_visible() for deck in decks.all()] == [True, True, False, False]
    page.locator("[id='seat.3']").select_option("squire")
    assert [deck.is_visible() for deck in decks.all()] == [True, True, False, True]
    page.close()


def test_no_two_sheets_of_pages_style_the_same_name():
    """A name that stands alone in a selector reaches all pages, so two sheets would change each other's pages."""
    sheets_of = defaultdict(set)
    for sheet in OF_PAGES:
        text = re.sub(r"/\*.*?\*/", "", (STATIC / "css" / sheet).read_text(encoding="utf-8"), flags=re.DOTALL)
        depth = 0
        for selectors, brace in re.findall(r"([^{}]*)([{}])", text):
            for one in selectors.split(",") if brace == "{" and depth == 0 else ():
                if re.fullmatch(r"\s*\.[\w-]+\s*", one):
                    sheets_of[one.strip()].add(sheet)
            depth += 1 if brace == "{" else -1
    assert len(sheets_of) > 50
    assert {name: found for name, found in sheets_of.items() if len(found) > 1} == {}
