"""Robin in the Hood: what happened, in words."""

from quintain.engine.state import UNKNOWN, Event
from quintain.games.robin import state as st
from quintain.games.robin.state import Book
from quintain.games.robin.words import STAGES, card_name


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Say one event as a viewer (-1: a spectator) may know it; empty for another's draw."""

    def does(plain: str, third: str, rest: str) -> str:
        return (f"You {plain}" if event.seat == viewer else f"seat {event.seat} {third}") + f" {rest}."

    card = "" if event.a == UNKNOWN else card_name(book, event.a) if event.kind in OF_CARDS else ""
    whose = "your" if event.seat == viewer else f"seat {event.seat}'s"
    if event.kind in range(st.COMPARED, st.COMPARED + st.STAGES):
        return _comparison(book, event, viewer)
    match event.kind:
        case st.STAKED:
            return does("stake", "stakes", card or "a card in secret")
        case st.KEPT_SET:
            return does("keep", "keeps", "the active set")
        case st.NEW_SET:
            return does("have", "has", "a new active set")
        case st.ROUND_BEGINS:
            return f"Round {event.a} begins."
        case st.DREW:
            return f"You draw {card}." if event.seat == viewer else ""
        case st.CHOSE:
            return does("have", "has", f"chosen {card or 'a card in secret'}")
        case st.PLAYED:
            return does("play", "plays", card)
        case st.REPLACED:
            return f"It replaces {card}."
        case st.REMOVED:
            whose = "your" if event.other == viewer else f"seat {event.other}'s"
            return f"It removes {whose} {card}."
        case st.UNOPPOSED:
            if event.seat == st.NONE:
                return "Nobody fields a character: nobody wins Agility."
            return does("win", "wins", "Agility unopposed")
        case st.ROUND_WON:
            return does("have", "has", f"all four stages and win{'' if event.seat == viewer else 's'} the round")
        case st.ROUND_DRAWN:
            both = "both have all four stages" if event.a == st.BOTH_FULL else "a draw pile is empty"
            return f"The round is drawn: {both}."
        case st.TOURNAMENT_WON:
            return does("win", "wins", "the tournament. Huzzah!").removesuffix(".")
        case st.TOURNAMENT_DRAWN:
            return "The tournament is drawn."
        case st.ANTE_SHOWN:
            return f"{whose[0].upper() + whose[1:] if event.seat == viewer else whose} stake was {card}."
    return does("gain", "gains", card)


OF_CARDS = (st.STAKED, st.DREW, st.CHOSE, st.PLAYED, st.REPLACED, st.REMOVED, st.ANTE_SHOWN, st.ANTE_GAINED)


def _comparison(book: Book, event: Event, viewer: int) -> str:
    """Say who beat whom in a stage, and at which levels."""
    stage = STAGES[event.kind - st.COMPARED]
    sides = [(event.c, event.a, 0), (event.d, event.b, 1)]
    told = [
        f"{'your' if seat == viewer else f'seat {seat}' + chr(39) + 's'} {card_name(book, card)} ({level})"
        for level, card, seat in sides
    ]
    if event.c == event.d:
        return f"{stage}: {told[0]} and {told[1]} are equal, and both stay."
    first, second = told if event.c > event.d else told[::-1]
    return f"{stage}: {first} beats {second}."
