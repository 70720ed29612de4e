"""The values for a set in the workshop: the list of its cards that the filters leave, and the card that is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.cards import CardEntry
from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import SetField
from quintain.server.model.own_sets import OwnSet
from quintain.server.pages.cards.balance.panel import Trialed, off_balance
from quintain.server.pages.cards.listed import listed_cards
from quintain.server.pages.cards.workshop_fields import card_form, first_keys, printed
from quintain.server.pages.contexts import game_facts
from quintain.server.pages.heraldry import picture
from quintain.server.pages.rendering import Context
from quintain.server.workshop.differences import changed_cards, value_words
from quintain.server.workshop.drafts import entries_of, fields_of, listed, parts_of

COLUMNS = 3
"""The numbers of a card that the list of the set shows."""
MOST_DIGITS = 5
"""Digits of the number of a card in an address."""


def card_url(href: str, **fields: str) -> str:
    """Return the address of a set with these filters, of which the empty ones are left out."""
    given = {name: value for name, value in fields.items() if value}
    return f"{href}?{urlencode(given)}" if given else href


class Left(NamedTuple):
    """The cards of a set that the filters of an address leave: `left` has their numbers, `at` that of the chosen one.

    `changed` and `off` are the numbers of those that are changed, and of those that are off balance.
    """

    entries: Sequence[CardEntry]
    changed: set[int]
    off: set[int]
    kept: Mapping[str, str]
    at: int | None
    left: Sequence[int]


def cards_left(found: Game, own: OwnSet, before: str, query: Mapping[str, str], trialed: Trialed | None) -> Left:
    """Return the cards that the filters of an address leave; `before` is the set with which the draft is compared."""
    entries, names = entries_of(found, own.draft), off_balance(trialed)
    changed = changed_cards(found, before, own.draft)
    off = {at for at, entry in enumerate(entries) if entry.name in names}
    only = {name: group for name, group in (("changed", changed), ("off", off)) if query.get(name) == "yes"}
    chosen = _number(query.get("card", ""), len(entries))
    there = [kind.key for kind in parts_of(found)[1].kinds if kind.key in {entry.kind for entry in entries}]
    kind = query.get("kind", "")
    if kind not in there:
        kind = "" if only or not there else there[0] if chosen is None else entries[chosen].kind
    left = [
        at
        for at, entry in enumerate(entries)
        if kind in ("", entry.kind) and all(at in group for group in only.values())
    ]
    at = chosen if chosen is not None else next(iter(left), 0 if entries else None)
    kept = {"kind": kind, **{name: "yes" if name in only else "" for name in ("changed", "off")}}
    return Left(entries, changed, off, kept, at, left)


def cards_context(
    found: Game,
    own: OwnSet,
    href: str,
    before: str,
    wrong: Mapping[int, str],
    query: Mapping[str, str],
    trialed: Trialed | None = None,
) -> Context:
    """Return the list of a set that the filters of an address leave, and the form of the card that it names.

    `before` is the set with which the draft is compared; `wrong` has the numbers of the faulty cards.
    """
    entries, changed, off, kept, at, left = cards_left(found, own, before, query, trialed)
    place = left.index(at) if at in left else -1
    heads = _heads(found, entries, left)
    keys, first = _keys(found, own), first_keys(found, own.draft)
    return {
        "kinds": _kind_links(found, entries, href, kept, {"changed": len(changed), "off": len(off)}),
        "heads": [field.words for field in heads],
        "rows": [
            {
                **_row(found, entries[each], heads, first.get(each) or keys.get(entries[each].name, "")),
                "at": each,
                "share": trialed.share_of(entries[each].name) if trialed else None,
                "href": card_url(href, **kept, card=str(each)),
                "note": "wrong" if each in wrong else "changed" if each in changed else "",
                "is_here": each == at,
            }
            for each in left
        ],
        "new_kinds": [kind for kind in parts_of(found)[1].kinds if not (kind.only_base or kind.is_table)],
        "before_url": card_url(href, **kept, card=str(left[place - 1])) if place > 0 else "",
        "after_url": card_url(href, **kept, card=str(left[place + 1])) if 0 <= place < len(left) - 1 else "",
        "query": card_url("", **kept, card="" if at is None else str(at)),
        "first": "" if at is None else entries[at].name,
        **_chosen(found, own, before, at),
    }


def _row(found: Game, entry: CardEntry, heads: Sequence[SetField], key: str) -> Context:
    """Return what the list shows of a card: its name, its arms, and its numbers."""
    numbers = [value_words(field, entry.data.get(field.key)) for field in heads]
    return {"name": entry.name, "arms": _arms(found, key), "numbers": numbers}


def _number(text: str, number: int) -> int | None:
    """Return the number of a card in an address; None if there is no such card."""
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        return None
    return int(text) if int(text) < number else None


def _chosen(found: Game, own: OwnSet, before: str, at: int | None) -> Context:
    """Return the form of the card that is chosen, and the card as it will be printed."""
    if at is None:
        return {"card": None, "printed": None, "is_now": True}
    drawn, is_now = printed(found, own.draft, own.valid, at)
    return {"card": card_form(found, own.draft, before, at), "printed": drawn, "is_now": is_now}


def _kind_links(
    found: Game, entries: Sequence[CardEntry], href: str, kept: Mapping[str, str], groups: Mapping[str, int]
) -> list[Context]:
    """Return a link for each kind that the set has, one for the changed cards, and one for those off balance."""
    numbers = Counter(entry.kind for entry in entries)
    links: list[Context] = [
        {
            "words": kind.plural[:1].upper() + kind.plural[1:],
            "number": numbers[kind.key],
            "is_on": kept["kind"] == kind.key and not (kept["changed"] or kept["off"]),
            "href": card_url(href, kind=kind.key),
        }
        for kind in parts_of(found)[1].kinds
        if numbers[kind.key]
    ]
    more = [
        {"words": words, "number": groups[name], "is_on": bool(kept[name]), "href": card_url(href, **{name: "yes"})}
        for name, words in (("changed", "Changed"), ("off", "Off balance"))
        if name == "changed" or groups[name]
    ]
    return [*links, *more]


def _heads(found: Game, entries: Sequence[CardEntry], left: Sequence[int]) -> list[SetField]:
    """Return the fields whose numbers the list shows beside each card: those of its first card."""
    if not left:
        return []
    fields = fields_of(found, entries, entries[left[0]])
    return [field for field in fields if field.kind in ("number", "numbers")][:COLUMNS]


def _keys(found: Game, own: OwnSet) -> dict[str, str]:
    """Return the key of the picture of each card by its name, of the base set and of the last valid draft."""
    keys = {card.name: card.key for card in listed_cards(found)}
    try:
        keys |= {card.name: card.key for card in listed(found, own.valid)} if own.valid else {}
    except QuintainError:  # a newer version of the game refuses what an older one took
        return keys
    return keys


def _arms(found: Game, key: str) -> str:
    return picture(found, key, None).arms if key else str(game_facts(found)["picture"])
