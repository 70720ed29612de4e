"""What goes on at the tables by itself: each table at which people play has a steward, a task that does it.

A steward lets bots move, makes the moves that leave a person no choice, and seats a bot for whoever's time is up. It
does one thing after another, whichever comes first, and looks again whenever the table changes; what fails it tries
again. It writes to the log as people do, by what the tables offer to everybody: see `Keeper`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

from quintain.server.clock import now
from quintain.server.store import PLAYING, Store
from quintain.server.table import GRACE, SPEEDS, Refused, Table
from quintain.server.turns import Asker
from quintain.server.workers import Workers, usual_level

SECRET_BEATS, SECRET_STEPS = 4, 24
"""Others see that a bot has finished a secret choice after the time of so many moves, or after so many times what it
thought for one step: of its first two the shorter one."""
PASSES_AFTER = (0.5, 3.0)
"""Seconds, drawn between these, after which an only move is made for a player who wants that."""
LONGEST_SLEEP = 60.0
"""Seconds after which whoever waits for a clock looks at it again."""
log = logging.getLogger("quintain.server")


class Keeper(Protocol):
    """Who keeps the tables: what stewards ask of them.

    `show` is called with a table that has changed; `pace` multiplies the time that bots take for a move.
    """

    store: Store
    workers: Workers
    show: Callable[[Table], None]
    pace: float

    async def enter(
        self, table: Table, seat: int, kind: str, decision: Any = None, move: int | str | None = None
    ) -> None:
        """Write an entry to the log, carry it out meanwhile, and show it once it is written."""

    async def finish_if_over(self, table: Table) -> None:
        """Write the record of a game that is over."""

    def tell_all(self, table: Table) -> None:
        """Show what is new at a table to all who watch it, and to everybody in the lobby."""


class Duty(NamedTuple):
    """Something that happens by itself: when, for which seat, and what."""

    at: float
    seat: int
    do: Callable[[Table, int], Awaitable[None]]


class Stewards:
    """The stewards of all tables, each attending one table as long as its game goes on."""

    def __init__(self, tables: Keeper):
        self.tables = tables
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """The task of each steward, by the id of its table."""

    async def stop(self) -> None:
        """Send all stewards away, and wait until they are gone."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def attend(self, table: Table) -> None:
        """Give a table a steward, if play goes on there and it has none."""
        if table.status == PLAYING and table.id not in self._tasks:
            steward = asyncio.create_task(self._play_on(table))
            self._tasks[table.id] = steward
            steward.add_done_callback(lambda done: self._forget(table.id, done))

    def dismiss(self, id_: str) -> None:
        """Send the steward of a table away, if it has one."""
        if id_ in self._tasks:
            self._tasks.pop(id_).cancel()

    def next_duty(self, table: Table) -> Duty | None:
        """Return what happens next at a table by itself; None where all waits for people."""
        match = table.match
        if match is None or match.outcome:
            return None
        duties = [self._duty(table, seat) for seat in sorted(match.to_act)]
        return min((duty for duty in duties if duty), key=lambda duty: duty.at, default=None)

    def _forget(self, id_: str, steward: asyncio.Task[None]) -> None:
        if self._tasks.get(id_) is steward:
            del self._tasks[id_]

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
                await self.tables.finish_if_over(table)
            return
        duty = self.next_duty(table)
        if duty is None:
            await table.changed.wait()
            return
        if duty.do == self._stand_in and duty.at > now():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(table.changed.wait(), min(duty.at - now(), LONGEST_SLEEP))
            return
        await duty.do(table, duty.seat)

    def _duty(self, table: Table, seat: int) -> Duty | None:
        """Return what a seat that is to act does without its player."""
        holder = table.seats[seat]
        if holder.bot or holder.stand_in:
            return Duty(self._paced(table, seat), seat, self._play_bot)
        if table.is_played_on(seat) or table.is_passed(seat):
            return Duty(self._paced(table, seat), seat, self._play_only)
        deadline = table.deadline(seat)
        return None if deadline is None else Duty(deadline + GRACE, seat, self._stand_in)

    async def _play_bot(self, table: Table, seat: int) -> None:
        """Let a bot choose from what its seat may know, and play when its time has come."""
        match, holder = table.playing(), table.seats[seat]
        seen, level = match.seen(seat), holder.bot or usual_level()
        asker, asked = Asker(table.host, table.id), now()
        try:
            action, table.notes[seat] = await self.tables.workers.choose(asker, level, seen)
        except Exception:
            table.notes[seat] = "cannot choose just now, and tries again"
            self.tables.show(table)
            raise
        if match.decision(seat) != seen.decision:
            return
        noticed = seat in table.in_secret and match.is_noticed(seat, action)
        if len(thought := table.thought.setdefault(seat, [])) < 2:
            thought.append(now() - asked)
        await _sleep_until(self._end_of_secret(table, seat) if noticed else self._paced(table, seat))
        if holder.bot or holder.stand_in:
            await self.tables.enter(table, seat, "move", seen.decision, action)

    async def _play_only(self, table: Table, seat: int) -> None:
        """Play the only move of a person: where everybody sees that there is no choice, or the person wants it so."""
        match = table.playing()
        decision, openly = match.decision(seat), table.is_played_on(seat)
        pause = 0.0 if openly else self.tables.pace * random.SystemRandom().uniform(*PASSES_AFTER)
        await _sleep_until(self._paced(table, seat) + pause)
        match = table.playing()
        if match.decision(seat) != decision or seat not in match.to_act:
            return
        if table.is_played_on(seat) or table.is_passed(seat):
            await self.tables.enter(table, seat, "move", decision, match.moves(seat)[0].action)

    def _paced(self, table: Table, seat: int) -> float:
        """Return when a seat may play by itself, so that people can follow."""
        return table.asked_at[seat] + self.tables.pace * SPEEDS[table.row.speed]

    def _end_of_secret(self, table: Table, seat: int) -> float:
        """Return when a bot that has made steps in secret makes the one that others see.

        The time must not count the steps: it is the same for few and for many, also where each of them waits for
        others' bots. It is twice that where the bot has thought for longer still, and so on.
        """
        begun = max(table.asked_at[seat], table.opened_at)
        wait = SECRET_BEATS * self.tables.pace * SPEEDS[table.row.speed]
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
        if await self.tables.store.change_seat(holder, holder.player, stand_in=True):
            holder.stand_in = True
            table.asked_at[seat] = now()
            log.info("stand-in", extra={"table": table.id, "seat": seat})
        self.tables.tell_all(table)


async def _sleep_until(at: float) -> None:
    """Sleep until a time, and look at the clock again now and then."""
    while (left := at - now()) > 0:
        await asyncio.sleep(min(left, LONGEST_SLEEP))
