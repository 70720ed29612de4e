"""The cards of the games that take no cards of one's own: King's Court and Rune War."""

from collections import Counter

import pytest

from quintain import Match
from quintain.engine.rules.collection import paper_parts
from quintain.engine.rules.registry import game

SEED = "5a" * 32


def finished(id_: str) -> Match:
    """Return a finished game in which everybody makes their first legal move."""
    match = Match.new(id_, seed=SEED)
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    return match


@pytest.mark.parametrize(("id_", "kinds"), [
    ("kings-court", {"Artois": 8, "Bellerophon": 8, "Castellia": 8, "De Bourgogne": 8, "Ellicta": 8, "Febrois": 8}),
    ("rune-war", {"Cups": 14, "Pentacles": 14, "Swords": 14, "Wands": 14, "Runes": 22}),
])  # fmt: skip
def test_all_cards_are_listed_by_kind_with_their_texts(id_, kinds):
    cards = game(id_).collection.cards("")
    assert Counter(card.kind for card in cards) == kinds
    assert all(card.text and card.numbers and card.sort for card in cards)


def test_a_seat_has_drawn_what_it_has_played_and_what_it_holds_at_the_end():
    match = finished("kings-court")
    collection, (book, s) = game("kings-court").collection, (match.book, match.blinded(0))
    held = [collection.held(book, s, seat) for seat in range(2)]
    for each in held:
        assert each.played.total() == 17 and (each.drawn - each.played).total() == 7
        assert set(each.drawn) <= set(collection.names(book, 0))
    assert (held[0].drawn + held[1].drawn) == Counter(collection.names(book, 0))


def test_rune_war_counts_no_cards_since_nobody_remembers_who_had_them():
    match = finished("rune-war")
    held = game("rune-war").collection.held(match.book, match.blinded(0), 0)
    assert not held.deck and not held.drawn and not held.played


def test_kings_court_on_paper_has_twelve_counters_and_six_houses():
    parts = paper_parts(game("kings-court").collection)
    numbers = Counter(part.kind for part in parts.printed for _ in range(part.copies))
    assert numbers == {"Counters": 12, "Houses": 6}
    assert "Counter -2" in [part.name for part in parts.printed] and "Influence" in parts.brought[0]
