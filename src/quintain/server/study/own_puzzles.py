"""Doubts about the puzzles that come with games, and puzzles that players make of decisions in their own games.

`PuzzleStudy` is the one way from the handlers to all puzzles and to what is kept of them: in the database of a server,
or in the store of a browser.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.lab.candidates import Candidate
from quintain.server.clock import now
from quintain.server.model.entries import OVER
from quintain.server.model.puzzle_answers import PrivatePuzzle, PuzzleKey
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.study.puzzle_days import begin_of, day_at, in_hours, until_tomorrow
from quintain.server.study.puzzle_judging import PuzzleJudging, holds
from quintain.server.study.puzzles_here import OWN, Task, runs_again
from quintain.server.study.solving import Attempt, KeptAnswers, LearnedBy, PuzzleSolving, check_answer, check_hint
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import Table
from quintain.server.turns import Asker

THOUGHTS_A_DAY = 20
"""How often a player may make the search judge something in one day: doubts and puzzles of their own."""
SEEN_KEPT = 64
"""The decisions of finished games that stay in memory: replaying a game takes up to seconds."""


class KeptPuzzles(Protocol):
    """What keeps the puzzles that players make: a database, or a browser."""

    async def of_player(self, number: int) -> Sequence[PrivatePuzzle]:
        """Return the puzzles of a player, the newest first."""

    async def find(self, number: int, id_: str) -> PrivatePuzzle | None:
        """Return a puzzle of a player; None if it is none of theirs."""

    async def add(self, number: int, table: str, entry: int, game: str) -> str:
        """Keep a new puzzle of a player, and return its id; when there are too many, the oldest goes."""

    async def judged(self, id_: str, candidates: Sequence[Candidate]) -> None:
        """Write how the moves of a puzzle were judged."""

    async def hint(self, id_: str) -> None:
        """Note that the player asked for a hint."""

    async def answer(self, id_: str, action: int) -> bool:
        """Write the player's first answer; False if there is one already."""


class PuzzleStudy(PuzzleSolving):
    """All puzzles that people here can solve, and what they do with them."""

    def __init__(
        self, tables: Tables, answers: KeptAnswers, own: KeptPuzzles, learned: LearnedBy, judging: PuzzleJudging
    ):
        super().__init__(tables, answers, learned)
        self.own, self.judging = own, judging
        self._slices, self._asking = Slices(), asyncio.Lock()
        self._seen: OrderedDict[tuple[str, int], Seen] = OrderedDict()

    async def place(self, number: int | None, game_id: str, id_: str) -> Attempt:
        """Return a puzzle in front of a player; raises Refused for one that is not there, or somebody else's."""
        if game_id == OWN:
            own = await self.own.find(number, id_) if number is not None else None
            if own is None:
                raise Refused(404, "you have no such puzzle of your own")
            return Attempt(await self._own_task(own), own.hinted, own.action, own)
        return await super().place(number, game_id, id_)

    async def hint(self, number: int, place: Attempt) -> None:
        """Take two wrong moves away."""
        if not place.own:
            return await super().hint(number, place)
        check_hint(place)
        return await self.own.hint(place.own.id)

    async def answer(self, number: int, place: Attempt, action: int) -> bool:
        """Answer a puzzle; return whether this was the first try. Raises Refused for a move that is not there."""
        if not place.own:
            return await super().answer(number, place, action)
        check_answer(place, action)
        return place.action is None and await self.own.answer(place.own.id, action)

    async def own_of(self, number: int) -> Sequence[PrivatePuzzle]:
        """Return the puzzles that a player made of their own games, the newest first."""
        return await self.own.of_player(number)

    def progress(self, name: str) -> tuple[int, int] | None:
        """Return how many jobs of judging a puzzle are done, of how many; None if it is not being judged."""
        return self.judging.progress(name)

    async def doubt(self, number: int, player: str, place: Attempt) -> None:
        """Have a puzzle judged again, with ten times the tries."""
        if place.own or place.action is None:
            raise Refused(409, "answer a puzzle first, before you doubt it")
        async with self._asking:
            await self._check_thoughts(number)
            is_new = await self.kept.doubt(number, place.task.key)
        if not is_new:
            raise Refused(409, "somebody has doubted this puzzle before: it was judged again, or soon will be")
        self.judge_again(place.task, player)

    def judge_again(self, task: Task, player: str) -> None:
        """Judge a doubted puzzle again, unless that goes on."""

        async def keep(found: Sequence[Candidate]) -> None:
            await self.kept.judged_again(task.key, found, holds(task.right, found))

        self.judging.begin("/".join(task.key), Asker(player, "puzzles"), task.seen, runs_again(task.best.tries), keep)

    async def make_own(self, number: int | None, player: str, table: Table, entry: int) -> str:
        """Make a puzzle of a player's own from the decision before an entry of their finished game; return its id."""
        seat = table.seat_of(player)
        if number is None or seat is None:
            raise Refused(403, "you can make puzzles of games only in which you have played")
        seen = await self._decision(table, seat, entry)
        async with self._asking:
            for each in await self.own.of_player(number):
                if (each.table, each.entry) == (table.id, entry):
                    return each.id
            await self._check_thoughts(number)
            id_ = await self.own.add(number, table.id, entry, seen.game.id)
        self._judge_own(id_, player, seen)
        return id_

    def _judge_own(self, id_: str, player: str, seen: Seen) -> None:
        async def keep(found: Sequence[Candidate]) -> None:
            await self.own.judged(id_, found)

        self.judging.begin(id_, Asker(player, "puzzles"), seen, 1, keep)

    async def go_on(self, place: Attempt, player: str) -> None:
        """Go on judging what a process that has stopped did not finish."""
        if place.own and place.is_working:
            self._judge_own(place.own.id, player, place.task.seen)
        elif not place.own:
            facts = (await self.kept.facts([place.task.key])).get(place.task.key)
            if facts and facts.doubted and not facts.judged:
                self.judge_again(place.task, player)

    async def _check_thoughts(self, number: int) -> None:
        """Raise Refused if a player has made the search judge enough for today."""
        at = now()
        if await self.kept.thoughts(number, begin_of(day_at(at))) >= THOUGHTS_A_DAY:
            words = f"the adviser has judged {THOUGHTS_A_DAY} positions for you today"
            raise Refused(429, f"{words}: it has time for you again in {in_hours(until_tomorrow(at))}")

    async def _own_task(self, own: PrivatePuzzle) -> Task:
        table = (await self.tables.get(own.table)).table
        seen = await self._decision(table, None, own.entry)
        key = PuzzleKey(OWN, own.id)
        return Task(key, game(own.game), seen, own.judged, table=own.table, step=own.entry - 1)

    async def _decision(self, table: Table, seat: int | None, entry: int) -> Seen:
        """Return what a seat saw before an entry of a finished game; without a seat, the one that made the entry.

        Raises Refused if there is no such decision, or if it was another seat's.
        """
        match = table.playing()
        if table.status != OVER or match.outcome is None:
            raise Refused(409, "a puzzle comes from a game that is over")
        made = match.moves_made
        if not 1 <= entry <= len(made) or made[entry - 1].kind != "move":
            raise Refused(404, f"there is no move with the number {entry} in this game")
        if made[entry - 1].auto:
            raise Refused(409, "chance made this move, since its player had resigned")
        mover = made[entry - 1].seat
        if seat is None:
            seat = mover
        if seat != mover:
            raise Refused(403, "you can make puzzles of your own decisions only")
        if (table.id, entry) not in self._seen:
            found: list[Seen] = []

            def steps() -> Iterator[None]:
                for number, (_, again) in enumerate(match.steps()):
                    if number == entry - 1:
                        found.append(again.seen(mover))
                        return
                    yield

            await self._slices.do(steps())
            self._seen[table.id, entry] = replace(found[0], commitment="", can_undo=False, can_resign=False)
            if len(self._seen) > SEEN_KEPT:
                self._seen.popitem(last=False)
        if len(self._seen[table.id, entry].legal) < 2:
            raise Refused(409, "there was only one move here, so there is nothing to find")
        return self._seen[table.id, entry]
