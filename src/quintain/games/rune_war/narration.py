"""The log of Rune War: each event as a sentence that shows only what the viewer may know."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import UNKNOWN, Event, Recap
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


def recap(book: Book, event: Event, viewer: int) -> Recap:
    """Return what a viewer who looked away should know of an event; empty for what they did themselves."""
    if event.seat == viewer != st.NONE:
        words = OF_VIEWER[event.kind](event) if event.kind in OF_VIEWER else ""
    else:
        words = RECAPS[event.kind](event, _Whose(event.other, viewer)) if event.kind in RECAPS else ""
    return Recap(words, bool(words) and event.kind in RESULTS)


class _Whose(NamedTuple):
    """The other seat of an event, in the words of a viewer."""

    seat: int
    viewer: int

    @property
    def name(self) -> str:
        """Return the seat as an object: ``you`` or ``seat 1``."""
        return "you" if self.seat == self.viewer else f"seat {self.seat}"

    @property
    def owns(self) -> str:
        """Return the word before what belongs to it: ``your`` or ``seat 1's``."""
        return "your" if self.seat == self.viewer else f"seat {self.seat}'s"


def _counted_by_others(event: Event, whose: _Whose) -> str:
    """Return who held; of a battle that the attacker won, the cards destroyed say enough. `a` are its points."""
    if event.c:
        return ""
    held = "You held" if event.other == whose.viewer else f"seat {event.other} held"
    return f"{held} against seat {event.seat}, {event.b} : {event.a}"


def _destroyed_by_others(event: Event, whose: _Whose) -> str:
    return f"seat {event.seat} destroyed {'a card' if event.a == 1 else cards(event.a)} of {_mine(whose)}"


def _mine(whose: _Whose) -> str:
    return "yours" if whose.seat == whose.viewer else f"seat {whose.seat}"


def _saw(event: Event) -> str:
    return "" if event.b == UNKNOWN else f"You saw {card_name(event.b)} at {PLACE_NAMES[event.a]}"


def _was_drawn(event: Event) -> str:
    return "You found no card to draw" if event.a == st.NONE else f"You drew {_a_card(event.a)}"


RECAPS: dict[int, Callable[[Event, _Whose], str]] = {
    st.STARTS: lambda e, _: f"seat {e.seat} begins the war",
    st.BUILT: lambda e, _: f"seat {e.seat} built a defence of {cards(e.a)}",
    st.LAID: lambda e, _: f"seat {e.seat} laid a card at {PLACE_NAMES[e.a]}",
    st.DREW_MANY: lambda e, _: f"seat {e.seat} changed {cards(e.a)}",
    st.OUT: lambda e, _: f"seat {e.seat} is out of the war",
    st.TRUCE: lambda e, _: "The war ended in a truce",
    st.WON: lambda e, _: f"seat {e.seat} won the war",
    st.ATTACKED: lambda e, whose: f"seat {e.seat} attacked {whose.owns} {PLACE_NAMES[e.a]}",
    st.WENT_ON: lambda e, whose: f"seat {e.seat} then attacked {whose.owns} {PLACE_NAMES[e.a]}",
    st.TURNED_UP: lambda e, _: f"seat {e.seat} turned up {card_name(e.b)}",
    st.ADDED: lambda e, _: f"seat {e.seat} added {card_name(e.a)}",
    st.COUNTED: _counted_by_others,
    st.DESTROYED: _destroyed_by_others,
    st.PLAYED: lambda e, _: f"seat {e.seat} played {RUNE_NAMES[e.a]}",
    st.JOINED: lambda e, _: f"seat {e.seat} joined {PAIR_NAMES[e.a]}",
    st.LOOKED: lambda e, whose: f"seat {e.seat} looked at {whose.owns} {PLACE_NAMES[e.a]}",
    st.REARRANGED: lambda e, _: f"seat {e.seat} took up {PLACE_NAMES[e.a]} and {PLACE_NAMES[e.b]}",
    st.TOOK_BACK: lambda e, _: f"seat {e.seat} took {PLACE_NAMES[e.a]} back",
    st.STRUCK_DOWN: lambda e, whose: f"seat {e.seat} destroyed {whose.owns} {card_name(e.b)}",
    st.STOLE: lambda e, whose: f"seat {e.seat} took {_a_card(e.a)} from {whose.name}",
    st.SHOWN: lambda e, whose: f"seat {e.seat} showed {whose.owns} row {e.a + 1}",
    st.MIXED: lambda e, _: f"seat {e.seat} shuffled row {e.a + 1}",
    st.SAW_HAND: lambda e, whose: f"seat {e.seat} looked at {whose.owns} hand",
    st.TOOK: lambda e, _: f"seat {e.seat} took {card_name(e.a)} from the pile",
    st.GAVE_UP: lambda e, _: f"seat {e.seat} discarded {card_name(e.a)}",
}
"""What others did, in a few words; what they draw, shuffle or leave alone is not worth telling."""
OF_VIEWER: dict[int, Callable[[Event], str]] = {
    st.STARTS: lambda e: "You begin the war",
    st.DREW: _was_drawn,
    st.DREW_MANY: lambda e: f"You drew {'another card' if e.b == 1 else f'{cards(e.b)} instead'}",
    st.OUT: lambda e: "You are out of the war",
    st.WON: lambda e: "You won the war",
    st.COUNTED: lambda e: "" if e.c else f"You lost to seat {e.other}, {e.a} : {e.b}",
    st.DESTROYED: lambda e: f"You destroyed {'a card' if e.a == 1 else cards(e.a)} of seat {e.other}",
    st.LOOKED: _saw,
    st.STRUCK_DOWN: lambda e: f"You destroyed {card_name(e.b)} of seat {e.other}",
    st.STOLE: lambda e: f"You took {_a_card(e.a)} from seat {e.other}",
    st.SAW_HAND: lambda e: f"You saw the hand of seat {e.other}",
}
"""What the viewer did, where something came of it."""
RESULTS = (
    st.OUT, st.TRUCE, st.WON, st.COUNTED, st.DESTROYED, st.STRUCK_DOWN, st.STOLE, st.DREW, st.DREW_MANY, st.LOOKED,
)  # fmt: skip
"""The events that changed what somebody has or knows."""
