"""How a list of cards did: finished games by the list that was played, and what pages say of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quintain.server.model.deck_lists import list_played
from quintain.server.model.results import WON, FinishedGame
from quintain.server.pages.cards.deck_pages import ListTally
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.played_games import People, row, who_is

LISTED = 5
"""The newest games that a page lists."""


def games_by_list(game_id: str, games: Iterable[FinishedGame]) -> dict[str, list[FinishedGame]]:
    """Return the games that count by the list that their player played, in the order in which they are given."""
    found: dict[str, list[FinishedGame]] = {}
    for each in games:
        text = list_played(game_id, each.table.options, len(each.seats), each.own.seat)
        if text is not None and not each.own.uncounted:
            found.setdefault(text, []).append(each)
    return found


async def did_context(people: People, games: Sequence[FinishedGame]) -> Context:
    """Return how a list did: won games of how many, with the interval from 20 games on, and the newest games."""
    names = await who_is(people, {seat.who for each in games[:LISTED] for seat in each.seats})
    return tallied(games).context(len(games[0].seats) if games else 2, [row(each, names) for each in games[:LISTED]])


def tallied(games: Sequence[FinishedGame]) -> ListTally:
    """Return how many games there are, and how many were won."""
    return ListTally(len(games), sum(each.own.result == WON for each in games))
