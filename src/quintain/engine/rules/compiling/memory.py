"""The memory that compiled rules work on, without numpy: records and arrays of ctypes.

They can be read and written like plain states and lists, so interpreted rules can work on them, too. Assigning a record
to a place of an array copies it, as in a `Pool`.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from functools import cache
from typing import Any, Self

from quintain.engine.rules.state import Record, placed, size_of

NUMBERS: dict[str, Any] = {
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
"""The kinds of numbers, by the names that numpy gives them."""
PADDING = "_padding"
"""The field that fills a record up to a multiple of 8 bytes."""


class MemoryRecord(ctypes.Structure):
    """A record in memory. Its fields are those of a class of plain objects: see `declared_by`."""

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self).from_buffer_copy(self)


@cache
def memory_record(kind: type[Record]) -> type[MemoryRecord]:
    """Return the class of the records in memory for a class of plain ones; their bytes are those of `pack`."""
    fields, end = [], 0
    for name, offset, declared, part in placed(kind):
        item = memory_record(part) if part else NUMBERS[f"int{declared.bits}"]
        fields.append((name, array_of(item, declared.shape)))
        end = offset + ctypes.sizeof(fields[-1][1])
    fields.append((PADDING, ctypes.c_int8 * (size_of(kind) - end)))
    made = type(kind.__name__, (MemoryRecord,), {"_fields_": fields})
    _declared[made] = kind
    assert all(getattr(made, name).offset == offset for name, offset, *_ in placed(kind)), kind
    assert ctypes.sizeof(made) == size_of(kind), kind
    return made


def declared_by(kind: type[MemoryRecord]) -> type[Record]:
    """Return the class of plain objects with the fields of a class of records in memory."""
    return _declared[kind]


_declared: dict[type[MemoryRecord], type[Record]] = {}
"""These classes. As an attribute, a field of that name would hide it."""


def array_of(item: Any, shape: Sequence[int]) -> Any:
    """Return the ctypes type of an array of this shape; the type of an item itself if it has no axes."""
    for length in reversed(shape):
        item = item * length
    return item


def in_memory(plain: Record) -> Any:
    """Return a plain record as one in memory."""
    return memory_record(type(plain)).from_buffer_copy(plain.pack())


def records(kind: type[Record], count: int) -> Any:
    """Return an array of records of zeros."""
    return (memory_record(kind) * count)()


def number_in(array: Any, place: int, name: str) -> Any:
    """Return a field of the record at a place of an array, a single number, as an array of one that shares its memory.

    >>> from quintain.engine.rules.state import Event
    >>> events = records(Event, 2)
    >>> kind = number_in(events, 1, "kind")
    >>> events[1].kind = 7
    >>> kind[0]
    7
    """
    record = type(array)._type_
    kind = next(kind for field, kind in record._fields_ if field == name)
    return (kind * 1).from_buffer(array, place * ctypes.sizeof(record) + getattr(record, name).offset)


def zeros(kind: str, *shape: int) -> Any:
    """Return an array of numbers that are 0."""
    return array_of(NUMBERS[kind], shape)()


def filled(kind: str, numbers: Sequence[float]) -> Any:
    """Return an array of these numbers."""
    return (NUMBERS[kind] * len(numbers))(*numbers)


def words_in(array: Any) -> Any:
    """Return an array of records as 64-bit words that share its memory, of the shape (records, words)."""
    size = ctypes.sizeof(array) // len(array) // 8
    return array_of(ctypes.c_int64, (len(array), size)).from_buffer(array)


def shape_of(kind: Any) -> tuple[tuple[int, ...], Any]:
    """Return the shape of a ctypes type of arrays, and the type of its items."""
    shape: list[int] = []
    while issubclass(kind, ctypes.Array):
        shape.append(kind._length_)
        kind = kind._type_
    return tuple(shape), kind


def strides_of(shape: Sequence[int], item: int) -> tuple[int, ...]:
    """Return the bytes from one place to the next along each axis of an array without gaps."""
    return tuple(item * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
