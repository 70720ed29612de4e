"""Judges finished games in the background, in two passes: a first picture, then a finer one of the whole game.

The workers of the bots do it when no bot needs them, in jobs of a fraction of a second; players take turns there. What
is judged is kept every moment, so a judging that is cut off goes on later from where it was.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from quintain.engine.play.match import Match
from quintain.engine.seen.seen import Seen
from quintain.lab.analysis import (
    BETTER_TRIES,
    FIRST_TRIES,
    TRIES,
    Analysis,
    ExpectedMove,
    JudgedStep,
    LuckAndSkill,
    Position,
    begun,
    expected_line,
    judging,
    positions,
)
from quintain.server.aside import aside
from quintain.server.clock import now
from quintain.server.model.analyses import KeptAnalysis, Progress
from quintain.server.model.entries import OVER
from quintain.server.refused import Refused
from quintain.server.study.background import Background, Claiming
from quintain.server.tables.table import Table
from quintain.server.tables.thinking import PatientThinkers
from quintain.server.turns import Asker

DAY = 86400.0
A_DAY = 20
"""The most games that one player may have judged in a day."""
KEPT_EVERY = 1.0
"""Seconds between two times that a judging writes what it has found."""
MOST_LINES = 256
"""The lines of expected moves that are kept."""
LOOKS = 2.0
"""Seconds between two looks whether the search of a game is compiled."""


def finished(table: Table) -> Match:
    """Return the match of a game that can be judged; raises Refused if it goes on, or its rules are gone."""
    if table.status != OVER:
        raise Refused(409, "a game is judged after its end")
    if table.match is None or table.match.outcome is None:
        raise Refused(409, "today's rules cannot play this game again, so nobody can judge it")
    return table.match


def check_access(table: Table, player: str) -> None:
    """Raise Refused unless a player may see the judgement of a game: a private one is for its players alone."""
    if table.row.private and table.seat_of(player) is None:
        names = [seat.name for seat in table.seats if seat.name and not seat.bot]
        who = " and ".join(names) if names else "its players"
        raise Refused(403, f"{who} {'keeps' if len(names) == 1 else 'keep'} this game to themselves")


def passes(tries: int) -> tuple[int, int]:
    """Return the tries for each move of the two passes of an analysis."""
    return (FIRST_TRIES if tries <= TRIES else TRIES), tries


def shown(match: Match, kept: KeptAnalysis | None) -> Analysis:
    """Return the analysis of a match as far as it is kept."""
    if kept is None:
        return begun(match, TRIES)
    return structs.replace(begun(match, kept.tries), steps=kept.steps)


class Pace:
    """How fast a judging goes on: it counts tries of each candidate."""

    def __init__(self, tries: tuple[int, int], total: int, done: int):
        self.tries, self.total, self.done = tries, total, done
        self._begun, self._before = time.monotonic(), self._tried()

    def left(self) -> float | None:
        """Return about how many seconds are left; None as long as nobody can tell."""
        passed, tried = time.monotonic() - self._begun, self._tried() - self._before
        return (self.total * sum(self.tries) - self._tried()) * passed / tried if tried else None

    def _tried(self) -> int:
        first = min(self.done, self.total)
        return first * self.tries[0] + (self.done - first) * self.tries[1]


def whole_line(seen: Seen, action: int) -> list[ExpectedMove]:
    """Return the line that the adviser expects after an action."""
    return list(expected_line(seen, action))


class AnalysisStore(Protocol):
    """What keeps analyses: a database, or a browser."""

    @property
    def claims(self) -> Claiming:
        """The claims on the judging of games."""

    async def find(self, table: str) -> KeptAnalysis | None:
        """Return the analysis of a game; None if nobody asked for it."""

    async def progress(self, table: str) -> Progress | None:
        """Return how far the analysis of a game is; None if nobody asked for it."""

    async def asked_since(self, number: int, since: float) -> list[float]:
        """Return when a player asked for each analysis since a time, the oldest first."""

    async def ask(self, table: str, by: int, tries: int) -> bool:
        """Note that a player asks for the analysis of a game; False if there is one already."""

    async def ask_better(self, table: str, by: int, tries: int, total: int) -> bool:
        """Note that a player asks for a better analysis of a game; False if the one that there is goes on."""

    async def keep(self, table: str, done: int, steps: Sequence[JudgedStep]) -> bool:
        """Write how far an analysis is, and claim it again; False if somebody stopped it."""

    async def keep_seats(self, table: str, found: Sequence[LuckAndSkill]) -> None:
        """Write what decisions and cards did for each seat of a game that is judged to its end."""


class Judges:
    """Judges games, each in a task of its own. If it `is_bounded`, a player may have so many judged in a day."""

    def __init__(self, analyses: AnalysisStore, workers: PatientThinkers, *, is_bounded: bool = True):
        self.analyses, self.workers, self.is_bounded = analyses, workers, is_bounded
        self._background = Background(analyses.claims, "a judging", "the adviser failed")
        self._asking = asyncio.Lock()
        """Held by whoever asks for an analysis, so that the bound of a day holds."""
        self._paces: dict[str, Pace] = {}
        self._lines: OrderedDict[tuple[str, int, int], Sequence[ExpectedMove]] = OrderedDict()

    async def begin(self, table: Table, by: int, *, better: bool = False) -> None:
        """Judge a game, or go on where its judging stopped; with `better` once more, with ten times the tries.

        Raises Refused if the game is not over, or if the player has had many games judged today.
        """
        async with self._asking:
            await self._begin(table, by, better)

    async def _begin(self, table: Table, by: int, better: bool) -> None:
        match, kept = finished(table), await self.analyses.find(table.id)
        total = begun(match).total
        is_whole = kept is not None and kept.done >= 2 * total
        wants_better = kept is not None and better and is_whole and kept.tries < BETTER_TRIES
        if kept is None or wants_better:
            if (free_at := await self.free_at(by)) is not None:
                hours = max(1, round((free_at - now()) / 3600))
                raise Refused(429, f"{A_DAY} games a day are judged for you: the next may be in {hours} h")
            if wants_better:
                await self.analyses.ask_better(table.id, by, BETTER_TRIES, total)
            else:
                await self.analyses.ask(table.id, by, TRIES)
        elif is_whole:
            return
        await self.go_on(table, by)

    async def free_at(self, by: int) -> float | None:
        """Return when a player may ask for one more game; None if they may now."""
        if not self.is_bounded:
            return None
        asked = await self.analyses.asked_since(by, now() - DAY)
        return asked[-A_DAY] + DAY if len(asked) >= A_DAY else None

    async def go_on(self, table: Table, by: int) -> None:
        """Go on with the judging of a game, unless this or another process does so already."""
        match = finished(table)
        await self._background.begin(table.id, lambda: self._judge(table.id, match, by))

    async def resumed(self, table: Table) -> KeptAnalysis | None:
        """Return the analysis of a game; if the end of a process cut it off, it goes on."""
        kept = await self.analyses.find(table.id)
        if kept is None or kept.is_working or kept.is_stopped or kept.problem:
            return kept
        if kept.done < 2 * begun(finished(table)).total:
            await self.go_on(table, kept.by)
            return kept._replace(is_working=True)
        return kept

    def seconds_left(self, table: str) -> float | None:
        """Return about how long the judging of a game still takes; None if this process does not know."""
        return self._paces[table].left() if table in self._paces else None

    async def line(self, table: str, seen: Seen, number: int, action: int) -> Sequence[ExpectedMove]:
        """Return the line that the adviser expects after an action in a position of a game."""
        key = (table, number, action)
        if key not in self._lines:
            asker = Asker(table, table)
            bare = replace(seen, log=())
            self._lines[key] = await self.workers.think(asker, "analysis", whole_line, bare, action)
            if len(self._lines) > MOST_LINES:
                self._lines.popitem(last=False)
        return self._lines[key]

    async def stop(self, table: str) -> None:
        """Stop the judging of a game, in whichever process it is."""
        await self._background.stop(table)

    async def close(self) -> None:
        """Stop all judging here; it can go on in another process, or later."""
        await self._background.close()

    async def _judge(self, table: str, match: Match, by: int) -> str:
        """Judge a game from where it is."""
        try:
            kept = await self.analyses.find(table)
            assert kept
            await self._ready(Asker(str(by), table), match.game.id)
            await self._go_through(match, kept, by)
            return ""
        finally:
            self._paces.pop(table, None)

    async def _ready(self, asker: Asker, game_id: str) -> None:
        """Wait until the search of a game is compiled."""
        while not await self.workers.is_ready(asker, game_id):
            await asyncio.sleep(LOOKS)

    async def _go_through(self, match: Match, kept: KeptAnalysis, by: int) -> None:
        """Judge all positions that are left, pass by pass; end early if somebody stops it."""
        total, done, steps = begun(match).total, kept.done, list(kept.steps)
        kept_at, asker = time.monotonic(), Asker(str(by), kept.table)
        pace = self._paces[kept.table] = Pace(passes(kept.tries), total, done)
        for number, tries in enumerate(passes(kept.tries)):
            left: Iterator[Position] = positions(match)
            for place in range(total):
                position = await aside(next, left)
                if number * total + place < done:
                    continue
                step = await self._judged(asker, position, tries)
                steps[place : place + 1] = [step]
                done += 1
                pace.done = done
                if time.monotonic() - kept_at > KEPT_EVERY:
                    if not await self.analyses.keep(kept.table, done, steps):
                        return
                    kept_at = time.monotonic()
        if await self.analyses.keep(kept.table, done, steps):
            whole = structs.replace(begun(match, kept.tries), steps=tuple(steps))
            await self.analyses.keep_seats(kept.table, whole.luck_and_skill())

    async def _judged(self, asker: Asker, position: Position, tries: int) -> JudgedStep:
        """Judge a position, job by job."""
        work = judging(position, tries)
        try:
            job = next(work)
            while True:
                job = work.send(await self.workers.think(asker, "analysis", job.do, *job.given))
        except StopIteration as end:
            step: JudgedStep = end.value
            return step
