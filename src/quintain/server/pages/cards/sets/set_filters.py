"""The filters of the builder of a set: which cards an address asks for, in which order, and what each filter leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.collection import SetChoice
from quintain.engine.rules.game import Game
from quintain.server.pages.cards.listed import Listed, has_words, shown_cards
from quintain.server.pages.rendering import Context
from quintain.server.pages.rulebooks import MOST_LETTERS, words_of

IN_SET = "in"
"""The field of an address that asks for the cards of the set alone."""


class SetFilters(NamedTuple):
    """The filters of an address: words, groups of cards, the number that orders them, and whether the set has them."""

    search: str = ""
    groups: tuple[str, ...] = ()
    order: str = ""
    in_set: bool = False

    def query(self, **more: str) -> str:
        """Return them and further fields as the query of an address, with its question mark; empty for none."""
        given = [("search", self.search), *(("group", key) for key in self.groups), ("order", self.order)]
        given += [(IN_SET, "set" if self.in_set else ""), *more.items()]
        kept = [(name, value) for name, value in given if value]
        return f"?{urlencode(kept)}" if kept else ""

    def leave(self, found: Game, choice: SetChoice, names: Sequence[str]) -> list[Listed]:
        """Return the cards that they leave, in their order. Groups of one kind add up; different kinds narrow."""
        words, kinds = words_of(self.search), dict[str, set[str]]()
        for group in choice.groups:
            if group.key in self.groups:
                kinds.setdefault(group.kind, set()).update(group.cards)
        left = [
            each
            for each in shown_cards(found).values()
            if each.name in choice.cards
            and (not self.in_set or each.name in names)
            and all(each.name in cards for cards in kinds.values())
            and has_words(each.card, words)
        ]
        return sorted(left, key=lambda each: -number_of(each, self.order)) if self.order else left

    def context(self, found: Game, choice: SetChoice, names: Sequence[str], href: str) -> Context:
        """Return the filters as links, each with the cards that it would leave, and the orders."""
        kinds: dict[str, list[Context]] = {}
        for group in choice.groups:
            is_on, others = group.key in self.groups, tuple(key for key in self.groups if key != group.key)
            changed = self._replace(groups=others if is_on else (*others, group.key))
            alike = {each.key for each in choice.groups if each.kind == group.kind}
            alone = self._replace(groups=(*(key for key in self.groups if key not in alike), group.key))
            number = len(alone.leave(found, choice, names))
            link = {"words": group.words, "help": group.help, "number": number, "is_on": is_on}
            kinds.setdefault(group.kind, []).append({**link, "href": href + changed.query()})
        there = self._replace(in_set=True).leave(found, choice, names)
        orders = [("", "As in the game"), *((stat.key, f"{stat.words} first") for stat in choice.average)]
        return {
            "search": self.search,
            "kinds": kinds,
            "keys": self.groups,
            "is_in_set": self.in_set,
            "in_set": {"number": len(there), "href": href + self._replace(in_set=not self.in_set).query()},
            "orders": [{"value": value, "words": words, "is_on": value == self.order} for value, words in orders],
        }


def number_of(each: Listed, key: str) -> int:
    """Return a number of a card by its key; -1 if it has none."""
    return next((stat.number for stat in each.card.stats if stat.key == key), -1)


def read_set_filters(choice: SetChoice, query: Mapping[str, str], groups: Iterable[str]) -> SetFilters:
    """Return the filters that an address names; raises BadOption for a value that the cards do not have."""
    keys, order = tuple(dict.fromkeys(filter(None, groups))), query.get("order", "")
    known, numbers = [group.key for group in choice.groups], [stat.key for stat in choice.average]
    for key in keys:
        if key not in known:
            raise BadOption(f"group is one of {', '.join(known)}, not {quoted(key[:40])}")
    if order and order not in numbers:
        raise BadOption(f"order is one of {', '.join(numbers)}, not {quoted(order[:40])}")
    return SetFilters(query.get("search", "")[:MOST_LETTERS], keys, order, bool(query.get(IN_SET)))
