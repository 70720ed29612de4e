"""The log of King's Court: each event as a sentence that shows only what the viewer may know."""

from quintain.engine import UNKNOWN, Event
from quintain.games.kings_court import state as st
from quintain.games.kings_court.moves import ACTION_NAMES
from quintain.games.kings_court.state import Book
from quintain.games.kings_court.words import COUNTER_NAMES, HOUSE_NAMES, card_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the sentence for an event, as a viewer (-1: a spectator) may know it."""
    if event.kind in (st.ORDER_DRAWN, st.ORDER_CHOSEN, st.COUNTER_PUT):
        return _set_up(event, viewer)
    if event.kind in (st.LOOKED, st.SWITCHED, st.NOTHING_MOVED, st.UNIT_MOVED):
        return _effect(event, viewer)
    if event.kind == st.GAME_OVER:
        return "The game is over: hands and counters are shown."
    return _card(event, viewer)


def _does(event: Event, viewer: int, plain: str, third: str) -> str:
    return f"You {plain}" if event.seat == viewer else f"seat {event.seat} {third}"


def _whose(seat: int, viewer: int) -> str:
    return "your" if seat == viewer else f"seat {seat}'s"


def _set_up(event: Event, viewer: int) -> str:
    """Return the sentence for an event before the first turn. KC-2, KC-4."""
    if event.kind == st.ORDER_DRAWN:
        return f"The lot falls: {'you go' if event.seat == viewer else f'seat {event.seat} goes'} first."
    if event.kind == st.ORDER_CHOSEN:
        return _does(event, viewer, "choose", "chooses") + f" to {ACTION_NAMES[event.a]}."
    counter = "a counter" if event.b == UNKNOWN else COUNTER_NAMES[event.b]
    return _does(event, viewer, "put", "puts") + f" {counter} on {HOUSE_NAMES[event.a]}."


def _card(event: Event, viewer: int) -> str:
    """Return the sentence for a card drawn, played or given. KC-5, KC-7."""
    if event.kind == st.CARD_DRAWN:
        return _does(event, viewer, "draw", "draws") + f" {_card_or_back(event.a)}."
    if event.kind == st.CARD_PLAYED:
        return _does(event, viewer, "play", "plays") + f" {card_name(event.a)}{_effect_words(event, viewer)}."
    if event.kind == st.CARD_GIVEN:
        whom = "you" if event.other == viewer else f"seat {event.other}"
        return _does(event, viewer, "give", "gives") + f" {whom} {_card_or_back(event.a)}."
    who = "you play" if event.seat == viewer else f"seat {event.seat} plays"
    return f"The deck is empty: {who} the last card."


def _effect(event: Event, viewer: int) -> str:
    """Return the sentence for the effect of a 1, a 5 or a 7. KC-10, KC-12, KC-13."""
    if event.kind == st.LOOKED:
        what = "" if event.b == UNKNOWN else f": {COUNTER_NAMES[event.b]}"
        whose = _whose(event.other, viewer)
        return _does(event, viewer, "look", "looks") + f" at {whose} counter in {HOUSE_NAMES[event.a]}{what}."
    if event.kind == st.SWITCHED:
        if event.a == UNKNOWN:
            return f"seat {event.seat} switches two counters."
        counters = f"the counters in {HOUSE_NAMES[event.a]} and {HOUSE_NAMES[event.b]}"
        return _does(event, viewer, "switch", "switches") + f" {counters}."
    if event.kind == st.NOTHING_MOVED:
        return "There is no Influence to move." if event.b else _does(event, viewer, "move", "moves") + " nothing."
    whose = "their own" if event.seat == event.other != viewer else _whose(event.other, viewer)
    moves = _does(event, viewer, "move", "moves")
    return f"{moves} one unit of {whose} Influence from {HOUSE_NAMES[event.a]} to {HOUSE_NAMES[event.b]}."


def _card_or_back(card: int) -> str:
    return "a card" if card == UNKNOWN else card_name(card)


def _effect_words(event: Event, viewer: int) -> str:
    rank, house = st.rank_of(event.a), HOUSE_NAMES[st.house_of(event.a)]
    if rank % 2 == 0:
        return f": {rank} Influence in {house}"
    if rank != 3:
        return ""
    binding = f"; {_whose(1 - event.seat, viewer)} next gift must be of {house}, if possible" if event.b else ""
    return f": 1 Influence in {house}{binding}"
