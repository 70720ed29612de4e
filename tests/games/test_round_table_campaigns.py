"""Round Table: Summer and Autumn, clause by clause."""

import pytest

import quintain
from games.round_table_positions import (
    ANN,
    BO,
    CID,
    LANDS,
    PLAIN,
    Side,
    changed,
    count,
    doing,
    left,
    menu,
    names,
    on_it,
    pass_season,
    play,
    position,
    rp,
    season_of,
    slot_of,
    strength,
    why,
    with_empty_decks,
    zone,
)
from quintain.engine.play.match import Match
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.linking import rule, rules
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import base_set
from quintain.games.round_table.decks import READY_MADE
from quintain.lab.balance import balance, field_shares


def summer(*sides: Side, cards: str = "", **more: object) -> Match:
    return position(*sides, season=st.SUMMER, cards=cards, **({"regions": LANDS} if cards == PLAIN else {}), **more)


@pytest.mark.clause("RT-16")
def test_own_active_knights_are_sent_and_a_committed_one_stays_so() -> None:
    match = summer(Side("", ["Kay", "Gawain"]), Side("", ["Balin"]))
    assert sorted(menu(match)) == ["pass", "send Gawain", "send Kay"]
    assert why(match, ANN, "send Balin of Bo") == "RT-16"
    play(match, "send Kay")
    assert menu(match) == ["attack Camelot", "attack Tintagel", "attack Elmet"]
    play(match, "attack Camelot")
    assert doing(match, ANN, "Kay") == ("attacks Camelot",) and why(match, ANN, "send Kay") == "RT-16"
    play(match, "send Gawain", "attack Camelot", "pass")
    assert match.to_act == {BO}


@pytest.mark.clause("RT-16")
def test_a_turn_goes_through_its_steps_in_order_and_each_turn_begins_anew() -> None:
    match = summer(Side("The Fair Unknown, The White Hart, Change of Heart", ["Kay", "Gawain", "Tristan"]), Side())
    play(match, "send Kay", "attack Elmet", "play The Fair Unknown", "on Gawain")
    assert why(match, ANN, "send Tristan") == "RT-16" and "play The White Hart" in menu(match)
    play(match, "play Change of Heart", "on Kay", "attack Camelot")
    assert why(match, ANN, "play The White Hart") == "RT-16" and menu(match) == ["pass"]
    play(match, "pass", "pass")
    assert {"send Tristan", "play The White Hart"} <= set(menu(match))


@pytest.mark.clause("RT-16")
def test_summer_ends_after_as_many_passes_in_a_row_as_there_are_seats() -> None:
    match = summer(Side("", ["Kay"]), Side("", ["Balin"]), Side())
    play(match, "pass", "pass", "pass")
    assert season_of(match) != st.SUMMER
    match = summer(Side("", ["Kay"]), Side("", ["Balin"]), Side())
    play(match, "pass", "send Balin", "attack Elmet", "pass", "pass", "pass")
    assert season_of(match) == st.SUMMER, "a turn in which something was done is no pass"
    play(match, "pass")
    assert season_of(match) != st.SUMMER


@pytest.mark.clause("RT-16")
def test_cards_that_say_so_are_played_in_the_last_step() -> None:
    match = summer(Side("Jack of Leaves, Good Sword", ["Kay", "Gawain"]), Side())
    assert why(match, ANN, "play Good Sword") == "RT-16"
    play(match, "play Jack of Leaves", "on Kay")
    assert on_it(match, ANN, "Kay") == ["Jack of Leaves"]
    assert menu(match) == ["pass"]


@pytest.mark.clause("RT-16")
def test_sixty_actions_are_the_most_of_a_summer() -> None:
    match = changed(summer(Side("", ["Kay", "Gawain"]), Side()), f"actions[{ANN}] = 59")
    assert count(match, "actions", ANN) == 1
    play(match, "send Kay", "attack Elmet")
    assert menu(match) == ["pass"] and why(match, ANN, "send Gawain") == "RT-16"


@pytest.mark.clause("RT-17")
def test_quests_and_redirects_are_paid_for_and_the_rp_of_a_quest_stay_as_they_were() -> None:
    side = Side("Bone-Snapper, Change of Heart", ["Palamedes", "Kay"], demesnes=(1, 1, 1, 1, 0))
    match = summer(side, Side("Banishment"))
    assert rp(match, ANN) == (8, 14)
    play(match, "play Bone-Snapper", "on Kay")
    assert rp(match, ANN) == (11, 14), "Palamedes makes it cheaper by one"
    assert "Ann plays Bone-Snapper on Kay for 3 RP." in match.log()
    play(match, "pass", "pass", "send Palamedes", "attack Elmet", "pass", "play Banishment", "on Palamedes of Ann")
    assert rp(match, ANN)[0] == 6
    pass_season(match)
    assert len(list(draws(match))) == 3 and names(match, "spent.0") == ["Bone-Snapper"]
    assert rp(match, ANN) == (3, 14)


def draws(match: Match) -> list[int]:
    """Make all owed draws from the Main deck, and return the seat of each."""
    made = []
    while match.to_act and season_of(match) == st.AUTUMN and menu(match)[0].startswith("draw"):
        (seat,) = match.to_act
        made.append(seat)
        play(match, menu(match)[0])
    return made


@pytest.mark.clause("RT-17", "RT-10")
def test_a_quest_that_costs_too_much_is_not_played() -> None:
    match = summer(Side("Bone-Snapper", ["Kay"], demesnes=(1, 1, 1, 0, 0)), Side())
    assert "play Bone-Snapper" in menu(match)
    poor = summer(Side("Bone-Snapper", ["Kay", "Knight Mercenary"], demesnes=(1, 1, 1, 0, 0)), Side())
    assert why(poor, ANN, "play Bone-Snapper") == "RT-10"


@pytest.mark.clause("RT-18")
def test_a_quest_engages_any_knight_that_is_on_none_and_it_leaves_its_attack() -> None:
    match = summer(Side("The Fair Unknown, The White Hart", ["Kay"]), Side("", ["Balin @ Elmet", "Dinadan"]))
    play(match, "play The Fair Unknown")
    assert set(menu(match)) == {"on Kay", "on Balin of Bo", "on Dinadan of Bo"}
    play(match, "on Balin of Bo")
    assert doing(match, BO, "Balin") == ("on The Fair Unknown",) and left(match, "Elmet") == {}
    play(match, "play The White Hart")
    assert why(match, ANN, "on Balin of Bo") == "RT-18"
    play(match, "on Kay", "pass")
    assert why(match, BO, "send Balin") == "RT-18" and "send Dinadan" in menu(match)


@pytest.mark.clause("RT-19")
def test_a_redirect_gives_a_new_task_another_region_or_a_quest_of_the_same_players_knight() -> None:
    match = summer(
        Side("The Fair Unknown, Change of Heart", ["Kay @ Elmet", "Gawain"]),
        Side("The Perilous Bridge", ["Balin @ Elmet"]),
    )
    play(match, "play The Fair Unknown", "on Balin of Bo", "play Change of Heart")
    assert set(menu(match)) == {"on Kay", "on Balin of Bo"}
    assert why(match, ANN, "on Gawain") == "RT-19", "Gawain has no task"
    play(match, "on Kay")
    assert menu(match) == ["attack Camelot", "attack Tintagel"], "never a Quest played on an opponent's Knight"
    play(match, "attack Camelot")
    assert doing(match, ANN, "Kay") == ("attacks Camelot",)
    assert names(match, "spent.0") == ["Change of Heart"]


@pytest.mark.clause("RT-19")
def test_a_knight_joins_a_quest_whoever_played_it_and_not_the_one_that_it_is_on() -> None:
    match = summer(Side("The Fair Unknown", ["Kay"]), Side("Change of Heart", ["Balin", "Dinadan @ Elmet"]))
    play(match, "play The Fair Unknown", "on Balin of Bo", "pass", "play Change of Heart", "on Dinadan")
    assert menu(match) == ["attack Camelot", "attack Tintagel", "join The Fair Unknown of Ann"]
    play(match, "join The Fair Unknown of Ann")
    assert doing(match, BO, "Dinadan") == ("on The Fair Unknown",)
    alone = summer(Side("The Fair Unknown", ["Kay"]), Side("Change of Heart", ["Balin"]))
    play(alone, "play The Fair Unknown", "on Balin of Bo", "pass", "play Change of Heart", "on Balin")
    assert menu(alone) == ["attack Camelot", "attack Tintagel", "attack Elmet"]


@pytest.mark.clause("RT-19")
def test_a_redirect_counters_a_quest_which_is_over_when_nobody_is_on_it() -> None:
    match = summer(Side("The Fair Unknown", ["Kay"]), Side("Change of Heart", ["Balin"]))
    play(match, "play The Fair Unknown", "on Balin of Bo", "pass", "play Change of Heart", "on Balin", "attack Elmet")
    assert names(match, "spent.0") == ["The Fair Unknown"] and doing(match, BO, "Balin") == ("attacks Elmet",)
    assert rp(match, ANN)[0] == 3 + 2, "what was spent stays spent"


@pytest.mark.clause("RT-19")
@pytest.mark.parametrize("card", ["Royal Command", "Counsel of Merlin"])
def test_a_redirect_that_resets_is_for_own_engaged_knights(card: str) -> None:
    match = summer(Side("The Fair Unknown", ["Kay"]), Side(card, ["Balin", "Dinadan @ Elmet"]))
    play(match, "play The Fair Unknown", "on Balin of Bo", "pass", f"play {card}")
    assert menu(match) == ["on Balin"] and why(match, BO, "on Dinadan") == "RT-19"
    play(match, "on Balin")
    assert doing(match, BO, "Balin") == () and names(match, "spent.0") == ["The Fair Unknown"]


@pytest.mark.clause("RT-19")
def test_redirects_that_engage_or_return_need_a_knight_with_a_task() -> None:
    match = summer(Side("Ambush, Banishment, Royal Command", ["Kay"]), Side("", ["Balin"]))
    assert menu(match) == ["pass", "send Kay"] and why(match, ANN, "play Ambush") == "RT-19"
    match = summer(Side("Ambush, Banishment"), Side("", ["Balin + Good Sword @ Elmet", "Dinadan @ Elmet"]))
    play(match, "play Ambush", "on Dinadan of Bo", "play Banishment", "on Balin of Bo")
    assert doing(match, BO, "Dinadan") == ("engaged",) and names(match, "hand.1", BO) == ["Balin"]
    assert names(match, "unpaired.1") == ["Good Sword"]
    play(match, "pass")
    assert why(match, BO, "send Dinadan") == "RT-18"


@pytest.mark.clause("RT-19")
def test_a_redirect_that_resets_own_knights_gives_no_task_and_is_for_an_own_engaged_one() -> None:
    ann = Side("Call to Arms, Call to Arms, Bone-Snapper", ["Kay", "Bedivere", "Gawain @ Elmet"])
    match = summer(ann, Side("", ["Balin @ Elmet"]))
    assert why(match, ANN, "play Call to Arms") == "RT-19", "nobody of hers is engaged"
    match = changed(match, f"engaged[{ANN}][{slot_of(match, ANN, 'Bedivere')}] = 1")
    play(match, "play Bone-Snapper", "on Kay", "play Call to Arms")
    assert sorted(menu(match)) == ["on Bedivere", "on Kay"]
    play(match, "on Bedivere")
    assert doing(match, ANN, "Bedivere") == doing(match, ANN, "Kay") == ()
    assert names(match, "spent.0") == ["Bone-Snapper", "Call to Arms"]


@pytest.mark.clause("RT-19")
def test_a_redirect_that_engages_opposing_knights_gives_no_task_and_is_for_an_attacking_one() -> None:
    cards = (
        '[[redirect]]\nname = "Horns"\nrp = 0\nrows = [{ when = "played", whom = "opposing", what = "engage" }]\n'
        '[[redirect]]\nname = "Flight"\nrp = 0\nrows = [{ when = "played", whom = "own", what = "return" }]\n'
    )
    match = summer(Side("Horns, Flight", ["Kay @ Elmet"]), Side("", ["Balin @ Elmet", "Gawain"]), cards=cards)
    play(match, "play Horns")
    assert sorted(menu(match)) == ["on Balin of Bo", "on Kay"]
    play(match, "on Kay")
    assert doing(match, BO, "Balin") == doing(match, BO, "Gawain") == ("engaged",)
    assert doing(match, ANN, "Kay") == ("attacks Elmet",)
    play(match, "play Flight", "on Kay")
    assert names(match, "knights.0") == []


@pytest.mark.clause("RT-19")
@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("Change of Heart", "Gives a Knight with a task a new one."),
        ("Call to Arms", "For an engaged Knight of yours. When played, your Knights are reset."),
        ("Ambush", "For a Knight that attacks. When played, that Knight is engaged."),
        ("Banishment", "For a Knight with a task. When played, that Knight returns to its owner's hand."),
    ],
)
def test_a_redirect_says_what_it_is_played_on(card: str, words: str) -> None:
    assert base_set().cards[card].text == words


@pytest.mark.clause("RT-20")
def test_a_quest_or_redirect_of_a_name_is_played_once_a_summer_whoever_plays_it() -> None:
    match = summer(Side("The Fair Unknown, The Fair Unknown", ["Kay", "Tristan"]), Side("The Fair Unknown", ["Balin"]))
    play(match, "play The Fair Unknown", "on Kay")
    assert why(match, ANN, "play The Fair Unknown") == "RT-20"
    play(match, "pass")
    assert why(match, BO, "play The Fair Unknown") == "RT-20"
    pass_season(match)
    draws(match)
    while season_of(match) != st.SUMMER:
        play(match, menu(match)[0])
    assert "play The Fair Unknown" in menu(match)


@pytest.mark.clause("RT-21")
def test_remaining_influence_is_own_influence_less_the_opponents_resistance() -> None:
    match = summer(Side("", ["Strong Ten @ Plain"]), Side("", ["Strong Wall @ Plain"]), cards=PLAIN)
    assert left(match, "Plain") == {ANN: 6, BO: 0}
    weak = summer(Side("", ["Strong Weak @ Plain"]), Side("", ["Strong Wall @ Plain"]), cards=PLAIN)
    assert left(weak, "Plain") == {ANN: -7, BO: 2}


@pytest.mark.clause("RT-21")
def test_only_the_largest_resistance_of_one_opponent_is_subtracted() -> None:
    sides = (Side("", ["Strong Ten @ Plain"]), Side("", ["Strong Wall @ Plain"]), Side("", ["Strong Keeper @ Plain"]))
    assert left(summer(*sides, cards=PLAIN), "Plain") == {ANN: 3, BO: -7, CID: -4}


@pytest.mark.clause("RT-22")
@pytest.mark.parametrize(
    ("ann", "bo", "region", "captor"),
    [
        (["Strong Ten @ Peak"], [], "Peak", ANN),
        (["Knight Chevalier @ Peak"], [], "Peak", None),
        (["Strong Ten @ Peak"], ["Strong Wall @ Peak"], "Peak", None),
        (["Strong Twelve @ Peak"], ["Strong Ten @ Peak"], "Peak", ANN),
        (["Strong Ten @ Peak"], ["Strong Ten @ Camelot"], "Peak", ANN),
        ([], ["Strong Ten @ Peak"], "Peak", BO),
    ],
)
def test_a_region_is_captured_alone_above_its_resistance_or_with_a_lead(
    ann: list[str], bo: list[str], region: str, captor: int | None
) -> None:
    match = summer(Side("", ann), Side("", [words.replace("Camelot", "Hill") for words in bo]), cards=PLAIN)
    pass_season(match)
    taken = [seat for seat in (ANN, BO) if region in names(match, f"captured.{seat}")]
    assert taken == ([] if captor is None else [captor])


@pytest.mark.clause("RT-22")
def test_after_a_tie_or_with_too_small_a_lead_the_region_stays() -> None:
    match = summer(Side("", ["Strong Ten @ Plain"]), Side("", ["Strong Ten @ Plain"]), cards=PLAIN)
    shown = zone(match, "regions").pieces[0]
    assert [line.words for line in shown.now] == ["Nobody captures it: Ann leads by 0 and needs 2."]
    assert not any("takes" in force.state for force in shown.on_it)
    pass_season(match)
    assert "Plain" in names(match, "regions") and "Plain stays independent." in match.log()


@pytest.mark.clause("RT-23")
@pytest.mark.parametrize(("region", "captured"), [("Plain", True), ("Hill", False)])
def test_twelve_against_ten_captures_at_renown_2_and_not_at_3(region: str, captured: bool) -> None:
    match = summer(Side("", [f"Strong Twelve @ {region}"]), Side("", [f"Strong Ten @ {region}"]), cards=PLAIN)
    assert left(match, region) == {ANN: 12, BO: 10}
    pass_season(match)
    assert (region in names(match, "captured.0")) == captured
    (line,) = match.account()
    assert line.by_seat == (12, 10) and line.clause == "RT-22"


@pytest.mark.clause("RT-22", "RT-23")
@pytest.mark.parametrize(
    ("renown", "fate"),
    [
        (1, "Ann captures it: Ann leads by 2 and needs 1."),
        (2, "Ann captures it: Ann leads by 2 and needs 2."),
        (3, "Nobody captures it: Ann leads by 2 and needs 3."),
    ],
)
def test_while_knights_attack_the_region_says_what_twelve_against_ten_are_enough_for(renown: int, fate: str) -> None:
    cards = PLAIN + f'[[region]]\nname = "Moor"\nresistance = 0\nrenown = {renown}\n'
    sides = Side("", ["Strong Twelve @ Moor"]), Side("", ["Strong Ten @ Moor"])
    match = position(*sides, season=st.SUMMER, cards=cards, regions=("Moor", *LANDS))
    assert left(match, "Moor") == {ANN: 12, BO: 10}
    assert [line.words for line in zone(match, "regions").pieces[0].now] == [fate]


@pytest.mark.clause("RT-22")
@pytest.mark.parametrize(
    ("knight", "fate"),
    [
        ("Strong Twelve", "Ann captures it: 12 is above 9."),
        ("Knight Chevalier", "Nobody captures it: Ann needs 6 more Influence."),
    ],
)
def test_a_region_that_one_player_attacks_says_what_is_missing(knight: str, fate: str) -> None:
    match = summer(Side("", [f"{knight} @ Peak"]), Side(), cards=PLAIN)
    (shown,) = (land for land in zone(match, "regions").pieces if land.name == "Peak")
    assert [(line.words, line.clause) for line in shown.now] == [(fate, "RT-22")]


@pytest.mark.clause("RT-24")
def test_captured_regions_go_to_the_captor_and_others_are_turned_up() -> None:
    match = summer(Side("", ["Strong Twelve @ Plain"]), Side(), cards=PLAIN)
    pass_season(match)
    assert names(match, "captured.0") == ["Plain"] and len(names(match, "regions")) == 3
    assert {"Ann captures Plain.", "Camelot lies open."} <= set(match.log())
    assert names(match, "knights.0") == ["Strong Twelve"] and doing(match, ANN, "Strong Twelve") == ()


@pytest.mark.clause("RT-25")
def test_knights_of_the_round_table_strengthen_each_other_in_the_same_region() -> None:
    three = ["Kay @ Camelot", "Bedivere @ Camelot", "Gareth @ Camelot"]
    match = summer(Side("", three), Side())
    assert [strength(match, ANN, name) for name in ("Kay", "Bedivere", "Gareth")] == [(5, 2), (4, 3), (5, 2)]
    apart = summer(Side("", ["Kay @ Camelot", "Bedivere @ Camelot", "Gareth @ Elmet"]), Side())
    assert [strength(apart, ANN, name)[0] for name in ("Kay", "Bedivere", "Gareth")] == [4, 3, 3]


@pytest.mark.clause("RT-25")
def test_grail_knights_give_each_other_resistance_and_are_of_the_round_table() -> None:
    match = summer(Side("", ["Bors @ Camelot", "Percival @ Camelot", "Kay @ Camelot"]), Side("", ["Galahad @ Camelot"]))
    assert strength(match, ANN, "Bors") == (3 + 2, 4 + 1)
    assert strength(match, ANN, "Kay") == (3 + 2, 2)
    assert strength(match, BO, "Galahad") == (5, 5)
    titled = summer(Side("", ["Kay + Round Table Knight @ Camelot", "Bedivere @ Camelot"]), Side())
    assert strength(titled, ANN, "Bedivere") == (3, 3), "a type is there only once"


@pytest.mark.clause("RT-26")
def test_a_quest_for_four_with_two_who_joined_draws_twelve_cards() -> None:
    ann = Side("Bone-Snapper, Change of Heart, Summons", ["Kay", "Tristan @ Elmet", "Gawain @ Elmet"])
    match = summer(ann, Side())
    play(match, "play Bone-Snapper", "on Kay")
    play(match, "play Change of Heart", "on Tristan", "join Bone-Snapper")
    play(match, "play Summons", "on Gawain", "join Bone-Snapper", "draw from the Main deck")
    held = len(names(match, "hand.0", ANN))
    pass_season(match)
    assert menu(match) == ["draw from the Main deck", "draw from the Demesne deck"]
    assert draws(match) == [ANN] * 12 and len(names(match, "hand.0", ANN)) == held + 12
    assert doing(match, ANN, "Kay") == () and "Bone-Snapper" in names(match, "spent.0")


@pytest.mark.clause("RT-26")
def test_the_player_of_the_knight_draws_clockwise_from_the_active_player() -> None:
    match = summer(Side("The Fair Unknown", ["Kay"]), Side("The Perilous Bridge", ["Balin"]))
    play(match, "play The Fair Unknown", "on Balin of Bo", "pass", "play The Perilous Bridge", "on Kay of Ann")
    pass_season(match)
    assert draws(match) == [ANN, BO, BO]


def quests_of(cards: int) -> Match:
    """Return a match in Summer with a Quest on a Knight of each player; Ann's decks hold so many cards."""
    match = summer(Side("Bone-Snapper, The Fair Unknown", ["Kay"]), Side("", ["Balin"]))
    play(match, "play Bone-Snapper", "on Kay", "play The Fair Unknown", "on Balin of Bo")
    return with_empty_decks(match, ANN, cards)


def bone_snapper(cards: int) -> Match:
    """Return the same at the draws of Autumn: Ann is to draw 4, and Bo 2."""
    match = quests_of(cards)
    pass_season(match)
    return match


@rule
def play_one(book: st.Book, s: st.State, seat: int, action: int) -> None:
    rules.play(book, s, seat, action)


@pytest.mark.clause("RT-26", "RT-31")
@pytest.mark.parametrize("cards", [0, 3, 4])
def test_compiled_rules_go_through_the_draws_for_quests_as_interpreted_ones_do(cards: int) -> None:
    match = quests_of(cards)
    plain, book, game = match._state.copy(), match.book, match.game
    records, compiled_play = game.state.array([plain]), compiled(game, play_one)
    seen: set[int] = set()
    for _ in range(12):
        seats = seats_in(game.rules.to_act(book, plain))
        if not seats:
            break
        legal = game.legal_actions(book, plain, seats[0])
        action = st.PASS if st.PASS in legal else legal[0]
        game.rules.play(book, plain, seats[0], action)
        compiled_play(game.book.array([book])[0], records[0], seats[0], action)
        assert records[0].tobytes() == plain.pack()
        seen.add(plain.phase)
    assert (st.LAST_DRAWS in seen) == (cards < 4)


@pytest.mark.clause("RT-26", "RT-31")
@pytest.mark.parametrize("cards", [0, 1, 3])
def test_quests_that_give_more_draws_than_both_decks_hold_end_the_game_after_all_draws_that_can_be_made(
    cards: int,
) -> None:
    match = bone_snapper(cards)
    assert "Your Quests give more draws than your decks hold: the game ends after the draws." in match.log(ANN)
    assert "Ann's Quests give more draws than both decks hold: the game ends after the draws." in match.log(BO)
    phase = match.view(BO).phase
    assert phase.note == "the game ends after these draws; Ann is the active player"
    assert match.outcome is None and draws(match) == [ANN] * cards + [BO] * 2
    assert match.outcome is not None and match.outcome.ranks == (1, 1)
    assert match.log()[-1] == "The game is over: a player's Quests give more draws than both decks hold."


@pytest.mark.clause("RT-26")
def test_quests_that_give_as_many_draws_as_both_decks_hold_do_not_end_the_game() -> None:
    match = bone_snapper(4)
    assert draws(match) == [ANN] * 4 + [BO] * 2
    assert match.outcome is None and match.view(None).phase.key == "autumn" and menu(match)[0] == "pass"


@pytest.mark.clause("RT-26", "RT-31")
def test_quests_that_give_too_many_draws_end_no_game_that_the_captures_have_ended() -> None:
    match = summer(Side("Bone-Snapper", ["Kay", "Arthur @ Camelot", "Lancelot @ Camelot"]), Side())
    play(match, "play Bone-Snapper", "on Kay")
    match = changed(with_empty_decks(match, ANN), f"captor[4] = {ANN}", f"captor[5] = {ANN}")
    pass_season(match)
    assert match.outcome is not None
    assert match.log()[-1] == "The game is over: a player holds more than half of all Renown."


@pytest.mark.clause("RT-27")
def test_spent_rp_come_back_and_all_knights_return_and_are_active() -> None:
    match = summer(Side("Ambush", ["Kay @ Elmet"]), Side("", ["Balin @ Camelot"]))
    play(match, "play Ambush", "on Balin of Bo")
    assert rp(match, ANN)[0] == 6
    pass_season(match)
    assert rp(match, ANN)[0] == 3 and doing(match, BO, "Balin") == doing(match, ANN, "Kay") == ()


@pytest.mark.clause("RT-28")
def test_cards_in_play_may_be_taken_back_and_what_was_on_a_knight_stays_unpaired() -> None:
    match = position(Side("", ["Kay + Good Sword + Baron", "Gawain"]), Side("", ["Balin"]), season=st.AUTUMN)
    assert match.to_act == {ANN} and why(match, ANN, "take back Balin of Bo") == "RT-28"
    play(match, "take back Kay")
    assert sorted(names(match, "unpaired.0")) == ["Baron", "Good Sword"] and names(match, "hand.0", ANN) == ["Kay"]
    assert rp(match, ANN)[0] == 6 + 1 + 1
    play(match, "take back Baron", "pass")
    assert match.to_act == {BO} and rp(match, ANN)[0] == 7


@pytest.mark.clause("RT-34")
def test_a_leader_strengthens_each_other_attacking_knight_engaged_or_not_and_leaders_add_up() -> None:
    match = summer(
        Side("", ["Uther", "Knight Chevalier @ Camelot"]), Side("The Fair Unknown", ["Knight Errant @ Elmet"])
    )
    assert strength(match, ANN, "Knight Chevalier") == (5, 3) and strength(match, BO, "Knight Errant") == (2, 1)
    play(match, "pass", "play The Fair Unknown", "on Uther of Ann")
    assert strength(match, ANN, "Knight Chevalier") == (5, 3)
    both = summer(Side("", ["Uther @ Elmet", "Arthur @ Elmet", "Knight Chevalier @ Camelot"]), Side())
    assert strength(both, ANN, "Knight Chevalier") == (6, 4)
    assert strength(both, ANN, "Uther") == (6, 5) and strength(both, ANN, "Arthur") == (7, 6)
    assert slot_of(both, ANN, "Uther") == 0


@pytest.mark.clause("RT-34")
def test_a_leader_strengthens_neither_itself_nor_a_knight_at_home_nor_an_opponents() -> None:
    match = summer(Side("", ["Uther @ Camelot", "Kay"]), Side("", ["Knight Errant @ Camelot"]))
    without = summer(Side("", ["Kay"]), Side("", ["Knight Errant @ Camelot"]))
    uther = base_set().cards["Uther"]
    assert strength(match, ANN, "Uther") == (uther.influence, uther.resistance)
    assert strength(match, ANN, "Kay") == strength(without, ANN, "Kay")
    assert strength(match, BO, "Knight Errant") == strength(without, BO, "Knight Errant")
    play(match, "send Kay", "attack Elmet")
    influence, resistance = strength(without, ANN, "Kay")
    assert strength(match, ANN, "Kay") == (influence + 1, resistance + 1)


@pytest.mark.long
@pytest.mark.clause("RT-36")
def test_no_ready_made_deck_is_hopeless_or_unbeatable_against_the_field() -> None:
    pairs = balance(quintain.game("round-table"), READY_MADE, 400, seed=1)
    assert [pair.games for pair in pairs] == [400] * 6
    shares = field_shares(READY_MADE, pairs)
    assert sum(shares.values()) == pytest.approx(2)
    assert all(0.35 < share < 0.65 for share in shares.values())
