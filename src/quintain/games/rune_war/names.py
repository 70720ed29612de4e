"""Rune War: the names of cards, places and actions, and the reading of moves in words."""

from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book, State

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


def _action_names() -> tuple[str, ...]:
    return (
        *("hold", "done", "stop", "exchange", "put back"),
        *(f"play {rune}" for rune in RUNE_NAMES),
        *(f"at {place}" for place in PLACE_NAMES),
        *(f"lay {card}" for card in CARD_NAMES),
        *(f"attack with {card}" for card in CARD_NAMES),
        *(f"turn up {place}" for place in PLACE_NAMES),
        *(f"add {card}" for card in CARD_NAMES),
        *(f"seat {seat} at {place}" for seat in range(st.SEATS) for place in PLACE_NAMES),
        *(f"take {card}" for card in CARD_NAMES),
        *(f"discard {card}" for card in CARD_NAMES),
        *(f"on seat {seat}" for seat in range(st.SEATS)),
        *(f"row {row + 1}" for row in range(st.ROWS)),
        *(f"join {pair}" for pair in PAIR_NAMES),
    )


ACTION_NAMES = _action_names()
ACTIONS_BY_NAME = {name.casefold(): action for action, name in enumerate(ACTION_NAMES)} | {
    f"join {SUIT_NAMES[two]} and {SUIT_NAMES[one]}".casefold(): st.JOIN + pair
    for pair, (one, two) in enumerate(st.PAIRS)
}


def card_name(card: int) -> str:
    """Return a card's name, such as ``Queen of Cups`` or ``The Tower``."""
    return CARD_NAMES[card]


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return an action in words, such as ``attack with 7 of Swords``."""
    return ACTION_NAMES[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action that words stand for, legal now or not; None if they stand for none."""
    words = " ".join(text.split()).casefold()
    return ACTIONS_BY_NAME.get(words, ACTIONS_BY_NAME.get(words.replace(" 1 of ", " ace of ")))


def one_of(names: list[str]) -> str:
    """Return names in a row, such as ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
