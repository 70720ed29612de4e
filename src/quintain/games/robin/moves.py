"""Robin in the Hood: the names of actions, and the reading of moves in words."""

from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import card_name

SET_WORDS = ("keep this set", "deal a new set", "choose a new set")
"""What may be done about an active set: KEEP, DEAL, CHOOSE."""
VERBS = ("play", "take", "stake")
"""What may be done with a card: PLAY, TAKE, STAKE_CARD."""


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return an action in words, such as ``play Little John``; empty for a card that the set does not have."""
    if action >= st.KEEP:
        return SET_WORDS[action - st.KEEP]
    verb, card = divmod(action, st.CARDS)
    return f"{VERBS[verb]} {card_name(book, card)}" if card < book.cards else ""


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action that words stand for, legal now or not; None if they stand for none."""
    words = " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()).casefold()
    if words in SET_WORDS:
        return st.KEEP + SET_WORDS.index(words)
    verb, _, called = words.partition(" ")
    if verb not in VERBS:
        return None
    found = [card for card in range(book.cards) if card_name(book, card).casefold() == called]
    return st.CARDS * VERBS.index(verb) + found[0] if found else None
