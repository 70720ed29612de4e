"""How the lists of a player did: their finished games with each list, as it was in the options of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quintain.engine.rules.game import Game
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.results import FinishedGame
from quintain.server.pages.archive import Archive
from quintain.server.pages.cards.deck_pages import builder_page, decks_page
from quintain.server.pages.cards.played_lists import did_context, games_by_list, tallied
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.store.finished_games import Filter

MOST_GAMES = 200
"""The newest games that are looked through."""


async def _games_of(archive: Archive, visitor: Visitor, game_id: str) -> dict[str, list[FinishedGame]]:
    """Return the finished games of a visitor that count, newest first, by the list that they played."""
    if visitor.key is None:
        return {}
    wanted = Filter(visitor.key, game_id, seen_by=visitor.key)
    return games_by_list(game_id, (await archive.history.page(wanted, MOST_GAMES)).games)


async def decks_context(archive: Archive, found: Game, visitor: Visitor) -> Context:
    """Return the values for the list of a visitor's decks, and of the ready-made ones to copy."""
    mine = await archive.decks.of_player(visitor.number, found.id) if visitor.number else []
    games = await _games_of(archive, visitor, found.id) if mine else {}
    return decks_page(found, visitor, mine, {text: tallied(each) for text, each in games.items()})


async def builder_context(
    archive: Archive,
    found: Game,
    visitor: Visitor,
    own: OwnDeck,
    query: Mapping[str, str],
    kinds: Iterable[str],
    base_url: str,
) -> Context:
    """Return the values for the builder of a deck; raises BadOption for filters that there are not."""
    games = (await _games_of(archive, visitor, found.id)).get(own.text, [])
    mine = await archive.decks.of_player(own.number, found.id)
    return builder_page(found, visitor, own, await did_context(archive.store, games), query, kinds, base_url, mine)
