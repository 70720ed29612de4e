"""The story of a finished game of King's Court: the points house by house, and the turns that moved them most."""

from collections.abc import Iterator
from typing import cast

from quintain.engine import Cell, Course, GridRow, Tale, Turned, numbers_of
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.account import TIE_BREAK_NAMES
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import HOUSE_NAMES, card_name, signed


def story(book: Book, course: Course) -> Tale:
    """Tell what each house counted for whom, and who lost one for want of favour. KC-15, KC-16, KC-17, KC-19."""
    return Tale(tuple(_rows(book, cast(State, course.state(course.last)))), turned=tuple(_turns(book, course)))


def _rows(book: Book, s: State) -> Iterator[GridRow]:
    seats = range(st.SEATS)
    for house in range(book.houses):
        cells = tuple(_cell(s, seat, house) for seat in seats)
        is_lost = r.favour(s, 0, house) != r.favour(s, 1, house)
        yield GridRow(HOUSE_NAMES[house], cells, "KC-17" if is_lost else "KC-16")
    totals = [sum(r.house_score(s, seat, house) for house in range(book.houses)) for seat in seats]
    yield GridRow("Total", numbers_of(totals), "KC-19", is_total=True)
    for tie_break, words in enumerate(TIE_BREAK_NAMES):
        values = [r.tie_break_value(s, seat, tie_break) for seat in seats]
        yield GridRow(words, numbers_of(values), "KC-19", is_tie_break=True)


def _cell(s: State, seat: int, house: int) -> Cell:
    """Return what a house counts for a seat, with what made it up; a house may be lost by a few ranks. KC-17."""
    favour, other = r.favour(s, seat, house), r.favour(s, 1 - seat, house)
    parts = [f"Influence {s.influence[seat][house]}"]
    if r.majority(s, house) == seat:
        parts.append(f"counters {signed(r.majority_bonus(s, house))}")
    lack = other - favour
    parts.append(f"lost by {lack} {'rank' if lack == 1 else 'ranks'}" if lack > 0 else f"ranks {favour}")
    return Cell(r.house_score(s, seat, house), ", ".join(parts))


def _turns(book: Book, course: Course) -> Iterator[Turned]:
    """Yield each turn, from the card played to the card given, with the house in which it moved most. KC-7."""
    since, played = 0, ""
    for step, _, event in course.told:
        if event.kind == st.CARD_PLAYED:
            since, played = step - 1, f"seat {event.seat} plays {card_name(event.a)}"
        gives = f" and gives {card_name(event.a)}" if event.kind == st.CARD_GIVEN else ""
        if gives or (played and step == course.last and event.kind == st.GAME_OVER):
            turn, moved = course.round(since), _moved(book, course, since, step)
            yield Turned(step, event.seat, f"Turn {turn}: {played}{gives}{moved}.", since=since)


def _moved(book: Book, course: Course, since: int, step: int) -> str:
    """Return the house in which the scores moved most between two steps, with the scores before and after."""
    before, after = (cast(State, course.state(number)) for number in (since, step))
    houses = range(book.houses)
    scores = [[(r.house_score(s, 0, house), r.house_score(s, 1, house)) for s in (before, after)] for house in houses]
    moves = [abs((then[0] - then[1]) - (first[0] - first[1])) for first, then in scores]
    most = moves.index(max(moves))
    if not moves[most]:
        return ""
    first, then = (f"{mine} : {theirs}" for mine, theirs in scores[most])
    return f"; in {HOUSE_NAMES[most]} the scores go from {first} to {then}"
