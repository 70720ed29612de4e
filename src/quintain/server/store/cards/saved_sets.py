"""The rows of the sets of cards that players save under a name, and of the sets that they chose at tables.

`model/saved_sets.py` says what a set is, and how one that was chosen is kept by its mark.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping

from sqlalchemy import delete, func, select, update

from quintain.server.clock import now
from quintain.server.model.saved_sets import SavedSet, check_room, mark_of, no_such_set
from quintain.server.store.database import Database
from quintain.server.store.schema import PlayedSetRow, SavedSetRow


class SavedSets:
    """The saved sets in a database: a `KeptSavedSets`. A player finds and changes only their own."""

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
            raise no_such_set()
        return found

    async def add(self, number: int, game: str, name: str, cards: str) -> str:
        """Keep a new set of a player, and return its id; raises Refused if they have too many."""
        id_, at = secrets.token_urlsafe(9), now()
        row = {"id": id_, "number": number, "game": game, "name": name, "cards": cards, "made": at, "changed": at}
        async with self.database.together.begin() as connection:
            kept = await connection.scalar(select(func.count()).where(SavedSetRow.number == number))
            check_room(kept or 0)
            await connection.execute(self.database.insert(SavedSetRow).values(row))
        return id_

    async def write(self, saved: SavedSet, cards: str) -> bool:
        """Keep other cards of a set; False if it has changed since it was read, so that nothing is written."""
        changed = update(SavedSetRow).where(SavedSetRow.id == saved.id, SavedSetRow.cards == saved.cards)
        async with self.database.together.begin() as connection:
            done = await connection.execute(changed.values(cards=cards, changed=now()))
        return done.rowcount == 1

    async def rename(self, saved: SavedSet, name: str) -> None:
        """Give a set another name."""
        await self.database.do(update(SavedSetRow).where(SavedSetRow.id == saved.id).values(name=name))

    async def delete(self, saved: SavedSet) -> None:
        """Delete a set."""
        await self.database.do(delete(SavedSetRow).where(SavedSetRow.id == saved.id))

    async def note(self, number: int, game: str, table: str, names: Iterable[str]) -> None:
        """Note that a player chose these cards at a table."""
        row = {"number": number, "game": game, "table": table, "mark": mark_of(names)}
        await self.database.do(self.database.insert(PlayedSetRow).values(row).on_conflict_do_nothing())

    async def tables_by_mark(self, number: int, game: str) -> Mapping[str, set[str]]:
        """Return the tables at which a player chose each set, by the set's mark."""
        asked = select(PlayedSetRow.mark, PlayedSetRow.table)
        found = defaultdict[str, set[str]](set)
        for mark, table in await self.database.rows(
            asked.where(PlayedSetRow.number == number, PlayedSetRow.game == game)
        ):
            found[mark].add(table)
        return found


_COLUMNS = (
    SavedSetRow.id,
    SavedSetRow.number,
    SavedSetRow.game,
    SavedSetRow.name,
    SavedSetRow.cards,
    SavedSetRow.made,
    SavedSetRow.changed,
)
