"""Round Table: the table as data: phase, question, scores, counts, the scene that runs, and what touches mean."""

import pytest

from games.round_table_positions import (
    ANN,
    BO,
    LANDS,
    PLAIN,
    Side,
    changed,
    count,
    knight,
    names,
    pass_season,
    piece,
    play,
    position,
    slot_of,
    stats,
    zone,
)
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Scene
from quintain.games.round_table import state as st

SEASONS = ["spring", "summer", "autumn", "winter"]


def unit(match: Match, seat: int, name: str) -> str:
    return f"unit.{seat}.{slot_of(match, seat, name)}"


def scene(match: Match, viewer: int | None = None) -> Scene:
    found = match.view(viewer).scene
    assert found is not None
    return found


def asked(match: Match, seat: int) -> tuple[str, list[str]]:
    """Return the key of the question, and the names of the pieces that it is about."""
    view = match.view(seat)
    pieces = {piece.id: piece for piece in view.pieces()}
    assert view.question is not None
    return view.question.key, [pieces[id_].name for id_ in view.about]


def touched(match: Match, seat: int) -> dict[str, list[str]]:
    """Return the moves that a touch on each piece means now, by the name of the piece."""
    return {piece.name: [act.words for act in piece.acts] for piece in match.view(seat).pieces() if piece.acts}


@pytest.mark.clause("RT-16", "RT-30")
def test_the_phase_names_the_step_among_those_of_the_year() -> None:
    match = Match.new("round-table", 2)
    phase = match.view(ANN).phase
    assert (phase.key, phase.words, phase.round) == ("set_up", "set-up", 0)
    match = position(Side("The Fair Unknown, Change of Heart", ["Kay", "Balin @ Elmet"]), Side(), season=st.SUMMER)
    phase = match.view(ANN).phase
    assert [step.key for step in phase.steps] == SEASONS and (phase.key, phase.unit) == ("summer", "year")
    assert phase.note == "step 1 of 4: attacks; Ann is the active player" and asked(match, ANN)[0] == "attacks"
    play(match, "play The Fair Unknown", "on Kay")
    assert match.view(BO).phase.note.startswith("step 2 of 4: Quests") and asked(match, ANN)[0] == "quests"
    limit = changed(match, f"phase = {st.LIMIT}", f"to_drop[{ANN}] = 1").view(ANN).phase
    assert (limit.key, limit.words, limit.note) == ("summer", "Summer", "Ann is the active player")


@pytest.mark.clause("RT-29")
def test_a_year_begins_with_spring() -> None:
    match = position(Side(), Side(), season=st.WINTER)
    assert match.view(None).phase.round == 1
    play(match, "draw from the Main deck", "draw from the Main deck")
    phase = match.view(None).phase
    assert (phase.key, phase.round) == ("spring", 2)


@pytest.mark.clause("RT-6", "RT-7")
def test_the_first_questions_are_about_the_decks_and_the_hand() -> None:
    match = Match.new("round-table", 2)
    assert match.view(ANN).about == ("deck.0.0", "deck.0.1") and asked(match, ANN)[0] == "split"
    match.play(ANN, "take 3 Demesnes")
    assert asked(match, ANN) == ("keep", names(match, "hand.0", ANN))
    assert count(match, "main_deck", ANN) == count(match, "demesne_deck", ANN) == 0, "the split is not shown yet"
    assert match.view(ANN).count("demesne_deck", ANN) == match.book.deck[ANN][st.DEMESNE_DECK] - 4


@pytest.mark.clause("RT-11", "RT-13")
def test_in_spring_a_card_of_the_hand_is_taken_up_and_then_asked_about() -> None:
    match = position(Side("Good Sword, Farm", ["Kay + Baron"]), Side())
    assert asked(match, ANN) == ("recruit", ["Good Sword", "Farm"])
    assert touched(match, ANN) == {
        "Good Sword": ["play Good Sword"] * 2,
        "Farm": ["play Farm"],
        "Baron": ["move Baron"],
        "Kay": ["play Good Sword"],
        "Unpaired": ["play Good Sword", "move Baron"],
    }
    assert knight(match, ANN, "Kay").means == () and match.view(BO).question is None
    assert [act.words for act in match.view(ANN).acts if act.final] == ["pass"]
    play(match, "play Good Sword")
    assert asked(match, ANN) == ("bearer", ["Good Sword"])
    both = ["on Kay", "leave it unpaired"]
    assert touched(match, ANN) == {"Good Sword": both, "Kay": both[:1], "Unpaired": both[1:]}
    assert match.view(ANN).scene is None, "the told line says what the card does"
    assert match.view(BO).scene is None
    play(match, "on Kay", "move Baron")
    assert asked(match, ANN) == ("bearer", ["Baron"])


@pytest.mark.clause("RT-11")
@pytest.mark.parametrize(("side", "about"), [(Side("", ["Kay"]), ["Kay"]), (Side(demesnes=(1, 1, 0, 0, 0)), None)])
def test_in_spring_the_question_is_about_cards_that_are_there(side: Side, about: list[str] | None) -> None:
    assert asked(position(side, Side()), ANN) == ("recruit", about or ["Farm", "Manor"])


@pytest.mark.clause("RT-16", "RT-19")
def test_in_summer_knights_are_sent_and_a_redirect_is_at_work_for_all_to_see() -> None:
    match = position(Side("Change of Heart", ["Kay", "Balin @ Elmet"]), Side(), season=st.SUMMER)
    assert asked(match, ANN) == ("attacks", ["Kay", "Balin", "Change of Heart"])
    assert match.view(ANN).scene is None
    play(match, "send Kay")
    assert asked(match, ANN) == ("region", ["Kay"])
    assert touched(match, ANN)["Camelot"] == ["attack Camelot"]
    play(match, "attack Camelot", "play Change of Heart")
    assert match.view(ANN).scene is None and match.view(BO).scene is None
    play(match, "on Balin")
    assert asked(match, ANN) == ("task", ["Balin"])
    for viewer in (ANN, BO, None):
        strip, balin = scene(match, viewer), unit(match, ANN, "Balin")
        assert strip.card is not None and (strip.card.key, strip.card.cost) == ("change_of_heart", 1)
        assert (strip.slots, strip.places) == ((balin, None), (balin,))
    lands = {land: [f"attack {land}"] for land in ("Camelot", "Tintagel")}
    assert touched(match, ANN) == {**lands, "Balin": [act for acts in lands.values() for act in acts]}


@pytest.mark.clause("RT-16")
def test_with_no_card_and_no_knight_a_campaign_is_about_the_regions() -> None:
    match = position(Side(), Side(), season=st.SUMMER)
    assert asked(match, ANN) == ("attacks", ["Camelot", "Tintagel", "Elmet"])


@pytest.mark.clause("RT-21", "RT-22", "RT-24")
def test_the_scene_of_autumn_has_all_forces_and_what_was_left_of_them() -> None:
    ann = Side("", ["Strong Twelve @ Plain", "Strong Ten @ Hill"])
    bo = Side("", ["Strong Ten @ Hill", "Strong Wall @ Plain"])
    match = position(ann, bo, season=st.SUMMER, cards=PLAIN, regions=LANDS)
    shown = {land.name: land for land in zone(match, "regions").pieces}
    assert [force.seat for force in shown["Plain"].on_it if "takes" in force.state] == [ANN]
    assert [stats(force) for force in shown["Plain"].on_it] == [
        {"left": 8, "influence": 12, "resistance": 0, "against": 4},
        {"left": 0, "influence": 0, "resistance": 4, "against": 0},
    ]
    assert [line.words for line in shown["Peak"].now] == ["Nobody attacks it."]
    pass_season(match)
    stage = scene(match)
    assert (stage.kind, stage.size) == ("autumn", "stage") and stage.places == ("captured.0.0", "region.1")
    assert [(side.name, side.seat, side.total) for side in stage.sides] == [
        ("Plain", ANN, 8), ("Plain", BO, 0), ("Hill", ANN, 10), ("Hill", BO, 10)
    ]  # fmt: skip
    assert stage.sides[0].pieces == ("captured.0.0",) and stage.lines == tuple(match.account())
    assert asked(match, ANN) == ("support", ["Strong Twelve", "Strong Ten"])
    assert touched(match, ANN)["Strong Ten"] == ["take back Strong Ten"]
    pass_season(match)
    assert match.view(ANN).scene is None


@pytest.mark.clause("RT-26", "RT-29")
def test_draws_are_touches_on_the_own_decks() -> None:
    match = position(Side("The Fair Unknown", ["Kay"]), Side(), season=st.SUMMER)
    play(match, "play The Fair Unknown", "on Kay")
    assert count(match, "spent", ANN) == 2
    assert not piece(match, "deck.0.0", ANN).means
    pass_season(match)
    assert count(match, "draws", ANN) == 2 and count(match, "spent", ANN) == 0
    assert [act.words for act in piece(match, "deck.0.1", ANN).acts] == ["draw from the Demesne deck"]
    assert match.view(ANN).about == ("deck.0.0", "deck.0.1") and not piece(match, "deck.1.0", ANN).means


@pytest.mark.clause("RT-30")
def test_discards_are_touches_on_the_hand() -> None:
    match = position(Side(", ".join(["Farm"] * 11)), Side())
    play(match, "pass", "pass")
    assert asked(match, ANN) == ("discard", ["Farm"] * 11) and count(match, "discards", ANN) == 1
    assert touched(match, ANN) == {"Farm": ["discard Farm"]}


@pytest.mark.clause("RT-24", "RT-31")
def test_the_score_is_the_renown_of_the_regions_with_a_part_for_each() -> None:
    match = position(Side(), Side(), Side())
    match = changed(match, f"captor[3] = {BO}", f"captor[5] = {BO}", f"captor[4] = {ANN}")
    ann, bo, cid = match.view(None).scores
    assert [(score.number, score.rank) for score in (ann, bo, cid)] == [(3, 2), (6, 1), (0, 3)]
    assert {part.key: part.number for part in bo.parts} == {"logres": 3, "badon": 3} and cid.parts == ()
    unit = f"of {match.view(None).count('renown')} Renown"
    assert all(score.unit == unit and score.certain for score in (ann, bo, cid))


@pytest.mark.clause("RT-25", "RT-33")
def test_a_knight_shows_its_numbers_now_and_the_printed_ones_that_differ() -> None:
    match = position(Side("", ["Balin + Grail Seeker + Fine Lance"]), Side("", ["Kay"]))
    balin = knight(match, ANN, "Balin")
    influence, resistance = balin.stats
    assert (influence.key, influence.number, influence.printed) == ("influence", 7, 5)
    assert (resistance.number, resistance.printed) == (1, 0)
    assert [stat.printed for stat in knight(match, BO, "Kay").stats] == [None, None]
    assert "Grail Knight" in balin.kind
    (lance,) = (lying for lying in balin.on_it if lying.key == "fine_lance")
    assert lance.kind == "Weapon" and [stat.written for stat in lance.stats] == ["+2"]


@pytest.mark.clause("RT-18")
def test_the_task_of_a_knight_is_a_state_that_the_legend_explains() -> None:
    match = position(Side("The Fair Unknown", ["Kay", "Balin @ Elmet"]), Side(), season=st.SUMMER)
    play(match, "play The Fair Unknown", "on Kay")
    quest = slot_of(match, ANN, "The Fair Unknown")
    assert knight(match, ANN, "Kay").state == {f"quest.{ANN}.{quest}"}
    assert knight(match, ANN, "Balin").state == {"attacks.2"}
    assert [(label.key, label.words) for label in match.view(None).legend] == [
        ("engaged", "engaged"),
        ("namesake", "its namesake is in play"),
        ("takes", "captures the Region as things stand"),
        ("attacks.2", "attacks Elmet"),
        (f"quest.{ANN}.{quest}", "on The Fair Unknown"),
    ]


@pytest.mark.clause("RT-6")
def test_each_number_of_demesnes_is_a_piece_beside_the_decks_and_what_they_hold() -> None:
    match = Match.new("round-table", 2)
    splits = zone(match, "split.0", ANN).pieces
    assert [piece.stats[0].number for piece in splits] == list(range(1, 11))
    assert [act.words for act in splits[2].acts] == ["take 3 Demesnes"]
    for deck in (st.MAIN_DECK, st.DEMESNE_DECK):
        shown = zone(match, f"deck.0.{deck}", ANN)
        assert sum(stat.number for stat in shown.pieces[0].stats) == shown.size
        assert piece(match, f"deck.0.{deck}", BO).stats == (), "others do not learn what is left"
    match.play(ANN, "take 3 Demesnes")
    assert zone(match, "split.0", ANN).pieces == ()


@pytest.mark.clause("RT-15")
def test_a_knight_in_hand_says_that_its_namesake_is_in_play() -> None:
    match = position(Side("Kay, Gawain"), Side("", ["Kay"]))
    said = {card.name: [line.words for line in card.now] for card in zone(match, "hand.0", ANN).pieces}
    words = "Kay of Bo is in play: if you recruit this one, both are removed."
    assert said == {"Kay": [words], "Gawain": []}


@pytest.mark.clause("RT-30")
def test_cards_that_are_chosen_to_discard_fill_places_that_only_their_player_sees() -> None:
    match = position(Side(", ".join(["Farm"] * 12)), Side())
    play(match, "pass", "pass")
    assert scene(match, ANN).slots == (None, None)
    match.play(ANN, "discard Farm")
    assert scene(match, ANN).slots == ("dropped.0.0", None)
    assert all(zone.id != "dropped.0" for zone in match.view(BO).zones)


@pytest.mark.clause("RT-13")
def test_equipment_on_a_knight_lies_in_the_place_of_its_kind() -> None:
    match = position(Side("", ["Kay + Good Sword + Rouncy + Baron"]), Side())
    placed = {lying.name: lying.at for lying in knight(match, ANN, "Kay").on_it}
    assert placed == {"Good Sword": (0, st.WEAPON), "Rouncy": (0, st.MOUNT), "Baron": None}


def test_every_card_of_a_deck_says_what_it_is_for() -> None:
    match = Match.new("round-table", 2)
    match.play(ANN, "take 5 Demesnes")
    assert all(card.text for card in zone(match, "hand.0", ANN).pieces)
