"""Robin in the Hood: explains to a player why an action is not legal now, with the clause that forbids it."""

from quintain.engine import Reason, acting
from quintain.games.robin import rules as r
from quintain.games.robin import state as st
from quintain.games.robin.asking import question
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import card_name

CLAUSES = {st.STAKE: "RH-7", st.CHOOSE_SET: "RH-8", st.FIGHT: "RH-10"}
"""The clause that asks for a move in each phase."""


def why_not(book: Book, s: State, seat: int, action: int) -> Reason:
    """Return the reason why an action is not legal for a seat now. The state is blinded for that seat."""
    if s.over:
        return Reason("RH-6", "the tournament is over")
    if seat not in acting(r, book, s):
        if s.phase == st.FIGHT and s.leader == 1 - seat:
            return Reason("RH-10", f"seat {1 - seat} won the last Agility stage and plays first")
        waiting = "you have chosen" if s.phase != st.FIGHT or s.leader == st.NONE else "you have played"
        return Reason(CLAUSES[s.phase], f"{waiting}, and seat {1 - seat} is still to choose")
    verb, card = divmod(action, st.CARDS)
    if verb == st.KEEP // st.CARDS:
        return _set_as_a_whole(book, s, seat, action)
    if card >= book.cards:
        return Reason("RH-5", "the set has no such card")
    if st.CARDS * verb != {st.STAKE: st.STAKE_CARD, st.CHOOSE_SET: st.TAKE, st.FIGHT: st.PLAY}[s.phase]:
        return Reason(CLAUSES[s.phase], f"you are asked: {question(book, s, seat).words}")
    return _card(book, s, seat, card)


def _set_as_a_whole(book: Book, s: State, seat: int, action: int) -> Reason:
    if s.phase != st.CHOOSE_SET or action == st.CHOOSE:
        return Reason(CLAUSES[s.phase], f"you are asked: {question(book, s, seat).words}")
    return Reason("RH-8", "before the first round there is no set to keep")


def _card(book: Book, s: State, seat: int, card: int) -> Reason:
    """Return the reason against a card, if the question asks for a card."""
    called = card_name(book, card)
    if s.phase == st.FIGHT:
        return Reason("RH-10", f"{called} {_where(s, seat, card)}")
    if not book.owned[seat][card]:
        return Reason(CLAUSES[s.phase], f"{called} is not in your collection")
    if s.choosing[seat] == st.ASKED:
        return Reason("RH-8", f"you are asked: {question(book, s, seat).words}")
    if card in s.pile[seat]:
        return Reason("RH-4", f"{called} is already in your active set")
    if card >= book.characters and not book.modifiers:
        return Reason("RH-3", "this match is played without modifiers")
    return Reason("RH-8", "characters are chosen first, and then the modifiers")


def _where(s: State, seat: int, card: int) -> str:
    """Say where a card is that the seat does not hold in its hand."""
    if s.shown[seat][card]:
        return "has already been played in this round"
    return "is still in your draw pile" if card in s.pile[seat] else "is not in your active set"
