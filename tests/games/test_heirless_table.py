"""Heirless battles: the table as each viewer sees it, and what is told to whom."""

import pytest

import quintain
from games.heirless_positions import (
    ANN,
    BANDITS,
    BO,
    CAPITAL,
    CAT,
    CID,
    ONLOOKER,
    WOLF,
    all_guard,
    altered,
    battle,
    begin,
    cards_of,
    fighting,
    hosts,
    last,
    menu,
    mustered,
    pieces,
    place,
    placed_by,
    play,
    reason,
    zone,
)
from games.naive_heirless import TABLES
from quintain.engine.errors import IllegalMove
from quintain.games.heirless import state as st


def side(match, number: int, viewer: int | None = ONLOOKER):
    return next(piece for piece in pieces(match, "battle", viewer) if piece.id == f"side.{number}")


def test_a_battle_shows_every_side_with_its_values_and_what_has_changed_them():
    match = battle({ANN: 2, BO: 6})
    place(match, Ann="Feint, Cleave", Bo="Thrust, Guard")
    assert zone(match, "battle").title == "The battle, at the Wolf Camp"
    assert [lying.words for lying in side(match, ANN).attached] == [
        "Feint: attack Damage +3, Precision +3, Delay +1; defence Dodge +4, Defense 0, Wound +1",
        "Cleave: attack Damage +5, Precision +1, Delay +1; defence Dodge +4, Defense -1, Wound 0",
        "Damage 11, +3 by Feint",
        "Precision 6, +3 by Feint",
        "Dodge 7, +4 by Cleave",
        "Defense 0, -1 by Cleave",
        "Delay 7, +1 by Feint",
        "Health 8",
        "turn 2, by Delay",
    ]


def test_the_knights_of_a_battle_show_their_wounds_and_who_strikes_them():
    match = fighting({ANN: 2, BO: 2}, {ANN: {st.DELAY: 2}}, {BO: [3, 10]})
    play(match, "strike Bo's Knight 1")
    assert zone(match, "fighters.1").title == "Bo's Knights in the battle"
    assert zone(match, "fighters.1", BO).title == "Your Knights in the battle"
    assert [(piece.words, piece.face, piece.attached[0].words) for piece in pieces(match, "fighters.1")] == [
        ("Knight 1", "seat-1", "3 of 10 Wounds, struck by 1 Knight of Ann now"),
        ("Knight 2", "fallen-2", "10 of 10 Wounds, struck down"),
    ]


def test_the_knights_of_a_battle_show_whose_they_are_and_so_do_castles():
    from quintain.server.heraldry import picture, seat_arms

    match = fighting({ANN: 2, BO: 1}, bandits=1)
    zones = ("fighters.0", "fighters.1", "fighters.6", "tiles")
    lying = [piece for id_ in zones for piece in pieces(match, id_)]
    shown = {piece.id: picture(match.game, piece.face, piece.seat) for piece in lying}
    assert shown["fighter.0.1"].arms == seat_arms(ANN) and shown["fighter.0.1"].label == "2"
    assert shown["fighter.1.0"].arms == seat_arms(BO) and shown["fighter.1.0"].label == "1"
    assert shown["fighter.6.0"].arms == "heirless.bandit" and shown["fighter.6.0"].label == "1"
    assert [shown[f"tile.{st.CASTLE + seat}"].arms for seat in (ANN, BO)] == [seat_arms(ANN), seat_arms(BO)]


def test_a_knight_like_one_before_looks_standing_and_is_not_barred():
    match = fighting({ANN: 1, BO: 3}, {ANN: {st.DELAY: 2}}, {BO: [0, 10]})
    first, fallen, twin = pieces(match, "fighters.1", ANN)
    assert twin.action is None and fallen.action is not None
    assert [choice.piece for choice in match.view(ANN).menu] == [None, first.id]
    assert twin.face == "seat-3" and fallen.face == "fallen-2"


def test_touching_a_knight_strikes_it_and_one_that_cannot_be_struck_says_why():
    match = fighting({ANN: 2, BO: 2}, {ANN: {st.DELAY: 2}}, {BO: [3, 10]})
    first, second = pieces(match, "fighters.1", ANN)
    assert match.why_not(ANN, first.action) is None
    assert match.why_not(ANN, second.action).words == "Bo's Knight 2 is struck down"
    assert all(piece.action is None for piece in pieces(match, "fighters.0", ANN))
    assert all(piece.action is None for piece in pieces(match, "fighters.1", BO))


def test_the_scene_stays_after_the_battle_with_points_and_victor():
    match = fighting({ANN: 2, BO: 1})
    play(match, "hold back", "hold back")
    assert match.view(None).phase == "muster"
    assert zone(match, "battle").title == "The last battle, at the Wolf Camp"
    assert side(match, ANN).marks == ("victor",) and side(match, BO).marks == ()
    assert side(match, ANN).attached[-1].words == "8 points"


def test_allies_are_marked():
    match = all_guard(battle({ANN: 1, BO: 1, CID: 1}))
    assert [piece.action is None for piece in pieces(match, "battle", ANN)] == [True, False, False]
    play(match, "propose an alliance to Cid")
    assert match.view(CID).asked == "Do you accept the alliance that Ann proposes?"
    play(match, "accept")
    assert side(match, ANN).marks == ("allied with Cid",)
    assert side(match, CID).marks == ("allied with Ann", "strikes now")


def test_a_card_that_is_placed_leaves_the_own_hand_at_once():
    match = battle({ANN: 1, BO: 1})
    play(match, "Ann: attack with Feint")
    assert "Feint" not in cards_of(match, "hand.0", ANN) and "Feint" in cards_of(match, "hand.0", BO)
    assert [lying.face for lying in placed_by(match, ANN, ANN)] == ["card_feint"]
    assert placed_by(match, ANN, BO) == []
    assert [piece.action - st.DEFEND for piece in pieces(match, "hand.0", ANN)] == [1, 2, 3, 4, 5]


def test_who_places_is_asked_by_what_the_card_changes_and_sees_the_numbers_for_it():
    match = battle({ANN: 1, BO: 1})
    asked = "Which card do you attack with at the Wolf Camp: Damage, Precision, Delay?"
    assert match.view(ANN).asked == asked
    assert pieces(match, "hand.0", ANN)[3].text == "Damage +2, Precision -2, Delay -3"
    assert all(piece.text == "" for viewer in (BO, CID, ONLOOKER) for piece in pieces(match, "hand.0", viewer))
    play(match, "Ann: attack with Feint")
    assert match.view(ANN).asked == "Which card do you defend with at the Wolf Camp: Dodge, Defense, Wound?"
    assert pieces(match, "hand.0", ANN)[1].text == "Dodge +4, Defense -1, Wound 0"
    assert [piece.text for piece in placed_by(match, ANN, ANN)] == ["Damage +3, Precision +3, Delay +1"]
    play(match, "Ann: defend with Cleave")
    assert all(piece.text == "" for piece in pieces(match, "hand.0", ANN))


def test_the_last_card_of_a_hand_shows_its_numbers_for_either_role():
    match = altered(battle({ANN: 1, BO: 1}), lambda s: s.hand.__setitem__(ANN, 0b1000))
    (charge,) = pieces(match, "hand.0", ANN)
    both = "attack Damage +2, Precision -2, Delay -3; defence Dodge -1, Defense +4, Wound +2"
    assert (charge.words, charge.text) == (f"Charge: {both}", both)
    play(match, "Ann: defend with Charge")
    assert pieces(match, "hand.0", ANN)[0].text == "Damage +3, Precision +3, Delay +1"


@pytest.mark.clause("HB-7")
@pytest.mark.parametrize("left", [[], ["Guard"]])
def test_discards_that_are_taken_up_lie_in_the_own_hand_and_are_spoken_of(left: list[str]):
    usual = [card["name"] for card in TABLES["cards"]]
    bits = sum(1 << usual.index(name) for name in left)
    match = altered(battle({ANN: 1, BO: 1}), lambda s: s.hand.__setitem__(ANN, bits))
    if left:
        assert cards_of(match, "hand.0", ANN) == left
        play(match, "Ann: attack with Guard")
    assert match.view(ANN).asked.startswith("You take your discards up. Which card do you ")
    rest = [name for name in usual if name not in left]
    assert cards_of(match, "hand.0", ANN) == rest and cards_of(match, "discards.0", ANN) == []
    assert cards_of(match, "hand.0", BO) == left
    if not left:
        play(match, "Ann: attack with Guard")
    play(match, "Ann: defend with Feint")
    assert cards_of(match, "hand.0", ANN) == [name for name in usual if name not in ("Guard", "Feint")]


def test_tiles_show_the_location_of_interest_and_how_far_battles_are():
    match = begin(3)
    mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 2}}, {WOLF: 1, CAT: 1})
    assert hosts(match)["Wolf Camp"] == {"Ann": 1, "Bo": 2, "Bandits": 1}
    play(match, "fight at the Capital")
    place(match, Ann="Feint, Guard", Bo="Feint, Guard")
    play(match, *["hold back"] * 2)
    marks = {piece.words: piece.marks for piece in pieces(match, "tiles")}
    assert marks["Capital"] == ("battle resolved",) and marks["Wolf Camp"][-1] == "battle"
    assert sum("Location of Interest" in there for there in marks.values()) == 1


def test_in_the_muster_a_tile_is_touched_and_in_the_choice_of_a_battle_too():
    match = begin(3)
    assert [piece.action for piece in pieces(match, "tiles", BO)] == list(range(7))
    mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 2}})
    assert [piece.action for piece in pieces(match, "tiles", ANN)][:2] == [st.FIGHT, st.FIGHT + 1]
    assert all(piece.action is None for piece in pieces(match, "tiles", BO))


def test_the_attributes_show_their_tracks():
    match = altered(begin(2, order=(BO, ANN)), lambda s: s.step[ANN].__setitem__(st.DEFENSE, 3))
    first, second = pieces(match, "players")
    assert (first.words, second.words, first.face) == ("Bo", "Ann", "seat")
    assert [lying.words for lying in second.attached] == [
        "Resources 0",
        "improvements 0",
        "Damage 8, then 9",
        "Precision 3, then 4",
        "Dodge 3, then 4",
        "Defense 4, at its end",
        "Delay 6, then 5",
        "Health 8, then 10",
    ]


@pytest.mark.parametrize(
    ("viewer", "line"),
    [
        (ANN, "You keep 3 Knights at home."),
        (BO, "Ann keeps 3 Knights at home."),
        (None, "Ann keeps 3 Knights at home."),
    ],
)
def test_a_player_is_spoken_to_and_others_are_spoken_of(viewer: int | None, line: str):
    match = begin(2)
    for name, tile in (("Ann", "Ann's Castle"), ("Bo", "Ann's Castle")):
        play(match, *[f"{name}: send a Knight to {tile}"] * 3, f"{name}: send a Knight to the Wolf Camp")
    assert line in match.log(viewer)
    castle = "your Castle" if viewer == ANN else "Ann's Castle"
    who = "You send" if viewer == BO else "Bo sends"
    assert f"{who} 3 Knights to {castle}." in match.log(viewer)


def test_blows_are_told_to_each_side_in_its_own_words():
    match = fighting({ANN: 1, BO: 1}, {ANN: {st.DELAY: 2, st.DAMAGE: 20}})
    play(match, "strike Bo's Knight 1")
    assert match.log(ANN)[:2] == [
        "Your Knight 1 strikes Bo's Knight 1.",
        "Bo's Knight 1 takes 10 Wounds (40 dealt) and is struck down.",
    ]
    assert match.log(BO)[:2] == [
        "Ann's Knight 1 strikes your Knight 1.",
        "Your Knight 1 takes 10 Wounds (40 dealt) and is struck down.",
    ]
    assert "You have no battle turn, with no Knight left standing." in match.log(BO)
    assert "You win the battle at the Wolf Camp." in match.log(ANN)


def test_moves_are_read_however_they_are_typed():
    match = begin(2)
    for words in (
        "Send a knight to THE wolf camp",
        "send  a Knight to bo's castle",
        "send a Knight to seat 1's Castle",
    ):
        match.play(ANN, words)
    assert match._state.host[ANN][WOLF] == 1 and match._state.host[ANN][st.CASTLE + BO] == 2
    with pytest.raises(IllegalMove, match="no move of Heirless battles is written"):
        match.play(ANN, "send a Knight to the moon")


def test_an_illegal_strike_is_refused_in_plain_words():
    match = fighting({ANN: 1, BO: 2}, {ANN: {st.DELAY: 2}})
    with pytest.raises(IllegalMove, match=r"Ann cannot strike Bo's Knight 2 now: Bo's Knight 2 is no different"):
        play(match, "strike Bo's Knight 2")


def test_reasons_of_who_is_not_asked():
    match = battle({ANN: 1, BO: 1})
    assert reason(match, CID, "attack with Feint") == ("HB-4", "you have no Knights in the battle at the Wolf Camp")
    place(match, Ann="Feint, Guard")
    assert reason(match, ANN, "attack with Feint") == (
        "HB-6",
        "both your cards are placed, and others are still placing theirs",
    )
    assert reason(match, BO, "fight at the Capital") == (
        "HB-6",
        "you are asked: Which card do you attack with at the Wolf Camp: Damage, Precision, Delay?",
    )


@pytest.mark.clause("HB-2")
def test_a_fight_in_a_castle_is_refused_with_its_clause():
    match = begin(2)
    mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 1, st.CASTLE: 1}})
    never = ("HB-2", "foreign Knights in a Castle never cause a battle")
    assert reason(match, ANN, "fight at Ann's Castle") == never
    assert all("Castle" not in words for words in menu(match))


@pytest.mark.clause("HB-11")
def test_in_a_battle_of_two_sides_an_alliance_is_refused_as_such_while_cards_are_placed():
    match = battle({ANN: 1, BO: 1})
    why = ("HB-11", "alliances are formed only in a battle of at least three sides")
    assert reason(match, ANN, "propose an alliance to Bo") == why
    assert reason(battle({ANN: 1, BO: 1, CID: 1}), ANN, "propose an alliance to Bo")[0] == "HB-6"


def test_bandits_hands_are_seen_by_all_and_their_placed_cards_by_nobody():
    match = begin(2)
    mustered(match, {ANN: {WOLF: 2}}, {WOLF: 2})
    assert len(cards_of(match, f"hand.{BANDITS}", BO)) == 6
    assert placed_by(match, BANDITS) == []
    place(match, Ann="Charge, Guard")
    assert len(cards_of(match, f"hand.{BANDITS}", BO)) == 4 and cards_of(match, f"discards.{BANDITS}", BO) == []
    assert last(match, 99).count("There is a battle at the Wolf Camp.") == 1


def test_discards_of_bandits_lie_open():
    match = begin(2)
    mustered(match, {ANN: {WOLF: 2}}, {WOLF: 2})
    place(match, Ann="Charge, Guard")
    play(match, "hold back")
    left, gone = (cards_of(match, f"{zone_}.{BANDITS}", BO) for zone_ in ("hand", "discards"))
    assert len(left) == 4 and sorted(left + gone) == sorted(card["name"] for card in TABLES["bandit_cards"])


def test_who_places_cards_against_bandits_reads_the_numbers_of_those_that_they_may_draw():
    match = mustered(begin(2), {ANN: {WOLF: 2}}, {WOLF: 1, CAT: 1})
    ambush = "attack Damage +4, Precision +3, Delay -3; defence Dodge +3, Defense +2, Wound +1"
    assert pieces(match, f"hand.{BANDITS}", ANN)[0].text == ambush
    assert all(piece.text == "" for piece in pieces(match, f"hand.{BANDITS + 1}", ANN)), "they are not in this battle"
    assert all(piece.text == "" for piece in pieces(match, f"hand.{BANDITS}", BO)), "who places nothing is not asked"


def test_every_face_of_the_usual_cards_has_arms():
    from quintain.server.heraldry import arms_of

    game = quintain.game("heirless")
    known, faces = arms_of(game), set()
    match = begin(3)
    mustered(match, {ANN: {WOLF: 4}, BO: {WOLF: 4}}, {WOLF: 2, CAT: 1})
    for zone_ in match.view(ANN).zones:
        for piece in (part for whole in zone_.pieces for part in (whole, *whole.attached)):
            faces.add(piece.face.partition("-")[0])
    assert faces - {"seat"} <= set(known)
