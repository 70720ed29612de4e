"""Finished games in the database: the games of a player, with filters and in pages, and what they add up to.

The rows follow from the logs of tables (`results.py`). Pages go by key: each begins after the last game of the page
before, whatever has been added since, and costs the same however many games there are.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select, tuple_
from sqlalchemy.orm import aliased

from quintain.engine.errors import BadOption
from quintain.server.model.entries import TableRow
from quintain.server.model.results import (
    LEFT,
    NOT_TO_THE_END,
    RESIGNED,
    STOPPED,
    WON,
    FinishedGame,
    PlayedSeat,
    Sums,
    Tally,
)
from quintain.server.store.database import Database
from quintain.server.store.schema import ListedTable, PlayedRow, TallyRow

PEOPLE, BOTS = "people", "bots"
"""In the place of an opponent: any person, or any bot."""
NOT_WON = "not-won"
PLACE = re.compile(r"(\d{1,12}(?:\.\d{1,17})?)~([A-Za-z0-9_-]{1,40})")
"""A place in a list: when a game ended, and the id of its table."""


@dataclass(frozen=True)
class Filter:
    """Which finished games of a player are listed; an empty field admits all.

    `opponent` is PEOPLE, BOTS or the key of a player; `result` one of RESULTS or NOT_WON. `rated` is None for both
    kinds of games. `since` is a time. `seen_by` is the key of the viewer: if it is not the player's own, games at
    private tables are left out unless the viewer played there.
    """

    who: str
    game: str = ""
    opponent: str = ""
    result: str = ""
    rated: bool | None = None
    since: float | None = None
    seen_by: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the conditions on a row of `played` and its table."""
        found = [PlayedRow.who == self.who]
        if self.game:
            found.append(PlayedRow.game == self.game)
        if self.opponent:
            found.append(_sat(self.opponent))
        if self.result == NOT_WON:
            found.append(PlayedRow.result.not_in((WON, STOPPED)))
        elif self.result:
            found.append(PlayedRow.result == self.result)
        if self.rated is not None:
            found.append(PlayedRow.rated == self.rated)
        if self.since is not None:
            found.append(PlayedRow.ended >= self.since)
        if self.seen_by != self.who:
            played_there = [_sat(self.seen_by)] if self.seen_by else []
            found.append(or_(PlayedRow.private.is_(False), *played_there))
        return found


class ListPlace(NamedTuple):
    """A place in a list of games, newest first."""

    ended: float
    table: str

    @classmethod
    def read(cls, text: str) -> ListPlace:
        """Return the place that an address names; raises BadOption."""
        found = PLACE.fullmatch(text)
        if not found or not math.isfinite(float(found[1])):
            raise BadOption("this page of the list cannot be found: go back to its first page")
        return cls(float(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.ended!r}~{self.table}"


class ListPage(NamedTuple):
    """A page of a list, newest game first, and whether there are newer and older games."""

    games: list[FinishedGame]
    has_newer: bool
    has_older: bool


class GameHistory:
    """The finished games in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def page(
        self, wanted: Filter, most: int, before: ListPlace | None = None, after: ListPlace | None = None
    ) -> ListPage:
        """Return at most so many games, those before or after a place in the list, or else the newest."""
        asked = select(PlayedRow.__table__, ListedTable.__table__).join(ListedTable, ListedTable.id == PlayedRow.table)
        asked = asked.where(*wanted.conditions())
        key = tuple_(PlayedRow.ended, PlayedRow.table)
        if after is not None:
            asked = asked.where(key > tuple_(after.ended, after.table)).order_by(PlayedRow.ended, PlayedRow.table)
        else:
            asked = asked.order_by(PlayedRow.ended.desc(), PlayedRow.table.desc())
            asked = asked if before is None else asked.where(key < tuple_(before.ended, before.table))
        async with self.database.engine.connect() as connection:
            found = [*await connection.execute(asked.limit(most + 1))]
            more, found = len(found) > most, found[:most]
            if after is not None:
                found.reverse()
            rows = [(PlayedSeat(*row[:_PARTS]), TableRow(*row[_PARTS:])) for row in found]
            tables = [own.table for own, _ in rows]
            every = select(PlayedRow.__table__).where(PlayedRow.table.in_(tables)).order_by(PlayedRow.seat)
            seats = [PlayedSeat(*row) for row in await connection.execute(every)] if rows else []
        games = [FinishedGame(own, [seat for seat in seats if seat.table == own.table], table) for own, table in rows]
        return ListPage(games, more if after is not None else before is not None, more if after is None else True)

    async def tables(self, wanted: Filter, most: int) -> list[str]:
        """Return the ids of the tables of at most so many games, newest first."""
        asked = select(PlayedRow.table).where(*wanted.conditions())
        asked = asked.order_by(PlayedRow.ended.desc(), PlayedRow.table.desc()).limit(most)
        return list(await self.database.values(asked))

    async def number(self, wanted: Filter) -> int:
        """Return how many games these are."""
        return await self.database.value(select(func.count()).where(*wanted.conditions())) or 0

    async def sums(self, wanted: Filter) -> Sums:
        """Return what all these games add up to."""
        counts, result = PlayedRow.uncounted.is_(False), PlayedRow.result
        signs = (counts, result == WON, PlayedRow.rated.is_(True), result == RESIGNED, result == LEFT)
        counted = [_count(counts & sign) for sign in signs]
        asked = select(*counted, _count(PlayedRow.uncounted.is_(True))).where(*wanted.conditions())
        (sums,) = await self.database.rows(asked)
        return Sums._make(sums)

    async def results(self, wanted: Filter, since: float, until: float) -> list[tuple[float, str, bool]]:
        """Return when each of these games ended, from one time until before another, its result, and if it counts."""
        within = (PlayedRow.ended >= since) & (PlayedRow.ended < until)
        asked = select(PlayedRow.ended, PlayedRow.result, PlayedRow.uncounted).where(*wanted.conditions(), within)
        return [(ended, result, not uncounted) for ended, result, uncounted in await self.database.rows(asked)]

    async def tallies(self, who: str, opponent: str = "") -> list[Tally]:
        """Return how a player did against each opponent in each game, or against one; most games first."""
        asked = select(
            TallyRow.opponent, TallyRow.bot, TallyRow.game, TallyRow.ahead, TallyRow.behind, TallyRow.games
        ).where(TallyRow.who == who)
        if opponent:
            asked = asked.where(TallyRow.opponent == opponent)
        asked = asked.order_by(TallyRow.games.desc(), TallyRow.opponent)
        return [Tally(*row) for row in await self.database.rows(asked)]

    async def met(self, who: str, most: int) -> list[str]:
        """Return at most so many opponents of a player, most games first."""
        asked = select(TallyRow.opponent).where(TallyRow.who == who).group_by(TallyRow.opponent)
        asked = asked.order_by(func.sum(TallyRow.games).desc(), TallyRow.opponent).limit(most)
        return list(await self.database.values(asked))


_OTHER = aliased(PlayedRow)
"""Another seat of the same game. To make the alias takes 1 ms."""
_PARTS = len(PlayedRow.__table__.columns)
TALLIED = ("who", "opponent", "game", "bot", "ahead", "behind", "games")


def tallied(table: str | None = None) -> Select[str, str, str, bool, int, int, int]:
    """Return the query for the tallies of one game, or of all that are listed, in the order of their keys."""
    other, key = _OTHER, (PlayedRow.who, _OTHER.who, PlayedRow.game)
    ahead, behind = _count(_is_ahead(PlayedRow, other)), _count(_is_ahead(other, PlayedRow))
    asked = (
        select(*key, other.bot, ahead, behind, func.count())
        .join(other, and_(other.table == PlayedRow.table, other.seat != PlayedRow.seat))
        .where(other.who != PlayedRow.who, PlayedRow.uncounted.is_(False))
        .group_by(*key, other.bot)
        .order_by(*key)
    )
    return asked if table is None else asked.where(PlayedRow.table == table)


def _sat(opponent: str) -> ColumnElement[bool]:
    """Return the condition that a player, any person or any bot had another seat in the game."""
    named = {PEOPLE: _OTHER.bot.is_(False), BOTS: _OTHER.bot.is_(True)}.get(opponent, _OTHER.who == opponent)
    return exists().where((_OTHER.table == PlayedRow.table) & (_OTHER.seat != PlayedRow.seat) & named)


def _is_ahead(one: type[PlayedRow], other: type[PlayedRow]) -> ColumnElement[bool]:
    """Return the condition that one seat was ahead of another at the end; whoever left was behind all who stayed."""
    stayed, left = one.result.not_in(NOT_TO_THE_END), other.result.in_(NOT_TO_THE_END)
    return stayed & (left | (one.rank < other.rank))


def _count(sign: ColumnElement[bool]) -> ColumnElement[int]:
    """Return the number of rows with a sign."""
    return func.coalesce(func.sum(case((sign, 1), else_=0)), 0)
