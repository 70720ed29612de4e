"""Turns the seats of a state or a book by its declarations: a seat becomes seat 0, the next one seat 1, and so on.

The checks in `observations` use it. They hold the declarations true, since the rules must treat the turned game as they
treat the game itself.
"""

from __future__ import annotations

from typing import Any, TypeVar

from quintain.engine.rules.fields import UNKNOWN, Field
from quintain.engine.rules.state import Record

R = TypeVar("R", bound=Record)


def turned(record: R, seats: int, seat: int) -> R:
    """Return a copy of a record of a game with so many seats, in which `seat` has become seat 0."""
    copy = record.copy()
    for name, declared in record.fields.items():
        setattr(copy, name, _turned(getattr(record, name), declared, seats, seat, 0))
    return copy


def turned_bits(bits: int, seats: int, seat: int) -> int:
    """Return bits of seats after turning; bits after those of the seats stay."""
    rest = bits >> seats << seats
    return rest | sum((bits >> (other + seat) % seats & 1) << other for other in range(seats))


def _turned(value: Any, declared: Field, seats: int, seat: int, axis: int) -> Any:
    """Turn one value of a field, or a list of them, whose indices count along an axis."""
    if axis < len(declared.shape):
        items = [_turned(item, declared, seats, seat, axis + 1) for item in value]
        for first in (first for counted, first in declared.seats if counted == axis):
            items[first : first + seats] = items[first + seat : first + seats] + items[first : first + seat]
        return items
    if isinstance(value, Record):
        return turned(value, seats, seat)
    return value if value == UNKNOWN or isinstance(value, str) else _turned_number(value, declared, seats, seat)


def _turned_number(value: int, declared: Field, seats: int, seat: int) -> int:
    if declared.means == "seats":
        return turned_bits(value, seats, seat)
    for first, each in declared.seat_at:
        other, rest = divmod(value - first, each)
        if 0 <= other < seats:
            return first + (other - seat) % seats * each + rest
    return value
