"""The filters of the tab Browse: which cards an address asks for, and how many each further filter would leave.

The tab Print reads the same address, for the cards that are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.game import Game
from quintain.server.pages.cards.listed import COST, Listed, has_words, shown_cards
from quintain.server.pages.rulebooks import MOST_LETTERS, folded, words_of

BY_NAME, BY_COST = "name", "cost"
DEAR = 7
"""Cards that cost this much or more share one filter."""
ORDERS = (("", "As in the set"), (BY_NAME, "By name"), (BY_COST, "Cheapest first"))


class Filters(NamedTuple):
    """The filters of an address: words, kinds of cards, a sort within a kind, a cost, and the order."""

    search: str = ""
    kinds: tuple[str, ...] = ()
    sort: str = ""
    cost: str = ""
    order: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether they leave all cards."""
        return not (words_of(self.search) or self.kinds or self.sort or self.cost)

    def query(self) -> str:
        """Return them as the query of an address, with its question mark; empty if there are none."""
        given = [("search", self.search), *(("kind", kind) for kind in self.kinds)]
        given += [("sort", self.sort), ("cost", self.cost), ("order", self.order)]
        kept = [(name, value) for name, value in given if value]
        return f"?{urlencode(kept)}" if kept else ""

    def leave(self, found: Game) -> list[Listed]:
        """Return the cards of a game that they leave, in their order."""
        words = words_of(self.search)
        left = [each for each in shown_cards(found).values() if self._lets(each, words)]
        if self.order == BY_NAME:
            left.sort(key=lambda each: folded(each.name))
        if self.order == BY_COST:
            left.sort(key=lambda each: (cost_of(each) is None, cost_of(each)))
        return left

    def _lets(self, each: Listed, words: Sequence[str]) -> bool:
        return (
            (not self.kinds or each.card.kind in self.kinds)
            and (not self.sort or each.card.sort == self.sort)
            and (not self.cost or cost_words(each) == self.cost)
            and has_words(each.card, words)
        )


def cost_of(each: Listed) -> int | None:
    """Return what a card costs; None if it costs nothing that the game names."""
    return next((stat.number for stat in each.card.stats if stat.key == COST), None)


def cost_words(each: Listed) -> str:
    """Return the filter by cost that a card belongs to, such as ``3``; empty if it has no cost."""
    cost = cost_of(each)
    return "" if cost is None else f"{DEAR}+" if cost >= DEAR else str(cost)


def read_filters(found: Game, query: Mapping[str, str], kinds: Iterable[str]) -> Filters:
    """Return the filters that an address names; raises BadOption for a value that the cards of the game do not have."""
    cards = shown_cards(found).values()
    given = Filters(
        query.get("search", "")[:MOST_LETTERS],
        tuple(dict.fromkeys(filter(None, kinds))),
        query.get("sort", ""),
        query.get("cost", ""),
        query.get("order", ""),
    )
    for kind in given.kinds:
        _check("kind", kind, {each.card.kind for each in cards})
    _check("sort", given.sort, {each.card.sort for each in cards})
    _check("cost", given.cost, {cost_words(each) for each in cards})
    _check("order", given.order, {value for value, _ in orders(found)})
    return given


def _check(field: str, value: str, known: set[str]) -> None:
    if value and value not in known:
        there = ", ".join(sorted(known - {""}))
        raise BadOption(f"{field} is one of {there}, not {quoted(value[:40])}" if there else f"no card has a {field}")


def orders(found: Game) -> list[tuple[str, str]]:
    """Return the orders that a game's cards can have; the cheapest come first only where cards have a cost."""
    has_costs = any(cost_of(each) is not None for each in shown_cards(found).values())
    return [order for order in ORDERS if has_costs or order[0] != BY_COST]


def read_page(given: str) -> int:
    """Return the number of a page, 1 if none is given; raises BadOption for what is no number."""
    if not given:
        return 1
    if not (given.isascii() and given.isdigit()) or len(given) > 6 or int(given) < 1:
        raise BadOption(f"page is a number from 1 on, not {quoted(given[:40])}")
    return int(given)
