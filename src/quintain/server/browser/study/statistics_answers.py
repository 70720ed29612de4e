"""Answers about statistics: what wins in each game, over the finished games of all people on this device."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from quintain.engine.errors import BadRecord
from quintain.engine.rules.registry import game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.keeping import BrowserStore, Documents, KeptTable
from quintain.server.model.entries import fold
from quintain.server.model.wins import WinCount, counts, is_counted
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.win_shares import chosen_size, index_context, shown_statistics
from quintain.server.refused import Refused

KIND = "wins"
"""The kind of the documents that hold what a game adds to the counts: one for each game, followed by its id."""
log = logging.getLogger("quintain.server")


class KeptCounts(msgspec.Struct):
    """A document: what the game at a table adds to the counts."""

    table: str
    counts: list[WinCount]


async def statistics(house: House, asked: PageRequest, parts: Sequence[str]) -> PageAnswer:
    """Show for which games there are statistics, or those of one game with a number of seats."""
    visitor = house.visitor()
    match parts:
        case []:
            games = Counter(kept.row.game for kept in house.store.kept.values() if is_counted(kept.played))
            return _page(house, "statistics_index.html", index_context(visitor, games))
        case [id_]:
            found = game(id_)
            numbers = sizes(house.store, id_)
            chosen = chosen_size(found, asked.query.get("seats", ""), numbers)
            counted = await counts_of(house.store, id_, chosen) if chosen else []
            return _page(house, "statistics.html", shown_statistics(found, visitor, numbers, chosen, counted))
    raise Refused(404, "there is no such page")


def sizes(store: BrowserStore, game_id: str) -> Mapping[int, int]:
    """Return how many games are counted for each number of seats, the least number first."""
    found = Counter(len(kept.played) for kept in store.kept.values() if _counts(kept, game_id))
    return dict(sorted(found.items()))


async def counts_of(store: BrowserStore, game_id: str, seats: int) -> list[WinCount]:
    """Return all counts of a game with a number of seats. What a game adds is kept when it is counted first."""
    documents = Documents(store.keeper, f"{KIND} {game_id}", KeptCounts)
    known = {each.table: each.counts for each in await documents.all()}
    games, won = Counter[tuple[str, str, bool]](), defaultdict[tuple[str, str, bool], float](float)
    for kept in [*store.kept.values()]:
        if len(kept.played) != seats or not _counts(kept, game_id):
            continue
        if (found := known.get(kept.row.id)) is None:
            found = await _counted(store, kept.row.id)
            await documents.put(kept.row.id, KeptCounts(kept.row.id, found))
        for each in found:
            games[each[2:5]] += each.games
            won[each[2:5]] += each.won
    return [WinCount(game_id, seats, *key, games[key], won[key]) for key in sorted(games)]


def _counts(kept: KeptTable, game_id: str) -> bool:
    return kept.row.game == game_id and is_counted(kept.played)


async def _counted(store: BrowserStore, table: str) -> list[WinCount]:
    """Return what the game at a table adds to the counts; nothing if its log cannot be read."""
    try:
        return counts(fold(await store.entries(table)))
    except BadRecord as error:
        log.warning("a game is not counted", extra={"table": table, "reason": str(error)})
        return []


def _page(house: House, template: str, context: Context) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context))
