"""King's Court: the themes of puzzles, by what the solver sees and the best move."""

from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State

GAIN = {2: 2, 3: 1, 4: 4, 6: 6, 8: 8}
"""The Influence that the ranks put into their house. KC-9, KC-11."""
LAST_CARDS = 6
"""With so many cards in the deck, most of the rival's hand can be worked out."""


def themes(book: Book, s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return what the best action of a seat is about."""
    if best < st.PUT:
        found = _of_play(book, s, seat, best - st.PLAY) if best < st.GIVE else _of_gift(s, seat, best - st.GIVE)
        return (*found, "count the hand") if s.deck_size <= LAST_CARDS else found
    if st.PUT <= best < st.SWITCH:
        return ("bluff",) if _worth(best) <= 0 else ("place the counters",)
    if st.SWITCH <= best < st.MOVE_NOTHING:
        return ("switch the counters",)
    if best in (st.GO_FIRST, st.GO_SECOND):
        return ("tempo",)
    return _of_moving(s, seat, best)


def _worth(action: int) -> int:
    return st.COUNTERS[(action - st.PUT) % len(st.COUNTERS)]


def _of_play(book: Book, s: State, seat: int, card: int) -> tuple[str, ...]:
    """Return the themes of a card that is played. KC-9, KC-11."""
    house, rank = st.house_of(card), st.rank_of(card)
    own, theirs = s.influence[seat][house], s.influence[1 - seat][house]
    if rank == 1:
        return ("look at a counter",)
    if rank not in GAIN:
        return ("move Influence",)
    if rank == 3 and s.plays_made < book.plays - 2:
        return ("bind the gift",)
    lead = "break a tie" if own == theirs else _by_lead(own, theirs, own + GAIN[rank])
    return (lead, "save the favour") if lead == "catch up" and _keeps(s, seat, card) else (lead,)


def _by_lead(before: int, theirs: int, after: int) -> str:
    if before > theirs:
        return "hold the lead"
    return "take the lead" if after > theirs else "level the house" if after == theirs else "catch up"


def _of_gift(s: State, seat: int, card: int) -> tuple[str, ...]:
    """Return the themes of a gift. KC-11, KC-17."""
    house = st.house_of(card)
    if s.bound[seat] == house:
        return ("a bound gift",)
    harmless = () if s.influence[seat][house] else ("a harmless gift",)
    return (*harmless, "save the favour") if _keeps(s, seat, card) else harmless or ("let it go",)


def _keeps(s: State, seat: int, card: int) -> bool:
    """Tell whether a card is of a house that its player does not lead, while one of a house that they lead stays."""
    led = {house for house in range(st.HOUSES) if s.influence[seat][house] > s.influence[1 - seat][house]}
    held = {st.house_of(other) for other in range(st.CARDS) if other != card and s.hand[seat][other] == 1}
    return st.house_of(card) not in led and bool(led & held)


def _of_moving(s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return the themes of what a 5 or a 7 moves. KC-12, KC-13."""
    if best in (st.MOVE_NOTHING, st.STOP):
        return ("let it go",)
    if best == st.MOVE_THEIRS:
        return ("move the rival's Influence",)
    if best == st.MOVE_OWN:
        return ("move your own Influence",)
    other = best - (st.MOVE_FROM if st.rank_of(r.card_in_play(s)) == 5 else st.MOVE_TO)
    from_house = r.source(s, other)
    is_theirs = s.influence[1 - seat][from_house] > s.influence[seat][from_house]
    return ("break their lead",) if is_theirs else ("move Influence",)
