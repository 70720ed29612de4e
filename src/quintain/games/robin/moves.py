"""Robin in the Hood: gives each action its name, and reads a move that a player has typed."""

from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import card_name

SET_WORDS = ("keep this set", "deal a new set", "choose a new set")
"""The names of KEEP, DEAL and CHOOSE."""
PICKING_WORDS = ("keep the last set", "deal the rest")
"""The names of KEEP and DEAL while a seat takes cards into its set."""
VERBS = ("play", "take", "stake")
"""The verbs of PLAY, TAKE and STAKE_CARD, before the name of a card."""


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return the name of an action, such as ``play Little John``; empty if the set has no such card."""
    if action >= st.KEEP:
        words = PICKING_WORDS if action != st.CHOOSE and s.choosing[seat] == st.PICKING else SET_WORDS
        return words[action - st.KEEP]
    verb, card = divmod(action, st.CARDS)
    return f"{VERBS[verb]} {card_name(book, card)}" if card < book.cards else ""


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action that a text names, legal now or not; None if it names none."""
    words = " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()).casefold()
    if words in SET_WORDS:
        return st.KEEP + SET_WORDS.index(words)
    if words in PICKING_WORDS:
        return st.KEEP + PICKING_WORDS.index(words)
    verb, _, called = words.partition(" ")
    if verb not in VERBS:
        return None
    found = [card for card in range(book.cards) if card_name(book, card).casefold() == called]
    return st.CARDS * VERBS.index(verb) + found[0] if found else None
