"""The cards of Rune War for other programs: the site lists and prints them."""

from collections import Counter
from collections.abc import Sequence

from quintain.engine import Held, ListedCard, PaperParts
from quintain.games.rune_war import state as st
from quintain.games.rune_war.scene import KEYS, KINDS
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import CARD_NAMES, CARD_TEXTS, SUIT_NAMES

RUNES = "Runes"


class RuneWarCollection:
    """The 78 cards, as any program can ask for them. The numbers of the cards are the same for all seats."""

    option, decks, vocabulary = "", None, None
    paper = PaperParts(brought=("Paper and a pencil, to note who has destroyed how many cards",))

    def base(self) -> str:
        """Return no text, since the game takes no sets of one's own."""
        return ""

    def cards(self, own: str) -> Sequence[ListedCard]:
        """Return all cards, suit by suit, and then the runes. RW-1."""
        return [_listed(card) for card in range(st.CARDS)]

    def names(self, book: Book, seat: int) -> Sequence[str]:
        """Return the names of all cards, in the order of their numbers."""
        return CARD_NAMES

    def held(self, book: Book, s: State, seat: int) -> Held:
        """Return no cards: the state does not remember who had a card that is discarded, so counts would mislead."""
        return Held(Counter(), Counter(), Counter())


def _listed(card: int) -> ListedCard:
    """Return a card with what it counts. RW-1, RW-16, RW-18, RW-20."""
    clauses: tuple[str, ...]
    if card >= st.FIRST_RUNE:
        kind, numbers, clauses = RUNES, f"rune {card - st.FIRST_RUNE}", ("RW-20", "RW-21", "RW-19")
    else:
        kind, number = SUIT_NAMES[st.suit_of(card)], st.number_of(card)
        numbers, clauses = (f"counts {number}", ("RW-16",)) if number else ("counts 10 to 40", ("RW-17", "RW-18"))
    sort = KINDS[card].capitalize()
    return ListedCard(CARD_NAMES[card], kind, numbers, CARD_TEXTS[card], KEYS[card], sort, clauses=clauses)


collection = RuneWarCollection()
