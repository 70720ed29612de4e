"""The rows of the sets of cards that players save under a name, to choose them again at a table."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import delete, func, select, update

from quintain.server.clock import now
from quintain.server.refused import Refused
from quintain.server.store.database import Database
from quintain.server.store.schema import SavedSetRow

MOST_SETS = 60
"""The sets that a player keeps."""


class SavedSet(NamedTuple):
    """A set of a player: its cards by name, one a line."""

    id: str
    number: int
    game: str
    name: str
    cards: str
    made: float

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its cards."""
        return tuple(self.cards.splitlines())


class SavedSets:
    """The saved sets in a database. A player finds and changes only their own."""

    def __init__(self, database: Database):
        self.database = database

    async def of_player(self, number: int, game: str) -> list[SavedSet]:
        """Return the sets of a player for a game, the newest first."""
        asked = select(*_COLUMNS).where(SavedSetRow.number == number, SavedSetRow.game == game)
        rows = await self.database.rows(asked.order_by(SavedSetRow.made.desc(), SavedSetRow.id))
        return [SavedSet(*row) for row in rows]

    async def find(self, number: int, game: str, id_: str) -> SavedSet:
        """Return a set of a player; raises Refused if it is none of theirs."""
        found = next((each for each in await self.of_player(number, game) if each.id == id_), None)
        if found is None:
            raise Refused(404, "you have no such set: it may have been deleted")
        return found

    async def add(self, number: int, game: str, name: str, cards: str) -> str:
        """Keep a new set of a player, and return its id; raises Refused if they have too many."""
        id_ = secrets.token_urlsafe(9)
        row = {"id": id_, "number": number, "game": game, "name": name, "cards": cards, "made": now()}
        async with self.database.together.begin() as connection:
            kept = await connection.scalar(select(func.count()).where(SavedSetRow.number == number))
            if (kept or 0) >= MOST_SETS:
                raise Refused(422, f"you have {MOST_SETS} sets, which is as many as are kept: delete one first")
            await connection.execute(self.database.insert(SavedSetRow).values(row))
        return id_

    async def rename(self, saved: SavedSet, name: str) -> None:
        """Give a set another name."""
        await self.database.do(update(SavedSetRow).where(SavedSetRow.id == saved.id).values(name=name))

    async def delete(self, saved: SavedSet) -> None:
        """Delete a set."""
        await self.database.do(delete(SavedSetRow).where(SavedSetRow.id == saved.id))


_COLUMNS = (
    SavedSetRow.id,
    SavedSetRow.number,
    SavedSetRow.game,
    SavedSetRow.name,
    SavedSetRow.cards,
    SavedSetRow.made,
)
