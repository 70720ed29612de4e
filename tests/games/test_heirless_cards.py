"""Heirless battles: Battlecards and Battle Hands, HB-5 to HB-10."""

from collections import Counter
from itertools import permutations

import pytest

import quintain
from games.heirless_positions import (
    ANN,
    BANDITS,
    BO,
    CAPITAL,
    CAT,
    CID,
    FOX,
    ONLOOKER,
    WOLF,
    altered,
    asked,
    battle,
    begin,
    cards_of,
    fighting,
    last,
    menu,
    mustered,
    phase,
    piece_of,
    place,
    placed_by,
    play,
    reason,
    state_of,
    tables,
    values,
    wounds,
    zone,
)
from games.naive_heirless import TABLES, battle_values, card
from quintain.engine.rules.fields import UNKNOWN
from quintain.games.heirless import rules
from quintain.games.heirless import state as st
from quintain.games.heirless.words import TRACK_NAMES

PLAYERS = [row["name"] for row in TABLES["cards"]]
OF_BANDITS = [row["name"] for row in TABLES["bandit_cards"]]
START = {name: TABLES["tracks"][name][0] for name in TRACK_NAMES}
THREE_CARDS = tables([("Red", [1, 0, 0], [0, 0, 0]), ("Blue", [2, 0, 0], [1, 0, 0]), ("Green", [3, 0, 0], [2, 0, 0])])


@pytest.mark.clause("HB-5", "HB-8")
@pytest.mark.parametrize("both", [*permutations(PLAYERS, 2)])
def test_only_the_side_in_use_of_each_card_changes_the_values(both: tuple[str, str]):
    match = battle({ANN: 1, BO: 1})
    place(match, Ann=", ".join(both), Bo="Guard, Feint")
    attack, _ = card("cards", both[0])
    _, defence = card("cards", both[1])
    expected = battle_values(START, attack, defence)
    assert values(match, ANN) == {name: expected[name] for name in TRACK_NAMES}


@pytest.mark.clause("HB-5", "HB-28")
def test_the_bandits_have_a_set_of_their_own_and_one_hand_a_camp():
    match = begin()
    match = mustered(match, {ANN: {WOLF: 1, CAT: 1}}, {WOLF: 1, CAT: 1, FOX: 1})
    play(match, "fight at the Wolf Camp")
    for camp in range(3):
        assert cards_of(match, f"hand.{BANDITS + camp}") == OF_BANDITS
    place(match, Ann="Feint, Guard")
    used = {piece.name for piece in placed_by(match, BANDITS)}
    assert len(used) == 2
    assert set(cards_of(match, f"hand.{BANDITS}")) == set(OF_BANDITS) - used
    assert cards_of(match, f"hand.{BANDITS + 1}") == OF_BANDITS


@pytest.mark.clause("HB-6")
def test_the_two_cards_are_different_ones_of_the_hand():
    match = battle({ANN: 1, BO: 1})
    assert menu(match, ANN) == [f"attack with {name}" for name in PLAYERS]
    play(match, "Ann: attack with Feint")
    assert menu(match, ANN) == [f"defend with {name}" for name in PLAYERS if name != "Feint"]
    assert reason(match, ANN, "defend with Feint") == (
        "HB-6",
        "you have already placed Feint: the two cards must differ",
    )
    assert reason(match, BO, "defend with Feint") == ("HB-6", "the card to attack with comes first")


@pytest.mark.clause("HB-6")
def test_placed_cards_are_face_down_to_others_until_all_are_placed():
    match = battle({ANN: 1, BO: 1})
    play(match, "Ann: attack with Feint", "Ann: defend with Guard")
    assert match.to_act == {BO}
    assert last(match) == ["Ann has placed two cards."]
    assert [piece.key for piece in placed_by(match, ANN, ANN)] == ["card_feint", "card_guard"]
    for viewer in (BO, CID, ONLOOKER):
        assert [(piece.key, piece.stats, piece.is_down) for piece in placed_by(match, ANN, viewer)] == [
            (None, (), True)
        ] * 2
        assert cards_of(match, "hand.0", viewer) == PLAYERS
        assert match.blinded(viewer).attack[ANN] == match.blinded(viewer).defence[ANN] == UNKNOWN
    place(match, Bo="Cleave, Thrust")
    for viewer in (BO, CID, ONLOOKER):
        assert [piece.key for side in (ANN, BO) for piece in placed_by(match, side, viewer)] == [
            "card_feint", "card_guard", "card_cleave", "card_thrust"
        ]  # fmt: skip
        assert cards_of(match, "hand.0", viewer) == [name for name in PLAYERS if name not in ("Feint", "Guard")]


@pytest.mark.clause("HB-6")
def test_nobody_sees_how_many_cards_another_has_placed():
    match = battle({ANN: 1, BO: 1})
    before = match.blinded(BO).pack()
    play(match, "Ann: attack with Feint")
    assert match.blinded(BO).pack() == before
    assert match.can_undo(ANN)


@pytest.mark.clause("HB-6")
def test_the_bandits_draw_two_different_cards_at_the_reveal_each_pair_as_likely_as_any():
    match = battle({ANN: 1}, bandits=1, tables="")
    play(match, "Ann: attack with Feint")
    before = state_of(match)
    assert before.attack[BANDITS] == st.NONE
    pairs = Counter()
    for seed in range(3000):
        s = before.copy()
        quintain.engine.rules.rng.seed(s.rng, seed)
        rules.play(match.book, s, ANN, st.DEFEND + PLAYERS.index("Guard"))
        pairs[s.attack[BANDITS], s.defence[BANDITS]] += 1
    assert set(pairs) == set(permutations(range(6), 2))
    assert min(pairs.values()) > 60


@pytest.mark.clause("HB-7")
def test_an_empty_hand_takes_all_discards_up_before_a_card_is_placed():
    match = battle({ANN: 1, BO: 1})
    match = altered(match, f"hand[{ANN}] = 0")
    assert cards_of(match, "hand.0") == [] and cards_of(match, "discards.0") == PLAYERS
    assert menu(match, ANN) == [f"attack with {name}" for name in PLAYERS]
    place(match, Ann="Feint, Charge", Bo="Guard, Cleave")
    assert cards_of(match, "hand.0") == ["Thrust", "Cleave", "Guard", "Riposte"]


@pytest.mark.clause("HB-7")
@pytest.mark.parametrize("role", ["attack", "defend"])
def test_the_last_card_is_placed_in_either_role_and_then_the_discards_are_taken_up(role: str):
    match = battle({ANN: 1, BO: 1}, tables=THREE_CARDS)
    match = altered(match, f"hand[{ANN}] = {0b010}")
    assert menu(match, ANN) == ["attack with Blue", "defend with Blue"]
    assert asked(match, ANN) == "Do you attack or defend with the last card of your hand?"
    assert reason(match, ANN, f"{role} with Red") == ("HB-7", "Red is among your discards")
    play(match, f"Ann: {role} with Blue")
    other = "defend" if role == "attack" else "attack"
    assert menu(match, ANN) == [f"{other} with Red", f"{other} with Green"]
    play(match, f"Ann: {other} with Green")
    place(match, Bo="Red, Blue")
    assert cards_of(match, "hand.0") == ["Red"]
    assert values(match, ANN)["Damage"] == START["Damage"] + (2 if role == "attack" else 3)
    assert values(match, ANN)["Dodge"] == START["Dodge"] + (2 if role == "attack" else 1)


@pytest.mark.clause("HB-7")
def test_the_cards_of_a_battle_become_discards_when_it_ends_and_are_not_taken_up_in_it():
    match = battle({ANN: 1, BO: 1}, tables=THREE_CARDS)
    place(match, Ann="Red, Blue", Bo="Blue, Green")
    assert phase(match) == "turns"
    assert cards_of(match, "hand.0") == ["Green"] and cards_of(match, "discards.0") == []
    play(match, "hold back", "hold back")
    assert cards_of(match, "hand.0") == ["Green"] and cards_of(match, "discards.0") == ["Red", "Blue"]
    assert cards_of(match, "hand.1") == ["Red"] and cards_of(match, "discards.1") == ["Blue", "Green"]


@pytest.mark.clause("HB-7")
def test_discards_stay_where_they_are_while_a_card_is_left_in_the_hand():
    match = altered(battle({ANN: 1, BO: 1}), f"hand[{ANN}] = {0b001110}")
    assert cards_of(match, "hand.0") == ["Thrust", "Cleave", "Charge"]
    place(match, Ann="Thrust, Charge", Bo="Guard, Cleave")
    play(match, "hold back", "hold back")
    assert cards_of(match, "hand.0") == ["Cleave"] and len(cards_of(match, "discards.0")) == 5


@pytest.mark.clause("HB-7")
def test_hands_last_from_battle_to_battle_and_from_season_to_season():
    match = begin(2, order=(ANN, BO), bandits="off")
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 1}})
    play(match, "fight at the Capital")
    place(match, Ann="Feint, Guard", Bo="Feint, Guard")
    play(match, "hold back", "hold back")
    assert cards_of(match, "hand.0") == ["Thrust", "Cleave", "Charge", "Riposte"]
    place(match, Ann="Thrust, Cleave", Bo="Thrust, Cleave")
    play(match, "hold back", "hold back")
    assert phase(match) == "muster"
    assert cards_of(match, "hand.0") == ["Charge", "Riposte"]
    assert cards_of(match, "discards.0") == ["Feint", "Thrust", "Cleave", "Guard"]


@pytest.mark.clause("HB-7")
def test_a_bandit_hand_of_one_card_places_it_to_attack():
    for seed in range(20):
        match = begin(seed=seed)
        match = altered(match, f"hand[{BANDITS}] = {1 << OF_BANDITS.index('Net')}")
        match = mustered(match, {ANN: {WOLF: 1}}, {WOLF: 1})
        place(match, Ann="Feint, Guard")
        shown = [piece.name for piece in placed_by(match, BANDITS)]
        assert shown[0] == "Net" != shown[1]
        assert sorted(cards_of(match, f"hand.{BANDITS}")) == sorted(set(OF_BANDITS) - set(shown))


@pytest.mark.clause("HB-8")
def test_values_are_never_below_0_and_delay_never_below_1():
    low = tables([("Low", [-20, -20, -20], [-20, -20, 0]), ("Other", [0, 0, 0], [-20, -20, 0])])
    match = battle({ANN: 1, BO: 1}, tables=low)
    place(match, Ann="Low, Other", Bo="Low, Other")
    assert values(match, ANN) == {"Damage": 0, "Precision": 0, "Dodge": 0, "Defense": 0, "Delay": 1, "Health": 8}


@pytest.mark.clause("HB-9")
def test_the_wound_of_the_defence_card_is_put_on_each_own_knight_at_the_reveal():
    match = battle({ANN: 2, BO: 3})
    place(match, Ann="Guard, Riposte", Bo="Guard, Cleave")
    assert wounds(match, ANN) == [2, 2] and wounds(match, BO) == [1, 1, 1]
    assert "Ann attacks with Guard and defends with Riposte, which puts 2 Wounds on each Knight." in match.log()
    assert match.account()[3].words == "Riposte puts 2 Wounds on each Knight of Ann"


@pytest.mark.clause("HB-9", "HB-10")
def test_the_wound_of_a_card_may_strike_down_and_is_no_more_than_the_health():
    deadly = tables([("Deadly", [0, 0, 0], [0, 0, 50]), ("Mild", [0, 0, 0], [0, 0, 0])])
    match = battle({ANN: 2, BO: 1}, tables=deadly, seats=2)
    place(match, Ann="Mild, Deadly", Bo="Deadly, Mild")
    assert "Ann has no battle turn, with nobody left standing." in match.log()
    assert wounds(match, ANN) == [8, 8]
    assert match.log()[-1] != "Ann wins the battle at the Wolf Camp."
    assert "Bo wins the battle at the Wolf Camp." in match.log()


@pytest.mark.clause("HB-10")
def test_a_knight_that_is_struck_down_neither_strikes_nor_is_struck_nor_scores():
    match = fighting({ANN: 3, BO: 2}, wounds={ANN: [10, 0, 3], BO: [0, 10]})
    assert match.to_act == {BO}
    assert asked(match, BO) == "Whom does your Knight 1 strike?"
    assert menu(match) == ["hold back", "Knight 1 strikes Ann's Knight 2", "Knight 1 strikes Ann's Knight 3"]
    assert reason(match, BO, "strike Ann's Knight 1") == ("HB-10", "Ann's Knight 1 is struck down")
    play(match, "hold back")
    assert asked(match, ANN) == "Whom does your Knight 2 strike?"
    play(match, "hold back")
    points = {line.words.partition(":")[0]: line.by_seat for line in match.account() if line.clause == "HB-16"}
    assert points["Points of Ann"] == (6, 0, 0)
    assert points["Points of Bo"] == (0, 4, 0)


def test_redeal_places_a_pair_of_cards_that_the_hand_allows():
    match = battle({ANN: 1, BO: 1}, tables=THREE_CARDS)
    match = altered(match, f"hand[{ANN}] = {0b001}")
    play(match, "Ann: defend with Red", "Ann: attack with Green")
    pairs = set()
    for seed in range(200):
        s = match.blinded(BO)
        match.game.rules.redeal(match.book, s, seed)
        pairs.add((s.attack[ANN], s.defence[ANN]))
    assert pairs == {(0, 1), (0, 2), (1, 0), (2, 0)}


def test_there_is_no_zone_of_cards_before_the_first_battle():
    assert zone(begin(), "battle") is None


@pytest.mark.clause("HB-8")
def test_a_change_below_the_least_value_is_explained():
    heavy = [("Slow", [0, 0, -99], [0, 0, 0]), ("Low", [0, 0, 0], [0, -99, 1])]
    match = begin(2, tables=tables(heavy), bandits="off", order=(ANN, BO))
    match = mustered(match, {ANN: {CAPITAL: 1}, BO: {CAPITAL: 1}})
    place(match, Ann="Slow, Low", Bo="Low, Slow")
    account = [line.words for line in match.account()]
    less = "\N{MINUS SIGN}99"
    assert account[1].endswith(f"Defense 0 ({less}, never below 0), Delay 1 ({less}, never below 1), Health 8")
    assert account[3] == "Low puts 1 Wound on each Knight of Ann"
    delay = piece_of(match, f"delay.side.{ANN}")
    assert [(stat.number, stat.printed) for stat in delay.stats] == [(1, 6)]
    assert [line.words for line in delay.now] == [f"{less} by Slow, never below 1"]


def test_without_bandits_no_improvements_are_counted_at_the_end():
    match = begin(2, bandits="off", seasons=1, order=(ANN, BO))
    match = mustered(match, {})
    assert [line.words for line in match.account()] == ["Resources"]
