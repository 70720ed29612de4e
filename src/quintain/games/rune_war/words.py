"""Rune War: the names of cards and places, which all words about the game share."""

from quintain.games.rune_war import state as st

SUIT_NAMES = ("Cups", "Pentacles", "Swords", "Wands")
RANK_NAMES = ("Ace", *map(str, range(2, st.HIGHEST_NUMBER + 1)), "Page", "Knight", "Queen", "King")
RUNE_NAMES = (
    "The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers",
    "The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance",
    "The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World",
)  # fmt: skip
CARD_NAMES = (*(f"{rank} of {suit}" for suit in SUIT_NAMES for rank in RANK_NAMES), *RUNE_NAMES)
PLACE_NAMES = tuple(f"{row + 1}.{column + 1}" for row in range(st.ROWS) for column in range(row + 1))
PAIR_NAMES = tuple(f"{SUIT_NAMES[one]} and {SUIT_NAMES[two]}" for one, two in st.PAIRS)


def card_name(card: int) -> str:
    """Return a card's name, such as ``Queen of Cups`` or ``The Tower``."""
    return CARD_NAMES[card]


def one_of(names: list[str]) -> str:
    """Return names in a row, such as ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
