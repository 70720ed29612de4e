"""Tests of the runes of Rune War, each alone and together with others. RW-19 to RW-22."""

import pytest

import quintain
from games.rune_war_positions import (
    ANN,
    BO,
    CID,
    ONLOOKER,
    all_but,
    hand,
    knows,
    menu,
    pieces,
    places,
    play,
    position,
    seen_by_all,
    shown,
    true_state,
)
from quintain.engine.errors import IllegalMove
from quintain.engine.play.match import Match
from quintain.games.rune_war import state as st
from quintain.games.rune_war.words import RUNE_NAMES, RUNE_TEXTS

TWO_ROWS = {"1.1": "Ace of Cups", "2.1": "5 of Wands", "2.2": "6 of Wands"}


def battle(ann: str, bo: str, laid: dict[str, str], *moves: str) -> Match:
    """Let Ann attack 2.1 of Bo's defence with the first card of her hand, then play some moves."""
    match = position([ann, bo], ["9 of Pentacles", laid])
    first = ann.split(",", maxsplit=1)[0]
    return play(match, f"attack with {first}", "seat 1 at 2.1", *moves)


def totals(match: Match) -> tuple[int, int]:
    """Return Ann's and Bo's points in the current or the last battle."""
    line = next(line for line in match.account() if line.words.startswith("Total"))
    return line.by_seat[ANN], line.by_seat[BO]


@pytest.mark.clause("RW-19")
def test_a_rune_may_be_laid_as_a_bluff_or_sent_into_an_attack_where_it_counts_nothing():
    match = battle("Strength, The World", "3 of Cups", TWO_ROWS, "turn up 2.2", "add The World")
    assert totals(match) == (0, 11)
    match = position(["Strength", "3 of Cups"], ["9 of Pentacles", TWO_ROWS])
    play(match, "lay Strength", "at 2.1")
    assert places(match, ANN) == ["1.1", "2.1"]


@pytest.mark.clause("RW-20")
def test_a_rune_of_the_field_takes_the_turn_and_is_discarded():
    match = play(position(["The Empress", "3 of Cups"], ["5 of Cups", "5 of Wands"]), "play The Empress")
    assert match.to_act == {BO} and shown(match, "pile") == ["The Empress"]
    assert len(hand(match, ANN, ANN)) == 3


@pytest.mark.clause("RW-20")
def test_a_rune_of_the_battle_is_played_in_place_of_a_card_one_a_side():
    match = battle("7 of Swords, Strength, The Magician", "Justice, Temperance", TWO_ROWS)
    with pytest.raises(IllegalMove, match="must act first"):
        match.play(ANN, "play Strength")
    play(match, "play Justice")
    assert match.to_act == {ANN} and menu(match) == ["hold back", "play The Magician", "play Strength"]
    play(match, "play Strength")
    assert menu(match) == ["hold back", "turn up 2.2"]
    with pytest.raises(IllegalMove, match="has already played a rune"):
        match.play(BO, "play Temperance")
    play(match, "turn up 2.2", "hold back", "hold back")
    assert totals(match) == (8, 11)


@pytest.mark.clause("RW-20")
def test_a_rune_does_not_count_against_the_cards_that_may_be_added():
    match = battle(
        "7 of Swords, Strength, 2 of Cups", "3 of Cups", TWO_ROWS, "turn up 2.2", "play Strength", "hold back"
    )
    assert menu(match) == ["hold back", "add 2 of Cups"]


@pytest.mark.clause("RW-20")
def test_runes_of_the_wrong_kind_and_in_further_attacks_are_refused():
    match = position(["7 of Swords, Strength, The Sun", "Death"], ["9 of Pentacles", TWO_ROWS])
    with pytest.raises(IllegalMove, match="a rune of the battle"):
        match.play(ANN, "play Strength")
    play(match, "attack with 7 of Swords", "seat 1 at 2.1")
    with pytest.raises(IllegalMove, match="a rune of the field"):
        match.play(BO, "play Death")
    play(match, "hold back", "hold back")
    with pytest.raises(IllegalMove, match="in a further attack the attacker may play no rune"):
        match.play(ANN, "play Strength")


@pytest.mark.clause("RW-20", "RW-21")
@pytest.mark.parametrize(
    ("rune", "why"),
    [
        ("The Hierophant", "only one card in your defence"),
        ("The Hermit", "last card must stay"),
        ("Death", "every opponent has only one card left"),
        ("The Star", "discard pile is empty"),
        ("The Moon", "no row of your defence has two cards"),
        ("The Devil", "no opponent has a card in hand"),
        ("The Sun", "no opponent has a card in hand"),
        ("Judgement", "a number card in the discard pile"),
        ("Wheel of Fortune", "no other card in your hand"),
    ],
)
def test_a_rune_with_nothing_to_work_on_may_not_be_played_and_the_reason_says_why(rune: str, why: str):
    match = position([rune, ""], ["5 of Cups", "5 of Wands"])
    with pytest.raises(IllegalMove, match=f"{rune} has nothing to work on: .*{why}"):
        match.play(ANN, f"play {rune}")


@pytest.mark.clause("RW-20", "RW-21")
def test_the_empress_needs_a_card_to_draw():
    hands = ["The Empress", all_but("The Empress", "5 of Cups", "5 of Wands")]
    match = position(hands, ["5 of Cups", "5 of Wands"])
    with pytest.raises(IllegalMove, match="the deck and the discard pile are empty"):
        match.play(ANN, "play The Empress")


@pytest.mark.clause("RW-21", "RW-22")
@pytest.mark.parametrize(
    ("rune", "plain", "with_rune"),
    [
        ("The Magician", (9, 11), (18, 11)),
        ("Strength", (9, 11), (17, 11)),
        ("The World", (9, 11), (13, 11)),
        ("The Emperor", (9, 11), (19, 11)),
        ("Justice", (9, 11), (9, 5)),
        ("The Hanged Man", (9, 11), (9, 11)),
    ],
)
@pytest.mark.parametrize("fool", ["", "before", "after"])
def test_the_runes_of_the_attacker_alone_and_undone_by_the_fool(
    rune: str, plain: tuple[int, int], with_rune: tuple[int, int], fool: str
):
    ann = f"9 of Swords, King of Cups, {rune}"
    if fool == "before":
        match = battle(ann, "The Fool", TWO_ROWS, "play The Fool", f"play {rune}", "turn up 2.2", "add King of Cups")
    else:
        match = battle(ann, "The Fool", TWO_ROWS, "turn up 2.2", f"play {rune}", "hold back", "add King of Cups")
        if fool:
            play(match, "play The Fool")
    assert totals(match) == (plain if fool else with_rune)
    while match.to_act and "hold back" in menu(match):
        play(match, "hold back")
    won = "2.1" not in places(match, BO)
    ours, theirs = plain if fool else with_rune
    assert won == (ours > theirs or (rune == "The Hanged Man" and not fool))
    assert any("The Fool undoes" in line.words for line in match.account()) == bool(fool)


COURTLY = {"1.1": "Ace of Cups", "2.1": "King of Wands", "2.2": "6 of Wands"}


@pytest.mark.clause("RW-21", "RW-22")
@pytest.mark.parametrize("fool", [False, True])
def test_temperance_strikes_the_courts_of_both_sides(fool: bool):
    moves = ("turn up 2.2", "add King of Swords", "play The Fool" if fool else "hold back", "play Temperance")
    match = battle("7 of Swords, King of Swords, Temperance", "The Fool", COURTLY, *moves)
    assert totals(match) == ((17, 16) if fool else (7, 6))


@pytest.mark.clause("RW-21", "RW-22")
@pytest.mark.parametrize("fool", [False, True])
def test_the_lovers_make_two_suits_one_for_later_cards_too(fool: bool):
    laid = {**TWO_ROWS, "2.1": "King of Cups", "2.2": "6 of Wands"}
    match = battle("7 of Swords", "The Lovers", laid, "play The Lovers")
    assert menu(match)[0] == "join Cups and Pentacles" and match.to_act == {BO}
    play(match, "join Wands and Cups", "hold back", "turn up 2.2")
    assert totals(match) == (7, 16)
    ann = "7 of Swords, The Lovers, Queen of Wands, King of Cups"
    match = battle(ann, "The Fool", TWO_ROWS, "turn up 2.2", "play The Lovers", "join Swords and Wands")
    play(match, "play The Fool" if fool else "hold back", "add Queen of Wands")
    assert totals(match) == (7 if fool else 17, 11)


@pytest.mark.clause("RW-18", "RW-21")
def test_equal_courts_of_joined_suits_go_into_separate_runs():
    laid = {
        "1.1": "Ace of Cups",
        "2.1": "2 of Wands",
        "2.2": "3 of Wands",
        "3.1": "King of Cups",
        "3.2": "King of Wands",
    }
    moves = ("attack with 4 of Swords", "seat 1 at 3.1", "turn up 3.2", "hold back", "turn up 3.3", "hold back")
    for more, sums in (({"3.3": "Queen of Wands"}, (4, 0)), ({"3.3": "2 of Cups", "2.1": "8 of Wands"}, (4, 22))):
        match = position(["4 of Swords", "The Lovers"], ["9 of Pentacles", laid | more])
        play(match, *moves, "play The Lovers", "join Cups and Wands")
        assert totals(match) == sums


@pytest.mark.clause("RW-21", "RW-22")
def test_justice_strikes_before_the_magician_doubles():
    match = battle("9 of Swords, The Magician, 4 of Swords", "Justice", TWO_ROWS, "turn up 2.2", "add 4 of Swords")
    play(match, "play Justice", "play The Magician")
    assert totals(match) == (8, 11)


@pytest.mark.clause("RW-21", "RW-22")
def test_a_card_that_justice_strikes_is_still_a_number_card_of_its_suit():
    match = battle("9 of Swords, The World, King of Swords", "Justice", TWO_ROWS, "turn up 2.2", "add King of Swords")
    play(match, "play Justice", "play The World")
    assert totals(match) == (0 + 10 + 4, 11)


@pytest.mark.clause("RW-21", "RW-22")
def test_temperance_is_stronger_than_the_emperor():
    match = battle("9 of Swords, The Emperor, King of Cups", "Temperance", TWO_ROWS, "turn up 2.2", "add King of Cups")
    play(match, "play Temperance", "play The Emperor")
    assert totals(match) == (9, 11)


@pytest.mark.clause("RW-21", "RW-22")
@pytest.mark.parametrize(
    ("attacker", "wins"),
    [("4 of Swords", True), ("5 of Swords", False), ("9 of Swords", False), ("10 of Swords", True)],
)
def test_with_the_hanged_man_the_lower_wins_unless_the_higher_is_double(attacker: str, wins: bool):
    match = battle(
        f"{attacker}, The Hanged Man",
        "3 of Cups",
        TWO_ROWS,
        "hold back",
        "play The Hanged Man",
        "hold back",
        "hold back",
    )
    assert ("2.1" not in places(match, BO)) == wins


@pytest.mark.clause("RW-21")
@pytest.mark.parametrize("fool", [False, True])
def test_the_chariot_lets_the_attacker_add_cards_in_further_attacks(fool: bool):
    laid = {"1.1": "Ace of Cups", "2.1": "2 of Wands", "2.2": "3 of Wands", "3.1": "4 of Wands", "3.2": "5 of Wands"}
    laid |= {"3.3": "6 of Wands", "4.1": "Ace of Wands"}
    match = position(["9 of Swords, The Chariot, 8 of Swords, Strength", "The Fool"], ["9 of Cups", laid])
    play(
        match, "attack with 9 of Swords", "seat 1 at 4.1", "play The Fool" if fool else "hold back", "play The Chariot"
    )
    play(match, "hold back", "hold back", "seat 1 at 3.3", "turn up 3.2")
    if fool:
        assert match.to_act == {BO}
        return
    assert match.to_act == {ANN} and menu(match) == ["hold back", "add 8 of Swords", "add Strength"]
    play(match, "add 8 of Swords", "hold back", "hold back")
    assert places(match, BO) == ["1.1", "2.1", "2.2", "3.1"]


@pytest.mark.clause("RW-21")
def test_the_chariot_is_for_the_attacker_only():
    match = battle("7 of Swords", "The Chariot", TWO_ROWS)
    with pytest.raises(IllegalMove, match="for the attacker only"):
        match.play(BO, "play The Chariot")


@pytest.mark.clause("RW-21", "RW-23")
def test_the_high_priestess_looks_at_up_to_three_cards_of_one_opponent_named_together():
    laid = {**TWO_ROWS, "3.1": "7 of Wands", "3.2": "8 of Wands"}
    match = position(
        ["The High Priestess, 2 of Swords", "3 of Cups", "4 of Cups"], ["9 of Cups", laid, "5 of Cups"], seats=3
    )
    play(match, "play The High Priestess", "seat 1 at 1.1")
    assert not knows(match, ANN, BO, "1.1"), "all are named before any is seen"
    with pytest.raises(IllegalMove, match="of one opponent, Bo"):
        match.play(ANN, "seat 2 at 1.1")
    with pytest.raises(IllegalMove, match="already named"):
        match.play(ANN, "seat 1 at 1.1")
    play(match, "seat 1 at 3.2", "done")
    assert [place for place in laid if knows(match, ANN, BO, place)] == ["1.1", "3.2"]
    assert not any(knows(match, viewer, BO, place) for viewer in (CID, ONLOOKER) for place in laid)
    assert "Ann looks at 3.2 of Bo's defence." in match.log(CID)
    looked_at = {piece.id: piece.known_to for piece in pieces(match, BO, "defence.1") if piece.known_to}
    assert looked_at == {"defence.1.1.1": (ANN,), "defence.1.3.2": (ANN,)}
    assert [piece.known_to for piece in pieces(match, ANN, "defence.1")] == [()] * 5
    assert ["seen" in piece.state for piece in pieces(match, ANN, "defence.1")] == [True, False, False, False, True]
    match = position(["The High Priestess, 2 of Swords", "3 of Cups"], ["9 of Cups", laid])
    play(match, "play The High Priestess", "seat 1 at 1.1", "seat 1 at 2.1", "seat 1 at 2.2")
    assert match.to_act == {BO}


@pytest.mark.clause("RW-21", "RW-23")
@pytest.mark.parametrize("how", ["exchange", "put back"])
def test_after_the_hierophant_the_others_no_longer_know_the_two_cards(how: str):
    hands = ["The Hierophant, 2 of Swords", "3 of Cups"]
    match = position(hands, [TWO_ROWS, "5 of Cups"], more=seen_by_all(ANN, *TWO_ROWS))
    play(match, "play The Hierophant", "at 1.1")
    assert menu(match) == ["take up 2.1", "take up 2.2"]
    play(match, "at 2.2")
    before = match.log(BO)
    play(match, how)
    assert [knows(match, BO, ANN, place) for place in TWO_ROWS] == [False, True, False]
    assert (pieces(match, ANN, "defence.0")[0].name == "6 of Wands") == (how == "exchange")
    assert "Ann puts 1.1 and 2.2 back, exchanged or not." in match.log(BO)[len(before) :]


@pytest.mark.clause("RW-21")
def test_the_hermit_takes_an_exposed_card_back():
    match = position(["The Hermit, 2 of Swords", "3 of Cups"], [TWO_ROWS, "5 of Cups"])
    play(match, "play The Hermit")
    with pytest.raises(IllegalMove, match=r"1\.1 is covered by 2\.1 and 2\.2"):
        match.play(ANN, "at 1.1")
    play(match, "at 2.2")
    assert places(match, ANN) == ["1.1", "2.1"] and "6 of Wands" in hand(match, ANN, ANN)
    assert hand(match, BO, ANN) == []


@pytest.mark.clause("RW-21")
def test_the_wheel_of_fortune_changes_the_whole_hand():
    match = position(["Wheel of Fortune, 2 of Swords, 3 of Swords", "3 of Cups"], [TWO_ROWS, "5 of Cups"])
    play(match, "play Wheel of Fortune")
    assert shown(match, "pile") == ["2 of Swords", "3 of Swords", "Wheel of Fortune"]
    assert len(hand(match, ANN, ANN)) == 3 and not {"2 of Swords", "3 of Swords"} & set(hand(match, ANN, ANN))


@pytest.mark.clause("RW-21", "RW-15")
def test_death_destroys_an_exposed_card_that_is_not_the_last():
    match = position(["Death, 2 of Swords", "3 of Cups", "4 of Cups"], ["9 of Cups", TWO_ROWS, "5 of Cups"], seats=3)
    play(match, "play Death")
    assert menu(match) == ["destroy Bo at 2.1", "destroy Bo at 2.2"]
    with pytest.raises(IllegalMove, match="the last card of Cid's defence"):
        match.play(ANN, "seat 2 at 1.1")
    play(match, "seat 1 at 2.2")
    assert places(match, BO) == ["1.1", "2.1"] and true_state(match).destroyed[ANN] == 1
    assert set(shown(match, "pile")) == {"Death", "6 of Wands"}
    assert true_state(match).quiet[:3] == [2, 1, 1], "it is no battle"


@pytest.mark.clause("RW-21", "RW-23")
def test_the_devil_takes_a_card_that_only_the_two_know():
    match = position(["The Devil", "3 of Cups, 4 of Cups", "6 of Cups"], ["9 of Cups", TWO_ROWS, "5 of Cups"], seats=3)
    play(match, "play The Devil", "on seat 1")
    (stolen,) = hand(match, BO, ANN)
    assert stolen in ("3 of Cups", "4 of Cups") and stolen in hand(match, ANN, ANN)
    assert hand(match, CID, ANN) == hand(match, ONLOOKER, ANN) == []
    assert f"You take {stolen} from Bo's hand." in match.log(ANN)
    assert any(f"{stolen} from your hand" in line for line in match.log(BO))
    assert "Ann takes a card from Bo's hand." in match.log(CID)


@pytest.mark.clause("RW-21", "RW-23")
def test_the_tower_shows_a_row_to_everyone():
    match = position(["The Tower", "3 of Cups", "4 of Cups"], ["9 of Cups", TWO_ROWS, "5 of Cups"], seats=3)
    play(match, "play The Tower", "on seat 1")
    with pytest.raises(IllegalMove, match="no card of Bo in row 3"):
        match.play(ANN, "row 3")
    play(match, "row 2")
    assert [knows(match, viewer, BO, "2.1") for viewer in (ANN, CID, ONLOOKER)] == [True] * 3
    assert not knows(match, ANN, BO, "1.1")


@pytest.mark.clause("RW-21", "RW-23")
def test_the_star_takes_any_card_of_the_pile_openly():
    match = position(["The Star", "3 of Cups"], ["9 of Cups", TWO_ROWS], pile="King of Cups, 2 of Swords")
    play(match, "play The Star")
    with pytest.raises(IllegalMove, match="not in the discard pile"):
        match.play(ANN, "take The Star")
    play(match, "take King of Cups")
    assert hand(match, BO, ANN) == hand(match, ONLOOKER, ANN) == ["King of Cups"]


@pytest.mark.clause("RW-21", "RW-23")
def test_after_the_moon_only_the_owner_still_knows_the_row():
    laid = {**TWO_ROWS, "3.1": "7 of Wands", "3.3": "8 of Wands"}
    seen = set()
    for seed in range(12):
        match = position(["The Moon", "3 of Cups"], [laid, "5 of Cups"], more=seen_by_all(ANN, *laid), seed=seed)
        play(match, "play The Moon")
        assert menu(match) == ["row 2", "row 3"]
        play(match, "row 3")
        assert [knows(match, BO, ANN, place) for place in laid] == [True, True, True, False, False]
        seen.add(tuple(shown(match, "defence.0", ANN)))
    assert len(seen) == 2


@pytest.mark.clause("RW-21", "RW-23")
def test_the_sun_shows_a_hand_whose_cards_stay_known_until_they_leave():
    match = position(["The Sun", "3 of Cups, 4 of Cups", "6 of Cups"], ["9 of Cups", TWO_ROWS, "5 of Cups"], seats=3)
    play(match, "play The Sun", "on seat 1")
    assert hand(match, ANN, BO) == ["3 of Cups", "4 of Cups"] and hand(match, CID, BO) == []
    play(match, "lay 3 of Cups", "at 3.1")
    assert hand(match, ANN, BO) == ["4 of Cups"], "neither what was laid nor what was drawn"


@pytest.mark.clause("RW-23")
def test_a_card_that_left_a_hand_and_came_back_is_no_longer_known():
    match = position(["The Sun, 2 of Cups, 4 of Wands", "3 of Cups, The Hermit"], ["9 of Cups", TWO_ROWS])
    play(match, "play The Sun", "on seat 1", "lay 3 of Cups", "at 3.1", "lay 2 of Cups", "at 2.1")
    assert hand(match, ANN, BO) == ["The Hermit"]
    play(match, "play The Hermit", "at 3.1")
    assert hand(match, ANN, BO) == [] and "3 of Cups" in hand(match, BO, BO)


@pytest.mark.clause("RW-21", "RW-23")
def test_judgement_takes_number_cards_for_as_many_others():
    pile = "2 of Swords, 3 of Swords, 4 of Swords, King of Swords, The Fool"
    match = position(["Judgement, 7 of Cups, 8 of Cups", "3 of Cups"], ["9 of Cups", TWO_ROWS], pile=pile)
    play(match, "play Judgement")
    assert menu(match) == ["take 2 of Swords", "take 3 of Swords", "take 4 of Swords"]
    with pytest.raises(IllegalMove, match="not a number card"):
        match.play(ANN, "take King of Swords")
    play(match, "take 2 of Swords")
    assert "done" in menu(match)
    play(match, "take 4 of Swords")
    assert menu(match) == ["discard 7 of Cups", "discard 8 of Cups"], "two others, so two cards at most"
    with pytest.raises(IllegalMove, match="you have just taken 2 of Swords"):
        match.play(ANN, "discard 2 of Swords")
    play(match, "discard 8 of Cups", "discard 7 of Cups")
    assert hand(match, BO, ANN) == ["2 of Swords", "4 of Swords"] and match.to_act == {BO}


@pytest.mark.clause("RW-21")
def test_judgement_may_take_fewer():
    match = position(
        ["Judgement, 7 of Cups, 8 of Cups", "3 of Cups"], ["9 of Cups", TWO_ROWS], pile="2 of Swords, 3 of Swords"
    )
    play(match, "play Judgement", "take 2 of Swords", "done", "discard 8 of Cups")
    assert match.to_act == {BO} and {"2 of Swords", "7 of Cups"} <= set(hand(match, ANN, ANN))


def test_every_rune_is_in_the_rulebook_with_its_kind_and_text():
    kinds = ["battle" if of_battle else "field" for of_battle in st.OF_BATTLE]
    runes = enumerate(zip(RUNE_NAMES, kinds, RUNE_TEXTS, strict=True))
    rows = [f"| {number} | {name} | {kind} | {text} |" for number, (name, kind, text) in runes]
    assert [row for row in rows if row not in quintain.game("rune-war").text.rulebook()] == []
