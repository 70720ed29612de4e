"""How often cards win, as the file tells that comes with a game; `card_gathering.py` makes such records."""

from __future__ import annotations

from functools import cache

import msgspec

from quintain.engine.errors import BadRecord
from quintain.engine.rules.game import Game

FILE = "card_records.json"


class CardRecord(msgspec.Struct, frozen=True):
    """How often the seats that drew a card won, from 0 to 1, with the bounds of the 95 % interval and their number."""

    name: str
    won: float
    low: float
    high: float
    tries: int


class CardRecords(msgspec.Struct, frozen=True):
    """The records of a game's cards in `games` between bots, of which the seed decides all chance.

    `counted` is ``drawn``, or ``played`` for a game in which everybody draws every card.
    """

    game: str
    bot: str
    seats: int
    games: int
    seed: int
    counted: str
    cards: tuple[CardRecord, ...]

    @property
    def even(self) -> float:
        """The even share of a seat, from 0 to 1."""
        return 1 / self.seats

    @property
    def by_name(self) -> dict[str, CardRecord]:
        """The records, by the names of their cards."""
        return {record.name: record for record in self.cards}


@cache
def card_records(game: Game) -> CardRecords | None:
    """Return the records that come with a game; None if it has no file of them. Raises BadRecord for a damaged file."""
    path = game.folder / FILE if game.folder else None
    if not path or not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=CardRecords)
    except msgspec.MsgspecError as error:
        raise BadRecord(f"{path} cannot be read: {error}") from error
