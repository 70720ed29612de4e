"""The ready-made decks of a game: what they hold, and which of them have a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from quintain.engine.rules.game import Game


class InDeck(NamedTuple):
    """How often a deck has a card: its name, the deck in words, and the number of copies."""

    name: str
    words: str
    copies: int


@cache
def ready_decks(found: Game) -> Mapping[str, Mapping[str, int]]:
    """Return the copies of each card, by name, in each ready-made deck; nothing for a game without decks."""
    decks = found.collection.decks if found.collection else None
    made: dict[str, Mapping[str, int]] = {}
    for name in decks.ready_made if decks else ():
        copies = Counter[str]()
        for section in decks.read(name, "").values() if decks else ():
            copies.update(section)
        made[name] = copies
    return made


def deck_words(name: str) -> str:
    """Return the name of a deck in words.

    >>> deck_words("hedge-host")
    'Hedge Host'
    """
    return name.replace("-", " ").title()


def decks_with(found: Game, card: str) -> list[InDeck]:
    """Return the ready-made decks that have a card."""
    return [
        InDeck(name, deck_words(name), copies[card]) for name, copies in ready_decks(found).items() if copies.get(card)
    ]
