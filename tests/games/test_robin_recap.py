"""Robin in the Hood: what somebody who looked away is told of each kind of event."""

import pytest

from games.robin_positions import ANN, BO, Side, dealt, number, play, position
from quintain.engine import UNKNOWN, Event, Recap
from quintain.games.robin import narration
from quintain.games.robin import state as st

MATCH = dealt()
BOOK, ONLOOKER, NOTHING = MATCH.book, st.NONE, Recap("")
JOHN, SHERIFF, WINTER = (number(MATCH, name) for name in ("Little John", "Sheriff of Nottingham", "Hard Winter"))


def told(kind: int, seat: int = ANN, **numbers: int) -> tuple[Recap, Recap, Recap]:
    """Return the recap of an event for Ann, for Bo, and for an onlooker."""
    event = Event()
    event.kind, event.seat = kind, seat
    for name, number_ in numbers.items():
        setattr(event, name, number_)
    ann, bo, onlooker = (narration.recap(BOOK, event, viewer) for viewer in (ANN, BO, ONLOOKER))
    return ann, bo, onlooker


def of_both(words: str, is_result: bool = True) -> tuple[Recap, Recap, Recap]:
    """Return the recaps of what Ann did: "You" to herself, her seat to the others."""
    hers, others = Recap(f"You {words}", is_result), Recap(f"seat {ANN} {words}", is_result)
    return hers, others, others


def test_stakes_and_rounds_that_were_won_are_results_for_everybody() -> None:
    assert told(st.ANTE_SHOWN, a=JOHN) == of_both("staked Little John")
    assert told(st.ANTE_GAINED, a=SHERIFF) == of_both("gained Sheriff of Nottingham")
    assert told(st.UNOPPOSED) == of_both("won Agility unopposed")
    assert told(st.ROUND_WON) == of_both("won the round")
    assert told(st.ROUND_DRAWN, ONLOOKER, a=st.PILE_EMPTY) == (Recap("The round was drawn", True),) * 3


def test_sets_and_cards_are_told_to_others_and_no_results() -> None:
    others = (
        Recap("seat 0 kept the active set"),
        Recap("seat 0 has a new active set"),
        Recap("seat 0 played Little John"),
    )
    assert told(st.KEPT_SET) == (NOTHING, others[0], others[0])
    assert told(st.NEW_SET) == (NOTHING, others[1], others[1])
    assert told(st.PLAYED, a=JOHN) == (NOTHING, others[2], others[2])


def test_a_card_that_was_drawn_is_told_to_its_owner_alone() -> None:
    assert told(st.DREW, a=JOHN)[ANN] == Recap("You drew Little John", True)
    assert told(st.DREW, a=UNKNOWN)[BO:] == (NOTHING, NOTHING)


def test_a_modifier_that_left_is_told_with_its_owner_and_is_a_result_if_another_removed_it() -> None:
    replaced, removed = (f"seat {BO}'s Hard Winter was {how}" for how in ("replaced", "removed"))
    assert told(st.REPLACED, BO, a=WINTER) == (Recap(replaced), Recap("Your Hard Winter was replaced"), Recap(replaced))
    gone = told(st.REMOVED, ANN, other=BO, a=WINTER)
    assert gone == (Recap(removed, True), Recap("Your Hard Winter was removed", True), Recap(removed, True))


@pytest.mark.parametrize("stage", range(st.STAGES))
def test_a_comparison_is_told_by_who_beat_whom_with_the_owner_of_your_card(stage: int) -> None:
    lost = told(st.COMPARED + stage, a=JOHN, b=SHERIFF, c=2, d=3)
    assert [one.words for one in lost] == [
        "Sheriff beat your Little John",
        "Your Sheriff beat Little John",
        "Sheriff beat Little John",
    ]
    assert all(one.is_result for one in lost)
    assert told(st.COMPARED + stage, a=JOHN, b=SHERIFF, c=3, d=2)[ANN] == Recap("Your Little John beat Sheriff", True)
    assert told(st.COMPARED + stage, a=JOHN, b=SHERIFF, c=3, d=3) == (NOTHING,) * 3, "nothing changes"


def test_what_the_table_shows_anyway_is_not_told() -> None:
    silent = (st.STAKED, st.CHOSE, st.ROUND_BEGINS, st.TOURNAMENT_WON, st.TOURNAMENT_DRAWN)
    assert all(told(kind, a=JOHN) == (NOTHING,) * 3 for kind in silent)
    assert told(st.UNOPPOSED, ONLOOKER) == (NOTHING,) * 3


def test_the_news_of_a_hand_are_short_sentences_without_a_full_stop() -> None:
    match = position(Side(hand="Sheriff of Nottingham"), Side(hand="Potter"))
    play(match, "Sheriff of Nottingham", "Potter")
    words = [moment.changes[0].recap.words for moment in match.moments(BO)]
    assert "Ann played Sheriff of Nottingham" in words
    assert not [each for each in words if each.endswith(".") or len(each) > 44 or "seat" in each]
