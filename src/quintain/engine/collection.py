"""The optional parts of a game's contract: a collection of cards, and a report at the end of a game.

A game with cards worth listing has a `collection`, in `cards.py` of its folder; a game with counts that are worth
gathering over many games has a `report`, in `report.py`. Whoever lists cards, reads decks or gathers counts asks these,
and never knows which game it is. Their functions take the game's own `Book` and `State`: here these are `Any`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from quintain.engine.views import Count


@dataclass(frozen=True)
class ListedCard:
    """A card of a set in words: its name, the heading that its kind has in a list, its numbers and its text."""

    name: str
    kind: str
    numbers: str = ""
    text: str = ""


class Held(NamedTuple):
    """How many copies of each card, by name, a seat has in its deck, has drawn, and has played, as far as is known."""

    deck: Counter[str]
    drawn: Counter[str]
    played: Counter[str]


class Decks(Protocol):
    """The decks that players bring along."""

    @property
    def option(self) -> str:
        """The option that takes the deck of each seat."""

    @property
    def ready_made(self) -> Sequence[str]:
        """The names of the decks that are there already."""

    def read(self, given: str, own: str, /) -> Mapping[str, Mapping[str, int]]:
        """Return the sections of a deck, each with its cards by name and how many copies there are.

        `given` is a list, or the name of a ready-made deck; `own` is as for `Collection.cards`. Raises BadDeck, which
        names the line and what would be right.
        """


class Collection(Protocol):
    """The cards of a game."""

    @property
    def option(self) -> str:
        """The option that takes the text of a set of one's own."""

    @property
    def decks(self) -> Decks | None:
        """The decks that players bring along; None in a game without."""

    def cards(self, own: str, /) -> Sequence[ListedCard]:
        """Return the cards that a match can have, given the text of a set of one's own, or an empty one.

        Raises BadOption, which names the line, the card and what would be right.
        """

    def names(self, book: Any, seat: int, /) -> Sequence[str]:
        """Return the names of a seat's cards, in the order of the numbers that fields of the state hold."""

    def held(self, book: Any, s: Any, seat: int, /) -> Held:
        """Return where a seat's cards are, as far as a state knows: a blinded one knows less."""


class ReportFunction(Protocol):
    """What is worth gathering at the end of a game: counts whose keys are the same in every game."""

    def __call__(self, book: Any, s: Any, /) -> tuple[Count, ...]:
        """Return the counts of a game that is over."""


PARTS = {"collection": {"cards": 1, "names": 2, "held": 3}, "decks": {"read": 2}}
"""The functions of the parts, and how many parameters each has."""
