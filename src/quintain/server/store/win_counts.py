"""The counts of what wins, over all finished games in the database: `model/wins.py` says what is counted.

`store.py` adds those of a game in the transaction that closes it.
"""

from __future__ import annotations

from sqlalchemy import func, select

from quintain.server.model.wins import SEAT, WinCount
from quintain.server.store.database import Database
from quintain.server.store.schema import CountRow


async def sizes(database: Database, game_id: str) -> dict[int, int]:
    """Return how many games were counted for each number of seats, the least number first."""
    games = func.sum(CountRow.games)
    asked = select(CountRow.seats, games).where(CountRow.game == game_id, CountRow.kind == SEAT, CountRow.key == "1")
    rows = await database.rows(asked.group_by(CountRow.seats).order_by(CountRow.seats))
    return {seats: int(number) for seats, number in rows}


async def counts_of(database: Database, game_id: str, seats: int) -> list[WinCount]:
    """Return all counts of a game with this number of seats."""
    asked = select(CountRow.__table__).where(CountRow.game == game_id, CountRow.seats == seats)
    return [WinCount(*row) for row in await database.rows(asked)]
