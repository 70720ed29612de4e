"""Drafts of sets: a text in TOML that people change card by card, and what is wrong with it.

A draft may break rules of its game, but `read_entries` always reads it: what no set can be is refused at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple

from quintain.engine.cards import LONGEST_NAME, CardEntry, check_numbers, read_entries, write_entries
from quintain.engine.errors import BadCards, BadOption, QuintainError, UnknownGame
from quintain.engine.rules.collection import Collection, ListedCard
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import Fault, SetField, SetKind, Vocabulary, faults
from quintain.server.workshop.card_forms import form_values, number_of, read_card
from quintain.server.workshop.set_options import check_together

KEPT = 64
"""The texts of sets that are remembered with what they say, so that one page does not read a text twice."""
CLAUSE_AT_END = re.compile(r"(.*) \(([A-Z]+-[0-9]+)\)", re.DOTALL)
"""A message, and the clause that it ends with."""


class SetFault(NamedTuple):
    """The first fault of a whole set: the number of its card (from 0), and the fault; None if it is in no card."""

    card: int | None
    fault: Fault


def has_workshop(found: Game) -> bool:
    """Tell whether a game takes sets of players' own, and says which fields they have."""
    return getattr(found.collection, "vocabulary", None) is not None


def parts_of(found: Game) -> tuple[Collection, Vocabulary]:
    """Return the collection of a game that takes own sets, and its vocabulary; raises UnknownGame for others."""
    collection = found.collection
    vocabulary: Vocabulary | None = getattr(collection, "vocabulary", None)
    if collection is None or vocabulary is None:
        raise UnknownGame(f"{found.title} takes no cards of your own")
    return collection, vocabulary


def kind_of(vocabulary: Vocabulary, key: str) -> SetKind:
    """Return a kind of a set by its key; raises BadOption if there is none."""
    kinds = {kind.key: kind for kind in vocabulary.kinds}
    if key not in kinds:
        raise BadOption(f"there is no such kind of card; the kinds are {', '.join(kinds)}")
    return kinds[key]


@lru_cache(KEPT)
def entries_of(found: Game, text: str) -> tuple[CardEntry, ...]:
    """Return the cards of a draft; raises BadCards if it is none."""
    return tuple(read_entries(text, parts_of(found)[1]))


def names_in(found: Game, entries: Sequence[CardEntry]) -> Mapping[str, str]:
    """Return the kind of each name that a field may refer to in a set."""
    return parts_of(found)[1].names([(entry.kind, entry.data) for entry in entries])


def written(found: Game, entries: Sequence[CardEntry]) -> str:
    """Return a draft of these cards; raises BadCards if no set can be so large."""
    text = write_entries(entries)
    entries_of(found, text)
    return text


@cache
def base_draft(found: Game) -> str:
    """Return the base set of a game as a draft."""
    collection, vocabulary = parts_of(found)
    return written(found, read_entries(collection.base(), vocabulary))


def first_draft(found: Game) -> str:
    """Return a draft with one new card, or as many as the first kind needs."""
    kind = next(kind for kind in parts_of(found)[1].kinds if not (kind.is_table or kind.only_base))
    text = ""
    for _ in range(max(1, kind.least)):
        text = with_new_card(found, text, kind.key)[0]
    return text


@lru_cache(KEPT)
def listed(found: Game, text: str) -> tuple[ListedCard, ...]:
    """Return the cards that a match with this set has; raises BadOption if the set is not valid."""
    return tuple(parts_of(found)[0].cards(text))


@lru_cache(KEPT)
def first_fault(found: Game, text: str) -> SetFault | None:
    """Return what is wrong with a draft, as its game says; None if it is valid. Raises BadCards if it is no draft."""
    vocabulary, entries = parts_of(found)[1], entries_of(found, text)
    try:
        if not entries:
            raise BadCards(f"a set has at least one card ({vocabulary.clause})")
        check_numbers(entries, vocabulary)
        names = names_in(found, entries)
        for entry in entries:
            entry.check(described(entry), vocabulary.fields(entry.kind, entry.data, names))
        listed(found, text)
        check_together(found, text)
    except BadCards as error:
        at = next((at for at, entry in enumerate(entries) if entry.line == error.line), None)
        place = "" if at is None else str(entries[at].wrong("\0", "", error.row)).partition("\0")[0]
        words, clause = with_clause(str(error).removeprefix(place))
        return SetFault(at, Fault(error.key, error.row, words, clause or vocabulary.clause))
    except QuintainError as error:
        words, clause = with_clause(str(error))
        return SetFault(None, Fault("", None, words, clause or vocabulary.clause))
    return None


def with_clause(message: str) -> tuple[str, str]:
    """Return a message, and the clause that it ends with, which may be empty.

    >>> with_clause("a set has at most 8 cards (HB-29)")
    ('a set has at most 8 cards', 'HB-29')
    """
    found = CLAUSE_AT_END.fullmatch(message)
    return (found[1], found[2]) if found else (message, "")


def described(entry: CardEntry) -> str:
    """Return the kind of a card as a file has it."""
    return f"[{entry.kind}]" if entry.is_table else f"[[{entry.kind}]]"


def card_faults(found: Game, text: str, at: int) -> list[Fault]:
    """Return all faults of a card by its fields, and the first of the whole set if it is in this card."""
    entries = entries_of(found, text)
    fields = fields_of(found, entries, entries[at])
    own = list(faults(described(entries[at]), fields, entries[at].data))
    whole = first_fault(found, text)
    if whole and whole.card == at and not own:
        own.append(whole.fault)
    return own


def faulty_cards(found: Game, text: str) -> dict[int, str]:
    """Return the numbers of the cards that are wrong, each with its first fault in words."""
    entries, wrong, whole = entries_of(found, text), dict[int, str](), first_fault(found, text)
    if whole is None:
        return wrong
    names, vocabulary = names_in(found, entries), parts_of(found)[1]
    for at, entry in enumerate(entries):
        fields = vocabulary.fields(entry.kind, entry.data, names)
        for fault in faults(described(entry), fields, entry.data):
            wrong.setdefault(at, fault.words)
    if whole.card is not None:
        wrong.setdefault(whole.card, whole.fault.words)
    return wrong


def fields_of(found: Game, entries: Sequence[CardEntry], entry: CardEntry) -> tuple[SetField, ...]:
    """Return the fields of a card in a set."""
    return parts_of(found)[1].fields(entry.kind, entry.data, names_in(found, entries))


def with_posted(found: Game, text: str, posted: Mapping[str, str]) -> str:
    """Return a draft after forms of its cards were posted: names begin with the number of the card, ``3.name``."""
    entries, vocabulary = list(entries_of(found, text)), parts_of(found)[1]
    names, by_card = names_in(found, entries), dict[int, dict[str, str]]()
    for name, value in posted.items():
        number, _, key = name.partition(".")
        if number.isascii() and number.isdecimal() and len(number) < 5:
            by_card.setdefault(int(number), {})[key] = value
    for at, given in by_card.items():
        old = card_at(entries, at)
        data = read_card(vocabulary, old.kind, old.data, given, names)
        entries[at] = replace(old, data=data)
    return written(found, entries)


def card_at(entries: Sequence[CardEntry], at: int) -> CardEntry:
    """Return a card by its number; raises BadOption if there is none."""
    if not 0 <= at < len(entries):
        raise BadOption("there is no such card in this set: load the page again")
    return entries[at]


def with_new_card(found: Game, text: str, key: str) -> tuple[str, int]:
    """Return a draft with a new card of a kind, after the last one of it, and the number of that card."""
    entries, vocabulary = list(entries_of(found, text)), parts_of(found)[1]
    kind = kind_of(vocabulary, key)
    there = [at for at, entry in enumerate(entries) if entry.kind == key]
    if kind.only_base or len(there) >= kind.most:
        why = "belong to the base set alone" if kind.only_base else f"are at most {kind.most} in a set"
        raise BadCards(f"{kind.plural} {why} ({vocabulary.clause})")
    taken = {*(entry.name for entry in entries), *names_in(found, entries)}
    data = _new_data(vocabulary, kind, _new_name(kind, taken), names_in(found, entries))
    at = there[-1] + 1 if there else _place_of(vocabulary, entries, key)
    entries.insert(at, CardEntry(key, 1, data, kind.is_table))
    return written(found, entries), at


def _place_of(vocabulary: Vocabulary, entries: Sequence[CardEntry], key: str) -> int:
    """Return where the first card of a kind stands: after those of the kinds before it."""
    order = [kind.key for kind in vocabulary.kinds]
    before = order[: order.index(key)]
    return next((at for at, entry in enumerate(entries) if entry.kind not in before), len(entries))


def _new_name(kind: SetKind, taken: set[str]) -> str:
    """Return a name that no card has: names are of letters alone."""
    stem = f"New {kind.words}"
    stem = stem if len(stem) <= LONGEST_NAME // 2 else "New card"
    for number in count():
        letters = "" if not number else " " + "".join("ABCDEFGHIJ"[int(digit)] for digit in str(number))
        if stem + letters not in taken:
            return stem + letters
    raise AssertionError


def _new_data(vocabulary: Vocabulary, kind: SetKind, name: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a new card: the least that each field takes, in the order of the fields."""
    shown, data = dict[str, str](), dict[str, Any]()
    while True:
        fields = vocabulary.fields(kind.key, data, names)
        shown |= {name_: text for field in fields for name_, text in _least(field, name).items() if name_ not in shown}
        after = read_card(vocabulary, kind.key, data, shown, names)
        if after == data:
            return data
        data = after


def _least(field: SetField, name: str, prefix: str = "") -> dict[str, str]:
    """Return inputs with the least that a field takes; nothing for a field that may miss."""
    at = prefix + field.key
    if field.is_refused or field.may_miss:
        return {}
    match field.kind:
        case "name":
            return {at: name}
        case "number":
            return {at: str(_least_number(field))}
        case "numbers":
            lows = field.lows or (field.least,) * len(field.parts)
            numbers = [max(low, min(0, field.most)) for low in lows]
            if not field.parts:
                numbers = [max(1, field.least) + step for step in range(max(1, field.count[0]))][:: field.step or 1]
            return {f"{at}.{step}": str(number) for step, number in enumerate(numbers)}
        case "choice":
            return {at: next(iter(field.allowed), "")}
        case "choices":
            return {f"{at}:{one}": "on" for one in list(field.allowed)[: field.count[0]]}
        case "row":
            inner = [_least(one, name, f"{at}.") for one in field.rows[0]]
            return {key: text for each in inner for key, text in each.items()}
    return {}


def _least_number(field: SetField) -> int:
    least = max(field.least, min(0, field.most))
    return least if least or field.zero else 1 if field.most > 0 else -1


def without_card(found: Game, text: str, at: int) -> str:
    """Return a draft without one of its cards."""
    entries = list(entries_of(found, text))
    card_at(entries, at)
    del entries[at]
    return written(found, entries)


def with_new_row(found: Game, text: str, at: int, key: str) -> str:
    """Return a draft with an empty row more in a field of a card; raises BadOption if it takes no more."""
    field, rows = _rows_at(found, text, at, key)
    if len(rows) >= field.count[1]:
        raise BadOption(f"a card has at most {field.count[1]} {field.words.lower()}")
    return _with_rows(found, text, at, key, [*rows, {}])


def without_row(found: Game, text: str, at: int, key: str, row: int) -> str:
    """Return a draft without a row of a card."""
    _, rows = _rows_at(found, text, at, key)
    if not 0 <= row < len(rows):
        raise BadOption("there is no such row on this card: load the page again")
    return _with_rows(found, text, at, key, [*rows[:row], *rows[row + 1 :]])


def _rows_at(found: Game, text: str, at: int, key: str) -> tuple[SetField, list[Any]]:
    entries = entries_of(found, text)
    entry = card_at(entries, at)
    fields = {each.key: each for each in fields_of(found, entries, entry) if each.kind == "rows"}
    if key not in fields:
        raise BadOption("this card has no such rows: load the page again")
    rows = entry.data.get(key)
    return fields[key], [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _with_rows(found: Game, text: str, at: int, key: str, rows: list[Any]) -> str:
    entries = list(entries_of(found, text))
    data = {**entries[at].data, key: rows}
    if not rows:
        del data[key]
    entries[at] = replace(entries[at], data=data)
    return written(found, entries)


def stepped(posted: Mapping[str, str], name: str, by: int) -> dict[str, str]:
    """Return what a form posts after its button for one more, or one less, of a number was pressed."""
    number = number_of(posted.get(name, ""))
    return {**posted, name: str(number + by if isinstance(number, int) else 0)}


def form_of_card(found: Game, text: str, at: int) -> dict[str, str]:
    """Return the whole form of a card as `with_posted` reads it."""
    entries = entries_of(found, text)
    entry = card_at(entries, at)
    shown = form_values(parts_of(found)[1], entry.kind, entry.data, names_in(found, entries))
    return {f"{at}.{name}": value for name, value in shown.items()}
