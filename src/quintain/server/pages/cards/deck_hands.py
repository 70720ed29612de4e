"""A first hand from a deck, and three chances of first hands, whose cards can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.deck_figures import chance_of, cost_of, first_hand, split_of
from quintain.engine.rules.decks import DeckList
from quintain.engine.rules.game import Game
from quintain.server.model.deck_lists import decks_of
from quintain.server.pages.cards.filters import read_page
from quintain.server.pages.cards.listed import listed_cards, shown_cards
from quintain.server.pages.rendering import Context

CHANCES, LATER, CHEAP = 3, 5, 3
"""How many chances a page shows, how many later cards the last of them counts, and which cost still counts as cheap."""
UP_TO = " up to "
"""Stands between a kind and a cost in what a chance is about."""


class HandWish(NamedTuple):
    """Which hand an address asks for: its number, how many cards of the chosen section, and what chances are about."""

    number: int = 1
    chosen: int | None = None
    about: tuple[str, ...] = ()

    @classmethod
    def read(cls, query: Mapping[str, str]) -> HandWish:
        """Return what an address asks for; raises BadOption for a number that is none."""
        chosen = query.get("chosen", "")
        about = tuple(query.get(f"chance{place}", "")[:80] for place in range(CHANCES))
        return cls(read_page(query.get("hand", "")), read_page(chosen) if chosen else None, about)


def hand_context(found: Game, deck: DeckList, wish: HandWish) -> Context | None:
    """Return a first hand and its chances; None as long as a deck has no cards to draw."""
    hand = decks_of(found).hand
    first, others = split_of(hand, deck, wish.chosen)
    if not others:
        return None
    shown = {each.name: each for each in shown_cards(found).values()}
    drawn = first_hand(hand, deck, wish.number, wish.chosen)
    return {
        "cards": [shown[name] for name in drawn],
        "size": len(drawn),
        "first": first,
        "section": hand.chosen,
        "rest": hand.rest,
        "choices": list(range(hand.least, hand.most + 1)),
        "chosen": wish.chosen or hand.usual,
        "next": wish.number + 1,
        "number": wish.number,
        "chances": _chances(found, deck, wish),
        "subjects": list(_subjects(found, deck)),
    }


def _chances(found: Game, deck: DeckList, wish: HandWish) -> list[Context]:
    """Return three chances: what each is about, and how often a first hand has at least one such card."""
    hand, subjects = decks_of(found).hand, _subjects(found, deck)
    usual, shown = _usual(subjects, deck, hand.chosen, hand.rest), []
    for place in range(CHANCES):
        asked = wish.about[place] if place < len(wish.about) else ""
        about = asked if asked in subjects else usual[place]
        later = LATER if place == CHANCES - 1 else 0
        chance = chance_of(hand, deck, subjects.get(about, ()), wish.chosen, later)
        shown.append({"about": about, "percent": round(100 * chance), "later": later, "field": f"chance{place}"})
    return shown


def _usual(subjects: Mapping[str, tuple[str, ...]], deck: DeckList, chosen: str, rest: str) -> tuple[str, str, str]:
    """Return what chances are about if nobody asks: the first card of the chosen section, cheap cards, a single one."""
    cheap = next((about for about in subjects if UP_TO in about), "")
    cards = deck.get(rest, {})
    single = [name for name, copies in cards.items() if copies == 1] or [*cards]
    return next(iter(deck.get(chosen, {})), ""), cheap, single[-1]


def _subjects(found: Game, deck: DeckList) -> dict[str, tuple[str, ...]]:
    """Return what a chance can be about, each with the cards that count: kinds, cheap cards of a kind, single cards."""
    hand, cards = decks_of(found).hand, {card.name: card for card in listed_cards(found)}
    names = [name for section in (hand.chosen, hand.rest) for name in deck.get(section, {})]
    subjects: dict[str, tuple[str, ...]] = {}
    for kind in dict.fromkeys(cards[name].kind for name in names):
        of_kind = [name for name in names if cards[name].kind == kind]
        subjects[kind] = tuple(of_kind)
        if cheap := tuple(name for name in of_kind if _is_cheap(cards[name])):
            subjects[f"{kind}{UP_TO}{CHEAP}"] = cheap
    return subjects | {name: (name,) for name in names}


def _is_cheap(card: ListedCard) -> bool:
    cost = cost_of(card)
    return cost is not None and cost <= CHEAP
