"""The processes that share a PostgreSQL database: which live, which run the bots and clocks of a table, who is present.

Every process has a row, which it renews again and again. With that row end its leases, each the right to run the
steward of one table, and the presence of those whose pages it serves. So a process that dies leaves nothing behind: the
others delete its row and take its tables over. On SQLite there is one process, and no `Peers`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter

from sqlalchemy import delete, literal, literal_column, select
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.sql.dml import ReturningInsert

from quintain.server.store.database import DATABASE_CLOCK, Database
from quintain.server.store.lists import is_played_without_people
from quintain.server.store.notifications import PEERS, PRESENCE, notify
from quintain.server.store.schema import LeaseRow, ListedTable, PresenceRow, ProcessRow

ALIVE, BEAT = 10.0, 3.0
"""Seconds for which a process counts as alive after it has renewed its row, and seconds between two renewals."""
CLAIMED = 100
"""A process claims this many tables at once, so that several that start together share them."""
log = logging.getLogger("quintain.server")


class Peers:
    """This process among those that share a database; `id` names it there."""

    def __init__(self, store: Database):
        self.id, self.store = secrets.token_hex(8), store
        self.held: set[str] = set()
        """The tables whose leases this process has."""
        self.foreign: set[str] = set()
        """Tables whose leases other processes had when this one asked."""
        self._joined = asyncio.Event()
        """Set once this process has a row."""
        self._here: Counter[tuple[str, str]] = Counter()
        """How many pages of a table this process serves to a player, by table and player."""
        self._unsaved: set[tuple[str, str]] = set()
        """The tables and players whose presence has changed since it was written."""
        self._wakes = asyncio.Event()

    async def run(self) -> None:
        """Stay alive, and write who is present, until the task is cancelled."""
        while True:
            try:
                await self.beat()
                await self._save()
            except (SQLAlchemyError, OSError) as error:
                log.warning("the database does not answer", extra={"reason": str(error)})
                await asyncio.sleep(1)
                continue
            await self._sleep(asyncio.get_running_loop().time() + BEAT)

    async def beat(self) -> None:
        """Renew the row of this process, and delete those of processes that have not renewed theirs in time."""
        until = DATABASE_CLOCK + ALIVE
        written = insert(ProcessRow).values(id=self.id, until=until)
        renewed = written.on_conflict_do_update(index_elements=["id"], set_={"until": written.excluded.until})
        async with self.store.together.begin() as connection:
            is_new = await connection.scalar(renewed.returning(literal_column("xmax = 0")))
            dead = await connection.scalars(
                delete(ProcessRow).where(ProcessRow.until < DATABASE_CLOCK).returning(ProcessRow.id)
            )
            if dead.all() or (is_new and self._joined.is_set()):
                await notify(connection, PEERS, self.id)
        if is_new:
            self.held.clear()
            self._unsaved |= set(self._here)
        self._joined.set()

    async def take(self, table: str) -> bool:
        """Take the lease of a table, unless another process has it; tell whether this process has it now.

        It may have it already without knowing: the database may have failed just after it wrote the lease.
        """
        await self._joined.wait()
        if table in self.held:
            return True
        try:
            taken = self._unless_foreign(insert(LeaseRow).values(table=table, process=self.id))
            is_taken = await self.store.value(taken) is not None
        except IntegrityError:
            return False  # the others think that this process is dead: the next beat tells them otherwise
        (self.held if is_taken else self.foreign).add(table)
        return is_taken

    async def release(self, table: str) -> None:
        """Give the lease of a table back, as its game is over."""
        if table in self.held:
            self.held.discard(table)
            await self.store.do(delete(LeaseRow).where(LeaseRow.table == table, LeaseRow.process == self.id))

    async def claim(self, since: float) -> list[str]:
        """Take the leases of tables begun since a time at which a bot or a clock is due and no process cares."""
        await self._joined.wait()
        foreign = select(LeaseRow).where((LeaseRow.table == ListedTable.id) & (LeaseRow.process != self.id)).exists()
        is_free = ListedTable.id.not_in(self.held) & ~foreign
        alone = select(ListedTable.id, literal(self.id)).where(is_played_without_people(since) & is_free)
        written = insert(LeaseRow).from_select(["table", "process"], alone.limit(CLAIMED))
        tables = list(await self.store.values(self._unless_foreign(written)))
        self.held.update(tables)
        self.foreign.difference_update(tables)
        return tables

    def _unless_foreign(self, written: Insert) -> ReturningInsert[str]:
        """Return a statement that writes leases, unless others have them, and returns the tables of those we have now.

        We may have a lease without knowing it: if the task that took it was cancelled, or the answer did not come.
        """
        is_own = LeaseRow.process == self.id
        own = written.on_conflict_do_update(index_elements=["table"], set_={"process": self.id}, where=is_own)
        return own.returning(LeaseRow.table)

    def enter(self, table: str, player: str) -> None:
        """Note that this process serves another page of a table to a player."""
        self._here[table, player] += 1
        self._change(table, player)

    def leave(self, table: str, player: str) -> None:
        """Note that this process serves one page of a table less to a player."""
        self._here[table, player] -= 1
        if not self._here[table, player]:
            del self._here[table, player]
        self._change(table, player)

    async def elsewhere(self, table: str) -> set[str]:
        """Return the ids of the players to whom other processes serve pages of a table."""
        others = (PresenceRow.table == table) & (PresenceRow.process != self.id)
        return set(await self.store.values(select(PresenceRow.player).where(others)))

    async def stop(self) -> None:
        """Leave: the others take the tables over."""
        async with self.store.together.begin() as connection:
            await connection.execute(delete(ProcessRow).where(ProcessRow.id == self.id))
            await notify(connection, PEERS, self.id)

    def _change(self, table: str, player: str) -> None:
        self._unsaved.add((table, player))
        self._wakes.set()

    async def _sleep(self, until: float) -> None:
        """Sleep until the next beat; write meanwhile who comes and goes."""
        while (left := until - asyncio.get_running_loop().time()) > 0:
            try:
                async with asyncio.timeout(left):
                    await self._wakes.wait()
            except TimeoutError:
                return
            await self._save()

    async def _save(self) -> None:
        """Write whose presence has changed."""
        self._wakes.clear()
        unsaved, self._unsaved = self._unsaved, set()
        if not unsaved:
            return
        try:
            async with self.store.together.begin() as connection:
                for table, player in sorted(unsaved):
                    row = {"table": table, "process": self.id, "player": player}
                    if self._here[table, player]:
                        await connection.execute(insert(PresenceRow).values(row).on_conflict_do_nothing())
                    else:
                        gone = [getattr(PresenceRow, name) == value for name, value in row.items()]
                        await connection.execute(delete(PresenceRow).where(*gone))
                for table in {table for table, _ in unsaved}:
                    await notify(connection, PRESENCE, f"{table} {self.id}")
        except BaseException:
            self._unsaved |= unsaved
            raise
