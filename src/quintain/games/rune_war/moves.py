"""The names of the actions of Rune War, such as ``turn up 2.2``, and a parser for them."""

from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import CARD_NAMES, PAIR_NAMES, PLACE_NAMES, RUNE_NAMES, SUIT_NAMES


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


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return the name of an action, such as ``attack with 7 of Swords``."""
    return ACTION_NAMES[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action with a name, legal or not; None if no action has it. Case and extra spaces do not matter."""
    words = " ".join(text.split()).casefold()
    return ACTIONS_BY_NAME.get(words, ACTIONS_BY_NAME.get(words.replace(" 1 of ", " ace of ")))
