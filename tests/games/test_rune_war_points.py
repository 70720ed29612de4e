"""Tests of the points of Rune War, by hand and against a naive second count. RW-16 to RW-19, RW-22."""

import itertools
import random

import pytest

from games import naive_rune_war as naive
from games.rune_war_positions import cards
from quintain.games.rune_war import points
from quintain.games.rune_war import state as st
from quintain.games.rune_war.account import Battle
from quintain.games.rune_war.words import CARD_NAMES, PAIR_NAMES, RUNE_NAMES

BATTLE_RUNES = [RUNE_NAMES[rune] for rune in range(st.RUNES) if st.OF_BATTLE[rune]]


def tally(side: list[int]) -> points.Tally:
    made = (0, 0, 0, 0, 0)
    for card in side:
        made = points.with_card(made, card)
    return made


def plain_points(names: str) -> int:
    return points.points_of(tally(cards(names)), st.NONE, st.NONE, st.NONE)


@pytest.mark.clause("RW-16")
def test_number_cards_add_up_and_an_ace_is_one():
    assert plain_points("Ace of Cups, 10 of Swords, 7 of Wands") == 18


@pytest.mark.clause("RW-17")
def test_courts_count_only_with_a_number_card_of_their_suit():
    assert plain_points("King of Cups, 2 of Swords") == 2
    assert plain_points("King of Cups, 2 of Cups") == 12
    assert plain_points("King of Cups, King of Swords, 2 of Cups") == 12


@pytest.mark.clause("RW-18")
@pytest.mark.parametrize(
    ("courts", "worth"),
    [
        ("Page", 10),
        ("Queen, King", 30),
        ("Page, Queen", 20),
        ("Page, King", 20),
        ("Page, Knight, Queen", 60),
        ("Page, Knight, King", 40),
        ("Page, Knight, Queen, King", 100),
    ],
)
def test_courts_in_a_row_make_runs(courts: str, worth: int):
    held = ", ".join(f"{court} of Wands" for court in courts.split(", "))
    assert plain_points(f"{held}, Ace of Wands") == 1 + worth


@pytest.mark.clause("RW-19")
def test_a_rune_on_a_side_counts_nothing_and_does_nothing():
    assert plain_points("The World, Strength, Temperance, King of Cups, 3 of Cups") == 13


@pytest.mark.clause("RW-16", "RW-17", "RW-18")
def test_all_sides_of_up_to_three_cards_agree_with_the_naive_count():
    for size in range(4):
        for side in itertools.combinations(range(0, st.FIRST_RUNE + 1), size):
            names = [CARD_NAMES[card] for card in side]
            assert points.points_of(tally(list(side)), st.NONE, st.NONE, st.NONE) == naive.points(names), names


@pytest.mark.long
@pytest.mark.clause("RW-16", "RW-17", "RW-18")
def test_all_sides_of_four_cards_agree_with_the_naive_count():
    for side in itertools.combinations(range(st.FIRST_RUNE + 1), 4):
        names = [CARD_NAMES[card] for card in side]
        assert points.points_of(tally(list(side)), st.NONE, st.NONE, st.NONE) == naive.points(names), names


@pytest.mark.clause("RW-18", "RW-21", "RW-22")
def test_sides_of_any_size_with_all_pairs_of_runes_agree_with_the_naive_count():
    chooser = random.Random(1)
    for _ in range(6000):
        mine, theirs = (chooser.sample(range(st.CARDS), chooser.randint(1, 14)) for _ in range(2))
        runes = chooser.sample(BATTLE_RUNES, 2)
        runes = [chooser.choice([rune, ""]) for rune in runes]
        pair = chooser.randrange(len(st.PAIRS))
        s = st.State()
        for card in mine:
            s.side[card] = st.ATTACKER
        for card in set(theirs) - set(mine):
            s.side[card] = st.DEFENDER
        s.rune = [RUNE_NAMES.index(rune) if rune else st.NONE for rune in runes]
        s.joined = pair if "The Lovers" in runes else st.NONE
        suits = PAIR_NAMES[pair].split(" and ")
        battle = Battle(st.Book(), s)
        for side in (st.ATTACKER, st.DEFENDER):
            each = sum(battle.worth(side, card)[0] for card in battle.cards(side))
            assert each + battle.rune_points(side) == battle.totals[side]
            names = [CARD_NAMES[card] for card in range(st.CARDS) if s.side[card] == side]
            own, other = runes if side == st.ATTACKER else runes[::-1]
            assert points.side_points(s, side) == naive.points(names, own, other, suits), (names, runes, suits)


@pytest.mark.clause("RW-10", "RW-22")
def test_the_winner_agrees_with_the_naive_count_with_and_without_the_hanged_man():
    for ours, theirs in itertools.product(range(40), repeat=2):
        for hanged in (False, True):
            assert points.attacker_wins(ours, theirs, hanged) == naive.attacker_wins(ours, theirs, hanged)
