"""Round Table: two touches are enough for a move, and news are told in short whole sentences."""

from collections.abc import Iterator

import pytest

from games.round_table_positions import (
    ANN,
    BO,
    LANDS,
    PLAIN,
    Side,
    knight,
    pass_season,
    piece,
    play,
    position,
    rp,
    zone,
)
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Act, Piece, Preview, Recap
from quintain.engine.seen.layout import only_choice
from quintain.engine.seen.previews import facts, previews
from quintain.games.round_table import state as st


def held(match: Match, name: str) -> Piece:
    return next(card for card in zone(match, f"hand.{ANN}", ANN).pieces if card.name == name)


def goals(match: Match, card: Piece) -> dict[str, Act]:
    """Return the acts of a piece by the name of the piece that they lead to."""
    return {piece(match, act.target, ANN).name: act for act in card.acts if act.target}


def tags(match: Match, card: Piece) -> dict[str, Preview]:
    """Return what the acts of Ann's piece lead to, by the words on their buttons."""
    known, words = match.seen(ANN).state, {act.path: act.short for act in card.acts}
    return {words[path]: preview for path, preview in previews(match.game, match.book, known, ANN, words)}


def recaps(match: Match, viewer: int | None) -> Iterator[Recap]:
    """Yield what a viewer who looked away is told."""
    for seen in match.moments(viewer):
        yield from (change.recap for change in seen.changes if change.recap.words)


@pytest.mark.clause("RT-16", "RT-18", "RT-19")
def test_a_quest_and_its_knight_or_a_knight_and_its_region_are_two_touches() -> None:
    sides = Side("Change of Heart, The Fair Unknown", ["Kay", "Balin @ Elmet"]), Side("", ["Gawain @ Camelot"])
    match = position(*sides, season=st.SUMMER)
    assert goals(match, held(match, "The Fair Unknown")).keys() == {"Kay", "Balin"}, "no rival goes on it: it is Ann's"
    assert goals(match, held(match, "Change of Heart")).keys() == {"Balin", "Gawain"}
    gawain = next(p for p in match.view(ANN).pieces() if p.name == "Gawain" and p.seat == BO)
    assert [act.target for act in gawain.acts] == [held(match, "Change of Heart").id], "from the other end, too"
    kay = next(p for p in match.view(ANN).pieces() if p.name == "Kay")
    assert set(goals(match, kay)) == {"The Fair Unknown", "Camelot", "Tintagel", "Elmet"}
    for action in goals(match, kay)["Elmet"].path:
        match.play(ANN, action)
    assert "attacks.2" in knight(match, ANN, "Kay").state


@pytest.mark.clause("RT-12", "RT-13")
def test_equipment_goes_on_a_knight_or_stays_unpaired_with_two_touches() -> None:
    match = position(Side("Good Sword", ["Kay"]), Side())
    ends = goals(match, held(match, "Good Sword"))
    assert set(ends) == {"Kay", "Unpaired"}
    for action in ends["Unpaired"].path:
        match.play(ANN, action)
    assert [each.name for each in zone(match, f"unpaired.{ANN}", BO).pieces] == ["Good Sword"]
    assert [each.name for each in zone(match, f"unpaired.{ANN}", ANN).pieces] == ["Good Sword"]
    (sword,) = (each for each in zone(match, f"unpaired.{ANN}", ANN).pieces)
    for action in goals(match, sword)["Kay"].path:
        match.play(ANN, action)
    assert [lying.name for lying in knight(match, ANN, "Kay").on_it] == ["Good Sword"]


@pytest.mark.clause("RT-12", "RT-16", "RT-18")
def test_the_button_of_two_answers_says_where_the_first_piece_goes() -> None:
    def labels(match: Match, card: Piece) -> set[str]:
        return {act.short for act in card.acts}

    match = position(Side("Change of Heart", ["Kay"]), Side("", ["Gawain @ Camelot"]), season=st.SUMMER)
    kay, camelot = piece(match, knight(match, ANN, "Kay").id, ANN), piece(match, "region.0", ANN)
    assert labels(match, kay) == {"Send to Camelot", "Send to Tintagel", "Send to Elmet"}
    assert labels(match, camelot) == {"Send Kay"}
    card = held(match, "Change of Heart")
    assert labels(match, card) == {"Play on Gawain of Bo"} == {reach.label for reach in card.reaches}
    match = position(Side("Good Sword", ["Kay"]), Side())
    assert labels(match, held(match, "Good Sword")) == {"Play on Kay", "Play unpaired"}
    assert labels(match, zone(match, f"unpaired.{ANN}", ANN).pieces[-1]) == {"Play Good Sword"}


@pytest.mark.clause("RT-22")
def test_the_tag_of_a_verdict_is_good_for_its_captor_and_bad_for_the_others() -> None:
    match = position(Side("", ["Strong Ten"]), Side(), season=st.SUMMER, cards=PLAIN, regions=LANDS)
    led = tags(match, piece(match, knight(match, ANN, "Strong Ten").id, ANN))
    assert (led["Send to Hill"].tone, led["Send to Hill"].short) == ("good", "You capture it")
    before = {viewer: match.view(viewer) for viewer in (ANN, BO)}
    play(match, "send Strong Ten", "attack Hill")
    for viewer, tone, verdict in ((ANN, "good", "You capture it"), (BO, "bad", "A rival takes it")):
        assert (tone, verdict) in [
            (each.tone, each.short) for each in facts(before[viewer], match.view(viewer), viewer)
        ]


@pytest.mark.clause("RT-10")
def test_a_tag_says_how_many_rp_stay_free() -> None:
    match = position(Side("Good Sword", ["Kay"]), Side())
    used, capacity = rp(match, ANN)
    assert tags(match, held(match, "Good Sword"))["Play unpaired"].short == f"RP free {capacity - used - 1}"


@pytest.mark.clause("RT-16", "RT-18")
def test_what_was_chosen_by_a_first_move_is_chosen_from_the_start() -> None:
    match = position(Side("The Fair Unknown", ["Kay", "Balin"]), Side(), season=st.SUMMER)
    play(match, "play The Fair Unknown")
    assert only_choice(match.view(ANN)) == f"hand.{ANN}.0"
    match = position(Side("", ["Kay"]), Side(), season=st.SUMMER)
    play(match, "send Kay")
    assert only_choice(match.view(ANN)) == knight(match, ANN, "Kay").id


@pytest.mark.clause("RT-9", "RT-10", "RT-16")
def test_a_card_that_cannot_be_played_says_when_in_three_words() -> None:
    hand = "Good Sword, The Fair Unknown, Royal Command"
    match = position(Side(hand, ["Kay"]), Side(), season=st.SUMMER)
    assert held(match, "Good Sword").not_now == "in Spring" and held(match, "Royal Command").not_now == "no Knight now"
    assert held(match, "The Fair Unknown").not_now == "", "it can be played"
    match = position(Side(f"{hand}, Farm, Keep, Lancelot", demesnes=(1, 1, 0, 0, 0)), Side())
    words = {card.name: card.not_now for card in zone(match, f"hand.{ANN}", ANN).pieces}
    assert (words["The Fair Unknown"], words["Farm"], words["Keep"]) == ("in Summer", "", "needs a Large Manor")
    assert words["Lancelot"].endswith("RP short")


@pytest.mark.clause("RT-15")
def test_a_knight_in_hand_warns_of_its_namesake() -> None:
    match = position(Side("Gawain, Kay"), Side("", ["Gawain"]))
    warned = held(match, "Gawain")
    assert "namesake" in warned.state and held(match, "Kay").state == frozenset()
    assert [line.words for line in warned.now] == [
        "Gawain of Bo is in play: if you recruit this one, both are removed."
    ]


@pytest.mark.clause("RT-22")
def test_a_region_says_to_each_viewer_who_captures_it() -> None:
    match = position(Side("", ["Strong Ten @ Plain"]), Side(), season=st.SUMMER, cards=PLAIN, regions=LANDS)
    told = [piece(match, "region.0", viewer).now[0].words for viewer in (ANN, BO)]
    assert told == ["You capture it: 10 is above 0.", "A rival takes it: Ann has 10, more than 0."]


@pytest.mark.clause("RT-24")
def test_the_recap_names_the_regions_that_were_captured_and_they_come_first() -> None:
    ann, bo = Side("", ["Strong Ten @ Plain"]), Side("", ["Strong Wall @ Hill"])
    match = position(ann, bo, season=st.SUMMER, cards=PLAIN, regions=LANDS)
    pass_season(match)
    for viewer, who in ((ANN, "You"), (BO, "Ann"), (None, "Ann")):
        told = list(recaps(match, viewer))
        assert Recap(f"{who} captured Plain: 2 Renown", is_result=True) in told
        assert Recap("Hill stays open") in told and not any("Autumn" in each.words for each in told)


@pytest.mark.clause("RT-26", "RT-29")
def test_the_recap_tells_only_who_drew_what_they_drew() -> None:
    match = position(Side(), Side(), season=st.WINTER)
    play(match, "draw from the Main deck", "draw from the Main deck")
    assert [each for each in recaps(match, ANN) if "drew" in each.words] == []


@pytest.mark.clause("RT-18")
def test_the_recap_puts_first_what_happens_to_ones_own_knight() -> None:
    match = position(Side("Change of Heart", ["Kay"]), Side("", ["Gawain @ Camelot"]), season=st.SUMMER)
    play(match, "play Change of Heart", "on Gawain of Bo")
    assert Recap("Ann redirected your Gawain", is_result=True) in list(recaps(match, BO))
