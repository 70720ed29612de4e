"""The values for the page of a player or a bot, and for that of two who have played each other.

`game_lists.py` has the lists of games in them, and `player_routes.py` shows the pages.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from quintain.server.model.levels import manner
from quintain.server.pages.archive import Archive
from quintain.server.pages.brought.collections import collections_context
from quintain.server.pages.coats import blazon, coat_of
from quintain.server.pages.contexts import page_context
from quintain.server.pages.game_lists import found_player, shelf
from quintain.server.pages.rating_pages import ratings_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.decisions import decisions_context
from quintain.server.pages.study.opponents import grid, met, pair_values, rivals
from quintain.server.pages.study.played_games import Who, row, who_is
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.store.finished_games import Filter

LAST = 5
"""The games that a player's page shows."""


async def player_context(archive: Archive, visitor: Visitor, key: str) -> Context:
    """Return the values for the page of a player or a bot; raises Refused if there is none."""
    who = await found_player(archive.store, key)
    wanted, is_you = Filter(key, seen_by=visitor.key), key == visitor.key
    last = await archive.history.page(wanted, LAST)
    tallies = [] if who.is_bot else await archive.history.tallies(key)
    names = await who_is(archive.store, {seat.who for each in last.games for seat in each.seats} | rivals(tallies))
    return {
        **page_context(visitor, who.name, f"/players/{key}"),
        "who": _facts(archive, who),
        "is_you": is_you,
        "can_invite": bool(visitor.key and not who.is_bot and await archive.history.tallies(key, visitor.key)),
        "notice": None,
        "pair_href": _pair_href(who, visitor.key) if visitor.key and not is_you else None,
        "sums": None if who.is_bot else (await archive.history.sums(Filter(key, seen_by=key)))._asdict(),
        **await _presence(archive, who),
        **await ratings_context(archive, who),
        "judged": await decisions_context(archive.analyses, archive.standings, who, is_you),
        "collections": [] if who.is_bot else await collections_context(archive, int(who.key)),
        "met": met(tallies),
        "last": [row(each, names) for each in last.games],
        "grid": grid(key, tallies, names),
    }


async def pair_context(archive: Archive, visitor: Visitor, key: str, other: str, query: Mapping[str, str]) -> Context:
    """Return the values for the page of two players; raises Refused if there is one of them only.

    A bot has played too many games to look through them for a rival: on its page with a player the player comes first.
    """
    who, rival = await found_player(archive.store, key), await found_player(archive.store, other)
    if who.is_bot:
        if rival.is_bot:
            raise Refused(404, "two bots have no page of their games")
        return await pair_context(archive, visitor, other, key, query)
    path = f"{who.href}/with/{other}"
    wanted = Filter(key, opponent=other, seen_by=visitor.key)
    tallies = await archive.history.tallies(key, other)
    found = await shelf(archive, wanted, query, path)
    return pair_values(visitor, _facts(archive, who), _facts(archive, rival), tallies, found._asdict())


def _pair_href(who: Who, visitor: str) -> str:
    """Return the address of the page of a player and a visitor; a bot comes second there."""
    return f"/players/{visitor}/with/{who.key}" if who.is_bot else f"{who.href}/with/{visitor}"


def _facts(archive: Archive, who: Who) -> Context:
    return {
        "key": who.key,
        "name": who.name,
        "blazon": blazon(coat_of(who.key)),
        "href": who.href,
        "is_bot": who.is_bot,
        "manner": manner(who.key) if who.is_bot else "",
        "is_here": who.is_bot or archive.sessions.is_here(who.id),
    }


async def _presence(archive: Archive, who: Who) -> Context:
    """Return since when a player has come here, in words, and whether they have been deleted."""
    if who.is_bot:
        return {"since": "", "is_gone": False}
    made, gone = await archive.store.came_and_went(int(who.key))
    return {"since": time.strftime("%B %Y", time.localtime(made)), "is_gone": gone is not None}
