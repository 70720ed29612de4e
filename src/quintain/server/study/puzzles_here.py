"""The puzzles that people here can solve: those that come with the games, and those that they made of their own games.

`lab/puzzles.py` reads the first; `private_puzzles.py` keeps the others. To a page both are a `Task`.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game
from quintain.engine.seen.seen import Seen
from quintain.lab import puzzles as kept
from quintain.lab.candidates import Candidate, is_right
from quintain.server.model.puzzle_answers import PuzzleKey
from quintain.server.refused import Refused

TAKEN = 2
"""How many wrong moves a hint takes away."""
OWN = "mine"
"""Stands for the game in the address of a puzzle of one's own."""
TRIES = 3000
"""How often each move of a puzzle is tried."""
AGAIN = 10
"""A doubted puzzle is judged by so many times the tries that found it."""
log = logging.getLogger("quintain.server")


@dataclass(frozen=True)
class Task:
    """A puzzle as a page shows it: where it stands, what the solver sees, its moves, the best first, and its themes.

    A puzzle of one's own names the `table` that it comes from, and the step of its replay. `options` are those of the
    game that are not the usual ones, for a puzzle that comes with a game.
    """

    key: PuzzleKey
    game: Game
    seen: Seen
    candidates: tuple[Candidate, ...]
    themes: tuple[str, ...] = ()
    table: str = ""
    step: int = 0
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def best(self) -> Candidate:
        """The best move."""
        return self.candidates[0]

    def is_right(self, action: int) -> bool:
        """Tell whether a move counts as right: its share lies within the interval of the best one's."""
        return is_right(self.candidates, action)

    @property
    def right(self) -> list[int]:
        """The actions that count as right."""
        return [one.action for one in self.candidates if self.is_right(one.action)]

    @property
    def taken(self) -> tuple[int, ...]:
        """The wrong moves that a hint takes away, the worst ones; at least one wrong move stays."""
        wrong = [one.action for one in self.candidates if not self.is_right(one.action)]
        return tuple(wrong[max(1, len(wrong) - TAKEN) :])

    def seen_with(self, hinted: bool) -> Seen:
        """Return what the solver sees, after a hint without the moves that it took away."""
        gone = self.taken if hinted else ()
        return replace(self.seen, legal=tuple(action for action in self.seen.legal if action not in gone))

    @property
    def href(self) -> str:
        """The address of its page."""
        return f"/puzzles/{self.key.game}/{self.key.puzzle}"


def kept_puzzles(found: Game) -> tuple[kept.Puzzle, ...]:
    """Return the puzzles that come with a game; none if their file cannot be read, so that all else goes on."""
    try:
        return kept.puzzles(found)
    except QuintainError as error:
        log.warning("the puzzles of a game cannot be read", extra={"game": found.id, "reason": str(error)})
        return ()


def task_of(puzzle: kept.Puzzle) -> Task:
    """Return a puzzle that comes with a game as a task."""
    key = PuzzleKey(puzzle.game.id, puzzle.id)
    return Task(key, puzzle.game, puzzle.seen, tuple(puzzle.candidates), tuple(puzzle.themes), options=puzzle.options)


def tasks_of(found: Game, withdrawn: Collection[PuzzleKey]) -> list[Task]:
    """Return the puzzles of a game, without those that were taken back."""
    return [task for each in kept_puzzles(found) if (task := task_of(each)).key not in withdrawn]


def find_task(game_id: str, id_: str) -> Task:
    """Return a puzzle that comes with a game; raises UnknownGame and Refused."""
    found = game(game_id)
    for each in kept_puzzles(found):
        if each.id == id_:
            return task_of(each)
    raise Refused(404, f"there is no such puzzle of {found.title}")


def with_puzzles() -> list[Game]:
    """Return the games that have puzzles, from the easiest to the largest."""
    found = [one for one in all_games() if kept_puzzles(one)]
    return sorted(found, key=lambda one: (one.weight, one.title))


def task_of_day(day: datetime.date, withdrawn: Collection[PuzzleKey]) -> Task | None:
    """Return the puzzle of a day; None if there is none, or it was taken back."""
    puzzle = kept.puzzle_of_the_day(day)
    task = task_of(puzzle) if puzzle else None
    return None if task is None or task.key in withdrawn else task


def themes_of(tasks: Sequence[Task]) -> list[str]:
    """Return all themes of some puzzles, the most frequent first."""
    themes = [theme for task in tasks for theme in task.themes]
    return sorted(set(themes), key=lambda theme: (-themes.count(theme), theme))


def runs_again(tries: int) -> int:
    """Return in how many runs a doubted puzzle is judged, if each of its moves was tried so often.

    >>> runs_again(3000), runs_again(30000)
    (10, 100)
    """
    return AGAIN * max(1, round(tries / TRIES))
