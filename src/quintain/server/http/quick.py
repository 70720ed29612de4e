"""Quick match: it finds a table for those who do not care at which one they sit.

Whoever finds none makes an open table and waits there: the next one who looks for the same finds it. A bot is there at
once.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from quintain.engine.errors import BadOption
from quintain.engine.rules.registry import game
from quintain.server.clock import now
from quintain.server.http.posts import QuickMatch
from quintain.server.model.levels import levels
from quintain.server.model.listed import Seated
from quintain.server.pages.archive import Archive
from quintain.server.pages.contexts import by_weight, is_here, options_words
from quintain.server.pages.lobby_pages import LISTED_FOR, QUICK_CLOCKS, is_near, points_of, strengths_at
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.acts import ME, OPEN
from quintain.server.tables.live_table import LiveTable

ANYBODY, SIMILAR = "anybody", "near"
"""Against whom somebody wants to play, if not against a bot, which is named by its level."""
MOST = 50
"""The open tables that are looked through."""


class Wanted(NamedTuple):
    """What somebody wants to play: the game, the rival, and the clock."""

    game: str
    rival: str
    clock: str


def read(given: QuickMatch) -> Wanted:
    """Return what a post wants; raises BadOption for what does not exist, and UnknownGame."""
    rival, clock = given.rival or ANYBODY, given.clock or QUICK_CLOCKS[0]
    if rival not in (ANYBODY, SIMILAR, *levels()):
        raise BadOption(f"there is no rival {rival!r}; there are {ANYBODY}, {SIMILAR}, {', '.join(levels())}")
    if clock not in QUICK_CLOCKS:
        raise BadOption(f"a quick match has no clock {clock!r}; it has {', '.join(QUICK_CLOCKS)}")
    return Wanted(game(given.game).id if given.game else "", rival, clock)


async def match(archive: Archive, player: str, wanted: Wanted, commitment: str = "") -> LiveTable:
    """Return the table at which a player now sits: an open one that suits, or a new one."""
    tables = archive.tables
    if wanted.rival in levels():
        return await acts.add(
            tables,
            player,
            wanted.game or _usual(),
            [ME, wanted.rival],
            {},
            wanted.clock,
            private=True,
            commitment=commitment,
        )
    for row, seats in await _suitable(archive, player, wanted):
        live = await tables.get(row.id)
        if live.table.seat_of(player) is not None:
            return live  # they have looked for this before, and wait there
        for seat in seats:
            if not seat.is_taken:
                with contextlib.suppress(Refused):  # somebody may be faster
                    await acts.sit_down(tables, live, seat.seat, player, commitment)
                    return live
    return await acts.add(tables, player, wanted.game or _usual(), [ME, OPEN], {}, wanted.clock, commitment=commitment)


def _usual() -> str:
    """Return the game that is played by those who do not mind: the easiest one for two."""
    return next(found.id for found in by_weight() if found.seats[0] == 2)


async def _suitable(archive: Archive, player: str, wanted: Wanted) -> list[Seated]:
    """Return the open tables that suit, the oldest first: who has waited longest is served first."""
    found = await archive.store.open_tables(now() - LISTED_FOR, MOST)
    suits = [each for each in reversed(found) if _is_wanted(each, wanted)]
    if wanted.rival != SIMILAR:
        return suits
    at, strengths = await points_of(archive, player), await strengths_at(archive, suits)
    return [each for each in suits if is_near(each, at, strengths)]


def _is_wanted(each: Seated, wanted: Wanted) -> bool:
    """Tell whether an open table is one for two of the wanted game, with its clock and the usual options, for fun."""
    row, seats = each
    is_for_two = is_here(row) and len(seats) == 2 and not row.rated and not options_words(row, len(seats))
    return is_for_two and row.clock == wanted.clock and wanted.game in ("", row.game)
