"""A table that this process has in memory: the table as its log tells it, and who is here.

`table.py` has all that follows from the log. All else here follows from no log, and is gone when the server stops.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from typing import NamedTuple

from quintain.engine.play.match import Match
from quintain.engine.play.story import Story
from quintain.engine.seen.seen import Seen
from quintain.server.clock import now
from quintain.server.model.talk import Talk
from quintain.server.people.players import Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.refused import Refused
from quintain.server.tables.foresight import Foresight
from quintain.server.tables.table import CLOCKS, Table

THOUGHTS = 8
"""The last thoughts of a bot from which the server estimates how long the next one may take."""
MOVES_ALONE = 2
"""When everybody has left, bots make this many moves for people before the game is adjourned."""
WAITS = 86400.0
"""Seconds that an adjourned game waits for somebody to come back."""
CONNECTS = 10.0
"""Seconds that browsers have after the server's start to open their sockets again."""
Asked = tuple[Match, int, tuple[str, ...]]
"""The key of the cached questions, which stay valid while none of these changes: the match, the length of the log, and
the names."""


class ChosenStep(NamedTuple):
    """The last step of a bot's secret choice, which it has chosen at `since` and makes `at` a time."""

    decision: int
    action: int
    at: float
    since: float


class LiveTable:
    """A table in memory. Whenever its log is read again, `table` becomes another one: so ask for it each time."""

    def __init__(self, table: Table):
        self.table = table
        self.lock = asyncio.Lock()
        """Held by whoever changes the table, so that changes come one after the other."""
        self.settling: asyncio.Task[object] | None = None
        """The task that writes an entry already applied to the table. Nobody sees the table before it is done."""
        self.is_lost = False
        """Whether an entry could neither be written nor the log be read again: this copy is useless now."""
        self.changed = asyncio.Event()
        """Set when the table changes; the table's steward waits for it and clears it."""
        self.watchers: set[Watcher] = set()
        self.elsewhere: set[str] = set()
        """The ids of the players who have the table open in pages that other processes serve."""
        self.talk, self.talking = Talk(), asyncio.Lock()
        """What people say here, which no log holds; the lock lets readings follow each other: the last one counts."""
        self.story: Story | None = None
        """The story of a game that is over, as soon as `stories.py` has made it."""
        self.foresight = Foresight()
        """The previews of what the seats may do now."""
        self.advising: dict[tuple[int, int], asyncio.Task[None]] = {}
        """The tasks that compute hints, by seat and decision."""
        self.is_compiling = False
        """Whether these hints wait until the search is compiled."""
        self.thoughts: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=THOUGHTS))
        """For each seat, the seconds for which its bot last thought."""
        self.ready: dict[int, ChosenStep] = {}
        """For each seat, the end of its bot's last secret choice. It may belong to a decision that is over."""
        self.hurried: dict[int, float] = {}
        """When each seat asked the bots to hurry until it is asked itself."""
        self.hurrying = asyncio.Event()
        """Set when a seat asks for that; whoever waits for a bot's time clears it."""
        self.opened_at = self.used_at = now()
        """When this copy was read from the log, and when somebody last asked for it."""
        self._questions: tuple[Asked | None, dict[int, str]] = (None, {})
        """The words of the questions to seats, and that for which they were made."""

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.table.id

    @property
    def is_settled(self) -> bool:
        """Whether all entries that the table has applied are on disk."""
        return self.settling is None or self.settling.done()

    async def settled(self) -> None:
        """Wait until all applied entries are on disk or withdrawn; raises Refused if this copy is lost."""
        while self.settling and not self.settling.done():
            await asyncio.wait([self.settling])
        if self.is_lost:
            raise Refused(503, "the server could not save this table: load it again")

    def replace(self, again: Table) -> None:
        """Put the table that was read again from its log in the place of this one; no player has less time for it."""
        again.know({**self.table.persons, **again.persons})
        again.times.keep_latest(self.table.times)
        self.table = again

    def deadline(self, seat: int) -> float | None:
        """Return when the time of a seat is up; None for a seat that has no clock or is not to act now.

        After a restart no player's time is up before the table is opened; a bot plays on GRACE seconds later.
        """
        table = self.table
        clock, holder = CLOCKS[table.row.clock], table.seats[seat]
        if clock is None or table.match is None or holder.bot or holder.stand_in or seat not in table.match.to_act:
            return None
        return max(table.times.timed_from[seat] + clock, self.opened_at)

    @property
    def ends_at(self) -> float | None:
        """When an adjourned game ends, unless somebody comes back; None for a game that goes on."""
        adjourned = self.table.adjourned_at
        return None if adjourned is None else max(adjourned + WAITS, self.opened_at)

    @property
    def is_deserted(self) -> bool:
        """Whether bots alone would play on: for all people still in the game, none of whom has the table open.

        They have made MOVES_ALONE moves like this already. After the server's start browsers have time to connect.
        """
        table = self.table
        if table.match is None or table.is_skipping or table.moves_alone < MOVES_ALONE:
            return False
        people = [seat for seat in table.seats if seat.player]
        if any(self.is_watched_by(seat.player) for seat in people) or now() < self.opened_at + CONNECTS:
            return False
        out = table.match.view(None).out
        still = [seat for seat in people if seat.seat not in out and not table.match.has_resigned(seat.seat)]
        return bool(still) and all(seat.stand_in for seat in still)

    @property
    def is_hurried(self) -> bool:
        """Whether bots need not pause: all people who are here and still in the game wait for their next question."""
        table = self.table
        match, out = table.playing(), table.playing().view(None).out
        here = [seat.seat for seat in table.seats if seat.player and self.is_watched_by(seat.player)]
        waiting = [seat for seat in here if seat not in out and not match.has_resigned(seat)]
        return all(
            seat not in match.to_act and self.hurried.get(seat, 0.0) > table.times.asked_at[seat] for seat in waiting
        ) and bool(self.hurried)

    @property
    def hurried_at(self) -> float:
        """When the last of these people asked the bots to hurry; 0.0 if somebody still follows the game."""
        return max(self.hurried.values()) if self.is_hurried else 0.0

    @property
    def is_among_bots(self) -> bool:
        """Whether only bots have part in what is going on, such as a battle."""
        scene, holders = self.table.playing().view(None).scene, self.table.seats
        seats = [side.seat for side in scene.sides if side.seat is not None] if scene else []
        return bool(seats) and all(holders[seat].bot or holders[seat].stand_in for seat in seats)

    def question(self, seat: int) -> str:
        """Return the words of the question to a seat that is to act: the same until the log or a name changes."""
        match = self.table.playing()
        asked = match, self.table.seq, match.names
        if self._questions[0] != asked:
            self._questions = asked, {}
        words = self._questions[1]
        if seat not in words:
            question = match.view(seat).question
            words[seat] = question.words if question else "Your move"
        return words[seat]

    def is_watched_by(self, player: str | None) -> bool:
        """Tell whether a player has the table open."""
        return player in self.elsewhere or any(watcher.player == player for watcher in self.watchers)


class Viewing(NamedTuple):
    """A visitor who looks at a table, and what they may see there.

    `you` is their seat, None for a spectator. `seen` is what they see of the match, None before it has begun. `is_now`
    is False if that is an earlier moment, at which nothing can be done.
    """

    live: LiveTable
    visitor: Visitor
    you: int | None
    seen: Seen | None
    is_now: bool = True

    @classmethod
    def of(cls, live: LiveTable, visitor: Visitor, earlier: Seen | None = None) -> Viewing:
        """Return how a visitor sees a table now, or saw it at an earlier moment."""
        table = live.table
        you = table.seat_of(visitor.id)
        seen = earlier or (table.match.seen(you) if table.match else None)
        return cls(live, visitor, you, seen, earlier is None)

    @property
    def table(self) -> Table:
        """The table as its log tells it."""
        return self.live.table
