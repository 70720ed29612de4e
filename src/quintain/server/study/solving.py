"""What people do with puzzles: answer, ask for a hint, doubt, and make puzzles of their own decisions.

`PuzzleStudy` is the one way from the handlers to the puzzles and to what the database knows of them.
"""

from __future__ import annotations

import asyncio
import datetime
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.lab.candidates import Candidate
from quintain.server.beside.workers import Workers
from quintain.server.clock import now
from quintain.server.model.entries import OVER
from quintain.server.model.levels import usual_level
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.store.store import Store
from quintain.server.store.study.private_puzzles import PrivatePuzzle, PrivatePuzzles
from quintain.server.store.study.solved_puzzles import Answered, FirstTry, PuzzleKey, SolvedPuzzles
from quintain.server.study.puzzle_days import Streak, begin_of, day_at, in_hours, streak_of, until_tomorrow
from quintain.server.study.puzzle_judging import PuzzleJudging, holds, runs_again
from quintain.server.study.puzzles_here import OWN, Task, find_task, task_of_day
from quintain.server.tables import playing_on
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import Table
from quintain.server.turns import Asker

THOUGHTS_A_DAY = 20
"""How often a player may make the search judge something in one day: doubts and puzzles of their own."""
SEEN_KEPT = 64
"""The decisions of finished games that stay in memory: replaying a game takes up to seconds."""
Answers = Mapping[PuzzleKey, Answered]


class Attempt(NamedTuple):
    """A puzzle in front of a player: whether they asked for a hint, and what they answered, if they did.

    `own` is the row of one of their own; `is_again` says that they try it once more.
    """

    task: Task
    hinted: bool
    action: int | None
    own: PrivatePuzzle | None = None
    is_again: bool = False

    def opened_again(self) -> Attempt:
        """Return a puzzle that was answered as one that is open; whoever answers it once more gets no points."""
        return self._replace(action=None, hinted=False, is_again=True)

    @property
    def is_working(self) -> bool:
        """Whether its moves are still to be judged."""
        return not self.task.candidates


class PuzzleStudy:
    """The puzzles of a server, and what its players do with them."""

    def __init__(self, store: Store, tables: Tables, workers: Workers):
        self.tables = tables
        self.solved, self.own = SolvedPuzzles(store), PrivatePuzzles(store)
        self.judging = PuzzleJudging(workers)
        self._slices, self._asking = Slices(), asyncio.Lock()
        self._seen: OrderedDict[tuple[str, int], Seen] = OrderedDict()

    async def place(self, number: int | None, game_id: str, id_: str) -> Attempt:
        """Return a puzzle in front of a player; raises Refused for one that is not there, or somebody else's."""
        if game_id == OWN:
            own = await self.own.find(number, id_) if number is not None else None
            if own is None:
                raise Refused(404, "you have no such puzzle of your own")
            return Attempt(await self._own_task(own), own.hinted, own.action, own)
        task = find_task(game_id, id_)
        known = (await self.solved.answers(number)).get(task.key) if number is not None else None
        return Attempt(task, bool(known and known.hinted), known.action if known else None)

    async def hint(self, number: int, place: Attempt) -> None:
        """Take two wrong moves away."""
        _check_open(place)
        if not place.task.taken:
            raise Refused(409, "there is nothing to take away here")
        await (self.own.hint(place.own.id) if place.own else self.solved.hint(number, place.task.key))

    async def answer(self, number: int, place: Attempt, action: int) -> bool:
        """Answer a puzzle; return whether this was the first try. Raises Refused for a move that is not there."""
        task = place.task
        if place.is_working:
            raise Refused(409, "the moves of this puzzle are still being judged")
        if action not in task.seen_with(place.hinted).legal:
            words = "the hint has taken this move away" if action in task.seen.legal else "there is no such move here"
            raise Refused(422, f"{words}: choose another one")
        if place.action is not None:
            return False
        if place.own:
            return await self.own.answer(place.own.id, action)
        facts = (await self.solved.facts([task.key])).get(task.key)
        if facts and facts.withdrawn:
            raise Refused(409, "this puzzle is taken back: its best move is not certain")
        today = day_at(now())
        of_today = task_of_day(today, ())
        day = today.isoformat() if of_today and of_today.key == task.key else None
        return await self.solved.answer(number, FirstTry(task.key, action, task.is_right(action), day, True))

    async def doubt(self, number: int, player: str, place: Attempt) -> None:
        """Have a puzzle judged again, with ten times the tries."""
        if place.own or place.action is None:
            raise Refused(409, "answer a puzzle first, before you doubt it")
        async with self._asking:
            await self._check_thoughts(number)
            is_new = await self.solved.doubt(number, place.task.key)
        if not is_new:
            raise Refused(409, "somebody has doubted this puzzle before: it was judged again, or soon will be")
        self.judge_again(place.task, player)

    def judge_again(self, task: Task, player: str) -> None:
        """Judge a doubted puzzle again, unless that goes on."""

        async def keep(found: Sequence[Candidate]) -> None:
            await self.solved.judged_again(task.key, found, holds(task.right, found))

        self.judging.begin("/".join(task.key), Asker(player, "puzzles"), task.seen, runs_again(task.best.tries), keep)

    async def play_on(self, place: Attempt, player: str) -> LiveTable:
        """Make a table at which a player plays on from a puzzle, with its question still open.

        Raises Refused before the answer, which the bots' moves could give away.
        """
        task, level = place.task, usual_level()
        if place.action is None or task.seen.seat is None:
            raise Refused(409, "answer this puzzle first, before you play on from it")
        if not place.own:
            return await playing_on.play_on_from_puzzle(self.tables, task.seen, task.options, level, player)
        source = (await self.tables.get(task.table)).table
        entries = playing_on.beginning(source.playing(), task.step)
        return await playing_on.play_on(self.tables, source, entries, task.seen.seat, level, player)

    async def make_own(self, number: int, player: str, table: Table, entry: int) -> str:
        """Make a puzzle of a player's own from the decision before an entry of their finished game; return its id."""
        seen = await self._decision(table, table.seat_of(player), entry)
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
        """Go on judging what a server that has stopped did not finish."""
        if place.own and place.is_working:
            self._judge_own(place.own.id, player, place.task.seen)
        elif not place.own:
            facts = (await self.solved.facts([place.task.key])).get(place.task.key)
            if facts and facts.doubted and not facts.judged:
                self.judge_again(place.task, player)

    async def _check_thoughts(self, number: int) -> None:
        """Raise Refused if a player has made the search judge enough for today."""
        at = now()
        if await self.solved.thoughts(number, begin_of(day_at(at))) >= THOUGHTS_A_DAY:
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

    async def streak(self, answers: Answers) -> Streak:
        """Return the streak of a player who answered so."""
        withdrawn, today = await self.solved.withdrawn(), day_at(now())
        solved = solved_days(answers, withdrawn, today)
        return streak_of(solved, today, lambda day: task_of_day(day, withdrawn) is not None)


def solved_days(answers: Answers, withdrawn: frozenset[PuzzleKey], today: datetime.date) -> dict[datetime.date, bool]:
    """Return the days whose puzzle a player answered, each with whether they were right.

    Whoever has met the puzzle of today before, among the older ones, has answered it. One that was taken back counts
    for no day.
    """
    counted = [each for each in answers.values() if each.solved is not None and each.key not in withdrawn]
    found = {datetime.date.fromisoformat(each.day): bool(each.solved) for each in counted if each.day}
    if today not in found and (task := task_of_day(today, withdrawn)) and (known := answers.get(task.key)):
        found |= {} if known.solved is None else {today: known.solved}
    return found


def _check_open(place: Attempt) -> None:
    if place.is_working:
        raise Refused(409, "the moves of this puzzle are still being judged")
    if place.action is not None:
        raise Refused(409, "you have answered this puzzle")
