"""Heirless battles: points, the victor, and the consequences of a battle, HB-16 to HB-18."""

import random
from collections.abc import Mapping, Sequence

import pytest

import quintain
from games import naive_heirless as naive
from games.heirless_positions import (
    ANN,
    BANDITS,
    BO,
    CAPITAL,
    CID,
    DEE,
    NAMES,
    WOLF,
    all_guard,
    altered,
    asked,
    battle,
    begin,
    fighting,
    hosts,
    menu,
    mustered,
    phase,
    pieces,
    place,
    placed_by,
    play,
    resources,
    values,
    wounds,
    zone,
)
from quintain.engine.rules import rng
from quintain.engine.rules.game import seats_in
from quintain.games.heirless import battle as b
from quintain.games.heirless import state as st
from quintain.games.heirless.wounds import points_of_knight

GAME = quintain.game("heirless")


def finish(match):
    """Let all players hold back until the battle is over."""
    while phase(match) == "turns":
        play(match, "hold back")
    return match


def points(match) -> dict[str, int]:
    return {
        line.words.removeprefix("Points of ").partition(":")[0]: int(line.words.split("; ")[-1].split()[0])
        for line in match.account()
        if line.clause == "HB-16"
    }


def won(match) -> str:
    (line,) = (line.words for line in match.account() if line.clause == "HB-17")
    return line


@pytest.mark.clause("HB-16")
@pytest.mark.parametrize("health", [*range(1, 25), 40, 99])
def test_every_number_of_wounds_leaves_as_many_points_as_quarters(health: int):
    s = GAME.state()
    s.value[0][st.HEALTH] = health
    for taken in range(health + 1):
        s.wounds[0][0] = taken
        assert points_of_knight(s, 0, 0) == naive.points(health, taken)


@pytest.mark.clause("HB-16")
def test_the_account_counts_quarters_knight_by_knight():
    match = fighting({ANN: 5, BO: 1}, {ANN: {st.HEALTH: 10}}, {ANN: [0, 1, 3, 7, 8]})
    finish(match)
    (line,) = (line for line in match.account() if line.words.startswith("Points of Ann"))
    assert line.words == (
        "Points of Ann: 4 for Health 10 of 10; 3 for Health 9 of 10; 2 for Health 7 of 10; "
        "1 for Health 3 of 10; 0 for Health 2 of 10; 10 in all"
    )
    assert line.by_seat == (10, 0, 0)


@pytest.mark.clause("HB-16")
def test_allies_add_their_points():
    match = fighting({ANN: 2, BO: 1, CID: 1}, allies=[(BO, CID)], wounds={ANN: [1, 0]})
    assert won(finish(match)) == "Won by Bo and Cid with 8 points"
    assert points(match) == {"Ann": 7, "Bo": 4, "Cid": 4}


@pytest.mark.clause("HB-17")
def test_most_points_win_and_only_the_victors_knights_stay():
    match = begin(3, bandits="off")
    match = mustered(match, {ANN: {WOLF: 3, CAPITAL: 1}, BO: {WOLF: 4}, CID: {WOLF: 1}})
    all_guard(match)
    play(match, *["propose nothing"] * 3)
    finish(match)
    assert won(match) == "Won by Bo with 12 points"
    pay = 4 if resources(match)[BO] == 4 else 3
    assert match.log()[-4:-1] == [
        "Bo wins the battle at the Wolf Camp.",
        "Ann earns 4 Resources at the Capital.",
        f"Bo earns {pay} Resources at the Wolf Camp.",
    ]
    assert resources(match) == [4, pay, 0]


@pytest.mark.clause("HB-17")
def test_losers_leave_the_tile_at_once_and_struck_down_knights_of_the_victor_stay():
    match = begin(3, bandits="off", order=(ANN, BO, CID))
    match = mustered(match, {ANN: {CAPITAL: 2, WOLF: 2}, BO: {CAPITAL: 1, WOLF: 1}, CID: {}})
    play(match, "fight at the Capital")
    place(match, Ann="Guard, Cleave", Bo="Guard, Feint")
    play(match, "hold back", "strike Bo's Knight 1" if match.to_act == {ANN} else "hold back")
    assert hosts(match)["Capital"] == {"Ann": 2}
    assert hosts(match)["Wolf Camp"] == {"Ann": 2, "Bo": 1}


@pytest.mark.clause("HB-17", "HB-19")
@pytest.mark.parametrize("order", [(ANN, BO, CID), (CID, BO, ANN), (BO, CID, ANN)])
def test_of_equal_sides_the_one_ahead_in_player_order_wins(order: Sequence[int]):
    match = finish(fighting({ANN: 1, BO: 1, CID: 1}, order=order))
    first, *others = (NAMES[seat] for seat in order)
    assert won(match) == f"Won by {first} with 4 points, ahead of {others[0]} and {others[1]} in player order"


@pytest.mark.clause("HB-17", "HB-19")
@pytest.mark.parametrize(
    ("order", "victors"),
    [
        ((ANN, BO, CID, DEE), "Bo and Cid"),
        ((BO, ANN, DEE, CID), "Ann and Dee"),
        ((ANN, DEE, BO, CID), "Ann and Dee"),
        ((BO, ANN, CID, DEE), "Bo and Cid"),
    ],
)
def test_an_alliance_is_as_late_as_its_later_member(order: Sequence[int], victors: str):
    one_each = dict.fromkeys((ANN, BO, CID, DEE), 1)
    match = finish(fighting(one_each, seats=4, order=order, allies=[(ANN, DEE), (BO, CID)]))
    assert won(match).startswith(f"Won by {victors} with 8 points, ahead of ")


@pytest.mark.clause("HB-17")
def test_a_lone_player_beats_an_alliance_whose_later_member_is_behind():
    match = finish(fighting({ANN: 1, BO: 2, CID: 1}, order=(ANN, BO, CID), allies=[(ANN, CID)]))
    assert won(match) == "Won by Bo with 8 points, ahead of Ann and Cid in player order"
    match = finish(fighting({ANN: 1, BO: 2, CID: 1}, order=(ANN, CID, BO), allies=[(ANN, CID)]))
    assert won(match) == "Won by Ann and Cid with 8 points, ahead of Bo in player order"


@pytest.mark.clause("HB-17", "HB-19")
def test_the_bandits_lose_every_tie():
    match = fighting({CID: 1}, bandits=1, values={BANDITS: {st.DAMAGE: 0}})
    assert won(finish(match)) == "Won by Cid with 4 points, ahead of the Bandits in player order"


@pytest.mark.clause("HB-10", "HB-17")
def test_a_victor_with_all_knights_struck_down_keeps_them_on_the_tile_and_is_paid():
    match = fighting({ANN: 2, BO: 1}, {ANN: {st.DAMAGE: 0}}, {ANN: [10, 10], BO: [8]}, bandits=0)
    assert "Bo has no battle turn, with nobody to strike." in match.log()
    assert won(match) == "Won by Ann with 0 points, ahead of Bo in player order"
    assert any(line.startswith("Ann earns") and line.endswith("at the Wolf Camp.") for line in match.log())


@pytest.mark.clause("HB-10", "HB-17")
def test_if_every_knight_is_struck_down_the_first_in_order_wins():
    match = fighting({ANN: 1, BO: 1, CID: 1}, wounds={ANN: [10], BO: [10], CID: [10]}, bandits=2, order=(CID, BO, ANN),
                     values={BANDITS: {st.HEALTH: 1}, ANN: {}}, )  # fmt: skip
    assert "Cid has no battle turn, with nobody left standing." in match.log()
    assert won(match).startswith("Won by the Bandits with 8 points")
    match = fighting({ANN: 1, BO: 1, CID: 1}, wounds={ANN: [10], BO: [10], CID: [10]}, order=(CID, BO, ANN))
    assert won(match) == "Won by Cid with 0 points, ahead of Bo and Ann in player order"


@pytest.mark.clause("HB-17")
def test_bandits_that_lose_are_defeated_and_those_that_win_stay():
    match = fighting({ANN: 3}, bandits=2, values={BANDITS: {st.DAMAGE: 0}})
    finish(match)
    assert "Ann wins the battle at the Wolf Camp." in match.log()
    assert asked(match, ANN) == "Which of your attributes do you raise?"
    assert hosts(match)["Wolf Camp"] == {"Ann": 3}
    match = fighting({ANN: 1, BO: 1}, bandits=3, wounds={ANN: [9], BO: [9]}, order=(ANN, BO, CID))
    finish(match)
    assert "The Bandits win the battle at the Wolf Camp." in match.log()
    assert not any("earns" in line for line in match.log())


@pytest.mark.clause("HB-18")
def test_no_wound_outlasts_its_battle():
    match = begin(2, order=(ANN, BO), bandits="off")
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 2}, BO: {CAPITAL: 1, WOLF: 2}})
    play(match, "fight at the Capital")
    place(match, Ann="Guard, Riposte", Bo="Thrust, Riposte")
    assert wounds(match, ANN) == [2]
    finish(match)
    place(match, Ann="Feint, Cleave", Bo="Feint, Cleave")
    assert wounds(match, ANN) == [1, 1] and wounds(match, BO) == [1, 1], "those of the new cards alone"
    assert values(match, ANN)["Health"] == 8


@pytest.mark.clause("HB-18")
def test_a_knight_that_was_struck_down_stands_again_in_the_next_battle():
    match = begin(2, order=(ANN, BO), bandits="off")
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 3, WOLF: 1}})
    play(match, "fight at the Capital")
    place(match, Ann="Guard, Riposte", Bo="Charge, Feint")
    play(match, *(f"Knight {number} strikes Ann's Knight 1" for number in (1, 2, 3)))
    assert "Ann has no battle turn, with nobody left standing." in match.log()
    place(match, Ann="Charge, Cleave", Bo="Riposte, Guard")
    assert wounds(match, ANN) == [1] and "Knight 1 strikes Bo's Knight 1" in menu(match, ANN)


def side_of(s, side: int) -> naive.Side:
    """Return a side of a finished battle for the naive implementation."""
    health = {"Health": s.value[side][st.HEALTH]}
    ally = None if s.ally[side] == st.NONE else str(s.ally[side])
    return naive.Side(str(side), s.place[side], health, s.wounds[side][: s.force[side]], ally)


@pytest.mark.clause("HB-16", "HB-17")
def test_the_victors_of_random_battles_are_those_of_a_naive_count():
    kinds: Mapping[str, set[int]] = {"allied": set(), "tied": set()}
    for seed in range(25):
        seats = 3 + seed % 4
        book = GAME.make_book(seats, GAME.read_options(seats, {"knights": "3"}))
        s, chooser = GAME.state(), random.Random(seed)
        rng.seed(s.rng, seed)
        GAME.rules.deal(book, s)
        judged = s.fought
        while acting := seats_in(GAME.rules.to_act(book, s)):
            seat = chooser.choice(acting)
            GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
            if s.victor == st.NONE or s.phase in (st.PLACE, st.MUSTER) or s.fought == judged:
                continue
            judged = s.fought
            sides = [side_of(s, side) for side in s.lineup[: s.sides]]
            expected = naive.victors(sides)
            assert {str(side) for side in s.lineup[: s.sides] if b.wins(s, side)} == expected
            kinds["allied"].add(len(expected))
            kinds["tied"].add(sorted(b.joint_points(s, side) for side in s.lineup[: s.sides]).count(
                b.joint_points(s, s.victor)) - len(expected))  # fmt: skip
    assert kinds["allied"] == {1, 2} and len(kinds["tied"]) > 1


def test_a_battle_can_be_played_from_the_first_card_to_the_account():
    match = battle({ANN: 2, BO: 2}, seats=2)
    place(match, Ann="Feint, Guard", Bo="Thrust, Cleave")
    play(match, "Knight 1 strikes Ann's Knight 1", "hold back")
    play(match, "Knight 1 strikes Bo's Knight 1", "hold back")
    assert [line.clause for line in match.account()][:6] == ["HB-4", "HB-8", "HB-8", "HB-9", "HB-9", "HB-12"]


@pytest.mark.clause("HB-14", "HB-16")
def test_the_account_of_a_battle_is_read_until_the_cards_of_the_next_are_open():
    match = begin(2, order=(BO, ANN), bandits="off")
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 1}})
    play(match, "Bo: fight at the Wolf Camp")
    place(match, Ann="Feint, Guard", Bo="Thrust, Guard")
    play(match, *["hold back"] * 2)
    assert zone(match, "battle").words == "Battle at the Capital"
    assert phase(match) == "cards"
    first = match.account()
    assert first[0].words == "The battle at the Wolf Camp"
    assert first[-1].words == "Won by Bo with 3 points, ahead of Ann in player order"
    place(match, Ann="Charge, Cleave")
    assert match.account() == match.account(ANN) == first
    attributes = {"Damage": 8, "Precision": 3, "Dodge": 3, "Defense": 1, "Delay": 6, "Health": 8}
    assert values(match, ANN) == values(match, BO) == attributes
    assert [piece.key for piece in placed_by(match, ANN, BO)] == [None, None] and placed_by(match, BO, BO) == []
    place(match, Bo="Charge, Cleave")
    assert match.account()[0].words == "The battle at the Capital"


@pytest.mark.clause("HB-14", "HB-19")
def test_the_account_of_a_season_past_keeps_to_its_player_order():
    match = begin(2, order=(ANN, BO), bandits="off")
    match = mustered(match, {ANN: {CAPITAL: 1}, BO: {CAPITAL: 1}})
    place(match, Ann="Guard, Thrust", Bo="Guard, Feint")
    match = altered(match, f"value[{BO}][{st.PRECISION}] = {values(match, ANN)['Dodge']}")
    play(match, "strike Ann's Knight 1", "hold back")
    assert phase(match) == "muster" and pieces(match, "players")[0].seat == BO
    (blow,) = (line.words for line in match.account() if line.clause == "HB-14")
    assert "and Ann is ahead: halved to 6" in blow
