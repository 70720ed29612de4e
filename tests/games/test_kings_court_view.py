"""Tests of the view of King's Court: scores as they stand, the pieces a question is about, the scene of a card."""

import pytest

from games.kings_court_positions import (
    ANN,
    BO,
    COUNTERS,
    ONLOOKER,
    REVERSED,
    VIEWERS,
    begin,
    piece,
    pieces,
    play,
    position,
    put,
    random_moves,
    redealt,
    scored,
    scores,
)
from quintain.engine.play.match import Match

BOTH = (COUNTERS, REVERSED)
INFLUENCE = {"Artois": (5, 2), "Febrois": (1, 4)}


def touches(match: Match, seat: int) -> dict[str, list[str]]:
    """Return the moves that a touch of each piece offers a seat now, by the ids of the pieces."""
    return {piece.id: [act.words for act in piece.acts] for piece in match.view(seat).pieces() if piece.acts}


@pytest.mark.clause("KC-15", "KC-16")
def test_a_score_counts_influence_and_the_bonuses_that_the_viewer_knows() -> None:
    match = position(influence=INFLUENCE, counters=BOTH)
    assert scores(match, ANN) == [(5 - 2 + 1, False), (2 + 4 + 5, False)]
    assert scores(match, BO) == [(5 + 5 + 1, False), (2 + 4 - 2, False)]
    assert scores(match, ONLOOKER) == [(5 + 1, False), (2 + 4, False)]
    assert [score.rank for score in match.view(ANN).scores] == [2, 1]
    ann = match.view(ANN).scores[ANN]
    assert (ann.seat, ann.unit) == (ANN, "points")
    assert {part.key: part.number for part in ann.parts if part.number} == {"artois": 3, "febrois": 1}


@pytest.mark.clause("KC-10", "KC-15")
def test_a_counter_that_was_seen_counts_until_it_may_be_out_of_date() -> None:
    match = position(ann="Castellia 1, Castellia 2", bo="Artois 1", influence={"Castellia": (4, 0)}, counters=BOTH)
    assert scores(match, ANN)[ANN] == (4 + 1, False)
    play(match, "play Castellia 1")
    assert scores(match, ANN)[ANN] == (4 + 1 + 2, False)
    play(match, "switch Artois and Febrois", "give Castellia 2", "play Artois 1", "switch Artois and Febrois")
    assert scores(match, ANN) == [(0, True), (0, True)]
    assert scores(match, BO) == [(4 + 2, False), (0, True)]


@pytest.mark.clause("KC-8", "KC-17")
def test_a_house_scores_0_once_the_viewer_has_given_away_stronger_cards_of_it() -> None:
    match = position(ann="Artois 8, Febrois 2", influence={"Artois": (5, 0)}, counters=BOTH)
    play(match, "play Febrois 2")
    assert scores(match, ANN)[ANN] == (5 - 2 + 2 + 5, False)
    play(match, "give Artois 8")
    assert scores(match, ANN)[ANN] == (2 + 5, False)
    assert scores(match, BO)[ANN] == (5 + 5 + 2 - 2, False)


@pytest.mark.clause("KC-16", "KC-17")
def test_a_score_is_certain_where_neither_counters_nor_hands_can_change_it() -> None:
    match = position(influence={"Artois": (5, 3)}, counters=BOTH)
    assert scores(match, ANN) == [(5 - 2, False), (3, True)]
    assert scores(match, BO) == [(5 + 5, False), (3, False)]
    assert scores(begin(), ANN) == scores(begin(), ONLOOKER) == [(0, True), (0, True)]


@pytest.mark.clause("KC-16", "KC-17")
@pytest.mark.parametrize("seed", range(3))
def test_no_redeal_changes_a_score_that_is_certain(seed: int) -> None:
    match, certain, open_to_change = begin(seed), 0, 0
    for made, _ in enumerate(random_moves(match, seed)):
        for viewer in VIEWERS if made % 5 == 0 else ():
            shown = scores(match, viewer)
            for number in range(4):
                totals, ranks = [0, 0], [0, 0]
                match.game.rules.outcome(match.book, redealt(match, viewer, number), totals, ranks)
                for total, (number_shown, is_certain) in zip(totals, shown, strict=True):
                    assert total == number_shown or not is_certain
                    certain += is_certain
                    open_to_change += total != number_shown
    assert certain and open_to_change


@pytest.mark.clause("KC-19")
def test_scores_at_the_end_are_those_of_the_outcome_and_ties_are_broken() -> None:
    match = scored({"Castellia": (1, 0), "De Bourgogne": (1, 0), "Bellerophon": (0, 8)})
    for viewer in VIEWERS:
        assert scores(match, viewer) == [(8, True), (8, True)]
        assert [score.rank for score in match.view(viewer).scores] == [1, 2]
        assert all(sum(part.number for part in score.parts) == 8 for score in match.view(viewer).scores)


@pytest.mark.clause("KC-5", "KC-7")
def test_the_phase_counts_the_turns_of_each_player() -> None:
    match, turns = begin(), []
    for seat, move in random_moves(match, 2):
        phase = match.view(seat).phase
        assert phase.rounds == 17
        if move.startswith("play") and match.to_act:
            turns.append(phase.round)
    assert turns == [turn for turn in range(1, 18) for _ in (ANN, BO)][: len(turns)]
    assert (match.view().phase.key, match.view().phase.round) == ("over", 17)


@pytest.mark.clause("KC-2", "KC-4")
def test_questions_before_the_first_turn_point_at_the_deck_and_the_next_house() -> None:
    match = begin(garnets=(3, 1))
    assert (match.view(ANN).question.key, match.view(ANN).about) == ("order", ("deck.0",))
    assert match.view(BO).question is None and match.view(BO).about == ()
    match.play(ANN, "go first")
    match.play(BO, "put +5 on Artois")
    for seat, house in ((ANN, 0), (BO, 1)):
        view = match.view(seat)
        assert (view.question.key, view.about) == ("counters", (f"counter.{seat}.{house}",))
        assert {place.partition(".")[0] for place in touches(match, seat)} == {"supply"}


@pytest.mark.clause("KC-5", "KC-6", "KC-11")
def test_a_touch_plays_or_gives_a_card_and_the_binding_house_is_shown() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 5, Artois 8, Castellia 8")
    cards = tuple(f"hand.0.{i}" for i in range(9))
    assert match.view(ANN).about == cards == tuple(place for place in touches(match, ANN) if place.startswith("hand"))
    play(match, "play Artois 3", "give Castellia 2")
    assert piece(match, BO, next(p.id for p in match.view(BO).pieces() if p.name == "Castellia 2")).known_to == (ANN,)
    assert [p.name for p in match.view(ANN).pieces() if "known" in p.state] == ["Castellia 2"]
    play(match, "play Castellia 8")
    view = match.view(BO)
    assert (view.question.key, view.about[-1], len(view.about)) == ("give", "house.0", 9)
    assert touches(match, BO) == {"hand.1.0": ["give Artois 5"], "hand.1.1": ["give Artois 8"]}
    barred = [p.name for p in view.pieces() if p.means and not p.acts]
    assert len(barred) == 6 and "Castellia 2" in barred


@pytest.mark.clause("KC-10")
def test_during_a_1_each_counter_offers_its_switches() -> None:
    match = position(ann="Castellia 1", counters=BOTH)
    play(match, "play Castellia 1")
    view = match.view(ANN)
    assert (view.question.key, view.about) == ("switch", tuple(f"counter.0.{house}" for house in range(6)))
    for house in range(6):
        acts = piece(match, ANN, f"counter.0.{house}").acts
        assert {act.target for act in acts} == {f"counter.0.{other}" for other in range(6) if other != house}
    assert "switch Artois and Febrois" in touches(match, ANN)["counter.0.0"]
    for viewer in VIEWERS:
        scene = match.view(viewer).scene
        assert (scene.kind, scene.card.key, scene.slots) == ("switch", "castellia-1", (None, None))
        assert scene.places == ("counter.1.2",)
    play(match, "switch Artois and Febrois")
    assert match.view(ANN).scene is None


@pytest.mark.clause("KC-12", "KC-13")
@pytest.mark.parametrize(
    ("card", "others", "move", "places", "most"),
    [
        ("Castellia 5", (0, 5), "move from Artois", ("house.0", "house.2"), 3),
        ("Castellia 7", (0, 1, 3, 4, 5), "move to Artois", ("house.2", "house.0"), 4),
    ],
)
def test_during_a_5_or_a_7_the_scene_shows_where_influence_leaves_and_enters(
    card: str, others: tuple[int, ...], move: str, places: tuple[str, ...], most: int
) -> None:
    match = position(ann=card, influence={"Artois": (2, 1), "Castellia": (2, 1), "Febrois": (0, 2)})
    play(match, f"play {card}")
    view = match.view(ANN)
    assert (view.question.key, view.about) == ("house", ("house.2", *(f"house.{other}" for other in others)))
    assert list(touches(match, ANN)) == [f"house.{other}" for other in others]
    assert [(act.words, act.final) for act in view.acts] == [("move nothing", True)]
    assert view.scene.slots == (None,) * most
    play(match, move, "move own")
    source = places[0].removeprefix("house.")
    assert touches(match, ANN) == {f"influence.0.{source}": ["move own"], f"influence.1.{source}": ["move theirs"]}
    for viewer in VIEWERS:
        view, shown = match.view(viewer), pieces(match, viewer)
        assert (view.scene.kind, view.scene.card.name, view.scene.places) == ("move", card, places)
        assert view.scene.slots == (f"influence.0.{places[1][-1]}",) + (None,) * (most - 1)
        ends = [
            [(p.stats[0].printed, p.stats[0].number) for p in map(shown.get, side.pieces)] for side in view.scene.sides
        ]
        assert ends == [[(2, 1), (None, 1)], [(2, 3), (None, 1)]]
        assert view.about == (places if viewer == ANN else ())


@pytest.mark.clause("KC-4", "KC-10")
@pytest.mark.parametrize("seat", [ANN, BO])
def test_a_counter_is_a_free_place_a_back_or_a_number(seat: int) -> None:
    match = begin()
    assert piece(match, seat, f"counter.{seat}.0").is_free
    put(match, 1 - seat, COUNTERS)
    shown = piece(match, seat, f"counter.{1 - seat}.0")
    assert shown.is_down and shown.key is None and not shown.stats
    match.play(seat, "put -2 on Artois")
    shown = piece(match, seat, f"counter.{seat}.0")
    assert shown.is_token and shown.stats[0].written == "\N{MINUS SIGN}2"


@pytest.mark.clause("KC-4")
def test_people_read_minus_signs_and_may_type_them_or_hyphens_and_records_have_hyphens() -> None:
    match = begin()
    seat = min(match.to_act)
    shown = next(act for act in match.view(seat).menu if "\N{MINUS SIGN}2" in act.words)
    assert shown.words == "put \N{MINUS SIGN}2 on Artois"
    seen = match.seen(seat)
    assert seen.understood("put -2 on Artois") == seen.understood(shown.words) == shown.action
    match.play(seat, shown.words)
    assert "\N{MINUS SIGN}2" in match.seen(seat).log[-1]
    assert match.save()["moves"][-1]["text"] == "put -2 on Artois"


@pytest.mark.clause("KC-4", "KC-5")
def test_the_steps_are_those_of_the_set_up_then_those_of_a_turn() -> None:
    match = begin(garnets=(3, 1))
    steps = [(match.view().phase.key, [step.key for step in match.view().phase.steps], match.view().phase.round)]
    match.play(ANN, "go first")
    steps.append((match.view().phase.key, [step.key for step in match.view().phase.steps], match.view().phase.round))
    assert steps == [(key, ["order", "counters"], 0) for key in ("order", "counters")]
    match = position(ann="Castellia 2")
    assert [step.key for step in match.view().phase.steps] == ["draw", "play", "give"]
    assert match.view().phase.key == "play"
    play(match, "play Castellia 2")
    assert match.view().phase.key == "give"


@pytest.mark.clause("KC-4")
def test_who_puts_counters_sees_how_many_are_put_and_the_place_that_is_asked_for() -> None:
    match = begin()
    match.play(ANN, "put +5 on Artois")
    for viewer in VIEWERS:
        view = match.view(viewer)
        assert [view.count("counters", seat) for seat in (ANN, BO)] == [1, 0]
        asked = [piece.id for piece in view.pieces() if "asked" in piece.state]
        assert asked == {ANN: ["counter.0.1"], BO: ["counter.1.0"], ONLOOKER: []}[viewer]
        assert (view.scene.places if view.scene else ()) == tuple(asked)


@pytest.mark.clause("KC-8", "KC-17")
def test_each_house_tells_where_its_ranks_are_and_what_both_hands_hold() -> None:
    match = position(ann="Artois 8, Artois 2, Febrois 6", bo="Artois 3, Febrois 1", deck="Artois 1, Artois 4, Artois 6")
    play(match, "play Febrois 6", "give Artois 8")
    others = {line.words for line in piece(match, ONLOOKER, "favour.0").now}
    assert others == {"played by Bo: 5, 7", "not seen: 1, 2, 3, 4, 6, 8"}
    favour = piece(match, ANN, "favour.0")
    assert [(stat.key, stat.number) for stat in favour.stats] == [("favour", 2), ("rival-least", 8)]
    assert "in your hand: 2" in {line.words for line in favour.now}
    assert "known in Bo's hand: 8" in {line.words for line in favour.now}
    favour = piece(match, BO, "favour.0")
    assert [(stat.key, stat.number) for stat in favour.stats] == [("favour", 11), ("rival-least", 0)]
    assert not piece(match, ONLOOKER, "favour.0").stats
    over = scored({"Castellia": (1, 0)}, ann="Artois 2", bo="Artois 8")
    for viewer in VIEWERS:
        stats = {stat.key for stat in piece(over, viewer, "favour.0").stats}
        assert stats == {"favour", "rival"}


@pytest.mark.clause("KC-5", "KC-17")
def test_at_the_gift_each_card_tells_what_its_house_keeps_without_it() -> None:
    match = position(ann="Artois 3, Artois 8, Castellia 2")
    assert not any(card.stats for card in match.view(ANN).zones[-1].pieces)
    play(match, "play Castellia 2")
    left = {card.name: card.stats[0] for card in match.view(ANN).zones[-1].pieces}
    assert {name: (left[name].printed, left[name].number) for name in ("Artois 3", "Artois 8")} == {
        "Artois 3": (11, 8),
        "Artois 8": (11, 3),
    }
    assert not any(card.stats for card in match.view(BO).zones[-1].pieces)


@pytest.mark.clause("KC-10")
def test_only_who_looked_reads_the_counter_in_the_scene_of_a_1() -> None:
    match = position(ann="Castellia 1", counters=BOTH)
    play(match, "play Castellia 1")
    words = [match.view(viewer).scene.lines[0].words for viewer in VIEWERS]
    assert words[0] == "Bo's counter in Castellia is +2"
    assert words[1:] == ["Ann has seen your counter in Castellia", "Ann has seen Bo's counter in Castellia"]


@pytest.mark.clause("KC-5", "KC-7", "KC-11")
def test_the_question_tells_what_follows_the_card() -> None:
    match = position(ann="Artois 3, Castellia 2", bo="Artois 5, Artois 8, Castellia 8")
    assert match.view(ANN).question.help == "Then you give a card to Bo."
    play(match, "play Artois 3", "give Castellia 2")
    assert match.view(BO).question.help == "Then you give a card of Artois, if you still have one."
    last = position(33, bo="Castellia 2")
    assert last.view(BO).question.help == "It is the last card of the game: no gift follows."
