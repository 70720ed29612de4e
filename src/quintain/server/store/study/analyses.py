"""The analyses in a database: how far each is, its judged positions, and what whole ones say of players.

`study.judging` makes them. One process at a time judges a game: see `claims.py`.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, Executable, String, cast, func, insert, select, update

from quintain.lab.analysis import JudgedStep, LuckAndSkill
from quintain.server.clock import now
from quintain.server.model.analyses import JudgedSeat, KeptAnalysis, Progress
from quintain.server.store.lists import Lists
from quintain.server.store.schema import AnalysisAskRow, AnalysisRow, JudgedSeatRow, PlayedRow, RatingRow
from quintain.server.store.study.claims import Claims

MOST_OF_PEERS = 1000
"""The most judged games of other players that are compared with those of one."""


class Analyses:
    """The analyses in a database."""

    def __init__(self, lists: Lists):
        self.lists = lists
        self.claims = Claims(lists, AnalysisRow, AnalysisRow.table)

    async def find(self, table: str) -> KeptAnalysis | None:
        """Return the analysis of a game; None if nobody asked for it."""
        rows = await self.lists.rows(select(AnalysisRow.__table__).where(AnalysisRow.table == table))
        if not rows:
            return None
        row = rows[0]
        found = row.table, row.by, row.tries, row.done, _unpacked(row.steps)
        return KeptAnalysis(*found, row.until > now(), row.stopped, row.problem)

    async def progress(self, table: str) -> Progress | None:
        """Return how far the analysis of a game is; None if nobody asked for it."""
        asked = select(AnalysisRow.done, AnalysisRow.until).where(AnalysisRow.table == table)
        rows = await self.lists.rows(asked)
        return Progress(rows[0].done, rows[0].until > now()) if rows else None

    async def asked_since(self, number: int, since: float) -> list[float]:
        """Return when a player asked for each analysis since a time, the oldest first."""
        asked = select(AnalysisAskRow.at).where(AnalysisAskRow.number == number, AnalysisAskRow.at > since)
        return [row.at for row in await self.lists.rows(asked.order_by(AnalysisAskRow.at))]

    async def ask(self, table: str, by: int, tries: int) -> bool:
        """Note that a player asks for the analysis of a game; False if there is one already."""
        new = {"by": by, "tries": tries, "done": 0, "until": 0.0, "steps": _packed(())}
        written = self.lists.insert(AnalysisRow).values(table=table, **new).on_conflict_do_nothing()
        return await self._asked(written, by)

    async def ask_better(self, table: str, by: int, tries: int, total: int) -> bool:
        """Note that a player asks for a better analysis of a game; False if the one that there is goes on."""
        values = {"by": by, "tries": tries, "done": total, "stopped": False, "problem": ""}
        is_whole = AnalysisRow.done >= 2 * total, AnalysisRow.tries < tries, AnalysisRow.until < now()
        return await self._asked(update(AnalysisRow).where(AnalysisRow.table == table, *is_whole).values(values), by)

    async def _asked(self, written: Executable, by: int) -> bool:
        """Write what a player asks for, and that they did; False if nothing was written."""
        async with self.lists.together.begin() as connection:
            if not (await connection.execute(written)).rowcount:
                return False
            await connection.execute(insert(AnalysisAskRow).values(number=by, at=now()))
            return True

    async def keep(self, table: str, done: int, steps: Sequence[JudgedStep]) -> bool:
        """Write how far an analysis is, and claim it again; False if somebody stopped it."""
        return await self.claims.keep(table, done=done, steps=_packed(steps))

    async def keep_seats(self, table: str, found: Sequence[LuckAndSkill]) -> None:
        """Write what decisions and cards did for each seat of a game that is judged to its end."""
        asked = select(PlayedRow.seat, PlayedRow.who, PlayedRow.game).where(PlayedRow.table == table)
        for row in await self.lists.rows(asked):
            one = found[row.seat]
            values = {"lost": one.lost, "cards": one.cards, "decisions": one.decisions, "free": one.free}
            key = {"table": table, "seat": row.seat}
            written = self.lists.insert(JudgedSeatRow).values(**key, who=row.who, game=row.game, **values)
            await self.lists.do(written.on_conflict_do_update(index_elements=[*key], set_=values))

    async def seats_of(self, who: str, game: str, most: int, *, private: bool) -> list[JudgedSeat]:
        """Return the last judged games of a player in a game that count, the newest first, and private ones or not."""
        asked = (
            select(PlayedRow.ended, *(getattr(JudgedSeatRow, name) for name in JudgedSeat._fields[1:]))
            .join(PlayedRow, (PlayedRow.table == JudgedSeatRow.table) & (PlayedRow.seat == JudgedSeatRow.seat))
            .where(JudgedSeatRow.who == who, JudgedSeatRow.game == game, *_counted(private))
            .order_by(PlayedRow.ended.desc())
        )
        return [JudgedSeat(*row) for row in await self.lists.rows(asked.limit(most))]

    async def lost_by_peers(self, game: str, number: int, mu: tuple[float, float]) -> list[float]:
        """Return what each seat gave away in judged games of other players whose rating lies in a range."""
        asked = (
            select(JudgedSeatRow.lost)
            .join(RatingRow, cast(RatingRow.number, String) == JudgedSeatRow.who)
            .join(PlayedRow, (PlayedRow.table == JudgedSeatRow.table) & (PlayedRow.seat == JudgedSeatRow.seat))
            .where(JudgedSeatRow.game == game, RatingRow.game == game, RatingRow.number != number)
            .where(RatingRow.mu.between(*mu), *_counted(False))
            .order_by(PlayedRow.ended.desc())
        )
        return [row.lost for row in await self.lists.rows(asked.limit(MOST_OF_PEERS))]

    async def games_of(self, who: str, *, private: bool) -> dict[str, int]:
        """Return how many games of a player that count are judged, by game, with private ones or without."""
        asked = (
            select(JudgedSeatRow.game, func.count())
            .join(PlayedRow, (PlayedRow.table == JudgedSeatRow.table) & (PlayedRow.seat == JudgedSeatRow.seat))
            .where(JudgedSeatRow.who == who, *_counted(private))
            .group_by(JudgedSeatRow.game)
        )
        return dict(await self.lists.rows(asked))


def _counted(private: bool) -> list[ColumnElement[bool]]:
    """Return which games count: none whose players may have known the cards, and private ones only if asked."""
    return [PlayedRow.uncounted.is_(False), *([] if private else [PlayedRow.private.is_(False)])]


def _packed(steps: Sequence[JudgedStep]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(steps))


def _unpacked(packed: bytes) -> tuple[JudgedStep, ...]:
    return msgspec.msgpack.decode(zlib.decompress(packed), type=tuple[JudgedStep, ...])
