"""What is known of puzzles and of those who solve them: answers, ratings, and the puzzles that players make.

A database keeps them, or a browser; `study/solving.py` says what they mean.
"""

from __future__ import annotations

from typing import NamedTuple

from quintain.lab.candidates import Candidate
from quintain.server.model.ratings import NEWCOMER, Rating

COUNTS_FROM = 30
"""First tries of others after which the rating of a puzzle counts for those who solve it."""
MOST_KEPT = 50
"""The puzzles of their own that a player keeps: when there are more, the oldest goes."""


class PuzzleKey(NamedTuple):
    """Which puzzle: the id of its game, and its id among the puzzles of that game."""

    game: str
    puzzle: str


class Answered(NamedTuple):
    """What a player answered at the first try: the fields of `AnswerRow`."""

    game: str
    puzzle: str
    at: float
    hinted: bool
    action: int | None
    solved: bool | None
    day: str | None
    before: int | None
    after: int | None

    @property
    def key(self) -> PuzzleKey:
        """The puzzle that was answered."""
        return PuzzleKey(self.game, self.puzzle)


class PuzzleFacts(NamedTuple):
    """What the people here made of a puzzle, and how it fared when it was judged again."""

    rating: Rating = NEWCOMER
    solvers: int = 0
    solved: int = 0
    doubter: int | None = None
    doubted: float | None = None
    judged: tuple[Candidate, ...] = ()
    withdrawn: float | None = None

    @property
    def counts(self) -> bool:
        """Whether so many people have solved it that its rating counts."""
        return self.solvers >= COUNTS_FROM


class SolverFacts(NamedTuple):
    """How good a player is at puzzles, after so many first tries, of which some were right."""

    rating: Rating = NEWCOMER
    tries: int = 0
    solved: int = 0


class FirstTry(NamedTuple):
    """An answer that is to be written; `is_rated` says whether it may change ratings, `day` whose puzzle it is."""

    key: PuzzleKey
    action: int
    solved: bool
    day: str | None
    is_rated: bool


class PrivatePuzzle(NamedTuple):
    """A puzzle of a player's own: the table and the entry before which it stands, and its moves once judged."""

    id: str
    number: int
    table: str
    entry: int
    game: str
    made: float
    judged: tuple[Candidate, ...]
    hinted: bool
    action: int | None
