"""Round Table: what has happened, and how the last Autumn came about, in words."""

from quintain.engine.game import Line
from quintain.engine.state import UNKNOWN, Event
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import remaining
from quintain.games.round_table.naming import card_name
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.view import SEASONS

DECKS = ("the Main deck", "the Demesne deck")
ENDS = ("the last Region is captured", "a card is to be drawn from empty decks", "more than half of all Renown is held")


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Say one event as a viewer (-1: a spectator) may know it."""
    kind, seat = event.kind, event.seat
    if kind == st.SEASON_BEGAN:
        return f"{SEASONS[event.a]} begins; {_who(seat, viewer)} {'are' if seat == viewer else 'is'} the active player."
    if kind == st.REGION_OPENED:
        return f"{book.region[event.a].name} lies open."
    if kind == st.REGION_STAYED:
        return f"{book.region[event.a].name} stays independent."
    if kind == st.GAME_OVER:
        return f"The game is over: {ENDS[event.a]}."
    if kind in PASSIVE:
        whose = "Your" if seat == viewer else f"seat {seat}'s"
        return f"{whose} {card_name(book, seat, event.a)} {PASSIVE[kind]}."
    return _does(book, event, viewer)


PASSIVE = {
    st.QUEST_OVER: "is over",
    st.WAS_RESET: "is reset",
    st.WAS_ENGAGED: "is engaged",
    st.RETURNED: "returns to the hand",
    st.CAME_OFF: "becomes unpaired",
}


def _who(seat: int, viewer: int) -> str:
    return "you" if seat == viewer else f"seat {seat}"


def _does(book: Book, event: Event, viewer: int) -> str:
    """Say what a seat does."""
    kind, seat, a, b = event.kind, event.seat, event.a, event.b
    plain = {
        st.FIRST_DRAWN: lambda: "is drawn to be first",
        st.HAND_TAKEN: lambda: "takes ten cards" + ("" if a == UNKNOWN else f", {a} of them Demesnes"),
        st.MULLIGANED: lambda: "shuffles the hand back",
        st.SPLIT_SHOWN: lambda: f"begins with {a} Demesnes in hand",
        st.DEMESNE_PLAYED: lambda: f"plays {card_name(book, seat, a)}",
        st.RECRUITS: lambda: f"recruits {card_name(book, seat, a)}",
        st.PUT_ON: lambda: f"plays {card_name(book, seat, a)}{_onto(book, seat, b)}",
        st.MOVED: lambda: f"moves {card_name(book, seat, a)}{_onto(book, seat, b) or ' off'}",
        st.NAMESAKES: lambda: (
            f"loses {card_name(book, seat, a)}, whose namesake of {_who(event.other, viewer)} goes, too"
        ),
        st.PASSED: lambda: "ends the turn" if a else "passes",
        st.ATTACKED: lambda: f"has {card_name(book, seat, a)} attack {book.region[b].name}",
        st.QUEST_PLAYED: lambda: f"plays {_played_on(book, event, viewer)} for {event.c} RP",
        st.REDIRECT_PLAYED: lambda: f"plays {_played_on(book, event, viewer)} for {event.c} RP",
        st.JOINED: lambda: f"has {card_name(book, seat, a)} on {card_name(book, event.other, b)}",
        st.CARD_DRAWN: lambda: f"draws {'a card' if a == UNKNOWN else card_name(book, seat, a)} from {DECKS[b]}",
        st.DISCARDED: lambda: f"discards {card_name(book, seat, a)}" + (f" ({b} times)" if b > 1 else ""),
        st.DROPPED: lambda: f"chooses {'a card' if a == UNKNOWN else card_name(book, seat, a)} to discard",
        st.LOOKED: lambda: f"looks at the next {a} Regions",
        st.REGION_CAPTURED: lambda: f"captures {book.region[a].name}",
        st.TAKEN_BACK: lambda: f"takes {card_name(book, seat, a)} back",
    }[kind]()
    if seat != viewer:
        return f"seat {seat} {plain}."
    verb, _, rest = plain.partition(" ")
    base = {"is": "are", "has": "have", "passes": "pass"}.get(verb, verb.removesuffix("s"))
    return f"You {base} {rest}".rstrip() + "."


def _onto(book: Book, seat: int, line: int) -> str:
    return "" if line == st.NONE else f" on {card_name(book, seat, line)}"


def _played_on(book: Book, event: Event, viewer: int) -> str:
    owner = "your" if event.other == viewer else f"seat {event.other}'s"
    whose = "" if event.other == event.seat else f"{owner} "
    return f"{card_name(book, event.seat, event.a)} on {whose}{card_name(book, event.other, event.b)}"


def account(book: Book, s: State) -> list[Line]:
    """Say how the attacks of the last Autumn came out, Region by Region, with the Influence that each had left."""
    return [_judged(book, s, place) for place in range(st.OPEN_REGIONS) if any(s.judged_there[place])]


def _judged(book: Book, s: State, place: int) -> Line:
    region, captor = book.region[s.region[s.judged[place]]], s.judged_captor[place]
    there = [seat for seat in range(book.seats) if s.judged_there[place][seat]]
    forces = ", ".join(
        f"seat {seat} Influence {s.judged_influence[place][seat]} and Resistance {s.judged_resistance[place][seat]}"
        for seat in there
    )
    end = "nobody captures it" if captor == st.NONE else f"seat {captor} captures it"
    left = tuple(remaining(book, s, place, seat) if seat in there else 0 for seat in range(book.seats))
    words = f"{region.name} (Resistance {region.resistance}, Renown {region.renown}): {forces}; {end}"
    return Line(words, left, "RT-21" if captor == st.NONE else "RT-22")
