"""The names of the cards and places of Rune War, for moves, log, view, reasons and account."""

from quintain.games.rune_war import state as st

SUIT_NAMES = ("Cups", "Pentacles", "Swords", "Wands")
RANK_NAMES = ("Ace", *map(str, range(2, st.HIGHEST_NUMBER + 1)), "Page", "Knight", "Queen", "King")
RUNE_NAMES = (
    "The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers",
    "The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance",
    "The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World",
)  # fmt: skip
RUNE_SHORT = (
    "Fool", "Magician", "Priestess", "Empress", "Emperor", "Hierophant", "Lovers", "Chariot", "Strength", "Hermit",
    "Wheel", "Justice", "Hanged Man", "Death", "Temperance", "Devil", "Tower", "Star", "Moon", "Sun", "Judgement",
    "World",
)  # fmt: skip
"""The names of the runes for narrow places."""
RUNE_NUMERALS = (
    "0", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX", "XXI",
)  # fmt: skip
"""The numbers of the runes as their cards show them."""
RUNE_TEXTS = (
    "the rune that the other side plays in this battle has no effect, even if it was played first",
    "your highest number card that still counts is worth twice its number",
    "name one to three face-down defence cards of one opponent, then look at them",
    "draw two cards",
    "your court cards need no number card of their suit",
    "take up two of your defence cards and put them back, exchanged or not: only you still know them",
    "name two suits: on your side they are one suit, for cards that come later, too",
    "only for the attacker, in the first battle of a turn: in the further attacks of this turn you may add cards as in "
    "RW-9",
    "your side has 8 points more",
    "take an exposed card of your own defence into your hand, but never your last",
    "discard the rest of your hand, at least one card, and draw as many cards",
    "the highest number card of the other side, one card, counts 0; its suit still has it as a number card",
    "the lower total wins, unless the higher is at least twice as much; on a tie the defender wins as usual",
    "destroy an exposed defence card of an opponent who has another",
    "no court card counts on either side",
    "take a card from an opponent's hand at random",
    "everybody sees all cards in one row of an opponent's defence, then they are turned down again",
    "choose a card from the discard pile and take it into your hand",
    "shuffle the cards of one row of your defence, at least two: only you still know them",
    "look once at the hand of one opponent",
    "take one to three number cards from the discard pile, at most as many as your hand has other cards; then discard "
    "as many of those others",
    "your side has 4 points more for each suit of which it has a number card",
)
"""The effect of each rune, in the same words as in the rulebook. RW-21."""
CARD_NAMES = (*(f"{rank} of {suit}" for suit in SUIT_NAMES for rank in RANK_NAMES), *RUNE_NAMES)
PLACE_NAMES = tuple(f"{row + 1}.{column + 1}" for row in range(st.ROWS) for column in range(row + 1))
PAIR_NAMES = tuple(f"{SUIT_NAMES[one]} and {SUIT_NAMES[two]}" for one, two in st.PAIRS)


def effect(rune: int) -> str:
    """Return what a rune does, as a sentence. RW-21."""
    return f"{RUNE_TEXTS[rune][:1].upper()}{RUNE_TEXTS[rune][1:].replace(' as in RW-9', '')}."


def _text(card: int) -> str:
    """Return what a card does, for its page. RW-16, RW-17, RW-18, RW-19, RW-21."""
    if card >= st.FIRST_RUNE:
        rune = card - st.FIRST_RUNE
        when = "You play it in a battle" if st.OF_BATTLE[rune] else "Playing it is your turn"
        return f"{effect(rune)} {when}. Laid or sent to attack, it is a bluff and counts 0."
    suit = SUIT_NAMES[st.suit_of(card)]
    if number := st.number_of(card):
        return f"Counts {number} in a battle, and makes court cards of {suit} on its side count."
    return (
        f"Counts 10, if its side has a number card of {suit}. Page, knight, queen and king of a suit that follow each "
        "other count 10, 20, 30 and 40."
    )


CARD_TEXTS = tuple(map(_text, range(st.CARDS)))
CARD_SHORT = (*CARD_NAMES[: st.FIRST_RUNE], *RUNE_SHORT)


def card_name(card: int) -> str:
    """Return the name of a card, such as ``Queen of Cups`` or ``The Tower``."""
    return CARD_NAMES[card]


def and_list(names: list[str]) -> str:
    """Join names with commas and a last "and": ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
