"""Robin in the Hood as it is shown: stages, comparisons, levels with their colours, arms, words of moves."""

import pytest

import quintain
from games.robin_positions import ANN, BO, Side, begin, menu, number, pieces, play, position
from quintain.engine.views import FREE
from quintain.games.robin import state as st
from quintain.games.robin.view import STAGE_FACES, face, level_face
from quintain.server import heraldry


@pytest.mark.clause("RH-1", "RH-8")
def test_the_stages_show_both_sides_with_levels_whose_colours_carry_their_numbers():
    match = position(Side("-, Little John, -, Miller"), Side("-, -, Tinker, -"))
    for viewer in (ANN, BO, None):
        shown = pieces(match.view(viewer), "stages")
        assert [piece.face for piece in shown] == list(STAGE_FACES)
        own = [lying for piece in shown for lying in piece.attached if lying.seat == ANN]
        assert [lying.face for lying in own[::2]] == [FREE, "little_john", FREE, "miller"]
        assert [lying.words for lying in own[1::2]] == ["-", "Red 3", "-", "Orange 4"]
        assert own[3].face == "weapons_red-3"


@pytest.mark.clause("RH-12", "RH-13")
def test_the_last_comparison_stays_in_view_with_its_workings_after_losers_have_left():
    match = position(Side("-, -, Little John, -", "Robin Hood"), Side("-, -, Tinker, -", "Will Scarlet"))
    play(match, "Robin Hood", "Will Scarlet")
    strength = next(piece for piece in pieces(match.view(ANN), "compared") if piece.face == "strength")
    assert strength.words == "Strength: Tinker 0 printed against Little John 5 printed, +2 by skills"
    assert strength.marks == ("Strength: Tinker 0 printed against Little John 5 printed, +2 by skills",)
    assert [lying.words for lying in strength.attached[1::2]] == [
        "Gray 0, 0 printed",
        "Gold 7, 5 printed, +2 by skills",
    ]
    assert [line.words for line in match.account()][-1] == "Strength, final levels: Ann wins"


@pytest.mark.clause("RH-8", "RH-10")
def test_what_is_lit_is_what_may_be_played():
    match = begin()
    match.play(ANN, "choose a new set")
    shown = match.view(ANN)
    characters = {piece.id for piece in pieces(shown, "collection.0") if not piece.text.startswith("Modifier")}
    assert {choice.piece for choice in shown.menu} == characters and len(characters) == 48
    match.play(ANN, "take Friar Tuck")
    assert [piece.face for piece in pieces(match.view(ANN), "set.0")] == ["friar_tuck"]
    assert match.why_not(ANN, "take Friar Tuck").clause == "RH-4"
    assert match.why_not(ANN, "take Tax Day").clause == "RH-8"
    assert match.why_not(ANN, "play Tax Day").clause == "RH-8"
    match = position(Side(hand="Robin Hood, Tax Day"), Side())
    shown = match.view(ANN)
    assert {choice.piece for choice in shown.menu} == {piece.id for piece in pieces(shown, "hand.0")}
    assert not any(piece.action for piece in pieces(match.view(BO), "hand.0"))


@pytest.mark.clause("RH-10")
def test_reasons_say_where_a_card_is():
    match = position(Side("-, Little John, -, -", "Robin Hood"), Side())
    why = {name: match.why_not(ANN, f"play {name}").words for name in ("Little John", "Innkeeper")}
    assert why == {"Little John": "Little John is played already", "Innkeeper": "Innkeeper is not in your active set"}
    pile = match._state.pile[ANN][0]
    name = match.book.character[pile].name
    assert match.why_not(ANN, f"play {name}").words == f"{name} is still on your draw pile"
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


def test_every_face_has_arms_and_the_characters_of_a_caste_charges_of_their_own():
    game = quintain.game("robin")
    book = game.make_book(2, game.read_options(2, {}))
    arms = heraldry.arms_of(game)
    faces = [face(card.name) for card in (*book.character[:48], *book.modifier[:16])]
    levels = [level_face(stage, level) for stage in range(st.STAGES) for level in range(-1, st.HIGHEST + 2)]
    assert {heraldry.parts(one)[0] for one in (*faces, *STAGE_FACES, *levels)} == set(arms)
    for caste in range(st.NOBLE, st.GUARD + 1):
        of_caste = [arms[face(card.name)] for card in book.character[:48] if card.caste == caste]
        assert len({one.field for one in of_caste}) == 1 and len({one.charge for one in of_caste}) == len(of_caste)
