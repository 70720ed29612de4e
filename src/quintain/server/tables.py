"""All tables, and what people do at them: sit down, play, ask for a hint, leave.

The log in the database (`store.py`) is the truth; a `Table` in memory (`table.py`) is a copy. `enter` applies an act to
the copy while it writes the act to the log, and shows it to nobody before it is written. If another act has taken that
place in the log, `enter` reads the log again, and repeats the act if the player's decision is still open.

`stewards.py` does what needs no person, such as the moves of bots, and also writes by `enter`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from quintain.engine.errors import BadOption, BadRecord, QuintainError, UnknownGame
from quintain.engine.game import Game
from quintain.engine.names import with_tokens
from quintain.engine.registry import game
from quintain.engine.seen import Seen
from quintain.server import store
from quintain.server.clock import now
from quintain.server.lessons import count_steps
from quintain.server.readers import Reader
from quintain.server.stewards import Stewards
from quintain.server.store import OVER, PLAYING, WAITING, LogEntry, Seat, Store
from quintain.server.stories import Stories
from quintain.server.table import CLOCKS, RETURNED, SPEEDS, Advised, Hint, Refused, Table, distinct_name
from quintain.server.turns import Asker
from quintain.server.workers import Workers, levels, usual_level

ME, OPEN = "me", "open"
RESUMED = 7 * 86400
"""After a restart the server goes on with tables begun in the last RESUMED seconds; older ones wait for a visitor."""
MOST_IN_MEMORY = 300
"""When memory holds more tables, each new one displaces the idle table that nobody has asked for the longest."""
TIDIED, FORGOTTEN = 30.0, 600.0
"""Seconds between two searches for idle tables, and seconds after which an idle table leaves memory."""
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
    ):
        self.store, self.workers, self.show, self.tell_lobby, self.pace = store, workers, show, tell_lobby, pace
        self.reader = reader or Reader()
        self.stewards, self.stories = Stewards(self), Stories(self._tell)
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._advising: dict[tuple[str, int, int], asyncio.Task[None]] = {}
        """The tasks that compute hints, by table, seat and decision."""
        self._damaged: set[str] = set()
        """The ids of tables whose logs cannot be replayed, so that the server does not try again."""

    async def resume(self) -> None:
        """Go on with the tables at which a bot or a clock may be due."""
        for id_ in await self.store.tables_played_without_people(now() - RESUMED):
            try:
                await self.get(id_)
            except Exception as error:
                log.warning("table not resumed", extra={"table": id_, "reason": str(error)})

    async def stop(self) -> None:
        """Stop all stewards and processes, and wait until all entries are written."""
        await self.stop_thinking()
        await asyncio.gather(*(table.settled() for table in self._in_memory()), return_exceptions=True)

    async def stop_thinking(self) -> None:
        """Stop all stewards and processes: whoever waits for a hint, or for a text to be read, gets Stopping."""
        await self.stewards.stop()
        self.workers.stop()
        self.reader.stop()

    async def get(self, id_: str) -> Table:
        """Return a table as it is on disk; raises Refused or UnknownGame if it does not exist or cannot be replayed."""
        if id_ not in self._opening:
            self._opening[id_] = asyncio.create_task(self._open(id_))
        opening = self._opening[id_]
        try:
            table = await asyncio.shield(opening)
            table.used_at = now()
            await table.settled()
            return table
        finally:
            if opening.done() and not _has_succeeded(opening):
                self._opening.pop(id_, None)

    async def add(
        self,
        player: str,
        name: str,
        game_id: str,
        sitters: Sequence[str],
        options: Mapping[str, object],
        clock: str = "none",
        private: bool = False,
        speed: str = "usual",
        address: str = "",
    ) -> Table:
        """Make a table; each of the `sitters` is ME, OPEN or the level of a bot. Raises QuintainError if it cannot.

        Texts in the options wait for the process that reads; addresses take turns there.
        """
        found = game(game_id)
        read = await self.reader.read_options(Asker(address, player), found, found.check_seats(len(sitters)), options)
        if clock not in CLOCKS or speed not in SPEEDS:
            raise BadOption(f"there is no clock {clock!r}" if clock not in CLOCKS else f"there is no speed {speed!r}")
        row = new_row(found, read, clock, speed, private)
        seats = seats_for(row, sitters, player, name)
        await self.store.add_table(row, seats)
        log.info("table made", extra={"table": row.id, "game": row.game})
        self.tell_lobby(None)
        return await self.get(row.id)

    async def sit_down(self, table: Table, seat: int, player: str, name: str) -> None:
        """Give a player an empty seat, or the one that a bot plays for them. Play begins when all seats are taken."""
        holder = table.holder(seat)
        if holder.player == player:
            await self._come_back(table, seat)
            return
        async with table.lock:
            if holder.player or holder.bot or table.status != WAITING:
                raise Refused(409, "this seat is taken")
            if table.seat_of(player) is not None:
                raise Refused(409, "you have a seat at this table already")
            others = [other.name for other in table.seats if other.name]
            values = {"player": player, "name": distinct_name(name, others)}
            if not await self.store.change_seat(holder, None, **values):
                raise Refused(409, "this seat is taken")
            _set(holder, values)
            if all(other.name for other in table.seats):
                await self._begin(table)
        self.tell_all(table)

    async def get_up(self, table: Table, player: str) -> None:
        """Free the seat of a player again, before play begins."""
        seat = table.own_seat(player)
        async with table.lock:
            if table.status != WAITING:
                raise Refused(409, "play has begun: you can resign")
            values = {"player": None, "name": None}
            if await self.store.change_seat(table.seats[seat], player, **values):
                _set(table.seats[seat], values)
        self.tell_all(table)

    async def start(self, table: Table, player: str) -> None:
        """Begin with bots in the empty seats."""
        table.own_seat(player)
        async with table.lock:
            if table.status != WAITING:
                raise Refused(409, "play has begun already")
            for seat in table.seats:
                if not seat.name:
                    others = [other.name for other in table.seats if other.name]
                    values = {"bot": usual_level(), "name": distinct_name(levels()[usual_level()], others)}
                    await self.store.change_seat(seat, None, **values)
                    _set(seat, values)
            await self._begin(table)
        self.tell_all(table)

    async def move(self, table: Table, player: str, decision: object, move: int | str | None) -> None:
        """Play a move for a player."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, "move", decision, move)
        await count_steps(self, table)

    async def undo(self, table: Table, player: str, decision: object) -> None:
        """Take a player's last move back."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, "undo", decision)

    async def resign(self, table: Table, player: str) -> None:
        """Give the match up for a player."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, "resign")

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
        words = {move.action: move.text for move in seen.moves}
        asker = Asker(table.seats[seen.seat].player or "", table.id)
        judged = await self.workers.judge(asker, seen)
        moves = [Advised(one.action, words[one.action], one.share, one.simulations) for one in judged]
        table.hints[seen.seat] = Hint(seen.decision, moves)
        self._tell(table)

    async def rename(self, player: str, name: str) -> None:
        """Give a player another name at all their tables that are not over."""
        listed = await self.store.tables_of([player], MOST_IN_MEMORY)
        for row, _ in listed.get(player, []):
            with contextlib.suppress(QuintainError):
                await self._rename_at(await self.get(row.id), player, name)

    async def _rename_at(self, table: Table, player: str, name: str) -> None:
        async with table.lock:
            await table.settled()
            holder = table.seats[table.own_seat(player)]
            name = distinct_name(name, [seat.name for seat in table.seats if seat.name and seat is not holder])
            if table.status == OVER or name == holder.name or not await self._takes_name(table, holder, name):
                return
            if await self.store.change_seat(holder, player, name=name):
                table.rename(holder.seat, name)
        self.tell_all(table)

    async def _takes_name(self, table: Table, holder: Seat, name: str) -> bool:
        """Tell whether a table's log can be replayed under another name: older servers wrote names into moves."""
        entries = await self.store.entries(table.id)
        if not any(with_tokens([holder.name or ""], entry.text) != entry.text for entry in entries):
            return True
        seats = [replace(seat, name=name) if seat is holder else replace(seat) for seat in table.seats]
        try:
            await asyncio.to_thread(_replay, Table(table.row, seats), entries)
        except QuintainError:
            return False
        return True

    async def set_speed(self, table: Table, player: str, speed: str) -> None:
        """Set how long bots take for a move at this table."""
        table.own_seat(player)
        if speed not in SPEEDS:
            raise BadOption(f"there is no speed {speed!r}; there are {', '.join(SPEEDS)}")
        await self.store.change_table(table.id, speed=speed)
        table.row.speed = speed
        self._tell(table)

    async def skip(self, table: Table, player: str) -> None:
        """Let the bots play to the end without pauses, if all people at the table are out of the game."""
        if not table.can_skip(table.own_seat(player), table.playing().view(None).out):
            raise Refused(409, "you can skip to the end once all people here are out of the game")
        table.is_skipping = True
        self._tell(table)

    async def set_passing(self, table: Table, player: str, passing: bool) -> None:
        """Set whether the server makes a move for a player if it is their only one; a restart forgets this."""
        seat = table.own_seat(player)
        table.playing()
        (table.passing.add if passing else table.passing.discard)(seat)
        self._tell(table)

    async def move_seat(self, table: Table, seat: int, giver: str, moved: int, taker: str) -> None:
        """Move a seat from one device to another; `moved` is how often it had moved when the link was made."""
        holder = table.holder(seat)
        async with table.lock:
            if taker == giver:
                return
            if table.seat_of(taker) is not None:
                raise Refused(409, "you have a seat at this table already")
            values = {"player": taker, "moved": moved + 1}
            if holder.moved != moved or not await self.store.change_seat(holder, giver, **values):
                raise Refused(410, "this link has been used: the seat has moved on since")
            _set(holder, values)
        self.tell_all(table)

    async def _open(self, id_: str) -> Table:
        if id_ in self._damaged:
            raise Refused(500, DAMAGED)
        found = await self.store.table(id_)
        if found is None:
            raise Refused(404, "there is no such table")
        table = Table(*found)
        if table.status == WAITING and all(seat.name for seat in table.seats):
            await self._begin(table)
        elif table.status != WAITING:
            try:
                await asyncio.to_thread(_replay, table, await self.store.entries(id_))
            except (Refused, UnknownGame):
                if not table.row.record:
                    raise
            except (QuintainError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
                log.error("the log of a table is damaged", exc_info=error, extra={"table": id_})
                self._damaged.add(id_)
                raise Refused(500, DAMAGED) from error
            await self.finish_if_over(table)
        self.stewards.attend(table)
        self._forget_one()
        return table

    async def tidy(self) -> None:
        """Forget idle tables, again and again."""
        while True:
            await asyncio.sleep(TIDIED)
            for table in self._in_memory():
                if now() - table.used_at >= FORGOTTEN and self._is_idle(table):
                    self._forget(table.id)

    def _in_memory(self) -> list[Table]:
        return [opening.result() for opening in self._opening.values() if _has_succeeded(opening)]

    def _forget_one(self) -> None:
        """If memory holds too many tables, forget the idle one that nobody has asked for the longest."""
        if len(self._opening) <= MOST_IN_MEMORY:
            return
        for table in sorted(self._in_memory(), key=lambda table: table.used_at):
            if self._is_idle(table):
                self._forget(table.id)
                return

    def _forget(self, id_: str) -> None:
        self._opening.pop(id_, None)
        self.stewards.dismiss(id_)

    def _is_idle(self, table: Table) -> bool:
        busy = table.watchers or table.lock.locked() or not table.is_settled
        return not busy and self.stewards.next_duty(table) is None

    async def enter(
        self, table: Table, seat: int, kind: str, decision: object = None, move: int | str | None = None
    ) -> None:
        """Apply an entry while it is written to the log, and show it once it is written."""
        async with table.lock:
            written = False
            while not written:
                await table.settled()
                entry = table.entry(seat, kind, decision, move)
                try:
                    table.apply([entry])
                except Exception:
                    table.settling = asyncio.create_task(self._read_again(table))
                    raise
                writing = table.settling = asyncio.create_task(self._write(table, entry))
                if not table.playing().outcome:
                    self._tell_players(table)
                written = await asyncio.shield(writing)
            try:
                await self.finish_if_over(table)
            except Exception:
                table.changed.set()
                raise

    async def _write(self, table: Table, entry: LogEntry) -> bool:
        """Write an applied entry; False if its place is taken. Then, or on an error, read the log again."""
        try:
            written = await self.store.add_entry(entry)
        except Exception:
            await self._read_again(table)
            raise
        if not written:
            await self._read_again(table)
            if table.seq < entry.seq and not table.is_lost:
                raise RuntimeError(f"the log of table {table.id} does not take entry {entry.seq}")
        return written

    async def _read_again(self, table: Table) -> None:
        """Bring a table back to what is on disk; if the log cannot be read, forget the table."""
        again = Table(table.row, table.seats)
        try:
            await asyncio.to_thread(_replay, again, await self.store.entries(table.id))
        except Exception:
            log.exception("a table cannot be read again", extra={"table": table.id})
            table.is_lost = True
            self._forget(table.id)
        else:
            table.become(again)
        self._tell_players(table)

    async def finish_if_over(self, table: Table) -> None:
        """Write the record of a game that is over. If this fails, the table's steward tries again."""
        if table.match and table.match.outcome and table.status != OVER:
            record = table.match.record()
            await self.store.change_table(table.id, status=OVER, record=record)
            table.row.status, table.row.record = OVER, record
            log.info("game over", extra={"table": table.id, "game": table.row.game, "entries": table.seq})
            self.stories.begin(table)
            self.tell_all(table)

    async def _begin(self, table: Table) -> None:
        begun = now()
        await self.store.change_table(table.id, status=PLAYING, begun=begun)
        table.row.begun = begun
        await asyncio.to_thread(table.begin)
        table.row.status = PLAYING
        self.stewards.attend(table)

    async def _come_back(self, table: Table, seat: int) -> None:
        """Give a player who is back their seat again, if a bot plays it for them."""
        holder = table.seats[seat]
        if holder.stand_in and table.status == PLAYING:
            await self.enter(table, seat, RETURNED)
            await self.store.change_seat(holder, holder.player, stand_in=False)
            self.tell_all(table)

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


def _replay(table: Table, entries: Sequence[store.LogEntry]) -> None:
    """Replay a table's log; raises QuintainError or another error if that is impossible."""
    if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
        raise BadRecord("entries of this log are missing")
    table.begin()
    table.apply(entries)


def new_row(found: Game, options: dict[str, object], clock: str, speed: str, private: bool) -> store.StoredTable:
    """Return the row of a new table, with a seed of its own."""
    return store.StoredTable(
        id=secrets.token_urlsafe(9),
        game=found.id,
        version=found.version,
        options=options,
        seed=secrets.token_hex(32),
        clock=clock,
        speed=speed,
        private=private,
        status=WAITING,
        made=now(),
    )


def seats_for(row: store.StoredTable, sitters: Sequence[str], player: str, name: str) -> list[Seat]:
    """Return the seats of a new table; mark the table as playing if no seat is open."""
    if sitters.count(ME) != 1:
        raise BadOption("you take one of the seats yourself")
    seats: list[Seat] = []
    taken = [name]
    for number, sitter in enumerate(sitters):
        seat = Seat(table=row.id, seat=number)
        if sitter == ME:
            _set(seat, {"player": player, "name": name})
        elif sitter != OPEN:
            if sitter not in levels():
                raise BadOption(f"there is no bot {sitter!r}; there are {', '.join(levels())}")
            _set(seat, {"bot": sitter, "name": distinct_name(levels()[sitter], taken)})
            taken.append(seat.name or "")
        seats.append(seat)
    if OPEN not in sitters:
        row.status, row.begun = PLAYING, row.made
    return seats


def _set(seat: Seat, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        setattr(seat, name, value)
