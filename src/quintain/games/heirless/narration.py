"""Heirless battles: puts events into words for the log of a match."""

from quintain.engine import Event, capital
from quintain.games.heirless import state as st
from quintain.games.heirless.battlecards import set_of
from quintain.games.heirless.state import Book
from quintain.games.heirless.words import CAMP_NAMES, TRACK_NAMES, knight_name, knights, side_name, tile_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the line of the log for an event, as one viewer reads it; -1 is a spectator."""
    words_for = _EventWords(book, event, viewer)
    line = words_for.of_battles() if st.BATTLE <= event.kind <= st.WON else words_for.of_seasons()
    return capital(line)


class _EventWords:
    """Words one event for one viewer."""

    def __init__(self, book: Book, event: Event, viewer: int):
        self.book, self.event, self.viewer = book, event, viewer

    def who(self, side: int) -> str:
        return "you" if side == self.viewer else side_name(side)

    def does(self, plain: str, third: str, rest: str) -> str:
        """Return a sentence about the side of the event: `plain` is the verb after *you*, `third` after *seat 1*."""
        verb = plain if self.event.seat in (self.viewer, st.BANDITS) else third
        return f"{self.who(self.event.seat)} {verb} {rest}."

    def knight(self, side: int, number: int) -> str:
        return f"your Knight {number + 1}" if side == self.viewer else knight_name(side, number)

    def tile(self, tile: int) -> str:
        return "your Castle" if tile == st.CASTLE + self.viewer else tile_name(tile)

    def of_seasons(self) -> str:
        """Word an event of the muster, of the rewards or of the clean-up."""
        event, does = self.event, self.does
        if event.kind == st.SEASON:
            return f"season {event.a + 1} begins. The Location of Interest is at {tile_name(event.b)}."
        if event.kind == st.READY:
            return does("have", "has", "sent all Knights out")
        if event.kind == st.SENT:
            at_home = event.a == st.CASTLE + event.seat
            number = knights(event.b)
            if at_home:
                return does("keep", "keeps", f"{number} at home")
            return does("send", "sends", f"{number} to {self.tile(event.a)}")
        if event.kind == st.EARNED:
            where = "in" if event.a >= st.CASTLE else "at"
            return does("earn", "earns", f"{event.b} Resources {where} {self.tile(event.a)}")
        if event.kind == st.RAISED:
            return does("raise", "raises", f"{TRACK_NAMES[event.a]} to {event.b}")
        if event.kind == st.COUNTED:
            return does("gain", "gains", f"an improvement step for a Bandit defeated at {tile_name(event.a)}")
        if event.kind == st.LOST:
            return does("lose", "loses", "an improvement step, for all tracks are at their end")
        camp = CAMP_NAMES[event.a - st.FIRST_CAMP]
        return f"the Bandits of the {camp} raise {TRACK_NAMES[event.b]} to {event.c}."

    def of_battles(self) -> str:
        """Word an event of a battle, from its beginning to its victor."""
        event, does = self.event, self.does
        if event.kind == st.BATTLE:
            return f"there is a battle at {tile_name(event.a)}."
        if event.kind == st.CARDS_DOWN:
            return does("have", "has", "placed two cards")
        if event.kind == st.REVEALED:
            return self.revealed()
        if event.kind == st.PROPOSED:
            return does("propose", "proposes", f"an alliance to {self.who(event.other)}")
        if event.kind == st.PROPOSED_NOTHING:
            return does("propose", "proposes", "nothing")
        if event.kind in (st.ALLIED, st.DECLINED):
            whose = "your" if event.other == self.viewer else f"seat {event.other}'s"
            verb = "accept" if event.kind == st.ALLIED else "decline"
            return does(verb, f"{verb}s", f"{whose} alliance")
        if event.kind == st.NO_TURN:
            return does("have", "has", f"no battle turn, with nobody {'to strike' if event.a else 'left standing'}")
        if event.kind == st.AIMED:
            return f"{self.knight(event.seat, event.a)} strikes {self.knight(event.other, event.b)}."
        if event.kind == st.HELD:
            return does("hold", "holds", f"{knights(event.a)} back")
        if event.kind == st.WOUNDED:
            down = " and is struck down" if event.c else ""
            number = "1 Wound" if event.b == 1 else f"{event.b} Wounds"
            dealt = f" ({event.c} dealt)" if event.c > event.b else ""
            return f"{self.knight(event.other, event.a)} takes {number}{dealt}{down}."
        if event.kind == st.SCORED:
            return does("have", "has", "1 point" if event.a == 1 else f"{event.a} points")
        victors = self.who(event.seat) + (f" and {self.who(event.other)}" if event.other != st.NONE else "")
        plural = event.other != st.NONE or event.seat in (self.viewer, st.BANDITS)
        return f"{victors} {'win' if plural else 'wins'} the battle at {tile_name(event.a)}."

    def revealed(self) -> str:
        """Word the two cards that a side turns up, and the Wounds that its Knights take from them."""
        event, which = self.event, set_of(self.event.seat)
        attack, defence = (self.book.card_name[which][card] for card in (event.a, event.b))
        wound = self.book.defence[which][event.b][-1]
        units = "Bandit" if which == st.BANDITS_SET else "Knight"
        taking = f", which puts {wound} Wound{'s' if wound > 1 else ''} on each {units}" if wound else ""
        verbs = ("attack", "defend") if event.seat in (self.viewer, st.BANDITS) else ("attacks", "defends")
        return f"{self.who(event.seat)} {verbs[0]} with {attack} and {verbs[1]} with {defence}{taking}."
