"""Robin in the Hood: the table, the questions, the reasons and the names of moves, as each viewer sees them."""

import pytest

import quintain
from games.robin_positions import (
    ANN,
    BO,
    Side,
    begin,
    finals,
    menu,
    names,
    number,
    pieces,
    play,
    position,
    question,
)
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Act, Count, Line, Piece, Scene, Stat
from quintain.engine.seen.layout import only_choice
from quintain.games.robin import state as st
from quintain.games.robin.cards import base_set
from quintain.games.robin.faces import STAGE_KEYS, card_key
from quintain.games.robin.narration import recap
from quintain.server.pages import heraldry

VIEWERS = (ANN, BO, None)
FEW = [card.name for card in base_set().characters[:12]]


def scene(match: Match, viewer: int | None) -> Scene:
    found = match.view(viewer).scene
    assert found
    return found


def level(stage: str, number: int, printed: int | None = None) -> Stat:
    return Stat(stage.lower(), number, printed, stage)


@pytest.mark.clause("RH-1", "RH-8")
def test_the_stages_show_both_sides_with_levels_whose_colours_carry_their_numbers():
    match = position(Side("-, Little John, -, Miller"), Side("-, -, Tinker, -"))
    for viewer in VIEWERS:
        shown = pieces(match.view(viewer), "stages")
        assert [piece.key for piece in shown] == list(STAGE_KEYS)
        own = [lying for piece in shown for lying in piece.on_it if lying.seat == ANN]
        assert [lying.key for lying in own[::2]] == [None, "little_john", None, "miller"]
        assert [lying.stats for lying in own[1::2]] == [(), (level("Weapons", 3),), (), (level("Endurance", 4),)]
        assert [lying.text for lying in own[1::2]] == ["", "Red", "", "Orange"]
        assert own[2].kind == "Outlaw, Activist" and own[2].short == "Little John"
        assert [stat.number for stat in own[2].stats] == [3, 3, 5, 4]
        assert [lying.is_free for lying in own] == [True, True, False, False] * 2


@pytest.mark.clause("RH-12", "RH-13")
def test_the_last_comparison_stays_in_view_with_its_workings_after_losers_have_left():
    match = position(Side("-, -, Little John, -", "Robin Hood"), Side("-, -, Tinker, -", "Will Scarlet"))
    play(match, "Robin Hood", "Will Scarlet")
    strength = next(piece for piece in pieces(match.view(ANN), "compared") if piece.key == "strength")
    tinker, theirs, john, mine, judged = strength.on_it
    assert (tinker.name, john.name, judged.name) == ("Tinker", "Little John", "Tinker falls")
    assert (tinker.state, john.state) == ({"falls"}, frozenset())
    assert john.now == (Line("+2 by its own skill", (), "RH-2"),)
    assert (theirs.stats, theirs.text, theirs.now) == ((level("Strength", 0),), "Gray", ())
    assert (mine.stats, mine.text) == ((level("Strength", 7, printed=5),), "Gold")
    assert mine.now == (Line("+2 by skills", (), "RH-2"),)
    assert [line.words for line in match.account()][-1] == "Strength, final levels: Ann wins"


@pytest.mark.clause("RH-12")
def test_changes_that_cancel_out_are_shown_although_the_level_is_the_printed_one():
    david = Side("-, -, David of Doncaster, -", "Robin Hood", "Royal Charter")
    match = play(position(david, Side(hand="Abbot of Saint Mary")), "Robin Hood", "Abbot of Saint Mary")
    final = next(piece for piece in match.view().pieces() if piece.id == f"final.{ANN}.{st.STRENGTH}")
    assert final.stats == (level("Strength", 5),)
    assert final.now == (Line("\N{MINUS SIGN}1 by skills", (), "RH-2"), Line("+1 by modifiers", (), "RH-3"))


@pytest.mark.clause("RH-6", "RH-15")
def test_in_a_round_the_score_is_the_stages_held_and_the_rounds_won_are_counted_beside_it():
    match = position(Side("-, Little John, -, Miller"), Side("-, -, Tinker, -"), won=(1, 2))
    for viewer in VIEWERS:
        view = match.view(viewer)
        assert [(one.number, one.unit, one.certain, one.rank) for one in view.scores] == [
            (2, "of 4 stages", True, 2),
            (1, "of 4 stages", True, 1),
        ]
        assert [one.parts for one in view.scores] == [
            (Count("stages", ANN, 2, 4, "stages held"),),
            (Count("stages", BO, 1, 4, "stages held"),),
        ]
        rounds = {one.seat: one for one in view.counts if one.key == "rounds"}
        assert rounds == {ANN: Count("rounds", ANN, 1, 3, "rounds won"), BO: Count("rounds", BO, 2, 3, "rounds won")}
    between = begin(victories=1).view().scores[ANN]
    assert (between.number, between.unit) == (0, "of 1 round")


@pytest.mark.clause("RH-18")
def test_rounds_drawn_in_a_row_are_counted_as_soon_as_there_is_one():
    assert not [one for one in position(Side(), Side()).view().counts if one.key == "drawn"]
    match = position(Side(), Side(), drawn=2)
    assert [one for one in match.view().counts if one.key == "drawn"] == [
        Count("drawn", None, 2, 9, "drawn in a row")
    ]  # fmt: skip


@pytest.mark.clause("RH-7", "RH-8", "RH-10")
def test_the_phase_names_the_steps_an_ante_among_them_only_where_there_is_one():
    match = begin(ante="on")
    assert [step.key for step in match.view().phase.steps] == ["ante", "sets", "play"]
    assert (match.view().phase.key, match.view().phase.round) == ("ante", 1)
    assert match.view().phase.steps[0].words == "stake", "the page has one word for it"
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    phase = match.view().phase
    assert [step.key for step in phase.steps] == ["play", "judged"]
    assert (phase.key, phase.words, phase.note) == ("play", "both play", "hand 1 of 11")
    play(match, "Robin Hood", "Miller")
    for viewer, words in ((ANN, "you play"), (BO, "first card"), (None, "first card")):
        phase = match.view(viewer).phase
        assert [step.key for step in phase.steps] == ["lead", "answer", "judged"]
        assert (phase.key, phase.words, phase.note) == ("lead", words, "hand 2 of 11")
    match.play(ANN, menu(match, ANN)[0])
    assert [match.view(viewer).phase.words for viewer in VIEWERS] == ["answer", "you answer", "answer"]


@pytest.mark.clause("RH-7", "RH-8")
def test_each_seat_has_its_own_stake_in_sight_and_of_the_others_only_that_there_is_one():
    match = begin(ante="on")
    assert not [zone for viewer in VIEWERS for zone in match.view(viewer).zones if zone.id.startswith("stake.")]
    match.play(ANN, "stake Little John")
    seen = [[(zone.id, zone.words) for zone in match.view(viewer).zones if "stake" in zone.id] for viewer in VIEWERS]
    assert seen == [[("stake.0", "Your stake")], *[[("stake.0", f"Stake of {match.names[ANN]}")]] * 2]
    match.play(BO, "stake Miller")
    for way in ("choose", "deal"):
        assert question(match, BO).key == "set"
        for viewer, stakes in ((ANN, ["little_john", None]), (BO, [None, "miller"]), (None, [None, None])):
            assert [pieces(match.view(viewer), f"stake.{seat}")[0].key for seat in (ANN, BO)] == stakes
        match.play(ANN, next(move.text for move in match.moves(ANN) if move.text.startswith(way)))
    match.play(BO, next(move.text for move in match.moves(BO) if move.text.startswith("deal")))
    assert pieces(match.view(ANN), "stake.0")[0].name == "Little John" and pieces(match.view(ANN), "hand.0")


@pytest.mark.clause("RH-7", "RH-8", "RH-10")
def test_each_question_has_a_key_and_says_what_it_is_about():
    match = begin(ante="on")
    collection = {piece.id for piece in pieces(match.view(ANN), "collection.0")}
    assert question(match, ANN).key == "stake" and set(match.view(ANN).about) == collection and len(collection) == 64
    match = position(Side("-, Little John, -, -", "Robin Hood, Ambush"), Side())
    assert question(match, ANN).key == "play" and question(match, ANN).help.startswith("Both choose in secret")
    for seat in (ANN, BO):
        assert match.view(seat).about == tuple(f"hand.{seat}.{n}" for n in range(5))
    match.play(ANN, "play Robin Hood")
    assert match.view(ANN).question is None and not match.view(ANN).about and not match.view().about
    for card, place in (("Robin Hood", "character.0.0"), ("Ambush", f"modifiers.0.{number(match, 'Ambush')}")):
        match = position(Side("-, Little John, -, -", "Robin Hood, Ambush"), Side(), leader=ANN)
        assert question(match, ANN).key == "lead" and match.view(BO).question is None
        match.play(ANN, f"play {card}")
        assert question(match, BO).key == "answer" and match.view(BO).about == (place,)
        assert question(match, BO).words == f"Which card answers {card}?"


@pytest.mark.clause("RH-8")
def test_between_rounds_the_question_is_about_the_set_and_then_about_the_cards_to_take():
    match = position(Side("-, Little John, Friar Tuck, Templar", "Robin Hood"), Side(hand="Miller"))
    play(match, "Robin Hood", "Miller")
    assert question(match, ANN).key == "set" and len(match.view(ANN).about) == 15
    assert match.view(ANN).about == tuple(piece.id for piece in pieces(match.view(ANN), "set.0"))
    match.play(ANN, "choose a new set")
    for taken, key, about in ((0, "character", 48), (1, "character", 47), (12, "modifier", 16)):
        while len(pieces(match.view(ANN), "set.0")) < taken:
            match.play(ANN, menu(match, ANN)[0])
        assert question(match, ANN).key == key and len(match.view(ANN).about) == about
    assert question(match, ANN).help == "You have 0 of 3."


@pytest.mark.clause("RH-12", "RH-13")
def test_the_scene_compares_the_stages_as_they_stand_but_gives_no_verdict_on_agility():
    match = position(Side("-, -, Little John, Miller", "Robin Hood"), Side("-, -, Tinker, -", lasting="Hard Winter"))
    for viewer in VIEWERS:
        shown = scene(match, viewer)
        assert (shown.kind, shown.size, shown.slots) == ("comparison", "stage", ())
        sides = {side.seat: side for side in shown.sides}
        assert sides[ANN].pieces == ("character.0.2", "character.0.3")
        assert sides[ANN].stats == (level("Strength", 5), level("Endurance", 3, printed=4))
        assert sides[BO].stats == (level("Strength", 0),)
        verdicts = [(line.words, line.by_seat) for line in shown.lines if line.clause == "RH-13"]
        assert verdicts == [("Strength, final levels: Ann wins", (5, 0))]


@pytest.mark.clause("RH-3", "RH-10", "RH-12")
def test_a_card_played_openly_counts_in_the_scene_and_one_chosen_in_secret_does_not():
    sides = Side("-, -, Little John, -", "Robin Hood, Ambush"), Side("-, Potter, Tinker, -")
    match = position(*sides)
    before = {viewer: scene(match, viewer) for viewer in VIEWERS}
    match.play(ANN, "play Robin Hood")
    assert {viewer: scene(match, viewer) for viewer in VIEWERS} == before
    match = position(*sides, leader=ANN)
    match.play(ANN, "play Robin Hood")
    (mine,) = [side for side in scene(match, BO).sides if side.seat == ANN]
    assert mine.stats == (level("Agility", 4), level("Strength", 7, printed=5))
    assert not any(line.words.startswith("Agility") for line in scene(match, BO).lines)
    match = position(*sides, leader=ANN)
    match.play(ANN, "play Ambush")
    (theirs,) = [side for side in scene(match, None).sides if side.seat == BO]
    assert theirs.stats[0] == level("Weapons", 0, printed=2)


@pytest.mark.clause("RH-12", "RH-13")
def test_the_comparison_in_the_scene_comes_true_if_the_hand_changes_nothing_there():
    match = position(Side("-, -, Miller, Potter", "Royal Pardon"), Side("-, -, Tinker, Templar", "Royal Pardon"))
    foreseen = {
        (side.seat, STAGE_KEYS.index(stat.key)): stat.number for side in scene(match, None).sides for stat in side.stats
    }
    assert finals(play(match, "Royal Pardon", "Royal Pardon")) == foreseen and len(foreseen) == 4


@pytest.mark.clause("RH-7", "RH-8")
def test_the_scene_has_a_slot_for_the_stake_and_for_each_card_of_the_set_with_the_sums_so_far():
    match = begin(ante="on")
    assert (scene(match, ANN).kind, scene(match, ANN).slots) == ("ante", (None,)) and match.view().scene is None
    match.play(ANN, "stake Miller")
    assert match.view(ANN).scene is None
    match = begin()
    assert match.view(ANN).scene is None
    match.play(ANN, "choose a new set")
    assert scene(match, ANN).slots == (None,) * 15
    for name in ("Little John", "Friar Tuck", "Maid Marian"):
        match.play(ANN, f"take {name}")
    shown = scene(match, ANN)
    ids = tuple(piece.id for piece in pieces(match.view(ANN), "set.0"))
    assert shown.slots == ids + (None,) * 12 and len(ids) == 3
    (side,) = shown.sides
    assert side.stats == (
        *(level(stage, total) for stage, total in zip(("Agility", "Weapons", "Strength", "Endurance"),
                                                     (9, 10, 11, 10), strict=True)),
        Stat("noble", 1, None, "Noble"),
        Stat("outlaw", 2, None, "Outlaw"),
    )  # fmt: skip
    assert match.view(BO).scene is None and match.view().scene is None


@pytest.mark.clause("RH-8", "RH-10")
def test_exactly_the_playable_cards_are_lit():
    match = begin()
    match.play(ANN, "choose a new set")
    shown = match.view(ANN)
    characters = {piece.id for piece in pieces(shown, "collection.0") if piece.stats}
    assert lit(shown.zones[-1].pieces) == characters and len(characters) == 48
    match.play(ANN, "take Friar Tuck")
    assert [piece.key for piece in pieces(match.view(ANN), "set.0")] == ["friar_tuck"]
    assert match.why_not(ANN, "take Friar Tuck").clause == "RH-4"
    assert match.why_not(ANN, "take Tax Day").clause == "RH-8"
    assert match.why_not(ANN, "play Tax Day").clause == "RH-8"
    match = position(Side(hand="Robin Hood, Tax Day"), Side())
    hand = pieces(match.view(ANN), "hand.0")
    assert lit(hand) == {piece.id for piece in hand} and hand[0].name == "Robin Hood"
    assert hand[0].acts == (Act(st.PLAY + number(match, "Robin Hood"), "play Robin Hood", "Play", "character.0.0"),)
    place = on_stage(match, ANN, "character.0.0")
    assert place.is_free and not place.acts
    assert only_choice(match.view(ANN)) == "", "the place is only a goal: a card must be chosen"
    assert not lit(pieces(match.view(BO), "hand.0"))


def lit(shown: tuple[Piece, ...]) -> set[str]:
    return {piece.id for piece in shown if piece.acts}


@pytest.mark.clause("RH-10")
def test_the_card_that_is_chosen_is_marked_for_its_owner_alone():
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    match.play(ANN, "play Robin Hood")
    for viewer in VIEWERS:
        chosen = [piece.name for piece in pieces(match.view(viewer), "hand.0") if "played" in piece.state]
        assert chosen == (["Robin Hood"] if viewer == ANN else [])


@pytest.mark.clause("RH-8")
def test_the_roles_of_zones_depend_on_the_viewer():
    sides = Side("-, Little John, -, -", "Robin Hood", "Hard Winter"), Side(hand="Miller", lasting="King's Peace")
    match = play(position(*sides), "Robin Hood", "Miller")
    assert {zone.id: zone.role for zone in match.view(BO).zones} == {
        "hand.0": "hand", "modifiers.0": "rival", "compared": "middle", "stages": "middle", "modifiers.1": "own",
        "dead.1": "pile", "pile.1": "pile", "hand.1": "hand",
    }  # fmt: skip
    match = begin(active=10, modifiers="off", collection_1=",".join(FEW))
    match.play(ANN, "choose a new set")
    match.play(ANN, "take Friar Tuck")
    roles = {zone.id: zone.role for zone in match.view(ANN).zones}
    assert roles == {"collection.1": "offer", "set.0": "own", "collection.0": "offer"}


@pytest.mark.clause("RH-10")
def test_reasons_say_where_a_card_is():
    match = position(Side("-, Little John, -, -", "Robin Hood"), Side())
    why = {name: match.why_not(ANN, f"play {name}").words for name in ("Little John", "Innkeeper")}
    assert why == {
        "Little John": "Little John has already been played in this round",
        "Innkeeper": "Innkeeper is not in your active set",
    }
    name = names(match, ANN, "pile.0")[0]
    assert match.why_not(ANN, f"play {name}").words == f"{name} is still in your draw pile"
    match.play(ANN, "play Robin Hood")
    assert match.why_not(ANN, "play Robin Hood").words == "you have chosen, and Bo is still to choose"


def test_moves_are_read_in_other_spellings_and_every_action_reads_back():
    match, text = position(Side(), Side()), quintain.game("robin").text
    s = match.blinded(ANN)
    read = [text.parse(match.book, s, ANN, words) for words in ("PLAY  little john", "take Tax Day", "keep this SET")]
    assert read == [st.PLAY + number(match, "Little John"), st.TAKE + number(match, "Tax Day"), st.KEEP]
    assert text.parse(match.book, s, ANN, "play King\N{RIGHT SINGLE QUOTATION MARK}s Peace") is not None
    assert text.parse(match.book, s, ANN, "play Batman") is text.parse(match.book, s, ANN, "sing") is None
    for action in range(st.ACTIONS):
        name = text.name(match.book, s, ANN, action)
        assert not name or text.parse(match.book, s, ANN, name) == action
    assert all(len(name) > 5 for name in menu(match, ANN))


def test_every_picture_has_arms_and_the_characters_of_a_caste_charges_of_their_own():
    game = quintain.game("robin")
    book = game.make_book(2, game.read_options(2, {}))
    arms = heraldry.arms_of(game)
    keys = [card_key(card.name) for card in (*book.character[:48], *book.modifier[:16])]
    assert {*keys, *STAGE_KEYS} == set(arms)
    for caste in range(st.NOBLE, st.GUARD + 1):
        of_caste = [arms[card_key(card.name)] for card in book.character[:48] if card.caste == caste]
        assert len({one.field for one in of_caste}) == 1 and len({one.charge for one in of_caste}) == len(of_caste)


def on_stage(match: Match, viewer: int | None, place: str) -> Piece:
    """Return the piece with an id."""
    return next(piece for piece in match.view(viewer).pieces() if piece.id == place)


@pytest.mark.clause("RH-12")
def test_a_character_on_a_stage_shows_the_level_that_counts_and_every_card_that_changes_it():
    sides = Side("-, -, Little John, Robin Hood", lasting="Royal Charter"), Side("-, Queen Berengaria, Tinker, -")
    match = position(*sides)
    john = on_stage(match, BO, f"character.{ANN}.{st.STRENGTH}")
    assert john.stats[st.STRENGTH] == level("Strength", 8, printed=5) and john.stats[st.ENDURANCE].number == 4
    assert john.now == (Line("+2 by its own skill", (), "RH-2"), Line("+1 by Royal Charter", (), "RH-3"))
    assert on_stage(match, BO, f"level.{ANN}.{st.STRENGTH}").stats == (level("Strength", 8, printed=5),)
    match = position(Side("-, -, Sheriff of Nottingham, -"), Side("-, Little John, -, -"))
    john = on_stage(match, None, f"character.{BO}.{st.WEAPONS}")
    assert john.now == (Line("\N{MINUS SIGN}1 by the skill of Sheriff of Nottingham", (), "RH-2"),)


@pytest.mark.clause("RH-11", "RH-13")
def test_between_the_sides_each_stage_says_how_it_would_be_judged_but_agility_is_open():
    sides = Side("-, Templar, Little John, Miller", "Robin Hood"), Side("-, Baron Fitzwalter, Tinker, -")
    match = position(*sides)
    verdicts = [on_stage(match, ANN, f"verdict.{stage}") for stage in range(st.STAGES)]
    assert [one.name for one in verdicts] == ["still open", "neither falls", "Little John wins", "Miller is alone"]
    assert [[(stat.key, stat.number) for stat in one.stats] for one in verdicts] == [
        [],
        [("seat.1", 4), ("seat.0", 4)],
        [("seat.1", 0), ("seat.0", 5)],
        [("seat.0", 4)],
    ]
    assert on_stage(position(Side(), Side()), ANN, "verdict.2").is_free
    match = position(Side(hand="Ambush"), Side(), leader=ANN)
    match.play(ANN, "play Ambush")
    assert on_stage(match, BO, "verdict.0").name == "any character wins"
    assert on_stage(match, BO, "character.0.0").name == "a modifier leaves this place empty"


@pytest.mark.clause("RH-10")
def test_a_card_chosen_in_secret_lies_face_down_on_agility_and_only_its_owner_reads_it():
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    match.play(ANN, "play Robin Hood")
    shown = {viewer: on_stage(match, viewer, "character.0.0") for viewer in VIEWERS}
    assert all(piece.is_down and piece.key is None for piece in shown.values())
    assert shown[ANN].name == "Robin Hood, face down" and shown[BO].name == shown[None].name == "a card face down"


@pytest.mark.clause("RH-2", "RH-3")
def test_texts_speak_to_the_one_who_reads_them():
    sides = Side("-, Much the Miller's Son, -, -", lasting="Hard Winter"), Side(lasting="Royal Charter")
    match = position(*sides)
    read = {viewer: on_stage(match, viewer, "character.0.1").text for viewer in VIEWERS}
    assert read[ANN] == "★ Elsewhere your Outlaws have +1 in Strength."
    assert read[BO] == read[None] == "★ Elsewhere their Outlaws have +1 in Strength."
    winter = {viewer: pieces(match.view(viewer), "modifiers.0")[0].text for viewer in VIEWERS}
    assert winter == {
        ANN: "Lasting: opposing characters have \N{MINUS SIGN}1 in Endurance.",
        BO: "Lasting: your characters have \N{MINUS SIGN}1 in Endurance.",
        None: "Lasting: opposing characters have \N{MINUS SIGN}1 in Endurance.",
    }


@pytest.mark.clause("RH-3")
def test_a_lasting_modifier_that_the_open_card_replaces_or_removes_is_marked():
    for card, place in (("Silver Arrow", "modifiers.0"), ("Royal Pardon", "modifiers.1")):
        match = position(Side(hand=card, lasting="Hard Winter"), Side(lasting="King's Peace"), leader=ANN)
        match.play(ANN, f"play {card}")
        shown = [piece for seat in (ANN, BO) for piece in pieces(match.view(BO), f"modifiers.{seat}")]
        leaving = [piece for piece in shown if "leaves" in piece.state]
        assert [piece.id.rpartition(".")[0] for piece in leaving] == [place] and len(shown) == 3


@pytest.mark.clause("RH-1", "RH-8")
def test_the_cards_of_a_collection_carry_their_groups_and_a_newcomer_may_read_them_before_choosing():
    match = begin()
    read = pieces(match.view(ANN), "collection.0")
    assert len(read) == 64 and not lit(read) and all(piece.text for piece in read)
    match.play(ANN, "choose a new set")
    by_name = {piece.name: piece for piece in pieces(match.view(ANN), "collection.0")}
    assert by_name["Little John"].state == {"outlaw", "activist"} and by_name["Templar"].state == {"knight"}
    assert not by_name["Tax Day"].state and not by_name["Tax Day"].acts
    while question(match, ANN).key == "character":
        match.play(ANN, menu(match, ANN)[0])
    assert {piece.kind.partition(",")[0] for piece in pieces(match.view(ANN), "collection.0")} == {"Modifier"}


def test_short_names_are_short_and_no_two_cards_share_one():
    cards = [*base_set().characters, *base_set().modifiers]
    short = [card.short or card.name for card in cards]
    assert max(map(len, short)) <= 12 and len(set(short)) == len(cards)


@pytest.mark.clause("RH-8")
def test_onlookers_see_every_collection_that_somebody_has_limited():
    names = [card.name for card in base_set().characters]
    match = begin(active=10, modifiers="off", collection_0=",".join(names[:40]), collection_1=",".join(names[20:60]))
    shown = {zone.id for zone in match.view(None).zones if zone.id.startswith("collection.")}
    assert shown == {"collection.0", "collection.1"}
    assert {zone.id for zone in match.view(ANN).zones if zone.id.startswith("collection.")} >= {"collection.1"}


@pytest.mark.clause("RH-12", "RH-13")
def test_each_verdict_says_how_it_would_be_after_each_card_of_the_hand_and_this_comes_true():
    sides = Side("-, -, Little John, Miller", "Robin Hood"), Side("-, -, Tinker, -", "Will Scarlet")
    match = position(*sides, leader=BO)
    match.play(BO, "play Will Scarlet")
    names_held = [piece.name for piece in pieces(match.view(ANN), "hand.0")]
    n = names_held.index("Robin Hood")
    foreseen = [on_stage(match, ANN, f"verdict.{stage}").on_it[n] for stage in range(st.STAGES)]
    assert all(len(on_stage(match, ANN, f"verdict.{stage}").on_it) == len(names_held) for stage in range(st.STAGES))
    assert not any(on_stage(match, BO, f"verdict.{stage}").on_it for stage in range(st.STAGES))
    promised = {
        (int(stat.key[-1]), stage): stat.number for stage, verdict in enumerate(foreseen) for stat in verdict.stats
    }
    match.play(ANN, "play Robin Hood")
    assert finals(match) == promised and len(promised) == 5


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_recap_says_who_beat_whom_and_tells_nobody_what_a_rival_drew(viewer):
    match = position(Side(hand="Sheriff of Nottingham"), Side(hand="Potter"))
    play(match, "Sheriff of Nottingham", "Potter")
    told = [recap(match.book, event, st.NONE if viewer is None else viewer) for event in match.blinded(viewer).events]
    words = [one.words for one in told if one.words]
    drew = [each for each in words if " drew " in each]
    assert len(drew) == (viewer is not None) and all(each.startswith("You drew ") for each in drew)
    beat = [one for one in told if " beat " in one.words]
    assert len(beat) == 1 and beat[0].is_result and ("our " in beat[0].words) == (viewer is not None)
    assert not any(each.endswith(".") for each in words)
