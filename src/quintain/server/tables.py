"""All tables, and what people do at them: sit down, play, ask for a hint, leave.

The log in the database (`store.py`) is the truth; a `Table` in memory (`table.py`) is a copy. `change` applies entries
to the copy while it writes them to the log, and shows them to nobody before they are written. If another entry has
taken that place in the log, `change` reads the log again, and repeats the act if it is still possible.

`stewards.py` does what needs no person, such as the moves of bots, and also writes by `change`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy.exc import SQLAlchemyError

from quintain.engine.commitments import commitment as commitment_to
from quintain.engine.errors import BadOption, QuintainError, UnknownGame
from quintain.engine.game import Game
from quintain.engine.registry import game
from quintain.engine.seen import Seen
from quintain.server import entries as kinds
from quintain.server.clock import now
from quintain.server.entries import (
    BEGUN,
    LEFT,
    MADE,
    MOVED,
    NO,
    NO_SEAT,
    PASSING,
    PLAYING,
    RESIGNED,
    RETURNED,
    SAT,
    SEAT_MOVED,
    SKIPPED,
    SPEED,
    UNDONE,
    WAITING,
    YES,
    Folded,
    LogEntry,
    Made,
    Seat,
    Sitter,
    TableRow,
)
from quintain.server.lessons import count_steps
from quintain.server.peers import Peers
from quintain.server.readers import Reader
from quintain.server.stewards import Stewards
from quintain.server.store import Store
from quintain.server.stories import Stories
from quintain.server.table import CLOCKS, SPEEDS, Refused, Table
from quintain.server.turns import Asker
from quintain.server.workers import Workers, levels, usual_level

ME, OPEN = "me", "open"
IN_PLAY = (MOVED, UNDONE, RESIGNED)
"""The kinds of entries that change no row, unless they end the game."""
Propose = Callable[[], Sequence[LogEntry]]
"""Returns the next entries of a table's log, or none if there is nothing to do; raises QuintainError if it cannot."""
ID = re.compile("[A-Za-z0-9_-]{1,40}")
"""What the id of a table looks like."""
NO_TABLE = "there is no such table"
RESUMED = 7 * 86400
"""After a restart the server goes on with tables begun in the last RESUMED seconds; older ones wait for a visitor."""
MOST_IN_MEMORY = 300
"""When memory holds more tables, each new one displaces the idle table that nobody has asked for the longest."""
TIDIED, FORGOTTEN = 30.0, 600.0
"""Seconds between two searches for idle tables, and seconds after which an idle table leaves memory."""
REOPENED = 1.0
"""Seconds until the server tries again to open a table that it has lost, since the database failed."""
DAMAGED = "this table's log is damaged; its players cannot go on"
"""All that visitors learn about a log that cannot be replayed: the true reason may name cards in a hand."""
log = logging.getLogger("quintain.server")


class Tables:
    """The tables.

    They call `show` with each table that changes, and `tell_lobby` with the players who sit there, or with None if
    everybody in the lobby may see the change. `pace` multiplies the time that bots take for a move.
    """

    def __init__(
        self,
        store: Store,
        workers: Workers,
        show: Callable[[Table], None],
        tell_lobby: Callable[[Collection[str] | None], None],
        pace: float = 1.0,
        reader: Reader | None = None,
        peers: Peers | None = None,
    ):
        self.store, self.workers, self.show, self.tell_lobby, self.pace = store, workers, show, tell_lobby, pace
        self.reader, self.peers = reader or Reader(), peers
        self.stewards, self.stories = Stewards(self, peers), Stories(self._tell)
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._advising: dict[tuple[str, int, int], asyncio.Task[None]] = {}
        """The tasks that compute hints, by table, seat and decision."""
        self._beside: set[asyncio.Task[None]] = set()
        """The tasks that open lost tables again."""
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
        """Open tables, and let stewards attend them; return those whose turn comes again, since the database failed."""
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
        await asyncio.gather(*(table.settled() for table in self.in_memory()), return_exceptions=True)

    async def stop_thinking(self) -> None:
        """Stop all stewards and processes: whoever waits for a hint, or for a text to be read, gets Stopping."""
        await self.stewards.stop()
        self.workers.stop()
        self.reader.stop()

    async def get(self, id_: str) -> Table:
        """Return a table as it is on disk; raises Refused or UnknownGame if it does not exist or cannot be replayed."""
        if not ID.fullmatch(id_):
            raise Refused(404, NO_TABLE)
        if id_ not in self._opening:
            self._opening[id_] = asyncio.create_task(self._open(id_))
        opening = self._opening[id_]
        try:
            table = await asyncio.shield(opening)
            table.used_at = now()
            await table.settled()
            if self.store.is_shared:
                await self.catch_up(table)
            return table
        finally:
            if opening.done() and not _has_succeeded(opening):
                self._opening.pop(id_, None)

    async def add(
        self,
        player: str,
        game_id: str,
        wanted: Sequence[str],
        options: Mapping[str, object],
        clock: str = "none",
        private: bool = False,
        speed: str = "usual",
        address: str = "",
        commitment: str = "",
    ) -> Table:
        """Make a table; each seat `wanted` is ME, OPEN or the level of a bot. Raises QuintainError if it cannot.

        Texts in the options wait for the process that reads; addresses take turns there.
        """
        found = game(game_id)
        read = await self.reader.read_options(Asker(address, player), found, found.check_seats(len(wanted)), options)
        if clock not in CLOCKS or speed not in SPEEDS:
            raise BadOption(f"there is no clock {clock!r}" if clock not in CLOCKS else f"there is no speed {speed!r}")
        seats = sitters(wanted, await self.number_of(player), commitment)
        return await self.make(new_table(found, read, clock, speed, private, seats))

    async def make(self, made: Made, acts: Iterable[tuple[int, str, str]] = ()) -> Table:
        """Make a table whose log goes on with these acts: each the seat, the kind and the text of an entry."""
        entries, folded = self.first_entries(made, acts)
        await self.store.add(entries, [folded])
        log.info("table made", extra={"table": folded.row.id, "game": made.game})
        self.tell_lobby(None)
        return await self.get(folded.row.id)

    def first_entries(self, made: Made, acts: Iterable[tuple[int, str, str]] = ()) -> tuple[Sequence[LogEntry], Folded]:
        """Return the entries with which a new table begins, and the table that follows from them."""
        begins = all(sitter != Sitter() and not sitter.commitment for sitter in made.seats)
        begun = [(NO_SEAT, BEGUN, "")] if begins else []
        acts = [(NO_SEAT, MADE, kinds.encoded(made)), *begun, *acts]
        entries = kinds.log_from(secrets.token_urlsafe(9), acts, now())
        return entries, kinds.fold(entries)

    async def number_of(self, player: str) -> int:
        """Return the number of a player; raises Refused if they have no name yet."""
        found = await self.store.player(player)
        if found is None:
            raise Refused(403, "choose a name first: POST it to /name")
        return found.number

    async def sit_down(self, table: Table, seat: int, player: str, commitment: str = "") -> None:
        """Give a player an empty seat, or the one that a bot plays for them.

        Play begins when all seats are taken, unless somebody must first reveal a random number.
        """
        holder = table.holder(seat)
        if holder.player == player:
            await self._come_back(table, seat)
            return
        number = await self.number_of(player)
        table.know(await self.store.persons([number]))

        def sat() -> Sequence[LogEntry]:
            if table.seats[seat].is_taken or table.status != WAITING:
                raise Refused(409, "this seat is taken")
            if table.seat_of(player) is not None:
                raise Refused(409, "you have a seat at this table already")
            entries = [table.next_entry(SAT, kinds.encoded(Sitter(player=number, commitment=commitment)), seat)]
            commit = commitment or table.folded.reveals
            if not commit and all(other.is_taken for other in table.seats if other.seat != seat):
                entries.append(table.next_entry(BEGUN, after=1))
            return entries

        await self.change(table, sat)

    async def get_up(self, table: Table, player: str) -> None:
        """Free the seat of a player again, before play begins."""

        def left() -> Sequence[LogEntry]:
            seat = table.own_seat(player)
            if table.status != WAITING or table.is_mixing:
                raise Refused(409, "play has begun: you can resign")
            return [table.next_entry(LEFT, seat=seat)]

        await self.change(table, left)

    async def start(self, table: Table, player: str) -> None:
        """Begin with bots in the empty seats."""

        def begun() -> Sequence[LogEntry]:
            table.own_seat(player)
            if table.status != WAITING or table.is_mixing:
                raise Refused(409, "play has begun already")
            bot, empty = kinds.encoded(Sitter(bot=usual_level())), [s.seat for s in table.seats if not s.is_taken]
            entries = [table.next_entry(SAT, bot, seat, after) for after, seat in enumerate(empty)]
            return entries if table.folded.reveals else [*entries, table.next_entry(BEGUN, after=len(entries))]

        await self.change(table, begun)

    async def move(self, table: Table, player: str, decision: object, move: int | str | None) -> None:
        """Play a move for a player."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, MOVED, decision, move)
        await count_steps(self, table)

    async def undo(self, table: Table, player: str, decision: object) -> None:
        """Take a player's last move back."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, UNDONE, decision)

    async def resign(self, table: Table, player: str) -> None:
        """Give the match up for a player."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, RESIGNED)

    async def hint(self, table: Table, player: str) -> None:
        """Ask the search about a player's moves; the table keeps the hint."""
        seat, match = table.own_seat(player), table.playing()
        if seat not in match.to_act:
            raise Refused(409, "you have no move to make now")
        seen = match.seen(seat)
        if seat in table.hints and table.hints[seat].decision == seen.decision:
            return
        asked = table.id, seat, seen.decision
        if asked not in self._advising:
            self._advising[asked] = asyncio.create_task(self._advise(table, seen))
            self._advising[asked].add_done_callback(lambda _: self._advising.pop(asked))
        await asyncio.shield(self._advising[asked])

    async def _advise(self, table: Table, seen: Seen) -> None:
        assert seen.seat is not None
        seat, asker = seen.seat, Asker(table.seats[seen.seat].player or "", table.id)
        judged = await self.workers.judge(asker, seen)
        hint = kinds.Hinted(seen.decision, [(one.action, one.share, one.simulations) for one in judged])

        def hinted() -> Sequence[LogEntry]:
            if table.playing().decision(seat) != seen.decision or table.playing().outcome:
                return []
            return [table.next_entry(kinds.HINTED, kinds.encoded(hint), seat)]

        await self.change(table, hinted)

    async def note(self, table: Table, seat: int, words: str) -> None:
        """Note something for people about the bot at a seat, unless the last note there says the same."""
        if table.notes.get(seat, "") != words:
            await self.change(table, lambda: [table.next_entry(kinds.NOTED, words, seat)])

    async def rename(self, number: int) -> None:
        """Use a player's new name at all tables in memory; others learn it when they are read."""
        persons = await self.store.persons([number])
        for table in self.in_memory():
            if any(seat.number == number for seat in table.seats):
                async with table.lock:
                    await table.settled()
                    table.know(persons)
                self.tell_all(table)

    async def set_speed(self, table: Table, player: str, speed: str) -> None:
        """Set how long bots take for a move at this table."""
        table.own_seat(player)
        if speed not in SPEEDS:
            raise BadOption(f"there is no speed {speed!r}; there are {', '.join(SPEEDS)}")
        await self.change(table, lambda: [table.next_entry(SPEED, speed)])

    async def skip(self, table: Table, player: str) -> None:
        """Let the bots play to the end without pauses, if all people at the table are out of the game."""

        def skipped() -> Sequence[LogEntry]:
            if not table.can_skip(table.own_seat(player), table.playing().view(None).out):
                raise Refused(409, "you can skip to the end once all people here are out of the game")
            return [table.next_entry(SKIPPED)]

        await self.change(table, skipped)

    async def set_passing(self, table: Table, player: str, passing: bool) -> None:
        """Set whether the server makes a move for a player if it is their only one."""
        seat = table.own_seat(player)
        table.playing()
        await self.change(table, lambda: [table.next_entry(PASSING, YES if passing else NO, seat)])

    async def move_seat(self, table: Table, seat: int, giver: str, moved: int, taker: str) -> None:
        """Move a seat from one device to another; `moved` is how often it had moved when the link was made."""
        table.holder(seat)
        if taker == giver:
            return
        number = await self.number_of(taker)
        table.know(await self.store.persons([number]))

        def given() -> Sequence[LogEntry]:
            if table.seat_of(taker) is not None:
                raise Refused(409, "you have a seat at this table already")
            holder = table.seats[seat]
            if holder.moved != moved or holder.player != giver:
                raise Refused(410, "this link has been used: the seat has moved on since")
            return [table.next_entry(SEAT_MOVED, str(number), seat)]

        await self.change(table, given)

    async def _open(self, id_: str) -> Table:
        if id_ in self._damaged:
            raise Refused(500, DAMAGED)
        entries = await self.store.entries(id_)
        if not entries:
            raise Refused(404, NO_TABLE)
        try:
            persons = await self.store.persons(players_in(entries))
            table = await asyncio.to_thread(Table.read, entries, persons)
        except (Refused, UnknownGame):
            raise
        except (QuintainError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
            log.error("the log of a table is damaged", exc_info=error, extra={"table": id_})
            self._damaged.add(id_)
            raise Refused(500, DAMAGED) from error
        if self.peers:
            table.elsewhere = await self.peers.elsewhere(id_)
        await self._open_further(table)
        self.stewards.attend(table)
        self._forget_one()
        return table

    async def _open_further(self, table: Table) -> None:
        """Write what should follow the last entry of a log that an older server left: the beginning, or the end."""
        if table.status == WAITING and all(seat.is_taken for seat in table.seats) and not table.is_mixing:
            await self.change(table, lambda: [table.next_entry(BEGUN)] if table.status == WAITING else [])
        elif table.closing():
            await self.change(table, lambda: [entry] if (entry := table.closing()) else [])

    async def tidy(self) -> None:
        """Forget idle tables, and care for those that no other process cares for, again and again."""
        while True:
            await asyncio.sleep(TIDIED)
            if self.peers:
                try:
                    await self.resume()
                except (SQLAlchemyError, OSError) as error:
                    log.warning("the database does not answer", extra={"reason": str(error)})
            for table in self.in_memory():
                if now() - table.used_at >= FORGOTTEN and self._is_idle(table):
                    self._forget(table.id)

    def in_memory(self) -> list[Table]:
        """Return the tables that memory holds."""
        return [opening.result() for opening in self._opening.values() if _has_succeeded(opening)]

    def _forget_one(self) -> None:
        """If memory holds too many tables, forget the idle one that nobody has asked for the longest."""
        if len(self._opening) <= MOST_IN_MEMORY:
            return
        for table in sorted(self.in_memory(), key=lambda table: table.used_at):
            if self._is_idle(table):
                self._forget(table.id)
                return

    def _forget(self, id_: str) -> None:
        self._opening.pop(id_, None)
        self.stewards.dismiss(id_)

    def _is_idle(self, table: Table) -> bool:
        busy = table.watchers or table.lock.locked() or not table.is_settled
        return not busy and not self.stewards.is_due(table)

    async def enter(
        self, table: Table, seat: int, kind: str, decision: object = None, move: int | str | None = None
    ) -> None:
        """Write an act of a seat, as `change` does."""
        await self.change(table, lambda: [table.entry(seat, kind, decision, move)])

    async def change(
        self, table: Table, propose: Propose, with_entries: Sequence[LogEntry] = (), with_folded: Folded | None = None
    ) -> None:
        """Apply the entries that `propose` returns while they are written to the log, and show them once they are.

        The end of a game is closed by an entry written with its last one. `with_entries` are those of another, new
        table, `with_folded`, which are written in the same transaction.
        """
        async with table.lock:
            written = False
            while not written:
                await table.settled()
                entries = list(propose())
                if not entries:
                    return
                listed = _listed(table) if any(entry.kind not in IN_PLAY for entry in entries) else None
                try:
                    table.apply(entries)
                    if closing := table.closing():
                        table.apply([closing])
                        entries.append(closing)
                except Exception:
                    table.settling = asyncio.create_task(self._read_again(table))
                    raise
                is_listed = closing is not None or (listed is not None and listed != _listed(table))
                folded = [each for each in (with_folded, table.folded if is_listed else None) if each]
                writing = table.settling = asyncio.create_task(self._write(table, [*with_entries, *entries], folded))
                self._tell_players(table)
                written = await asyncio.shield(writing)
        if is_listed:
            self.tell_lobby(None)
        self.stewards.attend(table)
        if closing:
            log.info("game over", extra={"table": table.id, "game": table.row.game, "entries": table.seq})
            self.stories.begin(table)
            self._tell(table)

    def forget_all(self) -> None:
        """Forget all tables, since a backup has been put in the place of the database; browsers connect again."""
        for table in self.in_memory():
            table.is_lost = True
            self._forget(table.id)
            self._tell(table)
        self.tell_lobby(None)

    async def catch_up(self, table: Table) -> None:
        """Apply the entries that other processes have written to a table's log."""
        async with table.lock:
            await table.settled()
            entries = await self.store.new_entries(table.id, table.seq)
            if not entries:
                return
            try:
                if new := players_in(entries) - table.persons.keys():
                    table.know(await self.store.persons(new))
                table.apply(entries)
            except Exception:
                await self._read_again(table)
                await table.settled()
        self._tell_players(table)
        self.stewards.attend(table)
        self.stories.begin(table)

    async def catch_up_with_all(self) -> None:
        """Catch up with the logs of all tables in memory, and care for those that no other process cares for."""
        assert self.peers
        for table in self.in_memory():
            with contextlib.suppress(Refused):
                await self.catch_up(table)
            await self.see_presence(table.id)
        self.tell_lobby(None)
        self.stewards.attend_anew(self.in_memory())
        await self.resume()

    def concerns(self, id_: str) -> bool:
        """Tell whether this process has a table in memory, or the lease of its steward."""
        return id_ in self._opening or (self.peers is not None and id_ in self.peers.held)

    async def see_entries(self, id_: str, seq: int) -> None:
        """Take note that the log of a table that concerns this process has entries up to a place."""
        opening = self._opening.get(id_)
        if opening is None or not _has_succeeded(opening):
            await self.get(id_)
        elif opening.result().seq < seq:
            await self.catch_up(opening.result())

    async def see_presence(self, id_: str) -> None:
        """Take note of who has a table open in pages of other processes."""
        assert self.peers
        if id_ in self._opening:
            table = await asyncio.shield(self._opening[id_])
            elsewhere = await self.peers.elsewhere(id_)
            if elsewhere != table.elsewhere:
                table.elsewhere = elsewhere
                self.show(table)

    async def _write(self, table: Table, entries: Sequence[LogEntry], folded: Sequence[Folded]) -> bool:
        """Write applied entries; False if a place is taken. Then, or on an error, read the log again."""
        last = entries[-1]
        try:
            written = await self.store.add(entries, folded)
        except Exception:
            await self._read_again(table)
            raise
        if not written:
            await self._read_again(table)
            if table.seq < last.seq and not table.is_lost:
                raise RuntimeError(f"the log of table {table.id} does not take entry {last.seq}")
        return written

    async def _read_again(self, table: Table) -> None:
        """Bring a table back to what is on disk; if the log cannot be read, forget the table."""
        try:
            entries = await self.store.entries(table.id)
            persons = await self.store.persons(players_in(entries))
            again = await asyncio.to_thread(Table.read, entries, persons)
        except Exception:
            log.exception("a table cannot be read again", extra={"table": table.id})
            table.is_lost = True
            self._forget(table.id)
            if table.status == PLAYING or table.is_mixing:
                self._beside.add(task := asyncio.create_task(self._open_again(table.id)))
                task.add_done_callback(self._beside.discard)
        else:
            table.become(again)
        self._tell_players(table)

    async def _open_again(self, id_: str) -> None:
        """Open a lost table as soon as its log can be read, for a bot or a clock may be due there."""
        while id_ not in self._opening:
            await asyncio.sleep(REOPENED)
            try:
                await self.get(id_)
            except (SQLAlchemyError, OSError):
                continue
            except QuintainError as error:
                log.warning("a lost table stays closed", extra={"table": id_, "reason": str(error)})
                return

    async def _come_back(self, table: Table, seat: int) -> None:
        """Give a player who is back their seat again, if a bot plays it for them."""
        if table.seats[seat].stand_in and table.status == PLAYING:
            await self.enter(table, seat, RETURNED)

    def _tell(self, table: Table) -> None:
        """Show what is new at a table to all who watch it, and wake its steward."""
        table.changed.set()
        self.show(table)

    def _tell_players(self, table: Table) -> None:
        """Show what is new at a table to all who watch it, and to its players in the lobby."""
        self._tell(table)
        self.tell_lobby([seat.player for seat in table.seats if seat.player])

    def tell_all(self, table: Table) -> None:
        """Show what is new at a table to all who watch it, and to everybody in the lobby."""
        self._tell(table)
        self.tell_lobby(None)


def _has_succeeded(opening: asyncio.Task[Table]) -> bool:
    return opening.done() and not opening.cancelled() and opening.exception() is None


def _listed(table: Table) -> tuple[TableRow, list[Seat]]:
    """Return copies of the rows that list a table and its seats."""
    return replace(table.row), [replace(seat) for seat in table.seats]


def players_in(entries: Iterable[LogEntry]) -> set[int]:
    """Return the numbers of all players who ever had a seat, as a table's log tells them."""
    numbers: set[int | None] = set()
    for entry in entries:
        if entry.kind == MADE:
            numbers |= {sitter.player for sitter in kinds.decoded(entry, Made).seats}
        elif entry.kind == SAT:
            numbers.add(kinds.decoded(entry, Sitter).player)
        elif entry.kind == SEAT_MOVED:
            numbers.add(int(entry.text))
    return {number for number in numbers if number is not None}


def new_table(
    found: Game,
    options: dict[str, object],
    clock: str,
    speed: str,
    private: bool,
    seats: list[Sitter],
    seed: str | None = None,
) -> Made:
    """Return what is agreed at a new table; without a seed it gets one of its own."""
    seed = secrets.token_hex(32) if seed is None else seed
    committed = commitment_to(bytes.fromhex(seed), found.id, found.version, options, len(seats))
    return Made(found.id, found.version, options, seed, clock, speed, private, seats, commitment=committed)


def sitters(wanted: Sequence[str], number: int, commitment: str = "") -> list[Sitter]:
    """Return who sits at the seats of a new table, from ME, OPEN or the level of a bot for each; raises BadOption.

    `number` and `commitment` are those of the player who makes it.
    """
    if wanted.count(ME) != 1:
        raise BadOption("you take one of the seats yourself")
    for sitter in wanted:
        if sitter not in (ME, OPEN, *levels()):
            raise BadOption(f"there is no bot {sitter!r}; there are {', '.join(levels())}")
    me = Sitter(player=number, commitment=commitment)
    return [me if one == ME else Sitter() if one == OPEN else Sitter(bot=one) for one in wanted]
