"""Positions as text, so that tests, lessons and puzzles can set up a state without playing to it.

A line such as ``turn = 1`` gives a field its value. For a list, a line gives the values of one innermost list, with
spaces between; a single value fills the whole list. `#` begins a comment. Fields that no line names keep their values
from the deal. In a field that holds cards, each value is the name of a card, with commas between, and `-` is no card.
In a blinded state `?` stands for UNKNOWN. `Match.from_position`, `Match.position` and puzzles use this module.

>>> from quintain.engine.rules.fields import UNKNOWN, field
>>> class Position(Record):
...     hand: list[list[int]] = field(2, 3, low=0, high=1)
...     turn: int = field(low=0, high=1)
>>> s = Position()
>>> read_position(s, "hand[1] = 0 1 1  # Bo's\\nhand[0] = 1\\nturn = 1")
>>> s.hand, s.turn
([[1, 1, 1], [0, 1, 1]], 1)
>>> print(write_position(s))
hand[0] = 1 1 1
hand[1] = 0 1 1
turn = 1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, cast

from quintain.engine.errors import BadRecord, nearest, quoted
from quintain.engine.rules.fields import UNKNOWN, Field
from quintain.engine.rules.state import Record

Names = Callable[[int], Sequence[str]] | None
"""A function that returns the names of a seat's cards, in the order of their numbers; None in a game without names."""

PAST = ("rng", "events_made", "events")
"""The fields that are not part of a position: chance, and the events before it."""
MOST_TEXT = 100_000
STEP = re.compile(r"\[([0-9]{1,6})\]|\.([a-z_]\w*)")
LINE = re.compile(r"([a-z_]\w*)((?:\[[0-9]{1,6}\]|\.[a-z_]\w*)*)\s*=\s*(\S.*)")
NUMBERS = re.compile(r"(?:-?[0-9]{1,18}|\?)(?:\s+(?:-?[0-9]{1,18}|\?))*")
NO_CARD, HIDDEN = "-", "?"


def write_position(state: Record, names: Names = None) -> str:
    """Return a state as text, with a line for each number and each innermost list, without the fields in PAST."""
    lines: list[str] = []
    known = cache(names) if names else None  # in Round Table a position names 480 cards, in lists of 27
    for name, declared in state.fields.items():
        if name not in PAST:
            value = getattr(state, name)
            lines += _card_lines(name, value, known) if known and declared.values == "card" else _lines(name, value)
    return "\n".join(lines)


def read_position(state: Record, text: str, names: Names = None, is_blinded: bool = False) -> None:
    """Write a position into a state; only a blinded one may have hidden values.

    Raises BadRecord, which names the wrong line; the state is then useless.
    """
    if not isinstance(text, str):
        raise BadRecord(f"a position is a text, not {quoted(text)}")
    if len(text) > MOST_TEXT:
        raise BadRecord(f"a position has at most {MOST_TEXT:,} characters, not {len(text):,}")
    known = cache(names) if names else None
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition("#")[0].strip()
        try:
            if written:
                _assign(state, written, known, is_blinded)
        except BadRecord as error:
            raise BadRecord(f"line {number} of the position is not valid: {error}") from None


def _lines(path: str, value: object) -> Iterator[str]:
    """Yield the lines of a value that a path leads to."""
    if isinstance(value, Record):
        for name in value.fields:
            yield from _lines(f"{path}.{name}", getattr(value, name))
    elif isinstance(value, list) and (not value or isinstance(value[0], list | Record)):
        for place, inner in enumerate(value):
            yield from _lines(f"{path}[{place}]", inner)
    else:
        values = cast(list[int], value if isinstance(value, list) else [value])
        yield f"{path} = {' '.join(map(_number, values))}"


def _number(value: int) -> str:
    return HIDDEN if value == UNKNOWN else str(value)


def _card_lines(name: str, value: list[list[int]] | list[int], names: Callable[[int], Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a field that holds cards by seat: one line for each seat, or one line for all seats."""

    def written(seat: int, card: int) -> str:
        known = names(seat)
        return known[card] if 0 <= card < len(known) else NO_CARD if card == -1 else _number(card)

    if isinstance(value[0], list):
        for seat, cards in enumerate(value):
            yield f"{name}[{seat}] = {', '.join(written(seat, card) for card in cards)}"
    else:
        yield f"{name} = {', '.join(written(seat, card) for seat, card in enumerate(value))}"


def _assign(state: Record, line: str, names: Names, is_blinded: bool) -> None:
    """Carry out one line of a position; raises BadRecord."""
    parts = LINE.fullmatch(line)
    are_cards = parts and names and parts[1] in state.fields and state.fields[parts[1]].values == "card"
    if not parts or not (are_cards or NUMBERS.fullmatch(parts[3])):
        raise BadRecord(f"it takes a field and its value, such as `turn = 1` or `hand[0] = 1 0 1`, not {quoted(line)}")
    name, path = parts[1], [int(i) if i else n for i, n in STEP.findall(parts[2])]
    if name in PAST:
        raise BadRecord(f"{name} is not part of a position")
    if name not in state.fields:
        raise BadRecord(
            f"there is no field {name[:40]}; the fields are {', '.join(n for n in state.fields if n not in PAST)}"
        )
    owner, last, declared = _reach(state, [name, *path])
    old = owner[last] if isinstance(last, int) else getattr(owner, last)
    values = _values(parts[3], path, names)
    if UNKNOWN in values and not is_blinded:
        raise BadRecord(f"a position has no hidden values, so {parts[3][:40]} cannot be a value")
    new = _filled(old, values)
    if isinstance(last, int):
        owner[last] = new
    else:
        setattr(owner, last, new)
    if declared.text or not all(declared.low <= value <= declared.high or value == UNKNOWN for value in values):
        state.check_field(name)


def _values(text: str, path: list[Any], names: Names) -> list[int]:
    """Return the numbers on a line, or the numbers of the cards named on it.

    The cards belong to the seat that the path names; without a path, the line has one card for each seat.
    """
    if names is None or NUMBERS.fullmatch(text):
        return [UNKNOWN if number == HIDDEN else int(number) for number in text.split()]
    cards = [" ".join(card.split()) for card in text.split(",")]
    return [_card(card, names(path[0] if path else seat)) for seat, card in enumerate(cards)]


def _card(text: str, names: Sequence[str]) -> int:
    if text in (NO_CARD, HIDDEN):
        return -1 if text == NO_CARD else UNKNOWN
    if NUMBERS.fullmatch(text):
        return int(text)
    if text not in names:
        raise BadRecord(f"there is no card {quoted(text)}{nearest(text, names)}")
    return names.index(text)


def _reach(state: Record, path: list[int | str]) -> tuple[Any, Any, Field]:
    """Return the list or record that holds the value at a path, the last step of the path, and the declared field."""
    holder: Any = state
    declared = state.fields[str(path[0])]
    for place, step in enumerate(path):
        has = step < len(holder) if isinstance(step, int) and isinstance(holder, list) else None
        has = step in holder.fields if isinstance(step, str) and isinstance(holder, Record) else has
        if not has:
            raise BadRecord(f"there is no {''.join(f'[{s}]' if isinstance(s, int) else f'.{s}' for s in path)[1:]}")
        declared = holder.fields[step] if isinstance(step, str) else declared
        if place < len(path) - 1:
            holder = holder[step] if isinstance(step, int) else getattr(holder, step)
    return holder, path[-1], declared


def _filled(old: object, values: list[int]) -> object:
    """Return the values in the shape of the value that they replace; a single value fills the whole shape."""
    if isinstance(old, Record):
        raise BadRecord(f"it takes one of the fields {', '.join(old.fields)}")
    if not isinstance(old, list):
        if len(values) != 1:
            raise BadRecord(f"it takes one value, not {len(values)}")
        return values[0]
    if len(values) == 1:
        return [_filled(inner, values) for inner in old]
    if isinstance(old[0], list):
        raise BadRecord(f"it takes one value, or a line for each of its {len(old)} lists, not {len(values)}")
    if len(values) != len(old):
        raise BadRecord(f"it takes {len(old)} values, or one for all, not {len(values)}")
    return values
