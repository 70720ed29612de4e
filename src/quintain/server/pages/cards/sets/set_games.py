"""How the saved sets of a player did: their finished games at tables where they chose exactly these cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quintain.server.model.results import FinishedGame
from quintain.server.pages.archive import Archive
from quintain.server.pages.cards.deck_games import MOST_GAMES
from quintain.server.people.players import Visitor
from quintain.server.store.cards.saved_sets import SavedSet, mark_of
from quintain.server.store.finished_games import Filter

GamesOfSets = Mapping[str, Sequence[FinishedGame]]
"""Finished games that count, newest first, by the id of a saved set."""


async def games_of_sets(archive: Archive, visitor: Visitor, game_id: str, saved: Sequence[SavedSet]) -> GamesOfSets:
    """Return the finished games of a visitor with each of their sets, as it is now.

    After a change of a set the count begins anew. A game in which they chose several sets belongs to each of them.
    The newest games are looked through.
    """
    if visitor.key is None or visitor.number is None or not saved:
        return {}
    tables = await archive.saved_sets.tables_by_mark(visitor.number, game_id)
    if not tables:
        return {}
    wanted = Filter(visitor.key, game_id, seen_by=visitor.key)
    games = [each for each in (await archive.history.page(wanted, MOST_GAMES)).games if not each.own.uncounted]
    chosen_at = {each.id: tables.get(mark_of(each.names), set()) for each in saved}
    return {id_: [each for each in games if each.own.table in there] for id_, there in chosen_at.items()}
