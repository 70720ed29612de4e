"""Cards that got another name: which card of a set is which in another one, and references that follow a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from quintain.engine.cards import CardEntry
from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import faults
from quintain.server.workshop.drafts import described, entries_of, fields_of, first_fault, written
from quintain.server.workshop.set_options import split

NAME = "name"
ALIKE = 2 / 3
"""A card that is gone and a new one are one card with another name if they share more than this part of their data."""
KEPT = 16
"""The sets under new names that are remembered: each look at a trial asks for one."""
Key = tuple[str, str, int]
"""The kind and the name of a card, and how many of both stand before it."""


def keyed(entries: Sequence[CardEntry]) -> dict[Key, int]:
    """Return the number of each card in a set by its key, by which it is found in another set."""
    seen, found = Counter[tuple[str, str]](), dict[Key, int]()
    for at, entry in enumerate(entries):
        found[entry.kind, entry.name, seen[entry.kind, entry.name]] = at
        seen[entry.kind, entry.name] += 1
    return found


def matched(old: Sequence[CardEntry], new: Sequence[CardEntry]) -> dict[int, int]:
    """Return for the number of each card in `new` its number in `old`, if it was there, maybe by another name."""
    places = keyed(old)
    pairs = {at: places.pop(key) for key, at in keyed(new).items() if key in places}
    left = {*places.values()}
    for at, entry in enumerate(new):
        if at not in pairs and left:
            near = sorted(left, key=lambda place: abs(place - at))
            place = next((place for place in near if _is_alike(old[place], entry)), None)
            if place is not None:
                pairs[at] = place
                left.remove(place)
    return pairs


def _is_alike(one: CardEntry, other: CardEntry) -> bool:
    """Tell whether two cards are likely one card with two names."""
    keys = ({*one.data} | {*other.data}) - {NAME}
    same = sum(one.data.get(key) == other.data.get(key) for key in keys)
    return one.kind == other.kind and same > ALIKE * len(keys)


def with_references(found: Game, before: str, now: str) -> str:
    """Return a draft in which references follow the names of cards that were changed; its cards stand as `before`."""
    old, new = entries_of(found, before), list(entries_of(found, now))
    there, taken = {entry.name for entry in new}, {entry.name for entry in old}
    names = {
        one.name: other.name
        for one, other in zip(old, new, strict=True)
        if one.name and other.name and one.name not in there and other.name not in taken
    }
    for at, entry in enumerate(new):
        data = _with_names(entry.data, names)
        if data != entry.data and _faults(found, new, entry, data) < _faults(found, new, entry, entry.data):
            new[at] = replace(entry, data=data)
    return written(found, new) if names else now


def _faults(found: Game, entries: Sequence[CardEntry], entry: CardEntry, data: Mapping[str, Any]) -> int:
    """Return how much would be wrong with a card if it had this data."""
    fields = fields_of(found, entries, replace(entry, data=dict(data)))
    return len(list(faults(described(entry), fields, data)))


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """Return the data of a card with other names in it; its own name stays."""
    if isinstance(value, str):
        for old, new in names.items():
            value = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new.replace("\\", r"\\"), value)
        return value
    if isinstance(value, list):
        return [_with_names(each, names) for each in value]
    if isinstance(value, dict):
        return {key: each if key == NAME else _with_names(each, names) for key, each in value.items()}
    return value


@lru_cache(KEPT)
def under_new_names(found: Game, before: str, now: str) -> str:
    """Return a set with the names that its cards have now, so that bots compare each card with itself."""
    old, new = entries_of(found, before), entries_of(found, now)
    named = list(old)
    for at, place in matched(old, new).items():
        if old[place].name != new[at].name:
            named[place] = replace(old[place], data={**old[place].data, NAME: new[at].name})
    if named == list(old):
        return before
    try:
        text = split(before)[0] + with_references(found, before, written(found, named))
    except QuintainError:
        return before
    return before if first_fault(found, text) else text
