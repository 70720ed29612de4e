"""What a deck is, as data for every page that shows one: its laws, its counts, the curve of its costs, and its list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.deck_figures import cost_of, costs_of
from quintain.engine.rules.decks import CardPlace, DeckList, Law
from quintain.engine.rules.game import Game
from quintain.server.model.deck_lists import decks_of
from quintain.server.pages.cards.listed import Listed, listed_cards, shown_cards
from quintain.server.pages.rendering import Context

DEAREST = 7
"""Cards that cost this much or more share a bar of the curve."""
BAR, GAP, HEIGHT = 40, 12, 60
"""The width of a bar of the curve, the gap between two, and the height of the tallest."""


def summary(found: Game, deck: DeckList) -> Context:
    """Return what pages say of a deck: whether it is legal, how it keeps the laws, and what it holds."""
    laws = decks_of(found).laws(deck, "")
    broken = [law for law in laws if not law.is_kept]
    return {
        "is_legal": not broken,
        "verdict": verdict(laws),
        "faults": broken,
        "laws": laws,
        "counts": [law for law in laws if law.counted],
        "curve": curve(found, deck),
        "list": groups(found, deck),
    }


def verdict(laws: Sequence[Law]) -> str:
    """Return in a few words whether a deck can be played: what it holds, or all that is wrong."""
    broken = [law.fault for law in laws if not law.is_kept]
    if broken:
        return ", ".join(broken)
    return ", ".join(f"{law.number} {law.counted}" for law in laws if law.counted)


def groups(found: Game, deck: DeckList) -> list[Context]:
    """Return the cards of a deck by kind, in the order of its list."""
    cards, drawn, places = _by_name(found), _drawn(found), decks_of(found).places("")
    kinds: dict[str, list[Context]] = {}
    for pile in deck.values():
        for name, copies in pile.items():
            shown = drawn[name]
            row = {"name": name, "copies": copies, "corner": shown.corner, "href": shown.href, "place": shown.place}
            kinds.setdefault(cards[name].kind, []).append(row | fullness(copies, places.get(name)))
    return [
        {"kind": kind, "number": sum(int(row["copies"]) for row in rows), "rows": rows} for kind, rows in kinds.items()
    ]


def fullness(copies: int, place: CardPlace | None) -> Context:
    """Return whether a deck has the most copies of a card, and why it cannot have more."""
    is_full = place is not None and copies >= place.most
    return {"is_full": is_full, "why": place.why if place and is_full else ""}


def curve(found: Game, deck: DeckList) -> Context | None:
    """Return the curve of costs as numbers for a drawing: a bar for each cost, the first kind in it dark."""
    costs = _shared(costs_of(deck, _by_name(found)))
    if not costs:
        return None
    kinds = [card.kind for card in listed_cards(found) if cost_of(card) is not None]
    first, tallest = kinds[0], max(kinds_at.total() for kinds_at in costs.values())
    bars = []
    for place, cost in enumerate(range(min(costs), DEAREST + 1)):
        number, dark = costs[cost].total(), costs[cost][first]
        height, part = round(HEIGHT * number / tallest, 1), round(HEIGHT * dark / tallest, 1)
        bars.append(
            {
                "x": place * (BAR + GAP),
                "words": f"{cost}+" if cost == DEAREST else str(cost),
                "number": number,
                "dark": dark,
                "y": round(HEIGHT - height, 1),
                "height": round(height - part, 1),
                "dark_y": round(HEIGHT - part, 1),
                "dark_height": part,
            }
        )
    return {"bars": bars, "width": len(bars) * (BAR + GAP) - GAP, "bar": BAR, "first": first, "mean": mean(found, deck)}


def mean(found: Game, deck: DeckList) -> str:
    """Return what a card of a deck costs on average, of those that cost something."""
    costs = costs_of(deck, _by_name(found))
    number = sum(kinds.total() for kinds in costs.values())
    return f"{sum(cost * kinds.total() for cost, kinds in costs.items()) / number:.1f}" if number else ""


def _shared(costs: Mapping[int, Counter[str]]) -> dict[int, Counter[str]]:
    """Return the numbers of cards by cost, of which the dearest share one."""
    found: dict[int, Counter[str]] = {}
    for cost, kinds in costs.items():
        found.setdefault(min(cost, DEAREST), Counter()).update(kinds)
    return {cost: found.get(cost, Counter()) for cost in range(min(found, default=0), DEAREST + 1)} if found else {}


def _by_name(found: Game) -> dict[str, ListedCard]:
    return {card.name: card for card in listed_cards(found)}


def _drawn(found: Game) -> dict[str, Listed]:
    return {each.name: each for each in shown_cards(found).values()}
