"""Tests of King's Court, clause by clause: the set-up, the turn, and what players may know. KC-1 to KC-8."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.kings_court_positions import (
    ANN,
    BO,
    CLOSING_PLAY,
    COUNTERS,
    HOUSES,
    LAST_TURN,
    ONLOOKER,
    REVERSED,
    VIEWERS,
    all_shown,
    begin,
    binding,
    cards,
    counter_words,
    counters,
    drawn,
    hand,
    influences,
    menu,
    piece,
    play,
    played,
    position,
    put,
    random_moves,
    redealt,
    size,
    sizes,
    supply,
)
from quintain.engine.errors import BadOption, IllegalMove
from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match


@pytest.mark.clause("KC-1", "KC-7")
def test_the_deck_is_six_houses_of_ranks_1_to_8() -> None:
    match = begin()
    assert [piece(match, ONLOOKER, f"house.{i}").name for i in range(6)] == list(HOUSES)
    assert len(list(random_moves(match, seed=1))) > 100
    gone, held = cards(match, "played"), hand(match, ANN, ONLOOKER) + hand(match, BO, ONLOOKER)
    assert (len(gone), len(held)) == (34, 14)
    assert sorted(gone + held) == sorted(f"{house} {rank}" for house in HOUSES for rank in range(1, 9))


@pytest.mark.clause("KC-2")
@pytest.mark.parametrize(("garnets", "richer"), [((3, 1), ANN), ((1, 3), BO), ((1, 0), ANN), ((0, 10**12), BO)])
def test_the_seat_with_more_garnets_chooses_before_any_card_is_dealt(garnets: tuple[int, int], richer: int) -> None:
    match = begin(garnets=garnets)
    assert match.to_act == {richer}
    assert menu(match) == ["go first", "go second"]
    assert match.moves(1 - richer) == []
    assert match.why_not(1 - richer, "go first").clause == "KC-2"
    assert sizes(match) == (0, 0, 48)
    assert not any(match.log(viewer) for viewer in VIEWERS)


@pytest.mark.clause("KC-2", "KC-3")
@pytest.mark.parametrize("richer", [ANN, BO])
@pytest.mark.parametrize("choice", ["first", "second"])
def test_the_richer_seat_goes_first_or_second_as_it_chose(richer: int, choice: str) -> None:
    match = begin(garnets=(3, 1) if richer == ANN else (1, 3))
    match.play(richer, f"go {choice}")
    assert match.log(richer) == [f"You choose to go {choice}."]
    assert match.log(1 - richer) == [f"{match.names[richer]} chooses to go {choice}."]
    first = richer if choice == "first" else 1 - richer
    assert size(match, f"hand.{first}") == 8
    assert size(match, f"hand.{1 - first}") == 7
    put(match, ANN, COUNTERS)
    put(match, BO, COUNTERS)
    assert match.to_act == {first}


@pytest.mark.clause("KC-2")
@pytest.mark.parametrize("garnets", [(0, 0), (7, 7)])
def test_with_equal_garnets_the_first_player_is_drawn_at_random_and_nobody_chooses(garnets: tuple[int, int]) -> None:
    times_first = [0, 0]
    for seed in range(60):
        match = begin(seed, garnets)
        assert match.to_act == {ANN, BO}
        for seat in (ANN, BO):
            assert match.why_not(seat, "go first").clause == "KC-4"
        first = ANN if size(match, "hand.0") == 8 else BO
        assert match.log() == [f"The lot falls: {match.names[first]} goes first."]
        assert match.log(first) == ["The lot falls: you go first."]
        times_first[first] += 1
    assert min(times_first) > 15


@pytest.mark.clause("KC-2")
def test_garnets_are_two_whole_numbers_of_at_least_0_and_0_by_default() -> None:
    assert Match.new("kings-court").options["garnets"] == [0, 0]
    assert Match.new("kings-court", options={"garnets": "3,1"}).options["garnets"] == [3, 1]
    wrong: list[Any] = [[1], [1, 2, 3], [-1, 0], [0, -1], [1.5, 0], "1,x", "1,", 3]
    for garnets in wrong:
        with pytest.raises(BadOption, match="2 whole numbers"):
            Match.new("kings-court", options={"garnets": garnets})


@pytest.mark.clause("KC-3")
@pytest.mark.parametrize("seed", range(6))
def test_hands_of_8_and_7_are_dealt_and_33_cards_stay_face_down(seed: int) -> None:
    match = begin(seed)
    first = ANN if "you go first" in match.log(ANN)[0] else BO
    for viewer in VIEWERS:
        assert size(match, f"hand.{first}", viewer) == 8
        assert size(match, f"hand.{1 - first}", viewer) == 7
        assert size(match, "deck", viewer) == 33
        assert cards(match, "deck", viewer) == []
    assert len({*hand(match, ANN, ANN), *hand(match, BO, BO)}) == 15


@pytest.mark.clause("KC-3")
def test_any_card_may_be_dealt_to_either_player() -> None:
    dealt: tuple[set[str], set[str]] = (set(), set())
    for seed in range(60):
        match = begin(seed)
        for seat in (ANN, BO):
            dealt[seat].update(hand(match, seat, seat))
    assert [len(seen) for seen in dealt] == [48, 48]


@pytest.mark.clause("KC-4")
def test_each_player_sees_the_hand_and_then_puts_one_counter_on_each_house_in_their_order() -> None:
    match = begin()
    left = list(COUNTERS)
    for house, counter in zip(HOUSES, REVERSED, strict=True):
        assert len(hand(match, ANN, ANN)) == size(match, "hand.0")
        assert match.view(ANN).question.words == f"Which counter do you put on {house}?"
        assert [move.text for move in match.moves(ANN)] == [f"put {counter_words(c)} on {house}" for c in left]
        assert supply(match, ANN) == left
        match.play(ANN, f"put {counter_words(counter)} on {house}")
        left.remove(counter)
    assert left == []
    assert counters(match, ANN, ANN) == REVERSED


@pytest.mark.clause("KC-4")
def test_no_counter_is_put_twice_and_no_house_out_of_its_order() -> None:
    match = begin()
    match.play(ANN, "put +5 on Artois")
    for move in ("put +5 on Bellerophon", "put +3 on Artois", "put +3 on Castellia"):
        with pytest.raises(IllegalMove, match="KC-4"):
            match.play(ANN, move)
    assert match.why_not(ANN, "put +5 on Bellerophon").words == "your counter +5 is on Artois already"
    assert counters(match, ANN, ANN) == (5, None, None, None, None, None)


@pytest.mark.clause("KC-4")
@pytest.mark.parametrize("order", ["abababababab", "aaaaaabbbbbb", "bbbbbbaaaaaa", "aabbbbabaaab"])
def test_both_may_put_their_counters_at_the_same_time_in_any_order(order: str) -> None:
    match = begin()
    houses = (iter(HOUSES), iter(HOUSES))
    for made, letter in enumerate(order):
        assert match.to_act == {seat for seat in (ANN, BO) if order[:made].count("ab"[seat]) < 6}
        seat = "ab".index(letter)
        house = next(houses[seat])
        match.play(seat, f"put {counter_words(REVERSED[HOUSES.index(house)])} on {house}")
    assert counters(match, ANN, ANN) == counters(match, BO, BO) == REVERSED
    assert match.view(ANN).phase.key == "play"


@pytest.mark.clause("KC-4")
def test_nobody_learns_anything_about_the_other_counters() -> None:
    one, two = begin(), begin()
    steps = zip(HOUSES, COUNTERS, REVERSED, strict=True)
    for house, counter, other_counter in steps:
        one.play(BO, f"put {counter_words(counter)} on {house}")
        two.play(BO, f"put {counter_words(other_counter)} on {house}")
        for viewer in (ANN, ONLOOKER):
            assert all_shown(one, viewer) == all_shown(two, viewer)
            assert one.log(viewer)[-1] == f"Bo puts a counter on {house}."
            assert set(counters(one, BO, viewer)) == {None}
    put(one, ANN, COUNTERS)
    put(two, ANN, COUNTERS)
    play(one, menu(one)[0])
    play(two, menu(two)[0])
    for viewer in (ANN, ONLOOKER):
        assert all_shown(one, viewer) == all_shown(two, viewer)
    assert all_shown(one, BO) != all_shown(two, BO)


@pytest.mark.clause("KC-4")
def test_how_many_counters_were_put_may_be_seen() -> None:
    match = begin()
    for made, house in enumerate(HOUSES):
        for viewer in VIEWERS:
            places = [piece(match, viewer, f"counter.1.{i}") for i in range(6)]
            assert [place.is_free for place in places] == [False] * made + [True] * (6 - made)
        match.play(BO, f"put {counter_words(COUNTERS[made])} on {house}")


@pytest.mark.clause("KC-4")
@pytest.mark.parametrize("last", [ANN, BO])
def test_no_counter_can_be_taken_back_once_the_sixth_is_put(last: int) -> None:
    match = begin()
    early = 1 - last
    put(match, early, COUNTERS)
    assert match.to_act == {last}
    assert match.moves(early) == []
    assert not match.can_undo(early)
    assert match.why_not(early, "put +5 on Artois").clause == "KC-4"
    for house, counter in zip(HOUSES[:5], COUNTERS[:5], strict=True):
        match.play(last, f"put {counter_words(counter)} on {house}")
    match.undo(last)
    assert counters(match, last, last) == (*COUNTERS[:4], None, None)
    match.play(last, "put +3 on Ellicta")
    match.play(last, "put +5 on Febrois")
    for seat in (ANN, BO):
        assert not match.can_undo(seat)
        assert match.why_not(seat, "put +5 on Artois") is not None
        assert counters(match, seat, seat) == COUNTERS


@pytest.mark.clause("KC-5")
@pytest.mark.parametrize("turn", [ANN, BO])
def test_a_turn_is_to_draw_one_card_play_one_and_give_one(turn: int) -> None:
    other = 1 - turn
    ann, bo = ("Artois 2, Artois 4", "Artois 6") if turn == ANN else ("Artois 6", "Artois 2, Artois 4")
    match = position(ann=ann, bo=bo, first=turn)
    play(match, "play Artois 2", "give Artois 4")
    assert match.to_act == {other}
    assert match.log(other)[-1] == f"You draw {drawn(match, other)}."
    held = hand(match, other, other)
    assert drawn(match, other) in held
    assert (len(held), size(match, f"hand.{turn}"), size(match, "deck")) == (9, 7, 11)
    assert menu(match) == [f"play {card}" for card in held]
    assert match.why_not(other, f"give {held[0]}").clause == "KC-5"

    play(match, "play Artois 6")
    held.remove("Artois 6")
    assert hand(match, other, other) == held
    assert match.why_not(other, f"play {held[0]}").clause == "KC-5"
    assert played(match)[-1] == ("Artois 6", other)
    assert match.to_act == {other}
    held.remove("Artois 4")
    assert menu(match) == [f"give {card}" for card in held]

    given = held[0]
    play(match, f"give {given}")
    assert given not in hand(match, other, other)
    assert given in hand(match, turn, turn)
    assert match.to_act == {turn}
    assert (size(match, f"hand.{other}"), size(match, f"hand.{turn}"), size(match, "deck")) == (7, 9, 10)


@pytest.mark.clause("KC-5")
def test_a_seat_plays_and_gives_only_cards_of_its_own_hand() -> None:
    match = position(ann="Artois 2", bo="Artois 4")
    assert match.why_not(ANN, "play Artois 4").words == "Artois 4 is not in your hand"
    play(match, "play Artois 2")
    assert match.why_not(ANN, "give Artois 2").words == "Artois 2 is not in your hand"
    assert match.why_not(BO, "play Artois 4").words == "Ann is to act"


@pytest.mark.clause("KC-5")
def test_a_card_is_played_face_up() -> None:
    match = position(ann="Artois 8")
    play(match, "play Artois 8")
    for viewer in VIEWERS:
        assert played(match, viewer)[-1] == ("Artois 8", ANN)
        assert "Artois 8: 8 Influence in Artois." in match.log(viewer)[-1]


@pytest.mark.clause("KC-5", "KC-8")
def test_the_drawn_card_is_secret() -> None:
    match = begin()
    put(match, ANN, COUNTERS)
    put(match, BO, COUNTERS)
    (turn,) = match.to_act
    name, card = match.names[turn], drawn(match, turn)
    assert card in hand(match, turn, turn)
    for viewer in (1 - turn, ONLOOKER):
        assert match.log(viewer)[-1] == f"{name} draws a card."
        assert hand(match, turn, viewer) == []
        assert card not in str(all_shown(match, viewer)[:3])
        imagined = {tuple(redealt(match, viewer, seed).hand[turn]) for seed in range(20)}
        assert len(imagined) > 1


@pytest.mark.clause("KC-5", "KC-8")
def test_a_gift_is_seen_only_by_the_two_players() -> None:
    one, two = (position(ann="Artois 2, Castellia 4, Febrois 6") for _ in range(2))
    play(one, "play Artois 2", "give Castellia 4")
    play(two, "play Artois 2", "give Febrois 6")
    assert one.log(ANN)[-2:] == ["You give Bo Castellia 4.", "Bo draws a card."]
    assert one.log(BO)[-2:] == ["Ann gives you Castellia 4.", f"You draw {drawn(one, BO)}."]
    assert one.log()[-2:] == ["Ann gives Bo a card.", "Bo draws a card."]
    assert all_shown(one, ONLOOKER) == all_shown(two, ONLOOKER)
    assert "Castellia 4" in hand(one, BO, BO)
    assert hand(one, BO, ANN) == ["Castellia 4"]
    assert "Castellia 4" not in hand(one, ANN, ANN)


@pytest.mark.clause("KC-6")
@pytest.mark.parametrize("plays", [0, 20])
def test_the_card_received_last_turn_may_not_be_given_on(plays: int) -> None:
    match = position(plays, ann="Artois 2, Castellia 4, Castellia 6")
    play(match, "play Artois 2", "give Castellia 4")
    play(match, next(move for move in menu(match) if move[-1] in "2468" and move != "play Castellia 4"))
    assert {f"give {card}" for card in hand(match, BO, BO)} - set(menu(match)) == {"give Castellia 4"}
    assert match.why_not(BO, "give Castellia 4").clause == "KC-6"
    assert [p.name for p in match.view(BO).pieces() if "banned" in p.state] == ["Castellia 4"]


@pytest.mark.clause("KC-6")
def test_only_the_very_card_is_banned_not_its_house_or_rank() -> None:
    match = position(ann="Castellia 2, Artois 4, Castellia 6, Castellia 4", gift="Castellia 4")
    play(match, "play Castellia 2")
    assert {"give Artois 4", "give Castellia 6"} <= set(menu(match))
    assert len(menu(match)) == 7


@pytest.mark.clause("KC-6")
def test_the_ban_lasts_for_one_turn() -> None:
    match = position(ann="Artois 2, Artois 4, Castellia 4", gift="Castellia 4", bo="Artois 6, Febrois 2, Febrois 3")
    play(match, "play Artois 2")
    assert "give Castellia 4" not in menu(match)
    play(match, "give Artois 4", "play Artois 6", "give Febrois 2", "play Febrois 2")
    assert "give Castellia 4" in menu(match)
    assert len(menu(match)) == 8


@pytest.mark.clause("KC-6")
def test_nothing_is_banned_when_the_card_received_was_played() -> None:
    match = position(ann="Castellia 4", gift="Castellia 4")
    play(match, "play Castellia 4")
    assert len(menu(match)) == 8
    assert menu(match) == [f"give {card}" for card in hand(match, ANN, ANN)]


@pytest.mark.clause("KC-6", "KC-5")
def test_the_first_gift_of_the_game_has_no_ban_and_may_be_the_drawn_card() -> None:
    match = begin()
    put(match, ANN, COUNTERS)
    put(match, BO, COUNTERS)
    (first,) = match.to_act
    card = drawn(match, first)
    play(match, next(move for move in menu(match) if move[-1] in "2468" and move != f"play {card}"))
    assert menu(match) == [f"give {held}" for held in hand(match, first, first)]
    assert len(menu(match)) == 8
    play(match, f"give {card}")
    assert card in hand(match, 1 - first, 1 - first)


@pytest.mark.clause("KC-6")
def test_a_card_that_comes_back_is_banned_for_its_first_giver() -> None:
    match = position(ann="Artois 2, Artois 4, Castellia 4, Febrois 8", bo="Ellicta 2, Ellicta 4, Ellicta 6")
    play(match, "play Artois 2", "give Castellia 4", "play Ellicta 2", "give Ellicta 4", "play Artois 4")
    play(match, "give Febrois 8", "play Ellicta 6", "give Castellia 4", "play Ellicta 4")
    assert match.why_not(ANN, "give Castellia 4").clause == "KC-6"


@pytest.mark.clause("KC-6", "KC-7")
def test_the_ban_holds_for_the_last_gift_too() -> None:
    match = position(LAST_TURN, ann="Artois 2, Castellia 4", gift="Castellia 4")
    play(match, "play Artois 2")
    assert len(menu(match)) == 7
    assert match.why_not(ANN, "give Castellia 4").clause == "KC-6"


@pytest.mark.clause("KC-7")
@pytest.mark.parametrize("seed", range(4))
def test_the_first_player_draws_the_last_card_and_the_second_closes_with_a_play(seed: int) -> None:
    match = begin(seed)
    first = ANN if size(match, "hand.0") == 8 else BO
    put(match, ANN, COUNTERS)
    put(match, BO, COUNTERS)
    steps, before = [], [size(match, "deck")]
    for seat, move in random_moves(match, seed):
        kind = move.split()[0]
        if kind in ("play", "give"):
            steps.append((seat, kind, before[-1]))
        before.append(size(match, "deck"))
    turns = [(first ^ (n & 1), n) for n in range(33)]
    expected = [(seat, kind, 32 - n) for seat, n in turns for kind in ("play", "give")]
    assert steps == [*expected, (1 - first, "play", 0)]
    draws = [line for line in match.log() if line.endswith(" draws a card.")]
    names = [match.names[first], match.names[1 - first]]
    assert draws == [f"{name} draws a card." for name in [*(names * 16), names[0]]]
    assert match.log().count(f"The deck is empty: {names[1]} plays the last card.") == 1
    assert sizes(match) == (7, 7, 0)
    assert [owner for _, owner in played(match)] == [first, 1 - first] * 17
    assert match.to_act == set()
    assert match.outcome.reason == "played to the end"


@pytest.mark.clause("KC-7")
def test_the_turn_of_the_17th_draw_ends_with_a_gift() -> None:
    match = position(LAST_TURN - 1, bo="Artois 2, Artois 4", ann="Artois 6, Artois 8", deck="Febrois 8")
    play(match, "play Artois 2")
    assert size(match, "deck") == 1
    play(match, "give Artois 4")
    assert drawn(match, ANN) == "Febrois 8"
    assert sizes(match) == (9, 7, 0)
    play(match, "play Artois 6")
    assert match.outcome is None
    play(match, "give Artois 8")
    assert match.to_act == {BO}
    assert sizes(match) == (7, 8, 0)
    assert match.log(BO)[-2:] == ["Ann gives you Artois 8.", "The deck is empty: you play the last card."]
    assert menu(match) == [f"play {card}" for card in hand(match, BO, BO)]
    play(match, "play Artois 8")
    assert match.to_act == set()
    assert sizes(match) == (7, 7, 0)


@pytest.mark.clause("KC-7")
@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (["play Artois 6"], {"Artois": (2, 7), "Febrois": (4, 0)}),
        (["play Artois 3"], {"Artois": (2, 2), "Febrois": (4, 0)}),
        (["play Artois 5", "move from Febrois", *["move theirs"] * 3], {"Artois": (5, 1), "Febrois": (1, 0)}),
        (["play Artois 7", "move to Febrois", "move own", "stop"], {"Artois": (2, 0), "Febrois": (4, 1)}),
        (["play Artois 5", "move nothing"], {"Artois": (2, 1), "Febrois": (4, 0)}),
    ],
)
def test_the_effect_of_the_closing_play_works(moves: list[str], expected: dict[str, tuple[int, int]]) -> None:
    match = position(CLOSING_PLAY, bo=moves[0].removeprefix("play "), influence={"Artois": (2, 1), "Febrois": (4, 0)})
    for move in moves:
        assert match.outcome is None
        play(match, move)
    assert influences(match) == expected
    assert match.outcome
    assert sizes(match) == (7, 7, 0)


@pytest.mark.clause("KC-7", "KC-10")
def test_a_1_as_the_closing_play_shows_a_counter_and_switches_two() -> None:
    match = position(CLOSING_PLAY, bo="Artois 1", counters=(REVERSED, COUNTERS))
    play(match, "play Artois 1")
    assert match.log(BO)[-1] == "You look at Ann's counter in Artois: +5."
    assert match.outcome is None
    play(match, "switch Artois and Febrois")
    assert counters(match, BO, ANN) == (5, 0, 1, 2, 3, -2)
    assert match.outcome


@pytest.mark.clause("KC-8")
def test_influence_plays_sizes_and_binding_are_open_to_everybody() -> None:
    match = position(plays=4, ann="Artois 3, Artois 4", bo="Artois 8, Artois 7", influence={"Febrois": (2, 5)})
    earlier = played(match)
    assert [owner for _, owner in earlier] == [ANN, BO, ANN, BO]
    play(match, "play Artois 3", "give Artois 4", "play Artois 8")
    for viewer in VIEWERS:
        assert influences(match, viewer) == {"Artois": (1, 8), "Febrois": (2, 5)}
        assert played(match, viewer) == [*earlier, ("Artois 3", ANN), ("Artois 8", BO)]
        assert sizes(match, viewer) == (7, 8, 27)
        view = match.view(viewer)
        assert (view.count("deck"), view.phase.round) == (27, 3)
        assert binding(match, viewer) == {"Artois": {"bound.1"}}
        assert "next gift must be of Artois, if possible." in match.log(viewer)[-4]


@pytest.mark.clause("KC-8")
def test_a_given_card_stays_known_to_its_giver_until_it_is_played() -> None:
    match = position(0, ann="Artois 2, Artois 4, Castellia 4, Febrois 8", bo="Ellicta 2, Ellicta 4, Ellicta 6")
    play(match, "play Artois 2", "give Castellia 4")
    steps = ("play Ellicta 2", "give Ellicta 4", "play Artois 4", "give Febrois 8")
    for step in steps:
        assert "Castellia 4" in hand(match, BO, ANN)
        assert all(redealt(match, ANN, seed).hand[BO][2 * 8 + 3] == 1 for seed in range(5))
        assert hand(match, BO, ONLOOKER) == []
        play(match, step)
    assert hand(match, BO, ANN) == ["Castellia 4", "Febrois 8"]
    assert hand(match, ANN, BO) == ["Ellicta 4"]
    play(match, "play Castellia 4")
    assert hand(match, BO, ANN) == ["Febrois 8"]


@pytest.mark.clause("KC-8")
def test_a_given_card_stays_known_to_its_giver_until_it_is_given_back() -> None:
    match = position(0, ann="Artois 2, Artois 4, Castellia 4, Febrois 8", bo="Ellicta 2, Ellicta 4, Ellicta 6")
    play(match, "play Artois 2", "give Castellia 4", "play Ellicta 2", "give Ellicta 4", "play Artois 4")
    play(match, "give Febrois 8", "play Ellicta 6", "give Castellia 4")
    assert hand(match, BO, ANN) == ["Febrois 8"]
    assert hand(match, ANN, BO) == ["Castellia 4", "Ellicta 4"]
    assert "Castellia 4" in hand(match, ANN, ANN)
    assert hand(match, ANN, ONLOOKER) == hand(match, BO, ONLOOKER) == []


@pytest.mark.clause("KC-8", "KC-11")
def test_no_view_says_what_a_free_gift_reveals_about_the_hand() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Bellerophon 8, Febrois 2")
    play(match, "play Artois 3", "give Castellia 2", "play Bellerophon 8", "give Febrois 2")
    assert not any(card.startswith("Artois") for card in hand(match, BO, BO))
    assert match.log(ANN)[-3:-1] == ["Bo plays Bellerophon 8: 8 Influence in Bellerophon.", "Bo gives you Febrois 2."]
    assert match.log()[-3:-1] == ["Bo plays Bellerophon 8: 8 Influence in Bellerophon.", "Bo gives Ann a card."]
    assert hand(match, BO, ANN) == ["Castellia 2"]
    assert binding(match) == {}


@pytest.mark.clause("KC-8")
def test_a_redeal_fits_what_is_open_and_what_was_given() -> None:
    match = position(ann="Artois 2, Castellia 4")
    play(match, "play Artois 2", "give Castellia 4")
    held = hand(match, ANN, ANN)
    for seed in range(20):
        imagined = redealt(match, ANN, seed)
        imagined.check()
        in_hands = [sum(imagined.hand[seat]) for seat in (ANN, BO)]
        assert (*in_hands, imagined.deck_size) == sizes(match) == (7, 9, 11)
        own = [f"{HOUSES[card // 8]} {card % 8 + 1}" for card in range(48) if imagined.hand[ANN][card]]
        assert own == held
        places = [*imagined.deck[:11], *imagined.played[:21]]
        places += [card for hand in imagined.hand for card in range(48) if hand[card]]
        assert sorted(places) == list(range(48))
    for pile in (lambda state: state.hand[BO], lambda state: sorted(state.deck)):
        assert len({tuple(pile(redealt(match, ANN, seed))) for seed in range(20)}) > 1


@pytest.mark.clause("KC-8")
def test_onlookers_see_no_hand_and_no_counter() -> None:
    match = begin(3)
    put(match, ANN, COUNTERS)
    put(match, BO, REVERSED)
    looked = False
    for _ in random_moves(match, seed=3):
        if match.outcome:
            break
        looked = looked or any(" looks at " in line for line in match.log())
        assert hand(match, ANN, ONLOOKER) == hand(match, BO, ONLOOKER) == []
        assert {*counters(match, ANN, ONLOOKER), *counters(match, BO, ONLOOKER)} == {None}
        assert match.view().menu == match.view().about == ()
    assert looked


@pytest.mark.clause("KC-8")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_at_the_end_both_hands_and_all_counters_are_shown(viewer: int | None) -> None:
    match = position(CLOSING_PLAY, bo="Artois 8", counters=(COUNTERS, REVERSED))
    truth = hand(match, ANN, ANN), hand(match, BO, BO)
    play(match, "play Artois 8")
    truth[BO].remove("Artois 8")
    assert (hand(match, ANN, viewer), hand(match, BO, viewer)) == truth
    assert counters(match, ANN, viewer) == COUNTERS
    assert counters(match, BO, viewer) == REVERSED
    assert match.log(viewer)[-1] == "The game is over: hands and counters are shown."


@pytest.mark.clause("KC-5", "KC-8")
def test_the_opponents_hand_and_the_deck_show_nowhere() -> None:
    ann = "Artois 2, Castellia 1"
    one = position(ann=ann, bo="Bellerophon 2, Bellerophon 5", deck="Ellicta 3, Ellicta 8")
    two = position(ann=ann, bo="Ellicta 3, Ellicta 8", deck="Bellerophon 2, Bellerophon 5")
    for move in ("play Castellia 1", "switch Artois and Febrois"):
        for viewer in (ANN, ONLOOKER):
            assert all_shown(one, viewer) == all_shown(two, viewer)
        play(one, move)
        play(two, move)
    assert all_shown(one, BO) != all_shown(two, BO)


@pytest.mark.clause("KC-8")
def test_nothing_of_a_hand_or_the_deck_is_shown_before_the_end() -> None:
    match = begin(5)
    put(match, ANN, COUNTERS)
    put(match, BO, REVERSED)
    for _ in random_moves(match, seed=5):
        if match.outcome:
            break
        for viewer, other in ((ANN, BO), (BO, ANN)):
            log = match.log(viewer)
            given = f"You give {match.names[other]}"
            assert all(f"{given} {card}." in log for card in hand(match, other, viewer))
            assert cards(match, "deck", viewer) == []
    assert match.outcome


@pytest.mark.clause("KC-1")
def test_a_record_without_the_options_of_the_size_is_of_the_full_game() -> None:
    record = json.loads((Path(__file__).parents[1] / "golden" / "kings-court-resigned.json").read_text("utf-8"))
    del record["options"]["houses"], record["options"]["ranks"]
    match = Match.load(json.dumps({**record, "sha256": checksum(record)}))
    assert match.options == {"garnets": [0, 0], "houses": 6, "ranks": 8}
    assert match.record()["moves"] == record["moves"]


@pytest.mark.clause("KC-1")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"houses": 1}, "the option houses cannot be 1: it takes a whole number from 2 to 6"),
        ({"houses": 7}, "the option houses cannot be 7"),
        ({"ranks": 2}, "the option ranks cannot be 2: it takes a whole number from 3 to 8"),
        ({"ranks": 9}, "the option ranks cannot be 9"),
    ],
)
def test_a_game_has_two_to_six_houses_of_three_to_eight_ranks(options: dict[str, int], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        Match.new("kings-court", options=options)


@pytest.mark.clause("KC-1", "KC-3", "KC-4")
def test_a_small_game_refuses_what_it_has_not_and_says_so() -> None:
    match = Match.new("kings-court", names=("Ann", "Bo"), options={"houses": 2, "ranks": 3}, seed=bytes(32))
    assert sorted(len(hand(match, seat, seat)) for seat in (0, 1)) == [1, 2]
    assert [move.text for move in match.moves(0)] == ["put +3 on Artois", "put +5 on Artois"]
    for text, missing in (("put -2 on Artois", "the counter .2"), ("put +5 on Febrois", "Febrois")):
        with pytest.raises(IllegalMove, match=f"{missing} is not in this game"):
            match.play(0, text)
    for seat in (0, 1):
        match.play(seat, "put +3 on Artois")
        match.play(seat, "put +5 on Bellerophon")
    (seat,) = match.to_act
    with pytest.raises(IllegalMove, match=r"Artois 8 is not in this game \(KC-1\)"):
        match.play(seat, "play Artois 8")
