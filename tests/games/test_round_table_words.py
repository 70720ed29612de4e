"""Round Table: how moves are written, and the reasons why a move is not legal now."""

import pytest

from games.round_table_positions import ANN, BO, Side, menu, play, position, stats, why, zone
from quintain.engine.errors import IllegalMove
from quintain.games.round_table import state as st


@pytest.mark.clause("RT-30", "RT-33")
def test_a_card_is_not_discarded_by_words_that_play_it() -> None:
    match = position(Side("", ["Agravain"]), Side("Baron, Farm"), season=st.SUMMER)
    play(match, "send Agravain", "attack Elmet")
    with pytest.raises(IllegalMove, match=r"no move .* is written 'play Baron'.*discard Baron"):
        match.play(BO, "play Baron")
    match.play(BO, "discard baron")


@pytest.mark.clause("RT-28")
def test_a_knight_is_not_taken_back_by_words_that_send_it() -> None:
    match = position(Side("", ["Kay"]), Side(), season=st.AUTUMN)
    for words in ("send Kay", "move Kay", "on Kay"):
        with pytest.raises(IllegalMove, match=f"no move of Round Table is written '{words}'.*take back Kay"):
            match.play(ANN, words)
    match.play(ANN, "Take back  kay")


@pytest.mark.clause("RT-19")
def test_a_move_may_leave_out_the_owner_of_a_quest_if_its_name_is_clear() -> None:
    match = position(
        Side("Change of Heart, The Fair Unknown, Farm", ["Kay", "Bedivere @ Elmet", "Balin @ Elmet"]),
        Side("The Loathly Lady", ["Gawain"]),
        season=st.SUMMER,
    )
    play(match, "play The Fair Unknown", "on Kay", "pass", "play The Loathly Lady", "on Balin of Ann")
    play(match, "discard Farm", "pass", "play Change of Heart", "on Bedivere")
    assert "join The Loathly Lady of Bo" in menu(match)
    play(match, "join The Loathly Lady")
    assert "Your Bedivere goes on The Loathly Lady." in match.log(ANN)


@pytest.mark.clause("RT-18")
def test_a_name_that_both_players_have_means_the_own_card() -> None:
    match = position(Side("Bone-Snapper", ["Knight Errant"]), Side("", ["Knight Errant"]), season=st.SUMMER)
    play(match, "play Bone-Snapper", "on knight errant")
    assert "You play Bone-Snapper on Knight Errant for 4 RP." in match.log(ANN)


@pytest.mark.clause("RT-16")
def test_a_move_of_another_season_is_refused_with_a_clause() -> None:
    match = position(Side("Good Sword", ["Kay"]), Side("", ["Balin"]), season=st.SPRING)
    assert why(match, ANN, "send Kay") == "RT-12" and why(match, ANN, "attack Elmet") == "RT-12"
    assert why(match, ANN, "send Balin") == "RT-12"


@pytest.mark.clause("RT-18", "RT-20")
def test_a_player_who_may_repeat_a_name_learns_that_no_knight_is_left_for_it() -> None:
    ann = Side("The Fair Unknown, The Fair Unknown", ["Nimue"])
    match = position(ann, Side(), season=st.SUMMER)
    play(match, "play The Fair Unknown", "on Nimue")
    assert why(match, ANN, "play The Fair Unknown") == "RT-18"


@pytest.mark.clause("RT-16", "RT-28")
@pytest.mark.parametrize(
    ("season", "verb", "clause"), [(st.SUMMER, "send", "RT-16"), (st.AUTUMN, "take back", "RT-28")]
)
def test_a_card_that_is_like_another_is_refused_by_the_clause_of_the_season(
    season: int, verb: str, clause: str
) -> None:
    match = position(Side("", ["Knight Errant", "Knight Errant"]), Side(), season=season)
    assert why(match, ANN, f"{verb} Knight Errant 2") == clause


@pytest.mark.clause("RT-10")
def test_a_hand_shows_what_its_cards_cost_after_effects() -> None:
    match = position(Side("Bone-Snapper, Good Sword, Farm", ["Palamedes"]), Side(), season=st.SUMMER)
    cards = {card.key: card for card in zone(match, "hand.0", ANN).pieces}
    quest, sword, farm = (cards[key] for key in ("bone_snapper", "good_sword", "farm"))
    assert [(card.kind, card.cost) for card in (quest, sword, farm)] == [("Quest", 3), ("Weapon", 1), ("Demesne", None)]
    assert [(line.words, line.clause) for line in quest.now] == [("3 RP instead of 4", "RT-10")] and sword.now == ()
    assert [stat.written for stat in sword.stats] == ["+1"] and sword.stats[0].key == "influence"
    assert stats(farm) == {"capacity": 1}


@pytest.mark.clause("RT-13")
def test_a_card_allows_another_only_after_it_is_on_the_knight_and_the_reason_says_so() -> None:
    match = position(Side("Shield of the Lake, Buckler", ["Kay + Buckler"]), Side())
    play(match, "play Shield of the Lake")
    assert menu(match) == ["leave it unpaired"]
    reason = match.why_not(ANN, "on Kay")
    assert reason is not None and reason.clause == "RT-13"
    assert reason.words.endswith("; Shield of the Lake allows more only after it is on the Knight")
    play(match, "leave it unpaired", "play Buckler")
    reason = match.why_not(ANN, "on Kay")
    assert reason is not None and reason.words == "Kay cannot bear another card of this kind"


@pytest.mark.clause("RT-14")
def test_a_second_title_of_a_name_is_refused_by_its_own_clause() -> None:
    match = position(Side("Baron, Duke", ["Kay + Baron"]), Side())
    play(match, "play Baron")
    reason = match.why_not(ANN, "on Kay")
    assert reason is not None
    assert (reason.clause, reason.words) == ("RT-14", "Kay bears a Title of that name already")
    play(match, "leave it unpaired", "play Duke")
    assert "on Kay" in menu(match)


@pytest.mark.clause("RT-16", "RT-18", "RT-19")
def test_what_cannot_take_a_quest_or_a_redirect_is_refused_by_the_clause_of_that_kind() -> None:
    match = position(Side("Bone-Snapper, Royal Command", ["Kay"]), Side("", ["Balin"]), season=st.SUMMER)
    play(match, "play Bone-Snapper")
    assert [why(match, seat, "pass") for seat in (ANN, BO)] == ["RT-18", "RT-16"]
    play(match, "on Kay", "play Royal Command")
    assert [why(match, seat, "pass") for seat in (ANN, BO)] == ["RT-19", "RT-16"], "Bo does not know the card yet"
