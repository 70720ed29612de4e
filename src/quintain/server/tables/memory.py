"""The tables in memory: opening them from their logs, changing them, keeping up with other processes, forgetting them.

The log in the database (`store.py`) is the truth; a `Table` in memory (`table.py`) is a copy. `change` applies entries
to the copy while it writes them to the log, and shows them to nobody before they are written. If another entry has
taken that place in the log, `change` reads the log again, and repeats the act if it is still possible.

`acts.py` has what people do at tables. `stewards.py` does what needs no person, and also writes by `change`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from quintain.engine.errors import QuintainError, UnknownGame
from quintain.server.aside import aside
from quintain.server.clock import now
from quintain.server.model import entries as kinds
from quintain.server.model.entries import Folded, LogEntry, Made, Seat, Sitter, TableRow
from quintain.server.model.seating import numbers_of
from quintain.server.model.talk import TalkLimits
from quintain.server.refused import Refused
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.reading import TextReader
from quintain.server.tables.stewards import Stewards
from quintain.server.tables.storage import Leases, TableStore
from quintain.server.tables.stories import Stories
from quintain.server.tables.table import Table
from quintain.server.tables.thinking import Thinkers

IN_PLAY = (kinds.MOVED, kinds.UNDONE, kinds.RESIGNED)
"""The kinds of entries that change no row, unless they end the game."""
Propose = Callable[[], Sequence[LogEntry]]
"""Returns the next entries of a table's log, or none if there is nothing to do; raises QuintainError if it cannot."""
ID = re.compile("[A-Za-z0-9_-]{1,40}")
"""What the id of a table looks like."""
NO_TABLE = "there is no such table"
RESUMED = 7 * 86400
"""After a restart the server goes on with tables begun in the last RESUMED seconds; older ones wait for a visitor."""
MOST_IN_MEMORY = 300
"""When memory holds more tables, each new one displaces the idle table that has gone longest without a request."""
TIDIED, FORGOTTEN = 30.0, 600.0
"""Seconds between two searches for idle tables, and seconds after which an idle table leaves memory."""
REOPENED = 1.0
"""Seconds until the server tries again to open a table that it has lost, since the database failed."""
DAMAGED = "this table's log is damaged; its players cannot go on"
"""All that visitors learn about a log that cannot be replayed: the true reason may name cards in a hand."""
log = logging.getLogger("quintain.server")


class Tables:
    """The tables in memory.

    They call `show` with each table that changes, and `tell_lobby` with the players who sit there, or with None if
    everybody in the lobby may see the change. `pace` multiplies the time that bots take for a move.
    """

    def __init__(
        self,
        store: TableStore,
        workers: Thinkers,
        show: Callable[[LiveTable], None],
        tell_lobby: Callable[[Collection[str] | None], None],
        pace: float = 1.0,
        reader: TextReader | None = None,
        peers: Leases | None = None,
        talk_limits: TalkLimits | None = None,
    ):
        self.store, self.workers, self.show, self.tell_lobby, self.pace = store, workers, show, tell_lobby, pace
        self.reader, self.peers = reader or TextReader(), peers
        self.talk_limits = talk_limits or TalkLimits()
        self.stewards, self.stories = Stewards(self, peers), Stories(self._tell)
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self.bringing_cards = asyncio.Lock()
        """Held by whoever sits down with cards of their own, until it is written."""
        self._beside: set[asyncio.Task[None]] = set()
        """The tasks that open lost tables again."""
        self._left: dict[str, int] = {}
        """How long the logs of tables were that have left memory, but whose leases this process still has."""
        self._damaged: set[str] = set()
        """The ids of tables whose logs cannot be replayed, so that the server does not try again."""

    async def resume(self) -> None:
        """Go on with the tables at which a bot or a clock may be due, and for which no other process cares."""
        since = now() - RESUMED
        if self.peers is None:
            await self._care_for(await self.store.tables_played_without_people(since))
            return
        failed: set[str] = set()
        while claimed := await self.peers.claim(since):
            failed |= await self._care_for(claimed)
        self.peers.held -= failed

    async def _care_for(self, ids: Iterable[str]) -> set[str]:
        """Open tables, and let stewards attend them; return those to try again, because the database failed."""
        failed = set()
        for id_ in ids:
            try:
                self.stewards.attend(await self.get(id_))
            except Exception as error:
                log.warning("table not resumed", extra={"table": id_, "reason": str(error)})
                if not isinstance(error, QuintainError):
                    failed.add(id_)
        return failed

    async def stop(self) -> None:
        """Stop all stewards and processes, and wait until all entries are written."""
        for task in self._beside:
            task.cancel()
        await self.stop_thinking()
        await asyncio.gather(*self._beside, return_exceptions=True)
        await asyncio.gather(*(live.settled() for live in self.in_memory()), return_exceptions=True)

    async def stop_thinking(self) -> None:
        """Stop all stewards and processes: whoever waits for a hint, or for a text to be read, gets Stopping."""
        await self.stewards.stop()
        self.workers.stop()
        self.reader.stop()

    async def get(self, id_: str) -> LiveTable:
        """Return a table as it is on disk; raises Refused or UnknownGame if it does not exist or cannot be replayed."""
        if not ID.fullmatch(id_):
            raise Refused(404, NO_TABLE)
        if id_ not in self._opening:
            self._left.pop(id_, None)
            self._opening[id_] = asyncio.create_task(self._open(id_))
        opening = self._opening[id_]
        try:
            live = await asyncio.shield(opening)
            live.used_at = now()
            await live.settled()
            if self.store.is_shared:
                await self.catch_up(live)
            return live
        finally:
            if opening.done() and not _has_succeeded(opening):
                self._opening.pop(id_, None)

    async def _open(self, id_: str) -> LiveTable:
        if id_ in self._damaged:
            raise Refused(500, DAMAGED)
        entries = await self.store.entries(id_)
        if not entries:
            raise Refused(404, NO_TABLE)
        try:
            persons = await self.store.persons(players_in(entries))
            live = LiveTable(await aside(Table.read, entries, persons))
        except (Refused, UnknownGame):
            raise
        except (QuintainError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
            log.error("the log of a table is damaged", exc_info=error, extra={"table": id_})
            self._damaged.add(id_)
            raise Refused(500, DAMAGED) from error
        if self.peers:
            live.elsewhere = await self.peers.elsewhere(id_)
        live.talk = await self.store.talk(id_)
        await self._open_further(live)
        self.stewards.attend(live)
        self._forget_one()
        return live

    async def _open_further(self, live: LiveTable) -> None:
        """Write what should follow the last entry of a log that an older server left: new rules, beginning, or end."""
        if entry := live.table.renewal():
            about = {"table": live.id, "game": live.table.row.game, "begun_under_version": live.table.row.version}
            if entry.kind == kinds.RULES:
                log.info("a game goes on by new rules", extra=about)
            else:
                log.warning("a game cannot go on by new rules, so it is closed", extra=about)
            await self.change(live, lambda: [again] if (again := live.table.renewal()) else [])

        def should_begin() -> bool:
            return live.table.is_gathering and all(seat.is_taken for seat in live.table.seats)

        if should_begin():
            await self.change(live, lambda: [live.table.next_entry(kinds.BEGUN)] if should_begin() else [])
        elif live.table.closing():
            await self.change(live, lambda: [*live.table.closing()])

    async def tidy(self) -> None:
        """Forget idle tables, and care for those that no other process cares for, again and again."""
        while True:
            await asyncio.sleep(TIDIED)
            if self.peers:
                try:
                    await self.resume()
                except self.store.unavailable as error:
                    log.warning("the database does not answer", extra={"reason": str(error)})
            for live in self.in_memory():
                if now() - live.used_at >= FORGOTTEN and self._is_idle(live):
                    self._forget(live.id)

    def in_memory(self) -> list[LiveTable]:
        """Return the tables that memory holds."""
        return [opening.result() for opening in self._opening.values() if _has_succeeded(opening)]

    def _forget_one(self) -> None:
        """If memory holds too many tables, forget the idle one that has gone longest without a request."""
        if len(self._opening) <= MOST_IN_MEMORY:
            return
        for live in sorted(self.in_memory(), key=lambda live: live.used_at):
            if self._is_idle(live):
                self._forget(live.id)
                return

    def _forget(self, id_: str) -> None:
        opening = self._opening.pop(id_, None)
        if self.peers and id_ in self.peers.held and opening and _has_succeeded(opening):
            self._left[id_] = opening.result().table.seq
        self.stewards.dismiss(id_)

    def _is_idle(self, live: LiveTable) -> bool:
        busy = live.watchers or live.lock.locked() or not live.is_settled
        return not busy and not self.stewards.is_due(live)

    async def enter(
        self, live: LiveTable, seat: int, kind: str, decision: int | None = None, action: int | None = None
    ) -> None:
        """Write an act of a seat, as `change` does."""
        await self.change(live, lambda: [live.table.entry(seat, kind, decision, action)])

    async def note(self, live: LiveTable, seat: int, words: str) -> None:
        """Note something for people about the bot at a seat, unless the last note there says the same."""
        if live.table.notes.get(seat, "") != words:
            await self.change(live, lambda: [live.table.next_entry(kinds.NOTED, words, seat)])

    async def look_for_alike(self, live: LiveTable) -> None:
        """Note which players of a rated game share a browser or an address, if nobody has looked yet."""
        alike = await self.store.alike(sorted(numbers_of(live.table.seats)))
        text = " ".join(str(seat.seat) for seat in live.table.seats if seat.number in alike)

        def looked() -> Sequence[LogEntry]:
            table = live.table
            return [table.next_entry(kinds.ALIKE, text)] if table.folded.alike is None else []

        await self.change(live, looked)

    async def change(
        self,
        live: LiveTable,
        propose: Propose,
        with_entries: Sequence[LogEntry] = (),
        with_folded: Folded | None = None,
    ) -> None:
        """Apply the entries that `propose` returns while they are written to the log, and show them once they are.

        The end of a game is closed by an entry written with its last one. `with_entries` are those of another, new
        table, `with_folded`, which are written in the same transaction.
        """
        async with live.lock:
            written = False
            while not written:
                await live.settled()
                entries = list(propose())
                if not entries:
                    return
                listed = _listed(live) if any(entry.kind not in IN_PLAY for entry in entries) else None
                try:
                    live.table.apply(entries)
                    if closing := live.table.closing():
                        live.table.apply(closing)
                        entries += closing
                except Exception:
                    live.settling = asyncio.create_task(self._read_again(live))
                    raise
                is_listed = bool(closing) or (listed is not None and listed != _listed(live))
                folded = [each for each in (with_folded, live.table.folded if is_listed else None) if each]
                writing = live.settling = asyncio.create_task(self._write(live, [*with_entries, *entries], folded))
                self._tell_players(live)
                written = await asyncio.shield(writing)
        if is_listed:
            self.tell_lobby(None)
        self.stewards.attend(live)
        if closing:
            log.info("game over", extra={"table": live.id, "game": live.table.row.game, "entries": live.table.seq})
            self.stories.begin(live)
            self._tell(live)

    def forget_all(self) -> None:
        """Forget all tables, since a backup has been put in the place of the database; browsers connect again."""
        for live in self.in_memory():
            live.is_lost = True
            self._forget(live.id)
            self._tell(live)
        self.tell_lobby(None)

    async def catch_up(self, live: LiveTable) -> None:
        """Apply the entries that other processes have written to a table's log."""
        async with live.lock:
            await live.settled()
            entries = await self.store.new_entries(live.id, live.table.seq)
            if not entries:
                return
            try:
                if new := players_in(entries) - live.table.persons.keys():
                    live.table.know(await self.store.persons(new))
                live.table.apply(entries)
            except Exception:
                await self._read_again(live)
                await live.settled()
        self._tell_players(live)
        self.stewards.attend(live)
        self.stories.begin(live)

    async def catch_up_with_all(self) -> None:
        """Catch up with the logs of all tables in memory, and care for those that no other process cares for."""
        assert self.peers
        for live in self.in_memory():
            with contextlib.suppress(Refused):
                await self.catch_up(live)
            await self.see_presence(live.id)
            await self.read_talk(live)
        self.tell_lobby(None)
        self.stewards.attend_anew(self.in_memory())
        lengths = await self.store.lengths(self._left)
        await self._care_for([id_ for id_, seq in lengths.items() if seq > self._left.get(id_, seq)])
        await self.resume()

    def concerns(self, id_: str) -> bool:
        """Tell whether this process has a table in memory, or the lease of its steward."""
        return id_ in self._opening or (self.peers is not None and id_ in self.peers.held)

    async def see_entries(self, id_: str, seq: int) -> None:
        """Take note that the log of a table that concerns this process has entries up to a place."""
        opening = self._opening.get(id_)
        if opening is None or not _has_succeeded(opening):
            await self.get(id_)
        elif opening.result().table.seq < seq:
            await self.catch_up(opening.result())

    async def see_presence(self, id_: str) -> None:
        """Take note of who has a table open in pages of other processes."""
        assert self.peers
        if id_ in self._opening:
            live = await asyncio.shield(self._opening[id_])
            elsewhere = await self.peers.elsewhere(id_)
            if elsewhere != live.elsewhere:
                live.elsewhere = elsewhere
                self.show(live)

    async def see_talk(self, id_: str) -> None:
        """Take note that somebody has said something at a table, perhaps in another process."""
        if id_ in self._opening:
            await self.read_talk(await asyncio.shield(self._opening[id_]))

    async def read_talk(self, live: LiveTable) -> None:
        """Read what has been said at a table, and show it to those who may read it."""
        async with live.talking:
            live.talk = await self.store.talk(live.id)
        self.show(live)

    async def _write(self, live: LiveTable, entries: Sequence[LogEntry], folded: Sequence[Folded]) -> bool:
        """Write applied entries; False if a place is taken. Then, or on an error, read the log again."""
        last = entries[-1]
        try:
            written = await self.store.add(entries, folded)
        except Exception:
            await self._read_again(live)
            raise
        if not written:
            await self._read_again(live)
            if live.table.seq < last.seq and not live.is_lost:
                raise RuntimeError(f"the log of table {live.table.id} does not take entry {last.seq}")
        return written

    async def _read_again(self, live: LiveTable) -> None:
        """Bring a table back to what is on disk; if the log cannot be read, forget the table."""
        try:
            entries = await self.store.entries(live.id)
            persons = await self.store.persons(players_in(entries))
            again = await aside(Table.read, entries, persons)
        except Exception:
            log.exception("a table cannot be read again", extra={"table": live.id})
            live.is_lost = True
            self._forget(live.id)
            if live.table.status == kinds.PLAYING or live.table.is_mixing:
                self._beside.add(task := asyncio.create_task(self._open_again(live.id)))
                task.add_done_callback(self._beside.discard)
        else:
            live.replace(again)
        self._tell_players(live)

    async def _open_again(self, id_: str) -> None:
        """Open a lost table as soon as its log can be read, for a bot or a clock may be due there."""
        while id_ not in self._opening:
            await asyncio.sleep(REOPENED)
            try:
                await self.get(id_)
            except self.store.unavailable:
                continue
            except QuintainError as error:
                log.warning("a lost table stays closed", extra={"table": id_, "reason": str(error)})
                return

    def _tell(self, live: LiveTable) -> None:
        """Show what is new at a table to all who watch it, and wake its steward."""
        live.changed.set()
        self.show(live)

    def _tell_players(self, live: LiveTable) -> None:
        """Show what is new at a table to all who watch it, and to its players in the lobby."""
        self._tell(live)
        self.tell_lobby([seat.player for seat in live.table.seats if seat.player])

    def tell_all(self, live: LiveTable) -> None:
        """Show what is new at a table to all who watch it, and to everybody in the lobby."""
        self._tell(live)
        self.tell_lobby(None)


def _has_succeeded(opening: asyncio.Task[LiveTable]) -> bool:
    return opening.done() and not opening.cancelled() and opening.exception() is None


def _listed(live: LiveTable) -> tuple[TableRow, list[Seat]]:
    """Return copies of the rows that list a table and its seats."""
    return replace(live.table.row), [replace(seat) for seat in live.table.seats]


def players_in(entries: Iterable[LogEntry]) -> set[int]:
    """Return the numbers of all players who ever had a seat, as a table's log tells them."""
    numbers: set[int | None] = set()
    for entry in entries:
        if entry.kind == kinds.MADE:
            numbers |= {sitter.player for sitter in kinds.decoded(entry, Made).seats}
        elif entry.kind == kinds.SAT:
            numbers.add(kinds.decoded(entry, Sitter).player)
        elif entry.kind == kinds.SEAT_MOVED:
            numbers.add(int(entry.text))
    return {number for number in numbers if number is not None}
