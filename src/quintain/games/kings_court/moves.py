"""The names of the actions of King's Court, such as ``play Castellia 1``, and a parser for them."""

from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import COUNTER_NAMES, HOUSE_NAMES, card_name


def _action_names() -> tuple[str, ...]:
    cards = [card_name(card) for card in range(st.CARDS)]
    pairs = [r.pair_of(pair) for pair in range(st.MOVE_NOTHING - st.SWITCH)]
    return (
        *(f"play {card}" for card in cards),
        *(f"give {card}" for card in cards),
        *(f"put {counter} on {house}" for house in HOUSE_NAMES for counter in COUNTER_NAMES),
        *(f"switch {HOUSE_NAMES[one]} and {HOUSE_NAMES[two]}" for one, two in pairs),
        "move nothing",
        *(f"move from {house}" for house in HOUSE_NAMES),
        *(f"move to {house}" for house in HOUSE_NAMES),
        *("move own", "move theirs", "stop", "go first", "go second"),
    )


ACTION_NAMES = _action_names()
ACTIONS_BY_NAME = {name.casefold(): action for action, name in enumerate(ACTION_NAMES)} | {
    f"switch {HOUSE_NAMES[two]} and {HOUSE_NAMES[one]}".casefold(): st.SWITCH + pair
    for pair in range(st.MOVE_NOTHING - st.SWITCH)
    for one, two in (r.pair_of(pair),)
}


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return the name of an action, such as ``put +5 on Artois``."""
    return ACTION_NAMES[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action with a name, legal or not; None if no action has it. Case and extra spaces do not matter."""
    return ACTIONS_BY_NAME.get(" ".join(text.replace("\N{MINUS SIGN}", "-").split()).casefold())
