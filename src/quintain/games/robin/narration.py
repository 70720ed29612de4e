"""Robin in the Hood: puts events into words for the log of a match."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import UNKNOWN, Event
from quintain.games.robin import state as st
from quintain.games.robin.state import Book
from quintain.games.robin.words import STAGES, card_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the line of the log for an event, as one viewer reads it (-1: a spectator); empty for a rival's draw."""
    return SENTENCES[event.kind](event, _Viewer(book, viewer))


class _Viewer(NamedTuple):
    """Whoever reads a line, with the words in which this viewer reads of seats and cards."""

    book: Book
    seat: int

    def does(self, event: Event, plain: str, third: str, rest: str) -> str:
        """Return a sentence about the seat of the event: `plain` is the verb after *You*, `third` after *seat 1*."""
        return (f"You {plain}" if event.seat == self.seat else f"seat {event.seat} {third}") + f" {rest}."

    def whose(self, seat: int) -> str:
        return "your" if seat == self.seat else f"seat {seat}'s"

    def card(self, event: Event, unknown: str = "") -> str:
        """Return the name of the card of an event, or `unknown` if the viewer does not know it."""
        return unknown if event.a == UNKNOWN else card_name(self.book, event.a)


Sentences = dict[int, Callable[[Event, _Viewer], str]]
"""The function that makes the sentence of an event, by the kind of the event."""


def _staked(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "stake", "stakes", viewer.card(event, "a card in secret"))


def _ante_shown(event: Event, viewer: _Viewer) -> str:
    whose = "Your" if event.seat == viewer.seat else viewer.whose(event.seat)
    return f"{whose} stake was {viewer.card(event)}."


def _ante_gained(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "gain", "gains", viewer.card(event))


OF_THE_STAKES: Sentences = {st.STAKED: _staked, st.ANTE_SHOWN: _ante_shown, st.ANTE_GAINED: _ante_gained}


def _kept_set(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "keep", "keeps", "the active set")


def _new_set(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "have", "has", "a new active set")


OF_SETS: Sentences = {st.KEPT_SET: _kept_set, st.NEW_SET: _new_set}


def _drew(event: Event, viewer: _Viewer) -> str:
    return f"You draw {viewer.card(event)}." if event.seat == viewer.seat else ""


def _chose(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "have", "has", f"chosen {viewer.card(event, 'a card in secret')}")


def _played(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "play", "plays", viewer.card(event))


def _replaced(event: Event, viewer: _Viewer) -> str:
    return f"It replaces {viewer.card(event)}."


def _removed(event: Event, viewer: _Viewer) -> str:
    return f"It removes {viewer.whose(event.other)} {viewer.card(event)}."


def _compared(event: Event, viewer: _Viewer) -> str:
    """Word the comparison of a stage: both cards with their levels, and the winner first."""
    stage = STAGES[event.kind - st.COMPARED]
    sides = [(event.c, event.a, 0), (event.d, event.b, 1)]
    cards = [f"{viewer.whose(seat)} {card_name(viewer.book, card)} ({level})" for level, card, seat in sides]
    if event.c == event.d:
        return f"{stage}: {cards[0]} and {cards[1]} are equal, and neither falls."
    first, second = cards if event.c > event.d else cards[::-1]
    return f"{stage}: {first} beats {second}."


def _unopposed(event: Event, viewer: _Viewer) -> str:
    if event.seat == st.NONE:
        return "Nobody fields a character: nobody wins Agility."
    return viewer.does(event, "win", "wins", "Agility unopposed")


OF_HANDS: Sentences = {
    st.DREW: _drew,
    st.CHOSE: _chose,
    st.PLAYED: _played,
    st.REPLACED: _replaced,
    st.REMOVED: _removed,
    **dict.fromkeys(range(st.COMPARED, st.COMPARED + st.STAGES), _compared),
    st.UNOPPOSED: _unopposed,
}


def _round_begins(event: Event, viewer: _Viewer) -> str:
    return f"Round {event.a} begins."


def _round_won(event: Event, viewer: _Viewer) -> str:
    wins = "win" if event.seat == viewer.seat else "wins"
    return viewer.does(event, "have", "has", f"all four stages and {wins} the round")


def _round_drawn(event: Event, viewer: _Viewer) -> str:
    why = "both have all four stages" if event.a == st.BOTH_FULL else "a draw pile is empty"
    return f"The round is drawn: {why}."


def _tournament_won(event: Event, viewer: _Viewer) -> str:
    return viewer.does(event, "win", "wins", "the tournament. Huzzah!").removesuffix(".")


def _tournament_drawn(event: Event, viewer: _Viewer) -> str:
    return "The tournament is drawn."


OF_ROUNDS: Sentences = {
    st.ROUND_BEGINS: _round_begins,
    st.ROUND_WON: _round_won,
    st.ROUND_DRAWN: _round_drawn,
    st.TOURNAMENT_WON: _tournament_won,
    st.TOURNAMENT_DRAWN: _tournament_drawn,
}

SENTENCES: Sentences = OF_THE_STAKES | OF_SETS | OF_HANDS | OF_ROUNDS
