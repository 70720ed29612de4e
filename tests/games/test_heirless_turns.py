"""Heirless battles: battle turns, the Wounds of a blow, and whom the Bandits strike, HB-12 to HB-15."""

import random
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest

import quintain
from games import naive_heirless as naive
from games.heirless_positions import (
    ANN,
    BANDITS,
    BO,
    CID,
    DEE,
    NAMES,
    ONLOOKER,
    all_guard,
    battle,
    fighting,
    menu,
    phase,
    pieces,
    place,
    play,
    reason,
    tables,
    wounds,
)
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.linking import rule
from quintain.games.heirless import state as st
from quintain.games.heirless.bandits import bandit_target
from quintain.games.heirless.words import TRACK_NAMES
from quintain.games.heirless.wounds import wounds_dealt

GAME = quintain.game("heirless")
WEAK = {st.DAMAGE: 0}


def order_of_turns(match) -> list[str]:
    """Return the order of turns, as the account shows it to everybody."""
    (line,) = (line.words for line in match.account() if line.clause == "HB-12")
    return [part.split(" at ")[0] for part in line.removeprefix("Order of turns: ").split(", ")]


@pytest.mark.clause("HB-12")
def test_turns_are_in_ascending_delay_the_attack_card_included():
    match = battle({ANN: 6, BO: 6, CID: 6})
    place(match, Ann="Guard, Cleave", Bo="Charge, Guard", Cid="Riposte, Guard")
    play(match, *["propose nothing"] * 3)
    assert order_of_turns(match) == ["Bo", "Ann", "Cid"]
    assert match.to_act == {BO}


@pytest.mark.clause("HB-12", "HB-19")
@pytest.mark.parametrize("order", [*permutations((ANN, BO, CID))])
def test_of_equal_delay_the_later_in_player_order_is_first_and_the_bandits_before_all(order: Sequence[int]):
    as_fast = tables([("Quick", [0, 0, -1], [0, 0, 0]), ("Swift", [0, 0, -1], [0, 0, 0])], part="bandit_cards")
    match = all_guard(battle({ANN: 6, BO: 6, CID: 6}, bandits=1, order=order, tables=as_fast))
    play(match, *["propose nothing"] * 3)
    assert order_of_turns(match) == ["the Bandits", *(NAMES[seat] for seat in reversed(order))]


@pytest.mark.clause("HB-12")
@pytest.mark.parametrize(("order", "first"), [((ANN, BO), BO), ((BO, ANN), ANN)])
def test_of_two_with_equal_delay_the_later_in_player_order_strikes_before_the_other_can(
    order: Sequence[int], first: int
):
    match = battle({ANN: 1, BO: 1}, seats=2, order=order)
    place(match, Ann="Charge, Guard", Bo="Charge, Guard")
    assert match.to_act == {first}


@pytest.mark.clause("HB-12")
def test_each_side_has_one_turn_and_none_without_a_standing_knight_at_that_moment():
    match = fighting({ANN: 1, BO: 1}, {ANN: {st.DELAY: 2, st.DAMAGE: 10}})
    assert match.to_act == {ANN}
    play(match, "Knight 1 strikes Bo's Knight 1")
    assert "Bo has no battle turn, with nobody left standing." in match.log()
    assert phase(match) == "muster"


@pytest.mark.clause("HB-12")
def test_a_player_with_nobody_to_strike_has_no_turn():
    strong = {st.DELAY: 2, st.DAMAGE: 10}
    match = fighting({ANN: 1, BO: 1, CID: 1}, {ANN: strong}, allies=[(ANN, BO)])
    play(match, "Knight 1 strikes Cid's Knight 1")
    assert "Bo has no battle turn, with nobody to strike." in match.log()
    assert "Cid has no battle turn, with nobody left standing." in match.log()


@pytest.mark.clause("HB-13")
def test_each_knight_has_one_target_or_none_and_several_may_share_one():
    match = fighting({ANN: 3, BO: 2}, {ANN: {st.DELAY: 1}, BO: {st.HEALTH: 20}})
    play(match, "Knight 1 strikes Bo's Knight 1", "Knight 2 strikes Bo's Knight 1", "hold back")
    assert wounds(match, BO) == [2 * 8, 0]
    assert "Ann holds 1 Knight back." in match.log()


@pytest.mark.clause("HB-13")
def test_all_targets_are_fixed_before_wounds_are_counted():
    match = fighting({ANN: 2, BO: 2}, {ANN: {st.DELAY: 4, st.DAMAGE: 10}})
    play(match, "Knight 1 strikes Bo's Knight 1")
    assert wounds(match, BO) == [0, 0]
    assert menu(match) == ["hold back", "Knight 2 strikes Bo's Knight 1", "Knight 2 strikes Bo's Knight 2"]
    play(match, "Knight 2 strikes Bo's Knight 1")
    assert wounds(match, BO) == [10, 0]


@pytest.mark.clause("HB-13")
def test_of_knights_that_are_alike_the_first_is_named():
    match = fighting({ANN: 4, BO: 4}, {ANN: {st.DELAY: 1}}, {BO: [0, 3, 0, 3]})
    assert menu(match) == ["hold back", "Knight 1 strikes Bo's Knight 1", "Knight 1 strikes Bo's Knight 2"]
    assert reason(match, ANN, "strike Bo's Knight 3") == (
        "HB-13",
        "Bo's Knight 3 is like one with a lower number: name that one",
    )
    play(match, "Knight 1 strikes Bo's Knight 1")
    assert menu(match)[1:] == [f"Knight 2 strikes Bo's Knight {number}" for number in (1, 2, 3)]


@pytest.mark.clause("HB-13")
def test_knights_strike_others_of_any_side_but_not_their_own():
    match = fighting({ANN: 1, BO: 1, CID: 1}, {ANN: {st.DELAY: 1}}, bandits=1)
    assert menu(match) == [
        "hold back",
        "Knight 1 strikes Bo's Knight 1",
        "Knight 1 strikes Cid's Knight 1",
        "Knight 1 strikes Bandit 1",
    ]
    assert reason(match, ANN, "strike Ann's Knight 1") == ("HB-13", "your Knights do not strike each other")
    assert reason(match, ANN, "strike Bandit 2") == ("HB-13", "there is no Bandit 2 in this battle")
    assert reason(match, BO, "hold back") == ("HB-13", "Ann is to act")


@pytest.mark.clause("HB-13")
def test_which_of_the_own_knights_strikes_makes_no_difference_and_may_be_left_out():
    for words in ("Knight 2 strikes Bo's Knight 1", "strike Bo's Knight 1", "KNIGHT 1 strikes  seat 1's knight 1"):
        match = fighting({ANN: 2, BO: 1}, {ANN: {st.DELAY: 4}})
        play(match, words)
        assert match.log()[-1] == "Ann's Knight 1 strikes Bo's Knight 1."


@pytest.mark.clause("HB-14")
@pytest.mark.parametrize(
    ("ours", "theirs", "knights", "dealt"),
    [
        ({st.DAMAGE: 9}, {}, 1, 9),
        ({st.DAMAGE: 9, st.PRECISION: 3}, {}, 1, 5),
        ({st.DAMAGE: 9, st.PRECISION: 3}, {st.DEFENSE: 2}, 1, 3),
        ({st.DAMAGE: 9}, {st.DEFENSE: 2}, 3, 21),
        ({st.DAMAGE: 9}, {st.DEFENSE: 12}, 3, 0),
        ({st.DAMAGE: 9, st.DELAY: 3}, {st.DELAY: 5}, 1, 9),
        ({st.DAMAGE: 9, st.DELAY: 3}, {st.DELAY: 6}, 1, 18),
        ({st.DAMAGE: 9, st.DELAY: 2, st.PRECISION: 3}, {st.DELAY: 5, st.DEFENSE: 1}, 2, 16),
    ],
)
def test_wounds_are_halved_lessened_multiplied_and_doubled_in_this_order(ours, theirs, knights: int, dealt: int):
    match = fighting({ANN: 3, BO: 1}, {ANN: {st.DELAY: 4, **ours}, BO: {st.HEALTH: 40, **theirs}})
    play(match, *[f"Knight {number + 1} strikes Bo's Knight 1" for number in range(knights)])
    if knights < 3:
        play(match, "hold back")
    assert wounds(match, BO) == [dealt]


@pytest.mark.clause("HB-14", "HB-19")
@pytest.mark.parametrize(("order", "dealt"), [((ANN, BO), 9), ((BO, ANN), 5)])
def test_equal_dodge_and_precision_halve_for_a_defender_who_is_ahead(order: Sequence[int], dealt: int):
    even = {ANN: {st.DAMAGE: 9, st.PRECISION: 4, st.DELAY: 3}}
    match = fighting({ANN: 1, BO: 1}, even, seats=2, order=order)
    play(match, "Knight 1 strikes Bo's Knight 1")
    assert wounds(match, BO) == [dealt]


@pytest.mark.clause("HB-14", "HB-19")
def test_bandits_are_behind_all_when_dodge_and_precision_are_equal():
    even = {st.DAMAGE: 7, st.PRECISION: 4}
    match = fighting({ANN: 1}, {ANN: {**even, st.DELAY: 5}, BANDITS: {**even, st.DELAY: 4}}, bandits=1)
    assert wounds(match, ANN) == [4]
    play(match, "Knight 1 strikes Bandit 1")
    assert wounds(match, BANDITS) == [7]


@pytest.mark.clause("HB-14")
def test_surplus_wounds_are_lost():
    match = fighting({ANN: 3, BO: 1}, {ANN: {st.DELAY: 4, st.DAMAGE: 9}})
    play(match, *["strike Bo's Knight 1"] * 3)
    assert wounds(match, BO) == [10]


@pytest.mark.clause("HB-14")
def test_the_account_works_a_blow_out_step_by_step():
    theirs = {st.DEFENSE: 2, st.HEALTH: 30, st.DELAY: 9, st.WOUND: 1}
    match = fighting({ANN: 2, BO: 1}, {ANN: {st.DAMAGE: 9, st.PRECISION: 3, st.DELAY: 4}, BO: theirs}, {BO: [1]})
    play(match, *["strike Bo's Knight 1"] * 2)
    (line,) = (line.words for line in match.account() if line.clause == "HB-14")
    assert line == (
        "2 Knights of Ann on Bo's Knight 1: Damage 9; Dodge 4 is above Precision 3: halved to 5; less Defense 2: 3; "
        "times 2: 6; times 2, for Delay 9 is twice 4 or more: 12; Wounds 1 before, 13 now, of Health 30"
    )


@rule
def deal_all(book, s, attackers, defenders, dealt) -> None:
    """Count the Wounds by each attacker on each defender, for 1 to 6 Knights and either player order. HB-14."""
    for i in range(len(attackers)):
        for j in range(len(defenders)):
            s.value[0][st.DAMAGE] = attackers[i][0]
            s.value[0][st.PRECISION] = attackers[i][1]
            s.value[0][st.DELAY] = attackers[i][2]
            s.value[1][st.DODGE] = defenders[j][0]
            s.value[1][st.DEFENSE] = defenders[j][1]
            s.value[1][st.DELAY] = defenders[j][2]
            for ahead in range(2):
                s.place[0] = ahead
                s.place[1] = 1 - ahead
                for number in range(6):
                    dealt[i][j][ahead][number] = wounds_dealt(s, 0, 1, number + 1)


def combined(track: Sequence[str], cards: Sequence[Sequence[int]]) -> set[tuple[int, ...]]:
    """Return all battle values that the steps of these tracks and one of these cards can give."""
    least = [1 if name == "Delay" else 0 for name in track]
    steps = list(product(*(naive.TABLES["tracks"][name] for name in track)))
    return {
        tuple(max(value + change, low) for value, change, low in zip(values, card, least, strict=True))
        for values in steps
        for card in cards
    }


@pytest.mark.clause("HB-14", "HB-26", "HB-27")
def test_the_wounds_of_every_attribute_with_every_card_are_those_of_the_naive_rules():
    cards = naive.TABLES["cards"] + naive.TABLES["bandit_cards"]
    attackers = sorted(combined(naive.ON_ATTACK, [card["attack"] for card in cards]))
    delays = sorted({delay for *_, delay in attackers})
    armour = combined(naive.ON_DEFENCE[:2], [card["defence"][:2] for card in cards])
    defenders = sorted((*worn, delay) for worn in armour for delay in delays)
    ours, theirs = np.array(attackers, np.int64), np.array(defenders, np.int64)
    dealt = np.zeros((len(ours), len(theirs), 2, 6), np.int16)
    book = GAME.book.array([GAME.make_book(2, GAME.read_options(2, {}))])[0]
    compiled(GAME, deal_all)(book, GAME.state.array([GAME.state()])[0], ours, theirs, dealt)
    damage, precision, delay = (ours[:, None, None, None, i] for i in range(3))
    dodge, defense, slow = (theirs[None, :, None, None, i] for i in range(3))
    ahead = np.array([0, 1])[None, None, :, None]  # 1: the Defender is ahead
    dodged = (dodge - precision) * 2 + ahead > 0
    expected = np.where(dodged, -(-damage // 2), damage) - defense
    expected = np.clip(expected, 0, None) * np.arange(1, 7)
    expected = expected * np.where(slow / delay >= 2, 2, 1)
    assert dealt.size > 6_000_000
    assert (dealt == expected).all()
    chooser = random.Random(1)
    for _ in range(2000):
        i, j, first, number = (chooser.randrange(size) for size in dealt.shape)
        attacker = dict(zip(naive.ON_ATTACK, attackers[i], strict=True))
        defender = dict(zip(("Dodge", "Defense", "Delay"), defenders[j], strict=True))
        assert dealt[i, j, first, number] == naive.wounds(attacker, defender, number + 1, bool(first))


def bandits_on(match) -> list[str]:
    """Return the targets of the Bandits, one after the other."""
    return [line.split(" strikes ")[1].rstrip(".") for line in match.log() if line.startswith("Bandit ")]


@pytest.mark.clause("HB-15")
def test_a_bandit_joins_the_only_other_and_the_third_finds_another_knight():
    match = fighting({ANN: 3}, {BANDITS: WEAK | {st.DELAY: 2}}, bandits=3)
    assert bandits_on(match) == ["Ann's Knight 1", "Ann's Knight 1", "Ann's Knight 2"]


@pytest.mark.clause("HB-15")
def test_a_bandit_strikes_the_knight_with_the_most_wounds():
    match = fighting({ANN: 2, BO: 2}, {BANDITS: WEAK | {st.DELAY: 2}}, {ANN: [1, 4], BO: [3, 5]}, bandits=3)
    assert bandits_on(match) == ["Bo's Knight 2", "Bo's Knight 2", "Ann's Knight 2"]


@pytest.mark.clause("HB-15")
def test_knights_struck_down_are_passed_over():
    match = fighting({ANN: 3}, {BANDITS: WEAK | {st.DELAY: 2}}, {ANN: [10, 2, 10]}, bandits=1)
    assert bandits_on(match) == ["Ann's Knight 2"]


@pytest.mark.clause("HB-15")
def test_when_all_knights_are_attacked_a_bandit_may_strike_any():
    match = fighting({ANN: 1}, {BANDITS: WEAK | {st.DELAY: 2}}, bandits=3)
    assert bandits_on(match) == ["Ann's Knight 1"] * 3


@pytest.mark.clause("HB-15")
def test_of_equal_wounds_a_knight_of_the_player_with_the_fewest_standing_is_struck():
    match = fighting({ANN: 2, BO: 3, CID: 3}, {BANDITS: WEAK | {st.DELAY: 2}}, bandits=1)
    assert bandits_on(match) == ["Ann's Knight 1"]
    struck = {BO: [10, 10, 1], ANN: [1, 1]}
    match = fighting({ANN: 2, BO: 3}, {BANDITS: WEAK | {st.DELAY: 2}}, struck, bandits=1)
    assert bandits_on(match) == ["Bo's Knight 3"]


@pytest.mark.clause("HB-15", "HB-19")
@pytest.mark.parametrize("order", [*permutations((ANN, BO, CID))])
def test_of_players_with_equally_few_knights_the_last_in_order_is_struck_on_the_first_such_knight(order: Sequence[int]):
    hurt = {seat: [0, 2, 2] for seat in order}
    match = fighting(dict.fromkeys(order, 3), {BANDITS: WEAK | {st.DELAY: 2}}, hurt, bandits=1, order=order)
    assert bandits_on(match) == [f"{NAMES[order[-1]]}'s Knight 2"]


@pytest.mark.clause("HB-15")
def test_a_bandit_that_is_struck_down_strikes_nobody_and_the_others_always_do():
    match = fighting({ANN: 2}, {BANDITS: {st.DELAY: 9}}, {BANDITS: [10, 0, 0]}, bandits=3)
    play(match, "hold back")
    assert [line.split(" strikes")[0] for line in match.log() if line.startswith("Bandit ")] == ["Bandit 2", "Bandit 3"]


@pytest.mark.clause("HB-15")
def test_the_bandits_strike_as_a_naive_reading_of_the_pattern_does():
    chooser = random.Random(3)
    branches = set()
    for _ in range(3000):
        s, sides = GAME.state(), []
        seats = chooser.sample(range(6), chooser.randint(1, 4))
        health = chooser.choice([8, 10])
        for i, seat in enumerate(seats):
            s.lineup[i], s.place[seat], s.force[seat] = seat, i, chooser.randint(1, 4)
            s.value[seat][st.HEALTH] = health
            for knight in range(s.force[seat]):
                s.wounds[seat][knight] = chooser.choice([0, 0, 1, 2, health])
            values = {"Health": health}
            sides.append(naive.Side(str(seat), i, values, s.wounds[seat][: s.force[seat]]))
        s.sides = len(seats) + 1
        s.lineup[len(seats)], s.force[BANDITS] = BANDITS, 3
        if not any(side.standing for side in sides):
            continue
        number = chooser.randint(1, 3)
        expected = naive.bandits_strike(sides, number)
        for side, knight in expected:
            target = bandit_target(s)
            assert target == int(side) * st.MOST_KNIGHTS + knight
            s.aim[int(side)][knight] += 1
        branches.add(tuple(sorted(expected.count(target) for target in set(expected))))
    assert branches == {(1,), (2,), (3,), (1, 2)}


def struck_by(match, side: int) -> list[tuple[int, str]]:
    """Return the Wounds of each Knight of a side and the note on who struck it, as everybody sees them."""
    lying = [piece.on_it[0] for piece in pieces(match, f"fighters.{side}", ONLOOKER)]
    return [(wounds.stats[0].number, wounds.text) for wounds in lying]


@pytest.mark.clause("HB-4", "HB-13")
def test_everybody_sees_who_strikes_whom():
    match = fighting({ANN: 3, BO: 2}, {ANN: {st.DELAY: 4}})
    play(match, "Knight 1 strikes Bo's Knight 1")
    play(match, "strike Bo's Knight 1")
    assert struck_by(match, BO) == [(0, "falls at 10, struck by 2 Knights of Ann now"), (0, "falls at 10")]
    play(match, "hold back", "Knight 1 strikes Ann's Knight 1")
    assert struck_by(match, ANN) == [(0, "falls at 10, struck by 1 Knight of Bo now"), *[(0, "falls at 10")] * 2]
    assert struck_by(match, BO) == [(8, "falls at 10, struck by 2 Knights of Ann"), (0, "falls at 10")]


@pytest.mark.clause("HB-13", "HB-15")
def test_after_the_battle_everybody_still_sees_who_has_struck_whom():
    match = fighting({ANN: 1, BO: 1}, {BANDITS: {st.DELAY: 1, st.DAMAGE: 20}, BO: {st.DELAY: 2}}, {ANN: [1]}, 2)
    play(match, "strike Bandit 1")
    assert [struck_by(match, side)[0] for side in (ANN, BO, BANDITS)] == [
        (10, "falls at 10, struck by 2 Bandits"),
        (0, "falls at 10"),
        (4, "falls at 10, struck by 1 Knight of Bo"),
    ]


def test_the_naive_turn_order_agrees_with_that_of_random_values():
    chooser = random.Random(5)
    for _ in range(60):
        order = chooser.sample(range(4), 4)
        delays = {seat: {st.DELAY: chooser.randint(2, 4), st.DAMAGE: 0} for seat in (ANN, BO, CID, DEE, BANDITS)}
        match = fighting(dict.fromkeys((ANN, BO, CID, DEE), 1), delays, bandits=1, seats=4, order=order)
        sides = [
            naive.Side("the Bandits" if side == BANDITS else NAMES[side], place, {"Delay": delays[side][st.DELAY]}, [])
            for place, side in enumerate([*order, BANDITS])
        ]
        assert order_of_turns(match) == naive.turn_order(sides)


def test_the_tracks_are_named_in_the_order_of_the_values():
    assert [TRACK_NAMES[i] for i in (st.DAMAGE, st.PRECISION, st.DODGE, st.DEFENSE, st.DELAY, st.HEALTH)] == [
        "Damage", "Precision", "Dodge", "Defense", "Delay", "Health"
    ]  # fmt: skip
