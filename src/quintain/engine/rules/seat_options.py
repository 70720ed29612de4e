"""What a seat brings to a match by itself: its deck, or the cards that its player owns.

Such an option is about one seat, so whoever sits there may choose it after all other options are agreed. A deck is one
of several files in an option of the kind `files`; a seat's own cards are an option of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple, Protocol

from quintain.engine.errors import BadOption, nearest
from quintain.engine.rules.game import Game


class Gain(NamedTuple):
    """A card that changes hands at the end of a match, by name, from one seat to another."""

    card: str
    giver: int
    taker: int


class OwnedCards(Protocol):
    """The part of a collection for a game in which players may own cards, and win and lose them."""

    @property
    def options(self) -> Sequence[str]:
        """The name of the option that takes the names of a seat's cards, for each seat."""

    @property
    def stakes(self) -> str:
        """The name of the switch by which players play for cards."""

    def starter(self, shuffled: Sequence[str], /) -> Sequence[str]:
        """Return the cards with which a player begins, from the names of all cards of the base set in any order."""

    def lacks(self, cards: Sequence[str], options: Mapping[str, object], /) -> str:
        """Say what somebody lacks who has these cards and wants to play with these options; empty if nothing."""

    def gains(self, book: Any, s: Any, ranks: Sequence[int], /) -> Sequence[Gain]:
        """Return which cards change hands after a match with these ranks; none without stakes."""


def owned_cards(game: Game) -> OwnedCards | None:
    """Return the part of a game's collection about cards that players own; None if it has none."""
    return getattr(game.collection, "owned", None)


def gains_of(match: Any) -> Sequence[Gain]:
    """Return which cards change hands after a finished `Match`, by what everybody may know."""
    owned = owned_cards(match.game)
    return owned.gains(match.book, match.blinded(None), match.outcome.ranks) if owned else []


def seat_options(game: Game) -> set[str]:
    """Return the names of the options of which each seat may choose its own part."""
    decks, owned = game.collection and game.collection.decks, owned_cards(game)
    return ({decks.option} if decks else set()) | (set(owned.options) if owned else set())


def with_chosen(game: Game, options: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with those that seats have chosen; raises BadOption if one of these is not about a single seat."""
    mine = seat_options(game)
    for name in chosen:
        if name not in mine:
            there = f"they choose {', '.join(sorted(mine))}" if mine else "in this game they choose none"
            raise BadOption(f"seats cannot choose the option {name}: {there}{nearest(name, mine)}")
    return {**options, **chosen}


def with_deck(decks: Sequence[str], seats: int, seat: int, deck: str) -> list[str]:
    """Return the decks of all seats after one seat has chosen another; fewer decks than seats are used in turn.

    >>> with_deck(["a", "b"], 3, 1, "c")
    ['a', 'c', 'a']
    """
    all_decks = [*islice(cycle(decks), seats)]
    all_decks[seat] = deck
    return all_decks
