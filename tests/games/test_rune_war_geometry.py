"""Tests of the defences of Rune War: all small pyramids are compared with a second count. RW-3, RW-4, RW-7."""

import pytest

from games.rune_war_positions import ANN, BO, menu, places, play, position
from quintain.engine.errors import IllegalMove
from quintain.games.rune_war import shape
from quintain.games.rune_war import state as st
from quintain.games.rune_war.words import PLACE_NAMES

Spot = tuple[int, int]
"""A row and a place in it, both counted from 1."""


def overlapped(spot: Spot) -> set[Spot]:
    row, place = spot
    return {(row - 1, i) for i in (place - 1, place) if 1 <= i <= row - 1}


def free(taken: frozenset[Spot]) -> set[Spot]:
    rows = max((row for row, _ in taken), default=0) + 1
    every = {(row, place) for row in range(1, rows + 1) for place in range(1, row + 1)}
    return {spot for spot in every - taken if overlapped(spot) <= taken}


def exposed(taken: frozenset[Spot]) -> set[Spot]:
    return {spot for spot in taken if not any(spot in overlapped(other) for other in taken)}


def state_of(taken: frozenset[Spot]) -> st.State:
    s = st.State()
    s.defence[0] = [st.NONE] * st.PLACES
    for number, (row, place) in enumerate(sorted(taken)):
        shape.put_card(s, 0, st.place_of(row - 1, place - 1), number)
    return s


def spots(s: st.State, in_row) -> set[Spot]:
    return {(row + 1, i + 1) for row in range(st.ROWS) for i in range(row + 1) if in_row(s, 0, row) >> i & 1}


def grown(size: int) -> set[frozenset[Spot]]:
    """Return all pyramids of `size` cards that can be built."""
    found: set[frozenset[Spot]] = {frozenset()}
    for _ in range(size):
        found = {taken | {spot} for taken in found for spot in free(taken)}
    return found


@pytest.mark.clause("RW-3", "RW-4")
def test_free_places_and_exposed_cards_of_all_pyramids_up_to_seven_cards():
    seen = 0
    for size in range(8):
        for taken in grown(size):
            s = state_of(taken)
            assert spots(s, shape.free_in_row) == free(taken)
            assert spots(s, shape.exposed_in_row) == exposed(taken)
            seen += 1
    assert seen == 45


@pytest.mark.clause("RW-7", "RW-4")
def test_free_places_and_exposed_cards_where_battles_have_torn_gaps():
    seen = 0
    for taken in grown(7):
        for bits in range(1, 128):
            left = frozenset(spot for number, spot in enumerate(sorted(taken)) if bits >> number & 1)
            s = state_of(left)
            assert spots(s, shape.free_in_row) == free(left)
            assert spots(s, shape.exposed_in_row) == exposed(left)
            seen += 1
    assert seen == 15 * 127


@pytest.mark.clause("RW-4")
def test_two_cards_in_the_middle_of_row_four_cover_the_three_of_row_three():
    full = frozenset((row, place) for row in (1, 2, 3) for place in range(1, row + 1))
    assert spots(state_of(full), shape.exposed_in_row) == {(3, 1), (3, 2), (3, 3)}
    assert spots(state_of(full | {(4, 2), (4, 3)}), shape.exposed_in_row) == {(4, 2), (4, 3)}


@pytest.mark.clause("RW-3")
def test_a_place_over_an_empty_one_is_refused_with_the_reason():
    match = position(["2 of Cups", "3 of Cups"], [{"1.1": "5 of Cups", "2.1": "6 of Cups"}, "5 of Wands"])
    play(match, "lay 2 of Cups")
    assert menu(match) == ["lay at 2.2", "lay at 3.1"]
    with pytest.raises(IllegalMove, match=r"3\.2 overlaps 2\.2, where there is no card \(RW-3\)"):
        match.play(ANN, "at 3.2")
    with pytest.raises(IllegalMove, match=r"4\.2 overlaps 3\.1 and 3\.2, where there is no card"):
        match.play(ANN, "at 4.2")
    with pytest.raises(IllegalMove, match=r"already a card at 2\.1"):
        match.play(ANN, "at 2.1")


@pytest.mark.clause("RW-3")
def test_there_are_twelve_rows():
    assert PLACE_NAMES[-1] == "12.12" and len(PLACE_NAMES) == 78
    edge = {
        f"{row}.1": card
        for row, card in zip(
            range(1, 13),
            [f"{n} of Cups" for n in range(2, 11)] + ["Page of Cups", "Queen of Cups", "King of Cups"],
            strict=True,
        )
    }
    match = position(["2 of Swords", "3 of Swords"], [edge, "5 of Wands"])
    play(match, "lay 2 of Swords")
    assert menu(match) == [f"lay at {row}.2" for row in range(2, 3)]


@pytest.mark.clause("RW-7")
def test_a_gap_may_be_built_on_again_beneath_standing_cards_which_stay():
    laid = {"1.1": "5 of Cups", "2.2": "7 of Cups", "3.1": "8 of Cups", "3.2": "10 of Cups", "3.3": "9 of Cups"}
    match = position(["2 of Cups", "3 of Cups"], [laid, "5 of Wands"])
    play(match, "lay 2 of Cups")
    assert menu(match) == ["lay at 2.1", "lay at 4.1", "lay at 4.2", "lay at 4.3", "lay at 4.4"]
    play(match, "at 2.1")
    assert places(match, ANN) == ["1.1", "2.1", "2.2", "3.1", "3.2", "3.3"]


@pytest.mark.clause("RW-7")
def test_cards_stay_where_they_are_when_the_cards_under_them_are_gone():
    laid = {"1.1": "5 of Cups", "2.1": "6 of Cups", "2.2": "7 of Cups", "3.3": "9 of Cups"}
    match = position(["10 of Swords, 4 of Cups", "3 of Swords"], ["5 of Wands", laid])
    play(
        match,
        "attack with 10 of Swords",
        "seat 1 at 2.1",
        "turn up 2.2",
        "add 4 of Cups",
        "hold back",
        "hold back",
        "stop",
    )
    assert places(match, BO) == ["1.1", "3.3"]
    play(match, "lay 3 of Swords")
    assert menu(match) == ["lay at 2.1", "lay at 2.2", "lay at 4.4"]
