"""All tables: who sits down, what is played, and what goes on by itself. The log is the truth, memory only a copy.

A change is carried out while it is written to the log, and shown to nobody before it is there. Whoever loses the race
for a place in the log reads it again, and tries again as long as their own decision is still open.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from quintain.engine.errors import BadOption, BadRecord, QuintainError, UnknownGame
from quintain.engine.game import Game
from quintain.engine.match import Match
from quintain.engine.registry import game
from quintain.server import store
from quintain.server.clock import now
from quintain.server.readers import Reader
from quintain.server.store import OVER, PLAYING, WAITING, LogEntry, Seat, Store
from quintain.server.table import CLOCKS, GRACE, SPEEDS, Hint, Refused, Table, distinct_name
from quintain.server.turns import Asker
from quintain.server.workers import Workers, levels, usual_level

ME, OPEN = "me", "open"
RESUMED = 7 * 86400
"""Seconds since its beginning for which a table goes on by itself after a restart; later, when somebody opens it."""
MOST_IN_MEMORY = 300
"""Tables in memory from which on a new one takes the place of the one that was asked for longest ago."""
TIDIED, FORGOTTEN = 30.0, 600.0
"""Seconds without anybody there until what is drawn of a table is dropped, and until it leaves memory."""
DAMAGED = "this table's log is damaged; its players cannot go on"
"""What anybody learns of a log that cannot be played again: the reason may name cards in a hand."""
SECRET_BEATS, SECRET_STEPS = 4, 24
"""Others see that a bot has finished a secret choice after the time of so many moves, or after so many times what it
thought for one step: of its first two the shorter one."""
PASSES_AFTER = (0.5, 3.0)
"""Seconds, drawn between these, after which an only move is made for a player who wants that."""
LONGEST_SLEEP = 60.0
"""Seconds after which whoever waits for a clock looks at it again."""
log = logging.getLogger("quintain.server")


class Deed(NamedTuple):
    """Something that happens by itself: when, for which seat, and what."""

    at: float
    seat: int
    do: Callable[[Table, int], Awaitable[None]]


class Tables:
    """The tables.

    `show` is called with each that has changed, and `tell_lobby` with the players who sit there, or with None where
    everybody sees it in the lobby; `pace` multiplies the time that bots take for a move.
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
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._stewards: dict[str, asyncio.Task[None]] = {}
        self._advising: dict[tuple[str, int, int], asyncio.Task[None]] = {}
        """The hints that are being thought about, by table, seat and decision."""
        self._damaged: set[str] = set()
        """The tables whose logs do not hold: none is read twice."""

    async def resume(self) -> None:
        """Go on with the tables at which something happens without people."""
        for id_ in await self.store.tables_played_without_people(now() - RESUMED):
            try:
                await self.get(id_)
            except Exception as error:
                log.warning("table not resumed", extra={"table": id_, "reason": str(error)})

    async def stop(self) -> None:
        """Let nothing more happen by itself."""
        stewards = list(self._stewards.values())
        for steward in stewards:
            steward.cancel()
        await asyncio.gather(*stewards, return_exceptions=True)
        await asyncio.gather(*(table.settled() for table in self._in_memory()), return_exceptions=True)
        self.workers.stop()
        self.reader.stop()

    async def get(self, id_: str) -> Table:
        """Return a table as it is on disk; raises Refused if there is none, or if its game is not here."""
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
        options: Mapping[str, Any],
        clock: str = "none",
        private: bool = False,
        speed: str = "usual",
        address: str = "",
    ) -> Table:
        """Make a table; each of the `sitters` is ME, OPEN or the level of a bot. Raises BadOption and the like.

        Texts in the options are read in turn between the addresses that they come from.
        """
        found = game(game_id)
        read = await self.reader.read_options(Asker(address, player), found, found.check_seats(len(sitters)), options)
        if clock not in CLOCKS or speed not in SPEEDS:
            raise BadOption(f"there is no clock {clock!r}" if clock not in CLOCKS else f"there is no speed {speed!r}")
        row = _new_row(found, read, clock, speed, private)
        seats = _seats(row, sitters, player, name)
        await self.store.add_table(row, seats)
        log.info("table made", extra={"table": row.id, "game": row.game})
        self.tell_lobby(None)
        return await self.get(row.id)

    async def sit_down(self, table: Table, seat: int, player: str, name: str) -> None:
        """Give a player an empty seat, or back the one that a bot plays for them. The last to sit down begins."""
        holder = self._seat(table, seat)
        async with table.lock:
            if holder.player == player:
                await self._come_back(table, seat)
                return
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
        self._tell_all(table)

    async def get_up(self, table: Table, player: str) -> None:
        """Free the seat of a player again, before play begins."""
        seat = self.own_seat(table, player)
        async with table.lock:
            if table.status != WAITING:
                raise Refused(409, "play has begun: you can resign")
            values = {"player": None, "name": None}
            if await self.store.change_seat(table.seats[seat], player, **values):
                _set(table.seats[seat], values)
        self._tell_all(table)

    async def start(self, table: Table, player: str) -> None:
        """Begin with bots in the empty seats."""
        self.own_seat(table, player)
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
        self._tell_all(table)

    async def move(self, table: Table, player: str, decision: Any, move: int | str | None) -> None:
        """Play a move for a player."""
        seat = self.own_seat(table, player)
        await self._enter(table, seat, "move", decision, move)
        await self._come_back(table, seat)

    async def undo(self, table: Table, player: str, decision: Any) -> None:
        """Take a player's last move back."""
        await self._enter(table, self.own_seat(table, player), "undo", decision)

    async def resign(self, table: Table, player: str) -> None:
        """Give the match up for a player."""
        await self._enter(table, self.own_seat(table, player), "resign")

    async def hint(self, table: Table, player: str) -> None:
        """Let the search tell a player what it thinks of their moves."""
        seat, match = self.own_seat(table, player), table.playing()
        if seat not in match.to_act:
            raise Refused(409, "you have no move to make now")
        decision = match.decision(seat)
        if seat in table.hints and table.hints[seat].decision == decision:
            return
        asked = table.id, seat, decision
        if asked not in self._advising:
            self._advising[asked] = asyncio.create_task(self._advise(table, match, seat, decision))
            self._advising[asked].add_done_callback(lambda _: self._advising.pop(asked))
        await asyncio.shield(self._advising[asked])

    async def _advise(self, table: Table, match: Match, seat: int, decision: int) -> None:
        words = {move.action: move.text for move in match.moves(seat)}
        asker = Asker(table.seats[seat].player or "", table.id)
        judged = await self.workers.judge(asker, match.game.id, match.book, match.blinded(seat), seat)
        moves = [(words[one.action], one.share, one.simulations) for one in judged]
        table.hints[seat] = Hint(decision, moves)
        self._tell(table)

    async def rematch(self, table: Table, player: str) -> str:
        """Return the id of the table at which the same seats play again: there is only one, whoever asks."""
        self.own_seat(table, player)
        if table.status != OVER:
            raise Refused(409, "the game is not over yet")
        old = table.row
        row = _new_row(game(old.game), old.options, old.clock, old.speed, old.private)
        row.status, row.begun = PLAYING, row.made
        seats = [
            Seat(table=row.id, seat=seat.seat, name=seat.name, bot=seat.bot, player=seat.player) for seat in table.seats
        ]
        old.rematch = await self.store.add_table(row, seats, rematch_of=old.id)
        await self.get(old.rematch)
        self._tell_all(table)
        return old.rematch

    async def set_speed(self, table: Table, player: str, speed: str) -> None:
        """Set how long bots take for a move at this table."""
        self.own_seat(table, player)
        if speed not in SPEEDS:
            raise BadOption(f"there is no speed {speed!r}; there are {', '.join(SPEEDS)}")
        await self.store.change_table(table.id, speed=speed)
        table.row.speed = speed
        self._tell(table)

    async def set_passing(self, table: Table, player: str, passing: bool) -> None:
        """Set whether a player's only moves are made for them, until the server starts anew."""
        seat = self.own_seat(table, player)
        table.playing()
        (table.passing.add if passing else table.passing.discard)(seat)
        self._tell(table)

    async def move_seat(self, table: Table, seat: int, giver: str, moved: int, taker: str) -> None:
        """Hand a seat that has moved so often before over from one device to another."""
        holder = self._seat(table, seat)
        async with table.lock:
            if taker == giver:
                return
            if table.seat_of(taker) is not None:
                raise Refused(409, "you have a seat at this table already")
            values = {"player": taker, "moved": moved + 1}
            if holder.moved != moved or not await self.store.change_seat(holder, giver, **values):
                raise Refused(410, "this link has been used: the seat has moved on since")
            _set(holder, values)
        self._tell_all(table)

    def own_seat(self, table: Table, player: str) -> int:
        """Return the seat of a player; raises Refused for a spectator."""
        seat = table.seat_of(player)
        if seat is None:
            raise Refused(403, "you have no seat at this table")
        return seat

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
            await self._finish_if_over(table)
        self._attend(table)
        self._forget_one()
        return table

    async def tidy(self) -> None:
        """Let go of what nobody looks at, again and again: first of what is drawn of a table, then of the table."""
        while True:
            await asyncio.sleep(TIDIED)
            for table in self._in_memory():
                if now() - table.used_at >= FORGOTTEN and self._is_idle(table):
                    self._forget(table.id)
                elif now() - table.used_at >= TIDIED and not table.watchers:
                    table.forget_drawn()

    def _in_memory(self) -> list[Table]:
        return [opening.result() for opening in self._opening.values() if _has_succeeded(opening)]

    def _forget_one(self) -> None:
        """Put the table that was asked for longest ago out of memory, if there are many and nobody watches it."""
        if len(self._opening) <= MOST_IN_MEMORY:
            return
        for table in sorted(self._in_memory(), key=lambda table: table.used_at):
            if self._is_idle(table):
                self._forget(table.id)
                return

    def _forget(self, id_: str) -> None:
        self._opening.pop(id_, None)
        if id_ in self._stewards:
            self._stewards.pop(id_).cancel()

    def _is_idle(self, table: Table) -> bool:
        return not table.watchers and not table.lock.locked() and table.is_settled and self._next_deed(table) is None

    async def _enter(
        self, table: Table, seat: int, kind: str, decision: Any = None, move: int | str | None = None
    ) -> None:
        """Write an entry to the log, carry it out meanwhile, and show it once it is written."""
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
                table.settling = asyncio.create_task(self._write(table, entry))
                if not table.playing().outcome:
                    self._tell_players(table)
                written = await asyncio.shield(table.settling)
            try:
                await self._finish_if_over(table)
            except Exception:
                table.changed.set()
                raise

    async def _write(self, table: Table, entry: LogEntry) -> bool:
        """Write an entry that has been carried out; if its place was taken or it fails, go back to what the log has."""
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
        """Bring a table back to what is on disk; one that cannot be read is forgotten, and opened anew by who comes."""
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

    async def _finish_if_over(self, table: Table) -> None:
        """Write the record of a game that is over. What plays on by itself tries again where that fails."""
        if table.match and table.match.outcome and table.status != OVER:
            record = table.match.record()
            await self.store.change_table(table.id, status=OVER, record=record)
            table.row.status, table.row.record = OVER, record
            log.info("game over", extra={"table": table.id, "game": table.row.game, "entries": table.seq})
            self._tell_all(table)

    async def _begin(self, table: Table) -> None:
        begun = now()
        await self.store.change_table(table.id, status=PLAYING, begun=begun)
        table.row.begun = begun
        await asyncio.to_thread(table.begin)
        table.row.status = PLAYING
        self._attend(table)

    async def _come_back(self, table: Table, seat: int) -> None:
        """End a bot's playing on for a player who is here again."""
        holder = table.seats[seat]
        if holder.stand_in and await self.store.change_seat(holder, holder.player, stand_in=False):
            holder.stand_in = False
            table.asked_at[seat] = now()
            self._tell_all(table)

    def _seat(self, table: Table, seat: int) -> Seat:
        if not 0 <= seat < len(table.seats):
            raise Refused(404, f"there is no seat {seat} at this table")
        return table.seats[seat]

    def _tell(self, table: Table) -> None:
        """Show what is new at a table to all who watch it, and wake what plays on by itself there."""
        table.changed.set()
        self.show(table)

    def _tell_players(self, table: Table) -> None:
        """Show what is new at a table also to its players in the lobby."""
        self._tell(table)
        self.tell_lobby([seat.player for seat in table.seats if seat.player])

    def _tell_all(self, table: Table) -> None:
        self._tell(table)
        self.tell_lobby(None)

    def _attend(self, table: Table) -> None:
        if table.status == PLAYING and table.id not in self._stewards:
            steward = asyncio.create_task(self._play_on(table))
            self._stewards[table.id] = steward
            steward.add_done_callback(lambda done: self._dismiss(table.id, done))

    def _dismiss(self, id_: str, steward: asyncio.Task[None]) -> None:
        if self._stewards.get(id_) is steward:
            del self._stewards[id_]

    async def _play_on(self, table: Table) -> None:
        """Do all that happens by itself at a table, until the game is over."""
        while table.status == PLAYING and not table.is_lost:
            table.changed.clear()
            try:
                await self._do_next(table)
            except Refused:
                continue
            except Exception:
                log.exception("nothing happens by itself for a while", extra={"table": table.id})
                await asyncio.sleep(1)

    async def _do_next(self, table: Table) -> None:
        """Do the next thing that happens by itself; a clock is watched only until the table changes."""
        await table.settled()
        if table.playing().outcome:
            async with table.lock:
                await self._finish_if_over(table)
            return
        deed = self._next_deed(table)
        if deed is None:
            await table.changed.wait()
            return
        if deed.do == self._stand_in and deed.at > now():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(table.changed.wait(), min(deed.at - now(), LONGEST_SLEEP))
            return
        await deed.do(table, deed.seat)

    def _next_deed(self, table: Table) -> Deed | None:
        match = table.match
        if match is None or match.outcome:
            return None
        deeds = [self._deed(table, seat) for seat in sorted(match.to_act)]
        return min((deed for deed in deeds if deed), key=lambda deed: deed.at, default=None)

    def _deed(self, table: Table, seat: int) -> Deed | None:
        """Return what a seat that is to act does without its player."""
        holder = table.seats[seat]
        if holder.bot or holder.stand_in:
            return Deed(self._paced(table, seat), seat, self._play_bot)
        if table.is_played_on(seat) or table.is_passed(seat):
            return Deed(self._paced(table, seat), seat, self._play_only)
        deadline = table.deadline(seat)
        return None if deadline is None else Deed(deadline + GRACE, seat, self._stand_in)

    async def _play_bot(self, table: Table, seat: int) -> None:
        """Let a bot choose from what its seat may know, and play when its time has come."""
        match, holder = table.playing(), table.seats[seat]
        decision, level = match.decision(seat), holder.bot or usual_level()
        asker, asked = Asker(table.host, table.id), now()
        try:
            action, table.notes[seat] = await self.workers.choose(
                asker, level, match.game.id, match.book, match.blinded(seat), seat
            )
        except Exception:
            table.notes[seat] = "cannot choose just now, and tries again"
            self.show(table)
            raise
        if match.decision(seat) != decision:
            return
        noticed = seat in table.in_secret and match.is_noticed(seat, action)
        if len(thought := table.thought.setdefault(seat, [])) < 2:
            thought.append(now() - asked)
        await _sleep_until(self._end_of_secret(table, seat) if noticed else self._paced(table, seat))
        if holder.bot or holder.stand_in:
            await self._enter(table, seat, "move", decision, action)

    async def _play_only(self, table: Table, seat: int) -> None:
        """Play the only move of a person: where everybody sees that there is no choice, or the person wants it so."""
        match = table.playing()
        decision, openly = match.decision(seat), table.is_played_on(seat)
        pause = 0.0 if openly else self.pace * random.SystemRandom().uniform(*PASSES_AFTER)
        await _sleep_until(self._paced(table, seat) + pause)
        match = table.playing()
        if match.decision(seat) != decision or seat not in match.to_act:
            return
        if table.is_played_on(seat) or table.is_passed(seat):
            await self._enter(table, seat, "move", decision, match.moves(seat)[0].action)

    def _paced(self, table: Table, seat: int) -> float:
        """Return when a seat may play by itself, so that people can follow."""
        return table.asked_at[seat] + self.pace * SPEEDS[table.row.speed]

    def _end_of_secret(self, table: Table, seat: int) -> float:
        """Return when a bot that has made steps in secret makes the one that others see.

        The time must not count the steps: it is the same for few and for many, also where each of them waits for
        others' bots. It is twice that where the bot has thought for longer still, and so on.
        """
        begun = max(table.asked_at[seat], table.opened_at)
        wait = SECRET_BEATS * self.pace * SPEEDS[table.row.speed]
        if wait:
            wait = max(wait, SECRET_STEPS * min(table.thought.get(seat) or [0.0]))
        while wait and begun + wait < now():
            wait *= 2
        return begun + wait

    async def _stand_in(self, table: Table, seat: int) -> None:
        """Let a bot play on for a player whose time is up."""
        holder = table.seats[seat]
        deadline = table.deadline(seat)
        if deadline is None or now() < deadline + GRACE:
            return
        if await self.store.change_seat(holder, holder.player, stand_in=True):
            holder.stand_in = True
            table.asked_at[seat] = now()
            log.info("stand-in", extra={"table": table.id, "seat": seat})
        self._tell_all(table)


async def _sleep_until(at: float) -> None:
    """Sleep until a time, and look at the clock again now and then."""
    while (left := at - now()) > 0:
        await asyncio.sleep(min(left, LONGEST_SLEEP))


def _has_succeeded(opening: asyncio.Task[Table]) -> bool:
    return opening.done() and not opening.cancelled() and opening.exception() is None


def _replay(table: Table, entries: Sequence[store.LogEntry]) -> None:
    """Play a table's log; raises QuintainError and others if it does not hold."""
    if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
        raise BadRecord("entries of this log are missing")
    table.begin()
    table.apply(entries)


def _new_row(found: Game, options: dict[str, Any], clock: str, speed: str, private: bool) -> store.Table:
    return store.Table(
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


def _seats(row: store.Table, sitters: Sequence[str], player: str, name: str) -> list[Seat]:
    """Return the seats of a new table, which begins at once if nobody is missing."""
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


def _set(seat: Seat, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(seat, name, value)
