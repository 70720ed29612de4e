"""The cards of a game's collection, as templates draw them: in `parts/bigcard.html`, or in the drawer of rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from quintain.engine.names import with_minus
from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.game import Game
from quintain.engine.rules.views import Piece, Stat
from quintain.engine.seen.layout import plain_spot
from quintain.server.pages import heraldry
from quintain.server.pages.rendering import Shown
from quintain.server.pages.rulebooks import contains

COST = "cost"
"""The key of the number that a card's seal shows."""
LONG = 100
"""A text with more letters than this is long."""


@dataclass(frozen=True)
class Listed:
    """A card as templates draw it.

    `place` is the last part of its address, `corner` the number in its seal, and `lines` are its other numbers: those
    with keys like `attack.damage` share a line called `attack`.
    """

    card: ListedCard
    place: str
    shown: Shown
    corner: str
    lines: tuple[tuple[str, tuple[Stat, ...]], ...]

    @property
    def length(self) -> str:
        """A class for a text that needs small letters on paper; empty for most."""
        return "long" if len(self.card.text) > LONG else ""

    @property
    def text(self) -> str:
        """The text of the card, with true minus signs."""
        return with_minus(self.card.text)

    @property
    def name(self) -> str:
        """The name of the card."""
        return self.card.name

    @property
    def game_id(self) -> str:
        """The id of its game."""
        return self.shown.game.id

    @property
    def arms(self) -> str:
        """The id of its arms in the sprite."""
        return self.shown.arms

    @property
    def href(self) -> str:
        """The address of its own page."""
        return f"/cards/{self.game_id}/{self.place}"


@dataclass(frozen=True)
class CardGroup:
    """The cards of one kind: the heading, its anchor, and the cards as templates draw them."""

    kind: str
    anchor: str
    cards: tuple[Listed, ...]


@cache
def listed_cards(game: Game) -> tuple[ListedCard, ...]:
    """Return the cards of a game; none if it has no collection."""
    return tuple(game.collection.cards("")) if game.collection else ()


@cache
def shown_cards(game: Game) -> Mapping[str, Listed]:
    """Return the cards of a game as templates draw them, by the last part of their addresses."""
    return {each.place: each for each in shown(game, listed_cards(game))}


def shown(game: Game, cards: Sequence[ListedCard]) -> list[Listed]:
    """Return some cards as templates draw them; cards of a player's own set may be among them."""
    used, found = Counter[str](), list[Listed]()
    for card in cards:
        place = card.key or re.sub(r"\W+", "-", card.name.casefold()).strip("-")
        used[place] += 1
        found.append(_listed(game, card, f"{place}-{used[place]}" if used[place] > 1 else place))
    return found


def _listed(game: Game, card: ListedCard, place: str) -> Listed:
    piece = card_piece(card)
    drawn = Shown(game, plain_spot(piece))
    corner = piece.corner if piece.cost is None else str(piece.cost)
    lines = groupby(piece.stats, key=lambda stat: stat.key.rpartition(".")[0])
    return Listed(card, place, drawn, corner, tuple((name, tuple(stats)) for name, stats in lines))


def card_piece(card: ListedCard, state: frozenset[str] = frozenset()) -> Piece:
    """Return a card as a piece that lies nowhere."""
    costs = [stat.number for stat in card.stats if stat.key == COST]
    stats = tuple(stat for stat in card.stats if stat.key != COST)
    cost, corner = (costs[0], "") if costs else (None, heraldry.parts(card.key)[1])
    return Piece(
        "",
        card.key,
        card.name,
        kind=card.sort,
        corner=corner,
        cost=cost,
        stats=stats,
        text=with_minus(card.text),
        state=state,
    )


def card_groups(game: Game, words: Sequence[str] = ()) -> list[CardGroup]:
    """Return the cards that contain all these words, by kind."""
    groups: dict[str, list[Listed]] = {}
    for each in shown_cards(game).values():
        if has_words(each.card, words):
            groups.setdefault(each.card.kind, []).append(each)
    return [CardGroup(kind, anchor_of(kind), tuple(cards)) for kind, cards in groups.items()]


def has_words(card: ListedCard, words: Sequence[str]) -> bool:
    """Tell whether a card contains all these words, in its name, its kind, its numbers or its text."""
    return contains(f"{card.name} {card.kind} {card.sort} {card.numbers} {card.text}", words)


def anchor_of(words: str) -> str:
    """Return the anchor of a kind or of a card in the list.

    >>> anchor_of("Battlecards of the Bandits")
    'cards-battlecards-of-the-bandits'
    """
    return "cards-" + re.sub(r"\W+", "-", words.casefold()).strip("-")
