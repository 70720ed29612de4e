"""Cards on paper: what is printed, its pages in Chromium's PDF, the size of a card, and backs in mirror order."""

import re

import pytest

import quintain
from quintain.engine.errors import BadOption
from quintain.engine.rules.registry import game
from quintain.server.model.own_sets import OwnSet, SetVersion
from quintain.server.pages import heraldry
from quintain.server.pages.cards.listed import shown_cards
from quintain.server.pages.cards.own_prints import set_choices
from quintain.server.pages.cards.printing import MOST_COPIES, mirrored, print_context, sheets_of
from quintain.server.pages.cards.ready_decks import ready_decks
from quintain.server.pages.rendering import STATIC, environment
from server.browsing import opened
from server.samples import VISITOR
from server.test_looks import needs_chromium, needs_files

WITH_CARDS = sorted(found.id for found in quintain.all_games() if found.folder and found.collection)
POINTS = {"a4": (595.3, 841.9), "letter": (612, 792)}
"""The sizes of paper, in points of a PDF."""
MILLIMETRES = 25.4 / 96
"""A pixel of CSS."""
CUT_OFF = """() => [...document.querySelectorAll(".paper > li")].filter((place) => {
  const parts = [place, ...place.querySelectorAll(".bigcard, .bigcard > *, .card-back")];
  return parts.some((each) => each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 1
    || each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1);
}).map((place) => place.innerText)"""
"""The cards of which something is cut off."""
BOXES = """() => [...document.querySelectorAll(".paper > li")].map((place) => {
  const {width, height} = place.getBoundingClientRect();
  return [width, height];
})"""


@pytest.fixture
def get(serving):
    """Return a function that gets a page."""
    guest = serving.guest()
    return lambda path, **more: guest.get(path, headers={"accept": "text/html"}, **more)


def drawn(id_: str, **query: str) -> str:
    """Return the page for printing cards of a game."""
    lines = (query["lines"],) if "lines" in query else ()
    return environment().render_template("cards_print.html", **print_context(game(id_), VISITOR, query, (), lines))


def names(context) -> list[str]:
    """Return the names of the cards on all fronts."""
    return [card.name for sheet in context["sheets"] if not sheet["is_back"] for card in sheet["cards"] if card]


# What is printed.


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_each_card_once_is_the_whole_set_nine_to_a_page(id_):
    found = game(id_)
    context = print_context(found, VISITOR, {"which": "set"})
    assert names(context) == [card.name for card in found.collection.cards("")]
    assert len(context["sheets"]) == -(-len(found.collection.cards("")) // 9)


def test_the_whole_game_has_the_copies_and_the_parts_that_it_needs():
    kings_court = names(print_context(game("kings-court"), VISITOR, {}))
    assert len(kings_court) == 48 + 12 + 6 and kings_court.count("Counter +5") == 2 and "De Bourgogne" in kings_court
    robin = names(print_context(game("robin"), VISITOR, {}))
    assert robin.count("Little John") == 2, "both players may have the same character (RH-4)"
    heirless = names(print_context(game("heirless"), VISITOR, {}))
    assert heirless.count("Guard") == heirless.count("Castle") == 3 and "Fox Camp" in heirless
    assert len(names(print_context(game("rune-war"), VISITOR, {}))) == 78


def test_a_ready_made_deck_is_printed_with_its_copies():
    for name, copies in ready_decks(game("round-table")).items():
        printed = names(print_context(game("round-table"), VISITOR, {"which": f"deck.{name}"}))
        assert {card: printed.count(card) for card in printed} == dict(copies)


def test_the_cards_that_filters_leave_are_printed_in_their_order():
    query = {"which": "shown", "order": "name"}
    printed = names(print_context(game("round-table"), VISITOR, query, ["Quests"]))
    assert len(printed) == 16 and printed == sorted(printed, key=str.casefold)


def test_copies_lie_beside_each_other():
    assert names(print_context(game("rune-war"), VISITOR, {"copies": "2"}))[:3] == [
        "Ace of Cups",
        "Ace of Cups",
        "2 of Cups",
    ]


def test_what_cannot_be_printed_is_named(get):
    assert "tokens of two colours for Influence" in get("/cards/kings-court/print").text


# Backs.


def test_each_back_lies_behind_its_card_when_the_paper_is_turned_over_its_long_edge():
    cards = list(shown_cards(game("kings-court")).values())[:11]
    fronts_and_backs = sheets_of(cards, has_backs=True)
    assert [sheet.is_back for sheet in fronts_and_backs] == [False, True, False, True]
    front, back = fronts_and_backs[2].cards, fronts_and_backs[3].cards
    assert [card and card.name for card in front[:3]] == ["Bellerophon 2", "Bellerophon 3", None]
    assert [card and card.name for card in back[:3]] == [None, "Bellerophon 3", "Bellerophon 2"]
    assert mirrored(mirrored(front)) == front


def test_a_back_names_the_pile_of_its_card_and_nothing_else():
    page = drawn("round-table", which="deck.hedge-host", backs="yes")
    backs = re.findall(r'<div class="card-back">.*?</div>', page, re.DOTALL)
    assert {re.search(r"<span>(.*?)</span>", back)[1] for back in backs} == {"Main", "Demesne", "Regions"}
    assert not [back for back in backs if "Gawain" in back]


# On paper.


@needs_chromium
@needs_files
@pytest.mark.parametrize(("id_", "paper"), [(id_, "a4") for id_ in WITH_CARDS] + [("round-table", "letter")])
def test_the_paper_has_nine_cards_of_63_by_88_millimetres_a_page_and_nothing_else(browser, id_, paper):
    html = drawn(id_, paper=paper, backs="yes")
    page = opened(browser, html, 1280)
    page.emulate_media(media="print", reduced_motion="reduce")
    pdf = page.pdf(prefer_css_page_size=True)
    sides = html.count('<ol class="paper ')
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == sides
    width, height = (float(number) for number in re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf).groups())
    assert (width, height) == pytest.approx(POINTS[paper], abs=1)
    boxes = page.evaluate(BOXES)
    assert len(boxes) == 9 * sides
    for across, down in boxes:
        assert (across * MILLIMETRES, down * MILLIMETRES) == pytest.approx((63, 88), abs=0.5)
    assert page.evaluate(CUT_OFF) == []
    seen = "all => all.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 99))"
    outside = "header, footer, .tabs, .headline, .chips, form, .how-to, h1, h2, .pages-row, .print-box, .button"
    assert page.locator(outside).evaluate_all(seen) == []
    page.emulate_media(media="screen")
    page.close()


@needs_chromium
@needs_files
@pytest.mark.parametrize("width", [375, 1280])
def test_the_picture_on_the_screen_is_the_page(browser, width):
    page = opened(browser, drawn("rune-war"), width)
    box = page.locator(".paper.is-shown").bounding_box()
    card = page.locator(".paper.is-shown > li").first.bounding_box()
    assert box["height"] / box["width"] == pytest.approx(297 / 210, rel=0.01)
    assert card["width"] / box["width"] == pytest.approx(63 / 210, rel=0.01)
    assert page.locator(".paper:visible").count() == 1
    page.close()


@needs_files
def test_without_colour_there_is_none():
    """Everything that paper without colour is drawn with, in the sheet and in the sprite of arms, is grey."""
    sheet = (STATIC / "css" / "paper.css").read_text(encoding="utf-8")
    sprite = (STATIC / "vendor" / "arms.svg").read_text(encoding="utf-8")
    plain = "".join(re.findall(r"\.paper\.plain [^{]*\{(.*?)\}", sheet))
    tones = re.findall(r"(?<!url\()#([0-9a-f]{3,6})\b", plain + sprite.partition("</defs>")[0])
    assert len(tones) > 16
    for tone in tones:
        parts = set(tone) if len(tone) == 3 else {tone[:2], tone[2:4], tone[4:]}
        assert len(parts) == 1, tone
    assert 'class="paper a4 cut-lines plain' in drawn("robin", plain="yes")


@needs_chromium
@needs_files
def test_the_pages_are_stepped_through_without_asking_the_server(browser):
    page = opened(browser, drawn("robin"), 1280)
    assert page.locator("[data-print]").is_visible() and not page.locator("[data-no-print]").is_visible()
    page.locator("[data-step='1']").click()
    assert page.locator("[data-number]").inner_text() == "2"
    assert page.locator(".paper:visible").get_attribute("aria-label") == "Page 2"
    page.close()


# What is wrong.


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"copies": "0"}, f"copies is a number from 1 to {MOST_COPIES}, not '0'"),
        ({"copies": "-3"}, "copies is a number"),
        ({"copies": "9" * 999}, "copies is a number"),
        ({"copies": "three"}, "copies is a number"),
        ({"paper": "a3"}, "paper is one of a4, letter, not 'a3'"),
        ({"which": "deck.none"}, "which is one of"),
        ({"which": "set", "copies": "9"}, "at most 60 are printed at once"),
        ({"page": "x"}, "page is a number"),
    ],
)
def test_wrong_settings_are_refused_in_words(get, query, words):
    answer = get("/cards/round-table/print", params=query)
    assert answer.status_code == 422 and words.casefold() in answer.text.replace("&#x27;", "'").casefold()
    with pytest.raises(BadOption, match=re.escape(words)):
        print_context(game("round-table"), VISITOR, query)


def test_a_page_beyond_the_last_shows_the_last(get):
    assert re.search(r"page <b[^>]*>9</b> of 9", get("/cards/rune-war/print", params={"page": "400"}).text)


def test_nothing_is_printed_if_the_filters_leave_no_card(get):
    answer = get("/cards/robin/print", params={"search": "dragons"})
    assert answer.status_code == 200 and "No card is left to print" in answer.text


def test_each_tincture_is_hatched_where_there_is_no_colour():
    sprite = (STATIC / "vendor" / "arms.svg").read_text(encoding="utf-8")
    sheet = (STATIC / "css" / "paper.css").read_text(encoding="utf-8")
    plain = re.search(r"\.paper\.plain \{(.*?)\}", sheet)[1]
    patterns = {}
    for tincture in heraldry.TINCTURES:
        assert f"--{tincture}: url(#hatch-{tincture});" in plain
        patterns[tincture] = re.search(rf'<pattern id="hatch-{tincture}"[^>]*>(.*?)</pattern>', sprite)[1]
    assert len(set(patterns.values())) == len(heraldry.TINCTURES)


OWN_SET = """[[character]]
name = "Little John"
caste = "Outlaw"
politics = "Activist"
levels = [3, 3, 5, 4]
skill = { whom = "self", stage = "Strength", if = "with Outlaw", change = 2 }
"""


def own_choices_of(get):
    """Return the values and the words of what a player can print of their own in a game."""
    return re.findall(r'<option value="((?:deck|set):[^"]+)"[^>]*>(.*?)</option>', get)


def test_decks_and_sets_of_ones_own_are_printed_by_their_player_alone(serving):
    ann, bo, html = serving.guest("Ann"), serving.guest("Bo"), {"accept": "text/html"}
    ann.post("/cards/round-table/decks", ready="hedge-host", title="Hedges")
    page = ann.get("/cards/round-table/print", headers=html).text
    ((value, words),) = own_choices_of(page)
    assert words.startswith("Your deck Hedges: ")
    printed = ann.get(f"/cards/round-table/print?which={value}", headers=html).text
    assert printed.count(">Knight Mercenary<") == ready_decks(game("round-table"))["hedge-host"]["Knight Mercenary"]
    assert own_choices_of(bo.get("/cards/round-table/print", headers=html).text) == []
    refused = bo.get(f"/cards/round-table/print?which={value}", headers=html)
    assert refused.status_code == 422 and "hich is one of" in refused.text


def test_the_cards_that_changed_since_a_version_are_printed_alone():
    robin, second = game("robin"), OWN_SET.replace("Little John", "Much")
    before, now = OWN_SET + second, OWN_SET + second.replace("[3, 3, 5, 4]", "[3, 3, 5, 5]")
    own = OwnSet("a1", 1, "robin", "Mine", 0.0, 0.0, 3, 2, now, now, 0)
    versions = [SetVersion(2, now, 0.0, None), SetVersion(1, before, 0.0, None)]
    made = set_choices(robin, own, versions)
    assert [(each.value, each.words) for each in made] == [
        ("set:a1", "Your set Mine: 2"),
        ("set:a1.1", "Your set Mine, changed since version 1: 1"),
    ]
    assert [[card.name for card in each.cards] for each in made] == [["Little John", "Much"], ["Much"]]
    assert names(print_context(robin, VISITOR, {"which": "set:a1.1"}, own=made)) == ["Much"]
    broken = own._replace(valid=now.replace("Outlaw", "Outlaws"))
    assert set_choices(robin, broken, versions) == []
