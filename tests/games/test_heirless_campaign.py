"""Heirless battles: where battles are, player order, and the campaign around them, HB-1 to HB-4 and HB-19 to HB-25."""

from collections import Counter

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
    NAMES,
    WOLF,
    altered,
    asked,
    attributes,
    begin,
    hosts,
    last,
    menu,
    mustered,
    phase,
    pieces,
    place,
    play,
    reason,
    resources,
    row,
)
from games.naive_heirless import TABLES
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules.fields import UNKNOWN
from quintain.games.heirless import state as st
from quintain.games.heirless.words import TRACK_NAMES

OFF = {"bandits": "off"}
START = [TABLES["tracks"][name][0] for name in TRACK_NAMES]


def castle(seat: int) -> int:
    return st.CASTLE + seat


def fight_out(match, *cards: str):
    """Play a battle to its end: all players place the same cards, nobody allies, nobody strikes."""
    for seat in sorted(match.to_act):
        place(match, **{NAMES[seat]: cards[0] if cards else "Guard, Cleave"})
    while phase(match) in ("alliances", "turns"):
        play(match, "propose nothing" if phase(match) == "alliances" else "hold back")
    return match


def at_the_end(match, owner: int, but: int | None = None) -> str:
    """Return a line of a position: all tracks of an owner are at their end, `but` one, a step before it."""
    return f"step[{owner}] = {row((steps - 1 - (track == but) for track, steps in enumerate(match.book.steps)), 6)}"


def battles(match) -> list[str]:
    return [line.split(" at the ")[1].rstrip(".") for line in match.log() if line.startswith("There is a battle")]


def location(match) -> str:
    """Return the camp that everybody sees as the Location of Interest."""
    (camp,) = (piece.name for piece in pieces(match, "tiles") if "location" in piece.state)
    return camp


def defeat(match, count: int, last_season: bool = False, gained: int = 0):
    """Return a match in which Ann has just beaten `count` Bandits on the Wolf Camp, before the rewards."""

    season = match.book.seasons - 1 if last_season else 0
    lines = [f"defeated[{WOLF}] = {count}", f"gained[{ANN}] = {gained}", f"fought = {1 << WOLF}", f"season = {season}"]
    return mustered(altered(match, *lines, "bandits = 0"), {ANN: {WOLF: 1}})


@pytest.mark.clause("HB-1", "HB-4")
def test_knights_of_different_players_fight_and_those_of_one_do_not():
    match = begin(3, **OFF)
    match = mustered(match, {ANN: {CAPITAL: 2, CAT: 2}, BO: {CAPITAL: 1}, CID: {FOX: 4}})
    assert battles(match) == ["Capital"]
    fight_out(match)
    assert phase(match) == "muster" and battles(match) == ["Capital"]


@pytest.mark.clause("HB-1", "HB-4")
def test_knights_and_bandits_fight():
    match = begin(2)
    match = mustered(match, {ANN: {WOLF: 4}, BO: {CAPITAL: 4}}, {WOLF: 1, CAT: 1, FOX: 2})
    assert battles(match) == ["Wolf Camp"]
    assert match.to_act == {ANN}


@pytest.mark.clause("HB-2")
def test_foreign_knights_in_a_castle_cause_no_battle():
    match = begin(3, **OFF)
    match = mustered(match, {ANN: {castle(BO): 4}, BO: {castle(BO): 1, castle(CID): 3}, CID: {castle(BO): 4}})
    assert battles(match) == []
    assert phase(match) == "muster"


@pytest.mark.clause("HB-3")
def test_each_player_in_order_chooses_among_the_battles_left_to_them():
    match = begin(3, order=(CID, ANN, BO), knights=6, **OFF)
    everywhere = {CAPITAL: 1, WOLF: 1, CAT: 1}
    match = mustered(match, {ANN: everywhere, BO: {**everywhere, FOX: 1}, CID: {CAPITAL: 1, CAT: 1}})
    assert match.to_act == {CID}
    assert asked(match, CID) == "Which battle comes next?"
    assert menu(match) == ["fight at the Capital", "fight at the Cat Camp"]
    assert reason(match, CID, "fight at the Wolf Camp") == ("HB-3", "you have no Knights at the Wolf Camp")
    play(match, "fight at the Cat Camp")
    fight_out(match)
    fight_out(match, "Feint, Thrust")
    assert battles(match)[:3] == ["Cat Camp", "Capital", "Wolf Camp"]
    assert match.to_act == {ANN, BO}


@pytest.mark.clause("HB-3")
def test_a_battle_once_resolved_is_gone_for_everybody_allied_victors_included():
    match = begin(3, **OFF)
    match = mustered(match, {seat: {CAPITAL: 1, WOLF: 1} for seat in (ANN, BO, CID)})
    play(match, "fight at the Capital")
    for name in ("Ann", "Bo", "Cid"):
        place(match, **{name: "Guard, Cleave"})
    play(match, "propose an alliance to Bo", "accept", *["hold back"] * 3)
    assert set(hosts(match)["Capital"]) == {"Ann", "Bo"}
    assert battles(match) == ["Capital", "Wolf Camp"]
    fight_out(match, "Feint, Thrust")
    assert battles(match) == ["Capital", "Wolf Camp"]


@pytest.mark.clause("HB-3")
def test_reasons_against_a_battle():
    match = begin(2, **OFF)
    match = mustered(match, {ANN: {CAPITAL: 1, WOLF: 1, FOX: 1, CAT: 1}, BO: {CAPITAL: 1, WOLF: 1, CAT: 1}})
    assert reason(match, ANN, "fight at the Fox Camp") == ("HB-1", "there is nobody to fight at the Fox Camp")
    play(match, "fight at the Wolf Camp")
    fight_out(match)
    assert reason(match, ANN, "fight at the Wolf Camp") == ("HB-3", "the battle at the Wolf Camp has been resolved")


@pytest.mark.clause("HB-3")
def test_bandits_alone_do_not_fight():
    match = begin(2)
    match = mustered(match, {ANN: {castle(ANN): 4}, BO: {CAPITAL: 4}})
    assert battles(match) == []


@pytest.mark.clause("HB-19")
def test_the_order_is_drawn_and_the_first_player_moves_to_the_end_each_season():
    drawn = Counter()
    for seed in range(300):
        match = Match.new("heirless", 3, seed=seed.to_bytes(32, "big"))
        drawn[tuple(piece.seat for piece in pieces(match, "players"))] += 1
    assert len(drawn) == 6 and min(drawn.values()) > 25
    match = begin(3, order=(BO, CID, ANN), **OFF)
    for order in ((CID, ANN, BO), (ANN, BO, CID)):
        match = mustered(match, {ANN: {CAPITAL: 4}})
        assert [piece.name for piece in pieces(match, "players")] == [NAMES[seat] for seat in order]


@pytest.mark.clause("HB-20")
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_tiles_the_knights_and_the_usual_seasons(seats: int):
    match = begin(seats)
    tiles = ["Capital", "Wolf Camp", "Cat Camp", "Fox Camp", *(f"{NAMES[seat]}'s Castle" for seat in range(seats))]
    assert list(hosts(match)) == tiles
    assert match.view().phase.rounds == (4 if seats == 2 else seats)
    assert asked(match, ANN) == "Where do you send Knight 1 of 4?"


@pytest.mark.clause("HB-20")
@pytest.mark.parametrize(
    ("options", "bounds"),
    [
        ({"seasons": "0"}, "from 1 to 9.*HB-20"),
        ({"seasons": "10"}, "from 1 to 9.*HB-20"),
        ({"knights": "0"}, "from 1 to 6.*HB-20"),
        ({"knights": "7"}, "from 1 to 6.*HB-20"),
        ({"bandits": "some"}, "on or off.*HB-20"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, str], bounds: str):
    with pytest.raises(BadOption, match=bounds):
        begin(3, **options)


@pytest.mark.clause("HB-20")
def test_without_bandits_there_are_none_and_no_improvements_and_camps_pay():
    match = begin(2, seasons=2, **OFF)
    assert all("Bandits" not in there for there in hosts(match).values())
    before = [attributes(match, seat) for seat in (ANN, BO)]
    match = mustered(match, {ANN: {WOLF: 1, CAT: 1, FOX: 1}, BO: {castle(BO): 4}})
    assert resources(match) == [3 + 3 + 4, 0]
    assert [attributes(match, seat) for seat in (ANN, BO)] == before
    assert not any("raise" in line or "improvement" in line for line in match.log())


@pytest.mark.clause("HB-21")
def test_each_camp_has_a_bandit_and_the_location_of_interest_one_more_drawn_each_season():
    places = Counter()
    for seed in range(100):
        match = begin(2, seed=seed)
        seasons = []
        for _ in range(2):
            camp = location(match)
            there = {tile: found.get("Bandits", 0) for tile, found in hosts(match).items() if "Camp" in tile}
            assert there == {name: 1 + (name == camp) for name in ("Wolf Camp", "Cat Camp", "Fox Camp")}
            seasons.append(camp)
            match = mustered(match, {ANN: {CAPITAL: 1}})
            (line,) = (line for line in match.log() if line.startswith("Season"))
            assert line.endswith(f" is at the {location(match)}.")
        places[tuple(seasons)] += 1
    assert len(places) == 9


@pytest.mark.clause("HB-22")
def test_all_send_their_knights_at_the_same_time_and_in_secret():
    match = begin(3)
    assert match.to_act == {ANN, BO, CID}
    assert menu(match, BO)[3:6] == [
        "send a Knight to the Fox Camp",
        "send a Knight to Ann's Castle",
        "send a Knight to Bo's Castle",
    ]
    before = match.blinded(BO).pack()
    play(match, "Ann: send a Knight to the Wolf Camp", "Ann: send a Knight to Bo's Castle")
    assert match.blinded(BO).pack() == before
    assert hosts(match, ANN)["Wolf Camp"] == {"Ann": 1, "Bandits": hosts(match)["Wolf Camp"]["Bandits"]}
    assert "Ann" not in hosts(match, BO)["Wolf Camp"]
    play(match, "Ann: send a Knight to the Wolf Camp", "Ann: send a Knight to the Wolf Camp")
    assert match.to_act == {BO, CID} and last(match) == ["Ann has sent all Knights out."]
    assert match.blinded(None).host[ANN] == [UNKNOWN] * st.TILES
    assert reason(match, ANN, "send a Knight to the Capital") == (
        "HB-22",
        "you have sent all your Knights, and others are still sending theirs",
    )
    for _ in range(4):
        play(match, "Bo: send a Knight to the Capital", "Cid: send a Knight to Cid's Castle")
    assert hosts(match, BO)["Wolf Camp"]["Ann"] == 3 and hosts(match)["Bo's Castle"] == {"Ann": 1}
    assert {"Ann sends 3 Knights to the Wolf Camp.", "Cid keeps 4 Knights at home."} <= set(match.log())


@pytest.mark.clause("HB-22")
def test_there_is_no_castle_without_a_player():
    assert reason(begin(3), ANN, "send a Knight to seat 3's Castle") == (
        "HB-20",
        "there is no seat 3, and no such Castle",
    )


@pytest.mark.clause("HB-23")
def test_every_tile_pays_each_player_once():
    match = altered(begin(3, **OFF), f"location = {CAT}")
    match = mustered(match, {ANN: {CAPITAL: 3, WOLF: 1}, BO: {CAT: 1, FOX: 2}, CID: {castle(CID): 4}})
    assert resources(match) == [4 + 3, 4 + 3, 0]
    assert {"Ann earns 4 Resources at the Capital.", "Bo earns 4 Resources at the Cat Camp."} <= set(match.log())


@pytest.mark.clause("HB-23")
@pytest.mark.parametrize(("guests", "at_home", "pay"), [(1, 0, 2), (3, 2, 2), (2, 2, 0), (1, 2, 0)])
def test_a_foreign_castle_pays_for_more_knights_than_its_owner_left(guests: int, at_home: int, pay: int):
    match = mustered(begin(2, **OFF), {ANN: {castle(BO): guests}, BO: {castle(BO): at_home}})
    assert resources(match) == [pay, 0]


@pytest.mark.clause("HB-23")
def test_two_guests_of_a_castle_are_paid_each_for_their_own_number():
    match = mustered(begin(3, **OFF), {ANN: {castle(CID): 2}, BO: {castle(CID): 1}, CID: {castle(CID): 1}})
    assert resources(match) == [2, 0, 0]


@pytest.mark.clause("HB-17", "HB-23")
def test_victors_by_an_alliance_earn_1_less_on_that_tile_each():
    match = begin(3, **OFF)
    match = mustered(match, {ANN: {CAPITAL: 1, castle(CID): 1}, BO: {CAPITAL: 1}, CID: {CAPITAL: 1}})
    for name in ("Ann", "Bo", "Cid"):
        place(match, **{name: "Guard, Cleave"})
    play(match, "propose an alliance to Bo", "accept", *["hold back"] * 3)
    assert resources(match) == [3 + 2, 3, 0]


@pytest.mark.clause("HB-23")
def test_knights_that_have_left_a_tile_are_not_at_home_in_the_rewards():
    match = begin(3, **OFF)
    match = mustered(match, {ANN: {CAPITAL: 2}, BO: {CAPITAL: 1}, CID: {castle(BO): 1}})
    fight_out(match)
    assert resources(match) == [4, 0, 2]


@pytest.mark.clause("HB-23")
def test_each_bandit_defeated_gives_a_step_on_a_track_chosen_openly():
    match = defeat(begin(2), 2)
    assert match.to_act == {ANN}
    assert asked(match, ANN) == "Which of your attributes do you raise?"
    assert menu(match) == [f"raise {name}" for name in TRACK_NAMES]
    play(match, "raise Delay")
    assert last(match) == ["Ann raises Delay to 5."]
    play(match, "raise Health")
    assert "Ann raises Health to 10." in match.log(BO)
    assert [match.view().count("steps", seat) for seat in (ANN, BO)] == [2, 0]
    assert phase(match) == "muster"


@pytest.mark.clause("HB-23")
def test_improvements_are_given_camp_by_camp_to_the_player_with_most_knights_there():
    match = altered(begin(3, order=(CID, BO, ANN)), "defeated = 0 1 1 1", "bandits = 0", "fought = 14")
    match = mustered(match, {ANN: {WOLF: 2, CAT: 1}, BO: {WOLF: 1, CAT: 1}, CID: {FOX: 1}})
    for seat in (ANN, BO, CID):
        assert match.to_act == {seat}
        play(match, "raise Dodge")
    assert phase(match) == "muster"


@pytest.mark.clause("HB-23")
def test_a_track_at_its_end_cannot_be_chosen_and_with_none_left_the_step_is_lost():
    match = begin(2)
    match = defeat(altered(match, at_the_end(match, ANN, but=st.DODGE)), 2)
    assert menu(match) == ["raise Dodge"]
    assert reason(match, ANN, "raise Delay") == ("HB-23", "Delay is at its end")
    play(match, "raise Dodge")
    assert "Ann loses an improvement step, for all tracks are at their end." in match.log()
    assert match.view().count("steps", ANN) == 1


@pytest.mark.clause("HB-23")
@pytest.mark.parametrize("all_at_end", [False, True])
def test_in_the_last_season_a_step_only_counts(all_at_end: bool):
    match = begin(2)
    if all_at_end:
        match = altered(match, at_the_end(match, ANN))
    before = attributes(match, ANN)
    match = defeat(match, 2, last_season=True)
    assert match.outcome is not None
    assert match.view().count("steps", ANN) == 2 and attributes(match, ANN) == before
    assert match.log().count("Ann gains an improvement step for a Bandit defeated at the Wolf Camp.") == 2


@pytest.mark.clause("HB-24")
def test_at_cleanup_all_go_home_and_the_bandits_of_each_camp_rise_on_a_track_drawn():
    seen = Counter()
    for seed in range(120):
        match = begin(2, seed=seed)
        match = mustered(match, {ANN: {CAPITAL: 2}, BO: {castle(ANN): 1}})
        assert all(set(there) <= {"Bandits"} for there in hosts(match).values())
        for owner in range(BANDITS, BANDITS + 3):
            now = attributes(match, owner)
            (risen,) = (track for track in range(st.TRACKS) if now[track] != START[track])
            seen[owner, risen] += 1
        assert attributes(match, ANN) == attributes(match, BO) == START
        assert sum(line.startswith("The Bandits of the") and " raise " in line for line in match.log()) == 3
    assert len(seen) == 18


@pytest.mark.clause("HB-24")
def test_bandits_rise_only_on_tracks_not_at_their_end_and_not_at_all_with_none():
    for seed in range(20):
        match = begin(2, seed=seed)
        match = altered(match, at_the_end(match, BANDITS), at_the_end(match, BANDITS + 1, but=st.DELAY))
        full = attributes(match, BANDITS)
        match = mustered(match, {})
        assert attributes(match, BANDITS) == full
        assert "The Bandits of the Cat Camp raise Delay to 2." in match.log()


@pytest.mark.clause("HB-24")
def test_nothing_rises_after_the_last_season():
    match = mustered(begin(2, seasons=1), {ANN: {CAPITAL: 1}})
    assert match.outcome is not None
    assert all(attributes(match, owner) == START for owner in (ANN, BO, *range(BANDITS, BANDITS + 3)))
    assert hosts(match)["Capital"] == {"Ann": 1}


@pytest.mark.clause("HB-25")
@pytest.mark.parametrize(
    ("resources", "steps", "ranks"),
    [
        ([5, 7, 6], [3, 0, 0], [3, 1, 2]),
        ([7, 7, 6], [1, 2, 9], [2, 1, 3]),
        ([7, 7, 7], [2, 2, 1], [1, 1, 3]),
        ([0, 0, 0], [0, 0, 0], [1, 1, 1]),
    ],
)
def test_most_resources_win_then_most_steps_then_all_share(resources: list[int], steps: list[int], ranks: list[int]):
    match = begin(3, seasons=1)

    lines = [f"resources = {row(resources, st.SEATS)}", f"gained = {row(steps, st.SEATS)}"]
    match = mustered(altered(match, *lines), {})
    assert match.outcome.scores == tuple(resources) and match.outcome.ranks == tuple(ranks)
    words = [(line.words, line.by_seat) for line in match.account() if line.clause == "HB-25"]
    assert words == [("Resources", tuple(resources)), ("If tied: improvement steps", tuple(steps))]


@pytest.mark.clause("HB-21")
def test_three_bandits_can_be_in_a_battle():
    match = begin(2, order=(ANN, BO))
    match = mustered(match, {ANN: {WOLF: 4}}, {WOLF: 3})
    place(match, Ann="Guard, Cleave")
    assert len(next(zone for zone in match.view(ANN).zones if zone.id == "fighters.6").pieces) == 3


def test_sends_are_counted_and_can_be_taken_back_until_the_last():
    match = begin(2)
    play(match, "Ann: send a Knight to the Capital")
    assert asked(match, ANN) == "Where do you send Knight 2 of 4?" and match.can_undo(ANN)
    match.undo(ANN)
    assert asked(match, ANN) == "Where do you send Knight 1 of 4?" and "Ann" not in hosts(match, ANN)["Capital"]


def test_a_campaign_of_four_is_played_from_the_first_muster_to_the_last_reward():
    match = begin(4, seasons=1)
    for name in ("Ann", "Bo", "Cid", "Dee"):
        play(match, *[f"{name}: send a Knight to the Capital"] * 4)
    for name in ("Ann", "Bo", "Cid", "Dee"):
        place(match, **{name: "Guard, Cleave"})
    play(match, "propose an alliance to Dee", "decline", *["propose nothing"] * 3)
    while match.to_act:
        assert match.to_act <= {ANN, BO, CID, DEE}
        play(match, "hold back")
    assert match.outcome.scores == (4, 0, 0, 0) and match.outcome.ranks == (1, 2, 2, 2)
