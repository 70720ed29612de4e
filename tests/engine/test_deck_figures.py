"""First hands, chances and costs of decks, against counting by hand and many drawn hands."""

from collections import Counter

import pytest

from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.deck_figures import chance_of, costs_of, first_hand, split_of
from quintain.engine.rules.decks import Law, OpeningHand
from quintain.engine.rules.views import Stat

HAND = OpeningHand(5, "Land", "Main", least=1, most=4, usual=2, aside={"Plain": 1})
DECK = {"Main": {"Elf": 3, "Orc": 7}, "Land": {"Plain": 4, "Hill": 3}}


@pytest.mark.parametrize(("chosen", "split"), [(None, (2, 3)), (0, (1, 4)), (4, (4, 1)), (9, (4, 1))])
def test_a_hand_has_the_chosen_number_within_its_bounds(chosen, split):
    assert split_of(HAND, DECK, chosen) == split
    drawn = first_hand(HAND, DECK, 7, chosen)
    assert sum(name in DECK["Land"] for name in drawn) == split[0] and len(drawn) == 5


def test_a_hand_from_a_deck_that_is_too_small_takes_what_there_is():
    assert first_hand(HAND, {}, 1) == []
    assert first_hand(HAND, {"Land": {"Plain": 1}}, 1) == []
    assert first_hand(HAND, {"Land": {"Plain": 2}, "Main": {"Elf": 1}}, 1) == ["Elf", "Plain"]


def test_the_same_seed_draws_the_same_hand_and_others_draw_others():
    assert first_hand(HAND, DECK, 3) == first_hand(HAND, DECK, 3)
    assert len({tuple(first_hand(HAND, DECK, seed)) for seed in range(40)}) > 5


def test_chances_follow_from_counting():
    assert chance_of(HAND, DECK, ["Elf"]) == pytest.approx(1 - (7 * 6 * 5) / (10 * 9 * 8))
    assert chance_of(HAND, DECK, ["Hill"]) == pytest.approx(1 - (3 * 2) / (6 * 5))
    assert chance_of(HAND, DECK, ["Elf", "Hill"]) == pytest.approx(1 - (7 * 6 * 5 * 3 * 2) / (10 * 9 * 8 * 6 * 5))
    assert chance_of(HAND, DECK, ["Elf"], later=7) == pytest.approx(1)
    assert chance_of(HAND, DECK, ["Dwarf"]) == chance_of(HAND, {}, ["Elf"]) == chance_of(HAND, DECK, []) == 0


def test_chances_agree_with_drawn_hands():
    hands = [set(first_hand(HAND, DECK, seed, 3)) for seed in range(4000)]
    for wanted in (["Elf"], ["Hill"], ["Elf", "Plain"]):
        share = sum(bool(hand & set(wanted)) for hand in hands) / len(hands)
        assert share == pytest.approx(chance_of(HAND, DECK, wanted, 3), abs=0.03)


def test_costs_are_counted_by_kind():
    cards = {
        "Elf": ListedCard("Elf", "Folk", stats=(Stat("cost", 2),)),
        "Orc": ListedCard("Orc", "Foes", stats=(Stat("cost", 1),)),
        "Plain": ListedCard("Plain", "Lands"),
        "Hill": ListedCard("Hill", "Lands", stats=(Stat("cost", 2),)),
    }
    found = costs_of(DECK, cards)
    assert list(found) == [1, 2]
    assert found == {1: Counter(Foes=7), 2: Counter(Folk=3, Lands=3)}


def test_a_law_without_a_fault_is_kept():
    assert Law("60 cards", "X-1", "Main").is_kept
    assert Law("60 cards", "X-1", "Main", "two short", "it has 58", "cards", 58, 60).missing == 2
