"""The names of the houses, counters and cards of King's Court, for moves, log, view, reasons and account."""

from quintain.games.kings_court import state as st


def signed(number: int) -> str:
    """Return a number with its sign, such as ``+3`` or ``-2``; 0 has none."""
    return f"{number:+d}" if number else "0"


HOUSE_NAMES = ("Artois", "Bellerophon", "Castellia", "De Bourgogne", "Ellicta", "Febrois")
COUNTER_NAMES = tuple(map(signed, st.COUNTERS))
CARD_NAMES = tuple(f"{house} {rank}" for house in HOUSE_NAMES for rank in range(1, st.RANKS + 1))


def card_name(card: int) -> str:
    """Return the name of a card, such as ``Castellia 1``."""
    return CARD_NAMES[card]
