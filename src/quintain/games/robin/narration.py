"""Robin in the Hood: puts events into words for the log of a match."""

from quintain.engine import UNKNOWN, Event
from quintain.games.robin import state as st
from quintain.games.robin.state import Book
from quintain.games.robin.words import STAGES, card_name

OF_CARDS = (st.STAKED, st.DREW, st.CHOSE, st.PLAYED, st.REPLACED, st.REMOVED, st.ANTE_SHOWN, st.ANTE_GAINED)


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return the line of the log for an event, as one viewer reads it (-1: a spectator); empty for a rival's draw."""
    if event.kind in range(st.COMPARED, st.COMPARED + st.STAGES):
        return _comparison(book, event, viewer)
    return _with_card(book, event, viewer) if event.kind in OF_CARDS else _plain(event, viewer)


def _with_card(book: Book, event: Event, viewer: int) -> str:
    """Word an event with a card, which some viewers may not know."""
    card = "" if event.a == UNKNOWN else card_name(book, event.a)
    match event.kind:
        case st.STAKED:
            return _does(event, viewer, "stake", "stakes", card or "a card in secret")
        case st.DREW:
            return f"You draw {card}." if event.seat == viewer else ""
        case st.CHOSE:
            return _does(event, viewer, "have", "has", f"chosen {card or 'a card in secret'}")
        case st.PLAYED:
            return _does(event, viewer, "play", "plays", card)
        case st.REPLACED:
            return f"It replaces {card}."
        case st.REMOVED:
            return f"It removes {_whose(event.other, viewer)} {card}."
        case st.ANTE_SHOWN:
            return f"{'Your' if event.seat == viewer else _whose(event.seat, viewer)} stake was {card}."
    return _does(event, viewer, "gain", "gains", card)


def _plain(event: Event, viewer: int) -> str:
    """Word an event of sets, rounds or the tournament."""
    match event.kind:
        case st.KEPT_SET:
            return _does(event, viewer, "keep", "keeps", "the active set")
        case st.NEW_SET:
            return _does(event, viewer, "have", "has", "a new active set")
        case st.ROUND_BEGINS:
            return f"Round {event.a} begins."
        case st.UNOPPOSED if event.seat == st.NONE:
            return "Nobody fields a character: nobody wins Agility."
        case st.UNOPPOSED:
            return _does(event, viewer, "win", "wins", "Agility unopposed")
        case st.ROUND_WON:
            wins = "win" if event.seat == viewer else "wins"
            return _does(event, viewer, "have", "has", f"all four stages and {wins} the round")
        case st.ROUND_DRAWN:
            why = "both have all four stages" if event.a == st.BOTH_FULL else "a draw pile is empty"
            return f"The round is drawn: {why}."
        case st.TOURNAMENT_WON:
            return _does(event, viewer, "win", "wins", "the tournament. Huzzah!").removesuffix(".")
    return "The tournament is drawn."


def _does(event: Event, viewer: int, plain: str, third: str, rest: str) -> str:
    return (f"You {plain}" if event.seat == viewer else f"seat {event.seat} {third}") + f" {rest}."


def _whose(seat: int, viewer: int) -> str:
    return "your" if seat == viewer else f"seat {seat}'s"


def _comparison(book: Book, event: Event, viewer: int) -> str:
    """Word the comparison of a stage: both cards with their levels, and the winner first."""
    stage = STAGES[event.kind - st.COMPARED]
    sides = [(event.c, event.a, 0), (event.d, event.b, 1)]
    cards = [f"{_whose(seat, viewer)} {card_name(book, card)} ({level})" for level, card, seat in sides]
    if event.c == event.d:
        return f"{stage}: {cards[0]} and {cards[1]} are equal, and neither falls."
    first, second = cards if event.c > event.d else cards[::-1]
    return f"{stage}: {first} beats {second}."
