"""The story of a finished game of Rune War: the war score, the defences turn by turn, and the battles that counted."""

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from quintain.engine import Cell, Course, Curve, GridRow, Tale, Turned, numbers_of
from quintain.games.rune_war import points
from quintain.games.rune_war import state as st
from quintain.games.rune_war import turns as t
from quintain.games.rune_war.narration import cards
from quintain.games.rune_war.state import Book, State


def story(book: Book, course: Course) -> Tale:
    """Tell how the war score came about, how the defences grew and fell, and each battle with its two sums. RW-15."""
    s = cast(State, course.state(course.last))
    return Tale(tuple(_rows(s, course)), _defences(course), tuple(_battles(course)), _end(book, s, course))


def _end(book: Book, s: State, course: Course) -> str:
    """Return why the war ended. RW-14, RW-15."""
    if any(told.event.kind == st.WON for told in course.told):
        return "Nobody else has a card left in defence."
    still = [seat for seat in course.seats if s.out[seat] == 0]
    if all(s.turns[seat] >= st.MOST_TURNS for seat in still):
        why = f"{st.MOST_TURNS} turns are over"
    elif all(s.quiet[seat] >= st.QUIET_TURNS for seat in still):
        why = f"no battle destroyed a card for {st.QUIET_TURNS} turns"
    else:
        why = "no card is left to draw or to play"
    return f"{why}: the war ends in a truce."


def _rows(s: State, course: Course) -> Iterator[GridRow]:
    seats, left = course.seats, s.defence_size
    yield GridRow("Cards left", numbers_of([left[seat] for seat in seats]), "RW-15", "1 each")
    counted = (2 * min(s.destroyed[seat], left[seat]) for seat in seats)
    cells = tuple(Cell(number, f"{s.destroyed[seat]} destroyed") for seat, number in zip(seats, counted, strict=True))
    yield GridRow("Cards destroyed", cells, "RW-15", "2 each, for as many as are left")
    yield GridRow("War score", numbers_of([t.score(s, seat) for seat in seats]), "RW-15", is_total=True)
    strength = [points.defence_points(s, seat) for seat in seats]
    yield GridRow("Points of the defence", numbers_of(strength), "RW-15", is_tie_break=True)
    if out := {told.event.seat: told for told in course.told if told.event.kind == st.OUT}:
        when = tuple(Cell(None, f"turn {course.round(out[seat].step - 1)}" if seat in out else "") for seat in seats)
        yield GridRow("Out of the war", when, "RW-14")


def _defences(course: Course) -> Curve | None:
    """Return the cards in each defence at the end of each turn; None if no second turn was begun."""
    curve = course.curve()
    if curve is None or curve.over != "turn":
        return None
    sizes = [cast(State, course.state(step)).defence_size for step in (0, *course.ends_of_rounds)]
    by_seat = tuple(tuple(size[seat] for size in sizes) for seat in course.seats)
    return replace(curve, unit="cards in defence", by_seat=by_seat, is_score=False)


def _battles(course: Course) -> Iterator[Turned]:
    """Yield the battles, each with its two sums; the course knows what they were worth. RW-10, RW-12."""
    destroyed = {told.step: told.event.a for told in course.told if told.event.kind == st.DESTROYED}
    for step, _, event in course.told:
        if event.kind == st.COUNTED:
            turn, fell = course.round(step - 1), destroyed.get(step, 0)
            who, whom = f"seat {event.seat}", f"seat {event.other}"
            how = f"beats {whom} {event.a} to {event.b}" if event.c else f"fails against {whom}, {event.a} to {event.b}"
            end = f" and destroys {cards(fell)}" if fell else ""
            yield Turned(step, event.seat, f"Turn {turn}: {who} {how}{end}.")
