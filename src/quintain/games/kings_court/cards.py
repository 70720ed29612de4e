"""The cards of King's Court for other programs: the site lists and prints them, and the lab counts them."""

from collections import Counter
from collections.abc import Sequence

from quintain.engine import Held, ListedCard, PaperParts
from quintain.games.kings_court import state as st
from quintain.games.kings_court.houses import COUNTER_TEXT
from quintain.games.kings_court.scene import CARD_KEYS
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import CARD_NAMES, CARD_TEXTS, COUNTER_NAMES, HOUSE_NAMES

SORTS = ("Look and switch", "Gain", "Bind a gift", "Gain", "Move in", "Gain", "Move out", "Gain")
"""What the cards of each rank do, in two or three words. KC-9, KC-10, KC-11, KC-12, KC-13."""
CLAUSES = ("KC-10", "KC-9", "KC-11", "KC-9", "KC-12", "KC-9", "KC-13", "KC-9")
"""The rule of each rank."""
DECK, COUNTERS = "Cards", "Counters"
COUNTER_PARTS = tuple(
    ListedCard(f"Counter {name}", COUNTERS, text=COUNTER_TEXT, key=f"counter_{name}", copies=st.SEATS, pile=COUNTERS)
    for name in COUNTER_NAMES
)
"""The counters, one of each worth for each player. KC-1."""
HOUSE_PARTS = tuple(
    ListedCard(
        house, "Houses", text="Lay it on the table: Influence and counters lie beside it.", key=key, pile="Houses"
    )
    for house, key in zip(HOUSE_NAMES, (key.rpartition("-")[0] for key in CARD_KEYS[:: st.RANKS]), strict=True)
)


class KingsCourtCollection:
    """The 48 cards, as any program can ask for them. The numbers of the cards are the same for both seats."""

    option, decks, vocabulary = "", None, None
    paper = PaperParts(
        (*COUNTER_PARTS, *HOUSE_PARTS),
        ("Small tokens of two colours for Influence, about 40 for each player; coins, beans or cubes will do",),
    )

    def base(self) -> str:
        """Return no text, since the game takes no sets of one's own."""
        return ""

    def cards(self, own: str) -> Sequence[ListedCard]:
        """Return all cards, house by house. KC-1."""
        return [_listed(card) for card in range(st.CARDS)]

    def names(self, book: Book, seat: int) -> Sequence[str]:
        """Return the names of all cards, in the order of their numbers."""
        return CARD_NAMES

    def held(self, book: Book, s: State, seat: int) -> Held:
        """Return the cards that a seat has: it has drawn those that it has played or holds, gifts included. KC-5."""
        order = s.played[: s.plays_made]
        played = Counter(CARD_NAMES[card] for card in order[s.first != seat :: st.SEATS])
        holds = Counter(CARD_NAMES[card] for card in range(st.CARDS) if s.hand[seat][card] == 1)
        deck = Counter(CARD_NAMES[card] for card in range(st.CARDS) if st.in_game(book, card))
        return Held(deck, played + holds, played)


def _listed(card: int) -> ListedCard:
    house, rank = HOUSE_NAMES[st.house_of(card)], st.rank_of(card)
    return ListedCard(
        CARD_NAMES[card],
        house,
        f"rank {rank}",
        CARD_TEXTS[card],
        CARD_KEYS[card],
        SORTS[rank - 1],
        pile=DECK,
        clauses=(CLAUSES[rank - 1], "KC-17"),
    )


collection = KingsCourtCollection()
