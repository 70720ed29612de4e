"""The trials by bots of players' sets and decks in a database: how far each is, and what it has shown.

`workshop.trials` plays them. One process at a time plays a trial: see `study/claims.py`.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, func, select, update

from quintain.server.clock import now
from quintain.server.model.analyses import Progress
from quintain.server.model.kept_trials import DAY, MOST_OF_SUBJECT, KeptTrial
from quintain.server.store.database import Database
from quintain.server.store.schema import CardSetRow, DeckRow, TrialGamesRow, TrialRow
from quintain.server.store.study.claims import Claims


class KeptTrials:
    """The trials in a database."""

    def __init__(self, database: Database):
        self.database = database
        self.claims = Claims(database, TrialRow, TrialRow.id)

    async def find(self, id_: str) -> KeptTrial | None:
        """Return a trial; None if nobody began it, or it is not kept any more."""
        rows = await self.database.rows(select(TrialRow.__table__).where(TrialRow.id == id_))
        return KeptTrial(*rows[0]) if rows else None

    async def all_of(self, ids: Collection[str]) -> dict[str, KeptTrial]:
        """Return those trials that there are, by their ids."""
        rows = await self.database.rows(select(TrialRow.__table__).where(TrialRow.id.in_(ids)))
        return {row.id: KeptTrial(*row) for row in rows}

    async def progress(self, id_: str) -> Progress | None:
        """Return how many games of a trial are played, and whether some process plays on; None if there is none."""
        rows = await self.database.rows(select(TrialRow.games, TrialRow.until).where(TrialRow.id == id_))
        return Progress(rows[0].games, rows[0].until > now()) if rows else None

    async def last_level(self, subject: str) -> str | None:
        """Return the level of the trial of a subject that was begun last; None if there is none."""
        asked = select(TrialRow.level).where(TrialRow.subject == subject).order_by(TrialRow.at.desc()).limit(1)
        return await self.database.value(asked)

    async def begin(self, id_: str, number: int, subject: str, level: str, most: int) -> None:
        """Note that a player begins a trial, or goes on with it; the oldest ones of its subject go."""
        new = {"number": number, "subject": subject, "level": level, "most": most, "games": 0, "at": now()}
        empty = {"done": b"", "found": b"", "until": 0.0}
        newest = select(TrialRow.id).where(TrialRow.subject == subject).order_by(TrialRow.at.desc())
        kept = newest.limit(MOST_OF_SUBJECT).scalar_subquery()
        async with self.database.together.begin() as connection:
            written = self.database.insert(TrialRow).values(id=id_, **new, **empty)
            again = written.on_conflict_do_update(index_elements=["id"], set_={"at": new["at"]})
            await connection.execute(again)
            old = TrialRow.subject == subject, TrialRow.id.not_in(kept), TrialRow.until < now()
            await connection.execute(delete(TrialRow).where(*old))

    async def keep(self, id_: str, games: int, done: bytes, found: bytes) -> bool:
        """Write how far a trial is, and claim it again; False if somebody stopped it."""
        return await self.claims.keep(id_, games=games, done=done, found=found)

    async def has_subject(self, subject: str) -> bool:
        """Tell whether there is the set or the deck that trials are about; ``set:ID`` or ``deck:ID`` names it."""
        kind, _, id_ = subject.partition(":")
        column = {"set": CardSetRow.id, "deck": DeckRow.id}[kind]
        return await self.database.value(select(column).where(column == id_)) is not None

    async def running_of(self, number: int, besides: str = "") -> list[str]:
        """Return the trials of a player that are played now, but for one."""
        asked = select(TrialRow.id).where(TrialRow.number == number, TrialRow.until > now(), TrialRow.id != besides)
        return [row.id for row in await self.database.rows(asked)]

    async def running_about(self, subject: str) -> list[str]:
        """Return the trials of a subject that are played now."""
        asked = select(TrialRow.id).where(TrialRow.subject == subject, TrialRow.until > now())
        return [row.id for row in await self.database.rows(asked)]

    async def counted(self, number: int, games: int) -> None:
        """Count games that were played for a player, and forget those of more than a day ago."""
        row = TrialGamesRow
        async with self.database.together.begin() as connection:
            await connection.execute(delete(row).where(row.number == number, row.at < now() - DAY))
            newest = select(func.max(row.id)).where(row.number == number, row.at > now() - COUNTED_TOGETHER)
            more = update(row).where(row.id == newest.scalar_subquery()).values(games=row.games + games)
            if not (await connection.execute(more)).rowcount:
                await connection.execute(self.database.insert(row).values(number=number, at=now(), games=games))

    async def games_of_day(self, number: int) -> list[tuple[float, int]]:
        """Return when games were played for a player in the last day, and how many, the oldest first."""
        row = TrialGamesRow
        asked = select(row.at, row.games).where(row.number == number, row.at > now() - DAY).order_by(row.at)
        return [(each.at, each.games) for each in await self.database.rows(asked)]

    async def forget(self, subject: str) -> None:
        """Delete all trials of a subject, which is gone."""
        await self.database.do(delete(TrialRow).where(TrialRow.subject == subject))


COUNTED_TOGETHER = 600.0
"""Seconds within which the games of a player are counted in one row."""
