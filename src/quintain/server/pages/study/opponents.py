"""How a player did against each opponent in each game: as a grid, and on the page of two who have met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from quintain.engine.rules.registry import all_games
from quintain.server.model.results import Tally
from quintain.server.pages.contexts import by_weight, page_context, title_of
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.played_games import Who
from quintain.server.people.players import Visitor

MOST_RIVALS = 10
"""A filter, and a grid, name this many opponents, those of most games."""


def rivals(tallies: Sequence[Tally]) -> set[str]:
    """Return the keys of all opponents."""
    return {each.opponent for each in tallies}


def met(tallies: Sequence[Tally]) -> Context:
    """Return how many people and how many bots a player has met."""
    met = {each.opponent: each.is_bot for each in tallies}
    return {"people": sum(not is_bot for is_bot in met.values()), "bots": sum(met.values())}


def grid(key: str, tallies: Sequence[Tally], names: Mapping[str, Who]) -> Context | None:
    """Return how often a player was ahead of each opponent and behind, by game; None before the first game.

    The opponents of most games have rows of their own, people first; the others share one. Their names lead to pages
    of the two.
    """
    games = defaultdict[str, int](int)
    for each in tallies:
        games[each.opponent] += each.games
    if not games:
        return None
    known = {each.game for each in tallies}
    columns = [found.id for found in by_weight() if found.id in known]
    columns += sorted(known - {found.id for found in all_games()})
    named = sorted((each for each in games if each in names), key=lambda each: (-games[each], each))[:MOST_RIVALS]
    named.sort(key=lambda each: (names[each].is_bot, -games[each]))
    rows = [
        {
            "who": names[each].key,
            "name": names[each].name,
            "href": f"/players/{key}/with/{each}",
            **_cells(tallies, columns, {each}),
        }
        for each in named
    ]
    others = games.keys() - set(named)
    rows += [{"who": None, "name": "Others", "href": None, **_cells(tallies, columns, others)}] if others else []
    rows.append({"who": None, "name": "All", "href": None, **_cells(tallies, columns, games.keys())})
    return {"games": [{"id": each, "title": title_of(each)} for each in columns], "rows": rows}


def pair_values(visitor: Visitor, who: Context, rival: Context, tallies: Sequence[Tally], shelf: Context) -> Context:
    """Return the values for the page of a player and one opponent, with the tallies and a page of games of the two."""
    path = f"/players/{who['key']}/with/{rival['key']}"
    return {
        **page_context(visitor, f"{who['name']} and {rival['name']}", path),
        "who": who,
        "rival": rival,
        "by_game": [
            {
                "title": title_of(each.game),
                "game": each.game,
                "ahead": each.ahead,
                "behind": each.behind,
                "games": each.games,
            }
            for each in sorted(tallies, key=lambda each: -each.games)
        ],
        "ahead": sum(each.ahead for each in tallies),
        "behind": sum(each.behind for each in tallies),
        "games": sum(each.games for each in tallies),
        "shelf": shelf,
    }


def _cells(tallies: Sequence[Tally], columns: Sequence[str], opponents: Collection[str]) -> Context:
    """Return the cells of a row: for each game, and for all, how often ahead and how often behind."""
    of_row = [each for each in tallies if each.opponent in opponents]
    return {
        "cells": [_ahead_behind([each for each in of_row if each.game == column]) for column in columns],
        "all": _ahead_behind(of_row),
    }


def _ahead_behind(tallies: Sequence[Tally]) -> str:
    """Return how often ahead and behind, in words; a hyphen if they never met."""
    if not tallies:
        return "-"
    return f"{sum(each.ahead for each in tallies)} : {sum(each.behind for each in tallies)}"
