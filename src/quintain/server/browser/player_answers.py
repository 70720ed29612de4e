"""The pages of a person on this device, and of that person with one opponent: what their games add up to."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from quintain.server.browser.asking import PageAnswer
from quintain.server.browser.house import House
from quintain.server.browser.shelf import games_page
from quintain.server.model.results import NOT_TO_THE_END, RESIGNED, WON, FinishedGame, PlayedSeat, Sums, Tally
from quintain.server.model.seating import Person
from quintain.server.pages.coats import blazon, coat_of
from quintain.server.pages.contexts import page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.judged_games import LAST as LAST_JUDGED
from quintain.server.pages.study.judged_games import judged_row
from quintain.server.pages.study.opponents import grid, met, pair_values
from quintain.server.pages.study.played_games import Who, by_month, row, who_is
from quintain.server.refused import Refused

LAST = 5
"""The games that the page lists."""


async def player(house: House, key: str) -> PageAnswer:
    """Show what the games of a person on this device add up to; raises Refused if there is no such person."""
    person = _person(house, key)
    games, visitor = list(finished_games(house, key)), house.visitor()
    sums, counted = _sums(games), tallies(games)
    names = await who_is(house.store, {seat.who for each in games for seat in each.seats})
    judged = await house.analyses.judged(key)
    values = {
        **page_context(visitor, person.name, f"/players/{key}"),
        "who": _facts(key, person.name),
        "is_you": key == visitor.key,
        "others_here": [each.name for each in house.store.settings.people if each.id != visitor.id],
        "sums": sums._asdict(),
        "since": time.strftime("%B %Y", time.localtime(person.named)),
        "judged": [
            judged_row(game, seats[:LAST_JUDGED])
            for game, seats in sorted(judged.items(), key=lambda each: -len(each[1]))
        ],
        "met": met(counted),
        "last": [_listed(each, names) for each in games[:LAST]],
        "grid": grid(key, counted, names),
    }
    return PageAnswer.html(house.templates.render_template("player.html", **values))


async def pair(house: House, key: str, other: str, number: str) -> PageAnswer:
    """Show a page of the games of a person here with one opponent; raises Refused if they have never met."""
    person = _person(house, key)
    games = [each for each in finished_games(house, key) if other in {seat.who for seat in each.seats} - {key}]
    names = await who_is(house.store, {seat.who for each in games for seat in each.seats})
    if other not in names:
        raise Refused(404, f"{person.name} has finished no game with such an opponent here")
    results = [(each.own.ended, each.own.result, not each.own.uncounted) for each in games]
    page = games_page(games, f"/players/{key}/with/{quote(other, safe='')}", number)
    shown = games[page.here]
    months = by_month(shown, [_listed(each, names) for each in shown], results)
    shelf = {"months": months, "newer": page.newer, "older": page.older, "number": None}
    met_in = [each for each in tallies(games) if each.opponent == other]
    rival = {**_facts(other, names[other].name), "href": names[other].href if other.isdigit() else None}
    values = pair_values(house.visitor(), _facts(key, person.name), rival, met_in, shelf)
    return PageAnswer.html(house.templates.render_template("pair.html", **values))


def _person(house: House, key: str) -> Person:
    """Return a person on this device by their number as text; raises Refused if there is none."""
    person = next((each for each in house.store.settings.people if str(each.number) == key), None)
    if person is None:
        raise Refused(404, "there is no such player on this device")
    return person


def _facts(key: str, name: str) -> Context:
    blazoned = blazon(coat_of(key))
    return {
        "key": key,
        "name": name,
        "blazon": blazoned,
        "href": f"/players/{key}",
        "is_bot": False,
        "is_here": False,
    }


def finished_games(house: House, key: str) -> Iterator[FinishedGame]:
    """Yield the finished games of a person, the newest first."""
    ended = (each for each in house.store.kept.values() if each.played)
    for each in sorted(ended, key=lambda each: -each.played[0].ended):
        for own in each.played:
            if own.who == key:
                yield FinishedGame(own, each.played, each.row)


def _sums(games: Sequence[FinishedGame]) -> Sums:
    """Return what games add up to; a browser rates none."""
    counted = [each.own.result for each in games if not each.own.uncounted]
    return Sums(len(counted), counted.count(WON), 0, counted.count(RESIGNED), 0, len(games) - len(counted))


def tallies(games: Sequence[FinishedGame]) -> list[Tally]:
    """Return how a player did against each opponent in each game, most games first."""
    met_in = defaultdict[tuple[str, bool, str], list[tuple[bool, bool]]](list)
    for each in games:
        for other in each.seats:
            if other.who != each.own.who and not each.own.uncounted:
                met_in[other.who, other.bot, each.own.game].append(
                    (_is_ahead(each.own, other), _is_ahead(other, each.own))
                )
    found = [
        Tally(*key, sum(ahead for ahead, _ in each), sum(behind for _, behind in each), len(each))
        for key, each in met_in.items()
    ]
    return sorted(found, key=lambda tally: (-tally.games, tally.opponent))


def _is_ahead(one: PlayedSeat, other: PlayedSeat) -> bool:
    """Tell whether one seat was ahead of another at the end; whoever left was behind all who stayed."""
    return one.result not in NOT_TO_THE_END and (other.result in NOT_TO_THE_END or one.rank < other.rank)


def _listed(each: FinishedGame, names: Mapping[str, Who]) -> Context:
    """Return a game as the list shows it: bots have no pages here."""
    shown = row(each, names)
    return {**shown, "rivals": [{**rival, "href": None} for rival in shown["rivals"]]}
