"""Checks of the vocabulary of a game's sets, on its base set and on sets made by chance from the vocabulary alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from quintain.conformance.cases import Case, Failed, Skipped, require
from quintain.conformance.checks import check_game
from quintain.engine.cards import CardEntry, read_entries, write_entries
from quintain.engine.errors import BadCards
from quintain.engine.rules.collection import Collection
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import FIELD_KINDS, SetField, SetKind, Vocabulary, faults

SETS = 30
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@check_game
def the_vocabulary_holds_the_base_set(cases: Sequence[Case]) -> None:
    """The base set has no fault by its fields, and reads the same cards after it is written."""
    collection, vocabulary = _parts(cases[0].game)
    entries = read_entries(collection.base(), vocabulary)
    names = vocabulary.names([(entry.kind, entry.data) for entry in entries])
    for entry in entries:
        fields = vocabulary.fields(entry.kind, entry.data, names)
        require(all(field.kind in FIELD_KINDS for field in fields), f"a {entry.kind} has a field of no known kind")
        for fault in faults(entry.kind, fields, entry.data):
            raise Failed(f"{entry.name} of the base set: {fault.words}")
    same = list(collection.cards(write_entries(entries))) == list(collection.cards(collection.base()))
    require(same, "the base set does not read the same after it is written")


@check_game
def sets_made_by_chance_are_read_or_refused(cases: Sequence[Case]) -> None:
    """A set made by chance from the vocabulary keeps its data when written; most are read, and others name a line."""
    collection, vocabulary = _parts(cases[0].game)
    chooser, accepted = random.Random(20), 0
    for _ in range(SETS):
        entries = random_set(chooser, vocabulary)
        text = write_entries(entries)
        again = [(entry.kind, entry.data) for entry in read_entries(text, vocabulary)]
        require(again == [(entry.kind, entry.data) for entry in entries], f"this set reads otherwise:\n{text}")
        try:
            collection.cards(text)
            accepted += 1
        except BadCards as error:
            require(error.line, f"the message names no line: {error}")
    require(accepted > SETS // 3, f"of {SETS} sets that the vocabulary allows, only {accepted} are read")


def random_set(chooser: random.Random, vocabulary: Vocabulary, most: int = 2) -> list[CardEntry]:
    """Return a set made by chance from a vocabulary; it may contradict itself in ways that fields do not show."""
    entries = list[CardEntry]()
    kinds = [kind for kind in vocabulary.kinds if not kind.only_base]
    for kind in kinds:
        number = chooser.randint(kind.least, max(kind.least, min(kind.most, most)))
        for _ in range(number):
            name = f"{chooser.choice(LETTERS)}{chooser.choice(LETTERS).lower()}{chooser.choice(LETTERS).lower()}"
            if name not in {entry.name for entry in entries}:
                entries.append(_random_entry(chooser, vocabulary, kind, name, entries))
    return entries


def _random_entry(
    chooser: random.Random, vocabulary: Vocabulary, kind: SetKind, name: str, before: Sequence[CardEntry]
) -> CardEntry:
    names = vocabulary.names([(entry.kind, entry.data) for entry in before])
    data: dict[str, Any] = {}
    for key in [field.key for field in vocabulary.fields(kind.key, {}, names)]:
        field = next(each for each in vocabulary.fields(kind.key, data, names) if each.key == key)
        if field.kind == "name":
            data |= {} if field.may_miss else {key: name}
        elif field.kind in ("row", "rows"):
            _add_rows(chooser, vocabulary, kind, names, data, field)
        elif not field.is_refused and not (field.may_miss and chooser.random() < 0.5):
            data[key] = random_value(chooser, field)
    return CardEntry(kind.key, 1, data, kind.is_table)


def _add_rows(
    chooser: random.Random,
    vocabulary: Vocabulary,
    kind: SetKind,
    names: Any,
    data: dict[str, Any],
    field: SetField,
) -> None:
    """Write rows into a card, field by field, as each narrows what the next may be."""
    row: dict[str, Any] = {}
    data[field.key] = row if field.kind == "row" else [row]
    for key in [each.key for each in field.rows[-1]]:
        of_card = vocabulary.fields(kind.key, data, names)
        fields = next(each for each in of_card if each.key == field.key).rows[0]
        one = next(each for each in fields if each.key == key)
        if one.is_refused or (one.choices and not one.allowed) or (one.may_miss and chooser.random() < 0.6):
            continue
        row[key] = random_value(chooser, one)


def random_value(chooser: random.Random, field: SetField) -> Any:
    """Return a value that a field takes."""
    match field.kind:
        case "number":
            return _random_number(chooser, field)
        case "numbers" if field.parts:
            lows = field.lows or (field.least,) * len(field.parts)
            return [chooser.randint(max(low, -9), min(field.most, 9)) for low in lows]
        case "numbers":
            numbers = chooser.sample(range(field.least, field.most + 1), chooser.randint(*field.count))
            return sorted(numbers, reverse=field.step < 0) if field.step else numbers
        case "choice":
            return chooser.choice(list(field.allowed))
        case "choices":
            allowed = list(field.allowed)
            return chooser.sample(allowed, chooser.randint(max(1, field.count[0]), len(allowed)))
    return True


def _random_number(chooser: random.Random, field: SetField) -> int:
    number = chooser.randint(max(field.least, -9), min(field.most, 9))
    return number if number or field.zero else field.most


def _parts(game: Game) -> tuple[Collection, Vocabulary]:
    collection = game.collection
    if collection is None or getattr(collection, "vocabulary", None) is None:
        raise Skipped("the game has no sets of players' own")
    assert collection.vocabulary
    return collection, collection.vocabulary
