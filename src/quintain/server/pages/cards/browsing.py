"""The values for the tab Browse: the cards of a game that the filters leave, and what each filter would leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quintain.engine.rules.game import Game
from quintain.server.pages.cards.filters import Filters, cost_words, orders, read_filters, read_page
from quintain.server.pages.cards.listed import shown_cards
from quintain.server.pages.cards.printing import A4, ON_PAPER, sheets_of
from quintain.server.pages.cards.ready_decks import decks_with
from quintain.server.pages.cards.tabs import BROWSE, PRINT, frame_context
from quintain.server.pages.cards.won import won_words
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor

ON_SHELF = 15
"""The cards that the shelf shows at first, and how many more each time."""


def browse_context(found: Game, visitor: Visitor, query: Mapping[str, str], kinds: Iterable[str] = ()) -> Context:
    """Return the values for the cards of a game; raises BadOption for filters that there are not."""
    filters, page = read_filters(found, query, kinds), read_page(query.get("page", ""))
    cards, path = filters.leave(found), f"/cards/{found.id}"
    shown = cards[: page * ON_SHELF]
    more, query_words = len(cards) - len(shown), filters.query()
    return {
        **frame_context(visitor, found, BROWSE, f"The cards of {found.title}"),
        "path": path,
        "cards": [
            {"card": each, "decks": len(decks_with(found, each.name)), "won": won_words(found, each.name)}
            for each in shown
        ],
        "has_decks": bool(found.collection and found.collection.decks),
        "all": len(shown_cards(found)),
        "left": len(cards),
        "more": min(more, ON_SHELF),
        "more_url": f"{path}{query_words}{'&' if query_words else '?'}page={page + 1}#card-{len(shown) + 1}",
        "filters": filters._asdict(),
        "kinds": kind_links(found, filters, path),
        "sorts": sort_choices(found, filters),
        "costs": cost_links(found, filters, path),
        "orders": [{"value": value, "words": words, "is_on": value == filters.order} for value, words in orders(found)],
        "to_take_away": _to_take_away(found, filters, path) if not cards else [],
        "print_url": f"{path}/{PRINT}{query_words}",
        "first_sheet": [sheet._asdict() for sheet in sheets_of(cards[:ON_PAPER], has_backs=False)],
        "settings": {"paper": A4, "lines": True},
        "is_filtered": not filters.is_empty,
    }


def _left(found: Game, filters: Filters) -> int:
    return len(filters.leave(found))


def kind_links(found: Game, filters: Filters, path: str) -> list[Context]:
    """Return a link for each kind, which puts it in or takes it out, with the cards of the kind that would be left."""
    shown = []
    for kind in dict.fromkeys(each.card.kind for each in shown_cards(found).values()):
        is_on = kind in filters.kinds
        others = tuple(each for each in filters.kinds if each != kind)
        changed = filters._replace(kinds=others if is_on else (*others, kind))
        number = _left(found, filters._replace(kinds=(kind,)))
        shown.append({"words": kind, "number": number, "is_on": is_on, "href": path + changed.query()})
    return shown if len(shown) > 1 else []


def sort_choices(found: Game, filters: Filters) -> list[Context]:
    """Return the sorts within the kinds that are chosen, each with the cards that it would leave."""
    loose = filters._replace(sort="")
    sorts = dict.fromkeys(each.card.sort for each in loose.leave(found) if each.card.sort)
    if filters.sort:
        sorts[filters.sort] = None
    return [
        {"value": sort, "number": _left(found, loose._replace(sort=sort)), "is_on": sort == filters.sort}
        for sort in sorted(sorts)
    ]


def cost_links(found: Game, filters: Filters, path: str) -> list[Context]:
    """Return a link for each cost, with the cards that it would leave; none in a game without costs."""
    costs = sorted({cost_words(each) for each in shown_cards(found).values()} - {""})
    return [
        {
            "words": cost or "all",
            "number": _left(found, filters._replace(cost=cost)),
            "is_on": cost == filters.cost,
            "href": path + filters._replace(cost=cost).query(),
        }
        for cost in (["", *costs] if costs else [])
    ]


def _to_take_away(found: Game, filters: Filters, path: str) -> list[Context]:
    """Return a link for each filter, which takes it away, with the cards that would be left."""
    without = [(f"“{filters.search}”", filters._replace(search=""))] if filters.search else []
    for kind in filters.kinds:
        without.append((kind, filters._replace(kinds=tuple(each for each in filters.kinds if each != kind))))
    if filters.sort:
        without.append((filters.sort, filters._replace(sort="")))
    if filters.cost:
        without.append((f"cost {filters.cost}", filters._replace(cost="")))
    return [{"words": words, "number": _left(found, less), "href": path + less.query()} for words, less in without]
