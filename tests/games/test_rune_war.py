"""Tests of Rune War, clause by clause: setting up, turns, battles, and the end of the war. RW-1 to RW-15."""

from collections import Counter

import pytest

from games.rune_war_positions import (
    ANN,
    BO,
    CID,
    ONLOOKER,
    all_but,
    begin,
    cards,
    check_cards,
    hand,
    knows,
    menu,
    pieces,
    places,
    play,
    play_at_random,
    position,
    shown,
    true_state,
)
from quintain.engine.errors import BadOption, IllegalMove
from quintain.engine.play.match import Match
from quintain.games.rune_war.words import CARD_NAMES


def build(match: Match, cards_each: int = 3) -> Match:
    """Let every seat build a defence of some cards and finish it."""
    for seat in range(match.seats):
        for _ in range(cards_each):
            for _ in range(2):
                match.play(seat, match.moves(seat)[-1].action)
        match.play(seat, "done")
    return match


@pytest.mark.clause("RW-1")
def test_the_deck_has_four_suits_of_fourteen_and_twenty_two_runes():
    assert len(set(CARD_NAMES)) == 78
    suits = Counter(name.partition(" of ")[2] for name in CARD_NAMES if not name.startswith("Wheel"))
    assert [suits[suit] for suit in ("Cups", "Pentacles", "Swords", "Wands")] == [14] * 4
    assert CARD_NAMES[:14] == (
        *("Ace of Cups", *(f"{n} of Cups" for n in range(2, 11))),
        *("Page of Cups", "Knight of Cups", "Queen of Cups", "King of Cups"),
    )
    assert CARD_NAMES[56] == "The Fool" and CARD_NAMES[77] == "The World"


@pytest.mark.clause("RW-1", "RW-2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("runes", ["on", "off"])
def test_ten_cards_are_dealt_to_each_but_eight_to_five_without_runes(seats: int, runes: str):
    match = begin(seats, 1, runes)
    dealt = 8 if (seats, runes) == (5, "off") else 10
    assert [len(hand(match, seat, seat)) for seat in range(seats)] == [dealt] * seats
    assert match.view().count("deck") == (78 if runes == "on" else 56) - seats * dealt
    assert match.to_act == set(range(seats))
    check_cards(match)


@pytest.mark.clause("RW-2")
def test_one_or_six_seats_are_refused():
    for seats in (1, 6):
        with pytest.raises(BadOption, match="2 to 5"):
            begin(2).new("rune-war", seats)


@pytest.mark.clause("RW-2")
def test_a_defence_has_at_least_its_root_and_at_most_all_cards():
    match = begin()
    with pytest.raises(IllegalMove, match="at least one card"):
        match.play(ANN, "done")
    for number in range(10):
        match.play(ANN, match.moves(ANN)[-1].action)
        assert menu(match, ANN) == ["lay at 1.1"] if number == 0 else menu(match, ANN)
        match.play(ANN, match.moves(ANN)[0].action)
    assert menu(match, ANN) == ["done"] and hand(match, ANN, ANN) == []


@pytest.mark.clause("RW-2", "RW-23")
def test_defences_are_built_at_the_same_time_and_in_secret():
    match = begin(3)
    for _ in range(6):
        match.play(ANN, match.moves(ANN)[-1].action)
    before = match.view(BO), match.view(), match.log(BO)
    match.play(ANN, match.moves(ANN)[-1].action)
    assert (match.view(BO), match.view(), match.log(BO)) == before
    assert pieces(match, BO, "defence.0") == pieces(match, BO, "hand.0") == ()
    match.play(ANN, match.moves(ANN)[0].action)
    match.play(ANN, "done")
    assert match.to_act == {BO, CID} and pieces(match, BO, "defence.0") == ()
    for seat in (BO, CID):
        for move in (match.moves(seat)[-1].action, "at 1.1", "done"):
            match.play(seat, move)
    assert len(places(match, ANN)) == 4 and len(places(match, BO)) == 1
    assert len(match.to_act) == 1
    assert not any(knows(match, BO, ANN, place) for place in places(match, ANN))
    assert all(knows(match, ANN, ANN, place) for place in places(match, ANN))


@pytest.mark.clause("RW-2")
def test_the_player_who_begins_is_drawn():
    assert {min(build(begin(3, seed), 1).to_act) for seed in range(30)} == {ANN, BO, CID}
    match = build(begin(3, 4))
    (first,) = match.to_act
    assert match.log()[0].startswith(f"The lot falls: {match.names[first]} begins")


@pytest.mark.clause("RW-5")
def test_turns_go_clockwise_past_those_who_are_out():
    hands, defences = ["2 of Cups", "3 of Cups", "4 of Cups", ""], ["5 of Wands", "6 of Wands", "7 of Wands", ""]
    match = position(hands, defences, seats=4, more="out[3] = 1")
    for seat in (ANN, BO, CID):
        assert match.to_act == {seat}
        play(match, f"lay {hands[seat]}", "at 2.1")
    assert match.to_act == {ANN}


@pytest.mark.clause("RW-5", "RW-6")
def test_a_card_is_laid_face_down_on_a_free_place_and_one_is_drawn():
    match = position(["Queen of Cups, 2 of Cups", "3 of Cups"], ["5 of Wands", "6 of Wands"])
    play(match, "lay Queen of Cups", "at 2.2")
    assert places(match, ANN) == ["1.1", "2.2"]
    assert knows(match, ANN, ANN, "2.2") and not knows(match, BO, ANN, "2.2")
    assert len(hand(match, ANN, ANN)) == 2
    assert match.log(BO)[-2:] == ["Ann lays a card at 2.2.", "Ann draws a card."] and match.to_act == {BO}
    assert "You lay Queen of Cups at 2.2." in match.log(ANN)


@pytest.mark.clause("RW-5")
def test_a_seat_with_a_card_must_act_and_a_seat_without_only_draws():
    match = position(["Queen of Cups", "", "3 of Cups"], ["5 of Wands", "6 of Wands", "7 of Wands"], seats=3)
    assert all(move.split()[0] in ("lay", "attack") for move in menu(match))
    play(match, "lay Queen of Cups", "at 2.1")
    assert match.to_act == {CID}
    assert len(hand(match, BO, BO)) == 1


@pytest.mark.clause("RW-6")
def test_the_discard_pile_becomes_the_deck_when_that_is_empty():
    match = position(["Queen of Cups", "3 of Cups"], ["5 of Wands", "6 of Wands"], deck="")
    piled = len(shown(match, "pile"))
    assert piled == 74 and match.view().count("deck") == 0
    play(match, "lay Queen of Cups", "at 2.1")
    assert match.view().count("deck") == piled - 1
    assert shown(match, "pile") == []


@pytest.mark.clause("RW-6")
def test_cards_discarded_in_a_turn_join_the_pile_after_its_draw():
    hands = ["2 of Cups", all_but("2 of Cups", "5 of Wands", "6 of Wands")]
    match = position(hands, ["5 of Wands", "6 of Wands"])
    play(match, "attack with 2 of Cups", "seat 1 at 1.1", "hold back", "hold back")
    assert shown(match, "pile") == ["2 of Cups"] and hand(match, ANN, ANN) == []


@pytest.mark.clause("RW-8", "RW-10")
def test_an_attack_turns_an_exposed_card_up_and_the_higher_total_wins():
    match = position(["7 of Swords, 2 of Cups", "3 of Cups"], ["5 of Wands", "6 of Wands, 4 of Wands"])
    play(match, "attack with 7 of Swords", "seat 1 at 2.1")
    assert knows(match, ANN, BO, "2.1") and knows(match, ONLOOKER, BO, "2.1")
    assert "7 of Swords" in shown(match, "battle")
    play(match, "hold back", "hold back")
    assert places(match, BO) == ["1.1"]
    assert match.to_act == {BO}, "1.1 was covered when the turn began"


@pytest.mark.clause("RW-8", "RW-4")
def test_a_covered_card_cannot_be_attacked_and_the_reason_says_what_covers_it():
    match = position(["7 of Swords", "3 of Cups"], ["5 of Wands", "6 of Wands, 4 of Wands, 3 of Wands"])
    play(match, "attack with 7 of Swords")
    with pytest.raises(IllegalMove, match=r"1\.1 of Bo's defence is covered by 2\.1 and 2\.2 \(RW-4\)"):
        match.play(ANN, "seat 1 at 1.1")
    assert menu(match) == ["attack Bo at 2.1", "attack Bo at 2.2"]


@pytest.mark.clause("RW-10")
def test_on_a_tie_the_defender_holds():
    match = position(["6 of Swords, 2 of Cups", "3 of Cups"], ["5 of Wands", "6 of Wands"])
    play(match, "attack with 6 of Swords", "seat 1 at 1.1", "hold back", "hold back")
    assert places(match, BO) == ["1.1"] and "6 of Swords" in shown(match, "pile")
    assert "on a tie the defender holds" in match.account()[-1].words


ROW_OF_FOUR = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "3 of Wands", "3.1": "4 of Wands", "3.2": "5 of Wands"}


@pytest.mark.clause("RW-9")
def test_support_goes_along_the_row_from_cards_that_are_turned_up():
    match = position(["7 of Swords, 2 of Cups", "3 of Cups"], ["5 of Cups", {**ROW_OF_FOUR, "3.3": "6 of Wands"}])
    play(match, "attack with 7 of Swords", "seat 1 at 3.1")
    assert menu(match) == ["hold back", "turn up 3.2"]
    with pytest.raises(IllegalMove, match="not beside"):
        match.play(BO, "turn up 3.3")
    play(match, "turn up 3.2", "hold back")
    assert menu(match) == ["hold back", "turn up 3.3"]


@pytest.mark.clause("RW-9")
def test_covered_neighbours_may_support_but_not_across_a_gap():
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "3 of Wands", "3.1": "4 of Wands", "3.3": "6 of Wands"}
    match = position(["7 of Swords, 2 of Cups", "3 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 7 of Swords", "seat 1 at 3.1")
    assert menu(match) == ["hold back"]
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "3 of Wands", "3.1": "4 of Wands"}
    match = position(["7 of Swords", "3 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 7 of Swords", "seat 1 at 2.2")
    assert menu(match) == ["hold back", "turn up 2.1"], "2.1 is covered by 3.1 and may support"


@pytest.mark.clause("RW-9")
def test_the_attacker_adds_no_more_cards_than_support_was_turned_up():
    match = position(["7 of Swords, 2 of Cups, 4 of Cups", "3 of Cups"], ["5 of Cups", ROW_OF_FOUR])
    play(match, "attack with 7 of Swords", "seat 1 at 3.1", "hold back")
    assert menu(match) == ["hold back"]
    with pytest.raises(IllegalMove, match="turned up in support"):
        match.play(ANN, "add 2 of Cups")
    match = position(["7 of Swords, 2 of Cups, 4 of Cups", "3 of Cups"], ["5 of Cups", ROW_OF_FOUR])
    play(match, "attack with 7 of Swords", "seat 1 at 3.1", "turn up 3.2")
    assert menu(match) == ["hold back", "add 2 of Cups", "add 4 of Cups"]
    play(match, "add 4 of Cups", "hold back")
    assert menu(match) == ["hold back"]


@pytest.mark.clause("RW-9")
def test_a_side_that_held_back_may_act_again_until_both_hold_back():
    laid = {**ROW_OF_FOUR, "3.3": "6 of Wands"}
    match = position(["7 of Swords, 2 of Cups, 4 of Cups", "3 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 7 of Swords", "seat 1 at 3.1", "turn up 3.2", "hold back", "turn up 3.3")
    play(match, "add 2 of Cups", "hold back", "add 4 of Cups", "hold back")
    assert match.to_act == {ANN}
    play(match, "hold back")
    assert "13 to 15" in " ".join(match.log())


@pytest.mark.clause("RW-11")
def test_a_defender_who_wins_keeps_the_cards_but_everybody_has_seen_them():
    match = position(["2 of Swords, 2 of Cups", "3 of Cups"], ["5 of Cups", ROW_OF_FOUR])
    play(match, "attack with 2 of Swords", "seat 1 at 3.1", "turn up 3.2", "add 2 of Cups", "hold back", "hold back")
    assert places(match, BO) == list(ROW_OF_FOUR) and shown(match, "pile") == ["2 of Cups", "2 of Swords"]
    assert [place for place in ROW_OF_FOUR if knows(match, ONLOOKER, BO, place)] == ["3.1", "3.2"]
    assert [p.id for p in pieces(match, ANN, "defence.1") if "known" in p.state] == ["defence.1.3.1", "defence.1.3.2"]


@pytest.mark.clause("RW-11")
def test_a_card_that_has_held_is_known_until_its_owner_moves_it():
    laid = {"1.1": "7 of Wands", "2.1": "5 of Wands", "2.2": "6 of Wands"}
    match = position(["2 of Swords, 3 of Swords", "The Hierophant"], ["5 of Cups", laid])
    play(match, "attack with 2 of Swords", "seat 1 at 2.1", "hold back", "hold back")
    assert shown(match, "pile") == ["2 of Swords"] and "3 of Swords" in hand(match, ANN, ANN)
    assert [knows(match, ANN, BO, place) for place in laid] == [False, True, False]
    play(match, "play The Hierophant", "at 1.1", "at 2.1", "put back")
    assert places(match, BO) == list(laid)
    assert [knows(match, ANN, BO, place) for place in laid] == [False, False, False]


@pytest.mark.clause("RW-12")
def test_an_attacker_who_wins_destroys_all_that_is_turned_up_and_may_go_on():
    laid = {**ROW_OF_FOUR, "3.3": "6 of Wands"}
    match = position(["10 of Swords, 2 of Cups", "3 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 10 of Swords", "seat 1 at 3.1", "turn up 3.2", "add 2 of Cups", "hold back", "hold back")
    assert places(match, BO) == ["1.1", "2.1", "2.2", "3.3"]
    assert menu(match) == ["stop", "attack Bo at 3.3"]
    with pytest.raises(IllegalMove, match=r"2\.1 of Bo's defence was not exposed when the turn began"):
        match.play(ANN, "seat 1 at 2.1")
    assert sorted(shown(match, "cast")) == ["4 of Wands", "5 of Wands"]


@pytest.mark.clause("RW-12")
def test_a_further_attack_is_on_the_same_opponent_with_the_same_cards_and_no_others():
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "9 of Wands", "3.1": "4 of Wands", "3.3": "3 of Wands"}
    match = position(["9 of Swords, 2 of Cups", "3 of Cups", "4 of Cups"], ["5 of Cups", laid, "6 of Cups"], seats=3)
    play(match, "attack with 9 of Swords", "seat 1 at 3.1", "hold back", "hold back")
    with pytest.raises(IllegalMove, match="same opponent"):
        match.play(ANN, "seat 2 at 1.1")
    play(match, "seat 1 at 3.3")
    assert match.to_act == {BO} and menu(match) == ["hold back"]
    play(match, "hold back")
    assert places(match, BO) == ["1.1", "2.1", "2.2"] and match.to_act == {BO}
    assert "9 of Swords" in hand(match, BO, ANN), "nothing is left to attack, so the card is taken back"


@pytest.mark.clause("RW-12")
def test_in_a_further_attack_only_the_defender_turns_up_cards_until_holding_back():
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "9 of Wands", "3.1": "4 of Wands", "3.2": "3 of Wands"}
    laid |= {"3.3": "5 of Wands", "4.1": "6 of Wands"}
    match = position(["9 of Swords, 2 of Cups", "3 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 9 of Swords", "seat 1 at 4.1", "hold back", "hold back", "seat 1 at 3.3", "turn up 3.2")
    assert match.to_act == {BO}
    play(match, "turn up 3.1")
    play(match, "hold back")
    assert "9 of Swords" in shown(match, "pile"), "12 points have held against 9"
    assert places(match, BO) == ["1.1", "2.1", "2.2", "3.1", "3.2", "3.3"]


@pytest.mark.clause("RW-13", "RW-23")
def test_the_attacker_may_stop_after_a_win_and_takes_the_cards_back_openly():
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "9 of Wands"}
    match = position(["8 of Swords, 2 of Cups", "3 of Cups, 4 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 8 of Swords", "seat 1 at 2.1", "hold back", "hold back", "stop")
    assert hand(match, BO, ANN) == hand(match, ONLOOKER, ANN) == ["8 of Swords"]
    play(match, "lay 4 of Cups", "at 2.1", "lay 8 of Swords", "at 2.1")
    assert hand(match, BO, ANN) == [] and not knows(match, BO, ANN, "2.1")


@pytest.mark.clause("RW-13")
def test_a_player_who_stops_keeps_all_attacking_cards_and_may_attack_with_them_next_turn():
    laid = {**ROW_OF_FOUR, "3.3": "6 of Wands"}
    match = position(["9 of Swords, 2 of Cups", "3 of Cups, 4 of Cups"], ["5 of Cups", laid])
    play(
        match,
        "attack with 9 of Swords",
        "seat 1 at 3.1",
        "turn up 3.2",
        "add 2 of Cups",
        "hold back",
        "hold back",
        "stop",
    )
    assert hand(match, BO, ANN) == ["2 of Cups", "9 of Swords"] and match.to_act == {BO}
    assert sorted(shown(match, "pile")) == ["4 of Wands", "5 of Wands"]
    play(match, "lay 3 of Cups", "at 3.1")
    assert {"attack with 9 of Swords", "attack with 2 of Cups"} <= set(menu(match, ANN))


@pytest.mark.clause("RW-13")
def test_a_further_attack_that_is_lost_loses_all_attacking_cards():
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "9 of Wands"}
    match = position(["8 of Swords, 2 of Cups", "3 of Cups, 4 of Cups"], ["5 of Cups", laid])
    play(match, "attack with 8 of Swords", "seat 1 at 2.1", "hold back", "hold back", "seat 1 at 2.2", "hold back")
    assert shown(match, "pile") == ["8 of Swords", "2 of Wands"] and match.to_act == {BO}


@pytest.mark.clause("RW-14")
def test_without_a_defence_a_player_is_out_and_discards_the_hand():
    match = position(
        ["8 of Swords, 2 of Cups", "3 of Cups, 4 of Cups", "6 of Cups"],
        ["5 of Cups", "Ace of Wands", "7 of Cups"],
        seats=3,
    )
    play(match, "attack with 8 of Swords", "seat 1 at 1.1", "hold back", "hold back")
    assert match.outcome is None and match.to_act == {CID}
    assert {"3 of Cups", "4 of Cups", "Ace of Wands"} == set(shown(match, "pile"))
    with pytest.raises(IllegalMove, match="must act first"):
        match.play(BO, "lay 3 of Cups")


@pytest.mark.clause("RW-14")
def test_a_player_who_is_out_holds_nothing_and_is_passed_over_in_every_later_turn():
    laid = {"1.1": "7 of Cups", "2.1": "8 of Cups"}
    match = position(["8 of Swords", "3 of Cups", "6 of Cups, 9 of Cups"], ["5 of Cups", "Ace of Wands", laid], seats=3)
    play(match, "attack with 8 of Swords", "seat 1 at 1.1", "hold back", "hold back")
    assert pieces(match, ONLOOKER, "hand.1") == () and places(match, BO) == []
    play(match, "lay 6 of Cups", "at 2.2")
    assert match.to_act == {ANN}
    play(match, "lay 8 of Swords", "at 2.1")
    assert match.to_act == {CID}, "Bo has no more turns"


@pytest.mark.clause("RW-14")
def test_the_last_player_left_wins_and_draws_no_more():
    match = position(["8 of Swords, 2 of Cups", "3 of Cups, 4 of Cups"], ["5 of Cups", "Ace of Wands"])
    play(match, "attack with 8 of Swords", "seat 1 at 1.1", "hold back", "hold back")
    assert match.outcome is not None and match.outcome.ranks == (1, 2)
    assert sorted(hand(match, ANN, ANN)) == ["2 of Cups", "8 of Swords"]


def quiet(turns: int, quiet_turns: int) -> Match:
    """Return a match in which Bo is about to complete a turn, after these numbers of turns and quiet turns of Ann."""
    more = f"turns = {turns} {turns - 1} 0 0 0\nquiet = {quiet_turns} {quiet_turns - 1} 0 0 0"
    return position(["2 of Cups", "3 of Cups"], ["5 of Cups", "5 of Wands"], turn=BO, more=more)


@pytest.mark.clause("RW-15")
@pytest.mark.parametrize(("turns", "still", "over"), [(15, 10, True), (15, 9, False), (25, 3, True), (24, 3, False)])
def test_a_truce_comes_after_ten_turns_of_quiet_or_twenty_five_in_all(turns: int, still: int, over: bool):
    match = play(quiet(turns, still), "lay 3 of Cups", "at 2.1")
    assert (match.outcome is not None) == over


@pytest.mark.clause("RW-15")
def test_a_card_destroyed_in_battle_restarts_the_count_of_quiet_turns():
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands"}
    match = position(["8 of Swords, 2 of Cups", "3 of Cups, 4 of Cups"], ["5 of Cups", laid], turns=9)
    play(match, "attack with 8 of Swords", "seat 1 at 2.1", "hold back", "hold back")
    assert match.view().count("truce") == 10
    play(match, "lay 4 of Cups", "at 2.2")
    assert true_state(match).quiet[:2] == [0, 1] and match.outcome is None


@pytest.mark.clause("RW-15")
def test_there_is_a_truce_when_nobody_holds_a_card_and_deck_and_pile_are_empty():
    match = position(["2 of Cups", ""], ["5 of Cups", all_but("2 of Cups", "5 of Cups")])
    play(match, "lay 2 of Cups", "at 2.1")
    assert match.outcome is not None and match.outcome.reason == "played to the end"


@pytest.mark.clause("RW-15")
@pytest.mark.parametrize(
    ("defences", "destroyed", "scores", "ranks"),
    [
        (("5 of Cups", "5 of Wands, 4 of Wands"), (0, 0), (1 + 1, 2), (2, 1)),
        (("5 of Cups, 2 of Swords", "5 of Wands, 4 of Wands"), (1, 0), (3 + 2, 2), (1, 2)),
        (("5 of Cups", "5 of Wands, 4 of Wands, 3 of Wands"), (7, 0), (2 + 2 * 2, 3), (1, 2)),
        (("5 of Cups", "5 of Wands, Ace of Wands"), (0, 0), (2, 2), (1, 2)),
        (("5 of Cups", "5 of Wands, 2 of Wands"), (0, 0), (2, 2), (1, 1)),
    ],
)
def test_those_still_in_are_ranked_by_cards_and_destruction_then_by_points(defences, destroyed, scores, ranks):
    more = f"turns[1] = 25\ndestroyed[0] = {destroyed[0]}\ndestroyed[1] = {destroyed[1]}"
    match = position(["2 of Cups", "3 of Cups"], defences, turns=24, more=more)
    place = "at 2.1" if len(cards(defences[0])) == 1 else "at 2.2"
    play(match, "lay 2 of Cups", place)
    assert match.outcome is not None and match.outcome.scores == scores and match.outcome.ranks == ranks
    shown_at_the_end = [(score.number, score.rank, score.certain) for score in match.view().scores]
    assert shown_at_the_end == [(*each, True) for each in zip(scores, ranks, strict=True)]


@pytest.mark.clause("RW-15")
def test_players_who_are_out_rank_last_and_the_later_out_the_higher():
    more = "out = 0 1 2 0 0\nturns = 24 3 5 25 0"
    match = position(["2 of Cups"] + [""] * 3, ["5 of Cups", "", "", "6 of Cups"], seats=4, turns=24, more=more)
    before = [score.rank for score in match.view().scores]
    assert before == [1, 4, 3, 1], "as the war would end now; Ann and Dee have one card each"
    play(match, "lay 2 of Cups", "at 2.1")
    assert match.outcome is not None and match.outcome.ranks == (1, 4, 3, 2)


@pytest.mark.clause("RW-15")
@pytest.mark.parametrize("seed", range(3))
def test_random_wars_end_and_rank_everybody(seed: int):
    match = play_at_random(begin(3, seed), seed)
    assert match.outcome is not None and min(match.outcome.ranks) == 1
    check_cards(match)
