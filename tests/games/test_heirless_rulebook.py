"""Heirless battles: the worked examples of the rulebook come out in play as it says."""

from itertools import permutations

from games import naive_heirless as naive
from games.heirless_positions import (
    ANN,
    BO,
    CAPITAL,
    CID,
    WOLF,
    altered,
    battle,
    begin,
    fighting,
    menu,
    mustered,
    phase,
    place,
    play,
    resources,
    values,
)
from quintain.games.heirless import state as st


def test_the_example_of_battle_values():
    match = battle({ANN: 2, BO: 2}, seats=2)
    place(match, Ann="Charge, Guard", Bo="Thrust, Guard")
    expected = {"Damage": 10, "Precision": 1, "Delay": 3, "Dodge": 5, "Defense": 2, "Health": 8}
    assert values(match, ANN) == expected


def test_the_example_of_the_order_of_turns():
    match = battle({ANN: 1, BO: 1, CID: 1})
    place(match, Ann="Charge, Guard", Bo="Guard, Cleave", Cid="Riposte, Guard")
    play(match, *["propose nothing"] * 3)
    (line,) = (line.words for line in match.account() if line.clause == "HB-12")
    assert line == "Order of turns: Ann at Delay 3, Bo at Delay 5, Cid at Delay 9"


def test_the_example_of_wounds():
    match = battle({ANN: 2, BO: 2}, seats=2, order=(BO, ANN))
    place(match, Ann="Cleave, Feint", Bo="Thrust, Guard")
    play(match, *["strike Bo's Knight 1"] * 2)
    (line,) = (line.words for line in match.account() if line.clause == "HB-14")
    assert "Damage 14; Dodge 5 is above Precision 4: halved to 7; less Defense 2: 5; times 2: 10;" in line
    assert "Bo's Knight 1 takes 7 Wounds (10 dealt) and is struck down." in match.log()
    for order, left in (((BO, ANN), "halved to 6"), ((ANN, BO), "still 11")):
        match = battle({ANN: 2, BO: 2}, seats=2, order=order)
        place(match, Ann="Guard, Feint", Bo="Thrust, Guard")
        play(match, *(["hold back"] if match.to_act == {BO} else []), "strike Bo's Knight 1", "hold back")
        (line,) = (line.words for line in match.account() if line.clause == "HB-14")
        assert f"Damage 11; Dodge and Precision are both 5, and {'Bo' if order[0] == BO else 'Ann'} is ahead" in line
        assert left in line


def test_the_example_of_how_bandits_choose():
    harmless = {st.BANDITS: {st.DAMAGE: 0}}
    for bandits in (2, 3):
        match = fighting({ANN: 2, BO: 1}, harmless, {ANN: [3, 0], BO: [3]}, bandits=bandits)
        chosen = [line.split(" strikes ")[1] for line in match.log() if line.startswith("Bandit ")]
        assert chosen == ["Bo's Knight 1.", "Bo's Knight 1.", "Ann's Knight 1."][:bandits]


def test_the_example_of_a_tie_with_an_alliance():
    match = fighting({ANN: 1, BO: 2, CID: 1}, order=(ANN, BO, CID), allies=[(ANN, CID)])
    while phase(match) == "turns":
        play(match, "hold back")
    assert match.account()[-1].words == "Won by Bo with 8 points, ahead of Ann and Cid in player order"


def test_the_example_of_rewards():
    match = altered(begin(3, order=(CID, BO, ANN)), f"location = {WOLF}")
    match = mustered(match, {ANN: {WOLF: 2}, BO: {WOLF: 1}, CID: {CAPITAL: 0}}, {WOLF: 2})
    place(match, Ann="Thrust, Guard", Bo="Thrust, Guard")
    play(match, "propose an alliance to Ann", "accept")
    while phase(match) == "turns":
        play(match, next(move for move in menu(match) if "strikes" in move))
    assert "Bo and Ann win the battle at the Wolf Camp." in match.log()
    assert resources(match) == [3, 3, 0]
    play(match, "raise Dodge", "raise Health")
    assert [line for line in match.log() if " raises " in line and line.startswith("Ann")] == [
        "Ann raises Dodge to 4.",
        "Ann raises Health to 10.",
    ]


def beats_a_bandit(knights: int, own: tuple[str, str], theirs: tuple[str, str]) -> bool:
    """Play a battle of the first season against one Bandit, with cards to attack and to defend, by the naive rules."""
    start = {name: track[0] for name, track in naive.TABLES["tracks"].items()}
    sides = []
    for name, part, (attack, defence), number in (
        ("Ann", "cards", own, knights),
        ("Bandits", "bandit_cards", theirs, 1),
    ):
        values = naive.battle_values(start, naive.card(part, attack)[0], naive.card(part, defence)[1])
        sides.append(naive.Side(name, len(sides), values, [values["Wound"]] * number))
    ann, bandits = sides
    for name in naive.turn_order(sides):
        if name == "Ann" and bandits.standing:
            bandits.taken[0] += naive.wounds(ann.values, bandits.values, len(ann.standing), defender_ahead=False)
        elif bandits.standing:
            for _, knight in naive.bandits_strike([ann], 1):
                ann.taken[knight] += naive.wounds(bandits.values, ann.values, 1, defender_ahead=True)
    return naive.victors(sides) == {"Ann"}


def test_two_knights_always_beat_a_single_bandit_and_one_seldom_does_as_the_advice_says():
    pairs, of_bandits = (
        [*permutations([card["name"] for card in naive.TABLES[part]], 2)] for part in ("cards", "bandit_cards")
    )
    alone, two = (
        [beats_a_bandit(knights, own, theirs) for own in pairs for theirs in of_bandits] for knights in (1, 2)
    )
    assert all(two)
    assert 0.1 < sum(alone) / len(alone) < 0.3
