"""The values for the form of a card in the workshop: its fields with old values and faults, and its printed text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from quintain.engine.cards import CardEntry
from quintain.engine.errors import QuintainError
from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import Fault, SetField
from quintain.server.pages.cards.listed import Listed, listed_cards, shown
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import sentence
from quintain.server.workshop.card_forms import ON, input_values, rows_of, text_of
from quintain.server.workshop.differences import old_values, row_words, value_words
from quintain.server.workshop.drafts import (
    base_draft,
    card_faults,
    entries_of,
    fields_of,
    kind_of,
    listed,
    parts_of,
    written,
)
from quintain.server.workshop.renames import matched

KEPT = 16
"""The sets whose cards are remembered with their arms."""
FEW = 6
"""Up to so many choices are boxes in a row; a field of one choice is always a list."""


def card_form(found: Game, text: str, before: str, at: int) -> Context:
    """Return the values for the form of a card of a draft, which a set before may have otherwise."""
    entries = entries_of(found, text)
    entry, wrong = entries[at], card_faults(found, text, at)
    old = old_values(found, before, entries, at)
    kind = kind_of(parts_of(found)[1], entry.kind)
    of_old = parts_of(found)[1].fields(entry.kind, old[0], old[1]) if old else ()
    shown_faults = set[int]()
    fields = [
        _field(field, f"{at}.", entry.data, _Before.of(of_old, old[0] if old else None), wrong, shown_faults)
        for field in fields_of(found, entries, entry)
        if not field.is_refused
    ]
    return {
        "at": at,
        "name": entry.name,
        "kind": kind.words,
        "is_new": old is None,
        "is_changed": old is not None and old[0] != entry.data,
        "fields": fields,
        "wrong": [fault_words(fault) for fault in wrong if id(fault) not in shown_faults],
        "faults": len(wrong),
    }


class _Before:
    """A card or a row as it was before: its fields by key, and its data; both are empty if it is new."""

    def __init__(self, fields: Mapping[str, SetField], data: Mapping[str, Any], is_there: bool):
        self.fields, self.data, self.is_there = fields, data, is_there

    @classmethod
    def of(cls, fields: Sequence[SetField], data: Mapping[str, Any] | None) -> _Before:
        return cls({each.key: each for each in fields}, data or {}, data is not None)

    def words(self, field: SetField, now: Any) -> str:
        """Return what a field said before, if it says something else now; else nothing."""
        was = self.data.get(field.key)
        if not self.is_there or was == now:
            return ""
        return value_words(self.fields.get(field.key, field), was) or "nothing"

    def row(self, key: str, number: int) -> _Before:
        """Return a row of a field as it was before."""
        field = self.fields.get(key)
        rows = [row for _, row in rows_of(field, self.data.get(key))] if field else []
        if field is None or number >= len(rows):
            return _Before({}, {}, False)
        return _Before.of(field.rows[number], rows[number])


def fault_words(fault: Fault) -> Context:
    """Return a fault as a sentence, and its clause."""
    return {"words": sentence(fault.words), "clause": fault.clause}


def _field(
    field: SetField,
    prefix: str,
    data: Mapping[str, Any],
    before: _Before,
    wrong: Sequence[Fault],
    shown_faults: set[int],
    row: int | None = None,
) -> Context:
    """Return the values for a field; the faults that it shows are noted."""
    value, name = data.get(field.key), prefix + field.key
    here = [fault for fault in wrong if fault.key == field.key and fault.row == row]
    shown_faults.update(map(id, here))
    made: Context = {
        "key": field.key,
        "name": name,
        "id": "f-" + name.replace(".", "-").replace(" ", "-"),
        "kind": field.kind,
        "words": field.words,
        "takes": _takes(field),
        "old": "" if field.kind in ("row", "rows") else before.words(field, value),
        "wrong": [fault_words(fault) for fault in here],
        "is_short": field.kind in ("number", "switch"),
    }
    inputs = input_values(field, value, prefix) if field.kind not in ("row", "rows") else {}
    match field.kind:
        case "choice":
            return made | {"options": _options(field, value)}
        case "choices":
            return made | {"boxes": _boxes(field, name, inputs)}
        case "numbers":
            return made | {"cells": number_cells(field, value, prefix, before.data.get(field.key), before.is_there)}
        case "switch":
            return made | {"is_on": bool(inputs)}
        case "row" | "rows":
            return made | _rows(field, prefix, data, before, wrong, shown_faults)
    return made | {"value": inputs.get(name, "")}


def _takes(field: SetField) -> str:
    """Return in a sentence what a field takes; a list shows its choices itself."""
    words = field.hint if field.kind in ("choice", "choices") else field.takes
    return sentence(words) if words else ""


def _boxes(field: SetField, name: str, inputs: Mapping[str, str]) -> list[Context]:
    """Return a box for each choice that is allowed, and for those that are there already."""
    chosen = [key[len(name) + 1 :] for key in inputs]
    boxes = [*field.allowed, *(each for each in chosen if each not in field.allowed)]
    return [{"name": f"{name}:{one}", "words": field.choices.get(one, one), "is_on": one in chosen} for one in boxes]


def _options(field: SetField, value: Any) -> list[Context]:
    """Return what the list of a field offers: what is allowed, nothing if it may miss, and what is there already."""
    given = text_of(value)
    options = [{"value": one, "words": words, "is_on": one == given} for one, words in field.allowed.items()]
    if given and given not in field.allowed:
        words = field.choices.get(given, given)
        options.insert(0, {"value": given, "words": f"{words[:60]} (not allowed)", "is_on": True})
    if field.may_miss or not given:
        options.insert(0, {"value": "", "words": "\N{EM DASH}", "is_on": not given})
    return options


def number_cells(field: SetField, value: Any, prefix: str, was: Any, was_there: bool) -> list[Context]:
    """Return a cell for each number of a list: of each part, or of each step and one more."""
    given = value if isinstance(value, list) else [] if value is None else [value]
    old = was if isinstance(was, list) else []
    number = len(field.parts) or min(field.count[1], max(field.count[0], len(given) + 1))
    cells = []
    for at in range(max(number, len(given))):
        now, then = (each[at] if at < len(each) else None for each in (given, old))
        is_changed = was_there and now != then
        cells.append(
            {
                "name": f"{prefix}{field.key}.{at}",
                "words": field.parts[at] if at < len(field.parts) else f"step {at + 1}",
                "value": text_of(now),
                "old": (text_of(then) or "nothing") if is_changed else "",
                "is_wrong": now is not None and not _is_fine(field, at, given),
            }
        )
    return cells


def _is_fine(field: SetField, at: int, given: Sequence[Any]) -> bool:
    """Tell whether a number of a list is one that its field takes, and keeps the order of the steps."""
    number = given[at]
    low = field.lows[at] if at < len(field.lows) else field.least
    if type(number) is not int or not low <= number <= field.most or (field.parts and at >= len(field.parts)):
        return False
    before = given[at - 1] if at and type(given[at - 1]) is int else None
    return not field.step or before is None or field.step * number > field.step * before


def _rows(
    field: SetField,
    prefix: str,
    data: Mapping[str, Any],
    before: _Before,
    wrong: Sequence[Fault],
    shown_faults: set[int],
) -> Context:
    """Return the values for the rows of a field."""
    made = []
    for number, (of_row, row) in enumerate(rows_of(field, data.get(field.key))):
        inner = [one for one in field.rows[number] if not one.is_refused] if number < len(field.rows) else []
        then, at = before.row(field.key, number), None if field.kind == "row" else number + 1
        fields = [_field(one, prefix + of_row, row, then, wrong, shown_faults, at) for one in inner]
        others = [each for each in wrong if at is not None and each.row == at and id(each) not in shown_faults]
        shown_faults.update(map(id, others))
        made.append(
            {
                "mark": prefix + of_row.removesuffix(".") if field.kind == "rows" else "",
                "number": number,
                "title": field.words if field.kind == "row" else f"Row {number + 1}",
                "words": row_words({one.key: one for one in inner}, row),
                "is_new": before.is_there and not then.is_there,
                "fields": fields,
                "wrong": [fault_words(fault) for fault in others],
            }
        )
    most = field.count[1]
    return {"rows": made, "mark_value": ON, "most": most, "can_add": field.kind == "rows" and len(made) < most}


def printed(found: Game, text: str, valid: str, at: int) -> tuple[Listed | None, bool]:
    """Return a card as it will be printed, and whether that is what the draft says.

    While something is wrong in another card, this one is shown in the last valid set; while it is wrong itself, it
    stays as it was.
    """
    entries = entries_of(found, text)
    entry = entries[at]
    for set_text in _sets_with(found, entries, valid, at, text):
        if card := _card_of(found, set_text, entry):
            return card, True
    there = entries_of(found, valid) if valid else ()
    place = matched(there, entries).get(at)
    return (None if place is None else _card_of(found, valid, there[place])), False


def _sets_with(found: Game, entries: Sequence[CardEntry], valid: str, at: int, text: str) -> Sequence[str]:
    """Return sets that may be valid and have the card as it now is: the draft, then the last valid set with it."""
    if not valid or valid == text:
        return [text]
    there = list(entries_of(found, valid))
    place = matched(there, entries).get(at)
    if place is None:
        there.append(entries[at])
    else:
        there[place] = replace(there[place], data=entries[at].data)
    return [text, written(found, there)]


@lru_cache(KEPT)
def with_first_arms(found: Game, text: str) -> tuple[ListedCard, ...]:
    """Return the cards of a set, of which those with another name than in the base set keep their first arms.

    Raises BadOption if the set is not valid.
    """
    first = first_keys(found, text)
    entries = entries_of(found, text)
    keys = {entries[at].name: key for at, key in first.items()}
    return tuple(replace(card, key=keys[card.name]) if card.name in keys else card for card in listed(found, text))


@lru_cache(KEPT)
def first_keys(found: Game, text: str) -> Mapping[int, str]:
    """Return the keys of the pictures that cards with another name than in the base set had there, by their numbers."""
    base, entries = entries_of(found, base_draft(found)), entries_of(found, text)
    keys = {card.name: card.key for card in listed_cards(found)}
    renamed = {
        at: base[place].name for at, place in matched(base, entries).items() if base[place].name != entries[at].name
    }
    return {at: keys[name] for at, name in renamed.items() if name in keys}


def _card_of(found: Game, text: str, entry: CardEntry) -> Listed | None:
    """Return a card of a valid set as templates draw it; None if the set is not valid, or prints no such card."""
    try:
        cards = with_first_arms(found, text)
    except QuintainError:
        return None
    return drawn_card(found, cards, entry)


def drawn_card(found: Game, cards: Sequence[ListedCard], entry: CardEntry) -> Listed | None:
    """Return the card of an entry as templates draw it; of cards of one name, the one of its kind."""
    named = [card for card in cards if card.name == entry.name]
    plural = kind_of(parts_of(found)[1], entry.kind).plural.casefold()
    of_kind = [card for card in named if card.kind.casefold() == plural]
    return next(iter(shown(found, (of_kind or named)[:1])), None)
