"""Replays of finished games: each game is played again once, and the state after every entry is kept for the pages.

`slices.py` cuts the work into short pieces, so that others do not wait. `old_games.py` shows one step of a replay.
"""

from __future__ import annotations

import asyncio
import zlib
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.engine.rules.game import seats_in
from quintain.engine.seen.seen import Seen
from quintain.server.slices import Slices
from quintain.server.tables.table import Table

MOST_BYTES = 32 * 2**20
"""Bytes for all replays together. When they need more, the one that nobody has looked at for longest goes."""
STEP_BYTES, LINE_BYTES = 500, 60
"""About how many bytes a step and a line of a log need besides their contents."""


Heading = tuple[str, Mapping[int | None, int]]
"""The words of a round, and how many lines the log of each viewer had when it began."""


class ReplayStep(NamedTuple):
    """An entry, the packed state after it, and how many lines each viewer's log had then."""

    entry: Entry | None
    state: bytes
    log_lengths: dict[int | None, int]


class Moment(NamedTuple):
    """A step as one viewer sees it; `before` counts the lines of their log one step earlier.

    `round` is the round in words; empty while the game is being set up.
    """

    entry: Entry | None
    seen: Seen
    before: int
    round: str


class LogLine(NamedTuple):
    """A line of a viewer's log: the step that added it, its words, and the heading above it, which may be empty."""

    step: int
    words: str
    heading: str


class Replay:
    """A finished game, step by step: the deal, then the state after each entry. A spectator sees everything.

    `headings` are the rounds as the table has noted them. `rounds` lists them by the steps with which they begin.
    """

    def __init__(self, match: Match, headings: Sequence[Heading] = ()):
        self.rounds: list[tuple[int, str]] = []
        self._headings = headings
        self.game, self.names, self.book = match.game, match.names, match.book
        self.size = 0
        self._steps: list[ReplayStep] = []
        self._logs: dict[int | None, list[str]] = {}

    @property
    def last(self) -> int:
        """The number of the last step; the deal is step 0."""
        return len(self._steps) - 1

    def play(self, match: Match) -> Iterator[None]:
        """Play the match again, one step at a time."""
        viewers: tuple[int | None, ...] = (None, *range(match.seats))
        for entry, again in match.steps():
            self._logs = {viewer: again.log(viewer) for viewer in viewers}
            lengths = {viewer: len(log) for viewer, log in self._logs.items()}
            state = zlib.compress(again.blinded(None).pack(), 1)
            self._steps.append(ReplayStep(entry, state, lengths))
            self.size += len(state) + STEP_BYTES
            yield
        self.size += sum(len(line) + LINE_BYTES for log in self._logs.values() for line in log)
        self.rounds = [(self._step_with(lengths), words) for words, lengths in self._headings]

    def _step_with(self, lengths: Mapping[int | None, int]) -> int:
        """Return the first step at which the logs of all seats have these lengths."""

        def has_them(step: ReplayStep) -> bool:
            return all(step.log_lengths[seat] >= lengths[seat] for seat in lengths if seat is not None)

        return min(bisect_left(self._steps, True, key=has_them), self.last)

    def lines(self, seat: int | None) -> list[LogLine]:
        """Return all lines of the log of a seat (None: a spectator), each with the step that added it."""
        lines, headings, heading = self._logs[seat], dict(self.rounds), ""
        found: list[LogLine] = []
        for number, step in enumerate(self._steps):
            for words in lines[len(found) : step.log_lengths[seat]]:
                found.append(LogLine(number, words, heading))
                heading = ""
            heading = headings.get(number, heading)
        return found

    def at(self, number: int, seat: int | None) -> Moment:
        """Return what a seat (None: a spectator) saw after a step."""
        step = self._steps[number]
        state = self.game.state.unpack(zlib.decompress(step.state))
        known = state if seat is None else self.game.blinded(self.book, state, seat)
        acting, log = tuple(seats_in(self.game.rules.to_act(self.book, known))), self._logs[seat]
        lines = tuple(log[: step.log_lengths[seat]])
        seen = Seen(self.game, self.book, known, seat, (), acting, names=self.names, log=lines)
        before = self._steps[number - 1].log_lengths[seat] if number else 0
        begun = [words for first, words in self.rounds if first <= number]
        return Moment(step.entry, seen, before, begun[-1] if begun else "")


class Replays:
    """The replays in memory. All who ask for a replay that is being made wait for the same one."""

    def __init__(self) -> None:
        self.pages = Slices()
        """Makes the pages of replays one at a time, so that a flood of requests does not block others."""
        self._slices = Slices()
        self._playing: dict[str, asyncio.Task[Replay]] = {}
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._size = 0

    async def of(self, table: Table, match: Match) -> Replay:
        """Return the replay of a finished game, with the names that its players have now."""
        key = table.id
        if key in self._kept and self._kept[key].names != match.names:
            self._size -= self._kept.pop(key).size
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._playing:
            self._playing[key] = asyncio.create_task(self._play(key, Replay(match, table.headings), match))
            self._playing[key].add_done_callback(lambda _: self._playing.pop(key))
        return await asyncio.shield(self._playing[key])

    async def _play(self, id_: str, replay: Replay, match: Match) -> Replay:
        await self._slices.do(replay.play(match))
        self._kept[id_] = replay
        self._size += replay.size
        while self._size > MOST_BYTES and len(self._kept) > 1:
            self._size -= self._kept.popitem(last=False)[1].size
        return replay
