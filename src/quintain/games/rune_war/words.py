"""The names of the cards and places of Rune War, for moves, log, view, reasons and account."""

from quintain.games.rune_war import state as st

SUIT_NAMES = ("Cups", "Pentacles", "Swords", "Wands")
RANK_NAMES = ("Ace", *map(str, range(2, st.HIGHEST_NUMBER + 1)), "Page", "Knight", "Queen", "King")
RUNE_NAMES = (
    "The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers",
    "The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance",
    "The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World",
)  # fmt: skip
FIELD_TEXTS = {
    st.PRIESTESS: "name one to three face-down defence cards of one opponent, then look at them",
    st.HIEROPHANT: "take up two of your defence cards and put them back, exchanged or not: only you still know them",
    st.HERMIT: "take an exposed card of your own defence into your hand, but never your last",
    st.DEATH: "destroy an exposed defence card of an opponent who has another",
    st.DEVIL: "take a card from an opponent's hand at random",
    st.TOWER: "everybody sees all cards in one row of an opponent's defence, then they are turned down again",
    st.STAR: "choose a card from the discard pile and take it into your hand",
    st.MOON: "shuffle the cards of one row of your defence, at least two: only you still know them",
    st.SUN: "look once at the hand of one opponent",
    st.JUDGEMENT: (
        "take one to three number cards from the discard pile, at most as many as your hand has other cards; then "
        "discard as many of those others"
    ),
}
"""The effect of each rune of the field that asks a question, in the same words as in the rulebook. RW-21."""
CARD_NAMES = (*(f"{rank} of {suit}" for suit in SUIT_NAMES for rank in RANK_NAMES), *RUNE_NAMES)
PLACE_NAMES = tuple(f"{row + 1}.{column + 1}" for row in range(st.ROWS) for column in range(row + 1))
PAIR_NAMES = tuple(f"{SUIT_NAMES[one]} and {SUIT_NAMES[two]}" for one, two in st.PAIRS)


def card_name(card: int) -> str:
    """Return the name of a card, such as ``Queen of Cups`` or ``The Tower``."""
    return CARD_NAMES[card]


def and_list(names: list[str]) -> str:
    """Join names with commas and a last "and": ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
