"""The decks that players bring: what a game says about them, so that programs can check, build and write them.

A game whose players bring decks has `decks` in its `collection`. Everything about such a deck is data, so that nobody
outside the game's folder knows its laws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

DeckList = Mapping[str, Mapping[str, int]]
"""The sections of a deck, in their order, each with its cards by name and the number of copies."""


@dataclass(frozen=True)
class Law:
    """A law of decks, and how far a deck keeps it.

    `words` say the law. If the deck breaks it, `fault` says how in a few words, such as ``one Main card short``, and
    `message` in a sentence about the `section` that is wrong; both are empty as long as the law is kept. If the law is
    about how many cards there are of something, `counted` says of what, `number` how many there are, and `least` how
    many there must be.
    """

    words: str
    clause: str
    section: str
    fault: str = ""
    message: str = ""
    counted: str = ""
    number: int = 0
    least: int = 0

    @property
    def is_kept(self) -> bool:
        """Tell whether the deck keeps the law."""
        return not self.fault

    @property
    def missing(self) -> int:
        """How many cards are missing."""
        return max(0, self.least - self.number)


@dataclass(frozen=True)
class CardPlace:
    """Where a card belongs in a deck, and at most how many copies of it; `why` says so in words, with its `clause`."""

    section: str
    most: int
    why: str
    clause: str


@dataclass(frozen=True)
class OpeningHand:
    """How players draw their first hand: `size` cards, some of the section `chosen` and the others of `rest`.

    A player draws `least` to `most` cards of `chosen`, `usual` if nobody says how many. The cards `aside` are put into
    play before, so they are in no hand.
    """

    size: int
    chosen: str
    rest: str
    least: int
    most: int
    usual: int
    aside: Mapping[str, int]


@dataclass(frozen=True)
class Blank:
    """A card that nobody can play, and the text of a set that has it beside the cards of a player's own set."""

    name: str
    cards: str


class Decks(Protocol):
    """The decks of a game whose players bring their own. `own` is everywhere as for `Collection.cards`.

    It may also have `blank`: see `BlankDecks`.
    """

    @property
    def option(self) -> str:
        """The name of the option that takes the deck of each seat."""

    @property
    def ready_made(self) -> Sequence[str]:
        """The names of the decks that come with the game."""

    @property
    def hand(self) -> OpeningHand:
        """How players draw their first hand."""

    def read(self, given: str, own: str, /) -> DeckList:
        """Return the sections of a deck that keeps all laws.

        `given` is the text of a deck list, or the name of a ready-made deck. Raises BadDeck, which names the line and
        says what would be right.
        """

    def read_unfinished(self, given: str, own: str, /) -> DeckList:
        """Return the sections of a deck that may still have too few or too many cards; raises BadDeck."""

    def laws(self, deck: DeckList, own: str, /) -> Sequence[Law]:
        """Return the laws of decks, and how far a deck keeps each of them; `read` takes a deck that keeps them all."""

    def places(self, own: str, /) -> Mapping[str, CardPlace]:
        """Return where each card belongs, by its name."""

    def write(self, deck: DeckList, own: str, /) -> str:
        """Return the text of a deck; the same deck always has the same text, and `read_unfinished` reads it again."""


class BlankDecks(Decks, Protocol):
    """Decks in which a blank can take the place of a card, so that one sees what the card is worth."""

    def blank(self, card: str, own: str, /) -> Blank | None:
        """Return a blank of the same kind as a card; None if no blank can stand in its place."""


FUNCTIONS = {"read": 2, "read_unfinished": 2, "laws": 2, "places": 1, "write": 2}
"""The functions of `Decks`, and how many parameters each takes."""
