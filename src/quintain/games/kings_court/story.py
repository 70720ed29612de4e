"""The story of a finished game of King's Court: where the points came from, house by house, and how ties are broken."""

from collections.abc import Iterator

from quintain.engine.course import Course
from quintain.engine.story import Cell, GridRow, Tale, numbers_of
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.account import TIE_BREAK_NAMES
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import HOUSE_NAMES, signed


def story(book: Book, course: Course) -> Tale:
    """Tell what each house counted for whom, and who lost one for want of favour. KC-15, KC-16, KC-17, KC-19."""
    s = course.state(course.last)
    assert isinstance(s, State)
    return Tale(tuple(_rows(s)))


def _rows(s: State) -> Iterator[GridRow]:
    seats = range(st.SEATS)
    for house in range(st.HOUSES):
        cells = tuple(_cell(s, seat, house) for seat in seats)
        is_lost = r.favour(s, 0, house) != r.favour(s, 1, house)
        yield GridRow(HOUSE_NAMES[house], cells, "KC-17" if is_lost else "KC-16")
    totals = [sum(r.house_score(s, seat, house) for house in range(st.HOUSES)) for seat in seats]
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
