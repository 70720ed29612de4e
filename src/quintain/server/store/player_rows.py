"""The rows of players: their names and numbers, when they came and went, and who shares a browser or an address."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import (
    exists,
    select,
)

from quintain.server.clock import now
from quintain.server.model.seating import Person
from quintain.server.store.database import Database
from quintain.server.store.keys import browser_of
from quintain.server.store.notifications import PLAYERS, notify
from quintain.server.store.schema import (
    DeviceRow,
    PlayerRow,
)


class PlayerRows(Database):
    """What the database knows of players."""

    async def player(self, id_: str) -> Person | None:
        """Return a player; None if nobody has this id."""
        async with self.engine.connect() as connection:
            found = (await connection.execute(_PERSON.where(PlayerRow.id == id_))).one_or_none()
        return _person(*found) if found else None

    async def player_name(self, id_: str) -> str | None:
        """Return a player's name; None for an unknown player."""
        found = await self.player(id_)
        return found.name if found else None

    async def persons(self, numbers: Collection[int]) -> dict[int, Person]:
        """Return players by their numbers."""
        if not numbers:
            return {}
        async with self.engine.connect() as connection:
            rows = await connection.execute(_PERSON.where(PlayerRow.number.in_(numbers)))
            return {row.number: _person(*row) for row in rows}

    async def came_and_went(self, number: int) -> tuple[float, float | None]:
        """Return when a player first came, and when they were deleted; None if they are still here."""
        async with self.engine.connect() as connection:
            asked = select(PlayerRow.made, PlayerRow.gone).where(PlayerRow.number == number)
            made, gone = (await connection.execute(asked)).one()
            return made, gone

    async def are_gone(self, numbers: Collection[int]) -> bool:
        """Tell whether one of some players has been deleted."""
        async with self.engine.connect() as connection:
            asked = select(exists().where(PlayerRow.number.in_(numbers), PlayerRow.gone.is_not(None)))
            return bool(await connection.scalar(asked))

    async def session_of(self, number: int) -> int:
        """Return the number of a player's session."""
        async with self.engine.connect() as connection:
            asked = select(PlayerRow.session).where(PlayerRow.number == number)
            return int((await connection.execute(asked)).scalar_one())

    async def name_player(self, id_: str, name: str) -> int:
        """Give a player a name, or change it; return the player's number."""
        added = self.insert(PlayerRow).values(id=id_, name=name, made=now(), named=now())
        named = added.on_conflict_do_update(
            index_elements=[PlayerRow.id], set_={"name": name, "named": added.excluded.named}
        )
        async with self.together.begin() as connection:
            number = int((await connection.execute(named.returning(PlayerRow.number))).scalar_one())
            if self.is_shared:
                await notify(connection, PLAYERS, str(number))
        return number

    async def alike(self, numbers: Collection[int]) -> set[int]:
        """Return those of some players who share a browser or an address with another of them."""
        asked = select(DeviceRow.number, DeviceRow.id, DeviceRow.address).where(DeviceRow.number.in_(numbers))
        owners: dict[str, set[int]] = {}
        async with self.engine.connect() as connection:
            for number, device, address in await connection.execute(asked):
                for sign in filter(None, (browser_of(device), address)):
                    owners.setdefault(sign, set()).add(number)
        return set().union(*(shared for shared in owners.values() if len(shared) > 1))


_PERSON = select(PlayerRow.number, PlayerRow.id, PlayerRow.name, PlayerRow.named)


def _person(number: int, id_: str, name: str | None, named: float) -> Person:
    return Person(number, id_, name or f"Player {number}", named)
