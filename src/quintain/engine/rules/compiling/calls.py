"""How compiled code is called: by one address of 64-bit words, the same for every driver, machine and library.

The first word receives the result, the second the place of an error; then come the arguments. A whole number is a word,
and a record its address. An array is seven words and more, as Numba passes it: two zeros, the number of its items and
their bytes, its address, its lengths and its strides. A named tuple is the words of its fields.

`numbered` also describes the arguments by a text, which tells lists of types apart: code is made for one of them.
"""

from __future__ import annotations

import ctypes
import hashlib
import pickle
from array import array
from collections.abc import Callable
from functools import cache, partial
from operator import index
from typing import Any, NamedTuple

from quintain.engine.rules.compiling.memory import NUMBERS, PADDING, MemoryRecord, shape_of, strides_of

FINE = (0, -2)
"""What compiled code returns if nothing went wrong: -2 where it has no result."""
NAMES = {kind: name for name, kind in NUMBERS.items()}
"""The names of the kinds of numbers that drivers get from ctypes."""


class Numbered(NamedTuple):
    """Arguments as 64-bit words, and their types as a text."""

    words: list[int]
    text: str

    @property
    def digest(self) -> str:
        """A short text that tells lists of types apart."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:8]


def numbered(arguments: tuple[object, ...], place: Callable[[Any], int] = ctypes.addressof) -> Numbered:
    """Return the words of arguments, and their types; raises TypeError for what compiled code cannot take.

    `place` gives the address of an array or a record of ctypes, which code in another memory finds elsewhere.
    """
    words: list[int] = []
    texts: list[str] = []
    for argument in arguments:
        _add(argument, words, texts, place)
    return Numbered(words, " ".join(texts))


def _add(value: Any, words: list[int], texts: list[str], place: Callable[[Any], int]) -> None:
    if isinstance(value, ctypes.Array):
        text, before, after = _array_plan(type(value))
        words += (*before, place(value), *after)
        texts.append(text)
    elif isinstance(value, MemoryRecord):
        words.append(place(value))
        texts.append(_record_text(type(value)))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        texts.append(f"{type(value).__name__}{value._fields}(")
        for each in value:
            _add(each, words, texts, place)
        texts.append(")")
    else:
        _add_number_or_numpy(value, words, texts)


def _add_number_or_numpy(value: Any, words: list[int], texts: list[str]) -> None:
    """Add a whole number, or an array or a record of numpy, which this module need not import."""
    held = getattr(value, "__array_interface__", None) if hasattr(value, "dtype") else None
    if held is None or (not held["shape"] and held["typestr"][1] != "V"):
        try:
            words.append(index(value))
        except TypeError:
            raise _refused(value) from None
        texts.append("number")
        return
    address, is_constant = held["data"]
    if is_constant or held.get("strides") is not None or value.dtype.hasobject or not value.dtype.isnative:
        words_for_it = "arrays of numbers or records that it can write to, without gaps in memory"
        raise TypeError(f"a driver takes {words_for_it}, in the byte order of this machine")
    if not held["shape"]:
        words.append(address)
        texts.append(_dtype_text(value.dtype))
        return
    item = value.dtype.itemsize
    words += (0, 0, value.size, item, address, *held["shape"], *strides_of(held["shape"], item))
    texts.append(f"{_dtype_text(value.dtype)}[{len(held['shape'])}]")


def _refused(value: object) -> TypeError:
    known = "whole numbers, records, arrays, and named tuples of them"
    return TypeError(f"a driver takes {known}, not a {type(value).__name__}")


@cache
def _array_plan(kind: Any) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Return the text of a ctypes type of arrays, and the words before and after the address."""
    shape, item = shape_of(kind)
    size = ctypes.sizeof(item)
    if not issubclass(item, MemoryRecord) and item not in NAMES:
        raise TypeError(f"a driver takes arrays of ctypes of {', '.join(NAMES.values())} or records, not of {item}")
    text = _record_text(item) if issubclass(item, MemoryRecord) else NAMES[item]
    count = ctypes.sizeof(kind) // size if size else 0
    return f"{text}[{len(shape)}]", (0, 0, count, size), (*shape, *strides_of(shape, size))


@cache
def _record_text(kind: Any) -> str:
    places = [(name, getattr(kind, name)) for name, _ in kind._fields_ if name != PADDING]
    return _record([(name, place.offset, place.size) for name, place in places], ctypes.sizeof(kind))


@cache
def _dtype_text(dtype: Any) -> str:
    if dtype.names is None:
        return str(dtype.name)
    places = [(name, dtype.fields[name][1], dtype.fields[name][0].itemsize) for name in dtype.names]
    return _record(places, dtype.itemsize)


def _record(places: list[tuple[str, int, int]], size: int) -> str:
    return f"record {size} {hashlib.sha256(repr(places).encode()).hexdigest()[:16]}"


class LoadedDriver:
    """A driver that is loaded: `function` takes the address of words, and returns whether all went well.

    `what` names game and driver.
    """

    def __init__(self, what: str, function: Callable[[int], int]) -> None:
        self.what, self.function = what, function

    def __call__(self, words: list[int]) -> int:
        """Run the driver with the words of its arguments; return its result, or 0 if it has none.

        Raises the error of compiled code, which names game and driver.
        """
        return self.prepared(words)()

    def prepared(self, words: list[int], held: object = None) -> Callable[[], int]:
        """Return a function that runs the driver with these words each time; only one thread at a time may call it.

        It keeps what it holds alive: the arrays and records whose places are among the words.
        """
        try:
            memory = array("q", (0, 0, *words))
        except OverflowError:
            raise TypeError(f"{self.what} takes whole numbers of 64 bits, and got a larger one") from None
        return partial(self._run, memory, memory.buffer_info()[0], held)

    def _run(self, memory: array[int], address: int, held: object) -> int:
        status = self.function(address)
        if status not in FINE:
            raise self._error(memory[1])
        return memory[0]

    def _error(self, place: int) -> Exception:
        """Return the error that compiled code left at a place: the address of a pickle, and its bytes."""
        kind, words = RuntimeError, "it gave up"
        if place:
            address = ctypes.c_void_p.from_address(place).value
            size = ctypes.c_int32.from_address(place + ctypes.sizeof(ctypes.c_void_p)).value
            kind, given, _ = pickle.loads(ctypes.string_at(address or 0, size))
            words = ", ".join(map(str, given or ()))
        return kind(f"the compiled code of {self.what} failed: {words}")


PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
"""The C function that each driver is. Calls of it run without the GIL."""
