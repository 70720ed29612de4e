"""King's Court: what happened, in words."""

from quintain.engine.state import UNKNOWN, Event
from quintain.games.kings_court import state as st
from quintain.games.kings_court.moves import ACTION_NAMES
from quintain.games.kings_court.state import Book
from quintain.games.kings_court.words import COUNTER_NAMES, HOUSE_NAMES, card_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Say one event as a viewer (-1: a spectator) may know it."""
    seat, other = event.seat, event.other
    you = seat == viewer

    def does(plain: str, third: str) -> str:
        return f"You {plain}" if you else f"seat {seat} {third}"

    if event.kind == st.ORDER_DRAWN:
        return f"The lot falls: {'you go' if you else f'seat {seat} goes'} first."
    if event.kind == st.ORDER_CHOSEN:
        return does("choose", "chooses") + f" to {ACTION_NAMES[event.a]}."
    if event.kind == st.COUNTER_PUT:
        counter = "a counter" if event.b == UNKNOWN else COUNTER_NAMES[event.b]
        return does("put", "puts") + f" {counter} on {HOUSE_NAMES[event.a]}."
    if event.kind == st.CARD_DRAWN:
        return does("draw", "draws") + f" {_card_or_back(event.a)}."
    if event.kind == st.CARD_PLAYED:
        return does("play", "plays") + f" {card_name(event.a)}{_effect_words(event, viewer)}."
    if event.kind == st.LOOKED:
        whose = "your" if other == viewer else f"seat {other}'s"
        what = "" if event.b == UNKNOWN else f": {COUNTER_NAMES[event.b]}"
        return does("look", "looks") + f" at {whose} counter in {HOUSE_NAMES[event.a]}{what}."
    if event.kind == st.SWITCHED:
        if event.a == UNKNOWN:
            return f"seat {seat} switches two counters."
        counters = f"the counters in {HOUSE_NAMES[event.a]} and {HOUSE_NAMES[event.b]}"
        return does("switch", "switches") + f" {counters}."
    if event.kind == st.NOTHING_MOVED:
        return "There is nothing to move." if event.b else does("move", "moves") + " nothing."
    if event.kind == st.UNIT_MOVED:
        whose = "your" if other == viewer else "their own" if seat == other else f"seat {other}'s"
        return (
            does("move", "moves") + f" one of {whose} Influence from {HOUSE_NAMES[event.a]} to {HOUSE_NAMES[event.b]}."
        )
    if event.kind == st.CARD_GIVEN:
        whom = "you" if other == viewer else f"seat {other}"
        return does("give", "gives") + f" {whom} {_card_or_back(event.a)}."
    if event.kind == st.DECK_EMPTY:
        return "The deck is empty: " + ("you play" if you else f"seat {seat} plays") + " the last card."
    return "The game is over: hands and counters are shown."


def _card_or_back(card: int) -> str:
    return "a card" if card == UNKNOWN else card_name(card)


def _effect_words(event: Event, viewer: int) -> str:
    rank, house = st.rank_of(event.a), HOUSE_NAMES[st.house_of(event.a)]
    if rank % 2 == 0:
        return f": {rank} Influence in {house}"
    if rank != 3:
        return ""
    whose = "your" if 1 - event.seat == viewer else f"seat {1 - event.seat}'s"
    binding = f"; {whose} next gift must be of {house}, if possible" if event.b else ""
    return f": 1 Influence in {house}{binding}"
