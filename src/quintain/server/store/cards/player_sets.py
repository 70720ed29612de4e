"""The rows of players' own sets of cards: each with its draft, and its versions, some of which are shared."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Mapping

from sqlalchemy import ColumnElement, Executable, and_, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.server.clock import now
from quintain.server.model.own_sets import (
    MOST_STEPS,
    MOST_VERSIONS,
    OwnSet,
    SetVersion,
    SharedSet,
    check_length,
    check_number,
    no_such_set,
    not_shared,
)
from quintain.server.refused import Refused
from quintain.server.store.database import Database
from quintain.server.store.schema import CardSetRow, CardSetStepRow, CardSetVersionRow, PlayerRow

MOST_TOKEN = 64
"""Characters of the token of a link."""


class PlayerSets:
    """The sets of players in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def of_player(self, number: int, game: str) -> list[OwnSet]:
        """Return the sets of a player for a game, the one that was changed last first."""
        asked = select(*_COLUMNS).where(CardSetRow.number == number, CardSetRow.game == game)
        rows = await self.database.rows(asked.order_by(CardSetRow.changed.desc(), CardSetRow.id))
        return [OwnSet(*row) for row in rows]

    async def find(self, number: int, id_: str) -> OwnSet:
        """Return a set of a player; raises Refused if it is none of theirs."""
        rows = await self.database.rows(select(*_COLUMNS).where(CardSetRow.number == number, CardSetRow.id == id_))
        if not rows:
            raise no_such_set()
        return OwnSet(*rows[0])

    async def add(self, number: int, game: str, name: str, draft: str, is_valid: bool) -> str:
        """Keep a new set of a player, and return its id; a valid one is its own first version. Raises Refused."""
        id_, at = secrets.token_urlsafe(9), now()
        row = {"id": id_, "number": number, "game": game, "name": name, "made": at, "changed": at, "change": 0}
        valid = draft if is_valid else ""
        async with self.database.together.begin() as connection:
            kept = await connection.scalar(select(func.count()).where(CardSetRow.number == number))
            check_number(kept or 0)
            await self._check_room(connection, number, draft)
            values = {**row, "version": int(is_valid), "draft": draft, "valid": valid, "step": 0}
            await connection.execute(self.database.insert(CardSetRow).values(values))
            if is_valid:
                first = {"card_set": id_, "version": 1, "text": draft, "at": at, "token": None}
                await connection.execute(self.database.insert(CardSetVersionRow).values(first))
        return id_

    async def write(self, own: OwnSet, draft: str, is_valid: bool) -> bool:
        """Keep a changed draft; False if the set has changed since it was read."""
        valid = {"valid": draft} if is_valid else {}
        async with self.database.together.begin() as connection:
            if not await self._write(connection, own, {"draft": draft, "step": own.step + 1, **valid}):
                return False
            await self._keep_step(connection, own)
        return True

    async def draft_at(self, own: OwnSet, by: int) -> str | None:
        """Return the draft so many changes ahead, or back if `by` is negative; None if it is not kept."""
        row = CardSetStepRow
        packed = await self.database.value(select(row.draft).where(row.card_set == own.id, row.step == own.step + by))
        return zlib.decompress(packed).decode() if packed else None

    async def go(self, own: OwnSet, by: int, draft: str, is_valid: bool) -> bool:
        """Go back or ahead to a draft of `draft_at`; False if the set has changed since it was read."""
        valid = {"valid": draft} if is_valid else {}
        async with self.database.together.begin() as connection:
            if not await self._write(connection, own, {"draft": draft, "step": own.step + by, **valid}):
                return False
            await connection.execute(self._step_of(own))
        return True

    async def _write(self, connection: AsyncConnection, own: OwnSet, values: Mapping[str, str | int]) -> bool:
        is_same = and_(CardSetRow.id == own.id, CardSetRow.change == own.change)
        moved = update(CardSetRow).where(is_same).values(change=own.change + 1, changed=now(), **values)
        return await connection.scalar(moved.returning(CardSetRow.id)) is not None

    async def _keep_step(self, connection: AsyncConnection, own: OwnSet) -> None:
        """Keep the draft of a set before a new change; what came after it once goes, and what is long ago."""
        await connection.execute(self._step_of(own))
        is_far = or_(CardSetStepRow.step > own.step, CardSetStepRow.step <= own.step - MOST_STEPS)
        await connection.execute(delete(CardSetStepRow).where(CardSetStepRow.card_set == own.id, is_far))

    def _step_of(self, own: OwnSet) -> Executable:
        packed = {"draft": zlib.compress(own.draft.encode())}
        row = self.database.insert(CardSetStepRow).values(card_set=own.id, step=own.step, **packed)
        return row.on_conflict_do_update(index_elements=["card_set", "step"], set_=packed)

    async def save(self, own: OwnSet, text: str) -> bool:
        """Save a valid text as the next version, which the draft then is; False if the set has changed meanwhile."""
        version, at = own.version + 1, now()
        is_new = text != own.draft
        async with self.database.together.begin() as connection:
            await self._check_room(connection, own.number, text)
            saved = {"version": version, "step": own.step + is_new}
            if not await self._write(connection, own, {"draft": text, "valid": text, **saved}):
                return False
            if is_new:
                await self._keep_step(connection, own)
            row = {"card_set": own.id, "version": version, "text": text, "at": at, "token": None}
            await connection.execute(self.database.insert(CardSetVersionRow).values(row))
            of_set = CardSetVersionRow.card_set == own.id
            is_old = CardSetVersionRow.version <= version - MOST_VERSIONS
            await connection.execute(delete(CardSetVersionRow).where(of_set, is_old))
        return True

    async def versions(self, own: OwnSet) -> list[SetVersion]:
        """Return the versions of a set, the last one first."""
        row = CardSetVersionRow
        asked = select(row.version, row.text, row.at, row.token).where(row.card_set == own.id)
        return [SetVersion(*each) for each in await self.database.rows(asked.order_by(row.version.desc()))]

    async def share(self, own: OwnSet, version: int) -> str:
        """Return the token of a version, and make one if it has none; raises Refused if there is no such version."""
        row = CardSetVersionRow
        is_it = and_(row.card_set == own.id, row.version == version)
        made = update(row).where(is_it, row.token.is_(None)).values(token=secrets.token_urlsafe(18))
        await self.database.do(made)
        token = await self.database.value(select(row.token).where(is_it))
        if token is None:
            raise Refused(404, "there is no such version of this set")
        return str(token)

    async def shared(self, token: str) -> SharedSet:
        """Return the version that a link names; raises Refused if nobody shares it, or not any more."""
        row = CardSetVersionRow
        columns = (CardSetRow.game, CardSetRow.name, PlayerRow.name, row.version, row.text, row.at)
        joined = select(*columns).join(row, row.card_set == CardSetRow.id)
        asked = joined.join(PlayerRow, PlayerRow.number == CardSetRow.number).where(row.token == token[:MOST_TOKEN])
        rows = await self.database.rows(asked)
        if not rows:
            raise not_shared()
        return SharedSet(*rows[0])

    async def rename(self, own: OwnSet, name: str) -> None:
        """Give a set another name."""
        await self.database.do(update(CardSetRow).where(CardSetRow.id == own.id).values(name=name))

    async def delete(self, own: OwnSet) -> None:
        """Delete a set with all its versions."""
        async with self.database.together.begin() as connection:
            for row in (CardSetVersionRow, CardSetStepRow):
                await connection.execute(delete(row).where(row.card_set == own.id))
            await connection.execute(delete(CardSetRow).where(CardSetRow.id == own.id))

    async def _check_room(self, connection: AsyncConnection, number: int, text: str) -> None:
        """Raise Refused if the versions of a player's sets would be too long together."""
        of_player = select(CardSetRow.id).where(CardSetRow.number == number)
        length = select(func.sum(func.length(CardSetVersionRow.text)))
        used = await connection.scalar(length.where(CardSetVersionRow.card_set.in_(of_player)))
        check_length(used or 0, text)


def _steps(is_there: ColumnElement[bool]) -> ColumnElement[int]:
    """Return how many of the kept drafts of a set are before or after its own one."""
    counted = select(func.count()).where(CardSetStepRow.card_set == CardSetRow.id, is_there)
    return counted.correlate(CardSetRow).scalar_subquery()


_OF_SET = tuple(getattr(CardSetRow, name) for name in OwnSet._fields[:-2])
_COLUMNS = (*_OF_SET, _steps(CardSetStepRow.step < CardSetRow.step), _steps(CardSetStepRow.step > CardSetRow.step))
