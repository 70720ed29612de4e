"""Cards as forms: the values of the inputs for a card's data, and the data of what is posted.

A field is an input with the field's key as its name. The numbers of a list are ``levels.0``, ``levels.1`` and so on,
each of several choices is a box such as ``types:Grail``, and the fields of rows are ``skill.whom`` or ``rows.0.whom``.
A row is there if its mark, such as ``rows.0``, is posted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from quintain.engine.toml import toml
from quintain.engine.vocabulary import SetField, Vocabulary

WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
ON = "on"
"""The value of a box that is ticked, and of the mark of a row."""
MINUS = "\N{MINUS SIGN}"


def text_of(value: object) -> str:
    """Return a value as an input shows it; empty for None, which stands for a missing value."""
    if value is None:
        return ""
    return value if isinstance(value, str) else toml(value)


def number_of(text: str) -> int | str:
    """Return the number that somebody has typed; what is no number stays a text, which the faults then name.

    >>> number_of(" -3 "), number_of("three")
    (-3, 'three')
    """
    plain = text.strip().replace(MINUS, "-")
    return int(plain) if WHOLE_NUMBER.fullmatch(plain) else text


def input_values(field: SetField, value: object, prefix: str = "") -> dict[str, str]:
    """Return what the inputs of a field show, by name; those that are empty are left out. Rows are not among them."""
    name = prefix + field.key
    match field.kind:
        case "numbers":
            given = value if isinstance(value, list) else [] if value is None else [value]
            shown = {f"{name}.{at}": text_of(number) for at, number in enumerate(given)}
        case "choices":
            given = value if isinstance(value, list) else []
            shown = {f"{name}:{one}": ON for one in given if isinstance(one, str)}
        case "switch":
            shown = {name: ON if value is True else ""}
        case _:
            shown = {name: text_of(value)}
    return {name: text for name, text in shown.items() if text}


def form_values(vocabulary: Vocabulary, kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    """Return what the whole form of a card shows, by the names of its inputs; `read_card` reads the same card."""
    shown = dict[str, str]()
    for field in vocabulary.fields(kind, data, names):
        if field.is_refused:
            continue
        if field.kind not in ("row", "rows"):
            shown |= input_values(field, data.get(field.key))
        for (prefix, row), fields in zip(rows_of(field, data.get(field.key)), field.rows, strict=False):
            if field.kind == "rows":
                shown[prefix.removesuffix(".")] = ON
            for one in fields:
                shown |= input_values(one, row.get(one.key), prefix)
    return shown


def rows_of(field: SetField, value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a field as it shows them, each with what the names of its inputs begin with."""
    if field.kind == "row":
        yield f"{field.key}.", value if isinstance(value, dict) else {}
    elif field.kind == "rows" and isinstance(value, list):
        for at, row in enumerate(each for each in value if isinstance(each, dict)):
            yield f"{field.key}.{at}.", row


def read_card(
    vocabulary: Vocabulary,
    kind: str,
    old: Mapping[str, Any],
    posted: Mapping[str, str],
    names: Mapping[str, str],
) -> dict[str, Any]:
    """Return the data of a card that a form posts, after it was `old`; it may be faulty.

    Fields are read in their order, since each narrows what the next ones are: what cannot stand any more falls away.
    """
    data, done = dict[str, Any](), set[str]()
    while field := _next(vocabulary.fields(kind, data, names), done):
        done.add(field.key)
        if field.is_refused:
            continue
        if field.kind in ("row", "rows"):
            _read_rows(vocabulary, kind, field, data, old.get(field.key), posted, names)
        else:
            _read_field(field, data, old, posted, "")
    return _in_order(data, old)


def _in_order(data: dict[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    """Return data with its keys in the order that they had before."""
    return {key: data[key] for key in old if key in data} | data


def _next(fields: tuple[SetField, ...], done: set[str]) -> SetField | None:
    return next((field for field in fields if field.key not in done), None)


def _read_rows(
    vocabulary: Vocabulary,
    kind: str,
    field: SetField,
    data: dict[str, Any],
    old: object,
    posted: Mapping[str, str],
    names: Mapping[str, str],
) -> None:
    """Write the rows of a field into a card; each field of a row narrows the next ones, too."""
    before = dict(rows_of(field, old))
    rows = list[dict[str, Any]]()
    for prefix in _posted_rows(field, posted):
        rows.append({})
        data[field.key] = rows[0] if field.kind == "row" else rows
        done = set[str]()
        while one := _next(_fields_of_row(vocabulary, kind, field.key, data, names, len(rows) - 1), done):
            done.add(one.key)
            if not one.is_refused:
                _read_field(one, rows[-1], before.get(prefix, {}), posted, prefix)
        ordered = _in_order(rows[-1], before.get(prefix, {}))
        rows[-1].clear()
        rows[-1].update(ordered)
    if field.kind == "rows" and not rows and old == []:
        data[field.key] = []
    if field.kind == "row" and not rows[0] and old is None:
        del data[field.key]


def _posted_rows(field: SetField, posted: Mapping[str, str]) -> list[str]:
    """Return what the names of the inputs of each row that was posted begin with; one row more than allowed at most."""
    if field.kind == "row":
        return [f"{field.key}."]
    mark = re.compile(rf"{re.escape(field.key)}\.([0-9]{{1,3}})", re.ASCII)
    numbers = sorted({int(found[1]) for name in posted if (found := mark.fullmatch(name))})
    return [f"{field.key}.{number}." for number in numbers[: field.count[1] + 1]]


def _fields_of_row(
    vocabulary: Vocabulary, kind: str, key: str, data: Mapping[str, Any], names: Mapping[str, str], at: int
) -> tuple[SetField, ...]:
    return next(each.rows[at] for each in vocabulary.fields(kind, data, names) if each.key == key)


def _read_field(
    field: SetField, target: dict[str, Any], old: Mapping[str, Any], posted: Mapping[str, str], prefix: str
) -> None:
    """Write the value of a field into a card or a row, unless it is missing.

    A value that its inputs do not show in full stays as it was, as long as nobody changes them: the order of choices,
    or a switch that says that it is off.
    """
    name, value = prefix + field.key, old.get(field.key)
    given = {key: text for key, text in posted.items() if _belongs(field, name, key) and text.strip()}
    if field.kind not in ("number", "numbers") and given == input_values(field, value, prefix):
        read = value
    else:
        read = _value(field, name, given)
    if read is not None:
        target[field.key] = read


def _belongs(field: SetField, name: str, key: str) -> bool:
    if field.kind == "choices":
        return key.startswith(f"{name}:")
    if field.kind == "numbers":
        return key.startswith(f"{name}.") and key[len(name) + 1 :].isdecimal()
    return key == name


def _value(field: SetField, name: str, given: Mapping[str, str]) -> Any:
    """Return the value of a field whose inputs hold this; None if it is missing."""
    match field.kind:
        case "number":
            return number_of(given[name]) if given else None
        case "numbers":
            return [number_of(given[key]) for key in sorted(given, key=lambda key: int(key[len(name) + 1 :]))] or None
        case "choices":
            chosen = {key[len(name) + 1 :] for key in given}
            ordered = [one for one in field.choices if one in chosen]
            return [*ordered, *sorted(chosen - set(ordered))] or None
        case "switch":
            return True if given else None if field.may_miss else False
    return given.get(name)
