"""Round Table: each event of a match in words, for the log of one viewer, and in short for somebody who looked away."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import UNKNOWN, Event, Recap, capital
from quintain.games.round_table import state as st
from quintain.games.round_table.scene import short_name
from quintain.games.round_table.state import Book
from quintain.games.round_table.words import SEASONS, card_name, next_regions

DECKS = ("the Main deck", "the Demesne deck")
ENDS = (
    "the last Region is captured",
    "a player cannot draw, as both decks are empty",
    "a player holds more than half of all Renown",
    "a player's Quests give more draws than both decks hold",
)


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return one event in words, as a viewer may know it; -1 is a spectator."""
    return SENTENCES[event.kind](event, _Viewer(book, viewer))


def recap(book: Book, event: Event, viewer: int) -> Recap:
    """Return one event in short, as a viewer may know it; without words if it needs no telling."""
    words = SHORT_SENTENCES[event.kind](event, _Viewer(book, viewer)) if event.kind in SHORT_SENTENCES else ""
    is_theirs = event.seat == viewer or (event.kind in PLAYED_ON and event.other == viewer)
    is_own_card = event.kind in PLAYED_ON and event.seat == viewer
    return Recap(
        words, bool(words) and (event.kind in RESULTS or (event.kind in LOSSES and is_theirs and not is_own_card))
    )


class _Viewer(NamedTuple):
    """Whoever reads a sentence, with the words in which this viewer reads of seats and cards."""

    book: Book
    seat: int

    def does(self, event: Event, words: str) -> str:
        """Return a sentence about the seat of an event; `words` say in the third person what it does: ``passes``."""
        if event.seat != self.seat:
            return f"seat {event.seat} {words}."
        verb, _, rest = words.partition(" ")
        base = {"is": "are", "has": "have", "passes": "pass"}.get(verb, verb.removesuffix("s"))
        return f"You {base} {rest}".rstrip() + "."

    def it(self, event: Event, words: str) -> str:
        """Return a sentence about the card of an event; `words` say what it does, or what happens to it."""
        return f"{capital(self.owned(event.seat, event.a))} {words}."

    def whose(self, seat: int) -> str:
        return "your" if seat == self.seat else f"seat {seat}'s"

    def card(self, event: Event) -> str:
        """Return the card of an event, or "a card" if the viewer does not know it."""
        return "a card" if event.a == UNKNOWN else card_name(self.book, event.seat, event.a)

    def owned(self, seat: int, line: int) -> str:
        """Return the owner and the name of a card, such as ``your Green Knight``, without an article."""
        return f"{self.whose(seat)} {card_name(self.book, seat, line).removeprefix('The ')}"

    def region(self, number: int) -> str:
        return self.book.region[number].name

    def did(self, event: Event, words: str) -> str:
        """Return a short sentence about the seat of an event; `words` say in the past what it did: ``played Farm``."""
        return f"{'You' if event.seat == self.seat else f'seat {event.seat}'} {words}"

    def short(self, seat: int, line: int) -> str:
        """Return the short name of a card."""
        called = card_name(self.book, seat, line)
        return short_name(called) or called

    def short_owned(self, seat: int, line: int) -> str:
        """Return the owner and the short name of a card, without an article."""
        return f"{self.whose(seat)} {self.short(seat, line).removeprefix('The ')}"

    def short_it(self, event: Event, words: str) -> str:
        """Return a short sentence about the card of an event."""
        return f"{capital(self.short_owned(event.seat, event.a))} {words}"


Sentences = dict[int, Callable[[Event, _Viewer], str]]
"""The function that makes the sentence of an event, by the kind of the event."""


def _first_drawn(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "is drawn as the first active player")


def _deck_laid_open(event: Event, viewer: _Viewer) -> str:
    book, seat = viewer.book, event.seat
    cards = (f"{book.copies[seat][line]} {card_name(book, seat, line)}" for line in range(book.lines[seat]))
    whose = "Your deck" if seat == viewer.seat else f"The deck of seat {seat}"
    return f"{whose}, {book.deck_name[seat]}: {', '.join(cards)}."


def _hand_taken(event: Event, viewer: _Viewer) -> str:
    demesnes = "" if event.a == UNKNOWN else f", {event.a} of them Demesnes"
    return viewer.does(event, f"takes ten cards{demesnes}")


def _mulliganed(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "takes a mulligan")


def _split_shown(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"begins with {event.a} Demesne{'' if event.a == 1 else 's'} in hand")


OF_THE_SET_UP: Sentences = {
    st.FIRST_DRAWN: _first_drawn,
    st.DECK_LAID_OPEN: _deck_laid_open,
    st.HAND_TAKEN: _hand_taken,
    st.MULLIGANED: _mulliganed,
    st.SPLIT_SHOWN: _split_shown,
}


def _season_began(event: Event, viewer: _Viewer) -> str:
    active = "you are" if event.seat == viewer.seat else f"seat {event.seat} is"
    return f"{SEASONS[event.a]} begins; {active} the active player."


def _passed(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "ends the turn" if event.a else "passes")


OF_ALL_SEASONS: Sentences = {st.SEASON_BEGAN: _season_began, st.PASSED: _passed}


def _card_drawn(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"draws {viewer.card(event)} from {DECKS[event.b]}")


def _dropped(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"chooses {viewer.card(event)} to discard")


def _discarded(event: Event, viewer: _Viewer) -> str:
    copies = f" ({event.b} copies)" if event.b > 1 else ""
    return viewer.does(event, f"discards {viewer.card(event)}{copies}")


def _looked(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"looks at {next_regions(event.a)}")


OF_HANDS: Sentences = {
    st.CARD_DRAWN: _card_drawn,
    st.DROPPED: _dropped,
    st.DISCARDED: _discarded,
    st.LOOKED: _looked,
}


def _demesne_played(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"plays {viewer.card(event)}")


def _recruits(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"recruits {viewer.card(event)}")


def _put_on(event: Event, viewer: _Viewer) -> str:
    bearer = "" if event.b == st.NONE else f" on {card_name(viewer.book, event.seat, event.b)}"
    return viewer.does(event, f"plays {viewer.card(event)}{bearer}")


def _moved(event: Event, viewer: _Viewer) -> str:
    where = "off" if event.b == st.NONE else f"onto {card_name(viewer.book, event.seat, event.b)}"
    return viewer.does(event, f"moves {viewer.card(event)} {where}")


def _came_off(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, "becomes unpaired")


def _namesakes(event: Event, viewer: _Viewer) -> str:
    card = viewer.card(event)
    return viewer.does(event, f"loses {card}, and {viewer.whose(event.other)} {card} goes, too")


def _more_spent(event: Event, viewer: _Viewer) -> str:
    go = "goes" if event.a == 1 else "go"
    return f"{event.a} more of {viewer.whose(event.seat)} cards {go} to the Spent Pile."


OF_SPRING: Sentences = {
    st.DEMESNE_PLAYED: _demesne_played,
    st.RECRUITS: _recruits,
    st.PUT_ON: _put_on,
    st.MOVED: _moved,
    st.CAME_OFF: _came_off,
    st.NAMESAKES: _namesakes,
    st.MORE_SPENT: _more_spent,
}


def _attacked(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, f"attacks {viewer.region(event.b)}")


def _played_on(event: Event, viewer: _Viewer) -> str:
    """Word a Quest or a Redirect, and the Knight that it is played on."""
    own, other = event.other == event.seat, event.other
    target = card_name(viewer.book, other, event.b) if own else viewer.owned(other, event.b)
    return viewer.does(event, f"plays {card_name(viewer.book, event.seat, event.a)} on {target} for {event.c} RP")


def _joined(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, f"goes on {card_name(viewer.book, event.other, event.b)}")


def _quest_over(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, "is over")


def _was_reset(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, "is reset")


def _was_engaged(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, "is engaged")


def _returned(event: Event, viewer: _Viewer) -> str:
    return viewer.it(event, "returns to the hand")


OF_SUMMER: Sentences = {
    st.ATTACKED: _attacked,
    st.QUEST_PLAYED: _played_on,
    st.REDIRECT_PLAYED: _played_on,
    st.JOINED: _joined,
    st.QUEST_OVER: _quest_over,
    st.WAS_RESET: _was_reset,
    st.WAS_ENGAGED: _was_engaged,
    st.RETURNED: _returned,
}


def _region_opened(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.region(event.a)} lies open."


def _region_captured(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"captures {viewer.region(event.a)}")


def _region_stayed(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.region(event.a)} stays independent."


def _taken_back(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, f"takes {viewer.card(event)} back")


def _decks_fall_short(event: Event, viewer: _Viewer) -> str:
    whose, decks = ("Your", "your") if event.seat == viewer.seat else (f"seat {event.seat}'s", "both")
    return f"{whose} Quests give more draws than {decks} decks hold: the game ends after the draws."


def _game_over(event: Event, viewer: _Viewer) -> str:
    return f"The game is over: {ENDS[event.a]}."


OF_AUTUMN: Sentences = {
    st.REGION_OPENED: _region_opened,
    st.REGION_CAPTURED: _region_captured,
    st.REGION_STAYED: _region_stayed,
    st.TAKEN_BACK: _taken_back,
    st.DECKS_FALL_SHORT: _decks_fall_short,
    st.GAME_OVER: _game_over,
}

SENTENCES: Sentences = OF_THE_SET_UP | OF_ALL_SEASONS | OF_HANDS | OF_SPRING | OF_SUMMER | OF_AUTUMN


def _shortly_did(verb: str) -> Callable[[Event, _Viewer], str]:
    """Return what makes the short sentence of a seat that did something with a card that everybody sees."""
    return lambda event, viewer: viewer.did(event, f"{verb} {viewer.short(event.seat, event.a)}")


def _shortly_drawn(event: Event, viewer: _Viewer) -> str:
    """Word only what the viewer has drawn: others draw all the time."""
    return _shortly_did("drew")(event, viewer) if event.seat == viewer.seat else ""


def _shortly_put(event: Event, viewer: _Viewer) -> str:
    bearer = "" if event.b == st.NONE else f" on {viewer.short(event.seat, event.b)}"
    return viewer.did(
        event,
        f"put {viewer.short(event.seat, event.a)}{bearer}" if bearer else f"played {viewer.short(event.seat, event.a)}",
    )


def _shortly_moved(event: Event, viewer: _Viewer) -> str:
    where = "off" if event.b == st.NONE else f"onto {viewer.short(event.seat, event.b)}"
    return viewer.did(event, f"moved {viewer.short(event.seat, event.a)} {where}")


def _shortly_clashed(event: Event, viewer: _Viewer) -> str:
    called = viewer.short(event.seat, event.a)
    if event.other == event.seat:
        return viewer.did(event, f"lost both copies of {called}")
    if viewer.seat in (event.seat, event.other):
        return f"You and seat {event.seat + event.other - viewer.seat} lost {called}"
    return f"seat {event.seat} and seat {event.other} lost {called}"


def _shortly_played_on(event: Event, viewer: _Viewer) -> str:
    """Word what a Quest or a Redirect does to its Knight; its name is in the log."""
    knight = viewer.short(event.other, event.b)
    if event.other != event.seat:
        knight = viewer.short_owned(event.other, event.b)
    return viewer.did(event, f"sent {knight} on a Quest" if event.kind == st.QUEST_PLAYED else f"redirected {knight}")


SHORT_SENTENCES: Sentences = {
    st.FIRST_DRAWN: lambda event, viewer: viewer.did(event, "will be active first"),
    st.MULLIGANED: lambda event, viewer: viewer.did(event, "took a mulligan"),
    st.SPLIT_SHOWN: lambda event, viewer: viewer.did(
        event, f"began with {event.a} Demesne{'' if event.a == 1 else 's'}"
    ),
    st.CARD_DRAWN: _shortly_drawn,
    st.DISCARDED: _shortly_did("discarded"),
    st.LOOKED: lambda event, viewer: viewer.did(event, f"looked at {next_regions(event.a)}"),
    st.DEMESNE_PLAYED: _shortly_did("played"),
    st.RECRUITS: _shortly_did("recruited"),
    st.PUT_ON: _shortly_put,
    st.MOVED: _shortly_moved,
    st.CAME_OFF: lambda event, viewer: viewer.short_it(event, "came off"),
    st.NAMESAKES: _shortly_clashed,
    st.MORE_SPENT: lambda event, viewer: viewer.did(event, f"lost {event.a} more card{'' if event.a == 1 else 's'}"),
    st.ATTACKED: lambda event, viewer: viewer.short_it(event, f"attacks {viewer.region(event.b)}"),
    st.QUEST_PLAYED: _shortly_played_on,
    st.REDIRECT_PLAYED: _shortly_played_on,
    st.JOINED: lambda event, viewer: viewer.short_it(event, "is on a Quest"),
    st.WAS_RESET: lambda event, viewer: viewer.short_it(event, "is active again"),
    st.WAS_ENGAGED: lambda event, viewer: viewer.short_it(event, "is engaged"),
    st.RETURNED: lambda event, viewer: viewer.short_it(event, "went back to the hand"),
    st.REGION_OPENED: lambda event, viewer: f"{viewer.region(event.a)} lies open",
    st.REGION_CAPTURED: lambda event, viewer: viewer.did(
        event, f"captured {viewer.region(event.a)}: {viewer.book.region[event.a].renown} Renown"
    ),
    st.REGION_STAYED: lambda event, viewer: f"{viewer.region(event.a)} stays open",
    st.TAKEN_BACK: lambda event, viewer: viewer.did(event, f"took {viewer.short(event.seat, event.a)} back"),
    st.DECKS_FALL_SHORT: lambda event, viewer: "The game ends after these draws",
    st.GAME_OVER: lambda event, viewer: "The game is over",
}
"""The short sentences; other events need no telling."""
RESULTS = (st.REGION_CAPTURED, st.NAMESAKES, st.DECKS_FALL_SHORT, st.GAME_OVER)
PLAYED_ON = (st.QUEST_PLAYED, st.REDIRECT_PLAYED)
LOSSES = (*PLAYED_ON, st.CARD_DRAWN, st.DISCARDED, st.MORE_SPENT, st.WAS_ENGAGED, st.RETURNED)
"""The events that are results for the seat that they happen to."""
