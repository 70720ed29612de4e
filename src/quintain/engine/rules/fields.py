"""The declaration of a field: how many numbers it holds, their range, and what they mean.

`state` makes classes of such fields, and `observation` shows them to learners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

UNKNOWN = -(2**15)
"""The number that `blind` writes over a value that a seat may not know; it is outside the range of every field."""
FORMATS = {16: "h", 32: "i", 64: "q"}
"""The letter of the `struct` module for a value, by its number of bits."""
MEANINGS = ("number", "kind", "bag", "bits", "seat", "seats")
"""What the values of a field may mean: see `Field`."""


@dataclass(frozen=True)
class Field:
    """One declared field: its shape, the bits of each value, its range (checked in tests), and what its values mean.

    `bits` is 16, 32 or 64; values are signed. `low` and `high` bound the values, apart from UNKNOWN. A `text` field
    holds a string, and the compiled record leaves it out. With `values` "card" the values are numbers of cards in the
    game's collection, -1 is no card, and the first index is the seat: positions then show the names of the cards.

    The rest says what learners see of the field (see `observation`). `seats` holds pairs of an axis that counts seats
    and the place of seat 0 on it. `means` says what a value is:

    - "number": an amount;
    - "kind": one of several kinds of things, in no order;
    - "bag": part of an innermost list whose order means nothing: -1 is an empty place;
    - "bits": a set of flags;
    - "seat": a seat, if it is not negative and less than the number of seats; any other value is a kind of its own;
    - "seats": a bit for each seat, perhaps with other flags after those of the most seats.

    `seat_at` holds pairs of the first value that names a seat and how many values each seat has from there on. `usual`
    is a high value for a usual game, for numbers whose `high` is far away; above a million, let it be a power of two,
    which keeps all numbers apart in float32. A `secret` field may be UNKNOWN to some seat.
    """

    shape: tuple[int, ...]
    bits: int
    low: int
    high: int
    text: bool
    values: str
    seats: tuple[tuple[int, int], ...]
    means: str
    seat_at: tuple[tuple[int, int], ...]
    usual: int
    secret: bool


def field(
    *shape: int,
    bits: int = 16,
    low: int | None = None,
    high: int | None = None,
    text: bool = False,
    values: str = "",
    seats: int | Mapping[int, int] | None = None,
    means: str = "number",
    seat_at: Sequence[tuple[int, int]] = (),
    usual: int = 0,
    secret: bool = False,
) -> Any:
    """Declare a field of a `Record`, as `Field` describes it: one value, or nested lists of the given shape.

    The innermost type of the annotation may be another `Record`. By default `low` and `high` allow everything from
    UNKNOWN + 1 on that fits. `seats` is the axis that counts seats; where seat 0 does not come first on it, or where
    several axes count seats, it maps each such axis to the place of seat 0. Give `seat_at` where seats do not begin at
    0, or where a value says more than the seat.
    """
    if bits not in FORMATS:
        raise TypeError(f"a field has 16, 32 or 64 bits, not {bits}")
    low = UNKNOWN + 1 if low is None else low
    high = 2 ** (bits - 1) - 1 if high is None else high
    axes = tuple(sorted(({seats: 0} if isinstance(seats, int) else dict(seats or {})).items()))
    if isinstance(seats, bool) or any(not 0 <= axis < len(shape) or place < 0 for axis, place in axes):
        raise TypeError(f"seats names the axes 0 to {len(shape) - 1} of this field and places from 0 on, not {seats}")
    named = tuple(seat_at) or (((0, 1),) if means == "seat" else ())
    made = Field(shape, bits, low, high, text, values, axes, means, named, usual, secret)
    _check(made)
    return made


def _check(made: Field) -> None:
    """Raise TypeError if the range of a field does not fit its bits or what its values mean."""
    least, most = UNKNOWN + 1, 2 ** (made.bits - 1) - 1
    if not least <= made.low <= made.high <= most:
        raise TypeError(
            f"a field of {made.bits} bits ranges within {least} and {most}, not from {made.low} to {made.high}"
        )
    if made.means not in MEANINGS:
        raise TypeError(f"the values of a field mean one of {', '.join(MEANINGS)}, not {made.means!r}")
    if made.means == "bag" and (not made.shape or made.low < -1):
        raise TypeError("a bag is a list, and its values are -1 or more")
    if made.means in ("bits", "seats") and made.low < 0:
        raise TypeError("bits are not negative")
