"""King's Court: the names of houses, counters and cards, which all words about the game share."""

from quintain.games.kings_court import state as st


def signed(number: int) -> str:
    """Return a change, such as ``+3``."""
    return f"{number:+d}" if number else "0"


HOUSE_NAMES = ("Artois", "Bellerophon", "Castellia", "De Bourgogne", "Ellicta", "Febrois")
COUNTER_NAMES = tuple(map(signed, st.COUNTERS))
CARD_NAMES = tuple(f"{house} {rank}" for house in HOUSE_NAMES for rank in range(1, st.RANKS + 1))


def card_name(card: int) -> str:
    """Return a card's house and rank, such as ``Castellia 1``."""
    return CARD_NAMES[card]
