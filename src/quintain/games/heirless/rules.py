"""Heirless battles: the functions that the engine calls, in the order in which the game is played.

Each of them hands over to the chapter of the current phase: `season.py` for the campaign, `battle.py` for a battle.
"""

from quintain.engine import rng, rule
from quintain.games.heirless import battle, season
from quintain.games.heirless import state as st
from quintain.games.heirless.action_features import ACTION_FEATURES, action_features
from quintain.games.heirless.battlecards import legal_placing, place_card, whole_set
from quintain.games.heirless.season import outcome
from quintain.games.heirless.secrecy import hide, redeal
from quintain.games.heirless.state import ACTIONS, LONGEST, OUTCOMES, Book, State
from quintain.games.heirless.state_features import STATE_FEATURES, state_features

__all__ = [
    "ACTIONS",
    "ACTION_FEATURES",
    "LONGEST",
    "OUTCOMES",
    "STATE_FEATURES",
    "Book",
    "State",
    "action_features",
    "deal",
    "hide",
    "legal",
    "outcome",
    "play",
    "redeal",
    "state_features",
    "to_act",
]


@rule
def deal(book: Book, s: State) -> None:
    """Set up a match from a state of zeros: draw the player order and begin the first season. HB-5, HB-19, HB-26."""
    for owner in range(st.OWNERS):
        s.hand[owner] = whole_set(book, owner)
    for i in range(book.seats):
        other = rng.below(s.rng, i + 1)
        s.order[i] = s.order[other]
        s.order[other] = i
    s.place[st.BANDITS] = st.SEATS
    s.tile = st.NONE
    s.revealed_tile = st.NONE
    s.victor = st.NONE
    s.proposer = st.NONE
    for side in range(st.SIDES):
        s.attack[side] = st.NONE
        s.defence[side] = st.NONE
        s.ally[side] = st.NONE
        s.revealed_attack[side] = st.NONE
        s.revealed_defence[side] = st.NONE
    season.begin_season(book, s)


@rule
def to_act(book: Book, s: State) -> int:
    """Return a bit for each seat that may act: several in the muster and when cards are placed. HB-3, HB-6, HB-22."""
    return s.waiting if s.phase == st.MUSTER or s.phase == st.PLACE else 1 << s.actor


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat and return their number. HB-3, HB-6, HB-11, HB-13, HB-22, HB-23."""
    if s.phase == st.STRIKE:
        return battle.legal_strikes(s, seat, mask)
    if s.phase == st.MUSTER:
        return season.legal_sending(book, mask)
    if s.phase == st.PLACE:
        return legal_placing(book, s, seat, mask)
    if s.phase == st.PROPOSAL:
        return battle.legal_proposals(s, seat, mask)
    if s.phase == st.ANSWER:
        return battle.legal_answers(mask)
    if s.phase == st.CHOOSE_BATTLE:
        return season.legal_battles(book, s, seat, mask)
    return season.legal_tracks(book, s, seat, mask)


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action and all that follows up to the next question. HB-3, HB-6, HB-11, HB-13, HB-22, HB-23."""
    if s.phase == st.STRIKE:
        battle.strike(s, seat, action)
    elif s.phase == st.MUSTER:
        season.send(book, s, seat, action - st.SEND)
    elif s.phase == st.PLACE:
        place_card(s, seat, action)
    elif s.phase == st.PROPOSAL:
        battle.propose(s, seat, action)
    elif s.phase == st.ANSWER:
        battle.answer(s, seat, action)
    elif s.phase == st.CHOOSE_BATTLE:
        battle.begin_battle(s, action - st.FIGHT)
    else:
        season.improve(book, s, seat, action - st.RAISE)
    go_on(book, s)


@rule
def go_on(book: Book, s: State) -> None:
    """Go from phase to phase until a seat is asked, or the campaign is over. HB-3, HB-12, HB-23."""
    while s.over == 0 and s.phase > st.IMPROVE:
        if s.phase <= st.VICTORY:
            battle.advance_battle(book, s)
        else:
            advance(book, s)


@rule
def advance(book: Book, s: State) -> None:
    """Carry out the current phase between battles, in which no seat is asked. HB-3, HB-17, HB-23, HB-24."""
    if s.phase == st.AFTERMATH:
        season.leave_tile(book, s)
    elif s.phase == st.BATTLES:
        season.next_battle(book, s)
    elif s.phase == st.REWARDS:
        season.reward(book, s)
    elif s.phase == st.STEPS:
        season.next_step(book, s)
    else:
        season.clean_up(book, s)
