"""What the form of a set asks for: its fields, and what one of its buttons does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.server.workshop.drafts import (
    card_at,
    entries_of,
    form_of_card,
    stepped,
    with_new_card,
    with_new_row,
    with_posted,
    without_card,
    without_row,
)
from quintain.server.workshop.renames import with_references
from quintain.server.workshop.set_options import split

MOST_DIGITS = 5
"""Digits of a number in a button."""


class Changed(NamedTuple):
    """A changed draft, and the number of the card to show next; None for the one that is shown already."""

    text: str
    card: int | None = None


def changed(found: Game, text: str, posted: Mapping[str, str], button: str) -> Changed:
    """Return a draft after a form was posted, and a button was pressed; raises BadOption for one that there is not.

    Buttons are ``new-card:KIND``, ``remove-card:3``, ``new-row:3:rows``, ``remove-row:3:rows:0``, and ``more:3.rp`` or
    ``less:3.rp`` for one more or one less of a number.
    """
    head, cards = split(text)
    made = _changed(found, cards, posted, button)
    return made._replace(text=head + made.text)


def with_fields(found: Game, text: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the whole forms of the cards of which some fields are given, with these values; raises BadOption."""
    forms = dict[str, str]()
    for number in {name.partition(".")[0] for name in given}:
        card_at(entries_of(found, text), _number(number))
        forms |= form_of_card(found, text, _number(number))
    return {**forms, **given}


def _changed(found: Game, text: str, posted: Mapping[str, str], button: str) -> Changed:
    act, *given = button.split(":")
    if act in ("more", "less") and len(given) == 1:
        posted = stepped(posted, given[0], 1 if act == "more" else -1)
    text = with_references(found, text, with_posted(found, text, posted))
    match act, given:
        case (("" | "more" | "less"), _):
            return Changed(text)
        case "new-card", [kind]:
            return Changed(*with_new_card(found, text, kind))
        case "remove-card", [at]:
            return Changed(without_card(found, text, _number(at)), max(0, _number(at) - 1))
        case "new-row", [at, key]:
            return Changed(with_new_row(found, text, _number(at), key))
        case "remove-row", [at, key, row]:
            return Changed(without_row(found, text, _number(at), key, _number(row)))
    raise BadOption("this form has no such button: load the page again")


def _number(text: str) -> int:
    """Return a number in a button; -1, which no card has, for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else -1
