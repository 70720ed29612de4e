"""How the lists of a player did: their finished games with each list, as it was in the options of the game."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.lab.intervals import LEAST, wilson
from quintain.server.model.deck_lists import list_played
from quintain.server.model.results import WON, FinishedGame
from quintain.server.pages.archive import Archive
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import percent
from quintain.server.pages.study.played_games import row, who_is
from quintain.server.people.players import Visitor
from quintain.server.store.finished_games import Filter

MOST_GAMES, LISTED = 200, 5
"""The newest games that are looked through, and those that a page lists."""


async def games_by_list(archive: Archive, visitor: Visitor, game_id: str) -> dict[str, list[FinishedGame]]:
    """Return the finished games of a visitor that count, newest first, by the list that they played."""
    if visitor.key is None:
        return {}
    wanted = Filter(visitor.key, game_id, seen_by=visitor.key)
    found: dict[str, list[FinishedGame]] = {}
    for each in (await archive.history.page(wanted, MOST_GAMES)).games:
        text = list_played(game_id, each.table.options, len(each.seats), each.own.seat)
        if text is not None and not each.own.uncounted:
            found.setdefault(text, []).append(each)
    return found


async def did_context(archive: Archive, games: Sequence[FinishedGame]) -> Context:
    """Return how a list did: won games of how many, with the interval from 20 games on, and the newest games."""
    names = await who_is(archive.store, {seat.who for each in games[:LISTED] for seat in each.seats})
    won = sum(each.own.result == WON for each in games)
    share = None
    if len(games) >= LEAST:
        low, high = wilson(won / len(games), len(games))
        share = {"share": percent(won / len(games)), "low": percent(low), "high": percent(high)}
    seats = len(games[0].seats) if games else 2
    return {
        "games": len(games),
        "won": won,
        "share": share,
        "even": percent(1 / seats),
        "least": LEAST,
        "rows": [row(each, names) for each in games[:LISTED]],
    }
