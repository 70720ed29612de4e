"""The log of King's Court: each event as a sentence that shows only what the viewer may know."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import UNKNOWN, Event, Recap
from quintain.games.kings_court import state as st
from quintain.games.kings_court.moves import ACTION_NAMES
from quintain.games.kings_court.state import Book
from quintain.games.kings_court.words import COUNTER_NAMES, HOUSE_NAMES, card_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the sentence for an event, as a viewer (-1: a spectator) may know it."""
    return SENTENCES[event.kind](event, _Viewer(viewer))


class _Viewer(NamedTuple):
    """Whoever reads a sentence, with the words in which this viewer reads of seats."""

    seat: int

    def does(self, event: Event, plain: str, third: str, rest: str) -> str:
        """Return a sentence about the seat of the event: `plain` is the verb after *You*, `third` after *seat 1*."""
        return (f"You {plain}" if event.seat == self.seat else f"seat {event.seat} {third}") + f" {rest}."

    def whose(self, seat: int) -> str:
        return "your" if seat == self.seat else f"seat {seat}'s"


Sentences = dict[int, Callable[[Event, _Viewer], str]]
"""The function that makes the sentence of an event, by the kind of the event."""


def _order_drawn(event: Event, viewer: _Viewer) -> str:
    return f"The lot falls: {'you go' if event.seat == viewer.seat else f'seat {event.seat} goes'} first."


def _order_chosen(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "choose", "chooses", f"to {ACTION_NAMES[event.a]}")


def _counter_put(event: Event, viewer: _Viewer) -> str:
    counter = "a counter" if event.b == UNKNOWN else COUNTER_NAMES[event.b]
    return viewer.does(event, "put", "puts", f"{counter} on {HOUSE_NAMES[event.a]}")


OF_THE_SET_UP: Sentences = {
    st.ORDER_DRAWN: _order_drawn,
    st.ORDER_CHOSEN: _order_chosen,
    st.COUNTER_PUT: _counter_put,
}
"""Before the first turn. KC-2, KC-4."""


def _card_drawn(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "draw", "draws", _card_or_back(event.a))


def _card_played(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "play", "plays", f"{card_name(event.a)}{_gain(event, viewer)}")


def _gain(event: Event, viewer: _Viewer) -> str:
    """Return what a played card brings at once; nothing for a 1, a 5 or a 7."""
    rank, house = st.rank_of(event.a), HOUSE_NAMES[st.house_of(event.a)]
    if rank % 2 == 0:
        return f": {rank} Influence in {house}"
    if rank != 3:
        return ""
    binding = f"; {viewer.whose(1 - event.seat)} next gift must be of {house}, if possible" if event.b else ""
    return f": 1 Influence in {house}{binding}"


def _card_given(event: Event, viewer: _Viewer) -> str:
    whom = "you" if event.other == viewer.seat else f"seat {event.other}"
    return viewer.does(event, "give", "gives", f"{whom} {_card_or_back(event.a)}")


def _card_or_back(card: int) -> str:
    return "a card" if card == UNKNOWN else card_name(card)


def _deck_empty(event: Event, viewer: _Viewer) -> str:
    who = "you play" if event.seat == viewer.seat else f"seat {event.seat} plays"
    return f"The deck is empty: {who} the last card."


def _game_over(event: Event, viewer: _Viewer) -> str:
    return "The game is over: hands and counters are shown."


OF_TURNS: Sentences = {
    st.CARD_DRAWN: _card_drawn,
    st.CARD_PLAYED: _card_played,
    st.CARD_GIVEN: _card_given,
    st.DECK_EMPTY: _deck_empty,
    st.GAME_OVER: _game_over,
}
"""A card drawn, played or given, and the end of the game. KC-5, KC-7."""


def _looked(event: Event, viewer: _Viewer) -> str:
    counter = "" if event.b == UNKNOWN else f": {COUNTER_NAMES[event.b]}"
    where = f"{viewer.whose(event.other)} counter in {HOUSE_NAMES[event.a]}"
    return viewer.does(event, "look", "looks", f"at {where}{counter}")


def _switched(event: Event, viewer: _Viewer) -> str:
    if event.a == UNKNOWN:
        return f"seat {event.seat} switches two counters."
    counters = f"the counters in {HOUSE_NAMES[event.a]} and {HOUSE_NAMES[event.b]}"
    return viewer.does(event, "switch", "switches", counters)


def _nothing_moved(event: Event, viewer: _Viewer) -> str:
    return "There is no Influence to move." if event.b else viewer.does(event, "move", "moves", "nothing")


def _unit_moved(event: Event, viewer: _Viewer) -> str:
    whose = "their own" if event.seat == event.other != viewer.seat else viewer.whose(event.other)
    way = f"from {HOUSE_NAMES[event.a]} to {HOUSE_NAMES[event.b]}"
    return viewer.does(event, "move", "moves", f"one unit of {whose} Influence {way}")


OF_EFFECTS: Sentences = {
    st.LOOKED: _looked,
    st.SWITCHED: _switched,
    st.NOTHING_MOVED: _nothing_moved,
    st.UNIT_MOVED: _unit_moved,
}
"""The effect of a 1, a 5 or a 7. KC-10, KC-12, KC-13."""

SENTENCES: Sentences = OF_THE_SET_UP | OF_TURNS | OF_EFFECTS


def recap(book: Book, event: Event, viewer: int) -> Recap:
    """Return what an event means to somebody who looked away; empty for what the next event says, too."""
    found = RECAPS.get(event.kind)
    return found(event, _Viewer(viewer)) if found else Recap("")


def _draw_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap(f"You drew {card_name(event.a)}", True) if event.seat == viewer.seat else Recap("")


def _play_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap(viewer.does(event, "played", "played", card_name(event.a)).removesuffix("."))


def _gift_recapped(event: Event, viewer: _Viewer) -> Recap:
    whom = "you" if event.other == viewer.seat else f"seat {event.other}"
    words = viewer.does(event, "gave", "gave", f"{whom} {_card_or_back(event.a)}").removesuffix(".")
    return Recap(words, event.other == viewer.seat)


def _look_recapped(event: Event, viewer: _Viewer) -> Recap:
    if event.seat == viewer.seat:
        return Recap(f"You saw the counter in {HOUSE_NAMES[event.a]}: {COUNTER_NAMES[event.b]}", True)
    return Recap(f"seat {event.seat} saw {viewer.whose(event.other)} counter in {HOUSE_NAMES[event.a]}")


def _counter_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap(viewer.does(event, "put", "put", f"a counter on {HOUSE_NAMES[event.a]}").removesuffix("."))


def _switch_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap(viewer.does(event, "switched", "switched", "two counters").removesuffix("."))


def _unit_recapped(event: Event, viewer: _Viewer) -> Recap:
    whose = "their own" if event.seat == event.other != viewer.seat else viewer.whose(event.other)
    words = viewer.does(event, "moved", "moved", f"{whose} Influence to {HOUSE_NAMES[event.b]}")
    return Recap(words.removesuffix("."), True)


RECAPS: dict[int, Callable[[Event, _Viewer], Recap]] = {
    st.COUNTER_PUT: _counter_recapped,
    st.CARD_DRAWN: _draw_recapped,
    st.CARD_PLAYED: _play_recapped,
    st.CARD_GIVEN: _gift_recapped,
    st.LOOKED: _look_recapped,
    st.SWITCHED: _switch_recapped,
    st.UNIT_MOVED: _unit_recapped,
}
"""The function that says what an event means to somebody who looked away, by the kind of the event."""
