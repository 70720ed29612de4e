"""Stewards: each table in play has one, a task that does what needs no person.

A steward begins a game for which not all have revealed their random numbers in time, plays the moves of bots, plays a
person's only move, and lets a bot take over when a person's time is up. It adjourns a game that everybody has left,
and ends it if nobody comes back. It does one duty at a time, the earliest first,
and looks again whenever the table changes. After an error it tries again.

It writes to the log by the same methods as people do: `Tables.enter` for an act of a seat, `Tables.change` for the
deal, and `Tables.note` for a note about a bot. `Keeper` lists all that it uses of the tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from quintain.server.clock import now
from quintain.server.model import entries as kinds
from quintain.server.model.entries import BEGUN, MOVED, NO_SEAT, PLAYING, STAND_IN, LogEntry
from quintain.server.model.levels import time_of, usual_level
from quintain.server.refused import Refused
from quintain.server.slices import cancelled
from quintain.server.tables.lessons import scripted
from quintain.server.tables.live_table import ChosenStep, LiveTable
from quintain.server.tables.storage import Leases
from quintain.server.tables.table import BY_BOT, GRACE, SPEEDS
from quintain.server.tables.thinking import Thinkers
from quintain.server.turns import Asker

SECRET_BEATS, SECRET_TURNS = 4, 2
"""A bot ends a secret choice after the time of SECRET_BEATS moves, or after SECRET_TURNS thoughts of each bot, if that
is longer: a bot has one budget for all its steps, and a new one if others show something meanwhile."""
AMONG_BOTS = 0.25
"""The seconds of a bot's move in a scene, such as a battle, in which only bots have part."""
HURRY = 0.1
"""The seconds of a bot's move where nobody follows the game. Shorter beats would show how long it has thought: this one
holds the thought of a Squire and the way to its process, also on a busy machine."""
PASSES_AFTER = (0.5, 3.0)
"""The server makes a player's only move, if they want that, after a random number of seconds between these."""
LONGEST_SLEEP = 60.0
"""Seconds that a steward sleeps at most before it looks at the clock again."""
log = logging.getLogger("quintain.server")


class Keeper(Protocol):
    """All that stewards need of the tables. `pace` multiplies the time that bots take for a move."""

    workers: Thinkers
    pace: float

    async def enter(
        self, live: LiveTable, seat: int, kind: str, decision: int | None = None, action: int | None = None
    ) -> None:
        """Write an act of a seat, and show it once it is written."""

    async def change(self, live: LiveTable, propose: Callable[[], Sequence[LogEntry]]) -> None:
        """Write the entries that `propose` returns, and show them once they are written."""

    async def look_for_alike(self, live: LiveTable) -> None:
        """Note which players of a rated game share a browser or an address."""

    async def note(self, live: LiveTable, seat: int, words: str) -> None:
        """Note something for people about the bot at a seat."""


class Duty(NamedTuple):
    """An automatic action that is due `at` a time.

    It is a bot's move, a person's only move, the taking over of a seat by a bot, the deal, the adjournment of a game
    and its end, or a look at who plays a rated game.
    """

    at: float
    seat: int
    do: Callable[[LiveTable, int], Awaitable[None]]


class Stewards:
    """The stewards of all tables, each attending one table as long as its game goes on.

    Where several processes share a database, a table has a steward only in the process that has its lease.
    """

    def __init__(self, tables: Keeper, peers: Leases | None = None):
        self.tables, self.peers = tables, peers
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """The task of each steward, by the id of its table."""
        self._is_stopped = False

    async def stop(self) -> None:
        """Cancel all stewards, wait until they have ended, and let no table have one any more."""
        self._is_stopped = True
        await cancelled(list(self._tasks.values()))

    @property
    def number(self) -> int:
        """How many tables have a steward now."""
        return len(self._tasks)

    def attend(self, live: LiveTable) -> None:
        """Give a table a steward, if the game is in play or about to be, and the table has none."""
        is_foreign = self.peers is not None and live.id in self.peers.foreign
        if _needs_steward(live) and live.id not in self._tasks and not is_foreign and not self._is_stopped:
            steward = asyncio.create_task(self._play_on(live))
            self._tasks[live.id] = steward
            steward.add_done_callback(lambda done: self._forget(live.id, done))

    def dismiss(self, id_: str) -> None:
        """Cancel the steward of a table, if it has one."""
        if id_ in self._tasks:
            self._tasks.pop(id_).cancel()
        if self.peers:
            self.peers.foreign.discard(id_)

    def attend_anew(self, tables: Iterable[LiveTable]) -> None:
        """Dismiss the stewards of tables whose leases this process has lost, and ask for all that are free."""
        assert self.peers
        for id_ in self._tasks.keys() - self.peers.held:
            self.dismiss(id_)
        self.peers.foreign.clear()
        for live in tables:
            self.attend(live)

    def is_due(self, live: LiveTable) -> bool:
        """Tell whether a table has a steward here that has something to do, now or later."""
        return live.id in self._tasks and self.next_duty(live) is not None

    def next_duty(self, live: LiveTable) -> Duty | None:
        """Return the earliest duty at a table; None if the table waits for people alone."""
        table, match = live.table, live.table.match
        if table.is_mixing:
            return Duty(table.mixed_by, NO_SEAT, self._deal)
        if match is None or match.outcome:
            return None
        if table.row.rated and table.folded.alike is None:
            return Duty(now(), NO_SEAT, self._look_for_alike)
        if (ends := live.ends_at) is not None:
            return Duty(ends, NO_SEAT, self._give_up)
        if live.is_deserted:
            return Duty(now(), NO_SEAT, self._adjourn)
        duties = [self._duty(live, seat) for seat in sorted(match.to_act)]
        return min((duty for duty in duties if duty), key=lambda duty: duty.at, default=None)

    def _forget(self, id_: str, steward: asyncio.Task[None]) -> None:
        if self._tasks.get(id_) is steward:
            del self._tasks[id_]

    async def _play_on(self, live: LiveTable) -> None:
        """Do one duty after another at a table until the game is over; give up if another process cares for it."""
        while _needs_steward(live) and not live.is_lost:
            live.changed.clear()
            try:
                if self.peers and not await self.peers.take(live.id):
                    return
                await self._do_next(live)
            except Refused:
                continue
            except Exception:
                log.exception("table steward failed; retrying in 1 s", extra={"table": live.id})
                await asyncio.sleep(1)
        if self.peers and not _needs_steward(live):
            await self.peers.release(live.id)

    async def _do_next(self, live: LiveTable) -> None:
        """Do the next duty, or wait for one; a change of the table ends the wait for a clock."""
        await live.settled()
        duty = self.next_duty(live)
        if duty is None:
            await live.changed.wait()
            return
        if duty.do in (self._stand_in, self._deal, self._give_up, self._end_choice) and duty.at > now():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(duty.at - now(), LONGEST_SLEEP)):
                    await live.changed.wait()
            return
        await duty.do(live, duty.seat)

    def _duty(self, live: LiveTable, seat: int) -> Duty | None:
        """Return the duty for a seat that is to act; None if only its player can act."""
        table = live.table
        holder = table.seats[seat]
        if (lesson := table.lesson_progress()) and not lesson.is_over:
            action = scripted(lesson, table.playing(), seat)
            return Duty(now(), seat, self._play_script) if action is not None else None
        if holder.bot or holder.stand_in:
            ready = live.ready.get(seat)
            if ready and ready.decision == table.playing().decision(seat):
                return Duty(self._ready_at(live, ready), seat, self._end_choice)
            return Duty(self._paced(live, seat), seat, self._play_bot)
        if table.is_openly_forced(seat) or table.is_passing(seat):
            return Duty(self._paced(live, seat), seat, self._play_only)
        deadline = live.deadline(seat)
        return None if deadline is None else Duty(deadline + GRACE, seat, self._stand_in)

    async def _deal(self, live: LiveTable, _: int) -> None:
        """Begin without the random numbers that have not been revealed in time."""
        await self.tables.change(live, lambda: [live.table.next_entry(BEGUN)] if live.table.is_mixing else [])

    async def _look_for_alike(self, live: LiveTable, _: int) -> None:
        """Note which players of a rated game share a browser or an address."""
        await self.tables.look_for_alike(live)

    async def _adjourn(self, live: LiveTable, _: int) -> None:
        """Let a game wait that everybody has left."""
        await self.tables.change(live, lambda: [live.table.next_entry(kinds.ADJOURNED)] if live.is_deserted else [])
        log.info("adjourned", extra={"table": live.id})

    async def _give_up(self, live: LiveTable, _: int) -> None:
        """End an adjourned game to which nobody came back: without a result, or if it is rated, by bots' moves."""

        def ended() -> Sequence[LogEntry]:
            table = live.table
            if live.ends_at is None or now() < live.ends_at:
                return []
            if table.row.rated:
                return [table.next_entry(kinds.SKIPPED)]
            moves = sum(made.kind == "move" for made in table.playing().moves_made)
            return [table.next_entry(kinds.STOPPED, kinds.encoded(kinds.Stopped(table.row.version, 0, moves, True)))]

        await self.tables.change(live, ended)
        log.info("a game ends to which nobody came back", extra={"table": live.id})

    async def _play_bot(self, live: LiveTable, seat: int) -> None:
        """Let a bot choose a move from what its seat sees, and play the move when the time for it has come."""
        match, holder = live.table.playing(), live.table.seats[seat]
        seen, level = match.seen(seat), holder.bot or usual_level()
        asker = Asker(live.table.host, live.id)
        try:
            chosen = await self.tables.workers.choose(asker, level, seen)
        except Exception:
            await self.tables.note(live, seat, "cannot choose just now, and tries again")
            raise
        await self.tables.note(live, seat, chosen.note)
        if match.decision(seat) != seen.decision:
            return
        waited = max(0.0, now() - live.table.times.asked_at[seat] - chosen.seconds)
        live.thoughts[seat].append(chosen.seconds)
        at = self._time_of(live, seat, chosen.action, waited)
        if seat in live.table.in_secret and match.is_noticed(seat, chosen.action):
            live.ready[seat] = ChosenStep(seen.decision, chosen.action, at, now())
            return
        while (left := at - now()) > 0:
            live.hurrying.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, LONGEST_SLEEP)):
                    await live.hurrying.wait()
                at = min(at, self._time_of(live, seat, chosen.action, waited))
        await self.tables.enter(live, seat, BY_BOT, seen.decision, chosen.action)

    async def _end_choice(self, live: LiveTable, seat: int) -> None:
        """Make the last step of a bot's secret choice. Other bots choose while it waits for its time."""
        ready = live.ready[seat]
        await self.tables.enter(live, seat, BY_BOT, ready.decision, ready.action)

    async def _play_script(self, live: LiveTable, seat: int) -> None:
        """Make a move that the script of a lesson has for a seat, after a bot's pause if another seat moved before."""
        made = live.table.playing().moves_made
        if made and made[-1].seat != seat:
            await asyncio.sleep(self._pause(live))
        table = live.table
        if (action := scripted(table.lesson_progress(), table.playing(), seat)) is not None:
            await self.tables.enter(live, seat, MOVED, table.playing().decision(seat), action)

    async def _play_only(self, live: LiveTable, seat: int) -> None:
        """Play a person's only move, if everybody can see that it is the only one, or if the person wants that."""
        decision, openly = live.table.playing().decision(seat), live.table.is_openly_forced(seat)
        pause = 0.0 if openly else self.tables.pace * random.SystemRandom().uniform(*PASSES_AFTER)
        await _sleep_until(self._paced(live, seat) + pause)
        table, match = live.table, live.table.playing()
        if match.decision(seat) != decision or seat not in match.to_act:
            return
        if table.is_openly_forced(seat) or table.is_passing(seat):
            await self.tables.enter(live, seat, MOVED, decision, match.moves(seat)[0].action)

    def _paced(self, live: LiveTable, seat: int) -> float:
        """Return when the server may play for a seat, so that people can follow the game."""
        return live.table.times.asked_at[seat] + self._pause(live)

    def _pause(self, live: LiveTable) -> float:
        """Return how many seconds a bot takes for a move; fewer if no person follows it, or has part in it."""
        if live.table.is_skipping:
            return 0.0
        usual = self.tables.pace * SPEEDS[live.table.row.speed]
        if live.is_hurried:
            return min(usual, HURRY)
        return min(usual, AMONG_BOTS) if live.is_among_bots else usual

    def _time_of(self, live: LiveTable, seat: int, action: int, waited: float) -> float:
        """Return when a bot makes a move that it has chosen just now, after it has waited for others."""
        if not live.table.playing().is_noticed(seat, action):
            return self._paced(live, seat)
        return self._end_of_secret(live, seat) if seat in live.table.in_secret else self._next_beat(live, seat, waited)

    def _next_beat(self, live: LiveTable, seat: int, waited: float) -> float:
        """Return when a bot may make a move that others notice: the pauses since it was asked are the beats.

        Nobody may see whether its hidden hand has left it a choice. So it takes the time that it may take for any such
        question, however long it has thought, unless everybody can see that it has one move.
        """
        table, pause = live.table, self._pause(live)
        asked = table.times.asked_at[seat]
        if not pause:
            return asked
        thinks = 0.0 if table.playing().is_openly_forced(seat) else self._may_think(live, seat)
        return asked + pause * max(1, math.ceil((waited + thinks) / pause), math.ceil((now() - asked) / pause))

    def _end_of_secret(self, live: LiveTable, seat: int) -> float:
        """Return when a bot makes the last step of a secret choice, the one that others notice.

        The time must not reveal how many steps there were, nor which of them left a choice, even if each step had to
        wait for other bots. So it is the same for all. If that was not enough, the time doubles until it is.
        """
        begun, wait = max(live.table.times.asked_at[seat], live.opened_at, live.hurried_at), self._secret_time(live)
        while wait and begun + wait < now():
            wait *= 2
        return begun + wait

    def _secret_time(self, live: LiveTable) -> float:
        """Return for how many seconds bots choose in secret, if that is enough."""
        pause = self._pause(live)
        bots = [each.seat for each in live.table.seats if each.bot or each.stand_in]
        thinking = SECRET_TURNS * sum(self._may_think(live, each) for each in bots)
        return pause * max(SECRET_BEATS, math.ceil(thinking / pause)) if pause else 0.0

    def _ready_at(self, live: LiveTable, ready: ChosenStep) -> float:
        """Return when a bot ends a secret choice that it has made: sooner if people ask it to hurry since."""
        if live.table.is_skipping:
            return ready.since
        hurried = live.hurried_at
        return min(ready.at, hurried + self._secret_time(live)) if hurried > ready.since else ready.at

    def _may_think(self, live: LiveTable, seat: int) -> float:
        """Return the seconds that the bot of a seat may think: those of its level, or more if it lately took more."""
        return max(time_of(live.table.seats[seat].bot or usual_level()), *live.thoughts[seat], 0.0)

    async def _stand_in(self, live: LiveTable, seat: int) -> None:
        """Let a bot take over the seat of a player whose time is up."""
        deadline = live.deadline(seat)
        if deadline is None or now() < deadline + GRACE:
            return
        await self.tables.enter(live, seat, STAND_IN, live.table.playing().decision(seat))
        log.info("stand-in", extra={"table": live.id, "seat": seat})


def _needs_steward(live: LiveTable) -> bool:
    return live.table.status == PLAYING or live.table.is_mixing


async def _sleep_until(at: float) -> None:
    """Sleep until a time; look at the clock again at least every LONGEST_SLEEP seconds."""
    while (left := at - now()) > 0:
        await asyncio.sleep(min(left, LONGEST_SLEEP))
