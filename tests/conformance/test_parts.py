"""The optional parts of a game: its collection and its report hold together, and a blinded state tells no more."""

import pytest

from conformance.cases import Case, over_cases


@over_cases
def test_what_is_played_was_drawn_and_what_is_drawn_is_in_the_deck(case: Case):
    if not (collection := case.game.collection):
        pytest.skip("the game has no collection")
    known = {card.name for card in collection.cards("")}
    assert known and len(known) == len(collection.cards(""))
    for book, s in case.sample(5, 40):
        for seat in range(case.seats):
            names, held = collection.names(book, seat), collection.held(book, s, seat)
            assert set(held.deck) <= set(names) <= known and len(set(names)) == len(names)
            assert held.played <= held.drawn <= held.deck
            for viewer in range(-1, case.seats):
                seen = collection.held(book, case.game.blinded(book, s, viewer), seat)
                assert all(told <= true for told, true in zip(seen, held, strict=True))


@over_cases
def test_a_report_counts_each_thing_once_and_no_further_than_it_says(case: Case):
    if not (report := case.game.report):
        pytest.skip("the game has no report")
    *_, (book, s) = case.positions(6)
    counts = report(book, s)
    assert len({(count.key, count.seat) for count in counts}) == len(counts) > 0
    assert all(count.words and count.number >= 0 for count in counts)
    assert all(count.number <= count.of for count in counts if count.of is not None)
