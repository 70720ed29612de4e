"""What a learner sees of a state: rows of numbers, made from the declarations of the state's fields.

`observe` of a game's rules writes a blinded state into a row of floating-point numbers, `observe_int8` into a row of
bytes. Both leave out the generator and the events, and turn the seats so that the observer comes first, the next seat
second, and so on. This module writes the source of both functions once for each game, since a rule can only name the
fields of one game. Like all rules they run interpreted and compiled. An `ObservationLayout` says which columns hold
which field.

In the row of floats, each value becomes

- one number, for an amount: 0 at the field's `low` and 1 at its `high`, or the value divided by `usual`;
- a column for each possible value, with a 1 in one of them, if it is a kind or a seat;
- a column for each flag, if it consists of bits;
- for a bag, a column for each thing, which counts how many of them the list holds.

A secret field has further columns, which say what is UNKNOWN: one for each value, or the share of a bag. In the row of
bytes each value stands as it is, UNKNOWN as -128. A value that one byte cannot hold takes two or more, the highest
first: two bytes a and b stand for 256 * a + b + 128.

Actions that name a seat do not turn. So both rows end with the observer's own seat: as one column for each seat, or as
one byte.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from quintain.engine.rules.card_numbers import CardNumbers
from quintain.engine.rules.fields import UNKNOWN, Field, field
from quintain.engine.rules.linking import rule
from quintain.engine.rules.state import leaves
from quintain.engine.rules.written import WrittenGame

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LEFT_OUT = ("rng", "events_made", "events")
"""The fields of a state that no learner sees."""
UNKNOWN_BYTE = -128
"""UNKNOWN in a row of bytes."""
YOU = "you"
"""The name of the block with the observer's own seat."""


@dataclass(frozen=True)
class Block:
    """The columns of one field, from `first` on.

    `path` holds, for each part of the field's path, a name and the number of its indices. The columns hold the values
    in the order of the indices, but with the first axis of seats before all others; each value, or list of a bag, takes
    `width` columns. After them come the `flags`, the columns that say what is UNKNOWN. `low` and `high` bound the
    columns of the values.
    """

    path: tuple[tuple[str, int], ...]
    field: Field
    first: int
    width: int
    flags: int
    low: float
    high: float

    @property
    def name(self) -> str:
        """The path in words, such as ``hand`` or ``card.kind``."""
        return ".".join(name for name, _ in self.path)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values the block holds along each axis, or lists if they are bags."""
        return self.field.shape[:-1] if self.field.means == "bag" else self.field.shape

    @property
    def order(self) -> tuple[int, ...]:
        """The axes in the order of the columns, the slowest first."""
        seats = [axis for axis, _ in self.field.seats][:1]
        return (*seats, *(axis for axis in range(len(self.shape)) if axis not in seats))

    @property
    def flags_at(self) -> int:
        """The first column of the flags, after those of the values."""
        return self.first + math.prod(self.shape) * self.width

    @property
    def end(self) -> int:
        """The first column after the block."""
        return self.flags_at + self.flags


@dataclass(frozen=True)
class ObservationLayout:
    """The blocks of a row in order, and its number of columns.

    `blocks` is empty for a game that writes `observe` itself; nothing is known about its columns.
    """

    blocks: tuple[Block, ...]
    size: int

    def __getitem__(self, name: str) -> Block:
        """Return the block of a field; raises KeyError, which names all blocks."""
        found = {block.name: block for block in self.blocks}
        if name not in found:
            raise KeyError(f"there is no block {name}; the blocks are {', '.join(found)}")
        return found[name]

    def card_columns(self, cards: CardNumbers) -> Iterator[tuple[int, int, int]]:
        """Yield each column that stands for a card, with the card, and the number of the run that it belongs to.

        A block has a run for each of its values, or for each index of its axes before the last one.
        """
        run = 0
        for name, first in cards.blocks.items():
            block = self[name]
            length = block.width if block.width > 1 else block.shape[-1]
            for start in range(block.first, block.flags_at, length):
                for number in range(length):
                    if 0 <= first + number < len(cards.rows):
                        yield start + number, first + number, run
                run += 1

    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return the least and the greatest number of each column."""
        import numpy as np

        low, high = np.full(self.size, -np.inf, np.float32), np.full(self.size, np.inf, np.float32)
        for block in self.blocks:
            low[block.first : block.flags_at], high[block.first : block.flags_at] = block.low, block.high
            low[block.flags_at : block.end], high[block.flags_at : block.end] = 0, 1
        return low, high


def layout(game: WrittenGame, of_bytes: bool = False) -> ObservationLayout:
    """Return the layout of a game's rows of floats, or of bytes."""
    if "observe" in game.written and not of_bytes:
        return ObservationLayout((), game.module.OBSERVATION)
    first, blocks, most = 0, list[Block](), game.seats[1]
    for path, declared in observed(game):
        block = _block_of_bytes(path, declared, first) if of_bytes else _block_of_floats(path, declared, first, most)
        blocks.append(block)
        first = block.end
    you = field(low=0, high=most - 1)
    width, high = (1, float(most - 1)) if of_bytes else (most, 1.0)
    blocks.append(Block(((YOU, 0),), you, first, width, 0, 0.0, high))
    return ObservationLayout(tuple(blocks), blocks[-1].end)


def observed(game: WrittenGame) -> Iterator[tuple[tuple[tuple[str, int], ...], Field]]:
    """Yield the path and the declaration of every field that learners see, as `leaves` does."""
    return ((path, declared) for path, declared in leaves(game.state) if path[0][0] not in LEFT_OUT)


def functions(game: WrittenGame) -> dict[str, Callable[..., None]]:
    """Return the rules `observe` and `observe_int8`, made from the declarations unless the game writes `observe`."""
    observe = game.written["observe"] if "observe" in game.written else _made(game, "observe")
    return {"observe": cast(Callable[..., None], observe), "observe_int8": _made(game, "observe_int8")}


def _block_of_floats(path: tuple[tuple[str, int], ...], f: Field, first: int, most: int) -> Block:
    shape = f.shape[:-1] if f.means == "bag" else f.shape
    flags = math.prod(shape) if f.secret else 0
    low, high = 0.0, 1.0
    if f.means == "number":
        width = 1
        if f.usual:
            low, high = f.low / f.usual, f.high / f.usual
    elif f.means == "bag":
        width, high = f.high + 1, float(f.shape[-1])
    elif f.means == "bits":
        width = f.high.bit_length()
    elif f.means == "seats":
        width = max(most, f.high.bit_length())
    else:
        width = f.high - f.low + 1
    return Block(path, f, first, width, flags, low, high)


def _block_of_bytes(path: tuple[tuple[str, int], ...], f: Field, first: int) -> Block:
    width = _bytes(f)
    fits = width == 1
    low, high = (float(f.low if not f.secret else UNKNOWN_BYTE), float(f.high)) if fits else (-128.0, 127.0)
    if f.means == "bag":
        width *= f.shape[-1]
    return Block(path, f, first, width, 0, low, high)


def _bytes(f: Field) -> int:
    """Return how many bytes each value of a field takes."""
    if f.low > UNKNOWN_BYTE and f.high < -UNKNOWN_BYTE:
        return 1
    return 2 if f.low > UNKNOWN and f.high < -UNKNOWN else f.bits // 8


def _made(game: WrittenGame, name: str) -> Callable[..., None]:
    """Return one of both functions, compiled to Python's bytecode from its source."""
    source = "\n".join(_source(game, name))
    made: dict[str, object] = {"__name__": __name__}
    exec(compile(source, f"<{name} of {game.id}>", "exec"), made)
    function = rule(cast(Callable[..., None], made[name]))
    vars(function)["source"] = source
    return function


def _source(game: WrittenGame, name: str) -> Iterator[str]:
    """Yield the lines of one of both functions."""
    of_bytes = name == "observe_int8"
    # A row of bytes, and a row of floats that a game does not write itself, come from the declarations alone.
    *blocks, you = layout(game, of_bytes).blocks
    yield f"def {name}(book, s, seat, out):"
    yield f" seats = {'book.seats' if 'seats' in game.book.fields else game.seats[1]}"
    for block in blocks:
        yield from (f" {line}" for line in (_write_bytes(block) if of_bytes else _write_floats(block)))
    if of_bytes:
        yield f" out[{you.first}] = seat"
    else:
        yield from (f" out[{you.first + other}] = 1.0 if seat == {other} else 0.0" for other in range(you.width))


def _write_floats(block: Block) -> Iterator[str]:
    """Yield the lines that write one field into a row of floats."""
    f, secret = block.field, block.field.secret
    if f.means == "number":
        scale, shift = (1 / f.usual, 0.0) if f.usual else (1 / max(1, f.high - f.low), -f.low / max(1, f.high - f.low))
        scaled = f"v * {scale!r} + {shift!r}" if shift else f"v * {scale!r}" if scale != 1 else "v"
        flagged = [_flag(block), f"out[{{at}}] = 0.0 if v == {UNKNOWN} else {scaled}"]
        yield from _loops(block, [*_turned_value(f), *(flagged if secret else [f"out[{{at}}] = {scaled}"])])
        return
    yield from _zeros(block)
    if f.means == "bag":
        yield from _bag(block)
    elif f.means in ("bits", "seats"):
        width = block.width
        lines = [f"if v != {UNKNOWN}:"] if secret else []
        space = " " * len(lines)
        lines += [f"{space}{line}" for line in _turned_bits(f)]
        lines += [f"{space}for bit in range({width}):", f"{space} out[{{at}} + bit] = v >> bit & 1"]
        yield from _loops(block, ([_flag(block)] if secret else []) + lines)
    else:
        lines = [*_turned_value(f), f"if v >= {f.low} and v <= {f.high}:", f" out[{{at}} + v - {f.low}] = 1.0"]
        yield from _loops(block, ([_flag(block)] if secret else []) + lines)


def _write_bytes(block: Block) -> Iterator[str]:
    """Yield the lines that write one field into a row of bytes."""
    f = block.field
    count = _bytes(f)
    turned = [*(_turned_bits(f) if f.means == "seats" else _turned_value(f))]
    turned = [f"if v != {UNKNOWN}:", *(f" {line}" for line in turned)] if turned and f.secret else turned
    if count == 1:
        lines = [f"out[{{at}}] = {UNKNOWN_BYTE} if v == {UNKNOWN} else v" if f.secret else "out[{at}] = v"]
    else:
        lines = [f"out[{{at}}] = v >> {8 * (count - 1)}"]
        for place in range(1, count):
            lines.append(f"out[{{at}} + {place}] = (v >> {8 * (count - 1 - place)} & 255) - 128")
    if f.means == "bag":
        length = f.shape[-1]
        lines = [line.replace("{at}", f"{{at}} + {count} * i") for line in [*turned, *lines]]
        inner = [f"for i in range({length}):", " v = things[i]", *(f" {line}" for line in lines)]
        yield from _loops(block, inner, "things")
    else:
        yield from _loops(block, [*turned, *lines])


def _loops(block: Block, lines: list[str], name: str = "v") -> Iterator[str]:
    """Yield loops over the values of a block, or its bags, with lines inside that use each as `v`, or by another name.

    In the lines ``{at}`` stands for the first column of the value, ``{flag}`` for that of its flag.
    """
    place, depth = "0", 0
    index = {axis: f"i{axis}" for axis in block.order}
    for axis in block.order:
        length = block.shape[axis]
        yield f"{' ' * depth}for i{axis} in range({length}):"
        depth += 1
        place = f"i{axis}" if place == "0" else f"({place}) * {length} + i{axis}"
        for first in (first for counted, first in block.field.seats if counted == axis):
            index[axis] = f"k{axis}"
            yield from (f"{' ' * depth}{line}" for line in _turned_index(axis, first, length))
    axes = iter(range(len(block.shape)))
    value = "s"
    for part, count in block.path:
        own = [index[axis] for _, axis in zip(range(count), axes, strict=False)]
        value += f".{part}" + "".join(f"[{each}]" for each in own)
    at = f"{block.first} + ({place}) * {block.width}" if place != "0" else f"{block.first}"
    flag = f"{block.flags_at} + {place}"
    yield f"{' ' * depth}{name} = {value}"
    yield from (f"{' ' * depth}{line.replace('{at}', at).replace('{flag}', flag)}" for line in lines)


def _turned_index(axis: int, first: int, length: int) -> list[str]:
    """Return the lines that make an index of seats count from the observer on; `first` is the place of seat 0."""
    turned = f"i{axis} + seat if i{axis} + seat < {first} + seats else i{axis} + seat - seats"
    return [f"k{axis} = i{axis}", f"if i{axis} >= {first} and i{axis} < {first} + seats:", f" k{axis} = {turned}"]


def _turned_value(f: Field) -> list[str]:
    """Return the lines that make the seats in `v` count from the observer on."""
    lines = []
    for first, each in f.seat_at:
        times = f" * {each}" if each > 1 else ""
        less = f" - {first}" if first else ""
        lines += [
            f"if v >= {first} and v < {first} + seats{times}:",
            f" v = v - seat{times} if v{less} >= seat{times} else v + (seats - seat){times}",
        ]
    return lines


def _turned_bits(f: Field) -> list[str]:
    """Return the lines that make the bits of seats in `v` count from the observer on; other bits stay."""
    if f.means != "seats":
        return []
    return [
        "own = v & (1 << seats) - 1",
        "v = v - own + ((own >> seat | own << seats - seat) & (1 << seats) - 1)",
    ]


def _zeros(block: Block) -> list[str]:
    """Return the lines that clear the columns of the values."""
    return [f"for i in range({block.first}, {block.flags_at}):", " out[i] = 0.0"]


def _flag(block: Block) -> str:
    return f"out[{{flag}}] = 1.0 if v == {UNKNOWN} else 0.0"


def _bag(block: Block) -> Iterator[str]:
    """Yield the lines that count the things in each bag. Counting the known ones first is quick, and often enough."""
    f = block.field
    length = f.shape[-1]
    counted = [
        f"for i in range({length}):",
        " v = things[i]",
        f" if v >= 0 and v <= {f.high}:",
        "  out[{at} + v] += 1.0",
    ]
    if not f.secret:
        yield from _loops(block, counted, "things")
        return
    lines = ["known = 0", "unknown = 0", f"for i in range({length}):", " known += 1 if things[i] >= 0 else 0"]
    lines += [f" unknown += 1 if things[i] == {UNKNOWN} else 0", f"out[{{flag}}] = unknown * {1 / length!r}"]
    yield from _loops(block, [*lines, "if known:", *(f" {line}" for line in counted)], "things")
