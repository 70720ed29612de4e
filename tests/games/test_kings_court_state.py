"""Invariants of the state of King's Court, checked in random games."""

import quintain
from conformance.cases import Case
from quintain.games.kings_court.state import CARDS, SEATS

CASE = Case(quintain.game("kings-court"), SEATS)


def test_the_deck_lists_the_cards_that_nobody_holds_and_nobody_has_played():
    for seed in range(20):
        for _, s in CASE.positions(seed):
            deck, played = s.deck[: s.deck_size], s.played[: s.plays_made]
            held = [card for card in range(CARDS) for seat in range(SEATS) if s.hand[seat][card]]
            assert sorted(deck + played + held) == list(range(CARDS))
            assert s.hand_size == [sum(hand) for hand in s.hand]


def test_only_cards_that_are_held_are_marked_as_given():
    marked = 0
    for seed in range(20):
        for _, s in CASE.positions(seed):
            given = [card for card in range(CARDS) if s.given[card]]
            marked += len(given)
            assert all(s.hand[0][card] + s.hand[1][card] == 1 for card in given)
    assert marked > 0
