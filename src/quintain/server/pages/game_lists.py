"""The values for lists of games: those of a player that run, and those that are over, with their filter.

`finished_games.py` finds finished games, `player_pages.py` adds the pages of players, and `player_routes.py` shows all.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.errors import BadOption, QuintainError
from quintain.server.clock import now
from quintain.server.model.entries import PLAYING, Seat, TableRow
from quintain.server.model.levels import levels
from quintain.server.model.results import DRAWN, LEFT, RESIGNED, STOPPED, WON, FinishedGame, PlayedSeat, key_of
from quintain.server.pages.archive import Archive
from quintain.server.pages.contexts import LISTED, by_weight, pace_of, page_context, title_of
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.opponents import MOST_RIVALS
from quintain.server.pages.study.played_games import Who, by_month, month_of, row, who_is
from quintain.server.pages.words import DAY
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.store.finished_games import BOTS, NOT_WON, PEOPLE, Filter, ListPlace
from quintain.server.store.store import Store
from quintain.server.tables.live_table import LiveTable

ON_PAGE = 20
"""Games on a page of a list."""
ASLEEP = 86400.0
"""Seconds after which a game without a clock counts as asleep if nobody has moved."""
MONTH, YEAR = "month", "year"
RESULT_CHOICES = (
    ("", "Any"),
    (WON, "Won"),
    (NOT_WON, "Not won"),
    (DRAWN, "Drawn"),
    (RESIGNED, "Resigned"),
    (LEFT, "Left early"),
    (STOPPED, "Stopped"),
)
RATED_CHOICES = (("", "Both"), ("yes", "Rated"), ("no", "For fun"))
WHEN_CHOICES = (("", "Ever"), (MONTH, "This month"), (YEAR, "This year"))
FIELDS = ("game", "with", "result", "rated", "when")
"""The fields of the filter, as they stand in addresses."""


async def found_player(store: Store, key: str) -> Who:
    """Return the player or the bot with a key; raises Refused if there is none."""
    found = (await who_is(store, [key])).get(key)
    if found is None or found.href is None or (found.is_bot and key not in levels()):
        raise Refused(404, "there is no such player")
    return found


def read_filter(who: str, visitor: Visitor, query: Mapping[str, str]) -> Filter:
    """Return the filter that an address names; raises BadOption for a value that does not exist."""
    _check("result", query, RESULT_CHOICES)
    _check("when", query, WHEN_CHOICES)
    _check("rated", query, RATED_CHOICES)
    rated = {"yes": True, "no": False}.get(query.get("rated", ""))
    game_id, opponent = query.get("game", ""), query.get("with", "")
    return Filter(who, game_id, opponent, query.get("result", ""), rated, _begin(query.get("when", "")), visitor.key)


def _check(field: str, query: Mapping[str, str], choices: Iterable[tuple[str, str]]) -> None:
    allowed = [value for value, _ in choices if value]
    if (given := query.get(field, "")) and given not in allowed:
        raise BadOption(f"{field} is one of {', '.join(allowed)}, not {given[:40]!r}")


def _begin(when: str) -> float | None:
    """Return when this month or this year began; None if neither is asked for."""
    today = time.localtime(now())
    if not when:
        return None
    return time.mktime((today.tm_year, today.tm_mon if when == MONTH else 1, 1, 0, 0, 0, 0, 0, -1))


class Shelf(NamedTuple):
    """A page of a list of finished games, as templates show it, and the addresses of the pages beside it.

    `number` is that of all games in the list; None with one opponent, for whom it would take longest to count.
    """

    months: list[Context]
    newer: str | None
    older: str | None
    number: int | None


async def shelf(archive: Archive, wanted: Filter, query: Mapping[str, str], path: str) -> Shelf:
    """Return the page of a player's finished games that an address asks for."""
    before, after = (ListPlace.read(query[name]) if query.get(name) else None for name in ("before", "after"))
    found = await archive.history.page(wanted, ON_PAGE, before, after)
    if after and not found.games:
        found = await archive.history.page(wanted, ON_PAGE)
    number = None if wanted.opponent else await archive.history.number(wanted)
    names = await who_is(archive.store, {seat.who for each in found.games for seat in each.seats})
    rows = [row(each, names) for each in found.games]
    kept = {name: query[name] for name in FIELDS if query.get(name)}

    def href(name: str, place: PlayedSeat) -> str:
        return f"{path}?{urlencode({**kept, name: str(ListPlace(place.ended, place.table))})}"

    newer = href("after", found.games[0].own) if found.games and found.has_newer else None
    older = href("before", found.games[-1].own) if found.games and found.has_older else None
    return Shelf(await _months(archive, wanted, found.games, rows), newer, older, number)


async def _months(
    archive: Archive, wanted: Filter, games: Sequence[FinishedGame], rows: Sequence[Context]
) -> list[Context]:
    """Return rows by month, each month with the number of all its games that the filter admits."""
    if not games:
        return []
    newest, oldest = month_of(games[0].own.ended), month_of(games[-1].own.ended)
    return by_month(games, rows, await archive.history.results(wanted, oldest.since, newest.until))


async def games_context(archive: Archive, visitor: Visitor, query: Mapping[str, str]) -> Context:
    """Return the values for the visitor's own games: those that run, and those that are over."""
    running = await archive.store.tables_of([visitor.id], LISTED)
    listed = [await _running(archive, visitor, table, seats) for table, seats in running.get(visitor.id, [])]
    listed.sort(key=lambda one: (not one["your_turn"], one["asleep"], one["until"] or float("inf"), one["waits"]))
    return {
        **page_context(visitor, "My games", "/games"),
        "notice": None,
        "running": listed,
        "waiting": sum(one["your_turn"] for one in listed),
        **(await _finished(archive, visitor, query) if visitor.key else {"shelf": None}),
    }


async def _finished(archive: Archive, visitor: Visitor, query: Mapping[str, str]) -> Context:
    """Return the visitor's finished games that an address asks for, with the filter."""
    key = visitor.key or ""
    wanted = read_filter(key, visitor, query)
    kept = {name: query[name] for name in FIELDS if query.get(name)}
    found = await shelf(archive, wanted, query, "/games")
    return {
        "shelf": found._asdict(),
        "all_games": None if kept else found.number,
        "uncounted": (await archive.history.sums(Filter(key, seen_by=key))).uncounted,
        "has_finished": bool(kept or found.number),
        "filters": await _filters(archive, key, query),
        "records_url": "/games/records.zip" + (f"?{urlencode(kept)}" if kept else ""),
    }


async def _filters(archive: Archive, key: str, query: Mapping[str, str]) -> list[Context]:
    """Return the fields of the filter with their choices."""
    met = await archive.history.met(key, MOST_RIVALS)
    asked = query.get("with", "")
    if asked and asked not in (PEOPLE, BOTS, *met):
        met.append(asked)
    names = await who_is(archive.store, met)
    rivals = (
        ("", "Everybody"),
        (PEOPLE, "People"),
        (BOTS, "Bots"),
        *((each, names[each].name) for each in met if each in names),
    )
    titles = (("", "All games"), *((found.id, found.title) for found in by_weight()))
    fields = (
        ("game", "Game", titles),
        ("with", "Opponent", rivals),
        ("result", "Result", RESULT_CHOICES),
        ("rated", "Rated", RATED_CHOICES),
        ("when", "When", WHEN_CHOICES),
    )
    return [
        {
            "name": name,
            "label": label,
            "choices": [
                {"value": value, "words": words, "chosen": value == query.get(name, "")} for value, words in of
            ],
        }
        for name, label, of in fields
    ]


async def _running(archive: Archive, visitor: Visitor, listed: TableRow, seats: Sequence[Seat]) -> Context:
    """Return a game that is not over as the list of the visitor's games shows it."""
    shown: Context = {
        "id": listed.id,
        "href": f"/tables/{listed.id}",
        "game": listed.game,
        "title": title_of(listed.game),
        "rivals": [
            {"who": key_of(seat), "name": seat.name} for seat in seats if seat.name and seat.player != visitor.id
        ],
        "pace": pace_of(listed),
        "your_turn": False,
        "asleep": False,
        "until": None,
        "adjourned": False,
        "round": "",
        "waits": "waits for players",
    }
    if listed.status != PLAYING:
        return shown
    try:
        live = await archive.tables.get(listed.id)
    except QuintainError as error:
        return shown | {"waits": str(error)}
    return shown | _in_play(live, visitor)


def _in_play(live: LiveTable, visitor: Visitor) -> Context:
    """Return how far a game in play is, who is to act there, and how much time they have."""
    you = live.table.seat_of(visitor.id)
    seen = live.table.playing().seen(you)
    phase, to_act, adjourned = seen.view.phase, sorted(seen.to_act), live.ends_at is not None
    your_turn = you is not None and live.table.seats[you].stand_in if adjourned else you in to_act
    due = [at for seat in to_act if (at := live.deadline(seat))] if not your_turn else [live.deadline(you or 0)]
    deadline = live.ends_at or min((at for at in due if at), default=None)
    quiet = now() - max(live.table.times.asked_at, default=now())
    asleep = deadline is None and quiet > ASLEEP
    if adjourned:
        waits = "everybody has left: go on?"
    elif your_turn:
        waits = seen.view.question.words if seen.view.question else "your move"
    else:
        waits = f"{' and '.join(seen.names[seat] for seat in to_act)} to move"
    if asleep and not your_turn:
        waits = (
            f"nobody has moved for {int(quiet // DAY)} days" if quiet >= 2 * DAY else "nobody has moved since yesterday"
        )
    return {
        "your_turn": your_turn,
        "asleep": asleep and not your_turn,
        "until": deadline,
        "adjourned": adjourned,
        "round": f"{phase.unit} {phase.round}{f' of {phase.rounds}' if phase.rounds else ''}" if phase.round else "",
        "waits": waits,
    }
