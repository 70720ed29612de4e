"""Heirless battles: what the pieces that a player touches lead to, and what they show before the touch."""

import random

import pytest

from games.heirless_positions import (
    ANN,
    BANDITS,
    BO,
    CAPITAL,
    CAT,
    CID,
    DEE,
    FOX,
    ONLOOKER,
    WOLF,
    all_guard,
    altered,
    battle,
    begin,
    fighting,
    mustered,
    numbers,
    piece_of,
    pieces,
    place,
    play,
    states,
    zone,
)
from quintain.engine.seen.layout import only_choice
from quintain.games.heirless import state as st


@pytest.mark.clause("HB-13", "HB-14")
def test_a_target_shows_what_the_knights_set_on_it_do_and_what_one_more_would_do():
    match = fighting({ANN: 3, BO: 1, CID: 1}, {ANN: {st.DELAY: 2}}, {BO: [3]}, allies=[(ANN, CID)])
    (target,), (ally,) = pieces(match, "fighters.1"), pieces(match, "fighters.2")
    assert numbers(target) == {"health": 7, "points": 2, "blow": 8, "after": 0}, "doubled: Bo is slow"
    assert [line.words for line in target.now] == [
        "Damage 4; Dodge 4 is below Precision 5: still 4; less Defense 0: 4; times 2, for Delay 5 is twice 2 or more: 8"
    ]
    assert numbers(ally).keys() == {"health", "points"} and ally.now == ()
    play(match, "strike Bo's Knight 1")
    (target,) = pieces(match, "fighters.1", CID)
    assert numbers(target) == {"health": 7, "points": 2, "set": 1, "will": 0, "blow": 16, "after": 0}
    assert [states(piece) for piece in pieces(match, "fighters.0", ANN)] == [{"sent"}, {"strikes"}, set()]
    assert [states(piece) for piece in pieces(match, "fighters.0", CID)] == [{"sent"}, set(), set()]


def test_the_knight_in_question_leads_to_each_target_and_each_target_can_be_named():
    match = fighting({ANN: 2, BO: 2}, {ANN: {st.DELAY: 2}}, {BO: [3]}, bandits=1)
    first, second = pieces(match, "fighters.0", ANN)
    targets = [piece for side in (BO, BANDITS) for piece in pieces(match, f"fighters.{side}", ANN)]
    leads = {act.target: act.action for act in first.acts}
    assert leads == {piece.id: piece.acts[0].action for piece in targets} and len(leads) == 3
    assert second.acts == () and match.view(ANN).about == (first.id,)
    assert only_choice(match.view(ANN)) == first.id, "one touch of a target is enough"
    assert [(act.short, act.target) for act in first.acts][-1] == ("Bandit 1", "fighter.6.0")
    assert all(piece.acts == () for piece in pieces(match, "fighters.0", BO))


def test_of_many_sides_the_scene_begins_with_the_viewers_and_those_that_act_next():
    delays = {ANN: 9, BO: 2, CID: 4, DEE: 6}
    match = fighting(dict.fromkeys(delays, 1), {seat: {st.DELAY: delay} for seat, delay in delays.items()}, seats=4)
    order = {viewer: [side.seat for side in match.view(viewer).scene.sides] for viewer in (ANN, DEE, ONLOOKER)}
    assert order == {ANN: [ANN, BO, CID, DEE], DEE: [BO, CID, DEE, ANN], ONLOOKER: [BO, CID, DEE, ANN]}
    play(match, "hold back", "hold back")
    assert [side.seat for side in match.view(ANN).scene.sides] == [ANN, BO, DEE, CID]


@pytest.mark.clause("HB-11")
def test_a_player_who_is_asked_for_an_alliance_sees_the_proposer_among_the_first_sides():
    match = battle({ANN: 1, BO: 1, CID: 1, DEE: 1}, seats=4)
    place(match, Ann="Riposte, Cleave", Bo="Guard, Cleave", Cid="Guard, Cleave", Dee="Guard, Cleave")
    assert [side.seat for side in match.view(BO).scene.sides] == [BO, CID, DEE, ANN]
    play(match, "propose an alliance to Bo")
    first_sides = {viewer: {side.seat for side in match.view(viewer).scene.sides[:3]} for viewer in (BO, CID)}
    assert first_sides == {BO: {BO, ANN, DEE}, CID: {BO, CID, DEE}}


@pytest.mark.clause("HB-11", "HB-23")
def test_the_scene_says_what_each_alliance_would_count_and_pay():
    match = all_guard(battle({ANN: 1, BO: 2, CID: 1}, bandits=1))
    lines = [line.words for line in match.view(BO).scene.lines[1:]]
    pay = numbers(pieces(match, "tiles")[WOLF])["pay"]
    assert lines == [
        f"You and Ann would have 6 + 3 = 9 points together. If you win together, each of you earns {pay - 1} "
        f"instead of {pay}.",
        f"Ann and Cid would have 3 + 3 = 6 points together. If they win, each earns {pay - 1} instead of {pay}.",
    ]
    play(match, "propose an alliance to Bo")
    (asked,) = match.view(BO).scene.lines[1:]
    assert asked.words.startswith("You and Ann would have 6 + 3 = 9 points together. If you win together, each of you")


@pytest.mark.clause("HB-22")
def test_the_next_knight_of_the_stock_leads_to_every_tile():
    match = begin(2)
    play(match, "Bo: send a Knight to the Wolf Camp")
    first, *rest = pieces(match, "stock", BO)
    assert (first.id, len(rest)) == ("stock.1", 2) and not any(piece.acts for piece in rest)
    tiles = pieces(match, "tiles", BO)
    assert [act.target for act in first.acts] == [piece.id for piece in tiles]
    assert only_choice(match.view(BO)) == first.id and {act.target for piece in tiles for act in piece.acts} == {
        first.id
    }
    assert len(pieces(match, "stock", ANN)) == 4 and zone(match, "stock") is None


def test_every_piece_that_can_be_touched_explains_itself():
    explained, match, chance = set(), begin(3), random.Random(5)
    while not match.outcome:
        seat = chance.choice(sorted(match.to_act))
        touched = [piece for piece in match.view(seat).pieces() if piece.acts]
        assert all(piece.text and piece.name for piece in touched)
        explained |= {piece.id.partition(".")[0] for piece in touched}
        match.play(seat, chance.choice(match.moves(seat)).action)
    assert explained >= {"tile", "stock", "hand", "fighter", "side", "damage"}


@pytest.mark.clause("HB-3")
def test_a_tile_without_a_battle_for_you_says_why_in_its_tag_row():
    hosts = {ANN: {CAPITAL: 1, WOLF: 1, CAT: 1}, BO: {CAPITAL: 1, WOLF: 1, FOX: 1}}
    match = mustered(begin(3), hosts, {WOLF: 0, CAT: 0, FOX: 0})
    assert [piece.not_now for piece in pieces(match, "tiles", ANN)[: st.CASTLE]] == [
        *("", ""),
        "nobody to fight",
        "none of yours",
    ]
    assert not any(piece.not_now for piece in pieces(match, "tiles", BO))


@pytest.mark.clause("HB-11")
def test_a_side_that_forms_no_alliance_says_so_in_its_tag_row():
    match = all_guard(battle({ANN: 1, BO: 1, CID: 1}, bandits=1))
    sides = {piece.id: piece.not_now for piece in pieces(match, "battle", ANN)}
    assert sides == {"side.0": "", "side.1": "", "side.2": "", "side.6": "never an ally"}


@pytest.mark.clause("HB-14", "HB-23")
def test_a_track_that_you_may_raise_names_those_whose_value_it_reaches():
    match = altered(
        fighting({ANN: 1}, bandits=1), f"phase = {st.IMPROVE}", f"actor = {ANN}", f"step[{BO}][{st.DODGE}] = 1"
    )
    found = {piece.id: [line.words for line in piece.now] for piece in match.view(ANN).pieces() if piece.acts}
    assert found == {
        "damage.0": [],
        "precision.0": ["reaches the Dodge of Bo"],
        "dodge.0": [],
        "defense.0": [],
        "delay.0": [],
        "health.0": [],
    }
    faster = altered(match, f"step[{CID}][{st.DELAY}] = 1", f"step[{BANDITS}][{st.DELAY}] = 1")
    assert [line.words for line in piece_of(faster, "delay.0", ANN).now] == [
        "reaches the Delay of Cid and the Wolf Camp"
    ]


@pytest.mark.clause("HB-14", "HB-15")
def test_while_blows_and_points_are_told_the_battle_is_in_sight():
    match, chance, told = begin(3), random.Random(4), []
    while match.to_act and len(told) < 20:
        seat = min(match.to_act)
        match.play(seat, chance.choice(match.moves(seat)).text)
        for seen in match.moments(ONLOOKER):
            words = seen.changes[0].words
            if " takes " in words and "Wound" in words:
                told.append(seen.view.scene)
    assert len(told) >= 20 and all(scene and scene.kind == "battle" for scene in told)
