"""The values for a set that is shown as tables of numbers: one table for each kind, with a field for each number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from quintain.engine.cards import CardEntry
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import SetField, SetKind
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.listed import listed_cards
from quintain.server.pages.cards.won import won_words
from quintain.server.pages.cards.workshop_fields import drawn_card, fault_words, first_keys, number_cells
from quintain.server.pages.heraldry import arms_of, picture
from quintain.server.pages.rendering import Context
from quintain.server.workshop.card_forms import text_of
from quintain.server.workshop.differences import old_values
from quintain.server.workshop.drafts import card_faults, entries_of, fields_of, parts_of


@cache
def is_of_tables(found: Game) -> bool:
    """Tell whether a game's sets are tables of numbers: all their fields are numbers, beside names."""
    vocabulary = parts_of(found)[1]
    fields = [field for kind in vocabulary.kinds for field in vocabulary.fields(kind.key, {}, {})]
    return all(field.kind in ("name", "number", "numbers") for field in fields)


def tables(found: Game, text: str, before: str, trialed: Trialed | None = None) -> list[Context]:
    """Return the tables of a set, in the order of its kinds; beside the rows stand their shares of a trial."""
    entries, made = entries_of(found, text), []
    for kind in parts_of(found)[1].kinds:
        there = [at for at, entry in enumerate(entries) if entry.kind == kind.key]
        if not there and kind.is_table:
            continue
        rows = [row for at in there for row in _rows(found, text, before, kind, at)]
        wrong = [row["at"] for row in rows if row["wrong"]]
        for place, row in enumerate(row for row in rows if row["wrong"]):
            row["is_first_wrong"] = row["at"] not in wrong[:place]
        shares = [None if kind.is_table or not trialed else trialed.share_of(row["words"]) for row in rows]
        made.append(
            {
                "key": kind.key,
                "words": kind.words if kind.is_table else kind.plural,
                "one": kind.words,
                "is_table": kind.is_table,
                "groups": [] if kind.is_table else _groups(found, kind),
                "steps": max((len(row["cells"]) for row in rows), default=0) if kind.is_table else 0,
                "rows": [{**row, "share": share} for row, share in zip(rows, shares, strict=True)],
                "has_shares": any(shares) or any(won_words(found, row["words"]) for row in rows),
                "can_add": not kind.is_table and len(there) < kind.most,
                "can_remove": not kind.is_table and len(there) > max(1, kind.least),
                "most": kind.most,
                "changed": [row["words"] for row in rows if row["is_changed"]],
            }
        )
    return made


def _groups(found: Game, kind: SetKind) -> list[Context]:
    """Return the heads of the columns: each field with its parts."""
    fields = parts_of(found)[1].fields(kind.key, {}, {})
    return [{"words": field.words, "parts": field.parts or (field.words,)} for field in fields if field.kind != "name"]


def _rows(found: Game, text: str, before: str, kind: SetKind, at: int) -> list[Context]:
    """Return the rows of a card, or of a table: one for each of its fields."""
    entries = entries_of(found, text)
    entry, wrong = entries[at], card_faults(found, text, at)
    old = old_values(found, before, entries, at)
    was: Mapping[str, Any] = old[0] if old else {}
    fields = fields_of(found, entries, entry)
    if kind.is_table:
        return [
            {
                **_row(found, field.words, field.key),
                "name": "",
                "at": at,
                "cells": _cells(field, entry, at, was, old is not None),
                "wrong": [fault_words(fault) for fault in wrong if fault.key == field.key],
                "is_changed": old is not None and was.get(field.key) != entry.data.get(field.key),
            }
            for field in fields
        ]
    drawn, first = drawn_card(found, listed_cards(found), entry), first_keys(found, text).get(at)
    cells = [
        cell for field in fields if field.kind != "name" for cell in _cells(field, entry, at, was, old is not None)
    ]
    row = {
        "words": entry.name,
        "arms": picture(found, first, None).arms if first else drawn.arms if drawn else found.id,
        "name": f"{at}.name",
        "value": text_of(entry.data.get("name")),
        "at": at,
        "cells": cells,
        "wrong": [fault_words(fault) for fault in wrong],
        "is_changed": old is None or was != entry.data,
    }
    return [row]


def _row(found: Game, words: str, key: str) -> Context:
    """Return the head of a row for a field, with arms if the game has some of this name."""
    name = key.casefold()
    return {"words": words, "arms": f"{found.id}.{name}" if name in arms_of(found) else ""}


def _cells(field: SetField, entry: CardEntry, at: int, was: Mapping[str, Any], was_there: bool) -> list[Context]:
    """Return the cells of a field; a single number has one cell."""
    value = entry.data.get(field.key)
    if field.kind == "numbers":
        cells = number_cells(field, value, f"{at}.", was.get(field.key), was_there)
    else:
        is_changed = was_there and was.get(field.key) != value
        old = text_of(was.get(field.key)) if is_changed else ""
        cells = [{"name": f"{at}.{field.key}", "words": "", "value": text_of(value), "old": old, "is_wrong": False}]
    return [{**cell, "label": ", ".join(filter(None, (field.words, str(cell["words"]))))} for cell in cells]
