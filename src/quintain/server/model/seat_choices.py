"""What seats bring to a table by themselves: a deck of their choice, or the cards that their players own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
