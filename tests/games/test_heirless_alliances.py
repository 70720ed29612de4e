"""Heirless battles: alliances, HB-11."""

import pytest

from games.heirless_positions import (
    ANN,
    BO,
    CAPITAL,
    CID,
    DEE,
    all_guard,
    battle,
    begin,
    fighting,
    last,
    menu,
    mustered,
    phase,
    place,
    play,
    reason,
)


@pytest.mark.clause("HB-11")
def test_in_a_battle_of_two_sides_nobody_is_asked():
    match = all_guard(battle({ANN: 1, BO: 1}))
    assert phase(match) == "turns"
    for seat in (ANN, BO):
        clause, _ = reason(match, seat, "propose an alliance to Cid")
        assert clause == "HB-11" or seat not in match.to_act
    (acting,) = match.to_act
    assert reason(match, acting, f"propose an alliance to {'Bo' if acting == ANN else 'Ann'}") == (
        "HB-11",
        "alliances are formed only in a battle of at least three sides",
    )


@pytest.mark.clause("HB-11")
def test_bandits_count_as_a_side_and_two_players_may_ally_against_them():
    match = all_guard(battle({ANN: 1, BO: 1}, bandits=1))
    assert match.to_act == {ANN}
    assert menu(match) == ["propose an alliance to Bo", "propose nothing"]
    play(match, "propose an alliance to Bo")
    assert match.to_act == {BO} and menu(match) == ["accept", "decline"]
    play(match, "accept")
    assert "Bo accepts Ann's alliance." in match.log()


@pytest.mark.clause("HB-11")
def test_a_player_alone_with_bandits_is_not_asked():
    assert phase(all_guard(battle({ANN: 6}, bandits=1))) == "turns"


@pytest.mark.clause("HB-11")
def test_an_alliance_with_bandits_with_oneself_or_with_nobody_there_is_refused():
    match = all_guard(battle({ANN: 1, BO: 1}, bandits=1))
    assert reason(match, ANN, "propose an alliance to the Bandits") == ("HB-11", "Bandits are in no alliance")
    assert reason(match, ANN, "propose an alliance to Ann") == (
        "HB-11",
        "an alliance is of two players: you cannot propose one to yourself",
    )
    assert reason(match, ANN, "propose an alliance to Cid") == ("HB-11", "Cid is not involved in this battle")
    assert reason(match, ANN, "propose an alliance to seat 4") == ("HB-11", "there is no seat 4")


@pytest.mark.clause("HB-11")
def test_proposals_are_made_once_each_in_player_order_and_answered_at_once():
    match = all_guard(battle({ANN: 1, BO: 1, CID: 1}, order=(CID, ANN, BO)))
    assert match.to_act == {CID}
    assert menu(match) == ["propose an alliance to Ann", "propose an alliance to Bo", "propose nothing"]
    play(match, "propose an alliance to Bo")
    assert match.to_act == {BO}
    play(match, "decline")
    assert match.to_act == {ANN}
    play(match, "propose nothing")
    assert match.to_act == {BO}
    assert "propose an alliance to Cid" in menu(match)
    play(match, "propose an alliance to Cid")
    assert match.to_act == {CID}
    play(match, "decline")
    assert phase(match) == "turns"


@pytest.mark.clause("HB-11")
def test_an_allied_player_is_neither_asked_nor_proposed_to():
    match = all_guard(battle({ANN: 1, BO: 1, CID: 1, DEE: 1}, seats=4))
    play(match, "propose an alliance to Cid", "accept")
    assert match.to_act == {BO}
    assert menu(match) == ["propose an alliance to Dee", "propose nothing"]
    assert reason(match, BO, "propose an alliance to Cid") == ("HB-11", "Cid is allied with Ann")
    play(match, "propose nothing")
    assert match.to_act == {DEE}


@pytest.mark.clause("HB-11")
def test_a_player_with_nobody_to_propose_to_is_not_asked():
    match = all_guard(battle({ANN: 1, BO: 1, CID: 1}))
    play(match, "propose an alliance to Bo", "accept")
    assert phase(match) == "turns"


@pytest.mark.clause("HB-11")
def test_two_alliances_stand_in_one_battle_and_bind_all_four():
    match = all_guard(battle({ANN: 2, BO: 2, CID: 2, DEE: 2}, seats=4, bandits=1))
    play(match, "propose an alliance to Dee", "accept", "propose an alliance to Cid", "accept")
    seen = {}
    while phase(match) == "turns":
        (seat,) = match.to_act
        seen[seat] = menu(match)
        play(match, "hold back")
    assert set(seen) == {ANN, BO, CID, DEE}
    for seat, ally in ((ANN, "Dee"), (DEE, "Ann"), (BO, "Cid"), (CID, "Bo")):
        assert not any(f"{ally}'s" in move for move in seen[seat])
        assert sum("Bandit" in move for move in seen[seat]) == 1


@pytest.mark.clause("HB-11")
def test_an_ally_cannot_be_struck():
    match = fighting({ANN: 1, BO: 1, CID: 1}, allies=[(ANN, BO)])
    while match.to_act != {ANN}:
        play(match, "hold back")
    assert menu(match) == ["hold back", "Knight 1 strikes Cid's Knight 1"]
    assert reason(match, ANN, "strike Bo's Knight 1") == ("HB-11", "Bo is your ally in this battle")


@pytest.mark.clause("HB-11")
def test_allies_have_turns_of_their_own():
    match = fighting({ANN: 1, BO: 1, CID: 1}, allies=[(ANN, BO)])
    asked = []
    while phase(match) == "turns":
        (seat,) = match.to_act
        asked.append(seat)
        play(match, "hold back")
    assert asked == [CID, BO, ANN]


@pytest.mark.clause("HB-11")
def test_an_alliance_is_for_this_battle_only():
    match = begin(3, bandits="off")
    everywhere = {CAPITAL: 1, 1: 1}
    match = mustered(match, {ANN: everywhere, BO: everywhere, CID: everywhere})
    play(match, "fight at the Capital")
    all_guard(match)
    play(match, "propose an alliance to Bo", "accept")
    while phase(match) == "turns":
        play(match, "hold back")
    for name in ("Ann", "Bo", "Cid"):
        place(match, **{name: "Feint, Thrust"})
    assert match.to_act == {ANN}
    assert menu(match) == ["propose an alliance to Bo", "propose an alliance to Cid", "propose nothing"]


@pytest.mark.clause("HB-11")
def test_players_with_no_knight_standing_may_still_ally():
    match = battle(
        {ANN: 1, BO: 1, CID: 1},
        tables='[[cards]]\nname = "Deadly"\nattack = [0, 0, 0]\n'
        'defence = [0, 0, 50]\n[[cards]]\nname = "Mild"\nattack = [0, 0, 0]\ndefence = [0, 0, 0]\n',
    )
    for name in ("Ann", "Bo", "Cid"):
        play(match, f"{name}: attack with Mild", f"{name}: defend with Deadly")
    play(match, "propose an alliance to Cid")
    assert last(match) == ["Ann proposes an alliance to Cid."]
    assert menu(match) == ["accept", "decline"]
