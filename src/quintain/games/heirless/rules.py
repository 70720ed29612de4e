"""Heirless battles: the rules, in the order in which the game is played."""

from quintain.engine import rng
from quintain.engine.compiled import rule
from quintain.games.heirless.battle import (
    advance_battle,
    answer,
    begin_battle,
    legal_answers,
    legal_proposals,
    legal_strikes,
    propose,
    strike,
)
from quintain.games.heirless.battlecards import legal_placing, place_card, whole_set
from quintain.games.heirless.season import (
    begin_season,
    clean_up,
    improve,
    leave_tile,
    legal_battles,
    legal_sending,
    legal_tracks,
    next_battle,
    next_step,
    outcome,
    reward,
    send,
)
from quintain.games.heirless.secrecy import hide, redeal
from quintain.games.heirless.state import (
    ACTIONS,
    AFTERMATH,
    ANSWER,
    BANDITS,
    BATTLES,
    CHOOSE_BATTLE,
    FIGHT,
    IMPROVE,
    MUSTER,
    NONE,
    OWNERS,
    PLACE,
    PROPOSAL,
    RAISE,
    REWARDS,
    SEATS,
    SEND,
    SIDES,
    STEPS,
    STRIKE,
    VICTORY,
    Book,
    State,
)

__all__ = ["ACTIONS", "Book", "State", "deal", "hide", "legal", "outcome", "play", "redeal", "to_act"]


@rule
def deal(book: Book, s: State) -> None:
    """Set up a state of zeros up to the first muster; the player order is drawn. HB-5, HB-19, HB-26."""
    for owner in range(OWNERS):
        s.hand[owner] = whole_set(book, owner)
    for i in range(book.seats):
        other = rng.below(s.rng, i + 1)
        s.order[i] = s.order[other]
        s.order[other] = i
    s.place[BANDITS] = SEATS
    s.tile = NONE
    s.revealed_tile = NONE
    s.victor = NONE
    s.proposer = NONE
    for side in range(SIDES):
        s.attack[side] = NONE
        s.defence[side] = NONE
        s.ally[side] = NONE
        s.revealed_attack[side] = NONE
        s.revealed_defence[side] = NONE
    begin_season(book, s)


@rule
def to_act(book: Book, s: State) -> int:
    """In the muster, and when cards are placed, all at the same time; else one. HB-3, HB-6, HB-22."""
    return s.waiting if s.phase == MUSTER or s.phase == PLACE else 1 << s.actor


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat and return their number. HB-3, HB-6, HB-11, HB-13, HB-22, HB-23."""
    if s.phase == STRIKE:
        return legal_strikes(s, seat, mask)
    if s.phase == MUSTER:
        return legal_sending(book, mask)
    if s.phase == PLACE:
        return legal_placing(book, s, seat, mask)
    if s.phase == PROPOSAL:
        return legal_proposals(s, seat, mask)
    if s.phase == ANSWER:
        return legal_answers(mask)
    if s.phase == CHOOSE_BATTLE:
        return legal_battles(book, s, seat, mask)
    return legal_tracks(book, s, seat, mask)


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action, and all that follows from it. HB-3, HB-6, HB-11, HB-13, HB-22, HB-23."""
    if s.phase == STRIKE:
        strike(s, seat, action)
    elif s.phase == MUSTER:
        send(book, s, seat, action - SEND)
    elif s.phase == PLACE:
        place_card(s, seat, action)
    elif s.phase == PROPOSAL:
        propose(s, seat, action)
    elif s.phase == ANSWER:
        answer(s, seat, action)
    elif s.phase == CHOOSE_BATTLE:
        begin_battle(s, action - FIGHT)
    else:
        improve(book, s, seat, action - RAISE)
    go_on(book, s)


@rule
def go_on(book: Book, s: State) -> None:
    """Go on until somebody is asked, or the campaign is over. HB-3, HB-12, HB-23."""
    while s.over == 0 and s.phase > IMPROVE:
        if s.phase <= VICTORY:
            advance_battle(book, s)
        else:
            advance(book, s)


@rule
def advance(book: Book, s: State) -> None:
    """Go on with what nobody is asked about outside of battles. HB-3, HB-17, HB-23, HB-24."""
    if s.phase == AFTERMATH:
        leave_tile(book, s)
    elif s.phase == BATTLES:
        next_battle(book, s)
    elif s.phase == REWARDS:
        reward(book, s)
    elif s.phase == STEPS:
        next_step(book, s)
    else:
        clean_up(book, s)
