"""Tests of King's Court, clause by clause: scores and ties, with numbers worked out by hand. KC-15 to KC-19."""

import pytest

from games.kings_court_positions import (
    ANN,
    COUNTERS,
    HOUSES,
    Counters,
    begin,
    bonuses,
    random_moves,
    score,
    scored,
    tie_breaks,
)

BONUSES = (-4, 0, 2, 4, 6, 10)
"""The majority bonuses, house by house, when both players put their counters in the order of COUNTERS."""

TWINS: tuple[Counters, Counters] = (COUNTERS, (0, -2, 1, 2, 3, 5))
"""Counters with bonuses of -2 in both Artois and Bellerophon, then +2, +4, +6 and +10."""


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


@pytest.mark.clause("KC-15")
@pytest.mark.parametrize(
    ("ann", "bo", "expected"),
    [
        (COUNTERS, COUNTERS, BONUSES),
        (COUNTERS, (5, 3, 2, 1, 0, -2), (3, 3, 3, 3, 3, 3)),
        ((5, -2, 0, 3, 1, 2), (-2, 0, 5, 1, 3, 2), (3, -2, 5, 4, 4, 4)),
    ],
)
def test_the_majority_bonus_is_the_sum_of_both_counters(ann: Counters, bo: Counters, expected: tuple[int, ...]) -> None:
    match = scored({"Artois": (1, 0)}, (ann, bo))
    assert bonuses(match) == expected
    houses = [line.words for line in match.account()[:6]]
    assert all(f"majority bonus {signed(bonus)} for" in words for words, bonus in zip(houses, expected, strict=True))
    assert sum(expected) == 18


@pytest.mark.clause("KC-15", "KC-4")
@pytest.mark.parametrize("seed", range(5))
def test_the_six_bonuses_of_a_game_sum_to_18_and_stay_between_minus_4_and_10(seed: int) -> None:
    match = begin(seed)
    assert list(random_moves(match, seed))
    found = bonuses(match)
    assert sum(found) == 18
    assert all(-4 <= bonus <= 10 for bonus in found)


@pytest.mark.clause("KC-16")
@pytest.mark.parametrize(
    ("house", "influence", "expected"),
    [
        ("Bellerophon", (5, 2), (5 + 0, 2)),
        ("De Bourgogne", (5, 4), (5 + 4, 4)),
        ("De Bourgogne", (4, 5), (4, 5 + 4)),
        ("Febrois", (0, 1), (0, 1 + 10)),
        ("Ellicta", (120, 1), (120 + 6, 1)),
    ],
)
def test_influence_scores_1_each_and_strictly_more_of_it_adds_the_bonus(
    house: str, influence: tuple[int, int], expected: tuple[int, int]
) -> None:
    match = scored({house: influence})
    assert score(match, house) == expected
    assert match.outcome.scores == expected


@pytest.mark.clause("KC-16")
@pytest.mark.parametrize(("influence", "expected"), [((7, 3), (7 - 4, 3)), ((1, 4), (1, 4 - 4))])
def test_the_majority_takes_a_negative_bonus_too(influence: tuple[int, int], expected: tuple[int, int]) -> None:
    match = scored({"Artois": influence})
    assert score(match, "Artois") == expected


@pytest.mark.clause("KC-16")
@pytest.mark.parametrize("house", ["Artois", "Febrois"])
def test_on_equal_influence_nobody_gets_the_bonus(house: str) -> None:
    match = scored({house: (4, 4)})
    assert score(match, house) == (4, 4)


@pytest.mark.clause("KC-16")
def test_a_house_score_and_a_total_may_be_below_0() -> None:
    match = scored({"Artois": (1, 0), "Bellerophon": (0, 1)}, TWINS)
    assert score(match, "Artois") == (1 - 2, 0)
    assert score(match, "Bellerophon") == (0, 1 - 2)
    assert match.outcome.scores == (-1, -1)
    match = scored({"Artois": (1, 0)})
    assert match.outcome.scores == (1 - 4, 0)
    assert match.outcome.ranks == (2, 1)


@pytest.mark.clause("KC-17")
@pytest.mark.parametrize(
    ("ann", "bo", "expected"),
    [
        ("", "Ellicta 1", (0, 2)),
        ("Ellicta 1", "", (5 + 6, 0)),
        ("Ellicta 7", "Ellicta 3, Ellicta 4", (5 + 6, 2)),
        ("Ellicta 7", "Ellicta 3, Ellicta 4, Ellicta 1", (0, 2)),
        ("Ellicta 8", "Ellicta 3, Ellicta 4", (5 + 6, 0)),
        ("", "", (5 + 6, 2)),
    ],
)
def test_a_house_scores_0_if_the_opponents_ranks_of_it_sum_to_strictly_more(
    ann: str, bo: str, expected: tuple[int, int]
) -> None:
    match = scored({"Ellicta": (5, 2)}, ann=ann, bo=bo)
    assert score(match, "Ellicta") == expected
    assert match.outcome.scores == expected


@pytest.mark.clause("KC-17")
def test_only_cards_of_that_house_count() -> None:
    match = scored({"Ellicta": (5, 2)}, ann="Ellicta 1", bo="Febrois 8, Febrois 7, De Bourgogne 8, De Bourgogne 1")
    assert score(match, "Ellicta") == (5 + 6, 0)


@pytest.mark.clause("KC-17")
@pytest.mark.parametrize(
    ("influence", "ann", "bo", "expected"),
    [
        ((1, 0), "", "Artois 2", (0, 0)),
        ((1, 0), "", "", (1 - 4, 0)),
        ((0, 3), "Artois 1", "", (0, 0)),
        ((0, 3), "", "", (0, 3 - 4)),
    ],
)
def test_a_score_that_would_have_been_negative_is_0_too(
    influence: tuple[int, int], ann: str, bo: str, expected: tuple[int, int]
) -> None:
    match = scored({"Artois": influence}, ann=ann, bo=bo)
    assert score(match, "Artois") == expected


@pytest.mark.clause("KC-17")
@pytest.mark.parametrize(
    ("influence", "ann", "bo", "expected"), [((6, 5), "", "Febrois 2", (0, 5)), ((2, 9), "Febrois 2", "", (2, 0))]
)
def test_nobody_else_gets_a_bonus_that_favour_took_away(
    influence: tuple[int, int], ann: str, bo: str, expected: tuple[int, int]
) -> None:
    match = scored({"Febrois": influence}, ann=ann, bo=bo)
    assert bonuses(match)[5] == 10
    assert score(match, "Febrois") == expected


EXAMPLE: tuple[Counters, Counters] = ((-2, 0, 1, 3, 2, 5), (-2, 0, 1, 3, 2, 5))


@pytest.mark.clause("KC-18")
@pytest.mark.parametrize(
    ("ann", "bo", "expected"),
    [
        ("", "", (13, 3)),
        ("De Bourgogne 2, De Bourgogne 4", "De Bourgogne 7", (0, 3)),
        ("De Bourgogne 7", "De Bourgogne 2, De Bourgogne 4", (13, 0)),
    ],
)
def test_the_example_of_the_rulebook(ann: str, bo: str, expected: tuple[int, int]) -> None:
    match = scored({"De Bourgogne": (7, 3)}, EXAMPLE, ann, bo)
    assert bonuses(match)[3] == 6
    assert score(match, "De Bourgogne") == expected
    assert match.outcome.scores == expected


@pytest.mark.clause("KC-18", "KC-17")
def test_the_account_explains_the_example() -> None:
    match = scored({"De Bourgogne": (7, 3)}, EXAMPLE, "De Bourgogne 2, De Bourgogne 4", "De Bourgogne 7")
    (line,) = (line for line in match.account(ANN) if line.words.startswith("De Bourgogne"))
    assert line.words == (
        "De Bourgogne: Influence Ann 7, Bo 3; majority bonus +6 for Ann; favour Ann 6, Bo 7, so Ann scores 0"
    )
    assert (line.by_seat, line.clause) == ((0, 3), "KC-17")


@pytest.mark.clause("KC-19", "KC-16")
def test_the_total_is_the_sum_of_the_houses() -> None:
    match = scored(
        {"Artois": (9, 1), "Bellerophon": (2, 2), "Castellia": (3, 8), "De Bourgogne": (6, 5), "Febrois": (1, 4)},
        ann="Castellia 8, De Bourgogne 1, De Bourgogne 2, Artois 8, Bellerophon 3, Ellicta 1, Ellicta 8",
        bo="Castellia 7, De Bourgogne 3, Artois 1, Artois 7, Bellerophon 1, Bellerophon 4, Febrois 1",
    )
    expected = {
        "Artois": (9 - 4, 1),  # favour 8 to 8
        "Bellerophon": (0, 2),  # favour 3 to 5
        "Castellia": (3, 0),  # favour 8 to 7
        "De Bourgogne": (6 + 4, 5),  # favour 3 to 3
        "Ellicta": (0, 0),
        "Febrois": (0, 4 + 10),  # favour 0 to 1
    }
    assert {house: score(match, house) for house in HOUSES} == expected
    assert match.outcome.scores == (5 + 0 + 3 + 10 + 0, 1 + 2 + 0 + 5 + 14)
    assert match.outcome.ranks == (2, 1)
    assert [line.by_seat for line in match.account() if line.words == "Total"] == [(18, 22)]


@pytest.mark.clause("KC-19")
@pytest.mark.parametrize("swap", [False, True])
def test_the_higher_total_wins_even_with_fewer_majorities_and_less_influence(swap: bool) -> None:
    """Ann: 1 + 10; Bo: 3 + 0 and 5 - 4."""
    match = scored(_swapped({"Febrois": (1, 0), "Bellerophon": (0, 3), "Artois": (0, 5)}, swap))
    assert match.outcome.scores == _pair((11, 4), swap)
    assert match.outcome.ranks == _pair((1, 2), swap)
    assert tie_breaks(match) == []


@pytest.mark.clause("KC-19")
@pytest.mark.parametrize("swap", [False, True])
def test_a_tie_goes_to_the_majority_in_more_houses(swap: bool) -> None:
    """Ann: 1 + 2 and 1 + 4; Bo: 8 + 0, with more Influence."""
    match = scored(_swapped({"Castellia": (1, 0), "De Bourgogne": (1, 0), "Bellerophon": (0, 8)}, swap))
    assert match.outcome.scores == (8, 8)
    assert match.outcome.ranks == _pair((1, 2), swap)
    assert tie_breaks(match) == [("Tied; houses with the majority", _pair((2, 1), swap))]


@pytest.mark.clause("KC-19")
@pytest.mark.parametrize("swap", [False, True])
def test_then_the_most_influence_on_the_board_wins(swap: bool) -> None:
    """Ann: 1 + 4; Bo: 5 + 0; Ann holds the higher ranks."""
    high = "Artois 8, Castellia 8, Ellicta 8, Febrois 8, Artois 7, Castellia 7, Ellicta 7"
    low = "Artois 1, Castellia 1, Ellicta 1, Febrois 1, Artois 2, Castellia 2, Ellicta 2"
    ann, bo = (low, high) if swap else (high, low)
    match = scored(_swapped({"De Bourgogne": (1, 0), "Bellerophon": (0, 5)}, swap), ann=ann, bo=bo)
    assert match.outcome.scores == (5, 5)
    assert match.outcome.ranks == _pair((2, 1), swap)
    assert tie_breaks(match) == [
        ("Tied; houses with the majority", (1, 1)),
        ("Tied; Influence on the board", _pair((1, 5), swap)),
    ]


EQUAL = {"Artois": (6, 0), "Bellerophon": (0, 6), "Ellicta": (3, 3)}


@pytest.mark.clause("KC-19")
@pytest.mark.parametrize("swap", [False, True])
def test_then_the_highest_sum_of_ranks_in_hand_wins(swap: bool) -> None:
    """Ann: 6 - 2 and 3; Bo: 3 and 6 - 2; the hands sum to 29 and 28."""
    more = "Castellia 8, De Bourgogne 7, Febrois 6, Castellia 4, De Bourgogne 2, Febrois 1, Castellia 1"
    less = "Castellia 7, De Bourgogne 6, Febrois 5, Castellia 3, De Bourgogne 1, Febrois 4, Castellia 2"
    ann, bo = (less, more) if swap else (more, less)
    match = scored(EQUAL, TWINS, ann, bo)
    assert match.outcome.scores == (7, 7)
    assert match.outcome.ranks == _pair((1, 2), swap)
    assert tie_breaks(match) == [
        ("Tied; houses with the majority", (1, 1)),
        ("Tied; Influence on the board", (9, 9)),
        ("Tied; sum of the ranks in hand", _pair((29, 28), swap)),
    ]


@pytest.mark.clause("KC-19")
def test_if_everything_is_equal_the_game_is_a_draw() -> None:
    """Ann: 6 - 2 and 3; Bo: 3 and 6 - 2; both hands sum to 28."""
    ann = "Castellia 8, De Bourgogne 7, Febrois 6, De Bourgogne 3, De Bourgogne 2, Febrois 1, Castellia 1"
    bo = "Castellia 7, De Bourgogne 6, Febrois 5, Castellia 3, De Bourgogne 1, Febrois 4, Castellia 2"
    match = scored(EQUAL, TWINS, ann, bo)
    assert match.outcome.scores == (7, 7)
    assert match.outcome.ranks == (1, 1)
    assert tie_breaks(match)[2:] == [("Tied; sum of the ranks in hand", (28, 28))]


@pytest.mark.clause("KC-19", "KC-17")
@pytest.mark.parametrize("swap", [False, True])
def test_a_majority_breaks_ties_even_where_favour_took_the_score(swap: bool) -> None:
    """Ann: 1 + 2, and in De Bourgogne the majority but no favour; Bo: 3 + 0, with more Influence."""
    ann, bo = ("De Bourgogne 1", "") if swap else ("", "De Bourgogne 1")
    houses = _swapped({"Castellia": (1, 0), "De Bourgogne": (1, 0), "Bellerophon": (0, 3)}, swap)
    match = scored(houses, ann=ann, bo=bo)
    assert score(match, "De Bourgogne") == (0, 0)
    assert match.outcome.scores == (3, 3)
    assert match.outcome.ranks == _pair((1, 2), swap)
    assert tie_breaks(match) == [("Tied; houses with the majority", _pair((2, 1), swap))]


@pytest.mark.clause("KC-19", "KC-17")
def test_influence_breaks_ties_even_where_favour_took_the_score() -> None:
    """Ann: 1 + 2, and 5 that Bo's favour takes; Bo: 3 + 0, and 1 that Ann's favour takes."""
    houses = {"Castellia": (1, 0), "Bellerophon": (0, 3), "Ellicta": (5, 0), "Febrois": (0, 1)}
    ann = "Febrois 1, Artois 1, Artois 2, Artois 3, De Bourgogne 1, De Bourgogne 2, De Bourgogne 3"
    bo = "Ellicta 1, Artois 6, Artois 7, Artois 8, De Bourgogne 6, De Bourgogne 7, De Bourgogne 8"
    match = scored(houses, ann=ann, bo=bo)
    assert [score(match, house) for house in ("Ellicta", "Febrois")] == [(0, 0), (0, 0)]
    assert match.outcome.scores == (3, 3)
    assert match.outcome.ranks == (1, 2)
    assert tie_breaks(match)[1:] == [("Tied; Influence on the board", (6, 4))]


def _pair(pair: tuple[int, int], swap: bool) -> tuple[int, int]:
    return (pair[1], pair[0]) if swap else pair


def _swapped(influence: dict[str, tuple[int, int]], swap: bool) -> dict[str, tuple[int, int]]:
    return {house: _pair(both, swap) for house, both in influence.items()}
