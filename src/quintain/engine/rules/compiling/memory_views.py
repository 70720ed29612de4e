"""Lets interpreted rules work on the memory of compiled code, where nothing can or may be compiled.

Debuggers and measures of coverage set NUMBA_DISABLE_JIT. Drivers get memory of ctypes, or arrays and records of numpy,
all the same. The views of the latter give plain numbers, which do not overflow, and reach fields as attributes, as
plain states do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class ArrayView:
    """A view of an array; an item is a number, or a view of the memory that belongs to it."""

    def __init__(self, array: Any) -> None:
        self._array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._array.shape  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, place: int) -> Any:
        return viewed(self._array[place])

    def __setitem__(self, place: int, value: object) -> None:
        self._array[place] = _plain(value)

    def __iter__(self) -> Iterator[Any]:
        return map(viewed, self._array)


class RecordView:
    """A view of a record; its fields are attributes."""

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        if name not in self._record.dtype.names:
            raise AttributeError(f"the record has no field {name}")
        return viewed(self._record[name])

    def __setattr__(self, name: str, value: object) -> None:
        self._record[name] = _plain(value)

    def copy(self) -> RecordView:
        """Return a view of a copy."""
        return RecordView(self._record.copy())


def viewed(value: Any) -> Any:
    """Return a view of an array or a record of numpy, of those in a named tuple, or the number that numpy's stands for.

    The memory of ctypes needs no view, since it gives plain numbers.
    """
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(viewed, value))
    if not hasattr(value, "dtype"):
        return value
    if value.shape:
        return ArrayView(value)
    return RecordView(value) if value.dtype.names else value.item()


def on_views(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function that calls another one with views of its arguments."""
    return lambda *arguments: function(*map(viewed, arguments))


def _plain(value: Any) -> Any:
    if isinstance(value, ArrayView):
        return value._array
    return value._record if isinstance(value, RecordView) else value
