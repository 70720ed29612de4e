"""What people do with the puzzles that come with games: answer them, ask for a hint, and play on.

What people answered is kept in the database of a server, or in the store of a browser. `own_puzzles.py` adds doubts,
and the puzzles that people make of their own games.
"""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from quintain.lab.candidates import Candidate
from quintain.server.clock import now
from quintain.server.model.levels import usual_level
from quintain.server.model.listed import Learned
from quintain.server.model.puzzle_answers import (
    Answered,
    FirstTry,
    PrivatePuzzle,
    PuzzleFacts,
    PuzzleKey,
    SolverFacts,
)
from quintain.server.refused import Refused
from quintain.server.study.puzzle_days import Streak, day_at, streak_of
from quintain.server.study.puzzles_here import Task, find_task, task_of_day
from quintain.server.tables import playing_on
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables

Answers = Mapping[PuzzleKey, Answered]
LearnedBy = Callable[[str], Awaitable[Mapping[str, Learned]]]
"""Returns what a player, by the id, knows of each game."""


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

    def judged_anew(self) -> Attempt:
        """Return a puzzle of which an answer may name any move: of one that was answered, also what a hint took."""
        return self._replace(hinted=False) if self.action is not None else self

    @property
    def is_working(self) -> bool:
        """Whether its moves are still to be judged."""
        return not self.task.candidates


class KeptAnswers(Protocol):
    """What keeps the answers to puzzles: a database, or a browser."""

    async def answers(self, number: int) -> dict[PuzzleKey, Answered]:
        """Return what a player answered, by puzzle; a puzzle for which they only asked for a hint has no action."""

    async def facts(self, keys: Collection[PuzzleKey]) -> Mapping[PuzzleKey, PuzzleFacts]:
        """Return what is known here of some puzzles; nothing for one that nobody has tried."""

    async def withdrawn(self) -> frozenset[PuzzleKey]:
        """Return the puzzles that were taken back."""

    async def solver(self, number: int) -> SolverFacts:
        """Return how good a player is at puzzles."""

    async def hint(self, number: int, key: PuzzleKey) -> None:
        """Note that a player asked for a hint, unless they have answered."""

    async def answer(self, number: int, answer: FirstTry) -> bool:
        """Write a player's first answer; False if they have answered before."""

    async def doubt(self, number: int, key: PuzzleKey) -> bool:
        """Note that a player doubts a puzzle; False if somebody has before."""

    async def judged_again(self, key: PuzzleKey, candidates: Sequence[Candidate], holds: bool) -> None:
        """Write how the moves of a doubted puzzle were judged; take it back unless its answer holds."""

    async def thoughts(self, number: int, since: float) -> int:
        """Return how often a player has made the search judge something since a time: doubts and own puzzles."""


class PuzzleSolving:
    """The puzzles that come with games, and what people here do with them."""

    def __init__(self, tables: Tables, answers: KeptAnswers, learned: LearnedBy):
        self.tables, self.kept, self.learned = tables, answers, learned

    async def place(self, number: int | None, game_id: str, id_: str) -> Attempt:
        """Return a puzzle in front of a player; raises Refused for one that is not there, or somebody else's."""
        task = find_task(game_id, id_)
        known = (await self.kept.answers(number)).get(task.key) if number is not None else None
        return Attempt(task, bool(known and known.hinted), known.action if known else None)

    async def hint(self, number: int, place: Attempt) -> None:
        """Take two wrong moves away."""
        check_hint(place)
        await self.kept.hint(number, place.task.key)

    async def answer(self, number: int, place: Attempt, action: int) -> bool:
        """Answer a puzzle; return whether this was the first try. Raises Refused for a move that is not there."""
        task = place.task
        check_answer(place, action)
        if place.action is not None:
            return False
        facts = (await self.kept.facts([task.key])).get(task.key)
        if facts and facts.withdrawn:
            raise Refused(409, "this puzzle is taken back: its best move is not certain")
        today = day_at(now())
        of_today = task_of_day(today, ())
        day = today.isoformat() if of_today and of_today.key == task.key else None
        return await self.kept.answer(number, FirstTry(task.key, action, task.is_right(action), day, True))

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

    async def streak(self, answers: Answers) -> Streak:
        """Return the streak of a player who answered so."""
        withdrawn, today = await self.kept.withdrawn(), day_at(now())
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


def check_hint(place: Attempt) -> None:
    """Raise Refused if a hint can take nothing away from a puzzle."""
    _check_judged(place)
    if place.action is not None:
        raise Refused(409, "you have answered this puzzle")
    if not place.task.taken:
        raise Refused(409, "there is nothing to take away here")


def check_answer(place: Attempt, action: int) -> None:
    """Raise Refused for a move that is not there."""
    _check_judged(place)
    if action not in place.task.seen_with(place.hinted).legal:
        words = "the hint has taken this move away" if action in place.task.seen.legal else "there is no such move here"
        raise Refused(422, f"{words}: choose another one")


def _check_judged(place: Attempt) -> None:
    if place.is_working:
        raise Refused(409, "the moves of this puzzle are still being judged")
