"""The rows of puzzles and of those who solve them: answers, ratings, and puzzles that are judged again or taken back.

`study/solving.py` says what they mean.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.lab.candidates import Candidate
from quintain.server.clock import now
from quintain.server.model.puzzle_answers import Answered, FirstTry, PuzzleFacts, PuzzleKey, SolverFacts
from quintain.server.model.ratings import NEWCOMER, Rated, Rating, points, rate
from quintain.server.store.database import Database
from quintain.server.store.schema import AnswerRow, OwnPuzzleRow, PuzzleRow, SolverRow

MOVES = "moves"
"""The key under which a row holds judged moves."""


class SolvedPuzzles:
    """The puzzles and solvers in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def answers(self, number: int) -> dict[PuzzleKey, Answered]:
        """Return what a player answered, by puzzle; a puzzle for which they only asked for a hint has no action."""
        rows = await self.database.rows(select(*_ANSWERED).where(AnswerRow.number == number))
        return {(found := Answered(*row)).key: found for row in rows}

    async def facts(self, keys: Collection[PuzzleKey]) -> dict[PuzzleKey, PuzzleFacts]:
        """Return what is known here of some puzzles; nothing for one that nobody has tried."""
        games = {key.game for key in keys}
        rows = await self.database.rows(select(*_FACTS).where(PuzzleRow.game.in_(games))) if games else []
        found = {PuzzleKey(row[0], row[1]): _facts(row[2:]) for row in rows}
        return {key: facts for key, facts in found.items() if key in keys}

    async def withdrawn(self) -> frozenset[PuzzleKey]:
        """Return the puzzles that were taken back."""
        columns = PuzzleRow.game, PuzzleRow.puzzle
        rows = await self.database.rows(select(*columns).where(PuzzleRow.withdrawn.is_not(None)))
        return frozenset(PuzzleKey(*row) for row in rows)

    async def solver(self, number: int) -> SolverFacts:
        """Return how good a player is at puzzles."""
        columns = SolverRow.mu, SolverRow.sigma, SolverRow.tries, SolverRow.solved
        rows = await self.database.rows(select(*columns).where(SolverRow.number == number))
        return SolverFacts(Rating(rows[0][0], rows[0][1]), *rows[0][2:]) if rows else SolverFacts()

    async def hint(self, number: int, key: PuzzleKey) -> None:
        """Note that a player asked for a hint, unless they have answered."""
        row = {"number": number, **key._asdict(), "at": now(), "hinted": True}
        added = self.database.insert(AnswerRow).values(row)
        await self.database.do(added.on_conflict_do_nothing())

    async def answer(self, number: int, answer: FirstTry) -> bool:
        """Write a player's first answer, and what it changes; False if they have answered before."""
        async with self.database.together.begin() as connection:
            row = {"number": number, **answer.key._asdict(), "at": now(), "hinted": False}
            await connection.execute(self.database.insert(AnswerRow).values(row).on_conflict_do_nothing())
            given = {"action": answer.action, "solved": answer.solved, "day": answer.day, "at": now()}
            mine = _is(AnswerRow, answer.key) & (AnswerRow.number == number)
            first = update(AnswerRow).where(mine, AnswerRow.action.is_(None)).values(given)
            hinted = (await connection.execute(first.returning(AnswerRow.hinted))).scalar()
            if hinted is None:
                return False
            await self._count(connection, number, answer, answer.is_rated and not hinted)
        return True

    async def _count(self, connection: AsyncConnection, number: int, answer: FirstTry, is_rated: bool) -> None:
        """Count an answer for the puzzle and its solver; rate them against each other, if it is rated.

        The rating of the solver changes only if that of the puzzle counts.
        """
        puzzle = await self._locked_puzzle(connection, answer.key)
        solver = await self._locked_solver(connection, number)
        new_solver, new_puzzle = solver.rating, puzzle.rating
        if is_rated:
            ranks = (1, 2) if answer.solved else (2, 1)
            new_solver, new_puzzle = rate([Rated(solver.rating, ranks[0]), Rated(puzzle.rating, ranks[1])])
            new_solver = new_solver if puzzle.counts else solver.rating
        counted = {"solvers": puzzle.solvers + 1, "solved": puzzle.solved + answer.solved}
        await connection.execute(
            update(PuzzleRow).where(_is(PuzzleRow, answer.key)).values(**new_puzzle._asdict(), **counted)
        )
        counted = {"tries": solver.tries + 1, "solved": solver.solved + answer.solved}
        await connection.execute(
            update(SolverRow).where(SolverRow.number == number).values(**new_solver._asdict(), **counted)
        )
        if is_rated and puzzle.counts:
            noted = _is(AnswerRow, answer.key) & (AnswerRow.number == number)
            change = {"before": points(solver.rating), "after": points(new_solver)}
            await connection.execute(update(AnswerRow).where(noted).values(change))

    async def _locked_puzzle(self, connection: AsyncConnection, key: PuzzleKey) -> PuzzleFacts:
        """Return what is known of a puzzle, for this transaction to change."""
        await connection.execute(self.database.insert(PuzzleRow).values(_new(key)).on_conflict_do_nothing())
        asked = select(*_FACTS).where(_is(PuzzleRow, key)).with_for_update()
        return _facts((await connection.execute(asked)).one()[2:])

    async def _locked_solver(self, connection: AsyncConnection, number: int) -> SolverFacts:
        """Return how good a player is at puzzles, for this transaction to change."""
        new = {"number": number, **NEWCOMER._asdict(), "tries": 0, "solved": 0}
        await connection.execute(self.database.insert(SolverRow).values(new).on_conflict_do_nothing())
        columns = SolverRow.mu, SolverRow.sigma, SolverRow.tries, SolverRow.solved
        row = (await connection.execute(select(*columns).where(SolverRow.number == number).with_for_update())).one()
        return SolverFacts(Rating(row[0], row[1]), *row[2:])

    async def doubt(self, number: int, key: PuzzleKey) -> bool:
        """Note that a player doubts a puzzle; False if somebody has before."""
        added = self.database.insert(PuzzleRow).values(_new(key)).on_conflict_do_nothing()
        first = update(PuzzleRow).where(_is(PuzzleRow, key), PuzzleRow.doubted.is_(None))
        async with self.database.engine.connect() as connection:
            await connection.execute(added)
            noted = first.values(doubter=number, doubted=now()).returning(PuzzleRow.puzzle)
            return await connection.scalar(noted) is not None

    async def judged_again(self, key: PuzzleKey, candidates: Sequence[Candidate], holds: bool) -> None:
        """Write how the moves of a doubted puzzle were judged; take it back unless its answer holds."""
        judged = {"judged": as_json(candidates), "withdrawn": None if holds else now()}
        await self.database.do(update(PuzzleRow).where(_is(PuzzleRow, key)).values(judged))

    async def thoughts(self, number: int, since: float) -> int:
        """Return how often a player has made the search judge something since a time: doubts and own puzzles."""
        doubts = select(func.count()).where(PuzzleRow.doubter == number, PuzzleRow.doubted >= since)
        own = select(func.count()).where(OwnPuzzleRow.number == number, OwnPuzzleRow.made >= since)
        return (await self.database.value(doubts) or 0) + (await self.database.value(own) or 0)


def as_json(candidates: Sequence[Candidate]) -> dict[str, object]:
    """Return judged moves as a row holds them."""
    return {MOVES: [[each.action, each.text, each.share, each.tries] for each in candidates]}


def from_json(judged: dict[str, Any] | None) -> tuple[Candidate, ...]:
    """Return the judged moves of a row; none, if they are still to be judged."""
    return tuple(Candidate(*row) for row in judged[MOVES]) if judged else ()


def _new(key: PuzzleKey) -> dict[str, object]:
    return {**key._asdict(), **NEWCOMER._asdict(), "solvers": 0, "solved": 0}


def _is(row: type[PuzzleRow] | type[AnswerRow], key: PuzzleKey) -> Any:  # SQLAlchemy's type of a condition
    return (row.game == key.game) & (row.puzzle == key.puzzle)


def _facts(row: Sequence[Any]) -> PuzzleFacts:
    """Return the facts in the columns after the key: their types are those of `PuzzleRow`."""
    mu, sigma, solvers, solved, doubter, doubted, judged, withdrawn = row
    return PuzzleFacts(Rating(mu, sigma), solvers, solved, doubter, doubted, from_json(judged), withdrawn)


_ANSWERED = (
    AnswerRow.game,
    AnswerRow.puzzle,
    AnswerRow.at,
    AnswerRow.hinted,
    AnswerRow.action,
    AnswerRow.solved,
    AnswerRow.day,
    AnswerRow.before,
    AnswerRow.after,
)
_FACTS = (
    PuzzleRow.game,
    PuzzleRow.puzzle,
    PuzzleRow.mu,
    PuzzleRow.sigma,
    PuzzleRow.solvers,
    PuzzleRow.solved,
    PuzzleRow.doubter,
    PuzzleRow.doubted,
    PuzzleRow.judged,
    PuzzleRow.withdrawn,
)
