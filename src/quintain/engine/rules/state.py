"""States and books: each game writes a class `State` and a class `Book` of `Record`, with fields (see `fields`).

One declaration gives three forms of the same values: a plain object for interpreted rules, an aligned numpy record for
compiled rules, whose bytes `pack` gives, and JSON. `compiled` runs rules on the first two.

>>> class Position(Record):
...     hand: list[list[int]] = field(2, 3, low=0, high=1)
...     turn: int = field()
>>> s = Position()
>>> s.hand[1][2] = 1
>>> s.to_json()
{'hand': [[0, 0, 0], [0, 0, 1]], 'turn': 0}
>>> s.pack() == Position.from_json(s.to_json()).pack()
True
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, Self, SupportsIndex, TypeVar, cast, get_args, get_type_hints

from quintain.engine.errors import BadRecord
from quintain.engine.rules.fields import FORMATS, UNKNOWN, Field, field

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class RecordType(type):
    """The metaclass of `Record`: it takes the declared fields out of the class body and makes them slots."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> RecordType:
        """Make the class, with its fields and those of its bases in `fields`."""
        own = {key: value for key, value in body.items() if isinstance(value, Field)}
        kept = {key: value for key, value in body.items() if key not in own}
        inherited = {key: value for base in bases for key, value in getattr(base, "fields", {}).items()}
        return super().__new__(cls, name, bases, {**kept, "__slots__": tuple(own), "fields": inherited | own})


class Record(metaclass=RecordType):
    """Base of every declared state, book and part of them. A new one is all zeros."""

    fields: dict[str, Field]

    def __init__(self) -> None:
        _assigner(type(self))(self, _zeros(type(self)))

    def assign(self, source: Self) -> None:
        """Copy every value of another object of this type into this one; the two share nothing afterwards."""
        _assigner(type(self))(self, source)

    def copy(self) -> Self:
        """Return an independent copy."""
        return cast(Self, _copier(type(self))(self))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values = _getter(type(self))
        return bool(values(self) == values(other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({inside})"

    def values(self) -> Iterator[tuple[str, Any]]:
        """Return the path, such as ``hand[1][2]``, and the value of every number and text, in order of declaration."""
        return zip(_paths(type(self)), _lister(type(self), True)(self), strict=True)

    def check(self) -> None:
        """Raise ValueError for a list of a wrong length, or a value outside its range; UNKNOWN is always allowed."""
        numbers, (lows, highs) = _lister(type(self))(self), _bounds(type(self))
        fit = (low <= n <= high or n == UNKNOWN for n, low, high in zip(numbers, lows, highs, strict=False))
        if len(numbers) != len(lows) or not all(fit) or set(map(type, numbers)) != {int}:
            type(self).from_json(self.to_json(), error=ValueError)

    def check_field(self, name: str) -> None:
        """Raise BadRecord if a value of this field is outside its range; UNKNOWN is always allowed."""
        plan = _plans(type(self))[name]
        plan.from_json(plan.to_json(getattr(self, name)), f"{type(self).__name__}.{name}", BadRecord)

    def pack(self) -> bytes:
        """Return the bytes of the aligned record; they equal those of its numpy form. Raises ValueError, as `check`."""
        try:
            return _packing(type(self))[0].pack(*_lister(type(self))(self))
        except struct.error:
            self.check()
            raise

    def words(self) -> tuple[int, ...]:
        """Return the bytes of the record as 64-bit words."""
        return tuple(memoryview(self.pack()).cast("q"))

    @classmethod
    def offset(cls, name: str) -> int:
        """Return the offset of a field in the record, in bytes."""
        return _layout(cls)[0][name]

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Return the plain object with these bytes, as `pack` returns them; text fields are empty."""
        return cast(Self, _maker(cls)(list(_packing(cls)[0].unpack(data)), 0))

    def to_json(self) -> dict[str, object]:
        """Return the values as JSON data: whole numbers, texts, lists and objects."""
        return {name: plan.to_json(getattr(self, name)) for name, plan in _plans(type(self)).items()}

    @classmethod
    def from_json(cls, data: object, error: type[Exception] = BadRecord) -> Self:
        """Return the object for data from `to_json`; raises `error`, which names the place that does not fit."""
        return _from_json(cls, data, cls.__name__, error)

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        """Return the aligned numpy dtype; its size is a multiple of 8."""
        return _dtype(cls)

    @classmethod
    def array(cls, items: Iterable[Self]) -> npt.NDArray[np.void]:
        """Return a one-dimensional record array that holds copies of the items."""
        import numpy as np

        return np.frombuffer(bytearray(b"".join(item.pack() for item in items)), cls.dtype())


def text_fields(cls: type[Record]) -> list[str]:
    """Return the names of the fields that hold texts, including those in parts, such as ``cards.name``."""
    found = []
    for name, plan in _plans(cls).items():
        found += [f"{name}.{inner}" for inner in text_fields(plan.part)] if plan.part else [name] * plan.field.text
    return found


def leaves(cls: type[Record]) -> Iterator[tuple[tuple[tuple[str, int], ...], Field]]:
    """Yield every field of numbers, those of parts included: its path, and its declaration with the shape of the whole.

    A path has, for each part of it, the name and the number of indices that follow the name.
    """
    for name, plan in _plans(cls).items():
        own = plan.field
        if not plan.part:
            if not own.text:
                yield ((name, len(own.shape)),), own
            continue
        for path, inner in leaves(plan.part):
            seats = own.seats + tuple((len(own.shape) + axis, place) for axis, place in inner.seats)
            yield ((name, len(own.shape)), *path), replace(inner, shape=own.shape + inner.shape, seats=seats)


R = TypeVar("R", bound=Record)
T = TypeVar("T")


class Cells(Protocol[T]):
    """Values that rules read and write by index: a list or a `Pool`, or a numpy array in compiled code."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> T: ...
    def __setitem__(self, place: int, value: T, /) -> None: ...


class Pool(list[R]):
    """A list of plain states to which assignment copies, as it does to an array of records.

    ``pool[0] = s`` copies `s`, so the same search or playout code runs on plain states and on records.
    """

    def __init__(self, kind: type[R], size: int):
        super().__init__(kind() for _ in range(size))

    def __setitem__(self, index: SupportsIndex, value: R) -> None:  # type: ignore[override]  # no slices
        """Copy `value` into the state at `index`."""
        self[index].assign(value)


class Event(Record):
    """One thing that happened. The ring of events at the end of every state holds it; `narrate` puts it into words."""

    kind: int = field()
    seat: int = field()
    other: int = field()
    a: int = field()
    b: int = field()
    c: int = field()
    d: int = field()
    secret: int = field(low=0, high=31)
    """Bits that say which of its numbers others may not know: see `quintain.engine.rules.events`."""


class GameState(Record):
    """The fields that every state has, for annotations in the engine. Each game declares them in its own `State`."""

    rng: list[int]
    over: int
    events_made: int
    events: list[Event]


class OwnState(Protocol):
    """The same fields as a protocol, which each game's own `State` satisfies: for functions that games call."""

    rng: list[int]
    over: int
    events_made: int
    events: list[Event]


@dataclass(frozen=True)
class _Plan:
    """How to make, copy, list and write the values of one field; `size` and `align` are in bytes.

    `part` is the class of the values if they are records. States are copied and packed very often, so `copied`,
    `listed` and `taken` return source code, which the functions below compile once for each class.
    """

    field: Field
    part: type[Record] | None
    size: int
    align: int

    def zeros(self) -> object:
        """Return the value of the field in a new object."""
        leaf: Callable[[], object] = self.part or (str if self.field.text else int)
        return _nest(self.field.shape, leaf)

    def copied(self, value: str, depth: int = 0) -> str:
        """Return the expression that copies the value of an expression."""
        left = len(self.field.shape) - depth
        if left == 0:
            return f"copy_{id(self.part)}({value})" if self.part else value
        if left == 1 and self.part in (None, Event):  # `events.own` gives a state an event of its own to write to
            return f"{value}[:]"
        return f"[{self.copied(f'item{depth}', depth + 1)} for item{depth} in {value}]"

    def listed(self, value: str, texts: bool, depth: int = 0) -> list[str]:
        """Return the lines of code that append the numbers of an expression to `found`, and also its `texts`."""
        left = len(self.field.shape) - depth
        if left > 1 or (left == 1 and self.part):
            inside = self.listed(f"item{depth}", texts, depth + 1)
            return [f"for item{depth} in {value}:", *(f" {line}" for line in inside)]
        if left == 1:
            return [f"found += {value}"]
        return _listing(self.part, value, texts) if self.part else [f"found.append({value})"]

    def taken(self, at: int, depth: int = 0) -> str:
        """Return the expression that takes the value from `numbers`, from the index ``at`` plus `at` on."""
        shape = self.field.shape[depth:]
        if not shape:
            return f"make_{id(self.part)}(numbers, at + {at})" if self.part else f"numbers[at + {at}]"
        if len(shape) == 1 and not self.part:
            return f"numbers[at + {at}:at + {at + shape[0]}]"
        size = math.prod(shape[1:]) * self.part_count
        return f"[{', '.join(self.taken(at + size * i, depth + 1) for i in range(shape[0]))}]"

    @property
    def count(self) -> int:
        """How many numbers the field holds."""
        return math.prod(self.field.shape) * self.part_count

    @property
    def part_count(self) -> int:
        """How many numbers one value of the field holds: more than one if it is a record."""
        return len(_bounds(self.part)[0]) if self.part else 1

    def to_json(self, value: Any, depth: int = 0) -> object:
        """Return a value of the field as JSON data."""
        if depth < len(self.field.shape):
            return [self.to_json(inner, depth + 1) for inner in value]
        return value.to_json() if self.part else value

    def from_json(self, data: object, path: str, error: type[Exception], depth: int = 0) -> object:
        """Return the value for JSON data; raises `error`, which names the path, if it does not fit."""
        shape, f = self.field.shape, self.field
        if depth < len(shape):
            if not isinstance(data, list) or len(data) != shape[depth]:
                raise error(f"{path} must be a list of {shape[depth]}, not {_short(data)}")
            return [self.from_json(x, f"{path}[{i}]", error, depth + 1) for i, x in enumerate(data)]
        if self.part:
            return _from_json(self.part, data, path, error)
        if f.text:
            if not isinstance(data, str):
                raise error(f"{path} must be a text, not {_short(data)}")
        elif type(data) is not int or not (f.low <= data <= f.high or data == UNKNOWN):
            raise error(f"{path} must be a whole number from {f.low} to {f.high}, not {_short(data)}")
        return data


def _nest(shape: Sequence[int], leaf: Callable[[], object]) -> object:
    return [_nest(shape[1:], leaf) for _ in range(shape[0])] if shape else leaf()


@cache
def _zeros(cls: type[Record]) -> Record:
    """Return a record of zeros, from which new ones are copied: a state can have thousands of numbers."""
    made = object.__new__(cls)
    for name, plan in _plans(cls).items():
        setattr(made, name, plan.zeros())
    return made


@cache
def _assigner(cls: type[Record]) -> Callable[[Record, Record], None]:
    """Return a function that copies every field from one record into another, compiled from source code for speed."""
    return cast(Callable[[Record, Record], None], _copying(cls, "def made(new, old):", "return None"))


@cache
def _getter(cls: type[Record]) -> Callable[[Record], object]:
    """Return a function that gets the values of all fields of a record."""
    return attrgetter(*cls.fields)


@cache
def _copier(cls: type[Record]) -> Callable[[Record], Record]:
    """Return a function that makes a copy of a record, compiled from source code."""
    return cast(Callable[[Record], Record], _copying(cls, "def made(old):\n new = blank(kind)", "return new"))


def _copying(cls: type[Record], first: str, last: str) -> object:
    """Compile a function that copies every field of `old` into `new`, between a first and a last line of code."""
    lines = [f"new.{name} = {plan.copied(f'old.{name}')}" for name, plan in _plans(cls).items()]
    made: dict[str, object] = {"blank": object.__new__, "kind": cls}
    made |= {f"copy_{id(plan.part)}": _copier(plan.part) for plan in _plans(cls).values() if plan.part}
    exec("\n ".join([first, *lines, last]), made)
    return made["made"]


def _listing(cls: type[Record], value: str, texts: bool) -> list[str]:
    """Return the lines of code that append all numbers of a record to `found`, and also its `texts`."""
    plans = [(name, plan) for name, plan in _plans(cls).items() if texts or not plan.field.text]
    return [line for name, plan in plans for line in plan.listed(f"{value}.{name}", texts)]


@cache
def _lister(cls: type[Record], texts: bool = False) -> Callable[[Record], list[Any]]:
    """Return a function that lists the numbers of a record, and also its `texts`, compiled from source code.

    They come in the order of declaration, which is that of the bytes.
    """
    made: dict[str, object] = {}
    exec("\n ".join(["def listed(record):", "found = []", *_listing(cls, "record", texts), "return found"]), made)
    return cast(Callable[[Record], list[Any]], made["listed"])


@cache
def _paths(cls: type[Record]) -> list[str]:
    """Return the path of every number and text of a record, in the order of declaration."""
    found = []
    for name, plan in _plans(cls).items():
        ends = [f".{path}" for path in _paths(plan.part)] if plan.part else [""]
        places = itertools.product(*map(range, plan.field.shape))
        found += [name + "".join(f"[{i}]" for i in place) + end for place in places for end in ends]
    return found


@cache
def _maker(cls: type[Record]) -> Callable[[list[int], int], Record]:
    """Return a function that makes a record from its values in the order of its bytes, compiled from source code."""
    made: dict[str, object] = {"blank": object.__new__, "kind": cls, "plans": _plans(cls)}
    made |= {f"make_{id(plan.part)}": _maker(plan.part) for plan in _plans(cls).values() if plan.part}
    lines, at = [], 0
    for name, plan in _packing(cls)[1]:
        lines.append(f"new.{name} = {plan.taken(at)}")
        at += plan.count
    texts = [name for name, plan in _plans(cls).items() if plan.field.text]
    lines += [f"new.{name} = plans[{name!r}].zeros()" for name in texts]
    exec("\n ".join(["def make(numbers, at):", "new = blank(kind)", *lines, "return new"]), made)
    return cast(Callable[[list[int], int], Record], made["make"])


@cache
def _bounds(cls: type[Record]) -> tuple[list[int], list[int]]:
    """Return the least and the greatest allowed number for each value, in the order of the bytes."""
    lows: list[int] = []
    highs: list[int] = []
    for _, plan in _packing(cls)[1]:
        least, most = _bounds(plan.part) if plan.part else ([plan.field.low], [plan.field.high])
        count = math.prod(plan.field.shape)
        lows += least * count
        highs += most * count
    return lows, highs


def _short(data: object) -> str:
    if isinstance(data, list):
        return f"a list of {len(data)}"
    text = repr(data)
    return text if len(text) <= 40 else text[:37] + "..."


def _from_json(cls: type[R], data: object, path: str, error: type[Exception]) -> R:
    plans = _plans(cls)
    if not isinstance(data, dict):
        raise error(f"{path} must be an object with the fields {', '.join(plans)}, not {_short(data)}")
    for name in itertools.chain(plans, data):
        if name not in data:
            raise error(f"{path} lacks the field {name}")
        if name not in plans:
            raise error(f"{path} has no field {name}; its fields are {', '.join(plans)}")
    new = cls()
    for name, plan in plans.items():
        setattr(new, name, plan.from_json(data[name], f"{path}.{name}", error))
    return new


@cache
def _plans(cls: type[Record]) -> dict[str, _Plan]:
    """Return the plan of every field by name, in the order of declaration."""
    hints = get_type_hints(cls)
    plans = {}
    for name, declared in cls.fields.items():
        kind = hints[name]
        for _ in declared.shape:
            kind = get_args(kind)[0]
        part = cast(type[Record], kind) if isinstance(kind, RecordType) else None
        if part:
            size = struct.calcsize(_packing(part)[0].format)
            align = max((plan.align for plan in _plans(part).values() if not plan.field.text), default=1)
        else:
            size = align = declared.bits // 8
        size *= math.prod(declared.shape)
        plans[name] = _Plan(declared, part, size, align)
    return plans


@cache
def _layout(cls: type[Record]) -> tuple[dict[str, int], int]:
    """Return the offset of every field of the record, and the record's size, in bytes."""
    offsets, end = {}, 0
    for name, plan in _plans(cls).items():
        if not plan.field.text:
            offsets[name] = -(-end // plan.align) * plan.align
            end = offsets[name] + plan.size
    return offsets, max(8, -(-end // 8) * 8)


def placed(cls: type[Record]) -> Iterator[tuple[str, int, Field, type[Record] | None]]:
    """Yield each field of numbers: its name, its offset in bytes, its declaration, and the class of its records."""
    plans = _plans(cls)
    return ((name, offset, plans[name].field, plans[name].part) for name, offset in _layout(cls)[0].items())


def size_of(cls: type[Record]) -> int:
    """Return the size of a record in bytes, a multiple of 8."""
    return _layout(cls)[1]


def layout_of(cls: type[Record]) -> str:
    """Return a text that says where each value of a record lies, and what it is declared to be; parts included."""
    fields = [(name, offset, declared, layout_of(part) if part else "") for name, offset, declared, part in placed(cls)]
    return repr((size_of(cls), fields))


@cache
def _packing(cls: type[Record]) -> tuple[struct.Struct, tuple[tuple[str, _Plan], ...]]:
    """Return the packer of a record's bytes, and the fields that it packs with their plans, in order."""
    offsets, size = _layout(cls)
    plans = tuple((name, _plans(cls)[name]) for name in offsets)
    text, end = "=", 0
    for name, plan in plans:
        count = math.prod(plan.field.shape)
        text += f"{offsets[name] - end}x"
        if plan.part:
            text += _packing(plan.part)[0].format.removeprefix("=") * count
        else:
            text += f"{count}{FORMATS[plan.field.bits]}"
        end = offsets[name] + plan.size
    return struct.Struct(f"{text}{size - end}x"), plans


@cache
def _dtype(cls: type[Record]) -> np.dtype[np.void]:
    import numpy as np

    offsets, size = _layout(cls)
    plans = _plans(cls)
    formats = []
    for name in offsets:
        plan = plans[name]
        base = plan.part.dtype() if plan.part else np.dtype(f"i{plan.field.bits // 8}")
        formats.append((base, plan.field.shape))
    layout = {"names": list(offsets), "formats": formats, "offsets": list(offsets.values()), "itemsize": size}
    return np.dtype(layout, align=True)  # type: ignore[call-overload, no-any-return]
