"""The rows of puzzles that players make from decisions of their own; nobody else finds them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy import delete, select, update

from quintain.lab.candidates import Candidate
from quintain.server.clock import now
from quintain.server.model import puzzle_answers
from quintain.server.model.puzzle_answers import PrivatePuzzle
from quintain.server.store.database import Database
from quintain.server.store.schema import OwnPuzzleRow
from quintain.server.store.study.solved_puzzles import as_json, from_json


class PrivatePuzzles:
    """The private puzzles in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def of_player(self, number: int) -> list[PrivatePuzzle]:
        """Return the puzzles of a player, the newest first."""
        asked = select(*_COLUMNS).where(OwnPuzzleRow.number == number)
        rows = await self.database.rows(asked.order_by(OwnPuzzleRow.made.desc(), OwnPuzzleRow.id))
        return [_read(row) for row in rows]

    async def find(self, number: int, id_: str) -> PrivatePuzzle | None:
        """Return a puzzle of a player; None if it is none of theirs."""
        asked = select(*_COLUMNS).where(OwnPuzzleRow.number == number, OwnPuzzleRow.id == id_)
        rows = await self.database.rows(asked)
        return _read(rows[0]) if rows else None

    async def add(self, number: int, table: str, entry: int, game: str) -> str:
        """Keep a new puzzle of a player, and return its id; when there are too many, the oldest goes."""
        id_ = secrets.token_urlsafe(9)
        row = {"id": id_, "number": number, "table": table, "entry": entry, "game": game, "made": now()}
        mine = select(OwnPuzzleRow.id).where(OwnPuzzleRow.number == number)
        kept = mine.order_by(OwnPuzzleRow.made.desc(), OwnPuzzleRow.id).limit(puzzle_answers.MOST_KEPT)
        too_old = delete(OwnPuzzleRow).where(OwnPuzzleRow.number == number, OwnPuzzleRow.id.not_in(kept))
        await self.database.do(self.database.insert(OwnPuzzleRow).values(row), too_old)
        return id_

    async def judged(self, id_: str, candidates: Sequence[Candidate]) -> None:
        """Write how the moves of a puzzle were judged."""
        await self.database.do(update(OwnPuzzleRow).where(OwnPuzzleRow.id == id_).values(judged=as_json(candidates)))

    async def hint(self, id_: str) -> None:
        """Note that the player asked for a hint."""
        await self.database.do(update(OwnPuzzleRow).where(OwnPuzzleRow.id == id_).values(hinted=True))

    async def answer(self, id_: str, action: int) -> bool:
        """Write the player's first answer; False if there is one already."""
        first = update(OwnPuzzleRow).where(OwnPuzzleRow.id == id_, OwnPuzzleRow.action.is_(None))
        return await self.database.value(first.values(action=action).returning(OwnPuzzleRow.id)) is not None


_COLUMNS = (
    OwnPuzzleRow.id,
    OwnPuzzleRow.number,
    OwnPuzzleRow.table,
    OwnPuzzleRow.entry,
    OwnPuzzleRow.game,
    OwnPuzzleRow.made,
    OwnPuzzleRow.judged,
    OwnPuzzleRow.hinted,
    OwnPuzzleRow.action,
)


def _read(row: Sequence[object]) -> PrivatePuzzle:
    found = PrivatePuzzle(*row)  # type: ignore[arg-type]  # the columns are its fields, in their order
    return found._replace(judged=from_json(found.judged))  # type: ignore[arg-type]  # a row holds them as JSON
