"""Robin in the Hood: puts events into words for the log of a match."""

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine import UNKNOWN, Event, Recap, capital
from quintain.games.robin import state as st
from quintain.games.robin.state import Book
from quintain.games.robin.words import STAGES, card_name, card_short


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

    def recaps(self, event: Event, rest: str, is_result: bool = True) -> Recap:
        """Return a recap that begins with the seat of the event."""
        return Recap(f"{'You' if event.seat == self.seat else f'seat {event.seat}'} {rest}", is_result)

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


def recap(book: Book, event: Event, viewer: int) -> Recap:
    """Return what an event means to somebody who looked away: what others did, and who won and lost what."""
    found = RECAPS.get(event.kind)
    return found(event, _Viewer(book, viewer)) if found else Recap("")


def _stake_recapped(event: Event, viewer: _Viewer) -> Recap:
    return viewer.recaps(event, f"staked {viewer.card(event)}")


def _gain_recapped(event: Event, viewer: _Viewer) -> Recap:
    return viewer.recaps(event, f"gained {viewer.card(event)}")


def _set_recapped(event: Event, viewer: _Viewer) -> Recap:
    if event.seat == viewer.seat:
        return Recap("")
    return viewer.recaps(event, f"{'kept the' if event.kind == st.KEPT_SET else 'has a new'} active set", False)


def _draw_recapped(event: Event, viewer: _Viewer) -> Recap:
    return viewer.recaps(event, f"drew {viewer.card(event)}") if event.seat == viewer.seat else Recap("")


def _play_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap("") if event.seat == viewer.seat else viewer.recaps(event, f"played {viewer.card(event)}", False)


def _replacement_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap(f"{capital(viewer.whose(event.seat))} {viewer.card(event)} was replaced")


def _removal_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap(f"{capital(viewer.whose(event.other))} {viewer.card(event)} was removed", True)


def _comparison_recapped(event: Event, viewer: _Viewer) -> Recap:
    """Say who beat whom; nothing of a draw, after which both stay. Only the viewer's card needs its owner."""
    if event.c == event.d:
        return Recap("")
    cards = [(card_short(viewer.book, card), seat) for seat, card in enumerate((event.a, event.b))]
    (winner, owner), (loser, _) = cards if event.c > event.d else cards[::-1]
    if owner == viewer.seat:
        return Recap(f"Your {winner} beat {loser}", True)
    return Recap(f"{winner} beat {'' if viewer.seat == st.NONE else 'your '}{loser}", True)


def _unopposed_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap("") if event.seat == st.NONE else viewer.recaps(event, "won Agility unopposed")


def _round_recapped(event: Event, viewer: _Viewer) -> Recap:
    return viewer.recaps(event, "won the round")


def _drawn_round_recapped(event: Event, viewer: _Viewer) -> Recap:
    return Recap("The round was drawn", True)


RECAPS: dict[int, Callable[[Event, _Viewer], Recap]] = {
    st.ANTE_SHOWN: _stake_recapped,
    st.ANTE_GAINED: _gain_recapped,
    st.KEPT_SET: _set_recapped,
    st.NEW_SET: _set_recapped,
    st.DREW: _draw_recapped,
    st.PLAYED: _play_recapped,
    st.REPLACED: _replacement_recapped,
    st.REMOVED: _removal_recapped,
    **dict.fromkeys(range(st.COMPARED, st.COMPARED + st.STAGES), _comparison_recapped),
    st.UNOPPOSED: _unopposed_recapped,
    st.ROUND_WON: _round_recapped,
    st.ROUND_DRAWN: _drawn_round_recapped,
}
"""The function that says what an event means to somebody who looked away, by the kind of the event."""
