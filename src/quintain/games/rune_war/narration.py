"""The log of Rune War: each event as a sentence that shows only what the viewer may know."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import UNKNOWN, Event
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book
from quintain.games.rune_war.words import PAIR_NAMES, PLACE_NAMES, RUNE_NAMES, card_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the sentence for an event, as a viewer (-1: a spectator) may know it."""
    return SENTENCES[event.kind](event, _Viewer(viewer))


class _Viewer(NamedTuple):
    """Whoever reads a sentence, with the words in which this viewer reads of seats."""

    seat: int

    def does(self, event: Event, plain: str, third: str, rest: str) -> str:
        """Return a sentence about the seat of the event: `plain` is the verb after *You*, `third` after *seat 1*."""
        return (f"You {plain}" if event.seat == self.seat else f"seat {event.seat} {third}") + f" {rest}."

    def their(self, event: Event) -> str:
        """Return the word for what belongs to the other seat of an event."""
        if event.other == st.NONE:
            return ""
        return "your" if event.other == self.seat else f"seat {event.other}'s"


Sentences = dict[int, Callable[[Event, _Viewer], str]]
"""The function that makes the sentence of an event, by the kind of the event."""


def cards(number: int) -> str:
    """Return a number of cards, such as ``1 card`` or ``3 cards``."""
    return "1 card" if number == 1 else f"{number} cards"


def _a_card(card: int) -> str:
    """Return the name of a card, "a card" if it is unknown, or nothing for NONE."""
    if card == UNKNOWN:
        return "a card"
    return "" if card == st.NONE else card_name(card)


def _starts(event: Event, viewer: _Viewer) -> str:
    begins = "you begin" if event.seat == viewer.seat else f"seat {event.seat} begins"
    return f"The lot falls: {begins}. But first, all players build their defences in secret."


def _built(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "have built", "has built", f"a defence of {cards(event.a)}")


def _laid(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "lay", "lays", f"{_a_card(event.b)} at {PLACE_NAMES[event.a]}")


def _drew(event: Event, viewer: _Viewer) -> str:
    card = _a_card(event.a) or "nothing, for the deck and the discard pile are empty"
    return viewer.does(event, "draw", "draws", card)


def _drew_many(event: Event, viewer: _Viewer) -> str:
    draws = "draw" if event.seat == viewer.seat else "draws"
    return viewer.does(event, "discard", "discards", f"{cards(event.a)} and {draws} {event.b}")


def _shuffled(event: Event, viewer: _Viewer) -> str:
    return f"The discard pile is shuffled into a new deck of {cards(event.a)}."


def _out(event: Event, viewer: _Viewer) -> str:
    are = "are" if event.seat == viewer.seat else "is"
    return viewer.does(event, "have", "has", f"no card left in defence and {are} out of the war")


def _truce(event: Event, viewer: _Viewer) -> str:
    return "The war ends in a truce, and all cards are shown."


def _won(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "win", "wins", "the war: nobody else is left")


OF_TURNS: Sentences = {
    st.STARTS: _starts,
    st.BUILT: _built,
    st.LAID: _laid,
    st.DREW: _drew,
    st.DREW_MANY: _drew_many,
    st.SHUFFLED: _shuffled,
    st.OUT: _out,
    st.TRUCE: _truce,
    st.WON: _won,
}
"""Building, laying, drawing and the end of the war."""


def _attacked(event: Event, viewer: _Viewer) -> str:
    where = f"{PLACE_NAMES[event.a]} of {viewer.their(event)} defence"
    return viewer.does(event, "attack", "attacks", f"{where} with {card_name(event.b)}")


def _went_on(event: Event, viewer: _Viewer) -> str:
    where = f"{PLACE_NAMES[event.a]} of {viewer.their(event)} defence"
    return viewer.does(event, "go on", "goes on", f"to attack {where}")


def _turned_up(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "turn", "turns", f"up {card_name(event.b)} at {PLACE_NAMES[event.a]}")


def _added(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "add", "adds", card_name(event.a))


def _held(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "hold", "holds", "back")


def _counted(event: Event, viewer: _Viewer) -> str:
    win = "win" if event.c else "lose"
    return viewer.does(event, win, f"{win}s", f"the battle, {event.a} to {event.b}")


def _destroyed(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "destroy", "destroys", f"{cards(event.a)} of {viewer.their(event)} defence")


def _stopped(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "stop", "stops", "attacking")


OF_BATTLES: Sentences = {
    st.ATTACKED: _attacked,
    st.WENT_ON: _went_on,
    st.TURNED_UP: _turned_up,
    st.ADDED: _added,
    st.HELD: _held,
    st.COUNTED: _counted,
    st.DESTROYED: _destroyed,
    st.STOPPED: _stopped,
}


def _played(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "play", "plays", RUNE_NAMES[event.a])


def _joined(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "join", "joins", PAIR_NAMES[event.a])


def _looked(event: Event, viewer: _Viewer) -> str:
    card = "" if event.b == UNKNOWN else f": {card_name(event.b)}"
    return viewer.does(event, "look", "looks", f"at {PLACE_NAMES[event.a]} of {viewer.their(event)} defence{card}")


def _rearranged(event: Event, viewer: _Viewer) -> str:
    how = "exchanged or not" if event.c == UNKNOWN else "exchanged" if event.c else "as they were"
    return viewer.does(event, "put", "puts", f"{PLACE_NAMES[event.a]} and {PLACE_NAMES[event.b]} back, {how}")


def _took_back(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "take", "takes", f"{_a_card(event.b)} at {PLACE_NAMES[event.a]} back into the hand")


def _struck_down(event: Event, viewer: _Viewer) -> str:
    where = f"{PLACE_NAMES[event.a]} of {viewer.their(event)} defence"
    return viewer.does(event, "destroy", "destroys", f"{card_name(event.b)} at {where}")


def _stole(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "take", "takes", f"{_a_card(event.a)} from {viewer.their(event)} hand")


def _shown(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "show", "shows", f"row {event.a + 1} of {viewer.their(event)} defence to everybody")


def _mixed(event: Event, viewer: _Viewer) -> str:
    whose = "your" if event.seat == viewer.seat else "the"
    return viewer.does(event, "shuffle", "shuffles", f"row {event.a + 1} of {whose} defence")


def _saw_hand(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "look", "looks", f"at {viewer.their(event)} hand of {cards(event.a)}")


def _took(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "take", "takes", f"{card_name(event.a)} from the discard pile")


def _gave_up(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "discard", "discards", card_name(event.a))


OF_RUNES: Sentences = {
    st.PLAYED: _played,
    st.JOINED: _joined,
    st.LOOKED: _looked,
    st.REARRANGED: _rearranged,
    st.TOOK_BACK: _took_back,
    st.STRUCK_DOWN: _struck_down,
    st.STOLE: _stole,
    st.SHOWN: _shown,
    st.MIXED: _mixed,
    st.SAW_HAND: _saw_hand,
    st.TOOK: _took,
    st.GAVE_UP: _gave_up,
}

SENTENCES: Sentences = OF_TURNS | OF_BATTLES | OF_RUNES
