"""The names of the actions of Rune War, such as ``turn up 2.2``, and a parser for them."""

import re

from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import CARD_NAMES, PAIR_NAMES, PLACE_NAMES, RUNE_NAMES, SUIT_NAMES


def _action_names() -> tuple[str, ...]:
    return (
        *("hold back", "done", "stop", "exchange", "put back"),
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
ACTIONS_BY_NAME = (
    {name.casefold(): action for action, name in enumerate(ACTION_NAMES)}
    | {"hold": st.HOLD}
    | {
        f"join {SUIT_NAMES[two]} and {SUIT_NAMES[one]}".casefold(): st.JOIN + pair
        for pair, (one, two) in enumerate(st.PAIRS)
    }
)


AIMED = re.compile(r"^(attack|destroy|name) seat\b")
LAID = re.compile(r"^(?:lay at|take up|take back) ([\d.]+)$")
VERBS = {st.AIM: "attack", st.FURTHER: "attack", st.DESTROY: "destroy", st.LOOK_AT: "name"}
"""For each phase in which a player names a card of another's defence, the verb before its place."""
OWN_VERBS = {st.BUILD: "lay at", st.LAY_AT: "lay at", st.EXCHANGE_OF: "take up", st.TAKE_BACK: "take back"}
"""For each phase in which a player names a place of the own defence, the words before the place."""


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return the name of an action, such as ``attack with 7 of Swords``."""
    if st.AT <= action < st.LAY and s.phase in OWN_VERBS:
        return f"{OWN_VERBS[s.phase]} {PLACE_NAMES[action - st.AT]}"
    if st.AIM_AT <= action < st.TAKE and s.phase in VERBS:
        return f"{VERBS[s.phase]} {ACTION_NAMES[action]}"
    return ACTION_NAMES[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action with a name, legal or not; None if no action has it. Case and extra spaces do not matter.

    The words before a place may be left out: ``seat 1 at 3.2`` and ``at 3.2`` are enough.
    """
    words = " ".join(text.split()).casefold()
    words = AIMED.sub("seat", LAID.sub(r"at \1", words))
    return ACTIONS_BY_NAME.get(words, ACTIONS_BY_NAME.get(words.replace(" 1 of ", " ace of ")))
