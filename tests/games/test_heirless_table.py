"""Heirless battles: the table, the log and the reasons as each viewer sees them."""

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
    asked,
    battle,
    begin,
    cards_of,
    fighting,
    hosts,
    last,
    menu,
    mustered,
    numbers,
    phase,
    piece_of,
    pieces,
    place,
    placed_by,
    play,
    reason,
    state_of,
    states,
    zone,
)
from games.naive_heirless import TABLES
from quintain.engine import Reach
from quintain.engine.errors import IllegalMove
from quintain.games.heirless import state as st
from quintain.games.heirless.texts import IN_ROLE
from quintain.games.heirless.words import TILE_NAMES


def side(match, number: int, viewer: int | None = ONLOOKER):
    return piece_of(match, f"side.{number}", viewer)


def means(match, id_: str, viewer: int) -> list[tuple[int, ...]]:
    """Return the actions that touching each piece of a zone can mean for a viewer."""
    return [piece.means for piece in pieces(match, id_, viewer)]


def test_a_battle_shows_every_side_with_its_values_and_what_has_changed_them():
    match = battle({ANN: 2, BO: 6})
    place(match, Ann="Feint, Cleave", Bo="Thrust, Guard")
    assert zone(match, "battle").words == "Battle at the Wolf Camp"
    feint, cleave, *lying = side(match, ANN).on_it
    changes = {"attack.damage": 3, "attack.precision": 3, "attack.delay": 1}
    assert numbers(feint) == changes | {"defend.dodge": 4, "defend.defense": 0, "defend.wound": 1}
    assert (feint.key, cleave.key) == ("card_feint", "card_cleave")
    assert [(*change(piece), [line.words for line in piece.now]) for piece in lying] == [
        ("damage", 11, 8, ["+3 by Feint"]),
        ("precision", 6, 3, ["+3 by Feint"]),
        ("dodge", 7, 3, ["+4 by Cleave"]),
        ("defense", 0, 1, ["\N{MINUS SIGN}1 by Cleave"]),
        ("delay", 7, 6, ["+1 by Feint"]),
        ("health", 8, None, []),
        ("turn", 2, None, []),
    ]


def change(piece) -> tuple[str, int, int | None]:
    """Return the key of a piece's only number, the number, and the printed number if it differs."""
    (stat,) = piece.stats
    return stat.key, stat.number, stat.printed


def test_the_knights_of_a_battle_show_their_wounds_and_who_strikes_them():
    match = fighting({ANN: 2, BO: 2}, {ANN: {st.DELAY: 2}}, {BO: [3, 10]})
    play(match, "strike Bo's Knight 1")
    assert zone(match, "fighters.1").words == "Bo's Knights in the battle"
    assert zone(match, "fighters.1", BO).words == "Your Knights in the battle"
    first, second = pieces(match, "fighters.1")
    assert (first.name, first.short, first.key, first.corner) == ("Bo's Knight 1", "Knight 1", "seat-1", "1")
    assert (second.name, second.key, second.corner) == ("Bo's Knight 2", "fallen-2", "2")
    assert (states(first), states(second)) == (set(), {"fallen"})
    assert [(change(piece.on_it[0]), piece.on_it[0].text) for piece in (first, second)] == [
        (("wounds", 3, None), "falls at 10, struck by 1 Knight of Ann now"),
        (("wounds", 10, None), "falls at 10"),
    ]
    shown = [numbers(piece) for piece in (first, second)]
    assert [(own["health"], own["points"]) for own in shown] == [(7, 2), (0, 0)]


def test_the_knights_of_a_battle_show_whose_they_are_and_so_do_castles():
    from quintain.server.pages.heraldry import picture, seat_arms

    match = fighting({ANN: 2, BO: 1}, bandits=1)
    zones = ("fighters.0", "fighters.1", "fighters.6", "tiles")
    lying = [piece for id_ in zones for piece in pieces(match, id_)]
    shown = {piece.id: picture(match.game, piece.key, piece.seat) for piece in lying}
    assert shown["fighter.0.1"].arms == seat_arms(ANN) and shown["fighter.0.1"].label == "2"
    assert shown["fighter.1.0"].arms == seat_arms(BO) and shown["fighter.1.0"].label == "1"
    assert shown["fighter.6.0"].arms == "heirless.bandit" and shown["fighter.6.0"].label == "1"
    assert [shown[f"tile.{st.CASTLE + seat}"].arms for seat in (ANN, BO)] == [seat_arms(ANN), seat_arms(BO)]


def test_a_knight_like_one_before_looks_standing_and_is_not_barred():
    match = fighting({ANN: 1, BO: 3}, {ANN: {st.DELAY: 2}}, {BO: [0, 10]})
    first, fallen, twin = pieces(match, "fighters.1", ANN)
    assert twin.means == () and fallen.means != () and fallen.acts == ()
    assert [act.action for act in first.acts] == [act.action for act in match.view(ANN).menu if not act.final]
    assert [(act.words, act.final) for act in match.view(ANN).acts] == [("hold back", True)]
    assert twin.key == "seat-3" and fallen.key == "fallen-2"


def test_touching_a_knight_strikes_it_and_one_that_cannot_be_struck_says_why():
    match = fighting({ANN: 2, BO: 2}, {ANN: {st.DELAY: 2}}, {BO: [3, 10]})
    first, second = pieces(match, "fighters.1", ANN)
    (reach,) = first.reaches
    assert (match.why_not(ANN, reach.action), reach.piece, first.not_now) == (None, "fighter.0.0", "")
    assert second.not_now == "struck down"
    assert match.why_not(ANN, second.means[0]).words == "Bo's Knight 2 is struck down"
    assert not any(means(match, "fighters.0", ANN)) and not any(means(match, "fighters.1", BO))


def test_the_scene_stays_after_the_battle_with_points_and_victor():
    match = fighting({ANN: 2, BO: 1})
    play(match, "hold back", "hold back")
    assert phase(match) == "muster"
    assert zone(match, "battle").words == "The last battle at the Wolf Camp"
    assert states(side(match, ANN)) == {"victor", "acted"} and states(side(match, BO)) == {"acted"}
    assert change(side(match, ANN).on_it[-1]) == ("points", 8, None)
    assert match.view().scene is None, "no battle runs"


def test_allies_are_marked():
    match = all_guard(battle({ANN: 1, BO: 1, CID: 1}))
    assert means(match, "battle", ANN) == [(), (st.PROPOSE + BO,), (st.PROPOSE + CID,)]
    assert match.view(ANN).about == ("side.1", "side.2")
    play(match, "propose an alliance to Cid")
    assert asked(match, CID) == "Ann offers you an alliance. Do you accept?"
    assert match.view(CID).about == ("side.0",)
    play(match, "accept")
    assert states(side(match, ANN)) == {"allied.2"}
    assert states(side(match, CID)) == {"allied.0", "strikes"}
    legend = {label.key: label.words for label in match.view().legend}
    assert (legend["allied.2"], legend["strikes"]) == ("allied with Cid", "strikes now")


def test_a_card_leaves_your_hand_as_soon_as_you_place_it():
    match = battle({ANN: 1, BO: 1})
    play(match, "Ann: attack with Feint")
    assert "Feint" not in cards_of(match, "hand.0", ANN) and "Feint" in cards_of(match, "hand.0", BO)
    assert [lying.key for lying in placed_by(match, ANN, ANN)] == ["card_feint"]
    assert placed_by(match, ANN, BO) == []
    assert means(match, "hand.0", ANN) == [(st.DEFEND + card, st.ATTACK + card) for card in (1, 2, 3, 4, 5)]


def test_a_player_who_places_a_card_is_asked_by_its_values_and_sees_them():
    match = battle({ANN: 1, BO: 1})
    assert asked(match, ANN) == "Which card do you attack with?"
    assert match.view(ANN).question.help == "It changes Damage, Precision and Delay."
    assert match.view(ANN).question.key == "attack" and match.view(ANN).about == ("side.0",)
    charge = pieces(match, "hand.0", ANN)[3]
    assert [stat.written for stat in charge.stats] == "+2 -2 -3 -1 +4 +1".replace("-", "\N{MINUS SIGN}").split()
    assert charge.text == IN_ROLE["attack"]
    assert all(piece.text == "" for viewer in (BO, CID, ONLOOKER) for piece in pieces(match, "hand.0", viewer))
    play(match, "Ann: attack with Feint")
    assert asked(match, ANN) == "Which card do you defend with?"
    assert match.view(ANN).question.key == "defend"
    cleave = pieces(match, "hand.0", ANN)[1]
    assert [stat.key for stat in cleave.stats][:3] == ["defend.dodge", "defend.defense", "defend.wound"]
    assert [stat.number for stat in cleave.stats][:3] == [4, -1, 1] and cleave.text == IN_ROLE["defend"]
    assert [piece.text for piece in placed_by(match, ANN, ANN)] == [IN_ROLE["attack"]]
    play(match, "Ann: defend with Cleave")
    assert all(piece.text == "" for piece in pieces(match, "hand.0", ANN))


def test_the_last_card_of_a_hand_shows_its_numbers_for_either_role():
    match = altered(battle({ANN: 1, BO: 1}), f"hand[{ANN}] = {0b1000}")
    (charge,) = pieces(match, "hand.0", ANN)
    either = f"{IN_ROLE['attack']}, or {IN_ROLE['defend']}"
    assert (charge.name, charge.text, match.view(ANN).question.key) == ("Charge", either, "either")
    assert [act.words for act in charge.acts] == ["attack with Charge", "defend with Charge"]
    play(match, "Ann: defend with Charge")
    assert pieces(match, "hand.0", ANN)[0].text == IN_ROLE["attack"]


@pytest.mark.clause("HB-7")
@pytest.mark.parametrize("left", [[], ["Guard"]])
def test_discards_that_you_take_up_lie_in_your_hand_and_the_question_says_so(left: list[str]):
    usual = [card["name"] for card in TABLES["cards"]]
    bits = sum(1 << usual.index(name) for name in left)
    match = altered(battle({ANN: 1, BO: 1}), f"hand[{ANN}] = {bits}")
    if left:
        assert cards_of(match, "hand.0", ANN) == left
        play(match, "Ann: attack with Guard")
    assert match.view(ANN).question.help.startswith("You have taken your discards up. It changes ")
    rest = [name for name in usual if name not in left]
    assert cards_of(match, "hand.0", ANN) == rest and cards_of(match, "discards.0", ANN) == []
    assert cards_of(match, "hand.0", BO) == left
    if not left:
        play(match, "Ann: attack with Guard")
    play(match, "Ann: defend with Feint")
    assert cards_of(match, "hand.0", ANN) == [name for name in usual if name not in ("Guard", "Feint")]


def test_tiles_show_the_location_of_interest_and_running_and_resolved_battles():
    match = begin(3)
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 2}}, {WOLF: 1, CAT: 1})
    assert hosts(match)["Wolf Camp"] == {"Ann": 1, "Bo": 2, "Bandits": 1}
    play(match, "fight at the Capital")
    place(match, Ann="Feint, Guard", Bo="Feint, Guard")
    play(match, *["hold back"] * 2)
    found = {piece.name: states(piece) for piece in pieces(match, "tiles")}
    assert found["Capital"] == {"resolved"} and "battle" in found["Wolf Camp"]
    assert sum("location" in there for there in found.values()) == 1


def test_you_touch_a_tile_in_the_muster_and_to_choose_a_battle():
    match = begin(3)
    assert [piece.reaches for piece in pieces(match, "tiles", BO)] == [(Reach(tile, "stock.0"),) for tile in range(7)]
    assert match.view(BO).about == tuple(f"tile.{tile}" for tile in range(7))
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1}, BO: {CAPITAL: 1, WOLF: 2}})
    assert means(match, "tiles", ANN)[:2] == [(st.FIGHT,), (st.FIGHT + 1,)]
    assert match.view(ANN).about == ("tile.0", "tile.1")
    assert not any(means(match, "tiles", BO))


def test_the_attributes_show_their_tracks():
    match = altered(begin(2, order=(BO, ANN)), f"step[{ANN}][{st.DEFENSE}] = 3")
    first, second = pieces(match, "players")
    assert (first.name, second.name, first.key) == ("Bo", "Ann", "seat")
    assert [numbers(lying) for lying in second.on_it] == [
        {"resources": 0},
        {"steps": 0},
        {"damage": 8, "next": 9},
        {"precision": 3, "next": 4},
        {"dodge": 3, "next": 4},
        {"defense": 4},
        {"delay": 6, "next": 5},
        {"health": 8, "next": 10},
    ]
    assert [lying.kind for lying in second.on_it[4:6]] == ["step 1 of 6", "at its end"]


@pytest.mark.clause("HB-23")
def test_tiles_show_what_they_pay_and_less_where_allies_have_won():
    match = altered(begin(3), f"location = {CAT}")
    assert [numbers(piece) for piece in pieces(match, "tiles")] == [{"pay": pay} for pay in (4, 3, 4, 3, 2, 2, 2)]
    shared = altered(match, f"shared = {1 << CAT}")
    assert change(pieces(shared, "tiles")[CAT]) == ("pay", 3, 4)


@pytest.mark.clause("HB-25")
def test_scores_are_resources_and_improvement_steps_settle_ties():
    match = altered(begin(3), "resources = 7 9 7 0 0 0", "gained = 1 0 2 0 0 0")
    for viewer in (ANN, ONLOOKER):
        scores = match.view(viewer).scores
        assert [(score.number, score.rank, score.unit) for score in scores] == [
            (7, 3, "Resources"),
            (9, 1, "Resources"),
            (7, 2, "Resources"),
        ]
        assert all(score.certain for score in scores)
        assert [match.view(viewer).count("steps", seat) for seat in (ANN, BO, CID)] == [1, 0, 2]


def test_the_phase_names_the_steps_of_a_season():
    match = begin(3, seasons=2)
    assert (phase(match), match.view().phase.round, match.view().phase.rounds) == ("muster", 1, 2)
    match = mustered(altered(match, "season = 1"), {ANN: {CAPITAL: 1}, BO: {CAPITAL: 1}}, {})
    assert [step.key for step in match.view().phase.steps] == ["muster", "battles", "rewards"]
    now = match.view().phase
    assert (phase(match), now.words, now.round, now.unit) == ("cards", "Battles", 2, "season")
    assert now.note == f"Location of Interest: {TILE_NAMES[state_of(match).location]}"
    place(match, Ann="Feint, Guard", Bo="Feint, Guard")
    play(match, "hold back", "hold back")
    assert phase(match) == "over" and match.view().phase.words == "Over"


@pytest.mark.clause("HB-6")
def test_the_scene_of_a_battle_has_slots_for_your_cards_and_shows_attributes_until_the_cards_are_open():
    match = battle({ANN: 2, BO: 1}, bandits=1)
    play(match, "Ann: attack with Feint")
    scenes = {viewer: match.view(viewer).scene for viewer in (ANN, BO, CID, ONLOOKER)}
    assert {viewer: scene.slots for viewer, scene in scenes.items()} == {
        ANN: ("attack.0", None),
        BO: (None, None),
        CID: (),
        ONLOOKER: (),
    }
    scene = scenes[ANN]
    assert (scene.kind, scene.size, scene.title) == ("battle", "stage", "Battle at the Wolf Camp")
    assert scene.places == ("tile.1",) and scene.lines == ()
    assert [(part.seat, part.name, part.total) for part in scene.sides] == [
        (ANN, "Ann", None),
        (BO, "Bo", None),
        (None, "The Bandits", None),
    ]
    assert scene.sides[0].pieces == ("attack.0", "fighter.0.0", "fighter.0.1")
    assert scenes[BO].sides[0].pieces == ("fighter.0.0", "fighter.0.1"), "cards placed in secret are not shown"
    attributes = {"damage": 8, "precision": 3, "dodge": 3, "defense": 1, "delay": 6, "health": 8}
    shown = {
        viewer: {stat.key: stat.number for stat in scenes[viewer].sides[0].stats} for viewer in (ANN, BO, ONLOOKER)
    }
    assert shown[BO] == shown[ONLOOKER] == attributes
    assert shown[ANN] == attributes | {"damage": 11, "precision": 6, "delay": 7}, "you see what your own card changes"


@pytest.mark.clause("HB-16", "HB-17")
def test_the_scene_of_open_cards_has_the_points_so_far_and_the_side_that_would_win():
    match = fighting({ANN: 2, BO: 2, CID: 1}, {ANN: {st.DELAY: 2}}, {BO: [3, 10]}, allies=[(BO, CID)])
    scene = match.view().scene
    assert [part.total for part in scene.sides] == [8, 2, 4]
    assert [line.words for line in scene.lines] == ["If it ended now, Ann would win with 8 points."]
    assert [line.words for line in match.view(ANN).scene.lines] == ["If it ended now, you would win with 8 points."]
    assert scene.sides[1].pieces == ("attack.1", "defend.1", "fighter.1.0", "fighter.1.1")
    assert [(stat.key, stat.number) for stat in scene.sides[0].stats][-3:] == [
        ("delay", 2),
        ("health", 10),
        ("turn", 1),
    ]
    assert match.view(ANN).about == ("fighter.0.0",)


@pytest.mark.parametrize(
    ("viewer", "line"),
    [
        (ANN, "You keep 3 Knights at home."),
        (BO, "Ann keeps 3 Knights at home."),
        (None, "Ann keeps 3 Knights at home."),
    ],
)
def test_the_log_says_you_to_the_player_and_names_the_others(viewer: int | None, line: str):
    match = begin(2)
    for name, tile in (("Ann", "Ann's Castle"), ("Bo", "Ann's Castle")):
        play(match, *[f"{name}: send a Knight to {tile}"] * 3, f"{name}: send a Knight to the Wolf Camp")
    assert line in match.log(viewer)
    castle = "your Castle" if viewer == ANN else "Ann's Castle"
    who = "You send" if viewer == BO else "Bo sends"
    assert f"{who} 3 Knights to {castle}." in match.log(viewer)


@pytest.mark.parametrize(
    ("viewer", "line"),
    [
        (ANN, "You send 3 Knights to the Fox Camp."),
        (BO, "Ann sends 3 Knights to the Fox Camp."),
        (ONLOOKER, "Ann sends 3 Knights to the Fox Camp."),
    ],
)
def test_the_fox_camp_is_nobodys_castle(viewer: int | None, line: str):
    match = begin(2)
    for name in ("Ann", "Bo"):
        play(match, *[f"{name}: send a Knight to the Fox Camp"] * 3, f"{name}: send a Knight to the Wolf Camp")
    assert line in match.log(viewer)


def test_the_log_words_blows_for_each_side():
    match = fighting({ANN: 1, BO: 1}, {ANN: {st.DELAY: 2, st.DAMAGE: 20}})
    play(match, "strike Bo's Knight 1")
    assert match.log(ANN)[1:3] == [
        "Your Knight 1 strikes Bo's Knight 1.",
        "Bo's Knight 1 takes 10 Wounds (40 dealt) and is struck down.",
    ]
    assert match.log(BO)[1:3] == [
        "Ann's Knight 1 strikes your Knight 1.",
        "Your Knight 1 takes 10 Wounds (40 dealt) and is struck down.",
    ]
    assert "You have no battle turn, with nobody left standing." in match.log(BO)
    assert "You win the battle at the Wolf Camp." in match.log(ANN)


def test_moves_are_read_however_they_are_typed():
    match = begin(2)
    for words in (
        "Send a knight to THE wolf camp",
        "send  a Knight to bo's castle",
        "send a Knight to seat 1's Castle",
    ):
        match.play(ANN, words)
    assert hosts(match, ANN)["Wolf Camp"]["Ann"] == 1 and hosts(match, ANN)["Bo's Castle"] == {"Ann": 2}
    with pytest.raises(IllegalMove, match="no move of Heirless battles is written"):
        match.play(ANN, "send a Knight to the moon")


def test_an_illegal_strike_is_refused_in_plain_words():
    match = fighting({ANN: 1, BO: 2}, {ANN: {st.DELAY: 2}})
    with pytest.raises(IllegalMove, match=r"Ann cannot strike Bo's Knight 2 now: Bo's Knight 2 is like one"):
        play(match, "strike Bo's Knight 2")


def test_reasons_for_a_seat_that_is_not_asked():
    match = battle({ANN: 1, BO: 1})
    assert reason(match, CID, "attack with Feint") == ("HB-4", "you have no Knights in the battle at the Wolf Camp")
    place(match, Ann="Feint, Guard")
    assert reason(match, ANN, "attack with Feint") == (
        "HB-6",
        "you have placed both cards, and others are still placing theirs",
    )
    assert reason(match, BO, "fight at the Capital") == (
        "HB-6",
        "you are asked: Which card do you attack with?",
    )


@pytest.mark.clause("HB-2")
def test_a_fight_in_a_castle_is_refused_with_its_clause():
    match = begin(2)
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1, st.CASTLE: 1}, BO: {CAPITAL: 1, WOLF: 1, st.CASTLE: 1}})
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
    match = mustered(match, {ANN: {WOLF: 2}}, {WOLF: 2})
    assert len(cards_of(match, f"hand.{BANDITS}", BO)) == 6
    assert placed_by(match, BANDITS) == []
    place(match, Ann="Charge, Guard")
    assert len(cards_of(match, f"hand.{BANDITS}", BO)) == 4 and cards_of(match, f"discards.{BANDITS}", BO) == []
    assert last(match, 99).count("There is a battle at the Wolf Camp.") == 1


def test_discards_of_bandits_lie_open():
    match = begin(2)
    match = mustered(match, {ANN: {WOLF: 2}}, {WOLF: 2})
    place(match, Ann="Charge, Guard")
    play(match, "hold back")
    left, gone = (cards_of(match, f"{zone_}.{BANDITS}", BO) for zone_ in ("hand", "discards"))
    assert len(left) == 4 and sorted(left + gone) == sorted(card["name"] for card in TABLES["bandit_cards"])


def test_a_player_who_fights_bandits_sees_the_numbers_of_the_cards_they_may_draw():
    match = mustered(begin(2), {ANN: {WOLF: 2}}, {WOLF: 1, CAT: 1})
    ambush = pieces(match, f"hand.{BANDITS}", ANN)[0]
    assert [stat.written for stat in ambush.stats] == ["+4", "+4", "\N{MINUS SIGN}3", "+3", "+1", "+3"]
    assert (ambush.name, ambush.text) == ("Ambush", f"{IN_ROLE['attack']}, or {IN_ROLE['defend']}")
    assert all(piece.text == "" for piece in pieces(match, f"hand.{BANDITS + 1}", ANN)), "they are not in this battle"
    assert all(piece.text == "" for piece in pieces(match, f"hand.{BANDITS}", BO)), "who places nothing is not asked"


def test_every_key_of_the_usual_cards_has_arms():
    from quintain.server.pages.heraldry import arms_of

    game = quintain.game("heirless")
    known = arms_of(game)
    match = begin(3)
    match = mustered(match, {ANN: {WOLF: 4}, BO: {WOLF: 4}}, {WOLF: 2, CAT: 1})
    keys = {piece.key.partition("-")[0] for piece in match.view(ANN).pieces() if piece.key}
    assert keys - {"seat"} <= set(known)
