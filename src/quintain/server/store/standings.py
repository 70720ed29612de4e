"""The ratings of players in the database: what a rated game changes, and who stands where.

`ratings.py` reckons them. They follow from the rated games, in the order in which these ended: the server changes
them in the transaction that closes a game, and `quintain tables rebuild` makes them anew.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quintain.engine.errors import UnknownGame
from quintain.engine.rules.registry import game
from quintain.server.model.ratings import NEWCOMER, Rated, Rating, anchors, points, rate, usual_anchors
from quintain.server.model.results import NOT_TO_THE_END, PlayedSeat
from quintain.server.store.database import Database, insert
from quintain.server.store.schema import PlayedRow, PlayerRow, RatingRow

SETTLED = 10
"""Rated games after which a player has a place among the others."""
MOST_LISTED = 100
"""The places that a page lists."""


class PlayerStanding(NamedTuple):
    """The rating of a player in a game, and the number of rated games behind it."""

    number: int
    game: str
    rating: Rating
    games: int


class Standings:
    """The ratings in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def of_player(self, number: int) -> list[PlayerStanding]:
        """Return the ratings of a player in all games that they have played rated."""
        return await self._found(RatingRow.number == number)

    async def of_players(self, numbers: Collection[int]) -> list[PlayerStanding]:
        """Return the ratings of some players in all games that they have played rated."""
        return await self._found(RatingRow.number.in_(numbers)) if numbers else []

    async def best(self, game_id: str) -> list[PlayerStanding]:
        """Return the best players of a game who have a place, the best first."""
        return await self._found((RatingRow.game == game_id) & _HAS_PLACE, MOST_LISTED)

    async def place(self, standing: PlayerStanding) -> tuple[int, int] | None:
        """Return the place of a player in a game, and how many have one; None after fewer than SETTLED games."""
        if standing.games < SETTLED:
            return None
        here = (RatingRow.game == standing.game) & _HAS_PLACE
        asked = select(func.count()).select_from(RatingRow).join(PlayerRow).where(here)
        async with self.database.engine.connect() as connection:
            better = await connection.scalar(asked.where(RatingRow.mu > standing.rating.mu))
            return (better or 0) + 1, await connection.scalar(asked) or 0

    async def _found(self, which: ColumnElement[bool], most: int | None = None) -> list[PlayerStanding]:
        columns = RatingRow.number, RatingRow.game, RatingRow.mu, RatingRow.sigma, RatingRow.games
        asked = select(*columns).join(PlayerRow).where(which, PlayerRow.gone.is_(None))
        rows = await self.database.rows(asked.order_by(RatingRow.mu.desc(), RatingRow.number).limit(most))
        return [PlayerStanding(number, id_, Rating(mu, sigma), games) for number, id_, mu, sigma, games in rows]


_HAS_PLACE = (RatingRow.games >= SETTLED) & PlayerRow.gone.is_(None)


async def rate_game(connection: AsyncConnection, seats: Sequence[PlayedSeat]) -> None:
    """Change the ratings of the people in a rated game that is over, and note by how much.

    Games of a player that end at the same time wait for each other here.
    """
    try:
        bots = anchors(game(seats[0].game))
    except UnknownGame:
        bots = usual_anchors()
    people = sorted(int(seat.who) for seat in seats if not seat.bot)
    known = await _locked(connection, people, seats[0].game)
    before = [bots[seat.who] if seat.bot else known[int(seat.who)][0] for seat in seats]
    rated = [
        Rated(rating, seat.rank, seat.bot, seat.result in NOT_TO_THE_END)
        for rating, seat in zip(before, seats, strict=True)
    ]
    for seat, old, new in zip(seats, before, rate(rated), strict=True):
        if not seat.bot:
            number = int(seat.who)
            changed = {"mu": new.mu, "sigma": new.sigma, "games": known[number][1] + 1}
            mine = (RatingRow.number == number) & (RatingRow.game == seat.game)
            await connection.execute(update(RatingRow).where(mine).values(changed))
            noted = (PlayedRow.table == seat.table) & (PlayedRow.seat == seat.seat)
            change = points(new) - points(old)
            await connection.execute(update(PlayedRow).where(noted).values(change=change))


async def _locked(connection: AsyncConnection, numbers: Sequence[int], game_id: str) -> dict[int, tuple[Rating, int]]:
    """Return the ratings of players in a game, and how many games are behind them, for this transaction to change."""
    added = insert(RatingRow, connection.dialect.name == "postgresql").on_conflict_do_nothing()
    for number in numbers:
        new = {"number": number, "game": game_id, "mu": NEWCOMER.mu, "sigma": NEWCOMER.sigma, "games": 0}
        await connection.execute(added.values(new))
    asked = select(RatingRow).where(RatingRow.number.in_(numbers), RatingRow.game == game_id)
    rows = await connection.execute(asked.order_by(RatingRow.number).with_for_update())
    return {row.number: (Rating(row.mu, row.sigma), row.games) for row in rows}


async def rate_anew(connection: AsyncConnection) -> None:
    """Make all ratings anew from the rated games, in the order in which they ended."""
    await connection.execute(delete(RatingRow))
    asked = (
        select(PlayedRow.__table__).where(PlayedRow.rated).order_by(PlayedRow.ended, PlayedRow.table, PlayedRow.seat)
    )
    seats: list[PlayedSeat] = []
    for row in (await connection.execute(asked)).all():
        seat = PlayedSeat(*row)
        if seats and seats[0].table != seat.table:
            await rate_game(connection, seats)
            seats = []
        seats.append(seat)
    if seats:
        await rate_game(connection, seats)
