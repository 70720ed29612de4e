"""The vocabulary of a game's sets: which fields a card or a table has, what each takes, and what is wrong with it.

The `cards.py` of a game says this as data, since what a field takes may depend on the fields before it. Sets of cards
are checked by it, and forms in which people change sets are drawn from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from quintain.engine.errors import nearest, quoted

FIELD_KINDS = ("name", "number", "numbers", "choice", "choices", "switch", "row", "rows")


class Refusal(NamedTuple):
    """Why something cannot stand in a set: the reason and its clause."""

    why: str
    clause: str


class Fault(NamedTuple):
    """One fault of a card: the field (empty: the card as a whole), the number of the row (from 1; None outside rows),
    and what is wrong with its clause.
    """

    key: str
    row: int | None
    words: str
    clause: str


@dataclass(frozen=True)
class SetKind:
    """A kind of card or table in a set, under its key in the file: ``[[knight]]`` or, `is_table`, ``[tracks]``.

    A set has `least` to `most` of them; if it has none at all, those of the base set stay where `may_miss`. Kinds that
    are `only_base` cannot be added.

    Where no player draws cards of this kind, `counted` is the key, up to its first dot, of the count in the game's
    report that a change of them moves most. `more` and `less` say what such a change makes if that count grows or
    shrinks, with ``{}`` for how much: ``the camps {}safer``.
    """

    key: str
    words: str
    plural: str
    least: int = 0
    most: int = 400
    is_table: bool = False
    may_miss: bool = False
    only_base: bool = False
    counted: str = ""
    more: str = ""
    less: str = ""


@dataclass(frozen=True)
class SetField:
    """A field of a card or of one of its rows, and what it takes given the fields before it.

    `kind` is one of FIELD_KINDS: a name; a whole number from `least` to `most`; several such numbers, one for each of
    `parts`, or from `count[0]` to `count[1]` of them; one of the `choices`, or some of them, each once; true or false;
    one row, or up to `count[1]` rows, whose fields are in `rows`, with those of a further, empty row at the end. The
    `parts` may have a lowest number each, in `lows`, and numbers without parts may have to rise or fall with each step.
    `choices` are values with the words that a list shows for them. What is `refused`, a value or (under "") the field
    itself, cannot stand here because of the fields before it. `noun` names a value among many, such as ``knight``;
    `hint` says more on what the field takes.
    """

    key: str
    kind: str
    words: str
    clause: str
    hint: str = ""
    may_miss: bool = False
    least: int = 0
    most: int = 0
    zero: bool = True
    parts: tuple[str, ...] = ()
    lows: tuple[int, ...] = ()
    step: int = 0
    count: tuple[int, int] = (0, 0)
    choices: Mapping[str, str] = field(default_factory=dict)
    noun: str = ""
    refused: Mapping[str, Refusal] = field(default_factory=dict)
    rows: tuple[tuple[SetField, ...], ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether the field cannot stand here."""
        return "" in self.refused

    @property
    def allowed(self) -> dict[str, str]:
        """The choices that can stand here."""
        return {value: words for value, words in self.choices.items() if value not in self.refused}

    @property
    def takes(self) -> str:
        """What the field takes, in words."""
        more = f"; {self.hint}" if self.hint else ""
        return f"{self._takes()}{more}"

    def _takes(self) -> str:
        spans = self.least < 0 < self.most and not self.zero
        range_words = f"from {self.least} to {self.most}{', but not 0' if spans else ''}"
        listed = ", ".join(self.allowed)
        match self.kind:
            case "number":
                return f"takes a whole number {range_words}"
            case "numbers" if self.parts:
                lows = [
                    f"{part} at least {low}"
                    for part, low in zip(self.parts, self.lows, strict=False)
                    if low > self.least
                ]
                words = f"takes {_amount(len(self.parts))} whole numbers {range_words}, for {', '.join(self.parts)}"
                return f"{words}; {', '.join(lows)}" if lows else words
            case "numbers":
                way = {1: ", which rise with every step", -1: ", which fall with every step"}.get(self.step, "")
                return f"takes {self.count[0]} to {self.count[1]} whole numbers {range_words}{way}"
            case "choice":
                return f"is one of {listed}"
            case "choices":
                return f"is a list of some of {listed}, each once"
            case "switch":
                return "is true or false"
            case "row":
                return "must be one row in braces"
            case "rows":
                return f"is a list of at most {self.count[1]} rows in braces"
        return "is a name"


class Vocabulary:
    """The kinds of a game's sets, and the fields of each; a game writes `fields` of its own.

    `kinds` are in the order in which a list of the set shows them, and `clause` is the clause on sets.
    """

    kinds: Sequence[SetKind] = ()
    clause = ""

    def names(self, entries: Sequence[tuple[str, Mapping[str, Any]]]) -> Mapping[str, str]:
        """Return the kind of each name that fields may refer to, of cards given as kind and data."""
        return {data["name"]: kind for kind, data in entries if isinstance(data.get("name"), str)}

    def fields(self, kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> tuple[SetField, ...]:
        """Return all fields of a kind, in their order, given what a card says so far and the names in its set."""
        raise NotImplementedError


def faults(what: str, fields: Sequence[SetField], data: Mapping[str, Any], row: int | None = None) -> Iterator[Fault]:
    """Yield the faults of a card or row of this description, such as ``[[knight]]``, in the order of its fields."""
    keys = [each.key for each in fields]
    clause = fields[0].clause
    for key in data:
        if key not in keys:
            yield Fault(key, row, f"{what} has no field {quoted(key)}; its fields are {', '.join(keys)}", clause)
    for each in fields:
        if each.kind != "name" and (fault := _fault(each, data)):
            yield Fault(each.key, row, *fault)
        elif each.kind in ("row", "rows") and each.key in data:
            given = data[each.key]
            numbered = [(None, given)] if each.kind == "row" else list(enumerate(given, 1))
            for (number, one), of_row in zip(numbered, each.rows, strict=False):
                yield from faults(f"a {each.noun or 'row'}", of_row, one, number)


def _fault(each: SetField, data: Mapping[str, Any]) -> Refusal | None:
    """Return what is wrong with a field itself; what is inside its rows comes later."""
    key, value = each.key, data.get(each.key)
    if key not in data:
        needed = not (each.may_miss or each.is_refused)
        return Refusal(f"{key} is missing: it {each.takes}", each.clause) if needed else None
    if each.is_refused:
        return each.refused[""]
    if isinstance(value, str) and value in each.choices and value in each.refused:
        why, clause = each.refused[value]
        return Refusal(f"{key} cannot be {quoted(value)}: {why}", clause)
    if _fits(each, value):
        return None
    return Refusal(_wrong(each, value), each.clause)


def _wrong(each: SetField, value: Any) -> str:
    """Return in words why a value does not fit a field: first the part that is wrong, then what would be right."""
    key, takes = each.key, f"it {each.takes}"
    match each.kind:
        case "numbers" if isinstance(value, list):
            return _wrong_numbers(each, value)
        case "choices" if isinstance(value, list):
            return _wrong_choices(each, value)
        case "choice" if each.noun and isinstance(value, str):
            hint = f"; {each.hint}" if each.hint else ""
            return f"there is no {each.noun} {quoted(value)}{nearest(value, each.allowed)}{hint}"
        case "choice" if each.noun:
            return f"{key} is a text, not {in_toml(value)}" + (f"; {each.hint}" if each.hint else "")
        case "number":
            return f"{key} cannot be {in_toml(value)}: {takes}"
        case "rows" if isinstance(value, list):
            if len(value) > each.count[1]:
                return f"{key} has {len(value)} rows: at most {each.count[1]} are allowed"
            at = next(at for at, row in enumerate(value, 1) if not isinstance(row, dict))
            return f"{key}, row {at} is {in_toml(value[at - 1])}: a row stands in braces"
    return f"{key} {each.takes}, not {in_toml(value)}"


def _wrong_numbers(each: SetField, numbers: list[Any]) -> str:
    """Return in words which number of a list does not fit, or that there are too many or too few."""
    key = each.key
    for at, number in enumerate(numbers):
        part = each.parts[at] if at < len(each.parts) else f"step {at + 1}"
        low = each.lows[at] if at < len(each.lows) else each.least
        if not _is_number(each, number) or (each.parts and at < len(each.parts) and number < low):
            spans = low < 0 < each.most and not each.zero
            return (
                f"{key}, {part} cannot be {in_toml(number)}: it takes a whole number from {low} to {each.most}"
                f"{', but not 0' if spans else ''}"
            )
    least, most = each.count if not each.parts else (len(each.parts), len(each.parts))
    if not least <= len(numbers) <= most:
        return f"{key} has {_amount(len(numbers))} number{'' if len(numbers) == 1 else 's'}: it {each.takes}"
    at = next(at for at in range(1, len(numbers)) if each.step * (numbers[at] - numbers[at - 1]) <= 0)
    way, edge, last = ("more", each.most, "highest") if each.step > 0 else ("less", each.least, "lowest")
    before = numbers[at - 1]
    room = f"so {before + each.step} or {way}" if before != edge else f"but {before} is the {last} number already"
    return f"{key}, step {at + 1}: each step has to be {way} than the one before it, {room}"


def _wrong_choices(each: SetField, chosen: list[Any]) -> str:
    """Return in words which of several choices does not fit."""
    for at, one in enumerate(chosen):
        if not isinstance(one, str):
            return f"{each.key} has {in_toml(one)} in it: it {each.takes}"
        if one in each.refused and one in each.choices:
            return f"{each.key} cannot have {quoted(one)} in it: {each.refused[one].why}"
        if one not in each.allowed:
            return f"{each.key} cannot have {quoted(one)} in it{nearest(one, each.allowed)}: it {each.takes}"
        if one in chosen[:at]:
            return f"{each.key} has {quoted(one)} twice: it {each.takes}"
    return f"{each.key} has {_amount(len(chosen)) if chosen else 'nothing'} in it: it {each.takes}"


def in_toml(value: object) -> str:
    """Return a value as a message quotes it to people who write TOML: lists and tables are only named.

    >>> in_toml(True), in_toml("many"), in_toml([6, 5, 7])
    ('true', "'many'", 'a list')
    """
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table in braces"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value) if isinstance(value, str | int | float) else f"the time {value}"


def _fits(each: SetField, value: Any) -> bool:
    match each.kind:
        case "number":
            return _is_number(each, value)
        case "numbers":
            return (
                isinstance(value, list) and all(_is_number(each, number) for number in value) and _in_order(each, value)
            )
        case "choice":
            return isinstance(value, str) and value in each.allowed
        case "choices":
            some = isinstance(value, list) and all(isinstance(one, str) and one in each.allowed for one in value)
            return some and len(set(value)) == len(value) >= each.count[0]
        case "switch":
            return type(value) is bool
        case "row":
            return isinstance(value, dict)
    return isinstance(value, list) and len(value) <= each.count[1] and all(isinstance(row, dict) for row in value)


def _is_number(each: SetField, value: Any) -> bool:
    return type(value) is int and each.least <= value <= each.most and (each.zero or value != 0)


def _in_order(each: SetField, numbers: list[int]) -> bool:
    """Tell whether numbers are as many as a field takes, and keep to its lowest numbers and its steps."""
    if each.parts:
        lows = each.lows or (each.least,) * len(each.parts)
        return len(numbers) == len(each.parts) and all(number >= low for number, low in zip(numbers, lows, strict=True))
    ordered = [each.step * number for number in numbers]
    return each.count[0] <= len(numbers) <= each.count[1] and (not each.step or ordered == sorted(set(ordered)))


def _amount(number: int) -> str:
    """Return a small number in words."""
    return ("no", "one", "two", "three", "four")[number] if number <= 4 else str(number)
