"""Heirless battles: puts events into words for the log of a match, and for somebody who looked away."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import Event, Recap, capital
from quintain.games.heirless import state as st
from quintain.games.heirless.battlecards import set_of
from quintain.games.heirless.state import Book
from quintain.games.heirless.words import CAMP_NAMES, TRACK_NAMES, knight_name, knights, side_name, tile_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the line of the log for an event, as one viewer reads it; -1 is a spectator."""
    line = SENTENCES[event.kind](event, _Viewer(book, viewer))
    return capital(line)


def recap(book: Book, event: Event, viewer: int) -> Recap:
    """Return what an event means to a viewer who looked away; -1 is a spectator.

    Of a battle it tells who won it, and what happened to the viewer's own Knights.
    """
    words = RECAPS[event.kind](event, _Viewer(book, viewer)) if event.kind in RECAPS else ""
    in_own_castle = event.kind == st.EARNED and event.a == st.CASTLE + viewer
    concerns = viewer != st.NONE and (viewer in (event.seat, event.other) or in_own_castle)
    return Recap(capital(words), bool(words) and (concerns or event.kind == st.WON))


class _Viewer(NamedTuple):
    """Whoever reads a line, with the words in which this viewer reads of sides, Knights and tiles."""

    book: Book
    seat: int

    def who(self, side: int) -> str:
        return "you" if side == self.seat else side_name(side)

    def is_plural(self, side: int) -> bool:
        """Tell whether a side takes the form of a verb that follows *you*."""
        return side in (self.seat, st.BANDITS)

    def does(self, event: Event, plain: str, third: str, rest: str) -> str:
        """Return a sentence about the side of the event: `plain` is the verb after *you*, `third` after *seat 1*."""
        return f"{self.who(event.seat)} {plain if self.is_plural(event.seat) else third} {rest}."

    def knight(self, side: int, number: int) -> str:
        return f"your Knight {number + 1}" if side == self.seat else knight_name(side, number)

    def tile(self, tile: int) -> str:
        is_own = self.seat != st.NONE and tile == st.CASTLE + self.seat
        return "your Castle" if is_own else tile_name(tile)


Sentences = dict[int, Callable[[Event, _Viewer], str]]
"""The function that makes the sentence of an event, by the kind of the event."""


def _season(event: Event, viewer: _Viewer) -> str:
    return f"season {event.a + 1} begins. The Location of Interest is at {tile_name(event.b)}."


def _ready(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "have", "has", "sent all Knights out")


def _sent(event: Event, viewer: _Viewer) -> str:
    number = knights(event.b)
    if event.a == st.CASTLE + event.seat:
        return viewer.does(event, "keep", "keeps", f"{number} at home")
    return viewer.does(event, "send", "sends", f"{number} to {viewer.tile(event.a)}")


OF_THE_MUSTER: Sentences = {st.SEASON: _season, st.READY: _ready, st.SENT: _sent}


def _battle(event: Event, viewer: _Viewer) -> str:
    return f"there is a battle at {tile_name(event.a)}."


def _cards_down(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "have", "has", "placed two cards")


def _revealed(event: Event, viewer: _Viewer) -> str:
    """Word the two cards that a side turns up, and the Wounds that its Knights take from them."""
    book, which = viewer.book, set_of(event.seat)
    attack, defence = (book.card_name[which][card] for card in (event.a, event.b))
    wound = book.defence[which][event.b][-1]
    units = "Bandit" if which == st.BANDITS_SET else "Knight"
    taking = f", which puts {wound} Wound{'s' if wound > 1 else ''} on each {units}" if wound else ""
    attacks, defends = ("attack", "defend") if viewer.is_plural(event.seat) else ("attacks", "defends")
    return f"{viewer.who(event.seat)} {attacks} with {attack} and {defends} with {defence}{taking}."


def _proposed(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "propose", "proposes", f"an alliance to {viewer.who(event.other)}")


def _proposed_nothing(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "propose", "proposes", "nothing")


def _allied(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "accept", "accepts", _alliance(event, viewer))


def _declined(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "decline", "declines", _alliance(event, viewer))


def _alliance(event: Event, viewer: _Viewer) -> str:
    """Return the alliance that the other side of an event has proposed."""
    whose = "your" if event.other == viewer.seat else f"seat {event.other}'s"
    return f"{whose} alliance"


def _no_turn(event: Event, viewer: _Viewer) -> str:
    nobody = "nobody to strike" if event.a else "nobody left standing"
    return viewer.does(event, "have", "has", f"no battle turn, with {nobody}")


def _aimed(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.knight(event.seat, event.a)} strikes {viewer.knight(event.other, event.b)}."


def _held(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "hold", "holds", f"{knights(event.a)} back")


def _wounded(event: Event, viewer: _Viewer) -> str:
    down = " and is struck down" if event.c else ""
    number = "1 Wound" if event.b == 1 else f"{event.b} Wounds"
    dealt = f" ({event.c} dealt)" if event.c > event.b else ""
    return f"{viewer.knight(event.other, event.a)} takes {number}{dealt}{down}."


def _scored(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "have", "has", "1 point" if event.a == 1 else f"{event.a} points")


def _won(event: Event, viewer: _Viewer) -> str:
    has_ally = event.other != st.NONE
    victors = viewer.who(event.seat) + (f" and {viewer.who(event.other)}" if has_ally else "")
    win = "win" if has_ally or viewer.is_plural(event.seat) else "wins"
    return f"{victors} {win} the battle at {tile_name(event.a)}."


OF_BATTLES: Sentences = {
    st.BATTLE: _battle,
    st.CARDS_DOWN: _cards_down,
    st.REVEALED: _revealed,
    st.PROPOSED: _proposed,
    st.PROPOSED_NOTHING: _proposed_nothing,
    st.ALLIED: _allied,
    st.DECLINED: _declined,
    st.NO_TURN: _no_turn,
    st.AIMED: _aimed,
    st.HELD: _held,
    st.WOUNDED: _wounded,
    st.SCORED: _scored,
    st.WON: _won,
}


def _earned(event: Event, viewer: _Viewer) -> str:
    where = "in" if event.a >= st.CASTLE else "at"
    return viewer.does(event, "earn", "earns", f"{event.b} Resources {where} {viewer.tile(event.a)}")


def _raised(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "raise", "raises", f"{TRACK_NAMES[event.a]} to {event.b}")


def _counted(event: Event, viewer: _Viewer) -> str:
    gain = f"an improvement step for a Bandit defeated at {tile_name(event.a)}"
    return viewer.does(event, "gain", "gains", gain)


def _lost(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "lose", "loses", "an improvement step, for all tracks are at their end")


def _rose(event: Event, viewer: _Viewer) -> str:
    camp = CAMP_NAMES[event.a - st.FIRST_CAMP]
    return f"the Bandits of the {camp} raise {TRACK_NAMES[event.b]} to {event.c}."


OF_REWARDS: Sentences = {
    st.EARNED: _earned,
    st.RAISED: _raised,
    st.COUNTED: _counted,
    st.LOST: _lost,
    st.ROSE: _rose,
}

SENTENCES: Sentences = OF_THE_MUSTER | OF_BATTLES | OF_REWARDS


def _joined(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.who(event.seat)} and {viewer.who(event.other)} are allies"


def _refused(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.who(event.seat)} declined your alliance" if event.other == viewer.seat else ""


def _struck(event: Event, viewer: _Viewer) -> str:
    """Tell of a blow that the viewer's side dealt or took."""
    if viewer.seat not in (event.seat, event.other):
        return ""
    who, whom = viewer.who(event.seat), viewer.knight(event.other, event.a)
    return f"{who} struck down {whom}" if event.c else f"{who} hit {whom} for {event.b}"


def _victory(event: Event, viewer: _Viewer) -> str:
    if event.seat == st.BANDITS:
        return f"the Bandits held {tile_name(event.a)}"
    ally = f" and {viewer.who(event.other)}" if event.other != st.NONE else ""
    return f"{viewer.who(event.seat)}{ally} won at {tile_name(event.a)}"


def _pay(event: Event, viewer: _Viewer) -> str:
    where = "in" if event.a >= st.CASTLE else "at"
    return f"{viewer.who(event.seat)} earned {event.b} {where} {viewer.tile(event.a)}"


def _raise(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.who(event.seat)} raised {TRACK_NAMES[event.a]} to {event.b}"


def _gain(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.who(event.seat)} gained an improvement"


def _loss(event: Event, viewer: _Viewer) -> str:
    return f"{viewer.who(event.seat)} lost an improvement"


def _growth(event: Event, viewer: _Viewer) -> str:
    return f"{tile_name(event.a)} raised {TRACK_NAMES[event.b]} to {event.c}"


RECAPS: Sentences = {
    st.ALLIED: _joined,
    st.DECLINED: _refused,
    st.WOUNDED: _struck,
    st.WON: _victory,
    st.EARNED: _pay,
    st.RAISED: _raise,
    st.COUNTED: _gain,
    st.LOST: _loss,
    st.ROSE: _growth,
}
"""What is worth telling to somebody who looked away, by the kind of the event."""
