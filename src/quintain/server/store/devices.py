"""The rows of devices: browsers in which players are signed in, sessions that have ended, links and recovery codes.

`people/identities.py` and `people/sessions.py` say what these mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Row, delete, insert, select, update

from quintain.server.clock import now
from quintain.server.store.database import Database
from quintain.server.store.notifications import PLAYERS, SESSIONS
from quintain.server.store.schema import (
    AnswerRow,
    CardSetRow,
    CardSetStepRow,
    CardSetVersionRow,
    DeckRow,
    DeckVersionRow,
    DeviceLinkRow,
    DeviceRow,
    OwnedCardRow,
    OwnPuzzleRow,
    PlayedSetRow,
    PlayerRow,
    PuzzleRow,
    SavedSetRow,
    SolverRow,
    TalkRow,
    TrialGamesRow,
    TrialRow,
)


class Recovery(NamedTuple):
    """A recovery code, and when the player last saw it; None if they never did."""

    code: str
    shown: float | None


class Devices:
    """The devices, sessions and recovery codes in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def saw(self, number: int, device: str, agent: str, address: str) -> None:
        """Write that a player uses a device now, from an address that is given as a mark."""
        at = now()
        row = {"id": device, "number": number, "agent": agent, "address": address, "made": at, "seen": at}
        fresh = {name: row[name] for name in ("number", "agent", "address", "seen")}
        added = self.database.insert(DeviceRow).values(row)
        await self.database.do(added.on_conflict_do_update(index_elements=["id"], set_=fresh))

    async def of_player(self, number: int) -> Sequence[Row[str, str, float]]:
        """Return the devices in which a player is signed in, the one last used first: id, agent, and when last seen."""
        columns = DeviceRow.id, DeviceRow.agent, DeviceRow.seen
        asked = select(*columns).where(DeviceRow.number == number, DeviceRow.ended.is_(None))
        return await self.database.rows(asked.order_by(DeviceRow.seen.desc()))

    async def end(self, number: int, device: str) -> bool:
        """Sign a player's device out, and void links that add one; False if it is none of theirs."""
        ended = update(DeviceRow).where(DeviceRow.id == device, DeviceRow.number == number).values(ended=now())
        async with self.database.engine.connect() as connection:
            if await connection.scalar(ended.returning(DeviceRow.id)) is None:
                return False
            await connection.execute(delete(DeviceLinkRow).where(DeviceLinkRow.number == number))
            await self.database.tell(connection, SESSIONS, "")
        return True

    async def end_sessions(self, player: str) -> int | None:
        """End all sessions of a player, and return the number of a new one; None for an unknown player."""
        raised = update(PlayerRow).where(PlayerRow.id == player).values(session=PlayerRow.session + 1)
        async with self.database.engine.connect() as connection:
            number = await connection.scalar(raised.returning(PlayerRow.session))
            await self.database.tell(connection, SESSIONS, "")
        return number

    async def end_others(self, player: str, device: str) -> None:
        """Sign all devices of a player out but one, and void links and the recovery code."""
        mine = select(PlayerRow.number).where(PlayerRow.id == player).scalar_subquery()
        others = update(DeviceRow).where(DeviceRow.number == mine, DeviceRow.id != device, DeviceRow.ended.is_(None))
        await self.database.do(
            others.values(ended=now()),
            update(PlayerRow).where(PlayerRow.id == player).values(recovery=None, recovery_shown=None),
            delete(DeviceLinkRow).where(DeviceLinkRow.number == mine),
        )

    async def ended_sessions(self) -> dict[str, int]:
        """Return the number of each player's session, if it is above 0, by the players' ids."""
        ended = select(PlayerRow.id, PlayerRow.session).where(PlayerRow.session > 0)
        return dict(await self.database.rows(ended))

    async def ended_devices(self, since: float) -> set[str]:
        """Return the ids of the devices that have been signed out since a time."""
        return set(await self.database.values(select(DeviceRow.id).where(DeviceRow.ended > since)))

    async def add_link(self, number: int, token: str, until: float) -> None:
        """Keep a link that signs one more device of a player in; forget those that are too old."""
        row = {"token": token, "number": number, "until": until}
        stale = delete(DeviceLinkRow).where(DeviceLinkRow.until < now())
        await self.database.do(stale, insert(DeviceLinkRow).values(row))

    async def linked(self, token: str) -> int | None:
        """Return the number of the player to whom a link belongs; None if it is used or too old."""
        asked = select(DeviceLinkRow.number).where(DeviceLinkRow.token == token, DeviceLinkRow.until >= now())
        return await self.database.value(asked)

    async def use_link(self, token: str) -> int | None:
        """Use a link up, and return the number of its player; None if it is used or too old."""
        used = delete(DeviceLinkRow).where(DeviceLinkRow.token == token, DeviceLinkRow.until >= now())
        return await self.database.value(used.returning(DeviceLinkRow.number))

    async def recovery(self, number: int) -> Recovery | None:
        """Return the recovery code of a player; None if they have none yet."""
        asked = select(PlayerRow.recovery, PlayerRow.recovery_shown).where(PlayerRow.number == number)
        ((code, shown),) = await self.database.rows(asked)
        return Recovery(code, shown) if code else None

    async def set_recovery(self, number: int, recovery: Recovery) -> None:
        """Write the recovery code of a player, and when they saw it."""
        shown = update(PlayerRow).where(PlayerRow.number == number)
        await self.database.do(shown.values(recovery=recovery.code, recovery_shown=recovery.shown))

    async def recovered(self, code: str) -> int | None:
        """Return the number of the player who has a recovery code; None if nobody has it."""
        return await self.database.value(select(PlayerRow.number).where(PlayerRow.recovery == code))

    async def forget(self, number: int) -> None:
        """Delete a player's name, talk, devices, links, recovery code, decks, cards, and answers to puzzles.

        While they are muted, the marks of their devices' addresses stay, so that the mute holds if they come back.
        """
        gone = update(PlayerRow).where(PlayerRow.number == number)
        async with self.database.together.begin() as connection:
            await connection.execute(gone.values(name=None, recovery=None, recovery_shown=None, gone=now()))
            await connection.execute(update(DeviceRow).where(DeviceRow.number == number).values(agent="", ended=now()))
            is_free = PlayerRow.gone.is_not(None) & (PlayerRow.muted.is_(None) | (PlayerRow.muted <= now()))
            freed = select(PlayerRow.number).where(is_free)
            await connection.execute(delete(DeviceRow).where(DeviceRow.number.in_(freed)))
            await connection.execute(delete(DeviceLinkRow).where(DeviceLinkRow.number == number))
            await connection.execute(delete(TalkRow).where(TalkRow.number == number))
            own = select(DeckRow.id).where(DeckRow.number == number)
            await connection.execute(delete(DeckVersionRow).where(DeckVersionRow.deck.in_(own)))
            sets = select(CardSetRow.id).where(CardSetRow.number == number)
            await connection.execute(delete(CardSetVersionRow).where(CardSetVersionRow.card_set.in_(sets)))
            await connection.execute(delete(CardSetStepRow).where(CardSetStepRow.card_set.in_(sets)))
            own_rows = AnswerRow, SolverRow, OwnPuzzleRow, DeckRow, CardSetRow, OwnedCardRow, SavedSetRow, PlayedSetRow
            for row in (*own_rows, TrialRow, TrialGamesRow):
                await connection.execute(delete(row).where(row.number == number))
            await connection.execute(update(OwnedCardRow).where(OwnedCardRow.giver == number).values(giver=None))
            await connection.execute(update(PuzzleRow).where(PuzzleRow.doubter == number).values(doubter=None))
            await self.database.tell(connection, PLAYERS, str(number))
