"""Round Table: the set-up, Spring, Winter and the end, clause by clause."""

import random
from collections import Counter

import pytest

from games.round_table_positions import (
    ANN,
    BO,
    NAMES,
    REGIONS,
    STEPS,
    Side,
    changed,
    count,
    line_of,
    menu,
    names,
    on_it,
    pass_season,
    piece,
    play,
    position,
    rp,
    season_of,
    slot_of,
    why,
    with_empty_decks,
    zone,
)
from quintain.engine.play.match import Match
from quintain.games.round_table import state as st
from quintain.games.round_table.options import OPTIONS


def begin(seed: int = 0, seats: int = 2, **options: object) -> Match:
    return Match.new("round-table", seats, NAMES[:seats], options, seed=seed.to_bytes(32, "big"))


def size(match: Match, id_: str, viewer: int | None = None) -> int:
    return zone(match, id_, viewer).size


@pytest.mark.clause("RT-5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_player_is_drawn_and_everybody_has_a_farm_in_play(seats: int) -> None:
    first = Counter(begin(seed, seats).log()[-1].split()[0] for seed in range(40))
    assert set(first) == set(NAMES[:seats]) and min(first.values()) > 3
    match = begin(1, seats)
    for seat in range(seats):
        assert names(match, f"demesnes.{seat}") == ["Farm"] and rp(match, seat) == (0, 1)
        assert size(match, f"deck.{seat}.1", seat) == match.book.deck[seat][1] - 1
    match = begin(1, seats, decks=["Main\n58 Knight Errant\nDemesne\n1 Farm\n1 Manor\n"])
    match.play(ANN, "take 1 Demesne")
    assert [name for name in names(match, "hand.0", ANN) if name in STEPS] == ["Manor"], "its only Farm is in play"


@pytest.mark.clause("RT-5")
def test_chance_shuffles_both_decks_and_the_farm_in_play_is_not_drawn_again() -> None:
    main = "".join(f"15 Knight {name}\n" for name in ("Errant", "Vassal", "Mercenary", "Chevalier"))
    deck = f"Main\n{main}Demesne\n2 Farm\n10 Manor\n"
    hands = []
    for seed in range(12):
        match = begin(seed, decks=[deck])
        for seat in (ANN, BO):
            match.play(seat, "take 5 Demesnes")
            hands.append(names(match, f"hand.{seat}", seat))
            assert hands[-1].count("Farm") <= 1 and names(match, f"demesnes.{seat}") == ["Farm"]
    assert {held.count("Farm") for held in hands} == {0, 1}
    assert len({tuple(name for name in held if name not in STEPS) for held in hands}) > 12
    actives = set()
    for seed in range(12):
        match = begin(seed)
        for seat in (ANN, BO):
            match.play(seat, "take 3 Demesnes")
            match.play(seat, "keep")
        actives |= match.to_act
    assert actives == {ANN, BO}, "either may be the first"


@pytest.mark.clause("RT-6")
def test_the_first_hand_has_one_to_ten_demesnes_and_ten_cards() -> None:
    match = begin()
    assert match.to_act == {ANN, BO}
    assert menu(match, ANN) == [f"take {n} Demesne{'' if n == 1 else 's'}" for n in range(1, 11)]
    assert why(match, ANN, "take 0 Demesnes") == "RT-6"
    match.play(ANN, "take 3 Demesnes")
    held = names(match, "hand.0", ANN)
    assert len(held) == 10 and sum(name in STEPS for name in held) == 3


@pytest.mark.clause("RT-6")
@pytest.mark.parametrize(("demesnes", "menus"), [(1, ["take 0 Demesnes"]), (3, ["take 1 Demesne", "take 2 Demesnes"])])
def test_you_take_no_more_demesnes_than_your_deck_has(demesnes: int, menus: list[str]) -> None:
    deck = f"Main\n60 Knight Errant\nDemesne\n{demesnes} Farm\n"
    match = begin(decks=[deck])
    assert menu(match, ANN) == menus
    match.play(ANN, menus[-1])
    assert len(names(match, "hand.0", ANN)) == 10


@pytest.mark.clause("RT-7")
def test_a_hand_is_shuffled_back_once_and_splits_are_shown_when_all_have_kept() -> None:
    match = begin(4)
    match.play(ANN, "take 3 Demesnes")
    first = names(match, "hand.0", ANN)
    match.play(ANN, "mulligan")
    assert names(match, "hand.0", ANN) == []
    match.play(ANN, "take 6 Demesnes")
    assert names(match, "hand.0", ANN) != first and not match.moves(ANN)
    assert not any("Ann" in line and "Demesnes" in line for line in match.log(BO))
    match.play(BO, "take 2 Demesnes")
    assert match.to_act == {BO}
    match.play(BO, "keep")
    assert {"Ann begins with 6 Demesnes in hand.", "You begin with 2 Demesnes in hand."} <= set(match.log(BO))
    assert season_of(match) == st.SPRING and len(match.to_act) == 1


@pytest.mark.clause("RT-7")
def test_all_see_at_once_who_takes_a_mulligan_and_how_many_cards_are_in_hand() -> None:
    match = begin(4)
    match.play(ANN, "take 3 Demesnes")
    assert names(match, "hand.0", BO) == ["a card face down"] * 10
    match.play(ANN, "mulligan")
    assert "Ann takes a mulligan." in match.log(BO) and names(match, "hand.0", BO) == []
    match.play(ANN, "take 6 Demesnes")
    assert names(match, "hand.0", BO) == ["a card face down"] * 10


@pytest.mark.clause("RT-2", "RT-7")
def test_hands_and_decks_are_hidden_but_lists_are_open() -> None:
    match = begin(5)
    match.play(ANN, "take 3 Demesnes")
    hidden = next(zone for zone in match.view(BO).zones if zone.id == "hand.0")
    assert hidden.size == 10 and all(piece.is_down and piece.key is None for piece in hidden.pieces)
    assert "took 3" not in " ".join(match.log(BO)) and match.log(BO)[-1] == "Ann takes ten cards."
    assert match.log(ANN)[-1] == "You take ten cards, 3 of them Demesnes."
    seen = [match.blinded(viewer) for viewer in (BO, None)]
    assert all(set(s.hand[0][: match.book.lines[0]]) == {st.field(low=0).low - 32768} for s in seen)


@pytest.mark.clause("RT-8")
def test_capacity_is_the_sum_of_all_demesnes_in_play() -> None:
    match = position(Side(demesnes=(1, 1, 1, 0, 0)), Side(demesnes=(2, 1, 1, 1, 1)))
    assert (rp(match, ANN), rp(match, BO)) == ((0, 7), (0, 26))


@pytest.mark.clause("RT-9")
def test_an_upgrade_goes_on_a_card_of_the_step_before_that_has_none_yet() -> None:
    match = position(Side("Farm, Manor, Large Manor, Keep, Castle", demesnes=(2, 1, 1, 0, 0)), Side())
    assert [move for move in menu(match) if "play" in move] == ["play Farm", "play Manor", "play Keep"]
    assert why(match, ANN, "play Large Manor") == "RT-9"
    play(match, "play Keep")
    assert rp(match, ANN) == (0, 15)
    assert why(match, ANN, "play Manor") == "RT-12"


@pytest.mark.clause("RT-9")
def test_no_step_is_left_out_and_a_card_is_upgraded_once() -> None:
    hand = ", ".join(STEPS)
    only_farms = position(Side(hand, demesnes=(1, 0, 0, 0, 0)), Side())
    assert [move for move in menu(only_farms) if "play" in move] == ["play Farm", "play Manor"]
    assert {why(only_farms, ANN, f"play {step}") for step in STEPS[2:]} == {"RT-9"}
    all_upgraded = position(Side(hand, demesnes=(1, 1, 1, 1, 1)), Side(demesnes=(3, 0, 0, 0, 0)))
    assert [move for move in menu(all_upgraded) if "play" in move] == ["play Farm"]
    assert {why(all_upgraded, ANN, f"play {step}") for step in STEPS[1:]} == {"RT-9"}


@pytest.mark.clause("RT-10")
def test_knights_equipment_and_titles_in_play_take_up_rp_paired_or_not() -> None:
    side = Side("Kay, Balin, Dinadan", ["Gawain + Good Sword + Baron"], "Destrier, Duke", (1, 1, 1, 1, 0))
    match = position(side, Side())
    assert rp(match, ANN) == (6 + 1 + 1 + 3 + 3, 14)
    assert menu(match)[0] == "pass" and why(match, ANN, "play Dinadan") == "RT-10"


@pytest.mark.clause("RT-10")
@pytest.mark.parametrize(("demesnes", "may"), [((1, 1, 1, 0, 0), True), ((2, 1, 0, 0, 0), False)])
def test_a_card_is_paid_for_up_to_the_capacity(demesnes: tuple[int, int, int, int, int], may: bool) -> None:
    match = position(Side("Kay", ["Knight Chevalier"], demesnes=demesnes), Side())
    assert ("play Kay" in menu(match)) == may


@pytest.mark.clause("RT-10")
def test_above_the_capacity_nothing_is_paid_for_but_what_costs_nothing_is_played() -> None:
    free = '[[title]]\nname = "Beggar"\nrp = 0\ninfluence = 1\nresistance = 0\n'
    side = Side("Beggar, Good Sword", ["Agricol", "Kay"], demesnes=(2, 1, 0, 0, 0))
    match = position(side, Side(), cards=free)
    assert rp(match, ANN) == (7, 6)
    assert [move for move in menu(match) if "play" in move] == ["play Beggar"]
    assert why(match, ANN, "play Good Sword") == "RT-10"


@pytest.mark.clause("RT-11")
def test_each_player_acts_as_often_as_desired_and_is_done_when_passing() -> None:
    match = position(Side("Kay, Good Sword"), Side("Balin"))
    play(match, "play Kay", "play Good Sword", "on Kay")
    assert match.to_act == {ANN}
    play(match, "pass")
    assert match.to_act == {BO}
    play(match, "play Balin", "pass")
    assert "Summer begins; Ann is the active player." in match.log()


@pytest.mark.clause("RT-12")
def test_one_demesne_is_played_each_spring_and_each_player_has_an_own() -> None:
    match = position(Side("Farm, Farm"), Side("Farm"))
    play(match, "play Farm")
    assert why(match, ANN, "play Farm") == "RT-12"
    play(match, "pass", "play Farm")


@pytest.mark.clause("RT-12")
def test_equipment_and_titles_are_played_on_an_own_knight_or_unpaired_and_moved_twice() -> None:
    match = position(Side("Good Sword", ["Kay", "Gawain"]), Side("", ["Bedivere"]))
    play(match, "play Good Sword")
    assert sorted(menu(match)) == ["leave it unpaired", "on Gawain", "on Kay"]
    assert why(match, ANN, "on Bedivere of seat 1") == "RT-12"
    play(match, "leave it unpaired")
    assert names(match, "unpaired.0") == ["Good Sword"]
    play(match, "move Good Sword", "on Kay", "move Good Sword", "on Gawain")
    assert on_it(match, ANN, "Gawain") == ["Good Sword"]
    assert why(match, ANN, "move Good Sword") == "RT-12"


@pytest.mark.clause("RT-12")
def test_a_card_of_the_hand_counts_no_move_and_moves_come_back_next_spring() -> None:
    match = position(Side("", ["Kay + Good Sword", "Gawain"]), Side())
    play(match, "move Good Sword", "leave it unpaired", "move Good Sword", "on Gawain")
    assert "move Good Sword" not in menu(match)
    for _ in range(4):
        pass_or_draw(match)
    assert season_of(match) == st.SPRING and match.to_act == {BO}
    play(match, "pass")
    assert "move Good Sword" in menu(match)


def pass_or_draw(match: Match) -> None:
    season = season_of(match)
    while season_of(match) == season:
        seat = min(match.to_act)
        match.play(seat, next(m for m in menu(match, seat) if m.startswith(("pass", "draw", "discard"))))


@pytest.mark.clause("RT-12")
def test_sixty_actions_are_the_most_of_a_spring_and_each_move_is_one() -> None:
    match = changed(position(Side("Kay", ["Gawain + Good Sword"]), Side()), f"actions[{ANN}] = 58")
    play(match, "move Good Sword", "leave it unpaired")
    assert count(match, "actions", ANN) == 1
    play(match, "play Kay")
    assert menu(match) == ["pass"] and why(match, ANN, "move Good Sword") == "RT-12"


@pytest.mark.clause("RT-13")
def test_a_knight_bears_one_piece_of_each_kind_of_equipment() -> None:
    match = position(Side("Exquisite Morningstar, Rouncy", ["Agricol + Good Sword"]), Side())
    play(match, "play Exquisite Morningstar")
    assert menu(match) == ["leave it unpaired"] and why(match, ANN, "on Agricol") == "RT-13"
    play(match, "leave it unpaired", "play Rouncy", "on Agricol")
    assert on_it(match, ANN, "Agricol") == ["Good Sword", "Rouncy"] and rp(match, ANN)[0] == 4 + 1 + 3 + 1


@pytest.mark.clause("RT-13")
def test_when_a_permission_for_more_ends_the_last_put_becomes_unpaired() -> None:
    match = position(Side("Buckler", ["Kay + Shield of the Lake", "Gawain"]), Side())
    play(match, "play Buckler", "on Kay")
    assert len(on_it(match, ANN, "Kay")) == 2
    play(match, "move Shield of the Lake", "on Gawain")
    assert on_it(match, ANN, "Kay") == ["Buckler"]
    assert names(match, "unpaired.0") == []


@pytest.mark.clause("RT-13")
def test_the_last_put_of_two_weapons_comes_off_when_the_permission_moves_away() -> None:
    extra = (
        '[[title]]\nname = "Swordbearer"\nrp = 1\ninfluence = 0\nresistance = 0\n'
        'rows = [{ when = "always", whom = "bearer", what = "slot", detail = "Weapon", amount = 1 }]\n'
    )
    match = position(Side("Fine Lance", ["Kay + Swordbearer + Good Sword", "Gawain"]), Side(), cards=extra)
    play(match, "play Fine Lance", "on Kay", "move Swordbearer", "on Gawain")
    assert on_it(match, ANN, "Kay") == ["Good Sword"]
    assert names(match, "unpaired.0") == ["Fine Lance"] and "Your Fine Lance becomes unpaired." in match.log(ANN)


@pytest.mark.clause("RT-14")
def test_a_knight_has_one_title_of_a_name_and_titles_need_no_knight() -> None:
    match = position(Side("Baron, Duke", ["Kay + Baron"]), Side())
    play(match, "play Baron")
    assert menu(match) == ["leave it unpaired"] and why(match, ANN, "on Kay") == "RT-14"
    play(match, "leave it unpaired", "play Duke", "on Kay")
    assert len(on_it(match, ANN, "Kay")) == 2
    alone = position(Side("Baron"), Side())
    play(alone, "play Baron", "leave it unpaired")
    assert names(alone, "unpaired.0") == ["Baron"]


@pytest.mark.clause("RT-15")
def test_namesakes_remove_each_other_with_their_titles_but_not_their_equipment() -> None:
    match = position(Side("Bedivere", deck="Kay"), Side("", ["Bedivere + Baron + Good Sword"]))
    play(match, "play Bedivere")
    assert names(match, "knights.0") == names(match, "knights.1") == []
    assert menu(match) == ["draw from the Main deck", "draw from the Demesne deck"], "it was recruited all the same"
    assert set(names(match, "spent.1")) == {"Bedivere", "Baron"} and names(match, "spent.0") == ["Bedivere"]
    assert names(match, "unpaired.1") == ["Good Sword"]
    assert (rp(match, ANN)[0], rp(match, BO)[0]) == (0, 1)


@pytest.mark.clause("RT-15")
def test_once_namesakes_are_gone_a_third_of_the_name_may_come_into_play() -> None:
    match = position(Side("Gawain"), Side("", ["Gawain + Duke", "Kay"]), Side("Gawain"))
    play(match, "play Gawain")
    assert "Gawain" not in names(match, "knights.0") + names(match, "knights.1")
    play(match, "pass", "pass", "play Gawain")
    assert names(match, "spent.0") == ["Gawain"] and set(names(match, "spent.1")) == {"Gawain", "Duke"}
    assert [names(match, f"knights.{seat}") for seat in range(3)] == [[], ["Kay"], ["Gawain"]]


@pytest.mark.clause("RT-15")
def test_generic_knights_have_no_namesakes_and_the_rp_must_be_there() -> None:
    match = position(Side("Knight Errant", ["Knight Errant"]), Side("", ["Knight Errant"]))
    play(match, "play Knight Errant")
    assert names(match, "knights.0") == ["Knight Errant", "Knight Errant 2"]
    poor = position(Side("Gawain", demesnes=(2, 1, 0, 0, 0)), Side("", ["Gawain"]))
    assert why(poor, ANN, "play Gawain") == "RT-10"


@pytest.mark.clause("RT-29")
def test_in_winter_the_active_player_shifts_and_each_draws_exactly_one_card_of_a_chosen_deck() -> None:
    match = position(Side(), Side(), season=st.AUTUMN)
    while season_of(match) == st.AUTUMN:
        play(match, "pass")
    assert season_of(match) == st.WINTER and match.to_act == {BO}
    assert menu(match) == ["draw from the Main deck", "draw from the Demesne deck"]
    play(match, "draw from the Demesne deck")
    assert match.to_act == {ANN} and (drawn := names(match, "hand.1", BO)[0]) in STEPS
    assert match.log(BO)[-1] == f"You draw {drawn} from the Demesne deck."
    assert match.log(ANN)[-1] == match.log(None)[-1] == "Bo draws a card from the Demesne deck."
    play(match, "draw from the Main deck")
    assert season_of(match) == st.SPRING and match.to_act == {BO}


@pytest.mark.clause("RT-29", "RT-31")
def test_you_draw_from_the_other_deck_if_one_is_empty_and_the_game_ends_if_both_are() -> None:
    match = with_empty_decks(position(Side(), Side(), season=st.WINTER), ANN, 1)
    assert menu(match) == ["draw from the Main deck"]
    assert why(match, ANN, "draw from the Demesne deck") == "RT-29"
    play(match, "draw from the Main deck", "draw from the Main deck")
    while season_of(match) != st.WINTER:
        pass_or_draw(match)
    assert match.to_act == {BO}
    play(match, "draw from the Main deck")
    assert match.outcome is not None and match.outcome.ranks == (1, 1)
    assert match.log()[-1] == "The game is over: a player cannot draw, as both decks are empty."


@pytest.mark.clause("RT-30")
def test_all_discard_down_to_ten_at_the_same_time_and_unseen() -> None:
    hand = ", ".join(["Knight Errant"] * 8 + ["Farm"] * 4)
    match = position(Side(hand), Side(hand))
    play(match, "pass", "pass")
    assert match.to_act == {ANN, BO} and season_of(match) == st.SPRING
    match.play(ANN, "discard Farm")
    match.play(ANN, "discard Farm")
    assert names(match, "spent.0") == [] and match.log(BO)[-1] == "Ann chooses a card to discard."
    assert size(match, "hand.0", BO) == 12 and match.to_act == {BO}
    match.play(BO, "discard Knight Errant")
    match.play(BO, "discard Farm")
    assert names(match, "spent.0") == ["Farm"] and size(match, "hand.0", BO) == 10
    assert "Ann discards Farm (2 copies)." in match.log(BO)
    assert season_of(match) == st.SUMMER


@pytest.mark.clause("RT-24", "RT-31")
@pytest.mark.parametrize("last", [True, False])
def test_the_game_ends_with_the_last_region(last: bool) -> None:
    match = position(Side("", ["Gawain @ Elmet"]), Side(), season=st.SUMMER)
    captors = ((0, BO), (1, ANN if last else st.NONE), (3, ANN), (4, BO), (5, ANN))
    lines = [f"captor[{place}] = {captor}" for place, captor in captors]
    lines += [f"region_deck = {st.NONE}", "regions_left = 0", f"open = {st.NONE} {st.NONE if last else 1} 2"]
    match = changed(match, *lines)
    pass_season(match)
    assert "Elmet" in names(match, "captured.0") and bool(match.outcome) == last
    assert names(match, "regions") == ([] if last else ["Tintagel"])


@pytest.mark.clause("RT-31")
def test_more_than_half_of_the_renown_ends_the_game_and_the_most_wins() -> None:
    match = position(Side("", ["Arthur @ Camelot", "Lancelot @ Camelot"]), Side(), season=st.SUMMER)
    match = changed(match, f"captor[4] = {ANN}")
    assert count(match, "renown") == 16
    pass_season(match)
    assert match.outcome is None, "seven of 16 are not more than half"
    richer = position(Side("", ["Arthur @ Camelot", "Lancelot @ Camelot"]), Side(), season=st.SUMMER)
    richer = changed(richer, f"captor[4] = {ANN}", f"captor[5] = {ANN}")
    pass_season(richer)
    assert richer.outcome is not None and (richer.outcome.scores, richer.outcome.ranks) == ((10, 0), (1, 2))
    assert richer.log()[-1] == "The game is over: a player holds more than half of all Renown."


@pytest.mark.clause("RT-3")
def test_three_regions_lie_open_and_the_order_of_the_others_is_unknown() -> None:
    match = begin(3)
    assert len(names(match, "regions")) == 3 and size(match, "to_come") == 2
    assert [land.key for land in zone(match, "to_come", ANN).pieces] == [None]
    assert len(REGIONS) == 6 and OPTIONS[1].name == "regions"
    chooser, orders = random.Random(1), set()
    for _ in range(10):
        redealt = match.blinded(ANN)
        match.game.rules.redeal(match.book, redealt, chooser.randrange(1000))
        orders.add(tuple(redealt.region_deck[:2]))
    assert len(orders) == 2


@pytest.mark.clause("RT-12")
def test_equal_cards_stand_in_the_menu_once() -> None:
    match = position(Side("Knight Errant, Knight Errant", ["Kay", "Knight Errant", "Knight Errant"]), Side())
    assert menu(match).count("play Knight Errant") == 1
    pass_season(match)
    assert [move for move in menu(match) if "Errant" in move] == ["send Knight Errant"]
    assert line_of(match.book, ANN, "Kay") >= 0 and slot_of(match, ANN, "Kay") == 0
    assert piece(match, "unit.0.0").name == "Kay"


@pytest.mark.clause("RT-13")
def test_a_card_that_comes_off_takes_along_what_it_had_allowed_in_any_slot() -> None:
    cards = (
        '[[title]]\nname = "Great Horn"\nrp = 0\ninfluence = 0\nresistance = 0\n'
        'rows = [{ when = "always", whom = "own", what = "permit", detail = "same title" }]\n'
    )
    hand = "Rouncy, Courser, Palfrey, Master of Horse, Master of Horse"
    match = position(Side(hand, ["Kay", "Bors"], "Great Horn"), Side(), cards=cards)
    for mount in ("Rouncy", "Courser", "Palfrey"):
        play(match, f"play {mount}", "leave it unpaired")
    play(match, "play Master of Horse", "on Kay", "play Master of Horse", "on Kay")
    play(match, "move Rouncy", "on Kay", "move Courser", "on Kay", "move Palfrey", "on Kay")
    play(match, "pass", "pass", "pass", "pass", "take back Great Horn")
    assert sorted(on_it(match, ANN, "Kay")) == ["Courser", "Master of Horse", "Rouncy"]
    assert match.log(ANN)[-2:] == ["Your Master of Horse becomes unpaired.", "Your Palfrey becomes unpaired."]
