"""Cards in full speak in sentences, pages call players by name, and King's Court says what ranks in hand mean."""

import random
import re
from html import unescape

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.registry import all_games, game
from quintain.server.pages.rendering import environment
from server.samples import table_page

SENTENCE = re.compile(r"(\W*[A-Z0-9].*)[.!?:]", re.DOTALL)
GAMES = ("kings-court", "robin", "heirless", "rune-war", "round-table")
MOVES = 90


def text_of(html):
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


@pytest.mark.parametrize("id_", GAMES)
def test_a_card_in_full_speaks_in_sentences(id_):
    assert {found.id for found in all_games()} >= set(GAMES)
    chance, found = random.Random(4), game(id_)
    match = Match.new(found, found.seats[2], ["Ann", "Bo", "Cleo", "Dirk"][: found.seats[2]], seed="0a" * 32)
    told = set()
    for number in range(MOVES):
        if match.outcome:
            break
        seat = min(match.to_act)
        if number % 15 == 14:
            html = environment().render_template("parts/looks.html", **table_page(match, seat))
            told.update(map(text_of, re.findall(r'<p class="(?:kind|rule)">(.*?)</p>', html, re.DOTALL)))
            told.update(map(text_of, re.findall(r"<li>([^<]*)</li>", html)))
        match.play(seat, chance.choice(match.moves(seat)).action)
    assert len(told) > 10
    assert not [words for words in told if not SENTENCE.fullmatch(words)]


@pytest.mark.long_for("robin", "round-table", "heirless")  # the names come from the same words in all games
@pytest.mark.parametrize("id_", GAMES)
def test_no_page_calls_a_player_by_the_number_of_the_seat(id_):
    chance, found = random.Random(6), game(id_)
    match = Match.new(found, found.seats[2], ["Ann", "Bo", "Cleo", "Dirk"][: found.seats[2]], seed="0c" * 32)
    while match.outcome is None and len(match.moves_made) < 3 * MOVES:
        seat = min(match.to_act)
        if len(match.moves_made) % 17 == 16:
            for viewer in (seat, None):
                html = environment().render_template("table.html", **table_page(match, viewer, foresees=False))
                words = re.sub(r"<[^>]*>", "|", html.partition("<body")[2])
                assert not re.findall(r".*[Ss]eat \d(?!, |\|).*", words)
        match.play(seat, chance.choice(match.moves(seat)).action)


def test_a_house_says_in_words_what_both_hold_and_warns_with_a_sign_whoever_holds_fewer():
    match, chance = Match.new("kings-court", names=["Ann", "Bo"], seed="0b" * 32), random.Random(2)
    seen = set()
    while match.outcome is None:
        seat = min(match.to_act)
        if len(match.moves_made) % 12 == 0:
            view = match.view(seat)
            favours = [piece for piece in view.pieces() for piece in piece.on_it if piece.id.startswith("favour.")]
            page = environment().render_template("table.html", **table_page(match, seat, foresees=False))
            for piece in favours:
                shown = re.search(rf'<p class="favour([a-z ]*)" id="{piece.id}".*?</p>', page, re.DOTALL)
                own, rival = piece.stats
                words = text_of(shown[0])
                least = " or more" if rival.key == "rival-least" else ""
                assert f"you {own.number}" in words and f"{('Bo', 'Ann')[seat]} {rival.number}{least}" in words
                fewer = own.number < rival.number
                assert (shown[1] == " bad") == fewer == ("▼ you hold fewer" in words)
                seen.add((fewer, bool(least)))
        match.play(seat, chance.choice(match.moves(seat)).action)
    assert {(True, True), (False, True)} <= seen
