"""The pages of the rules without script: search, the list of cards, pictures of pieces, and wrong addresses."""

import html
import re

import pytest

import quintain
from quintain.engine.errors import BadGame
from quintain.engine.rules.registry import game
from quintain.server.pages.cards.listed import card_groups
from quintain.server.pages.rendering import environment
from quintain.server.pages.rule_pictures import in_words, painter, pictures, rows_of
from quintain.server.pages.rulebooks import folded, found_in, rulebook_page, words_of

GAMES = sorted(game.id for game in quintain.all_games() if game.folder)
WITH_CARDS = sorted(game.id for game in quintain.all_games() if game.folder and game.collection)
HTML = {"accept": "text/html"}
PART = {"hx-request": "true"}


@pytest.fixture
def get(serving):
    """Return a function that gets a page."""
    guest = serving.guest()
    return lambda path, **more: guest.get(path, headers=HTML | more.pop("headers", {}), **more)


def plain(page: str) -> str:
    """Return the words of a page without tags, with single blanks."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


# Search.


def test_search_shows_the_clauses_that_contain_all_words_and_marks_them(get):
    page = get("/rules/kings-court", params={"search": "MAJORITY bonus negative"}).text
    found = re.findall(r'<section class="found">(.*?)</section>', page, re.DOTALL)
    assert any(plain(each).startswith("Scoring KC-16") for each in found)
    for each in found:
        assert {"majority", "bonus", "negative"} == {folded(word) for word in re.findall("<mark>(.*?)</mark>", each)}
    assert "<p>Two players" not in page


def test_the_clause_of_a_number_comes_first_and_its_links_lead_to_the_whole_rulebook(get):
    page = get("/rules/kings-court", params={"search": "kc-1"}).text
    first = page.index('<section class="found">')
    assert '<strong id="KC-1">' in page[first : page.index("</section>", first)]
    assert 'href="#KC-' not in page


def test_search_finds_nothing_and_says_what_could_be_found(get):
    words = plain(get("/rules/robin", params={"search": "dragons"}).text)
    assert "Nothing found for “dragons”" in words
    assert "such as RH-1" in words and "the name of a card" in words


@pytest.mark.parametrize("garbage", ['<script>alert("1")</script>', "&lt;b&gt; '\" \\", "%00\x07", "[(*+?", "ß" * 500])
def test_garbage_in_a_search_is_only_text(get, garbage):
    answer = get("/rules/robin", params={"search": garbage})
    assert answer.status_code == 200
    assert "alert(" not in re.sub(r'value="[^"]*"|&lt;script&gt;alert\(&quot;1', "", answer.text)
    assert "<script>alert" not in answer.text


def test_an_empty_search_shows_the_rulebook(get):
    assert "<p>Two players" in get("/rules/kings-court", params={"search": "  "}).text


def test_marks_do_not_break_entities_or_tags():
    book = rulebook_page("# Go\n\n## Play\n\n**GO-0** A & B, `x < strong`.\n\n## End\n\n**GO-1** Quot.\n")
    (hit,) = found_in(book, words_of("strong &"))
    assert (
        hit.html
        == '<p><strong id="GO-0">GO-0</strong> A <mark>&amp;</mark> B, <code>x &lt; <mark>strong</mark></code>.</p>\n'
    )


def test_search_looks_over_accents_and_capital_letters(get):
    assert "Brocéliande" in plain(get("/rules/round-table", params={"search": "BROCELIANDE"}).text)


# Cards.


@pytest.mark.parametrize("id_", WITH_CARDS)
def test_every_card_is_found_by_its_name(get, id_):
    for card in game(id_).collection.cards(""):
        groups = card_groups(game(id_), words_of(card.name))
        assert card.name in [listed.name for group in groups for listed in group.cards]
    name = game(id_).collection.cards("")[-1].name
    assert name in plain(get(f"/rules/{id_}", params={"search": name}).text)


@pytest.mark.parametrize("id_", GAMES)
def test_rules_lead_to_the_cards_of_their_game(get, id_):
    has_link = f'href="/cards/{id_}"' in get(f"/rules/{id_}").text
    in_drawer = 'href="#cards"' in get(f"/rules/{id_}", headers=PART).text
    assert has_link == in_drawer == (id_ in WITH_CARDS)


def test_the_address_that_the_list_of_cards_had_leads_to_it(get):
    answer = get("/rules/robin/cards", params={"search": "little john"}, follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/cards/robin?search=little+john"


# Addresses.


@pytest.mark.parametrize(
    "path", ["/rules/chess", "/rules/chess/cards", "/cards/chess", "/cards/chess/print", "/cards/chess/rook"]
)
def test_an_unknown_game_is_not_found_and_the_answer_lists_the_games(get, path):
    answer = get(path)
    assert answer.status_code == 404
    assert all(id_ in plain(answer.text) for id_ in GAMES)


def test_htmx_gets_the_part_for_the_drawer_alone(get):
    part = get("/rules/robin", headers=PART).text
    assert "<html" not in part and '<strong id="RH-1">' in part and 'id="cards"' in part


# Rulebooks.


@pytest.mark.parametrize("id_", GAMES)
def test_every_clause_that_a_rulebook_names_is_a_link_to_it(get, id_):
    page = get(f"/rules/{id_}").text
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors
    text = page[page.index("book-text") :]
    unlinked = re.sub(r'<a href="#[A-Z]+-\d+">.*?</a>|<strong id="[A-Z]+-\d+">.*?</strong>', "", text)
    assert [clause for clause in re.findall(r"\b[A-Z]{2}-\d+\b", unlinked) if clause in anchors] == []


@pytest.mark.parametrize("id_", GAMES)
def test_every_example_of_a_rulebook_has_a_frame(get, id_):
    page = get(f"/rules/{id_}").text
    outside = re.sub(r'<div class="example">.*?</div>\n(?=<|$)', "", page, flags=re.DOTALL)
    assert page.count('class="example"') >= 8
    assert not re.search(r"<p>(<strong[^>]*>[^<]*</strong> )?Examples?\b", outside)


def test_an_example_holds_its_pictures_and_what_is_said_about_them():
    book = rulebook_page("## A\n\nExample: see.\n\n```\nx\n```\n\nSo it is.\n\n**GO-1** A rule.\n\n## B\n\nMore.\n")
    inside = re.search(r'<div class="example">(.*?)</div>', book.chapters, re.DOTALL)[1]
    assert "see." in inside and "<pre" in inside and "So it is." in inside and "A rule" not in inside


@pytest.mark.parametrize("id_", GAMES)
def test_every_rulebook_shows_pieces_with_words_for_people_who_cannot_see_them(get, id_):
    page, drawn = get(f"/rules/{id_}").text, list(pictures(game(id_)))
    assert len(drawn) >= 3
    figures = re.findall(r'<figure class="drawn.*?</figure>', page, re.DOTALL)
    assert len(figures) == len(drawn)
    for figure, picture in zip(figures, drawn, strict=True):
        assert figure.count("#") == figure.count("<use") + figure.count("&#") + figure.count('href="#')
        for row in picture.rows:
            assert all(piece.name in plain(figure) for piece in row.pieces)
            assert plain(row.words) in plain(figure)


def test_the_terminal_prints_pictures_as_plain_lines():
    lines = in_words(game("kings-court")).splitlines()
    assert "- Artois 6 + Artois 8: 6 + 8 = 14 Influence for you" in lines
    assert not [line for line in lines if "```pieces" in line]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("artos-6: a card", "line 8: King's Court has no piece 'artos-6'; there are artois"),
        ("artois-6 (upside): a card", "line 8: there is no mark 'upside'; the marks are covered, exposed, seal"),
        ("artois-6: one\nartois-5 ((: two", "line 9: 'artois-5 ((' is no piece"),
    ],
)
def test_a_wrong_name_in_a_picture_is_an_error_with_its_line(block, said):
    with pytest.raises(BadGame, match=re.escape(said)) as error:
        rows_of(game("kings-court"), block, 7)
    assert "rulebook.md" in str(error.value)


def test_a_picture_that_cannot_be_drawn_is_shown_as_text():
    draw = painter(environment(), game("kings-court"))
    assert draw("pieces", "artos-6: <a> card\n") == '<pre tabindex="0">artos-6: &lt;a&gt; card\n</pre>\n'
