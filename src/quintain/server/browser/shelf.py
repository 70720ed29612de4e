"""The values for the lobby and the list of games in a browser: its own tables, which nobody else sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from quintain.engine.errors import QuintainError
from quintain.engine.play.verdict import ordinal
from quintain.server.browser.house import House
from quintain.server.model.entries import PLAYING, Seat, TableRow
from quintain.server.model.results import number_in
from quintain.server.pages.coach import lobby_facts
from quintain.server.pages.contexts import by_weight, game_facts, is_here, options_words, page_context, title_of
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import day_of

ON_PAGE = 20
"""Games on a page of a list."""


class GamesPage(NamedTuple):
    """The part of a list that a page shows, and the addresses of the pages beside it."""

    here: slice
    newer: str | None
    older: str | None


def games_page(listed: Sequence[Any], path: str, number: str) -> GamesPage:
    """Return the part of a list, the newest first, that the number of a page in an address means.

    A number that is none means the first page, and one beyond the list means the last.
    """
    last = max(1, -(-len(listed) // ON_PAGE))
    page = min(max(1, number_in(number) or 1), last)
    newer = f"{path}?page={page - 1}" if page > 1 else None
    older = f"{path}?page={page + 1}" if page < last else None
    return GamesPage(slice((page - 1) * ON_PAGE, page * ON_PAGE), newer, older)


async def lobby_values(house: House) -> Context:
    """Return the values for the lobby."""
    visitor = house.visitor()
    learned = house.store.learned(visitor.id)
    running = [await _running(house, *each) for each in _tables(house, is_over=False)]
    games = []
    for found in by_weight():
        least, most = found.minutes
        facts = {**game_facts(found), **lobby_facts(found, learned)}
        games.append({**facts, "minutes": f"{least} to {most} min", "weight": found.weight})
    return {
        **page_context(visitor, "Lobby", "/"),
        "games": games,
        "turns": [one for one in running if one["is_asked"]],
        "rest": [one for one in running if not one["is_asked"]],
        "is_new": not running and not learned,
    }


async def shelf_values(house: House, number: str = "", notice: str = "") -> Context:
    """Return the values for the list of games: those that run, and a page of those that are over."""
    running = [await _running(house, *each) for each in _tables(house, is_over=False)]
    finished = _tables(house, is_over=True)
    page = games_page(finished, "/games", number)
    rows = [_finished(house, *each) for each in finished[page.here]]
    return {
        **page_context(house.visitor(), "My games", "/games"),
        "running": running,
        "finished": len(finished),
        "shelf": {"rows": rows, "newer": page.newer, "older": page.older},
        "notice": notice,
    }


def _tables(house: House, *, is_over: bool) -> list[tuple[TableRow, list[Seat]]]:
    """Return the tables of all people on this device, the newest first."""
    found: dict[str, tuple[TableRow, list[Seat]]] = {}
    for person in house.store.settings.people:
        found |= {row.id: (row, seats) for row, seats in house.store.listed(person.id, is_over=is_over)}
    return sorted(found.values(), key=lambda each: -_when(house, each[0]))


def _when(house: House, row: TableRow) -> float:
    return house.store.kept[row.id].ended or row.made


async def _running(house: House, row: TableRow, seats: Sequence[Seat]) -> Context:
    """Return a table in play, with what the visitor is asked there, or which other person on this device.

    What others are asked is theirs: the words of a question may name a card that they alone have seen.
    """
    asked, visitor = None, house.visitor().id
    if row.status == PLAYING and is_here(row):
        try:
            live = await house.tables.get(row.id)
        except QuintainError:
            live = None
        if live and live.table.match:
            people = house.people_at(live)
            to_act = [seat for seat in sorted(live.table.match.to_act) if seats[seat].player in people]
            asked = min(to_act, key=lambda seat: seats[seat].player != visitor, default=None)
    waits = ""
    if asked is not None and live:
        waits = live.question(asked) if seats[asked].player == visitor else f"{seats[asked].name} is asked"
    return {**_listed(house, row, seats), "is_asked": asked is not None, "question": waits}


def _listed(house: House, row: TableRow, seats: Sequence[Seat]) -> Context:
    here = house.visitor().id
    return {
        "id": row.id,
        "game": row.game,
        "title": title_of(row.game),
        "rivals": ", ".join(seat.name for seat in seats if seat.name and seat.player != here),
        "lesson": row.lesson is not None,
        "options_words": options_words(row, len(seats)),
        "href": f"/tables/{row.id}",
    }


def _finished(house: House, row: TableRow, seats: Sequence[Seat]) -> Context:
    """Return a finished game as a list shows it."""
    kept, here = house.store.kept[row.id], house.visitor().id
    own = next((seat.seat for seat in seats if seat.player == here), None)
    place = ""
    if kept.ranks:
        first = [seat.name for seat in seats if kept.ranks[seat.seat] == min(kept.ranks)]
        is_first = own is None or kept.ranks[own] == min(kept.ranks)
        won = "won" if own is not None else f"{first[0]} won"
        place = (won if len(first) == 1 else "drawn") if is_first else ordinal(kept.ranks[own or 0])
    return {
        **_listed(house, row, seats),
        "day": day_of(kept.ended or row.made),
        "place": place,
        "has_replay": kept.ranks is not None and is_here(row),
    }
