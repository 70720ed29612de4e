"""The log of Rune War: each event as a sentence that shows only what the viewer may know."""

from collections.abc import Callable

from quintain.engine import UNKNOWN, Event
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book
from quintain.games.rune_war.words import PAIR_NAMES, PLACE_NAMES, RUNE_NAMES, card_name

Does = Callable[[str, str, str], str]
"""Makes a sentence about the seat of an event from the verb for "you", the verb for another seat, and the rest."""


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the sentence for an event, as a viewer (-1: a spectator) may know it."""

    def does(plain: str, third: str, rest: str) -> str:
        return (f"You {plain}" if event.seat == viewer else f"seat {event.seat} {third}") + f" {rest}."

    their = "" if event.other == st.NONE else "your" if event.other == viewer else f"seat {event.other}'s"
    return _of_turns(event, viewer, does) or _of_battles(event, their, does) or _of_runes(event, viewer, their, does)


def cards(number: int) -> str:
    """Return a number of cards, such as ``1 card`` or ``3 cards``."""
    return "1 card" if number == 1 else f"{number} cards"


def _a_card(card: int) -> str:
    """Return the name of a card, "a card" if it is unknown, or nothing for NONE."""
    if card == UNKNOWN:
        return "a card"
    return "" if card == st.NONE else card_name(card)


def _of_turns(event: Event, viewer: int, does: Does) -> str:
    """Return the sentence for building, laying, drawing and the end of the war; empty for any other event."""
    if event.kind == st.STARTS:
        begins = "you begin" if event.seat == viewer else f"seat {event.seat} begins"
        return f"The lot falls: {begins}. But first, all players build their defences in secret."
    if event.kind == st.BUILT:
        return does("have built", "has built", f"a defence of {cards(event.a)}")
    if event.kind == st.LAID:
        return does("lay", "lays", f"{_a_card(event.b)} at {PLACE_NAMES[event.a]}")
    if event.kind == st.DREW:
        card = _a_card(event.a)
        return does("draw", "draws", card or "nothing, for the deck and the discard pile are empty")
    if event.kind == st.DREW_MANY:
        return does("discard", "discards", f"{cards(event.a)} and draw{'' if event.seat == viewer else 's'} {event.b}")
    if event.kind == st.SHUFFLED:
        return f"The discard pile is shuffled into a new deck of {cards(event.a)}."
    if event.kind == st.OUT:
        is_out = "are out" if event.seat == viewer else "is out"
        return does("have", "has", f"no card left in defence and {is_out} of the war")
    if event.kind == st.TRUCE:
        return "The war ends in a truce, and all cards are shown."
    if event.kind == st.WON:
        return does("win", "wins", "the war: nobody else is left")
    return ""


def _of_battles(event: Event, their: str, does: Does) -> str:
    """Return the sentence for an event of a battle; empty for any other event."""
    if event.kind == st.ATTACKED:
        return does("attack", "attacks", f"{PLACE_NAMES[event.a]} of {their} defence with {card_name(event.b)}")
    if event.kind == st.WENT_ON:
        return does("go on", "goes on", f"to attack {PLACE_NAMES[event.a]} of {their} defence")
    if event.kind == st.TURNED_UP:
        return does("turn", "turns", f"up {card_name(event.b)} at {PLACE_NAMES[event.a]}")
    if event.kind == st.ADDED:
        return does("add", "adds", card_name(event.a))
    if event.kind == st.HELD:
        return does("hold", "holds", "back")
    if event.kind == st.COUNTED:
        result = "win" if event.c else "lose"
        return does(result, f"{result}s", f"the battle, {event.a} to {event.b}")
    if event.kind == st.DESTROYED:
        return does("destroy", "destroys", f"{cards(event.a)} of {their} defence")
    if event.kind == st.STOPPED:
        return does("stop", "stops", "attacking")
    return ""


def _of_runes(event: Event, viewer: int, their: str, does: Does) -> str:
    """Return the sentence for a rune and its effect."""
    if event.kind == st.PLAYED:
        return does("play", "plays", RUNE_NAMES[event.a])
    if event.kind == st.JOINED:
        return does("join", "joins", PAIR_NAMES[event.a])
    if event.kind == st.LOOKED:
        card = "" if event.b == UNKNOWN else f": {card_name(event.b)}"
        return does("look", "looks", f"at {PLACE_NAMES[event.a]} of {their} defence{card}")
    if event.kind == st.REARRANGED:
        how = "exchanged or not" if event.c == UNKNOWN else "exchanged" if event.c else "as they were"
        return does("put", "puts", f"{PLACE_NAMES[event.a]} and {PLACE_NAMES[event.b]} back, {how}")
    if event.kind == st.TOOK_BACK:
        return does("take", "takes", f"{_a_card(event.b)} at {PLACE_NAMES[event.a]} back into the hand")
    if event.kind == st.STRUCK_DOWN:
        return does("destroy", "destroys", f"{card_name(event.b)} at {PLACE_NAMES[event.a]} of {their} defence")
    if event.kind == st.STOLE:
        return does("take", "takes", f"{_a_card(event.a)} from {their} hand")
    if event.kind == st.SHOWN:
        return does("show", "shows", f"row {event.a + 1} of {their} defence to everybody")
    if event.kind == st.MIXED:
        return does("shuffle", "shuffles", f"row {event.a + 1} of {'your' if event.seat == viewer else 'the'} defence")
    if event.kind == st.SAW_HAND:
        return does("look", "looks", f"at {their} hand of {cards(event.a)}")
    if event.kind == st.TOOK:
        return does("take", "takes", f"{card_name(event.a)} from the discard pile")
    return does("discard", "discards", card_name(event.a))
