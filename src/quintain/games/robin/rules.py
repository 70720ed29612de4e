"""Robin in the Hood: the functions that the engine calls, in the order in which the game is played.

`sets.py` has the choice of active sets, `hands.py` plays a hand and ends a round, and `levels.py` works out levels.
"""

from quintain.engine import A, rule, tell
from quintain.games.robin import state as st
from quintain.games.robin.hands import choose_card, fight, score_round
from quintain.games.robin.policy import policy
from quintain.games.robin.secrecy import hide, redeal
from quintain.games.robin.sets import begin_round, choose_set, legal_sets
from quintain.games.robin.state import ACTIONS, LONGEST, OUTCOMES, Book, State

__all__ = [
    "ACTIONS",
    "LONGEST",
    "OUTCOMES",
    "Book",
    "State",
    "deal",
    "hide",
    "legal",
    "outcome",
    "play",
    "policy",
    "redeal",
    "to_act",
]


@rule
def deal(book: Book, s: State) -> None:
    """Set up a match from a state of zeros, up to the first choice: an ante, or an active set. RH-7, RH-8."""
    for seat in range(st.SEATS):
        s.staked[seat] = st.NONE
        s.chosen[seat] = st.NONE
        s.lasting[seat] = st.NONE
        for place in range(st.IN_FORCE):
            s.in_force[seat][place] = st.NONE
        for stage in range(st.STAGES):
            s.stage[seat][stage] = st.NONE
            s.fought[seat][stage] = st.NONE
        for held in range(st.HAND):
            s.hand[seat][held] = st.NONE
        for place in range(st.MOST_IN_SET):
            s.pile[seat][place] = st.NONE
            s.last_set[seat][place] = st.NONE
    s.leader = st.NONE
    if book.ante:
        s.phase = st.STAKE
    else:
        begin_round(book, s)


@rule
def to_act(book: Book, s: State) -> int:
    """Return a bit for each seat that may act. RH-7, RH-8, RH-10."""
    if s.phase == st.FIGHT and s.leader != st.NONE:
        return 1 << (s.leader if s.chosen[s.leader] == st.NONE else 1 - s.leader)
    return (1 if is_asked(s, 0) else 0) | (2 if is_asked(s, 1) else 0)


@rule
def is_asked(s: State, seat: int) -> bool:
    """Return whether a seat may act where both choose at the same time. RH-7, RH-8, RH-10."""
    if s.phase == st.FIGHT:
        return not st.has_chosen(s.chosen[seat])
    return s.choosing[seat] != st.READY if s.phase == st.CHOOSE_SET else not st.has_chosen(s.staked[seat])


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat and return their number. RH-7, RH-8, RH-10."""
    if s.phase == st.FIGHT:
        for held in range(s.hand_size[seat]):
            mask[st.PLAY + s.hand[seat][held]] = 1
        return s.hand_size[seat]
    if s.phase == st.CHOOSE_SET:
        return legal_sets(book, s, seat, mask)
    count = 0
    for card in range(book.cards):
        mask[st.STAKE_CARD + card] = book.owned[seat][card]
        count += book.owned[seat][card]
    return count


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action and all that follows up to the next choice. RH-7, RH-8, RH-10."""
    if s.phase == st.FIGHT:
        if choose_card(book, s, seat, action - st.PLAY) and fight(book, s) and not score_round(book, s):
            begin_round(book, s)
    elif s.phase == st.CHOOSE_SET:
        choose_set(book, s, seat, action)
    else:
        s.staked[seat] = action - st.STAKE_CARD
        tell(s, st.STAKED, seat, -1, action - st.STAKE_CARD, secret=A)
        if s.staked[1 - seat] != st.NONE:
            begin_round(book, s)


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write the victories and the rank of each seat. RH-6, RH-18."""
    for seat in range(st.SEATS):
        scores[seat] = s.victories[seat]
        ranks[seat] = 2 if s.victories[seat] < s.victories[1 - seat] else 1
