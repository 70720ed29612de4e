"""Heirless battles: what somebody who looked away is told of each event."""

import random

from games.heirless_positions import ANN, BANDITS, BO, CAPITAL, CID, WOLF, begin
from quintain.engine import Event, Recap
from quintain.games.heirless import state as st
from quintain.games.heirless.narration import recap

BOOK = begin(3).seen(None).book
NOBODY, CASTLE = st.NONE, st.CASTLE


def told(kind: int, seat: int, other: int = NOBODY, a: int = 0, b: int = 0, c: int = 0, viewer: int = ANN) -> Recap:
    """Return the recap of an event for a viewer."""
    event = Event()
    event.kind, event.seat, event.other, event.a, event.b, event.c = kind, seat, other, a, b, c
    return recap(BOOK, event, viewer)


def test_a_battle_without_the_viewer_is_told_by_who_won_it():
    assert told(st.WON, BO, NOBODY, CAPITAL) == Recap("seat 1 won at the Capital", True)
    assert told(st.WON, BO, CID, WOLF) == Recap("seat 1 and seat 2 won at the Wolf Camp", True)
    assert told(st.WON, BANDITS, NOBODY, WOLF) == Recap("The Bandits held the Wolf Camp", True)
    silent = (st.BATTLE, st.CARDS_DOWN, st.REVEALED, st.PROPOSED, st.PROPOSED_NOTHING, st.NO_TURN, st.AIMED, st.HELD)
    for kind in (*silent, st.SCORED, st.SEASON, st.READY, st.SENT):
        assert told(kind, BO, CID) == Recap("", False)
    assert told(st.WOUNDED, BO, CID, 0, 5) == Recap("", False)
    assert told(st.DECLINED, BO, CID) == Recap("", False)


def test_blows_and_answers_that_concern_the_viewer_are_results():
    assert told(st.WOUNDED, BANDITS, ANN, 0, 8, 11) == Recap("The Bandits struck down your Knight 1", True)
    assert told(st.WOUNDED, CID, ANN, 1, 6) == Recap("seat 2 hit your Knight 2 for 6", True)
    assert told(st.WOUNDED, ANN, CID, 0, 4, 5) == Recap("You struck down seat 2's Knight 1", True)
    assert told(st.DECLINED, BO, ANN) == Recap("seat 1 declined your alliance", True)
    assert told(st.ALLIED, BO, ANN) == Recap("seat 1 and you are allies", True)
    assert told(st.WON, ANN, NOBODY, WOLF) == Recap("You won at the Wolf Camp", True)


def test_what_tiles_pay_is_a_result_for_those_whom_it_concerns():
    assert told(st.EARNED, ANN, NOBODY, CAPITAL, 4) == Recap("You earned 4 at the Capital", True)
    assert told(st.EARNED, BO, NOBODY, CASTLE, 2) == Recap("seat 1 earned 2 in your Castle", True)
    assert told(st.EARNED, BO, NOBODY, CASTLE + CID, 2) == Recap("seat 1 earned 2 in seat 2's Castle", False)
    assert told(st.ROSE, NOBODY, NOBODY, WOLF, st.HEALTH, 10) == Recap("The Wolf Camp raised Health to 10", False)


def test_the_news_of_a_campaign_are_short_sentences_without_a_full_stop():
    match, chance, words = begin(3), random.Random(4), set()
    while not match.outcome and len(words) < 12:
        seat = min(match.to_act)
        match.play(seat, chance.choice(match.moves(seat)).action)
        words |= {moment.changes[0].recap.words for moment in match.moments(ANN)}
    assert any(" won at " in each for each in words) and "" in words
    assert not [each for each in words if each.endswith(".") or len(each) > 44 or "seat" in each]
