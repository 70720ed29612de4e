"""Tests of King's Court, clause by clause: the effects of the ranks. KC-9 to KC-14."""

import itertools

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
    binding,
    bonuses,
    counters,
    drawn,
    hand,
    influences,
    menu,
    number,
    piece,
    play,
    position,
    redealt,
    size,
    sizes,
)
from quintain.engine.errors import IllegalMove

BOTH = (COUNTERS, REVERSED)
PAIRS = [f"switch {one} and {two}" for one, two in itertools.combinations(HOUSES, 2)]


@pytest.mark.clause("KC-9")
@pytest.mark.parametrize("rank", [2, 4, 6, 8])
@pytest.mark.parametrize("house", HOUSES)
def test_an_even_rank_puts_that_much_influence_into_its_house(house: str, rank: int) -> None:
    match = position(ann=f"{house} {rank}", influence={house: (1, 5)})
    play(match, f"play {house} {rank}")
    assert influences(match) == {house: (1 + rank, 5)}
    assert match.log(ANN)[-1] == f"You play {house} {rank}: {rank} Influence in {house}."
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-9")
def test_the_second_player_puts_influence_of_their_own() -> None:
    match = position(plays=21, bo="Artois 4")
    play(match, "play Artois 4")
    assert influences(match) == {"Artois": (0, 4)}


@pytest.mark.clause("KC-9")
def test_the_supply_of_influence_is_unlimited() -> None:
    match = position(ann="Artois 8", influence=dict.fromkeys(HOUSES, (112, 112)))
    play(match, "play Artois 8")
    assert influences(match) == dict.fromkeys(HOUSES, (112, 112)) | {"Artois": (120, 112)}


@pytest.mark.clause("KC-10")
def test_a_1_shows_the_opponents_counter_before_its_player_switches_two() -> None:
    match = position(ann="Castellia 1", counters=BOTH)
    assert counters(match, BO, ANN) == (None,) * 6
    play(match, "play Castellia 1")
    assert match.log(ANN)[-2:] == ["You play Castellia 1.", "You look at Bo's counter in Castellia: +2."]
    assert counters(match, BO, ANN) == (None, None, 2, None, None, None)
    assert bonuses(match, ANN) == (None, None, 1 + 2, None, None, None)
    assert match.view(ANN).question.words == "Which two of your counters do you switch?"
    assert counters(match, ANN, ANN) == COUNTERS
    assert influences(match) == {}


@pytest.mark.clause("KC-10")
def test_a_look_cannot_be_taken_back() -> None:
    match = position(ann="Castellia 1")
    play(match, "play Castellia 1")
    assert not match.can_undo(ANN)


@pytest.mark.clause("KC-10")
@pytest.mark.parametrize("pair", PAIRS)
def test_any_two_different_houses_may_be_switched(pair: str) -> None:
    match = position(ann="Castellia 1", counters=BOTH)
    play(match, "play Castellia 1")
    assert sorted(menu(match)) == sorted(PAIRS)
    play(match, pair)
    one, two = (HOUSES.index(house) for house in pair.removeprefix("switch ").split(" and "))
    expected = list(COUNTERS)
    expected[one], expected[two] = COUNTERS[two], COUNTERS[one]
    assert counters(match, ANN, ANN) == tuple(expected)
    assert counters(match, BO, BO) == REVERSED
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-10")
def test_the_switch_is_mandatory_and_of_two_houses() -> None:
    match = position(ann="Castellia 1, Artois 2")
    play(match, "play Castellia 1")
    for move in ("stop", "move nothing", "give Artois 2"):
        assert match.why_not(ANN, move).clause == "KC-10"
    with pytest.raises(IllegalMove, match="no move of King's Court is written"):
        match.play(ANN, "switch Artois and Artois")
    assert match.to_act == {ANN}
    assert match.view(ANN).question.key == "switch"


@pytest.mark.clause("KC-10")
def test_only_the_player_of_a_1_learns_what_was_seen() -> None:
    one, two = (position(ann="Castellia 1", counters=(COUNTERS, second)) for second in (REVERSED, (5, 3, -2, 1, 0, 2)))
    for match in (one, two):
        play(match, "play Castellia 1")
    assert all_shown(one, ANN) != all_shown(two, ANN)
    assert all_shown(one, ONLOOKER) == all_shown(two, ONLOOKER)
    assert one.log()[-1] == "Ann looks at Bo's counter in Castellia."
    for match in (one, two):
        play(match, PAIRS[0])
    assert all_shown(one, ONLOOKER) == all_shown(two, ONLOOKER)


@pytest.mark.clause("KC-10")
def test_the_opponent_learns_that_counters_were_switched_but_not_where() -> None:
    one, two = (position(ann="Castellia 1, Artois 2", counters=BOTH) for _ in range(2))
    play(one, "play Castellia 1", "switch Artois and Castellia", "give Artois 2", "play Artois 2")
    play(two, "play Castellia 1", "switch De Bourgogne and Febrois", "give Artois 2", "play Artois 2")
    for viewer in (BO, ONLOOKER):
        assert "Ann switches two counters." in one.log(viewer)
        assert all_shown(one, viewer) == all_shown(two, viewer)
    assert "You switch the counters in Artois and Castellia." in one.log(ANN)


@pytest.mark.clause("KC-10")
def test_any_switch_by_the_owner_makes_every_earlier_look_possibly_out_of_date() -> None:
    ann, bo = "Castellia 1, Artois 1, Ellicta 2, Ellicta 4", "Febrois 1, Febrois 2, Febrois 4"
    match = position(0, ann, bo, counters=BOTH)
    play(match, "play Castellia 1", PAIRS[0], "give Ellicta 2", "play Febrois 2", "give Febrois 4")
    play(match, "play Artois 1", PAIRS[0], "give Ellicta 4")
    looked_at = {0: 5, 2: 2}
    for house, counter in looked_at.items():
        shown = piece(match, ANN, f"counter.1.{house}")
        assert (number(shown), "outdated" in shown.state) == (counter, False)

    play(match, "play Febrois 1", "switch De Bourgogne and Ellicta")
    for house, counter in looked_at.items():
        shown = piece(match, ANN, f"counter.1.{house}")
        assert (number(shown), "outdated" in shown.state) == (counter, True)
    assert counters(match, BO, ANN) == (5, None, 2, None, None, None)
    assert bonuses(match, ANN) == (None,) * 6


@pytest.mark.clause("KC-10")
def test_a_switch_does_not_outdate_what_its_player_has_seen() -> None:
    ann, bo = "Castellia 1, Ellicta 2, Ellicta 4", "Febrois 1, Bellerophon 1, Febrois 2"
    match = position(0, ann, bo, counters=BOTH)
    play(match, "play Castellia 1", PAIRS[0], "give Ellicta 2", "play Febrois 1", PAIRS[0], "give Febrois 2")
    assert "outdated" not in piece(match, BO, "counter.0.5").state
    play(match, "play Ellicta 4", f"give {hand(match, ANN, ANN)[0]}", "play Bellerophon 1", PAIRS[1])
    assert "outdated" not in piece(match, BO, "counter.0.5").state
    assert counters(match, ANN, BO) == (None, -2, None, None, None, 5)
    assert "outdated" in piece(match, ANN, "counter.1.2").state


@pytest.mark.clause("KC-10")
def test_a_look_after_a_switch_is_up_to_date() -> None:
    match = position(21, bo="Artois 1, Febrois 2", ann="Castellia 1", counters=BOTH)
    play(match, "play Artois 1", "switch Castellia and Febrois", "give Febrois 2", "play Castellia 1")
    shown = piece(match, ANN, "counter.1.2")
    assert (number(shown), "outdated" in shown.state) == (-2, False)


@pytest.mark.clause("KC-10")
def test_a_look_out_of_date_stays_on_record_and_a_redeal_need_not_honour_it() -> None:
    match = position(30, "Castellia 1, Artois 2, Artois 4, Artois 6", "Febrois 1, Febrois 2", counters=BOTH)
    play(match, "play Castellia 1", PAIRS[0], "give Artois 2")

    def imagined() -> set[int]:
        return {redealt(match, ANN, seed).counter[BO][2] for seed in range(60)}

    assert imagined() == {COUNTERS.index(2)}
    play(match, "play Febrois 1", "switch Artois and Febrois")
    assert imagined() == set(range(6))
    for seed in range(20):
        assert sorted(redealt(match, ANN, seed).counter[BO]) == list(range(6))
        assert redealt(match, ANN, seed).seen[ANN][2] == COUNTERS.index(2)
    play(match, "give Febrois 2", "play Artois 4", "give Artois 6")
    shown = piece(match, ANN, "counter.1.2")
    assert (number(shown), "outdated" in shown.state) == (2, True)
    play(match, "play Artois 6")
    assert counters(match, BO, ANN) == (-2, 3, 2, 1, 0, 5)


@pytest.mark.clause("KC-11")
def test_a_3_puts_1_influence_and_binds_the_opponents_next_gift_to_its_house() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 5, Artois 8, Castellia 8", influence={"Artois": (2, 3)})
    play(match, "play Artois 3")
    assert influences(match) == {"Artois": (3, 3)}
    assert binding(match) == {"Artois": {"bound.1"}}
    line = "Ann plays Artois 3: 1 Influence in Artois; your next gift must be of Artois, if possible."
    assert match.log(BO)[-1] == line
    play(match, "give Castellia 2", "play Castellia 8")
    assert match.view(BO).question.help == "It must be of Artois."
    assert menu(match) == ["give Artois 5", "give Artois 8"]
    other = next(card for card in hand(match, BO, BO) if not card.startswith("Artois") and card != "Castellia 2")
    assert match.why_not(BO, f"give {other}").clause == "KC-11"


@pytest.mark.clause("KC-11")
@pytest.mark.parametrize("gift", ["Artois 5", "Artois 8"])
def test_the_opponent_chooses_which_card_of_the_house(gift: str) -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 5, Artois 8, Castellia 8")
    play(match, "play Artois 3", "give Castellia 2", "play Castellia 8")
    assert match.to_act == {BO}
    play(match, f"give {gift}")
    assert gift in hand(match, ANN, ANN)


@pytest.mark.clause("KC-6", "KC-11")
def test_who_has_only_the_banned_card_of_the_house_reads_that_none_of_it_can_be_given() -> None:
    match = position(ann="Artois 3, Artois 6", bo="Castellia 8, Castellia 2")
    play(match, "play Artois 3", "give Artois 6", "play Castellia 8")
    assert "Artois 6" in hand(match, BO, BO) and "give Artois 6" not in menu(match)
    assert match.view(BO).question.help == "You can give no card of Artois, so any other will do."


@pytest.mark.clause("KC-11")
def test_a_3_binds_the_regular_gift_and_adds_none() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 6, Castellia 8")
    play(match, "play Artois 3")
    assert sizes(match) == (8, 7, 12)
    assert match.to_act == {ANN}
    assert menu(match)[0].startswith("give ")
    play(match, "give Castellia 2")
    assert sizes(match) == (7, 9, 11)
    play(match, "play Castellia 8", "give Artois 6")
    assert match.to_act == {ANN}
    assert sizes(match) == (9, 7, 10)


@pytest.mark.clause("KC-11")
def test_a_binding_ends_with_the_gift_that_it_bound() -> None:
    match = position(ann="Artois 3, Castellia 2, Castellia 4", bo="Artois 6, Artois 8, Castellia 8", gift="Castellia 4")
    play(match, "play Artois 3", "give Castellia 2", "play Castellia 8", "give Artois 6")
    assert binding(match) == {}
    play(match, "play Artois 6", "give Castellia 4", "play Castellia 2")
    assert set(menu(match)) == {f"give {card}" for card in hand(match, BO, BO)} - {"give Castellia 4"}


@pytest.mark.clause("KC-11", "KC-6")
def test_a_card_received_by_a_bound_gift_is_banned_like_any_other() -> None:
    match = position(ann="Artois 3, Castellia 2, Castellia 4", bo="Artois 6, Castellia 8")
    play(match, "play Artois 3", "give Castellia 2", "play Castellia 8", "give Artois 6", "play Castellia 4")
    assert match.why_not(ANN, "give Artois 6").clause == "KC-6"
    assert set(menu(match)) == {f"give {card}" for card in hand(match, ANN, ANN)} - {"give Artois 6"}


@pytest.mark.clause("KC-11")
def test_the_play_of_a_bound_player_is_free() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 6, Castellia 8")
    play(match, "play Artois 3", "give Castellia 2")
    assert menu(match) == [f"play {card}" for card in hand(match, BO, BO)]
    assert len(menu(match)) == 9


@pytest.mark.clause("KC-11")
def test_a_card_that_was_played_cannot_be_the_bound_gift() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 6, Castellia 8")
    play(match, "play Artois 3", "give Castellia 2", "play Artois 6")
    assert set(menu(match)) == {f"give {card}" for card in hand(match, BO, BO)} - {"give Castellia 2"}
    assert len(menu(match)) == 7


@pytest.mark.clause("KC-11")
def test_the_card_just_drawn_can_be_the_bound_gift() -> None:
    match = position(30, ann="Artois 3, Castellia 2", bo="Castellia 8", deck="Artois 6, Artois 7")
    assert not any(card.startswith("Artois") for card in hand(match, BO, BO))
    play(match, "play Artois 3", "give Castellia 2", "play Castellia 8")
    assert drawn(match, BO) in ("Artois 6", "Artois 7")
    assert menu(match) == [f"give {drawn(match, BO)}"]


@pytest.mark.clause("KC-11", "KC-6")
def test_a_banned_card_does_not_count_as_possible() -> None:
    match = position(ann="Artois 3, Artois 7", bo="Castellia 8")
    play(match, "play Artois 3", "give Artois 7", "play Castellia 8")
    assert match.why_not(BO, "give Artois 7").clause == "KC-6"
    assert set(menu(match)) == {f"give {card}" for card in hand(match, BO, BO)} - {"give Artois 7"}
    assert len(menu(match)) == 7


@pytest.mark.clause("KC-11", "KC-6")
def test_a_bound_gift_cannot_be_the_banned_card() -> None:
    match = position(ann="Artois 3, Artois 7", bo="Castellia 8, Artois 2")
    play(match, "play Artois 3", "give Artois 7", "play Castellia 8")
    assert menu(match) == ["give Artois 2"]
    assert match.why_not(BO, "give Artois 7").clause == "KC-6"


@pytest.mark.clause("KC-11", "KC-6")
def test_without_a_card_of_the_house_any_card_but_the_banned_one_may_be_given() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Castellia 8")
    play(match, "play Artois 3", "give Castellia 2", "play Castellia 8")
    assert set(menu(match)) == {f"give {card}" for card in hand(match, BO, BO)} - {"give Castellia 2"}
    play(match, menu(match)[0])
    assert binding(match) == {}


@pytest.mark.clause("KC-11")
def test_both_players_may_be_bound_at_the_same_time() -> None:
    ann, bo = "Artois 3, Febrois 2, Febrois 4, Castellia 6", "Castellia 3, Artois 2, Artois 4"
    match = position(ann=ann, bo=bo, gift="Febrois 4")
    play(match, "play Artois 3", "give Febrois 2", "play Castellia 3")
    both = {"Artois": {"bound.1"}, "Castellia": {"bound.0"}}
    assert [binding(match, viewer) for viewer in VIEWERS] == [both] * 3
    assert influences(match) == {"Artois": (1, 0), "Castellia": (0, 1)}
    assert menu(match) == ["give Artois 2", "give Artois 4"]
    play(match, "give Artois 4")
    assert binding(match) == {"Castellia": {"bound.0"}}
    play(match, "play Artois 4")
    assert menu(match) == ["give Castellia 6"]
    play(match, "give Castellia 6")
    assert binding(match) == {}


@pytest.mark.clause("KC-11")
def test_a_player_may_bind_the_opponent_again() -> None:
    ann, bo = "Artois 3, Castellia 3, Febrois 4, Febrois 2", "Febrois 6, Artois 8, Castellia 8"
    match = position(ann=ann, bo=bo, gift="Febrois 2")
    play(match, "play Artois 3", "give Febrois 4", "play Febrois 6", "give Artois 8", "play Castellia 3")
    assert binding(match) == {"Castellia": {"bound.1"}}
    play(match, "give Febrois 2", "play Febrois 2")
    assert menu(match) == ["give Castellia 8"]


@pytest.mark.clause("KC-11", "KC-7")
def test_on_the_first_players_last_turn_a_3_only_puts_influence() -> None:
    match = position(LAST_TURN, ann="Artois 3, Febrois 2", bo="Artois 2, Artois 4", gift="Febrois 2")
    play(match, "play Artois 3")
    assert influences(match) == {"Artois": (1, 0)}
    assert binding(match) == {}
    assert match.log(BO)[-1] == "Ann plays Artois 3: 1 Influence in Artois."
    play(match, menu(match)[0], "play Artois 2")
    assert match.outcome


@pytest.mark.clause("KC-11", "KC-7")
def test_as_the_closing_play_a_3_only_puts_influence() -> None:
    match = position(CLOSING_PLAY, ann="Artois 2, Artois 4", bo="Artois 3")
    play(match, "play Artois 3")
    assert influences(match) == {"Artois": (0, 1)}
    assert binding(match) == {}
    assert "Bo plays Artois 3: 1 Influence in Artois." in match.log(ANN)
    assert match.outcome
    assert sizes(match) == (7, 7, 0)


@pytest.mark.clause("KC-11", "KC-7")
def test_a_3_binds_the_gift_of_the_first_players_last_turn() -> None:
    match = position(LAST_TURN - 1, bo="Artois 3, Febrois 2", ann="Artois 8, Artois 6, Febrois 4", deck="Febrois 8")
    play(match, "play Artois 3", "give Febrois 2", "play Febrois 4")
    assert menu(match) == ["give Artois 6", "give Artois 8"]


MOVES = {"Artois": (2, 1), "Castellia": (1, 1), "Febrois": (0, 2)}


@pytest.mark.clause("KC-12")
def test_a_5_moves_up_to_3_influence_of_both_players_out_of_one_other_house() -> None:
    match = position(ann="Castellia 5", influence=MOVES)
    play(match, "play Castellia 5")
    question = match.view(ANN).question
    assert question.words == "From which house do you move Influence?"
    assert question.help == "Up to 3, of either player, into Castellia."
    assert menu(match) == ["move nothing", "move from Artois", "move from Febrois"]
    play(match, "move from Artois")
    assert menu(match) == ["move own", "move theirs"]
    play(match, "move own")
    assert influences(match) == MOVES | {"Artois": (1, 1), "Castellia": (2, 1)}
    assert menu(match) == ["move own", "move theirs", "stop"]
    play(match, "move theirs")
    assert influences(match) == MOVES | {"Artois": (1, 0), "Castellia": (2, 2)}
    assert menu(match) == ["move own", "stop"]
    play(match, "move own")
    assert influences(match) == {"Castellia": (3, 2), "Febrois": (0, 2)}
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-13")
def test_a_7_moves_up_to_4_influence_of_both_players_into_one_other_house() -> None:
    match = position(ann="Castellia 7", influence={"Artois": (1, 0), "Castellia": (3, 2)})
    play(match, "play Castellia 7")
    question = match.view(ANN).question
    assert question.words == "To which house do you move Influence?"
    assert question.help == "Up to 4, of either player, out of Castellia."
    assert menu(match) == ["move nothing", *(f"move to {house}" for house in HOUSES if house != "Castellia")]
    play(match, "move to Febrois")
    for unit in ("move theirs", "move own", "move own"):
        play(match, unit)
        assert "stop" in menu(match)
    assert influences(match) == {"Artois": (1, 0), "Castellia": (1, 1), "Febrois": (2, 1)}
    play(match, "move theirs")
    assert influences(match) == {"Artois": (1, 0), "Castellia": (1, 0), "Febrois": (2, 2)}
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-12", "KC-13")
@pytest.mark.parametrize(
    ("card", "other", "limit"), [("Artois 5", "move from Ellicta", 3), ("Ellicta 7", "move to Artois", 4)]
)
@pytest.mark.parametrize("unit", ["move own", "move theirs"])
def test_units_of_one_player_alone_reach_the_limit(card: str, other: str, limit: int, unit: str) -> None:
    match = position(21, bo=card, influence={"Ellicta": (9, 9)})
    play(match, f"play {card}", other, *[unit] * limit)
    assert match.view(BO).phase.key == "give"
    moved = (0, limit) if unit == "move own" else (limit, 0)
    assert influences(match) == {"Artois": moved, "Ellicta": (9 - moved[0], 9 - moved[1])}
    assert match.log(ANN)[-1].startswith("Bo moves one")


@pytest.mark.clause("KC-12", "KC-13")
@pytest.mark.parametrize(("card", "other"), [("Artois 5", "move from Ellicta"), ("Ellicta 7", "move to Artois")])
@pytest.mark.parametrize("units", [1, 2])
def test_a_player_may_stop_early_but_only_after_the_first_unit(card: str, other: str, units: int) -> None:
    match = position(ann=card, influence={"Ellicta": (5, 0)})
    play(match, f"play {card}", other)
    assert match.why_not(ANN, "stop") is not None
    play(match, *["move own"] * units, "stop")
    assert influences(match) == {"Artois": (units, 0), "Ellicta": (5 - units, 0)}
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-12", "KC-13", "KC-14")
@pytest.mark.parametrize(("card", "other"), [("Artois 5", "move from Ellicta"), ("Ellicta 7", "move to Artois")])
def test_a_move_ends_when_the_house_is_empty(card: str, other: str) -> None:
    match = position(ann=card, influence={"Ellicta": (1, 1)})
    play(match, f"play {card}", other, "move theirs")
    assert menu(match) == ["move own", "stop"]
    play(match, "move own")
    assert influences(match) == {"Artois": (1, 1)}
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-12", "KC-13")
def test_each_card_moves_up_to_its_own_limit() -> None:
    influence = {"Artois": (9, 0), "Febrois": (0, 9)}
    match = position(ann="Castellia 5, Ellicta 2", bo="Febrois 7", influence=influence)
    play(match, "play Castellia 5", "move from Artois", *["move own"] * 3, "give Ellicta 2")
    play(match, "play Febrois 7", "move to Ellicta")
    assert "stop" not in menu(match)
    play(match, *["move own"] * 4)
    assert influences(match) == {"Artois": (6, 0), "Castellia": (3, 0), "Ellicta": (0, 4), "Febrois": (0, 5)}
    assert match.view(BO).phase.key == "give"


@pytest.mark.clause("KC-12", "KC-13")
@pytest.mark.parametrize("card", ["Artois 5", "Ellicta 7"])
def test_moving_nothing_is_one_choice_that_names_no_house(card: str) -> None:
    match = position(ann=card, influence={"Ellicta": (2, 2), "Artois": (1, 0), "Febrois": (3, 0)})
    play(match, f"play {card}")
    assert sum("nothing" in move for move in menu(match)) == 1
    play(match, "move nothing")
    assert influences(match) == {"Ellicta": (2, 2), "Artois": (1, 0), "Febrois": (3, 0)}
    assert match.log(ANN)[-1] == "You move nothing."
    assert match.view(ANN).phase.key == "give"


@pytest.mark.clause("KC-12", "KC-14")
def test_a_5_takes_only_from_another_house_that_has_influence() -> None:
    match = position(ann="Artois 5", influence={"Artois": (4, 4), "Ellicta": (0, 1)})
    play(match, "play Artois 5")
    assert menu(match) == ["move nothing", "move from Ellicta"]
    assert match.why_not(ANN, "move from Artois").clause == "KC-12"
    assert match.why_not(ANN, "move to Ellicta").clause == "KC-12"
    assert match.why_not(ANN, "move from Febrois").clause == "KC-14"


@pytest.mark.clause("KC-13")
def test_a_7_moves_influence_only_from_its_own_house_into_another() -> None:
    match = position(ann="Artois 7", influence={"Artois": (1, 0), "Ellicta": (3, 1)})
    play(match, "play Artois 7")
    assert match.why_not(ANN, "move to Artois").clause == "KC-13"
    assert match.why_not(ANN, "move from Ellicta").clause == "KC-13"
    play(match, "move to Febrois")
    assert match.why_not(ANN, "move to Ellicta").clause == "KC-13"


@pytest.mark.clause("KC-12", "KC-13")
def test_no_choice_leads_into_a_dead_end() -> None:
    influence = {"Artois": (1, 0), "Bellerophon": (0, 1), "Castellia": (2, 2), "Ellicta": (0, 4)}
    for house, rank in itertools.product(HOUSES, (5, 7)):
        choices = [[f"play {house} {rank}"]]
        while choices:
            moves = choices.pop()
            match = position(ann=f"{house} {rank}", influence=influence)
            play(match, *moves)
            assert menu(match), moves
            if match.view(ANN).phase.key == "move":
                choices += [[*moves, move] for move in menu(match)]
            else:
                totals = [sum(both[seat] for both in influences(match).values()) for seat in (ANN, BO)]
                assert totals == [3, 7], moves


@pytest.mark.clause("KC-14")
@pytest.mark.parametrize(
    ("card", "influence"),
    [
        ("Artois 5", {}),
        ("Artois 5", {"Artois": (3, 2)}),
        ("Artois 7", {}),
        ("Artois 7", {"Ellicta": (3, 2), "Febrois": (0, 4)}),
    ],
)
def test_an_effect_with_nothing_to_move_is_legal(card: str, influence: dict[str, tuple[int, int]]) -> None:
    match = position(ann=card, influence=influence)
    assert f"play {card}" in menu(match)
    play(match, f"play {card}")
    assert match.view(ANN).phase.key == "give"
    assert influences(match) == influence
    assert [match.log(viewer)[-1] for viewer in VIEWERS] == ["There is no Influence to move."] * 3


@pytest.mark.clause("KC-14")
@pytest.mark.parametrize(("own", "theirs", "missing"), [(0, 2, "move own"), (2, 0, "move theirs")])
@pytest.mark.parametrize(("card", "other"), [("Artois 5", "move from Ellicta"), ("Ellicta 7", "move to Artois")])
def test_missing_influence_cannot_be_moved(card: str, other: str, own: int, theirs: int, missing: str) -> None:
    match = position(ann=card, influence={"Ellicta": (own, theirs), "Artois": (3, 3)})
    play(match, f"play {card}", other)
    assert missing not in menu(match)
    assert match.why_not(ANN, missing).clause == "KC-14"
    with pytest.raises(IllegalMove, match="no Influence in Ellicta"):
        match.play(ANN, missing)
    assert influences(match) == {"Ellicta": (own, theirs), "Artois": (3, 3)}


@pytest.mark.clause("KC-12", "KC-8")
def test_every_viewer_learns_whose_influence_moved() -> None:
    match = position(ann="Castellia 5", influence=MOVES)
    play(match, "play Castellia 5", "move from Artois", "move theirs")
    assert match.log(BO)[-1] == "Ann moves one unit of your Influence from Artois to Castellia."
    assert match.log()[-1] == "Ann moves one unit of Bo's Influence from Artois to Castellia."
    assert [influences(match, viewer) for viewer in VIEWERS] == [MOVES | {"Artois": (2, 0), "Castellia": (1, 2)}] * 3
    assert size(match, "played") == 21
