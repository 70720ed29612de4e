"""The story of a finished match of Round Table: the Regions with their years, Renown and capacity, and the captures."""

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from quintain.engine import Cell, Course, Curve, GridRow, Tale, Turned, numbers_of
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import remaining
from quintain.games.round_table.effects import renown_of, total
from quintain.games.round_table.narration import ENDS
from quintain.games.round_table.state import Book, State


def story(book: Book, course: Course) -> Tale:
    """Tell which Region was captured when, and with how much remaining Influence. RT-22, RT-24, RT-31, RT-33."""
    ends = [ENDS[told.event.a] for told in course.told if told.event.kind == st.GAME_OVER]
    ended = f"{ends[-1]}." if ends else ""
    return Tale(tuple(_rows(book, course)), _renown_and_capacity(course), tuple(_captures(book, course)), ended)


def _rows(book: Book, course: Course) -> Iterator[GridRow]:
    s, seats = cast(State, course.state(course.last)), course.seats
    for step, _, event in course.told:
        if event.kind == st.REGION_CAPTURED:
            region, year = book.region[event.a], f"year {course.round(step)}"
            cells = tuple(Cell(region.renown, year) if seat == event.seat else Cell() for seat in seats)
            yield GridRow(region.name, cells, "RT-24", f"Resistance {region.resistance}")
    by_rows = [total(book, s, st.RENOWN, 0, seat, st.NONE, st.NONE) for seat in seats]
    if any(by_rows):
        yield GridRow("By cards", numbers_of(by_rows), "RT-33")
    totals = [renown_of(book, s, seat) + more for seat, more in zip(seats, by_rows, strict=True)]
    yield GridRow("Renown", numbers_of(totals), "RT-31", is_total=True)
    yield GridRow("Capacity reached", numbers_of([s.capacity[seat] for seat in seats]), "RT-10")


def _renown_and_capacity(course: Course) -> Curve | None:
    """Return the Renown year by year, with the capacity as a thin line."""
    curve = course.curve()
    if curve is None or curve.over != "year":
        return curve
    states = [cast(State, course.state(step)) for step in (0, *course.ends_of_rounds)]
    thin = tuple(tuple(s.capacity[seat] for s in states) for seat in course.seats)
    return replace(curve, unit="Renown", thin_unit="capacity", thin=thin)


def _captures(book: Book, course: Course) -> Iterator[Turned]:
    """Yield each Autumn with captures: remaining Influence against Resistance. RT-21, RT-22."""
    for step in sorted({told.step for told in course.told if told.event.kind == st.REGION_CAPTURED}):
        s = cast(State, course.state(step))
        taken = [_taken(book, s, place) for place in range(st.OPEN_REGIONS) if s.judged_captor[place] != st.NONE]
        yield Turned(step, None, f"Year {s.year}: {'; '.join(taken)}.")


def _taken(book: Book, s: State, place: int) -> str:
    captor, region = s.judged_captor[place], book.region[s.region[s.judged[place]]]
    left = remaining(book, s, place, captor)
    return f"seat {captor} captures {region.name} with {left} against {region.resistance}"
