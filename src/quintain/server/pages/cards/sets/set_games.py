"""How the saved sets of a player did: their finished games at tables where they chose exactly these cards."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.server.model.saved_sets import GamesOfSets, SavedSet, games_by_set
from quintain.server.pages.archive import Archive
from quintain.server.pages.cards.deck_games import MOST_GAMES
from quintain.server.people.players import Visitor
from quintain.server.store.finished_games import Filter


async def games_of_sets(archive: Archive, visitor: Visitor, game_id: str, saved: Sequence[SavedSet]) -> GamesOfSets:
    """Return the finished games of a visitor with each of their sets, as it is now. The newest are looked through."""
    if visitor.key is None or visitor.number is None or not saved:
        return {}
    tables = await archive.saved_sets.tables_by_mark(visitor.number, game_id)
    if not tables:
        return {}
    wanted = Filter(visitor.key, game_id, seen_by=visitor.key)
    return games_by_set(saved, tables, (await archive.history.page(wanted, MOST_GAMES)).games)
