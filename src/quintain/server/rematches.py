"""Playing again: the same seats get a new table once every person at the old one has agreed. Bots always agree.

Who has agreed is kept in memory: a restart forgets it, and people ask once more.
"""

from __future__ import annotations

from quintain.engine.registry import game
from quintain.server.store import OVER, PLAYING, Seat
from quintain.server.table import Refused, Table
from quintain.server.tables import Tables, new_row


async def rematch(tables: Tables, table: Table, player: str, agrees: bool = True) -> str | None:
    """Note whether a player agrees to play again; return the id of the new table as soon as there is one."""
    seat = table.own_seat(player)
    if table.status != OVER:
        raise Refused(409, "the game is not over yet")
    if table.row.rematch:
        return table.row.rematch
    (table.agreed.add if agrees else table.agreed.discard)(seat)
    if table.agreed < people(table):
        tables.show(table)
        return None
    return await _begin(tables, table)


def people(table: Table) -> set[int]:
    """Return the seats of people."""
    return {seat.seat for seat in table.seats if seat.player}


async def _begin(tables: Tables, table: Table) -> str:
    """Make the table at which the same seats play again; if two make it at the same time, there is still only one."""
    old = table.row
    row = new_row(game(old.game), old.options, old.clock, old.speed, old.private)
    row.status, row.begun = PLAYING, row.made
    seats = [
        Seat(table=row.id, seat=seat.seat, name=seat.name, bot=seat.bot, player=seat.player) for seat in table.seats
    ]
    old.rematch = await tables.store.add_table(row, seats, rematch_of=old.id)
    await tables.get(old.rematch)
    tables.tell_all(table)
    return old.rematch
