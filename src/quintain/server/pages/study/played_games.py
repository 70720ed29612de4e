"""A finished game as lists show it: who sat where, how it ended, when, and what sets it apart."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from quintain.engine.play.verdict import ordinal
from quintain.server.model.levels import levels
from quintain.server.model.results import (
    DRAWN,
    LEFT,
    LOST,
    RESIGNED,
    STOPPED,
    STRANGER,
    WON,
    FinishedGame,
    number_in,
)
from quintain.server.model.seating import Person
from quintain.server.pages.contexts import options_words, title_of
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import day_of, lasted

RESULT_WORDS = {
    WON: "won",
    DRAWN: "drawn",
    LOST: "lost",
    RESIGNED: "resigned",
    LEFT: "left early",
    STOPPED: "stopped",
}
MINUS = "\u2212"


class People(Protocol):
    """What knows people by their numbers: the store of a server, or of a browser."""

    def persons(self, numbers: Collection[int]) -> Awaitable[dict[int, Person]]:
        """Return players by their numbers."""


@dataclass(frozen=True)
class Who:
    """A player or a bot, as pages name them. `id` is the one in a player's cookie, which no page shows."""

    key: str
    name: str
    is_bot: bool
    id: str = ""

    @property
    def href(self) -> str | None:
        """The address of their page; None for a stranger."""
        return None if self.key.startswith(STRANGER) else f"/players/{self.key}"


async def who_is(known: People, keys: Collection[str]) -> Mapping[str, Who]:
    """Return who stands behind some keys; those that stand for nobody are left out."""
    people = await known.persons({number for key in keys if (number := number_in(key)) is not None})
    found = {str(number): Who(str(number), person.name, False, person.id) for number, person in people.items()}
    names = levels()
    strangers = {key: Who(key, key.removeprefix(STRANGER), False) for key in keys if key.startswith(STRANGER)}
    bots = {key: Who(key, names.get(key, key), True) for key in keys if not key.isdigit() and key not in strangers}
    return found | strangers | bots


def row(each: FinishedGame, names: Mapping[str, Who]) -> Context:
    """Return a finished game as lists show it."""
    own, others = each.own, [seat for seat in each.seats if seat.seat != each.own.seat]
    href = f"/tables/{own.table}"
    return {
        "href": href,
        "analysis_url": "" if own.result == STOPPED else f"{href}/analysis",
        "record_url": "" if own.result == STOPPED else f"{href}/record.json",
        "game": own.game,
        "title": title_of(own.game),
        "notes": _notes(each),
        "rivals": [{"who": seat.who, "name": names[seat.who].name, "href": names[seat.who].href} for seat in others],
        "result": own.result,
        "place": own.rank if own.result == LOST and len(each.seats) > 2 else None,
        "words": ordinal(own.rank) if own.result == LOST and len(each.seats) > 2 else RESULT_WORDS[own.result],
        "score": _score(each, names),
        "date": day_of(own.ended),
        "length": ", ".join(
            filter(None, (f"{own.moves} moves", "" if _is_foreign(each) else lasted(each.table.begun, own.ended)))
        ),
        "change": "" if own.change is None else f"{own.change:+}".replace("-", MINUS),
    }


def _notes(each: FinishedGame) -> str:
    """Return what sets a game apart, in words: a lesson, a rating, options that are not the usual ones."""
    lesson = "lesson" if each.table.lesson is not None else ""
    rated = "rated" if each.own.rated else ""
    is_practice = each.own.uncounted and not lesson and each.own.result != STOPPED
    uncounted = "brought in as a record" if _is_foreign(each) else "practice" if is_practice else ""
    alike = "two players share a browser or an address" if each.own.alike else ""
    options = options_words(each.table, len(each.seats))
    return "; ".join(filter(None, (lesson, rated, uncounted, alike, options)))


def _is_foreign(each: FinishedGame) -> bool:
    """Tell whether a game was brought in as a record."""
    return any(seat.who.startswith(STRANGER) for seat in each.seats)


def _score(each: FinishedGame, names: Mapping[str, Who]) -> str:
    """Return a player's score and that of the rival, or of the best of them, or why there is none; perhaps empty."""
    if each.own.result == STOPPED:
        return "without a result"
    own, others = each.own, [seat for seat in each.seats if seat.seat != each.own.seat]
    if own.score is None or any(seat.score is None for seat in others):
        return ""
    best = min(others, key=lambda seat: (seat.rank, seat.seat))
    return f"{own.score} : {best.score}" if len(others) == 1 else f"{own.score}; {names[best.who].name} {best.score}"


class Month(NamedTuple):
    """A month in words, when it began, and when the next one did."""

    words: str
    since: float
    until: float


def month_of(at: float) -> Month:
    """Return the month of a time."""
    there = time.localtime(at)
    since, until = (time.mktime((there.tm_year, there.tm_mon + i, 1, 0, 0, 0, 0, 0, -1)) for i in (0, 1))
    return Month(time.strftime("%B %Y", there), since, until)


def by_month(
    games: Sequence[FinishedGame], rows: Sequence[Context], results: Sequence[tuple[float, str, bool]]
) -> list[Context]:
    """Return the rows of games by month, newest first, each month with the number of all its games.

    `results` says when each game of these months ended, with which result, and whether it counts.
    """
    months: dict[Month, list[Context]] = {}
    for each, shown in zip(games, rows, strict=True):
        months.setdefault(month_of(each.own.ended), []).append(shown)
    listed: list[Context] = []
    for month, of_month in months.items():
        in_it = [(result, counts) for ended, result, counts in results if month.since <= ended < month.until]
        won = in_it.count((WON, True))
        listed.append({"month": month.words, "rows": of_month, "games": len(in_it), "won": won})
    return listed
