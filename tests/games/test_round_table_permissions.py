"""Round Table: every row of the base set that lifts or changes a rule, one by one. RT-32."""

import pytest

from games.round_table_positions import (
    ANN,
    BO,
    LANDS,
    PLAIN,
    Side,
    changed,
    count,
    doing,
    left,
    menu,
    names,
    pass_season,
    play,
    position,
    rp,
    season_of,
    strength,
    why,
    with_empty_decks,
    zone,
)
from quintain.engine.play.match import Match
from quintain.games.round_table import state as st


def spring(*sides: Side) -> Match:
    return position(*sides)


def summer(*sides: Side) -> Match:
    return position(*sides, season=st.SUMMER)


@pytest.mark.clause("RT-8", "RT-32")
@pytest.mark.parametrize(("side", "capacity"), [(Side("", ["Agricol"]), 77), (Side("", ["Kay + Seneschal"]), 78)])
def test_a_card_may_make_the_capacity_greater(side: Side, capacity: int) -> None:
    assert rp(spring(side, Side()), ANN)[1] == capacity and rp(spring(Side(), Side()), ANN)[1] == 75


@pytest.mark.clause("RT-8", "RT-32")
def test_an_unpaired_title_works_for_its_owner_and_unpaired_equipment_rests() -> None:
    assert rp(spring(Side("", [], "Seneschal"), Side()), ANN)[1] == 78
    match = spring(Side("", ["Kay @ Camelot"], "Shield of the Sun"), Side())
    assert strength(match, ANN, "Kay") == (3, 2)


@pytest.mark.clause("RT-10", "RT-32")
def test_the_waste_land_takes_capacity_from_opponents_while_it_runs() -> None:
    match = summer(Side("The Waste Land", ["Kay"]), Side())
    play(match, "play The Waste Land", "on Kay")
    assert rp(match, BO) == (0, 73) and rp(match, ANN)[1] == 75
    pass_season(match)
    assert rp(match, BO) == (0, 75)


@pytest.mark.clause("RT-12", "RT-32")
def test_castellan_allows_another_demesne_each_spring() -> None:
    match = spring(Side("Farm, Farm, Farm", ["Kay + Castellan"]), Side())
    play(match, "play Farm", "play Farm")
    assert why(match, ANN, "play Farm") == "RT-12"


@pytest.mark.clause("RT-10", "RT-32")
def test_cards_may_make_cards_cost_less_but_never_below_nothing() -> None:
    match = summer(Side("The Perilous Bridge, Bone-Snapper", ["Palamedes", "Kay"]), Side())
    play(match, "play The Perilous Bridge", "on Kay")
    assert rp(match, ANN)[0] == 8
    assert rp(spring(Side("", ["Kay + Favourite"]), Side()), ANN)[0] == 3
    lake = summer(Side("The Lady of the Lake", ["Kay + Good Sword + Destrier"]), Side())
    play(lake, "play The Lady of the Lake", "on Kay")
    assert rp(lake, ANN)[0] == 3 + 0 + 2 + 3


@pytest.mark.clause("RT-13", "RT-32")
@pytest.mark.parametrize(
    ("bearer", "card"),
    [
        ("Lamorak + Good Sword", "Fine Lance"),
        ("Kay + Shield of the Lake", "Buckler"),
        ("Kay + Master of Horse + Rouncy", "Palfrey"),
    ],
)
def test_a_row_may_allow_one_more_piece_of_a_kind_and_no_second(bearer: str, card: str) -> None:
    match = spring(Side(f"{card}, {card}", [bearer]), Side())
    name = bearer.split(" +", maxsplit=1)[0]
    play(match, f"play {card}", f"on {name}", f"play {card}")
    assert menu(match) == ["leave it unpaired"]


@pytest.mark.clause("RT-14", "RT-32")
def test_mark_may_have_several_titles_of_a_name() -> None:
    match = spring(Side("Baron", ["Mark + Baron", "Kay + Baron"]), Side())
    play(match, "play Baron")
    assert sorted(menu(match)) == ["leave it unpaired", "on Mark"]
    play(match, "on Mark")
    assert strength(match, ANN, "Mark")[0] == 7


@pytest.mark.clause("RT-16", "RT-32")
@pytest.mark.parametrize("words", ["Pellinore @ Elmet", "Kay + Moon Mare @ Elmet"])
def test_a_committed_knight_may_be_sent_elsewhere(words: str) -> None:
    match = summer(Side("", [words]), Side())
    name = words.split(" ", maxsplit=1)[0]
    play(match, f"send {name}")
    assert menu(match) == ["attack Camelot", "attack Tintagel"]
    play(match, "attack Camelot")
    assert doing(match, ANN, name) == ("attacks Camelot",)
    assert menu(match) == ["pass"] and why(match, ANN, f"send {name}") == "RT-16", "once a Summer"
    play(match, "pass", "pass")
    assert menu(match) == ["pass"]


@pytest.mark.clause("RT-16", "RT-33")
@pytest.mark.parametrize(
    ("words", "draws", "discards"), [("Tristan + Moon Mare", 2, 0), ("Agravain + Moon Mare", 0, 2), ("Tristan", 1, 0)]
)
def test_a_knight_that_is_sent_from_region_to_region_attacks_anew_once_a_summer(
    words: str, draws: int, discards: int
) -> None:
    match = summer(Side("", [words]), Side("Farm, Farm, Farm"))
    name, hands = words.split(" ", maxsplit=1)[0], [zone(match, f"hand.{seat}").size for seat in (ANN, BO)]
    for region in ("Elmet", "Camelot", "Elmet", "Camelot"):
        while menu(match)[0].startswith(("draw", "discard")):
            play(match, menu(match)[0])
        if f"send {name}" in menu(match):
            play(match, f"send {name}", f"attack {region}")
    while menu(match)[0].startswith(("draw", "discard")):
        play(match, menu(match)[0])
    assert [zone(match, f"hand.{seat}").size - hands[seat] for seat in (ANN, BO)] == [draws, -discards]


@pytest.mark.clause("RT-16", "RT-33")
def test_a_knight_may_be_sent_from_region_to_region_again_next_summer() -> None:
    match = summer(Side("", ["Pellinore @ Camelot"]), Side())
    play(match, "send Pellinore", "attack Tintagel")
    pass_season(match)
    while season_of(match) != st.SUMMER or match.to_act != {ANN}:
        seat = min(match.to_act)
        match.play(seat, menu(match, seat)[0])
    play(match, "send Pellinore", "attack Elmet")
    assert "send Pellinore" in menu(match)


@pytest.mark.clause("RT-16", "RT-32")
def test_jack_of_leaves_is_played_in_summer_too() -> None:
    match = summer(Side("Jack of Leaves, Padded Jack", ["Kay"]), Side())
    assert "play Jack of Leaves" in menu(match) and "play Padded Jack" not in menu(match)


@pytest.mark.clause("RT-18", "RT-32")
def test_gawain_cannot_be_sent_on_a_quest_by_an_opponent() -> None:
    match = summer(Side("The Fair Unknown, The White Hart", ["Kay"]), Side("The Perilous Bridge", ["Gawain"]))
    play(match, "play The Fair Unknown")
    assert menu(match) == ["on Kay"] and why(match, ANN, "on Gawain of Bo") == "RT-33"
    play(match, "on Kay", "pass", "play The Perilous Bridge")
    assert "on Gawain" in menu(match), "its own player may"


@pytest.mark.clause("RT-19", "RT-32")
def test_bors_cannot_be_redirected_by_an_opponent() -> None:
    match = summer(Side("Change of Heart"), Side("Summons", ["Bors @ Elmet"]))
    assert why(match, ANN, "play Change of Heart") == "RT-19"
    play(match, "pass", "play Summons")
    assert menu(match) == ["on Bors"]


@pytest.mark.clause("RT-19", "RT-32")
@pytest.mark.parametrize("words", ["Caradoc @ Camelot", "Balin + Hauberk of Dew @ Camelot"])
def test_some_knights_cannot_be_engaged_or_returned_by_opponents(words: str) -> None:
    match = summer(Side("Ambush, Banishment, The Giant of the Mount", ["Rience"]), Side("", [words, "Uther"]))
    assert why(match, ANN, "play Ambush") == why(match, ANN, "play Banishment") == "RT-19"
    mounted = words.replace(" @", " + Rouncy @")
    match = summer(Side("", ["Rience"]), Side("", [mounted, "Kay + Palfrey @ Camelot"]))
    play(match, "send Rience", "attack Camelot")
    name = words.split(" ", maxsplit=1)[0]
    assert doing(match, BO, name) == ("attacks Camelot",) and doing(match, BO, "Kay") == ("engaged",)


@pytest.mark.clause("RT-20", "RT-32")
def test_nimue_lets_a_name_be_played_again() -> None:
    match = summer(Side("The Fair Unknown, The Fair Unknown", ["Nimue", "Kay"]), Side("The Fair Unknown", ["Balin"]))
    play(match, "play The Fair Unknown", "on Nimue", "play The Fair Unknown", "on Kay", "pass")
    assert why(match, BO, "play The Fair Unknown") == "RT-20"


@pytest.mark.clause("RT-22", "RT-32")
@pytest.mark.parametrize(
    ("words", "lead", "captured"),
    [("Ywain + Rouncy", 1, True), ("Knight Vassal + Courser", 1, False), ("Ywain", 0, False)],
)
def test_ywain_needs_two_less_lead_but_always_one(words: str, lead: int, captured: bool) -> None:
    ann = Side("", [f"{words} @ Hill", "Strong Ten @ Hill"])
    bo = Side("", ["Strong Ten @ Hill", "Knight Chevalier @ Hill"])
    match = position(ann, bo, season=st.SUMMER, cards=PLAIN, regions=LANDS)
    remains = left(match, "Hill")
    assert remains[ANN] - remains[BO] == lead
    pass_season(match)
    assert ("Hill" in names(match, "captured.0")) == captured


@pytest.mark.clause("RT-22", "RT-32")
@pytest.mark.parametrize(("words", "captured"), [("Kay + Fine Lance", False), ("Kay + Lance of Mists", True)])
def test_lance_of_mists_lowers_the_resistance_of_the_region(words: str, captured: bool) -> None:
    lands = ("Caledon", "Elmet", "Badon", "Camelot", "Tintagel")
    match = position(Side("", [f"{words} @ Caledon"]), Side(), season=st.SUMMER, regions=lands)
    assert left(match, "Caledon") == {ANN: 5}
    pass_season(match)
    assert ("Caledon" in names(match, "captured.0")) == captured


@pytest.mark.clause("RT-27", "RT-32")
def test_lucan_stays_in_a_region_that_was_not_captured() -> None:
    match = summer(Side("", ["Lucan @ Camelot", "Kay @ Camelot"]), Side())
    pass_season(match)
    assert doing(match, ANN, "Lucan") == ("attacks Camelot",) and doing(match, ANN, "Kay") == ()
    taken = summer(Side("", ["Lucan @ Elmet", "Kay @ Elmet"]), Side())
    pass_season(taken)
    assert doing(taken, ANN, "Lucan") == ()


@pytest.mark.clause("RT-30", "RT-32")
@pytest.mark.parametrize(
    ("ann", "bo", "discards"), [(["Kay"], [], 0), ([], [], 2), ([], ["Uther"], 3), (["Kay"], ["Uther"], 1)]
)
def test_the_limit_of_the_hand_may_be_greater_or_less(ann: list[str], bo: list[str], discards: int) -> None:
    match = spring(Side(", ".join(["Farm"] * 12), ann), Side("", bo))
    play(match, "pass", "pass")
    assert count(match, "discards", ANN) == discards


@pytest.mark.clause("RT-31", "RT-33")
def test_renown_of_a_row_counts_when_the_game_has_ended_and_not_before() -> None:
    sides = Side("", ["Kay + Heir"]), Side()
    match = changed(position(*sides, season=st.WINTER), f"captor[3] = {ANN}", f"captor[4] = {BO}")
    match = with_empty_decks(with_empty_decks(match, BO), ANN, 1)
    assert zone(match, "captured.0").words == "Ann's Regions, Renown 3"
    first, second = match.view(BO).scores
    assert (first.number, first.rank, second.number, second.rank) == (4, 1, 3, 2) and first.certain
    assert [(part.key, part.number) for part in first.parts] == [("logres", 3), ("cards", 1)]
    play(match, "draw from the Main deck")
    assert match.outcome is not None and match.outcome.scores == (4, 3)


@pytest.mark.clause("RT-25", "RT-33")
def test_titles_make_knights_members_of_the_round_table_and_the_grail() -> None:
    match = summer(Side("", ["Balin + Grail Seeker @ Camelot", "Bors @ Camelot"]), Side())
    assert strength(match, ANN, "Bors") == (4, 5)
    assert strength(match, ANN, "Balin") == (6, 2)


@pytest.mark.clause("RT-33")
def test_a_region_that_a_player_has_looked_at_is_known_to_that_player_alone() -> None:
    match = position(Side("Morgan le Fay"), Side())
    play(match, "play Morgan le Fay")
    assert names(match, "to_come", ANN) == ["Logres", "Orkney", "a Region face down"]
    for viewer in (BO, None):
        (hidden,) = zone(match, "to_come", viewer).pieces
        assert hidden.is_down and hidden.known_to == (ANN,)


@pytest.mark.clause("RT-33")
def test_recruited_works_once_a_game_for_a_card() -> None:
    match = position(Side("Bedivere"), Side())
    play(match, "play Bedivere", "draw from the Main deck", "pass", "pass", "pass", "pass", "take back Bedivere")
    while season_of(match) != st.SPRING or match.to_act != {ANN}:
        seat = min(match.to_act)
        match.play(seat, menu(match, seat)[0])
    play(match, "play Bedivere")
    assert not menu(match)[0].startswith("draw")


@pytest.mark.clause("RT-33")
def test_owed_draws_and_discards_come_before_the_turn_goes_on_clockwise_from_the_active_player() -> None:
    match = summer(Side("", ["Agravain"]), Side("Farm, Kay"), Side("Farm"), Side())
    play(match, "send Agravain", "attack Elmet")
    assert match.to_act == {BO} and sorted(menu(match)) == ["discard Farm", "discard Kay"]
    play(match, "discard Farm")
    assert match.to_act == {2}
    play(match, "discard Farm")
    assert match.to_act == {ANN} and "pass" in menu(match), "the last has nothing to discard"
