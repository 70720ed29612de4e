"""What seats bring to a table by themselves: a deck of their choice, or the cards that their players own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.engine.rules.seat_options import OwnedCards, owned_cards
from quintain.server.model.deck_lists import decks_of
from quintain.server.model.entries import SeatChoice
from quintain.server.model.levels import levels
from quintain.server.refused import Refused


def deck_choice(found: Game, deck: str) -> SeatChoice:
    """Return the choice of a deck, from its text or the name of a ready-made one; raises UnknownGame."""
    return SeatChoice(decks_of(found).option, deck, several=True)


class TriedChoice(NamedTuple):
    """What a seat chooses. It can be played with what the other seats have chosen (`beside`), or with any part of that.

    So whoever gets up, or chooses something else, leaves a table at which the others can still play.
    """

    choice: SeatChoice
    beside: Mapping[int, SeatChoice]

    def check(self, chosen: Mapping[int, SeatChoice], seat: int) -> None:
        """Raise Refused if another seat has chosen something else meanwhile."""
        if any(self.beside.get(other) != each for other, each in chosen.items() if other != seat):
            raise Refused(409, "somebody else chose a deck at the same moment: choose yours again")


def parts_of(chosen: Mapping[int, SeatChoice]) -> Iterator[dict[int, SeatChoice]]:
    """Yield every part of what seats have chosen: all of it first, and nothing last."""
    for size in range(len(chosen), -1, -1):
        yield from map(dict, combinations(chosen.items(), size))


def owned_part(found: Game) -> OwnedCards:
    """Return the part of a game about cards that players own; raises Refused if there is none."""
    part = owned_cards(found)
    if part is None:
        raise Refused(422, f"in {found.title} nobody owns cards")
    return part


def cards_choice(
    found: Game, seat: int, cards: Sequence[str], options: Mapping[str, Any], who: str = "you"
) -> SeatChoice:
    """Return what a seat plays with whose player owns these cards; raises Refused if they are too few."""
    part = owned_part(found)
    if lacks := part.lacks(cards, options):
        has = "have" if who == "you" else "has"
        raise Refused(409, f"{who} {has} too few cards of {'your' if who == 'you' else 'their'} own: {lacks}")
    return SeatChoice(part.options[seat], list(cards))


def check_owned(found: Game, wanted: Sequence[str], options: Mapping[str, object], rated: bool) -> None:
    """Raise BadOption unless a table can be one at which all play with cards of their own."""
    part = owned_part(found)
    if rated:
        raise BadOption("in a rated game nobody plays with cards of their own: one who has better ones would win")
    if any(each in levels() for each in wanted):
        raise BadOption("bots own no cards: leave the other seats free for people")
    assert found.collection is not None
    if options.get(found.collection.option):
        raise BadOption("players own cards of the usual set: leave a set of your own out")
    if any(options.get(name) for name in part.options):
        raise BadOption("name no collections where all play with cards of their own")
