"""Tests of the table of Rune War: defences, battles, scenes, scores, counts, and the pictures of the cards."""

import random

import pytest

import quintain
from games.rune_war_positions import ANN, BO, ONLOOKER, begin, menu, piece, pieces, play, position
from quintain.conformance import Case
from quintain.engine.play.match import Match
from quintain.engine.rules.views import with_players
from quintain.games.rune_war import state as st
from quintain.games.rune_war.scene import KEYS
from quintain.games.rune_war.words import PLACE_NAMES, RUNE_NAMES, RUNE_SHORT, effect
from quintain.server.pages import heraldry

WALL = {"1.1": "Ace of Cups", "2.1": "King of Wands", "2.2": "6 of Wands", "3.1": "Queen of Cups"}


@pytest.mark.clause("RW-10", "RW-17", "RW-18")
def test_the_running_battle_shows_both_totals_and_why_its_courts_count_or_not():
    match = position(["7 of Swords, King of Cups", "3 of Cups"], ["9 of Pentacles", WALL])
    play(match, "attack with 7 of Swords", "seat 1 at 2.2", "turn up 2.1", "add King of Cups")
    totals = {p.id: p for p in pieces(match, ONLOOKER, "battle") if p.is_token}
    assert [line.words for line in totals["attack.total"].now] == ["numbers 7", "King of Cups, without a number card 0"]
    assert [line.words for line in totals["support.total"].now] == ["numbers 6", "King of Wands 10"]
    assert {p.seat: p.stats[0].number for p in totals.values()} == {ANN: 7, BO: 16}
    assert [(line.words, line.by_seat, line.clause) for line in match.account()] == [
        ("Number cards", (7, 6), "RW-16"),
        ("Ann: King of Cups, without a number card", (0, 0), "RW-17"),
        ("Bo: King of Wands", (0, 10), "RW-18"),
        ("Total so far", (7, 16), "RW-10"),
    ]


def counted(match: Match) -> dict[str, tuple[int, int | None, tuple[str, ...]]]:
    """Return the points of each card of the battle, its number if that differs, and the reason."""
    cards = [p for p in pieces(match, ONLOOKER, "battle") if p.stats and not p.is_token]
    return {p.name: (p.stats[0].number, p.stats[0].printed, tuple(line.words for line in p.now)) for p in cards}


@pytest.mark.clause("RW-8", "RW-9", "RW-10")
def test_the_scene_of_a_battle_has_both_sides_with_their_sums_and_who_would_win_now():
    match = position(["7 of Swords, King of Cups", "3 of Cups"], ["9 of Pentacles", WALL])
    play(match, "attack with 7 of Swords", "seat 1 at 2.2", "turn up 2.1")
    scene = match.view(ANN).scene
    assert (scene.kind, scene.size, scene.title) == ("battle", "panel", "You attack Bo's 2.1 and 2.2")
    ours, theirs = scene.sides
    assert (ours.seat, ours.pieces, ours.total) == (ANN, ("attack.0",), 7)
    assert (theirs.seat, theirs.pieces, theirs.total) == (BO, ("support.0", "support.1"), 16)
    assert {stat.key: stat.number for stat in ours.stats} == {"numbers": 7, "courts": 0, "runes": 0, "may_add": 1}
    assert {stat.key: stat.number for stat in theirs.stats} == {"numbers": 6, "courts": 10, "runes": 0}
    assert scene.places == match.view(ANN).about == ("defence.1.2.1", "defence.1.2.2")
    assert scene.lines[-1].words == "Counted now, Bo wins"
    assert match.view(BO).scene.title == "Ann attacks your 2.1 and 2.2" and match.view(BO).about == ()
    assert counted(match) == {
        "7 of Swords": (7, None, ()),
        "6 of Wands": (6, None, ()),
        "King of Wands": (10, None, ("first of its run",)),
    }


@pytest.mark.clause("RW-18", "RW-21", "RW-22")
def test_each_card_of_a_battle_says_what_it_counts_under_the_runes():
    laid = {"1.1": "Ace of Cups", "2.1": "5 of Wands", "2.2": "King of Wands"}
    match = position(["9 of Swords, 4 of Swords, The Magician", "Justice"], ["9 of Pentacles", laid])
    play(match, "attack with 9 of Swords", "seat 1 at 2.1", "turn up 2.2", "add 4 of Swords")
    play(match, "play Justice", "play The Magician")
    assert counted(match) == {
        "9 of Swords": (0, 9, ("struck by Justice",)),
        "4 of Swords": (8, 4, ("doubled by The Magician",)),
        "5 of Wands": (5, None, ()),
        "King of Wands": (10, None, ("first of its run",)),
    }
    assert [side.total for side in match.view().scene.sides] == [8, 15]


@pytest.mark.clause("RW-18", "RW-21")
def test_of_equal_courts_of_joined_suits_one_counts_in_the_longer_run():
    laid = {"1.1": "Ace of Cups", "4.1": "King of Cups", "4.2": "King of Wands", "4.3": "Queen of Wands"}
    match = position(["4 of Swords", "The Lovers"], ["8 of Pentacles", {**laid, "4.4": "2 of Wands"}])
    play(
        match,
        "attack with 4 of Swords",
        "seat 1 at 4.4",
        "turn up 4.3",
        "hold back",
        "turn up 4.2",
        "hold back",
        "turn up 4.1",
    )
    assert counted(match)["King of Cups"] == (0, None, ("without a number card",))
    play(match, "hold back", "play The Lovers", "join Cups and Wands")
    assert counted(match) == {
        "4 of Swords": (4, None, ()),
        "2 of Wands": (2, None, ()),
        "Queen of Wands": (10, None, ("first of its run, joined",)),
        "King of Cups": (20, None, ("second of its run, joined",)),
        "King of Wands": (10, None, ("first of its run, joined",)),
    }
    assert match.view().scene.sides[1].total == 42


@pytest.mark.clause("RW-22")
def test_a_rune_that_the_fool_undoes_is_shown_as_undone_and_counts_nothing():
    match = position(["7 of Swords, Strength", "The Fool"], ["9 of Pentacles", WALL])
    play(match, "attack with 7 of Swords", "seat 1 at 2.2", "play The Fool", "play Strength")
    runes = {p.name: (p.state, p.stats) for p in pieces(match, ONLOOKER, "battle") if p.id.endswith(".rune")}
    assert runes == {"Strength": (frozenset({"undone"}), ()), "The Fool": (frozenset(), ())}


@pytest.mark.clause("RW-12", "RW-13")
def test_the_question_for_a_further_attack_points_at_its_targets_and_explains_stopping():
    match = position(["10 of Swords, 2 of Cups", "3 of Cups"], ["9 of Pentacles", WALL])
    play(match, "attack with 10 of Swords", "seat 1 at 2.2", "hold back", "hold back")
    view = match.view(ANN)
    assert view.about == view.scene.places == ("defence.1.3.1",)
    assert view.question.key == "further" and "take the attacking cards back" in view.question.help
    assert view.scene.title == "You have won and may attack again" and view.scene.sides[0].total == 10
    assert [act.words for act in view.acts] == ["stop"] and view.acts[0].final
    assert view.scene.lines[-1].words == "You win" and match.view(BO).scene.lines[-1].words == "Ann wins"


@pytest.mark.clause("RW-3", "RW-4")
def test_exposed_cards_are_marked_and_free_places_are_shown_while_a_card_is_laid():
    match = position(["7 of Swords", "3 of Cups"], [WALL, "9 of Pentacles"])
    exposed = [p.id for p in pieces(match, BO, "defence.0") if "exposed" in p.state]
    assert exposed == ["defence.0.2.2", "defence.0.3.1"]
    assert len([p for p in pieces(match, ANN, "defence.0") if p.is_free]) == 3
    play(match, "lay 7 of Swords")
    free = [p for p in pieces(match, ANN, "defence.0") if p.is_free]
    assert [f"lay at {p.id.removeprefix('defence.0.')}" for p in free] == menu(match)
    assert {act.action for p in free for act in p.acts} == {move.action for move in match.moves(ANN)}
    assert match.view(ANN).about == ("hand.0.0",) and pieces(match, ANN, "hand.0")[0].state == {"chosen"}
    assert not any(p.is_free for p in pieces(match, BO, "defence.0"))


@pytest.mark.clause("RW-2", "RW-23")
def test_own_cards_can_be_read_and_those_of_others_cannot():
    match = position(["7 of Swords", "3 of Cups"], [WALL, "9 of Pentacles"])
    own = [p for p in pieces(match, ANN, "defence.0") if not p.is_free]
    assert [(p.key, p.corner) for p in own] == [
        ("cups-1", "1"),
        ("wands_king-K", "K"),
        ("wands-6", "6"),
        ("cups_queen-Q", "Q"),
    ]
    assert (own[1].name, own[1].kind) == ("King of Wands", "court card at 2.1: row 2, place 1")
    hidden = (*pieces(match, BO, "defence.0"), *pieces(match, BO, "hand.0"))
    assert all(p.key is None and p.is_down for p in hidden)
    assert piece(match, BO, ANN, "2.1").at == (1, 0)
    assert {zone.id: zone.role for zone in match.view(BO).zones} == {
        **{"defence.0": "rival", "defence.1": "own"},
        **{"hand.0": "hand", "hand.1": "hand", "deck": "pile"},
    }


@pytest.mark.clause("RW-5", "RW-20")
def test_a_card_in_the_hand_offers_every_action_with_it():
    match = position(["2 of Swords, Strength, The Sun", "3 of Cups, Justice"], ["9 of Pentacles", WALL])
    done = {p.name: dict.fromkeys(act.words for act in p.acts) for p in pieces(match, ANN, "hand.0")}
    assert {name: [*words] for name, words in done.items()} == {
        "2 of Swords": ["attack with 2 of Swords", "lay 2 of Swords"],
        "Strength": ["attack with Strength", "lay Strength"],
        "The Sun": ["play The Sun", "attack with The Sun", "lay The Sun"],
    }
    play(match, "attack with 2 of Swords")
    meant = [p.id for p in pieces(match, ANN, "defence.1") if p.means]
    assert len(meant) == len(WALL), "covered cards, too: a touch shows the reason against them"
    play(match, "seat 1 at 2.2")
    assert {p.name: [act.words for act in p.acts] for p in pieces(match, BO, "hand.1")} == {
        "3 of Cups": [],
        "Justice": ["play Justice"],
    }
    assert [act.words for act in match.view(BO).acts] == ["hold back"]
    play(match, "turn up 2.1")
    assert {p.name: [act.words for act in p.acts] for p in pieces(match, ANN, "hand.0")} == {
        "Strength": ["play Strength", "add Strength"],
        "The Sun": ["add The Sun"],
    }
    assert match.view(ANN).question.help == "You may add 1 card. Bo wins a tie."


@pytest.mark.clause("RW-5", "RW-8")
def test_a_card_of_the_hand_attacks_or_is_laid_with_a_touch_of_the_place_where_it_goes():
    match = position(["2 of Swords, The Sun", "3 of Cups"], ["9 of Pentacles", WALL])
    card, rune = pieces(match, ANN, "hand.0")
    goals = ["defence.1.2.2", "defence.1.3.1", "defence.0.2.1", "defence.0.2.2"]
    shorts = ["Attack 2.2", "Attack 3.1", "Lay 2.1", "Lay 2.2"]
    assert [(act.target, act.short) for act in card.acts] == [*zip(goals, shorts, strict=True)]
    assert rune.acts[0].short == "Play" and rune.acts[0].target is None and len(rune.acts) == 5
    for act, question in zip(card.acts, ["support", "support", "turn", "turn"], strict=True):
        tried = position(["2 of Swords, The Sun", "3 of Cups"], ["9 of Pentacles", WALL])
        for action in act.path:
            tried.play(ANN, action)
        assert tried.view(BO).question.key == question
    covered, seen = piece(match, ANN, BO, "2.1"), match.why_not(ANN, piece(match, ANN, BO, "2.2").means[0])
    assert covered.not_now == "covered" and "choose a card of your hand first" in seen.words


@pytest.mark.clause("RW-9", "RW-20")
def test_a_card_joins_a_battle_with_a_touch_of_a_free_place_in_its_line():
    match = position(["7 of Swords, King of Cups, Strength", "3 of Cups"], ["9 of Pentacles", WALL])
    play(match, "attack with 7 of Swords", "seat 1 at 2.2")
    assert not [p.id for p in pieces(match, BO, "battle") if "free" in p.state], "Bo has no rune to play"
    play(match, "turn up 2.1")
    king, strength = pieces(match, ANN, "hand.0")
    assert [(act.words, act.target) for act in king.acts] == [("add King of Cups", "attack.place")]
    goals = [("play Strength", "attack.rune_place"), ("add Strength", "attack.place")]
    assert [(act.words, act.target) for act in strength.acts] == goals
    assert [p.id for p in pieces(match, ANN, "battle") if "free" in p.state] == ["attack.place", "attack.rune_place"]
    for viewer in (BO, ONLOOKER):
        assert not [p.id for p in pieces(match, viewer, "battle") if "free" in p.state], "they tell what Ann holds"


@pytest.mark.clause("RW-2")
def test_a_card_of_the_first_defence_is_laid_with_a_touch_of_its_place():
    match = begin()
    card = pieces(match, ANN, "hand.0")[0]
    (act,) = card.acts
    assert (act.words, act.target) == (f"lay {card.name}", "defence.0.1.1")
    for action in act.path:
        match.play(ANN, action)
    assert piece(match, ANN, ANN, "1.1").name == card.name


@pytest.mark.clause("RW-9", "RW-20")
def test_cards_that_a_battle_cannot_use_say_when_they_can_be_used():
    hands = ["7 of Swords, 2 of Swords, The Sun, Strength", "3 of Cups, The Chariot, Justice"]
    match = play(position(hands, ["9 of Pentacles", WALL]), "attack with 7 of Swords", "seat 1 at 2.2")

    def not_now(seat):
        return {p.name: p.not_now for p in pieces(match, seat, f"hand.{seat}") if not p.acts}

    assert not_now(BO) == {"3 of Cups": "attacker only", "The Chariot": "attacker only"}
    play(match, "play Justice")
    assert not_now(ANN) == {"2 of Swords": "no more cards", "The Sun": "on your turn only"}
    play(match, "play Strength")
    assert not_now(BO) == {"3 of Cups": "attacker only", "The Chariot": "one rune a side"}


@pytest.mark.clause("RW-9")
def test_a_question_with_one_answer_says_why_there_is_no_other():
    match = position(["7 of Swords, 2 of Swords", "3 of Cups"], ["9 of Pentacles", WALL])
    play(match, "attack with 7 of Swords", "seat 1 at 3.1")
    assert match.view(BO).question.words == "You can only hold back." and len(match.moves(BO)) == 1
    play(match, "hold back")
    assert match.view(ANN).question.help == "You have no card to add, and no rune to play. Bo wins a tie."


BOTH = ("defence.0.1.1", "defence.0.2.1")


@pytest.mark.clause("RW-20", "RW-21")
@pytest.mark.parametrize(
    ("moves", "slots", "places"),
    [
        (["play The High Priestess"], (None,) * 3, [f"defence.1.{place}" for place in WALL]),
        (["play The High Priestess", "seat 1 at 2.1"], ("defence.1.2.1", None, None), ["defence.1.2.1"]),
        (["play The Hierophant", "at 1.1"], ("defence.0.1.1", None), ["defence.0.1.1"]),
        (["play The Hierophant", "at 1.1", "at 2.1"], BOTH, [*BOTH]),
        (["play The Hermit"], (None,), ["defence.0.2.1"]),
        (["play Death"], (None,), ["defence.1.2.2", "defence.1.3.1"]),
        (["play The Devil"], (), ["hand.1.0", "hand.1.1"]),
        (["play The Tower"], (), [f"defence.1.{place}" for place in WALL]),
        (["play The Tower", "on seat 1"], (), [f"defence.1.{place}" for place in WALL]),
        (["play The Star"], (None,), ["pile.0", "pile.1"]),
        (["play Judgement"], (None, None), ["pile.0", "pile.1"]),
        (["play Judgement", "take 3 of Swords"], ("hand.0.1", None), ["pile.0"]),
        (["play Judgement", "take 3 of Swords", "done"], (None,), None),
    ],
)  # fmt: skip
def test_a_rune_of_the_field_has_a_scene_with_text_slots_and_places(moves, slots, places):
    rune = moves[0].removeprefix("play ")
    hands = [f"{rune}, 5 of Cups, 6 of Cups", "3 of Cups, 4 of Cups"]
    match = position(hands, ["9 of Pentacles, 8 of Pentacles", WALL], pile="2 of Swords, 3 of Swords")
    play(match, *moves)
    mine, others = match.view(ANN), match.view(BO)
    scene = mine.scene
    assert (scene.kind, scene.size, scene.title, scene.card.name) == ("rune", "strip", rune, rune)
    assert scene.card.text == effect(RUNE_NAMES.index(rune)) and mine.phase.words == RUNE_SHORT[RUNE_NAMES.index(rune)]
    if rune == "Judgement" and slots[0]:
        own = pieces(match, ANN, "hand.0")
        slots = (next(p.id for p in own if p.name == "3 of Swords"), *slots[1:])
    assert scene.slots == slots
    places = [p.id for p in pieces(match, ANN, "hand.0")] if places is None else places
    assert mine.about == scene.places == tuple(places)
    assert others.about == () and len(others.scene.slots) == len(slots) and others.scene.places


@pytest.mark.clause("RW-21")
def test_a_row_and_the_two_cards_of_the_hierophant_can_be_touched():
    match = position(["The Moon, 5 of Cups", "3 of Cups"], [WALL, "9 of Pentacles"])
    play(match, "play The Moon")
    rows = {p.id: [act.words for act in p.acts] for p in match.view(ANN).pieces() if p.acts}
    assert rows == {"defence.0.2.1": ["row 2"], "defence.0.2.2": ["row 2"], "row.2": ["row 2"]}
    match = position(["The Hierophant, 5 of Cups", "3 of Cups"], [WALL, "9 of Pentacles"])
    play(match, "play The Hierophant", "at 1.1", "at 2.1")
    assert [act.words for act in match.view(ANN).acts] == ["exchange", "put back"]
    assert [p.id for p in pieces(match, ANN, "defence.0") if "named" in p.state] == [*BOTH]


@pytest.mark.clause("RW-15")
def test_scores_show_the_war_score_its_parts_and_whether_it_is_certain():
    more = "destroyed = 1 9 0 0 0\nout = 0 0 1 0 0"
    match = position(["2 of Cups", "3 of Cups", ""], ["9 of Pentacles", WALL, ""], seats=3, more=more)
    scores = match.view(ANN).scores
    assert [(score.number, score.rank, score.certain) for score in scores] == [
        (3, 2, True),
        (12, 1, True),
        (0, 3, True),
    ]
    assert [[part.number for part in score.parts] for score in scores] == [[1, 2], [4, 8], [0, 0]]
    match = position(["2 of Cups", "3 of Cups"], ["9 of Pentacles", "8 of Pentacles"])
    assert [(score.rank, score.certain) for score in match.view(ANN).scores] == [(1, False)] * 2


@pytest.mark.clause("RW-2", "RW-15", "RW-23")
def test_counts_show_the_piles_the_truce_and_every_hand_and_defence():
    match = position(["2 of Cups, 4 of Cups", "3 of Cups"], ["9 of Pentacles", WALL], pile="5 of Cups", turns=3)
    view = match.view()
    keys = ("deck", "pile", "truce")
    assert {key: view.count(key) for key in keys} == {"deck": 78 - 2 - 1 - 1 - 4 - 1, "pile": 1, "truce": 7}
    assert [(view.count("hand", seat), view.count("defence", seat)) for seat in (ANN, BO)] == [(2, 1), (1, 4)]
    assert (view.phase.key, view.phase.round, view.phase.rounds) == ("turn", 4, 25)
    building = begin(2).view(ANN)
    assert building.phase.key == "build" and [count.seat for count in building.counts] == [None] * 3 + [ANN] * 2
    assert building.scores[BO].parts == () and not building.scores[BO].certain


@pytest.mark.parametrize("seed", range(3))
def test_in_random_wars_every_question_points_at_pieces_and_battles_add_up(seed: int):
    match, chooser, battles = begin(3, seed), random.Random(seed), 0
    while match.to_act:
        seat = chooser.choice(sorted(match.to_act))
        view = match.view(seat)
        assert view.question and view.about
        assert (view.scene is None) == (view.phase.key not in ("battle", "rune"))
        if view.phase.key == "battle":
            battles += 1
            shown = {p.id: p.stats[0].number if p.stats else 0 for p in view.pieces()}
            for side in view.scene.sides:
                assert sum(shown[id_] for id_ in side.pieces) == side.total
                assert sum(stat.number for stat in side.stats if stat.key != "may_add") == side.total
        match.play(seat, chooser.choice(match.moves(seat)).action)
    view = match.view()
    assert battles and view.phase.key == "over" and view.question is view.scene is None


def test_every_face_has_arms_and_every_rune_a_picture_of_its_own():
    game = quintain.game("rune-war")
    arms = heraldry.arms_of(game)
    assert {heraldry.parts(key)[0] for key in KEYS} <= set(arms)
    assert len({arms[heraldry.parts(key)[0]].charge for key in KEYS[56:]}) == 22
    assert len(set(KEYS)) == 78


def test_moves_are_read_in_other_spellings_too():
    match, text = begin(), quintain.game("rune-war").text
    read = [text.parse(match.book, match.blinded(0), 0, words) for words in ("LAY  1 of cups", "join Wands and Cups")]
    named = [text.name(match.book, match.blinded(0), 0, action) for action in read]
    assert named == ["lay Ace of Cups", "join Cups and Wands"]
    assert text.parse(match.book, match.blinded(0), 0, "lay 15 of Cups") is None
    assert text.parse(match.book, match.blinded(0), 0, "seat 4 at 12.12") is not None and len(PLACE_NAMES) == 78


@pytest.mark.clause("RW-17", "RW-18", "RW-21")
@pytest.mark.parametrize(
    ("hand", "added", "courts", "worth"),
    [
        ("King of Swords, 3 of Cups, The Lovers", "3 of Cups", "King of Swords", 10),
        ("3 of Cups, King of Swords, The Lovers", "King of Swords", "King of Swords", 10),
        ("Queen of Cups, King of Swords, The Lovers", "King of Swords", "Queen of Cups and King of Swords", 0),
    ],
    ids=["second suit only", "number first", "both suits"],
)
def test_joined_suits_are_one_line_of_the_account_and_all_lines_add_up(hand, added, courts, worth):
    laid = {"1.1": "Ace of Wands", "2.1": "5 of Wands", "2.2": "6 of Wands"}
    match = position([hand, "3 of Wands"], ["9 of Pentacles", laid])
    first = hand.partition(", ")[0]
    play(match, f"attack with {first}", "seat 1 at 2.1", "turn up 2.2", f"add {added}", "hold back")
    play(match, "play The Lovers", "join Cups and Swords")
    *lines, total = match.account()
    assert total.words == "Total so far"
    assert total.by_seat == tuple(map(sum, zip(*(line.by_seat for line in lines if line.by_seat), strict=True)))
    counts = "3 of Cups" in hand
    words = f"Ann: {courts}, joined" if counts else f"Ann: {courts}, without a number card"
    (line,) = [line for line in lines if "Ann: " in line.words]
    assert (line.words, line.by_seat[ANN]) == (words, worth)
    assert line.clause == ("RW-18" if counts else "RW-17")
    parts = [each.words for p in pieces(match, ONLOOKER, "battle") if p.id == "attack.total" for each in p.now]
    assert f"{words.removeprefix('Ann: ')} {line.by_seat[ANN]}" in parts


@pytest.mark.clause("RW-2", "RW-23")
def test_while_defences_are_built_nobody_sees_how_many_cards_others_have():
    match = begin(3)
    play_root = menu(match, ANN)[0]
    match.play(ANN, play_root)
    for viewer, own in ((ANN, {"defence.0", "hand.0"}), (BO, {"defence.1", "hand.1"}), (ONLOOKER, set())):
        assert {zone.id for zone in match.view(viewer).zones} == {"deck", *own}


@pytest.mark.clause("RW-2")
def test_a_defence_is_not_done_while_a_card_waits_for_its_place():
    match = begin(2)
    for move in (menu(match, ANN)[0], "at 1.1", menu(match, ANN)[1]):
        match.play(ANN, move)
    assert match.why_not(ANN, "done").words.startswith("you are asked: Where do you lay ")


def test_the_scene_of_a_battle_that_is_over_names_the_winner() -> None:
    case = Case(quintain.game("rune-war"), 2)
    said = set()
    for book, s in case.positions(3):
        if s.phase == st.FURTHER and not s.over:
            for viewer in range(2):
                view = case.game.text.view(book, case.game.blinded(book, s, viewer), viewer)
                assert view.scene is not None
                words = with_players(view, ("Ann", "Bo")).scene.lines[-1].words
                said.add((viewer == s.attacker, words))
                assert words.startswith("You win" if viewer == s.attacker else ("Ann wins", "Bo wins")[s.attacker])
    assert {mine for mine, _ in said} == {True, False}
