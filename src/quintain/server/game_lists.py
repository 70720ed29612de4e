"""The values for lists of games: those of a player that run, and those that are over, with their filter.

`history.py` finds finished games, `player_pages.py` adds the pages of players, and `player_routes.py` shows all.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.errors import BadOption, QuintainError, UnknownGame
from quintain.engine.registry import game
from quintain.engine.verdict import ordinal
from quintain.server.clock import now
from quintain.server.contexts import CLOCK_WORDS, LISTED, by_weight, options_words, page_context
from quintain.server.entries import PLAYING, Seat, TableRow
from quintain.server.history import BOTS, NOT_WON, PEOPLE, Filter, FinishedGame, ListPlace
from quintain.server.house import House
from quintain.server.pages import Context
from quintain.server.players import Visitor
from quintain.server.results import DRAWN, LEFT, LOST, WON, PlayedSeat, key_of
from quintain.server.store import Store
from quintain.server.table import Refused, Table
from quintain.server.workers import levels

ON_PAGE = 20
"""Games on a page of a list."""
MOST_RIVALS = 10
"""A filter offers this many opponents, those of most games."""
ASLEEP = 86400.0
"""Seconds after which a game without a clock counts as asleep if nobody has moved."""
MONTH, YEAR = "month", "year"
RESULT_WORDS = {WON: "won", DRAWN: "drawn", LOST: "lost", LEFT: "left early"}
RESULT_CHOICES = (("", "Any"), (WON, "Won"), (NOT_WON, "Not won"), (DRAWN, "Drawn"), (LEFT, "Left early"))
RATED_CHOICES = (("", "Both"), ("yes", "Rated"), ("no", "For fun"))
WHEN_CHOICES = (("", "Ever"), (MONTH, "This month"), (YEAR, "This year"))
FIELDS = ("game", "with", "result", "rated", "when")
"""The fields of the filter, as they stand in addresses."""
MINUTE, HOUR, DAY = 60, 3600, 86400


@dataclass(frozen=True)
class Who:
    """A player or a bot, as pages name them. `id` is the one in a player's cookie, which no page shows."""

    key: str
    name: str
    is_bot: bool
    id: str = ""

    @property
    def href(self) -> str:
        """The address of their page."""
        return f"/players/{self.key}"


async def who_is(store: Store, keys: Collection[str]) -> Mapping[str, Who]:
    """Return who stands behind some keys; those that stand for nobody are left out."""
    people = await store.persons({int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 10})
    found = {str(number): Who(str(number), person.name, False, person.id) for number, person in people.items()}
    names = levels()
    return found | {key: Who(key, names.get(key, key), True) for key in keys if not key.isdigit()}


async def found_player(store: Store, key: str) -> Who:
    """Return the player or the bot with a key; raises Refused if there is none."""
    found = (await who_is(store, [key])).get(key)
    if found is None or (found.is_bot and key not in levels()):
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
    """A page of a list of finished games, as templates show it, and the addresses of the pages beside it."""

    months: list[Context]
    newer: str | None
    older: str | None
    number: int


async def shelf(house: House, wanted: Filter, query: Mapping[str, str], path: str) -> Shelf:
    """Return the page of a player's finished games that an address asks for."""
    before, after = (ListPlace.read(query[name]) if query.get(name) else None for name in ("before", "after"))
    found = await house.history.page(wanted, ON_PAGE, before, after)
    if after and not found.games:
        found = await house.history.page(wanted, ON_PAGE)
    sums = await house.history.sums(wanted)
    names = await who_is(house.store, {seat.who for each in found.games for seat in each.seats})
    rows = [row(each, names) for each in found.games]
    kept = {name: query[name] for name in FIELDS if query.get(name)}

    def href(name: str, place: PlayedSeat) -> str:
        return f"{path}?{urlencode({**kept, name: str(ListPlace(place.ended, place.table))})}"

    newer = href("after", found.games[0].own) if found.games and found.has_newer else None
    older = href("before", found.games[-1].own) if found.games and found.has_older else None
    return Shelf(await _months(house, wanted, found.games, rows), newer, older, sums.games)


async def _months(
    house: House, wanted: Filter, games: Sequence[FinishedGame], rows: Sequence[Context]
) -> list[Context]:
    """Return rows by month, each month with the number of all its games that the filter admits."""
    if not games:
        return []
    since = _month_of(games[-1].own.ended)[1]
    last = time.localtime(games[0].own.ended)
    until = time.mktime((last.tm_year, last.tm_mon + 1, 1, 0, 0, 0, 0, 0, -1))
    games_in, won_in = Counter[str](), Counter[str]()
    for ended, result in await house.history.results(wanted, since, until):
        month = _month_of(ended)[0]
        games_in[month] += 1
        won_in[month] += result == WON
    by_month: defaultdict[str, list[Context]] = defaultdict(list)
    for each, shown in zip(games, rows, strict=True):
        by_month[_month_of(each.own.ended)[0]].append(shown)
    return [
        {"month": month, "rows": shown, "games": games_in[month], "won": won_in[month]}
        for month, shown in by_month.items()
    ]


def _month_of(at: float) -> tuple[str, float]:
    """Return the month of a time in words, and when it began."""
    there = time.localtime(at)
    return time.strftime("%B %Y", there), time.mktime((there.tm_year, there.tm_mon, 1, 0, 0, 0, 0, 0, -1))


def row(each: FinishedGame, names: Mapping[str, Who]) -> Context:
    """Return a finished game as lists show it."""
    own, others = each.own, [seat for seat in each.seats if seat.seat != each.own.seat]
    href = f"/tables/{own.table}"
    return {
        "href": href,
        "record_url": f"{href}/record.json",
        "game": own.game,
        "title": title_of(own.game),
        "notes": _notes(each),
        "rivals": [{"who": seat.who, "name": names[seat.who].name, "href": names[seat.who].href} for seat in others],
        "result": own.result,
        "place": own.rank if own.result == LOST and len(each.seats) > 2 else None,
        "words": ordinal(own.rank) if own.result == LOST and len(each.seats) > 2 else RESULT_WORDS[own.result],
        "score": _score(each, names),
        "date": day_of(own.ended),
        "length": ", ".join(filter(None, (f"{own.moves} moves", _lasted(each.table.begun, own.ended)))),
        "rated": own.rated,
    }


def title_of(game_id: str) -> str:
    """Return the title of a game; its id if its rules are gone."""
    try:
        return game(game_id).title
    except UnknownGame:
        return game_id


def _notes(each: FinishedGame) -> str:
    """Return what sets a game apart, in words: a lesson, a rating, options that are not the usual ones."""
    lesson = "lesson" if each.table.lesson is not None else ""
    rated = "rated" if each.own.rated else ""
    options = options_words(each.table, len(each.seats))
    return "; ".join(filter(None, (lesson, rated, options)))


def _score(each: FinishedGame, names: Mapping[str, Who]) -> str:
    """Return a player's score and that of the rival, or of the best of them; empty in a game without scores."""
    own, others = each.own, [seat for seat in each.seats if seat.seat != each.own.seat]
    if own.score is None or any(seat.score is None for seat in others):
        return ""
    best = min(others, key=lambda seat: (seat.rank, seat.seat))
    return f"{own.score} : {best.score}" if len(others) == 1 else f"{own.score}; {names[best.who].name} {best.score}"


def day_of(at: float) -> str:
    """Return a day in words, without the year if it is this one."""
    there, today = time.localtime(at), time.localtime(now())
    return f"{there.tm_mday} {time.strftime('%B' if there.tm_year == today.tm_year else '%B %Y', there)}"


def _lasted(begun: float | None, ended: float) -> str:
    """Return how long a game took, in words; empty if nobody knows."""
    if begun is None or ended < begun:
        return ""
    seconds = ended - begun
    if seconds < 90 * MINUTE:
        return f"{max(1, round(seconds / MINUTE))} min"
    return f"{round(seconds / HOUR)} h" if seconds < 2 * DAY else f"{round(seconds / DAY)} days"


async def games_context(house: House, visitor: Visitor, query: Mapping[str, str]) -> Context:
    """Return the values for the visitor's own games: those that run, and those that are over."""
    running = await house.store.tables_of([visitor.id], LISTED)
    listed = [await _running(house, visitor, table, seats) for table, seats in running.get(visitor.id, [])]
    listed.sort(key=lambda one: (not one["your_turn"], one["asleep"], one["deadline"] or float("inf"), one["waits"]))
    return {
        **page_context(visitor, "My games", "/games"),
        "running": listed,
        "waiting": sum(one["your_turn"] for one in listed),
        **(await _finished(house, visitor, query) if visitor.key else {"shelf": None}),
    }


async def _finished(house: House, visitor: Visitor, query: Mapping[str, str]) -> Context:
    """Return the visitor's finished games that an address asks for, with the filter."""
    key = visitor.key or ""
    wanted, everything = read_filter(key, visitor, query), Filter(key, seen_by=key)
    kept = {name: query[name] for name in FIELDS if query.get(name)}
    found = await shelf(house, wanted, query, "/games")
    return {
        "shelf": found._asdict(),
        "all_games": found.number if not kept else (await house.history.sums(everything)).games,
        "filters": await _filters(house, key, query),
        "records_url": "/games/records.zip" + (f"?{urlencode(kept)}" if kept else ""),
    }


async def _filters(house: House, key: str, query: Mapping[str, str]) -> list[Context]:
    """Return the fields of the filter with their choices."""
    games = Counter[str]()
    for tally in await house.history.tallies(key):
        games[tally.opponent] += tally.games
    met = [opponent for opponent, _ in games.most_common(MOST_RIVALS)]
    asked = query.get("with", "")
    if asked and asked not in (PEOPLE, BOTS, *met):
        met.append(asked)
    names = await who_is(house.store, met)
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


async def _running(house: House, visitor: Visitor, listed: TableRow, seats: Sequence[Seat]) -> Context:
    """Return a game that is not over as the list of the visitor's games shows it."""
    shown: Context = {
        "id": listed.id,
        "href": f"/tables/{listed.id}",
        "game": listed.game,
        "title": title_of(listed.game),
        "rivals": [
            {"who": key_of(seat), "name": seat.name} for seat in seats if seat.name and seat.player != visitor.id
        ],
        "pace": CLOCK_WORDS[listed.clock],
        "your_turn": False,
        "asleep": False,
        "deadline": None,
        "round": "",
        "waits": "waits for players",
    }
    if listed.status != PLAYING:
        return shown
    try:
        table = await house.tables.get(listed.id)
    except QuintainError as error:
        return shown | {"waits": str(error)}
    return shown | _in_play(table, visitor)


def _in_play(table: Table, visitor: Visitor) -> Context:
    """Return how far a game in play is, who is to act there, and how much time they have."""
    you = table.seat_of(visitor.id)
    seen = table.playing().seen(you)
    phase, to_act = seen.view.phase, sorted(seen.to_act)
    your_turn = you in to_act
    due = [at for seat in to_act if (at := table.deadline(seat))] if not your_turn else [table.deadline(you or 0)]
    deadline = min((at for at in due if at), default=None)
    quiet = now() - max(table.asked_at, default=now())
    asleep = deadline is None and quiet > ASLEEP
    if your_turn:
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
        "deadline": int(1000 * deadline) if deadline else None,
        "time_left": _left(deadline),
        "round": f"{phase.unit} {phase.round}{f' of {phase.rounds}' if phase.rounds else ''}" if phase.round else "",
        "waits": waits,
    }


def _left(deadline: float | None) -> str:
    """Return the time until a deadline in words; empty without one."""
    if deadline is None:
        return ""
    left = max(0, int(deadline - now()))
    if left < HOUR:
        return f"{left // MINUTE}:{left % MINUTE:02} left"
    return f"{left // HOUR} h {left % HOUR // MINUTE} min left" if left < 2 * DAY else f"{left // DAY} days left"
