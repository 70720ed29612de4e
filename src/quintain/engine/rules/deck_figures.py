"""Figures of a deck: what its cards cost, a first hand drawn at random, and the chance that one holds certain cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from math import comb
from random import Random

from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.decks import DeckList, OpeningHand

COST = "cost"
"""The key of the number that says what a card costs."""


def cost_of(card: ListedCard) -> int | None:
    """Return what a card costs; None if it costs nothing that can be counted."""
    return next((stat.number for stat in card.stats if stat.key == COST), None)


def costs_of(deck: DeckList, cards: Mapping[str, ListedCard]) -> dict[int, Counter[str]]:
    """Return how many cards of each kind a deck has at each cost, the cheapest first; `cards` are those of the game."""
    found: dict[int, Counter[str]] = {}
    for pile in deck.values():
        for name, copies in pile.items():
            if (cost := cost_of(cards[name])) is not None:
                found.setdefault(cost, Counter())[cards[name].kind] += copies
    return dict(sorted(found.items()))


def split_of(hand: OpeningHand, deck: DeckList, chosen: int | None = None) -> tuple[int, int]:
    """Return how many cards of the chosen section a first hand has, and how many of the other, as far as there are."""
    wanted = hand.usual if chosen is None else chosen
    first = min(max(hand.least, min(wanted, hand.most)), _pile(hand, deck, hand.chosen).total())
    return first, min(hand.size - first, _pile(hand, deck, hand.rest).total())


def first_hand(hand: OpeningHand, deck: DeckList, seed: int, chosen: int | None = None) -> list[str]:
    """Return a first hand, by the names of its cards: the others first, then those of the chosen section.

    The same seed always draws the same hand.
    """
    chance, (first, others) = Random(seed), split_of(hand, deck, chosen)
    return [
        name
        for section, number in ((hand.rest, others), (hand.chosen, first))
        for name in _draw(_pile(hand, deck, section), number, chance)
    ]


def chance_of(
    hand: OpeningHand, deck: DeckList, wanted: Collection[str], chosen: int | None = None, later: int = 0
) -> float:
    """Return the chance that a first hand holds at least one of these cards.

    `later` counts so many cards that are drawn afterwards from the section of the others.
    """
    first, others = split_of(hand, deck, chosen)
    none = 1.0
    for section, number in ((hand.chosen, first), (hand.rest, others + later)):
        pile = _pile(hand, deck, section)
        none *= _chance_of_none(pile.total(), sum(pile[name] for name in set(wanted)), number)
    return 1 - none


def _chance_of_none(cards: int, wanted: int, drawn: int) -> float:
    """Return the chance to draw none of the wanted cards, which follows the hypergeometric distribution."""
    drawn = min(drawn, cards)
    return comb(cards - wanted, drawn) / comb(cards, drawn)


def _pile(hand: OpeningHand, deck: DeckList, section: str) -> Counter[str]:
    """Return the cards of a section from which a hand is drawn."""
    pile: Mapping[str, int] = deck.get(section, {})
    return Counter(pile) - Counter(hand.aside) if section == hand.chosen else Counter(pile)


def _draw(pile: Counter[str], number: int, chance: Random) -> list[str]:
    """Return cards drawn at random, in the order of the pile."""
    drawn = Counter(chance.sample(list(pile), number, counts=list(pile.values()))) if number else Counter[str]()
    return [name for name in pile for _ in range(drawn[name])]
