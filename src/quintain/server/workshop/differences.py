"""What differs between two sets, in words made of the vocabulary alone: data with the old and the new of each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, NamedTuple

from quintain.engine.cards import CardEntry
from quintain.engine.rules.game import Game
from quintain.engine.toml import toml
from quintain.engine.vocabulary import SetField, Vocabulary
from quintain.server.workshop.card_forms import MINUS, text_of
from quintain.server.workshop.drafts import entries_of, kind_of, names_in, parts_of
from quintain.server.workshop.renames import NAME, matched

CHANGED, ADDED, REMOVED = "changed", "added", "removed"


class PartChange(NamedTuple):
    """A part of a card that differs: what it is, and its old and its new value in words; one of them may be empty."""

    words: str
    old: str
    new: str


class CardChange(NamedTuple):
    """A card that differs: its kind, its name, how (CHANGED, ADDED or REMOVED), and the parts of a changed one.

    `was` is the name that it had before, if that was another one.
    """

    kind: str
    name: str
    how: str
    parts: tuple[PartChange, ...] = ()
    was: str = ""


def changed_cards(found: Game, before: str, now: str) -> set[int]:
    """Return the numbers of the cards in `now` that are not the same in `before`."""
    old, new = entries_of(found, before), entries_of(found, now)
    places = matched(old, new)
    return {at for at, entry in enumerate(new) if at not in places or old[places[at]].data != entry.data}


def differences(found: Game, before: str, now: str) -> list[CardChange]:
    """Return what differs between two sets: changed and added cards in the order of `now`, then removed ones."""
    old, new = entries_of(found, before), entries_of(found, now)
    places, vocabulary = matched(old, new), parts_of(found)[1]
    names = names_in(found, old), names_in(found, new)
    changes = list[CardChange]()
    for at, entry in enumerate(new):
        was = old[places[at]] if at in places else None
        if was is None:
            changes.append(CardChange(entry.kind, called(vocabulary, entry), ADDED))
        elif was.data != entry.data:
            other = was.name if was.name != entry.name else ""
            data = {**was.data, NAME: entry.name} if other else was.data
            parts = tuple(_parts(vocabulary, entry.kind, (data, entry.data), names))
            changes.append(CardChange(entry.kind, called(vocabulary, entry), CHANGED, parts, other))
    there = {*places.values()}
    removed = [
        CardChange(each.kind, called(vocabulary, each), REMOVED) for at, each in enumerate(old) if at not in there
    ]
    return [*changes, *removed]


def called(vocabulary: Vocabulary, entry: CardEntry) -> str:
    """Return what a card is called on a page: a table is called by its kind."""
    return kind_of(vocabulary, entry.kind).words if entry.is_table else entry.name


def old_values(
    found: Game, before: str, entries: Sequence[CardEntry], at: int
) -> tuple[Mapping[str, Any], Mapping[str, str]] | None:
    """Return a card as another set has it, and the names of that set; None if it has no such card."""
    there = entries_of(found, before)
    place = matched(there, entries).get(at)
    return None if place is None else (there[place].data, names_in(found, there))


def _parts(
    vocabulary: Vocabulary,
    kind: str,
    both: tuple[Mapping[str, Any], Mapping[str, Any]],
    names: tuple[Mapping[str, str], Mapping[str, str]],
) -> Iterator[PartChange]:
    """Yield what differs between two cards of a kind."""
    old, new = ({each.key: each for each in vocabulary.fields(kind, both[i], names[i])} for i in (0, 1))
    yield from _fields(old, new, both)


def _fields(
    old: Mapping[str, SetField], new: Mapping[str, SetField], both: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> Iterator[PartChange]:
    keys = dict.fromkeys([*new, *old, *both[0], *both[1]])
    for key in keys:
        was, now = both[0].get(key), both[1].get(key)
        field = new.get(key) or old.get(key)
        if was == now:
            continue
        if field is None:
            yield PartChange(key, text_of(was), text_of(now))
        elif field.kind in ("row", "rows"):
            yield from _rows(field, (old.get(key) or field, new.get(key) or field), (was, now))
        elif field.kind == "numbers" and isinstance(was, list) and isinstance(now, list):
            yield from _numbers(field, was, now)
        else:
            yield PartChange(field.words, value_words(old.get(key) or field, was), value_words(field, now))


def _numbers(field: SetField, was: list[Any], now: list[Any]) -> Iterator[PartChange]:
    """Yield the numbers of a list that differ, each with its part or its step."""
    for at, (one, other) in enumerate(zip_longest(was, now)):
        if one != other:
            part = field.parts[at] if at < len(field.parts) else f"step {at + 1}"
            signed = _is_signed(field)
            yield PartChange(f"{field.words}, {part}", number_words(one, signed), number_words(other, signed))


def _is_signed(field: SetField) -> bool:
    """Tell whether the numbers of a field are changes, which are written with their sign."""
    return field.least < 0 and (field.kind == "numbers" or not field.zero)


def _rows(field: SetField, fields: tuple[SetField, SetField], both: tuple[Any, Any]) -> Iterator[PartChange]:
    """Yield the rows that differ: those at the same place field by field, others as a whole."""
    of_old, of_new = ({at: _by_key(one, at) for at in range(len(one.rows))} for one in fields)
    old, new = (_as_rows(each) for each in both)
    found = SequenceMatcher(None, [toml(row) for row in old], [toml(row) for row in new], autojunk=False)
    for how, low, high, start, end in found.get_opcodes():
        if how == "equal":
            continue
        for at, to in zip_longest(range(low, high), range(start, end)):
            words = field.words if field.kind == "row" else f"Row {to if to is None else to + 1}"
            if at is None:
                yield PartChange(
                    "New row" if field.kind == "rows" else words, "", row_words(of_new.get(to, {}), new[to])
                )
            elif to is None:
                yield PartChange(f"Removed row {at + 1}", row_words(of_old.get(at, {}), old[at]), "")
            else:
                for part in _fields(of_old.get(at, {}), of_new.get(to, {}), (old[at], new[to])):
                    yield part._replace(words=f"{words}, {part.words}")


def _by_key(field: SetField, at: int) -> dict[str, SetField]:
    return {each.key: each for each in field.rows[at]}


def _as_rows(value: Any) -> list[Mapping[str, Any]]:
    given = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [row for row in given if isinstance(row, dict)]


def row_words(fields: Mapping[str, SetField], row: Mapping[str, Any]) -> str:
    """Return a row in words: what each of its fields says, in their order."""
    said = [value_words(field, row[key]) for key, field in fields.items() if key in row]
    return ", ".join(word for word in said if word) or "nothing yet"


def value_words(field: SetField, value: Any) -> str:
    """Return the value of a field in words; empty for a missing one."""
    if value is None:
        return "off" if field.kind == "switch" else ""
    match field.kind:
        case "number" | "numbers":
            signed = _is_signed(field)
            numbers = value if isinstance(value, list) else [value]
            return ", ".join(number_words(each, signed) for each in numbers)
        case "choice":
            return field.choices.get(value, value) if isinstance(value, str) else text_of(value)
        case "choices" if isinstance(value, list):
            return ", ".join(field.choices.get(one, one) if isinstance(one, str) else text_of(one) for one in value)
        case "switch":
            return "on" if value is True else "off"
        case "row" | "rows":
            return "; ".join(row_words(_by_key(field, at), row) for at, row in enumerate(_as_rows(value)))
    return text_of(value)


def option_words(value: object) -> str:
    """Return the value of an option in words.

    >>> option_words(True), option_words([5, 6])
    ('yes', '5, 6')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def number_words(value: Any, signed: bool) -> str:
    """Return a number with a minus sign, and with a plus where numbers may be negative; empty for a missing one.

    >>> number_words(2, True), number_words(2, False)
    ('+2', '2')
    """
    if type(value) is not int:
        return text_of(value)
    plus = "+" if signed and value > 0 else ""
    return plus + toml(value).replace("-", MINUS)
