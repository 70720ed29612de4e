"""Quick match: the first table that suits, for those who do not care at which one they sit.

Whoever finds none makes an open table and waits there: the next one who looks for the same finds it. A bot is there at
once.
"""

from __future__ import annotations

from typing import NamedTuple

from quintain.engine.errors import BadOption
from quintain.engine.registry import all_games, game
from quintain.server import fields
from quintain.server.clock import now
from quintain.server.lobby_pages import LISTED_FOR, NEAR, QUICK_CLOCKS
from quintain.server.ratings import START, points
from quintain.server.requests import Post
from quintain.server.standings import Standings
from quintain.server.store import Seated
from quintain.server.table import Refused, Table
from quintain.server.tables import ME, OPEN, Tables
from quintain.server.workers import levels

ANYBODY, SIMILAR = "anybody", "near"
"""Against whom somebody wants to play, if not against a bot, which is named by its level."""
MOST = 50
"""The open tables that are looked through."""


class Wanted(NamedTuple):
    """What somebody wants to play: the game, the rival, and the clock."""

    game: str
    rival: str
    clock: str


def read(posted: Post) -> Wanted:
    """Return what a post wants; raises BadOption for what does not exist, and UnknownGame."""
    rival, clock = posted.text(fields.RIVAL, ANYBODY), posted.text(fields.CLOCK, QUICK_CLOCKS[0])
    if rival not in (ANYBODY, SIMILAR, *levels()):
        raise BadOption(f"there is no rival {rival!r}; there are {ANYBODY}, {SIMILAR}, {', '.join(levels())}")
    if clock not in QUICK_CLOCKS:
        raise BadOption(f"a quick match has no clock {clock!r}; it has {', '.join(QUICK_CLOCKS)}")
    chosen = posted.text(fields.GAME)
    return Wanted(game(chosen).id if chosen else "", rival, clock)


async def match(tables: Tables, player: str, wanted: Wanted, commitment: str = "") -> Table:
    """Return the table at which a player now sits: an open one that suits, or a new one."""
    if wanted.rival in levels():
        return await tables.add(
            player, wanted.game or _usual(), [ME, wanted.rival], {}, wanted.clock, private=True, commitment=commitment
        )
    for row, seats in await _suitable(tables, player, wanted):
        table = await tables.get(row.id)
        for seat in seats:
            if not seat.is_taken:
                try:
                    await tables.sit_down(table, seat.seat, player, commitment)
                except Refused:  # somebody was faster
                    continue
                return table
    return await tables.add(player, wanted.game or _usual(), [ME, OPEN], {}, wanted.clock, commitment=commitment)


def _usual() -> str:
    """Return the game that is played by those who do not mind: the easiest one for two."""
    return min(
        (found for found in all_games() if found.seats[0] == 2), key=lambda found: (found.weight, found.title)
    ).id


async def _suitable(tables: Tables, player: str, wanted: Wanted) -> list[Seated]:
    """Return the open tables that suit, the oldest first: who has waited longest is served first."""
    found = await tables.store.open_tables(now() - LISTED_FOR, MOST)
    suits = [
        (row, seats)
        for row, seats in reversed(found)
        if row.clock == wanted.clock
        and wanted.game in ("", row.game)
        and len(seats) == 2
        and not row.rated
        and all(seat.player != player for seat in seats)
        and all(row.options.get(each.name) == each.default_for(len(seats)) for each in game(row.game).text.OPTIONS)
    ]
    if wanted.rival != SIMILAR:
        return suits
    standings, number = Standings(tables.store.engine), await tables.number_of(player)
    own = {each.game: points(each.rating) for each in await standings.of_player(number)}
    near = []
    for row, seats in suits:
        others = await standings.of_players({seat.number for seat in seats if seat.number is not None})
        theirs = [points(each.rating) for each in others if each.game == row.game] or [START]
        if all(abs(own.get(row.game, START) - one) <= NEAR for one in theirs):
            near.append((row, seats))
    return near
