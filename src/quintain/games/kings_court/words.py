"""The names of the houses, counters and cards of King's Court, and what each card does, for all texts of the game."""

from quintain.games.kings_court import state as st


def signed(number: int) -> str:
    """Return a number with its sign, such as ``+3`` or ``-2``; 0 has none."""
    return f"{number:+d}" if number else "0"


HOUSE_NAMES = ("Artois", "Bellerophon", "Castellia", "De Bourgogne", "Ellicta", "Febrois")
COUNTER_NAMES = tuple(map(signed, st.COUNTERS))
CARD_NAMES = tuple(f"{house} {rank}" for house in HOUSE_NAMES for rank in range(1, st.RANKS + 1))
EFFECTS = (
    "You see your rival's counter in {house}, then must switch two of your own, in any houses.",
    "You gain 2 Influence in {house}.",
    "You gain 1 Influence in {house}. Your rival's next gift must be of {house}, if possible.",
    "You gain 4 Influence in {house}.",
    "You move up to 3 Influence, of either player, from one other house to {house}.",
    "You gain 6 Influence in {house}.",
    "You move up to 4 Influence, of either player, from {house} to one other house.",
    "You gain 8 Influence in {house}.",
)
"""What a card does, rank by rank. KC-9, KC-10, KC-11, KC-12, KC-13."""
CARD_TEXTS = tuple(effect.format(house=house) for house in HOUSE_NAMES for effect in EFFECTS)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
"""The numbers of houses and counters in words."""
LEAD_TEXT = "Each Influence scores 1 point. Whoever has more of it here at the end also scores both counters."
"""What the lead in a house is worth. KC-15, KC-16."""
FAVOUR_TEXT = "Whose hand ends with fewer ranks of this house than the other's scores nothing here."
"""What the ranks in hand do. KC-17."""


def cards_of(number: int) -> str:
    """Return a number of cards, such as ``1 card`` or ``8 cards``."""
    return f"{number} {'card' if number == 1 else 'cards'}"


def card_name(card: int) -> str:
    """Return the name of a card, such as ``Castellia 1``."""
    return CARD_NAMES[card]
