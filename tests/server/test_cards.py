"""The place Cards without script: its tabs, search and filters, single cards, and wrong addresses."""

import html
import re

import msgspec
import pytest

import quintain
from quintain.engine.names import with_minus
from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.registry import game
from quintain.lab.card_records import CardRecord, card_records
from quintain.server.pages.cards import tabs, won
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.cards.filters import read_filters
from quintain.server.pages.cards.listed import shown, shown_cards
from quintain.server.pages.cards.one_card import card_context, rulings
from quintain.server.pages.cards.ready_decks import decks_with
from quintain.server.pages.rendering import environment
from quintain.server.pages.rulebooks import rulebook_page
from quintain.server.pages.study.chances import whole_percent
from server.browsing import opened
from server.samples import VISITOR
from server.test_looks import needs_chromium, needs_files

ROBIN = game("robin")
WITH_CARDS = sorted(found.id for found in quintain.all_games() if found.folder and found.collection)
HTML = {"accept": "text/html"}


@pytest.fixture
def get(serving):
    """Return a function that gets a page."""
    guest = serving.guest()
    return lambda path, **more: guest.get(path, headers=HTML, **more)


def source(answer) -> str:
    """Return the HTML of an answer with plain slashes."""
    return answer.text.replace("&#x2f;", "/")


def plain(page: str) -> str:
    """Return the words of a page without tags, with single blanks."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def named(page: str) -> list[str]:
    """Return the names of the cards that a page shows."""
    return [plain(name) for name in re.findall(r'<div class="name"><a [^>]*>(.*?)</a>', page)]


# The frame.


def test_all_games_of_the_package_have_cards():
    assert len(WITH_CARDS) == 5


def test_the_place_is_in_the_navigation_and_leads_to_the_easiest_game(get):
    assert re.search(r'<a href="/cards">.*?Cards</span>', source(get("/")), re.DOTALL)
    answer = get("/cards", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == f"/cards/{tabs.games_with_cards()[0].id}"


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_a_page_shows_the_tabs_and_every_game_with_the_number_of_its_cards(get, id_):
    page = source(get(f"/cards/{id_}"))
    shown_tabs = re.search(r'<nav class="tabs".*?</nav>', page, re.DOTALL)[0]
    assert re.findall(r'href="([^"]+)"', shown_tabs) == [
        tab.href(game(id_)) for tab in tabs.TABS if tab.is_for(game(id_))
    ]
    for found in tabs.games_with_cards():
        assert f"{found.title} {len(found.collection.cards(''))} cards" in plain(page)


def test_a_tab_is_shown_only_for_the_games_that_it_is_for(get):
    assert '<a href="/cards/round-table/decks">Decks</a>' in source(get("/cards/round-table"))
    assert "Decks</a>" not in get("/cards/robin").text


# Cards.


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_every_card_is_there_with_its_numbers_and_text(get, id_):
    page = get(f"/cards/{id_}", params={"page": "99"}).text
    cards = game(id_).collection.cards("")
    boxes = re.findall(r'<li id="card-\d+">(.*?)</li>', page, re.DOTALL)
    assert named(page) == [card.name for card in cards]
    for card, box in zip(cards, boxes, strict=True):
        assert with_minus(card.text) in plain(box) and 'class="arms"' in box
        for stat in card.stats:
            assert str(abs(stat.number)) in plain(box) and (stat.words in plain(box) or stat.key == "cost")


def test_fifteen_cards_are_shown_at_first_and_a_link_shows_more(get):
    page = get("/cards/robin").text
    assert len(named(page)) == 15 and "15 of 64 shown" in plain(page)
    more = html.unescape(re.search(r'href="([^"]*page=2[^"]*)"', page)[1])
    assert len(named(get(more.partition("#")[0]).text)) == 30


def test_search_finds_names_and_texts_over_accents_and_capital_letters(get):
    assert named(get("/cards/round-table", params={"search": "BROCELIANDE"}).text) == ["Brocéliande"]
    assert "Shield of the Lake" in named(get("/cards/round-table", params={"search": "shield lake"}).text)
    assert "Herald" in named(get("/cards/round-table", params={"search": "each winter"}).text)


def test_each_filter_says_how_many_cards_it_leaves_and_leaves_them(get):
    page = source(get("/cards/round-table", params={"search": "knight"}))
    links = re.findall(r'<a class="(?:chip|button)" href="(/cards/round-table\?[^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL)
    counted = [(html.unescape(href), re.search(r"<small>(\d+)", words)) for href, words in links]
    tried = [(href, int(number[1])) for href, number in counted if number and "search" in href]
    assert len(tried) > 8
    for href, number in tried:
        shown_there = get(f"{href}&page=99").text
        assert len(named(shown_there)) == number or (number == 0 and "No card has this text" in shown_there)


def test_kinds_add_up_and_a_second_touch_takes_one_away(get):
    both = source(get("/cards/round-table", params={"kind": ["Titles", "Quests"], "page": "9"}))
    assert len(named(both)) == 30 and "30 of 30 shown" in plain(both)
    assert re.search(r'href="/cards/round-table\?kind=Quests"[^>]*aria-current="true">', both)


def test_cards_can_come_by_name_or_cheapest_first(get):
    by_name = named(get("/cards/robin", params={"order": "name", "page": "9"}).text)
    assert by_name == sorted(by_name, key=str.casefold)
    cheap = get("/cards/round-table", params={"kind": "Quests", "order": "cost", "page": "9"}).text
    shelf = cheap.partition('<ul class="shelf"')[2].partition("</ul>")[0]
    costs = [int(cost) for cost in re.findall(r'<b class="cost">.*?</span>(\d+)</b>', shelf)]
    assert costs == sorted(costs) and len(costs) == 16
    assert "Cheapest first" not in get("/cards/robin").text


def test_a_search_that_finds_nothing_offers_to_take_each_filter_away(get):
    page = get("/cards/kings-court", params={"search": "dragons", "kind": "Artois", "sort": "Gain"}).text
    assert "No card has this text. Take a filter away:" in plain(page)
    for words in ("“dragons” leaves 4", "Artois leaves 0", "Gain leaves 0", "All 48 cards"):
        assert words in plain(page)


# A single card.


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_every_card_has_a_page_with_its_text_and_what_the_rules_say(get, id_):
    found = game(id_)
    for place, each in list(shown_cards(found).items())[:: max(1, len(shown_cards(found)) // 8)]:
        words = plain(get(f"/cards/{id_}/{place}").text)
        assert each.name in words and with_minus(each.card.text) in words and "What the rules say" in words
        assert all(clause in words for clause in each.card.clauses)


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_the_clauses_of_every_card_are_in_the_rulebook(id_):
    book = rulebook_page(game(id_).text.rulebook())
    for card in game(id_).collection.cards(""):
        assert card.clauses
        assert [passage.anchor for passage in rulings(card, book)][: len(card.clauses)] == list(card.clauses)


def test_rulings_name_the_card_as_whole_words_and_lead_to_the_rules(get):
    page = source(get("/cards/round-table/gawain"))
    assert 'href="/rules/round-table#RT-15"' in page and 'href="#' not in page.partition("rulings-title")[2]
    book = rulebook_page("## A\n\n**GO-1** Take the Shieldling.\n\n**GO-2** A Shield holds.\n\n## B\n\nShield.\n")
    assert [passage.anchor for passage in rulings(ListedCard("Shield", "Cards"), book)] == ["GO-2"]


def test_of_a_table_only_the_rows_that_name_the_card_are_shown(get):
    words = plain(get("/cards/rune-war/the_tower-16").text)
    assert "everybody sees all cards in one row of an opponent's defence" in words
    assert "look once at the hand of one opponent" not in words


def test_a_card_names_the_ready_made_decks_that_have_it(get):
    words = plain(get("/cards/round-table/knight_errant").text)
    decks = decks_with(game("round-table"), "Knight Errant")
    assert decks and all(f"{deck.copies} in {deck.words}" in words for deck in decks)
    assert "Ready-made decks" not in plain(get("/cards/robin/robin_hood").text)


def test_a_card_leads_to_those_before_and_after_it(get):
    page = source(get("/cards/kings-court/artois-1"))
    assert re.search(r'href="/cards/kings-court/febrois-8" rel="prev"', page)
    assert re.search(r'href="/cards/kings-court/artois-2" rel="next"', page)


def test_cards_of_one_key_have_different_addresses():
    cards = [ListedCard("One", "Cards", key="same"), ListedCard("Two", "Cards", key="same"), ListedCard("A b", "Cards")]
    assert [each.place for each in shown(game("robin"), cards)] == ["same", "same-2", "a-b"]


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_no_card_has_the_address_of_a_tab(id_):
    assert not {"print", "decks", "sets", "workshop"} & shown_cards(game(id_)).keys()


# Keys and filters with script.


@needs_chromium
@needs_files
def test_keys_go_to_the_search_and_from_card_to_card(browser):
    page = opened(browser, environment().render_template("cards_browse.html", **browse_context(ROBIN, VISITOR, {})))
    focused = "document.activeElement.textContent || document.activeElement.id"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "Robin Hood"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "Little John"
    columns = len({box["x"] for box in (each.bounding_box() for each in page.locator(".shelf > li").all())})
    page.keyboard.press("ArrowDown")
    names = [card.name for card in ROBIN.collection.cards("")]
    assert columns > 1 and page.evaluate(focused) == names[1 + columns]
    page.keyboard.press("/")
    assert page.evaluate(focused) == "find"
    page.keyboard.type("a/")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.value") == "a/"
    page.close()


@needs_chromium
@needs_files
def test_arrows_lead_from_one_card_to_the_next(browser):
    page = opened(
        browser,
        environment().render_template("cards_one.html", **card_context(ROBIN, VISITOR, "robin_hood", environment())),
    )
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/cards/robin/little_john")
    page.close()


@needs_chromium
@needs_files
def test_a_choice_filters_at_once(browser):
    page = opened(browser, environment().render_template("cards_browse.html", **browse_context(ROBIN, VISITOR, {})))
    page.locator("#order").select_option("name")
    page.wait_for_url("**/cards/robin?search=&order=name")
    page.close()


# What is wrong.


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/cards/robin/dragon", 404, "Robin in the Hood has no card 'dragon'"),
        (f"/cards/robin/{'x' * 500}", 404, "Robin in the Hood has no card"),
        ("/cards/robin?kind=Dragons", 422, "kind is one of Characters, Modifiers, not 'Dragons'"),
        ("/cards/robin?cost=3", 422, "no card has a cost"),
        ("/cards/robin?order=price", 422, "order is one of name, not 'price'"),
        ("/cards/robin?sort=%00", 422, "no card has a sort"),
        ("/cards/robin?page=0", 422, "page is a number from 1 on, not '0'"),
        ("/cards/robin?page=-1", 422, "page is a number from 1 on"),
        (f"/cards/robin?page={'9' * 400}", 422, "page is a number from 1 on"),
        ("/cards/robin?page=²", 422, "page is a number from 1 on"),
    ],
)
def test_a_wrong_address_is_refused_in_words(get, path, status, words):
    answer = get(path)
    assert answer.status_code == status and words.casefold() in plain(answer.text).casefold()


@pytest.mark.parametrize("garbage", ['<script>alert("1")</script>', "&lt;b&gt; '\" \\", "%00\x07", "[(*+?", "ß" * 5000])
def test_garbage_in_a_search_is_only_text(get, garbage):
    answer = get("/cards/robin", params={"search": garbage})
    assert answer.status_code == 200 and "<script>alert" not in answer.text


def test_a_search_is_cut_to_the_letters_that_count():
    assert len(read_filters(game("robin"), {"search": "x" * 900}, []).search) == 80


# How often a card wins.


def test_a_card_tells_how_often_it_wins_with_interval_and_games(get):
    records = card_records(quintain.game("robin"))
    record = records.by_name["Robin Hood"]
    page = plain(source(get("/cards/robin/robin_hood")))
    share, low, high = (whole_percent(each) for each in (record.won, record.low, record.high))
    assert "How often it wins" in page and f"{share} % {low}\u2013{high} %" in page
    assert f"In {records.games:,} games between bots (policy); {record.tries:,} times somebody had drawn it." in page
    assert f"won {share} %" in plain(source(get("/cards/robin?search=robin+hood")))
    assert "How often it wins" not in get("/cards/rune-war/swords-14").text


def test_a_card_with_few_games_has_numbers_and_no_share(get, monkeypatch):
    records = card_records(quintain.game("robin"))
    few = CardRecord("Robin Hood", 0.6, 0.4, 0.8, 19)
    monkeypatch.setattr(won, "card_records", lambda found: msgspec.structs.replace(records, cards=(few,)))
    page = plain(source(get("/cards/robin/robin_hood")))
    assert "it was drawn 19 times: too few to say" in page and "60 %" not in page
    assert "few games" in plain(source(get("/cards/robin?search=robin+hood")))


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.51, 0.6, "more than"), (0.4, 0.49, "less than"), (0.4, 0.6, "about"), (0.5, 0.6, "about")],
)
def test_the_sentence_about_a_share_follows_its_interval(get, monkeypatch, low, high, told):
    records = card_records(quintain.game("robin"))
    one = CardRecord("Robin Hood", (low + high) / 2, low, high, 500)
    monkeypatch.setattr(won, "card_records", lambda found: msgspec.structs.replace(records, cards=(one,)))
    assert f"It wins {told} its even share." in plain(source(get("/cards/robin/robin_hood")))


@pytest.mark.parametrize("path", ["/cards/robin", "/cards/robin/print"])
def test_the_texts_of_cards_have_true_minus_signs(get, path):
    words = re.sub(r"<[^>]+>", " ", get(path).text)
    assert "\N{MINUS SIGN}1" in words and not re.search(r"(?<![\w-])-\d", words)
