"""The rows of players: their names and numbers, when they came and went, and who shares a browser or an address."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import exists, select

from quintain.server.clock import now
from quintain.server.model.seating import Person, browser_of
from quintain.server.store.database import Database
from quintain.server.store.notifications import PLAYERS
from quintain.server.store.schema import DeviceRow, PlayerRow


class PlayerRows(Database):
    """What the database knows of players."""

    async def player(self, id_: str) -> Person | None:
        """Return a player; None if nobody has this id."""
        found = await self.rows(_PERSON.where(PlayerRow.id == id_))
        return _person(*found[0]) if found else None

    async def player_name(self, id_: str) -> str | None:
        """Return a player's name; None for an unknown player."""
        found = await self.player(id_)
        return found.name if found else None

    async def persons(self, numbers: Collection[int]) -> dict[int, Person]:
        """Return players by their numbers."""
        if not numbers:
            return {}
        return {row.number: _person(*row) for row in await self.rows(_PERSON.where(PlayerRow.number.in_(numbers)))}

    async def came_and_went(self, number: int) -> tuple[float, float | None]:
        """Return when a player first came, and when they were deleted; None if they are still here."""
        ((made, gone),) = await self.rows(select(PlayerRow.made, PlayerRow.gone).where(PlayerRow.number == number))
        return made, gone

    async def are_gone(self, numbers: Collection[int]) -> bool:
        """Tell whether one of some players has been deleted."""
        gone = exists().where(PlayerRow.number.in_(numbers), PlayerRow.gone.is_not(None))
        return bool(await self.value(select(gone)))

    async def session_of(self, number: int) -> int:
        """Return the number of a player's session."""
        (session,) = await self.values(select(PlayerRow.session).where(PlayerRow.number == number))
        return session

    async def name_player(self, id_: str, name: str) -> int:
        """Give a player a name, or change it; return the player's number."""
        added = self.insert(PlayerRow).values(id=id_, name=name, made=now(), named=now())
        named = added.on_conflict_do_update(
            index_elements=[PlayerRow.id], set_={"name": name, "named": added.excluded.named}
        )
        async with self.together.begin() as connection:
            number = int((await connection.execute(named.returning(PlayerRow.number))).scalar_one())
            await self.tell(connection, PLAYERS, str(number))
        return number

    async def alike(self, numbers: Collection[int]) -> set[int]:
        """Return those of some players who share a browser or an address with another of them."""
        asked = select(DeviceRow.number, DeviceRow.id, DeviceRow.address).where(DeviceRow.number.in_(numbers))
        owners: dict[str, set[int]] = {}
        for number, device, address in await self.rows(asked):
            for sign in filter(None, (browser_of(device), address)):
                owners.setdefault(sign, set()).add(number)
        return set().union(*(shared for shared in owners.values() if len(shared) > 1))


_PERSON = select(PlayerRow.number, PlayerRow.id, PlayerRow.name, PlayerRow.named)


def _person(number: int, id_: str, name: str | None, named: float) -> Person:
    return Person(number, id_, name or f"Player {number}", named)
