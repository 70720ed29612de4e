"""The rows of the cards that players own: each begins with a starter, and cards change hands when a game ends."""

from __future__ import annotations

import random
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.engine.rules.game import Game
from quintain.engine.rules.seat_options import OwnedCards
from quintain.server.clock import now
from quintain.server.model.entries import OVER, Folded
from quintain.server.store.database import Database, insert
from quintain.server.store.schema import ListedSeat, ListedTable, OwnedCardRow


class OwnedCard(NamedTuple):
    """A card that a player owns, since when, and the number of the player who lost it to them; None if it was dealt."""

    name: str
    at: float
    giver: int | None


class OwnedCollections:
    """The collections of players in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def of_player(self, number: int, game: str) -> list[OwnedCard]:
        """Return the cards that a player owns in a game, in the order in which they came."""
        asked = select(OwnedCardRow.card, OwnedCardRow.at, OwnedCardRow.giver)
        asked = asked.where(OwnedCardRow.number == number, OwnedCardRow.game == game)
        return [OwnedCard(*row) for row in await self.database.rows(asked.order_by(OwnedCardRow.at, OwnedCardRow.card))]

    async def deal(self, number: int, found: Game, owned: OwnedCards) -> None:
        """Deal a player a starter in the place of all cards that they own in a game."""
        assert found.collection is not None
        names = [card.name for card in found.collection.cards("")]
        random.SystemRandom().shuffle(names)
        at = now()
        rows = [{"number": number, "game": found.id, "card": card, "at": at} for card in owned.starter(names)]
        async with self.database.together.begin() as connection:
            mine = (OwnedCardRow.number == number, OwnedCardRow.game == found.id)
            await connection.execute(delete(OwnedCardRow).where(*mine))
            await connection.execute(self.database.insert(OwnedCardRow).on_conflict_do_nothing(), rows)

    async def in_play(self, number: int, game: str) -> str | None:
        """Return a table at which a player plays with their own cards, and whose game is not over; None if none is."""
        asked = select(ListedTable.id).join(ListedSeat, ListedSeat.table == ListedTable.id)
        here = (ListedSeat.number == number, ListedTable.game == game, ListedTable.owned, ListedTable.status != OVER)
        return await self.database.value(asked.where(*here).limit(1))


async def hand_over(connection: AsyncConnection, folded: Folded, is_postgresql: bool) -> None:
    """Let the cards of a game that is over change hands, in the transaction that closes it: never twice.

    A card that its giver no longer has stays where it is. Who has the card that they gain keeps one of it.
    """
    for seat, gained in folded.gains:
        giver, taker = folded.seats[gained.giver].number, folded.seats[seat].number
        if giver is None or taker is None:
            continue
        card = (OwnedCardRow.number == giver, OwnedCardRow.game == folded.row.game, OwnedCardRow.card == gained.card)
        lost = delete(OwnedCardRow).where(*card).returning(OwnedCardRow.card)
        if await connection.scalar(lost) is not None:
            row = {"number": taker, "game": folded.row.game, "card": gained.card, "at": folded.ended, "giver": giver}
            await connection.execute(insert(OwnedCardRow, is_postgresql).values(row).on_conflict_do_nothing())
