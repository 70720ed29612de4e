"""Positions as text, so that tests, lessons and puzzles can set one up.

A line gives a field its value, or the innermost lists of a field their values, with blanks between; a single value
fills all of a list. `#` begins a remark. Fields that no line names stay as they were dealt. Where the numbers of a
field are those of cards, they are written as names with commas between, and `-` for no card.

>>> from quintain.engine.state import UNKNOWN, field
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
from typing import Any

from quintain.engine.errors import BadRecord, nearest, quoted
from quintain.engine.state import UNKNOWN, Record

Names = Callable[[int], Sequence[str]] | None
"""What returns the names of a seat's cards, in the order of their numbers; None in a game without."""

PAST = ("rng", "events_made", "events")
"""Fields that are no part of a position: chance, and what has happened before."""
MOST_TEXT = 100_000
STEP = re.compile(r"\[([0-9]{1,6})\]|\.([a-z_]\w*)")
LINE = re.compile(r"([a-z_]\w*)((?:\[[0-9]{1,6}\]|\.[a-z_]\w*)*)\s*=\s*(\S.*)")
NUMBERS = re.compile(r"-?[0-9]{1,18}(?:\s+-?[0-9]{1,18})*")
NO_CARD = "-"


def write_position(state: Record, names: Names = None) -> str:
    """Return a position as text: a line for each number and each innermost list, of all fields but the past."""
    lines: list[str] = []
    for name, declared in state.fields.items():
        if name not in PAST:
            value = getattr(state, name)
            lines += _card_lines(name, value, names) if names and declared.values == "card" else _lines(name, value)
    return "\n".join(lines)


def read_position(state: Record, text: str, names: Names = None) -> None:
    """Write a position into a state; raises BadRecord, which names the line; the state is spoilt then."""
    if not isinstance(text, str):
        raise BadRecord(f"a position is a text, not {quoted(text)}")
    if len(text) > MOST_TEXT:
        raise BadRecord(f"a position has at most {MOST_TEXT:,} characters, not {len(text):,}")
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition("#")[0].strip()
        try:
            if written:
                _assign(state, written, names)
        except BadRecord as error:
            raise BadRecord(f"line {number} of the position does not hold: {error}") from None


def _lines(path: str, value: object) -> Iterator[str]:
    if isinstance(value, Record):
        for name in value.fields:
            yield from _lines(f"{path}.{name}", getattr(value, name))
    elif isinstance(value, list) and (not value or isinstance(value[0], list | Record)):
        for place, inner in enumerate(value):
            yield from _lines(f"{path}[{place}]", inner)
    else:
        yield f"{path} = {' '.join(map(str, value)) if isinstance(value, list) else value}"


def _card_lines(name: str, value: list[list[int]] | list[int], names: Callable[[int], Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a field that holds cards by seat: one for each seat, or one for all."""

    def written(seat: int, card: int) -> str:
        known = names(seat)
        return known[card] if 0 <= card < len(known) else NO_CARD if card == -1 else str(card)

    if isinstance(value[0], list):
        for seat, cards in enumerate(value):
            yield f"{name}[{seat}] = {', '.join(written(seat, card) for card in cards)}"
    else:
        yield f"{name} = {', '.join(written(seat, card) for seat, card in enumerate(value))}"


def _assign(state: Record, line: str, names: Names) -> None:
    parts = LINE.fullmatch(line)
    are_cards = parts and names and parts[1] in state.fields and state.fields[parts[1]].values == "card"
    if not parts or not (are_cards or NUMBERS.fullmatch(parts[3])):
        raise BadRecord(f"it takes a field and its value, such as `turn = 1` or `hand[0] = 1 0 1`, not {quoted(line)}")
    name, path = parts[1], [int(i) if i else n for i, n in STEP.findall(parts[2])]
    if name in PAST:
        raise BadRecord(f"{name} is no part of a position")
    if name not in state.fields:
        raise BadRecord(
            f"there is no field {name[:40]}; there are {', '.join(n for n in state.fields if n not in PAST)}"
        )
    owner, last = _reach(state, [name, *path])
    old = owner[last] if isinstance(last, int) else getattr(owner, last)
    values = _values(parts[3], path, names)
    if UNKNOWN in values:
        raise BadRecord(f"a position is the whole truth: {UNKNOWN} stands for what somebody does not know")
    new = _filled(old, values)
    if isinstance(last, int):
        owner[last] = new
    else:
        setattr(owner, last, new)
    state.check_field(name)


def _values(text: str, path: list[Any], names: Names) -> list[int]:
    """Return the numbers of a line, or those of its cards: all of the seat that the path names, or one of each seat."""
    if names is None or NUMBERS.fullmatch(text):
        return [int(number) for number in text.split()]
    cards = [" ".join(card.split()) for card in text.split(",")]
    return [_card(card, names(path[0] if path else seat)) for seat, card in enumerate(cards)]


def _card(text: str, names: Sequence[str]) -> int:
    if text == NO_CARD or NUMBERS.fullmatch(text):
        return -1 if text == NO_CARD else int(text)
    if text not in names:
        raise BadRecord(f"there is no card {quoted(text)}{nearest(text, names)}")
    return names.index(text)


def _reach(state: Record, path: list[int | str]) -> tuple[Any, Any]:
    """Return the list or record that holds what a path leads to, and its last step."""
    holder: Any = state
    for place, step in enumerate(path):
        has = step < len(holder) if isinstance(step, int) and isinstance(holder, list) else None
        has = step in holder.fields if isinstance(step, str) and isinstance(holder, Record) else has
        if not has:
            raise BadRecord(f"there is no {''.join(f'[{s}]' if isinstance(s, int) else f'.{s}' for s in path)[1:]}")
        if place < len(path) - 1:
            holder = holder[step] if isinstance(step, int) else getattr(holder, step)
    return holder, path[-1]


def _filled(old: object, values: list[int]) -> object:
    """Return the values in the shape of what they replace; one value fills it all."""
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
