"""The list of a game's cards, for the page /rules/GAME/cards and for the drawer beside a table.

It knows the cards by the collection of the game alone (`engine/rules/collection.py`); a game without one has no list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from quintain.engine.errors import UnknownGame
from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games
from quintain.engine.rules.views import Piece, Stat
from quintain.engine.seen.layout import plain_spot
from quintain.server.pages.rendering import Shown
from quintain.server.pages.rule_search import contains

COST = "cost"
"""The key of the number that a card's seal shows."""


@dataclass(frozen=True)
class CardGroup:
    """The cards of one kind: the heading, its anchor, and the cards as templates draw them."""

    kind: str
    anchor: str
    cards: tuple[Listed, ...]


@dataclass(frozen=True)
class Listed:
    """A card, and its numbers in lines: those with keys like `attack.damage` share a line called `attack`."""

    shown: Shown
    lines: tuple[tuple[str, tuple[Stat, ...]], ...]


@cache
def listed_cards(game: Game) -> tuple[ListedCard, ...]:
    """Return the cards of a game; none if it has no collection."""
    return tuple(game.collection.cards("")) if game.collection else ()


def card_piece(card: ListedCard, state: frozenset[str] = frozenset()) -> Piece:
    """Return a card as a piece that lies nowhere."""
    costs = [stat.number for stat in card.stats if stat.key == COST]
    stats = tuple(stat for stat in card.stats if stat.key != COST)
    cost = costs[0] if costs else None
    return Piece("", card.key, card.name, kind=card.sort, cost=cost, stats=stats, text=card.text, state=state)


def card_groups(game: Game, words: Sequence[str] = ()) -> list[CardGroup]:
    """Return the cards that contain all these words, by kind; raises UnknownGame for a game without cards."""
    if not game.collection:
        others = ", ".join(other.id for other in all_games() if other.collection)
        raise UnknownGame(f"{game.title} has no cards to list; the games that have some are {others}")
    groups: dict[str, list[Listed]] = {}
    for card in listed_cards(game):
        if contains(f"{card.name} {card.kind} {card.sort} {card.numbers} {card.text}", words):
            groups.setdefault(card.kind, []).append(_listed(game, card_piece(card)))
    return [CardGroup(kind, anchor_of(kind), tuple(cards)) for kind, cards in groups.items()]


def _listed(game: Game, piece: Piece) -> Listed:
    lines = groupby(piece.stats, key=lambda stat: stat.key.rpartition(".")[0])
    return Listed(Shown(game, plain_spot(piece)), tuple((name, tuple(stats)) for name, stats in lines))


def anchor_of(words: str) -> str:
    """Return the anchor of a kind or of a card in the list.

    >>> anchor_of("Battlecards of the Bandits")
    'cards-battlecards-of-the-bandits'
    """
    return "cards-" + re.sub(r"\W+", "-", words.casefold()).strip("-")
