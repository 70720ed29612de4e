"""Playing again: the same seats get a new table once every person at the old one has agreed. Bots always agree."""

from __future__ import annotations

from collections.abc import Mapping

from quintain.engine.rules.registry import game
from quintain.server.model.entries import AGAIN, AGREED, NO, OVER, YES, LogEntry, Made, SeatChoice, Sitter
from quintain.server.model.making import first_entries, new_table
from quintain.server.model.seating import numbers_of
from quintain.server.refused import Refused
from quintain.server.tables.acts import cards_brought
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import Table


async def rematch(
    tables: Tables, live: LiveTable, player: str, agrees: bool = True, commitment: str = ""
) -> str | None:
    """Note whether a player agrees to play again; return the id of the new table as soon as there is one.

    `commitment` is the player's, to a random number for the new game. The last player to agree makes the table. If two
    agree at the same time, there is still only one new table: the log takes one entry.
    """
    seat = live.table.own_seat(player)
    if live.table.status != OVER:
        raise Refused(409, "the game is not over yet")

    def agreed() -> list[LogEntry]:
        table = live.table
        if table.row.rematch or (seat in table.agreed) == agrees:
            return []
        table.check_repeats(seat)
        return [table.next_entry(AGREED, f"{YES} {commitment}".strip() if agrees else NO, seat)]

    await tables.change(live, agreed)
    if not live.table.row.rematch and people(live) <= live.table.agreed.keys():
        if await tables.store.are_gone(numbers_of(live.table.seats)):
            raise Refused(409, "a player of this game has left for good, so it cannot be played again")
        await _begin(tables, live)
    return live.table.row.rematch


def people(live: LiveTable) -> set[int]:
    """Return the seats of people."""
    return {seat.seat for seat in live.table.seats if seat.player}


async def _begin(tables: Tables, live: LiveTable) -> None:
    """Make the table at which the same seats play again."""
    table, old = live.table, live.table.row
    seats = [Sitter(seat.number, seat.bot, table.agreed.get(seat.seat, "")) for seat in table.seats]
    found = game(old.game)
    given = table.folded.committed if old.owned else old.options
    options = found.read_options(len(seats), given)  # perhaps they were agreed under older rules
    agreed = options, old.clock, old.speed, old.private, seats
    made = new_table(found, *agreed, rated=old.rated, hints=table.folded.hints, owned=old.owned)
    if not old.owned:
        await _add(tables, live, made, {})
        return
    async with tables.bringing_cards:
        if not live.table.row.rematch:  # else somebody has made it while this one waited, with the same cards
            await _add(tables, live, made, await _cards(tables, table, options))


async def _add(tables: Tables, live: LiveTable, made: Made, chosen: Mapping[int, SeatChoice]) -> None:
    """Write the new table, and in the old one that it is there."""
    entries, folded = first_entries(made, chosen=chosen)

    def again() -> list[LogEntry]:
        return [] if live.table.row.rematch else [live.table.next_entry(AGAIN, folded.row.id)]

    await tables.change(live, again, entries, folded)


async def _cards(tables: Tables, table: Table, options: Mapping[str, object]) -> dict[int, SeatChoice]:
    """Return what the players bring who play with their own cards, as they have them now; raises Refused."""
    chosen, found = {}, game(table.row.game)
    for seat in table.seats:
        who = seat.name or "somebody"
        chosen[seat.seat] = await cards_brought(tables, found, seat.number or 0, seat.seat, options, who)
    return chosen
