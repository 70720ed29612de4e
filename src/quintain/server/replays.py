"""Finished games, to be stepped through: each is played again once, in slices, and kept as the states of its steps."""

from __future__ import annotations

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

from quintain.engine.documents import Entry
from quintain.engine.game import seats_in
from quintain.engine.match import Match
from quintain.engine.seen import Seen
from quintain.server.slices import Slices
from quintain.server.table import Table

MOST_BYTES = 32 * 2**20
"""What the replays that are kept may take; the one that was looked at first goes first."""
STEP_BYTES, LINE_BYTES = 500, 60
"""What a step and a line of a log take besides their contents, about."""


class ReplayStep(NamedTuple):
    """An entry, the whole state after it, packed, and how long the log of each viewer was then."""

    entry: Entry | None
    state: bytes
    told: dict[int | None, int]


class Moment(NamedTuple):
    """A step as one viewer sees it; `before` is how many lines the log had one step earlier."""

    entry: Entry | None
    seen: Seen
    before: int


class Replay:
    """A finished game, step by step: the deal, and the state after each entry. A spectator sees all that is hidden."""

    def __init__(self, match: Match):
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
            told = {viewer: len(log) for viewer, log in self._logs.items()}
            state = zlib.compress(again.blinded(None).pack(), 1)
            self._steps.append(ReplayStep(entry, state, told))
            self.size += len(state) + STEP_BYTES
            yield
        self.size += sum(len(line) + LINE_BYTES for log in self._logs.values() for line in log)

    def at(self, number: int, seat: int | None) -> Moment:
        """Return what a seat (None: a spectator) saw after a step."""
        step = self._steps[number]
        state = self.game.state.unpack(zlib.decompress(step.state))
        known = state if seat is None else self.game.blinded(self.book, state, seat)
        acting, log = tuple(seats_in(self.game.rules.to_act(self.book, known))), self._logs[seat]
        lines = tuple(log[: step.told[seat]])
        seen = Seen(self.game, self.book, known, seat, (), acting, names=self.names, log=lines)
        return Moment(step.entry, seen, self._steps[number - 1].told[seat] if number else 0)


class Replays:
    """The replays that are kept. Whoever asks for one while it is played again waits for the same."""

    def __init__(self) -> None:
        self.pages = Slices()
        """The pages of replays are made in turn, however many are asked for at once."""
        self._slices = Slices()
        self._playing: dict[str, asyncio.Task[Replay]] = {}
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._size = 0

    async def of(self, table: Table, match: Match) -> Replay:
        """Return the replay of a finished game."""
        if table.id in self._kept:
            self._kept.move_to_end(table.id)
            return self._kept[table.id]
        if table.id not in self._playing:
            self._playing[table.id] = asyncio.create_task(self._play(table.id, match))
            self._playing[table.id].add_done_callback(lambda _: self._playing.pop(table.id))
        return await asyncio.shield(self._playing[table.id])

    async def _play(self, id_: str, match: Match) -> Replay:
        replay = Replay(match)
        await self._slices.do(replay.play(match))
        self._kept[id_] = replay
        self._size += replay.size
        while self._size > MOST_BYTES and len(self._kept) > 1:
            self._size -= self._kept.popitem(last=False)[1].size
        return replay
