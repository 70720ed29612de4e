"""The values for the lobby: what waits for its viewer, the open tables that they wish to see, and the games.

`lobby.py` sends the part with the tables again whenever it changes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from minijinja import Environment

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.registry import all_games, game
from quintain.server.clock import now
from quintain.server.model.entries import PLAYING, Seat, TableRow
from quintain.server.model.levels import YARDSTICKS, levels
from quintain.server.model.listed import Invitation, Seated
from quintain.server.model.ratings import START, points
from quintain.server.model.results import key_of
from quintain.server.pages.archive import Archive
from quintain.server.pages.coach import lobby_facts
from quintain.server.pages.contexts import (
    CLOCK_WORDS,
    CSRF,
    LISTED,
    QUICK_CLOCKS,
    by_weight,
    game_facts,
    is_here,
    options_words,
    pace_of,
    page_context,
)
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.puzzle_lists import daily_context
from quintain.server.pages.words import seconds_left, time_left
from quintain.server.people.players import Visitor
from quintain.server.tables.lobby import Asked
from quintain.server.tables.table import CLOCKS

LISTED_FOR, LISTED_FOR_DAYS = 86400.0, 7 * 86400.0
"""Seconds that an open table stays in the lobby: one with a clock of days for a decision stays longer."""
WATCHED = 5
"""The tables to watch that the lobby lists."""
NEAR = 200
"""Two players are near each other's strength if their ratings differ by so many points at most."""


@dataclass(frozen=True)
class Wish:
    """Which open tables somebody wishes to see: of one game, near their strength, rated, or with days for a move."""

    game: str = ""
    near: bool = False
    rated: bool = False
    days: bool = False

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Wish:
        """Return the wish that an address names; raises BadOption for a game that is not here."""
        game_id = query.get("game", "")
        if game_id and all(found.id != game_id for found in all_games()):
            raise BadOption(f"there is no game {game_id[:40]!r}; there are {', '.join(one.id for one in all_games())}")
        return cls(game_id, *(query.get(name) == "yes" for name in ("near", "rated", "days")))

    @classmethod
    def of_text(cls, text: str) -> Wish:
        """Return the wish in the text of a query."""
        return cls.read(dict(parse_qsl(text)))

    def __str__(self) -> str:
        flags = {name: "yes" for name in ("near", "rated", "days") if getattr(self, name)}
        return urlencode(({"game": self.game} if self.game else {}) | flags)

    @property
    def href(self) -> str:
        """The address of the lobby with this wish."""
        return f"/?{self}" if str(self) else "/"


async def lobby_context(archive: Archive, visitor: Visitor, wish: Wish = Wish()) -> Context:
    """Return the values for the lobby's page."""
    learned = await archive.store.learned(visitor.id)
    drawn = (await _drawn(archive, [(visitor.id, str(wish))]))[visitor.id, str(wish)]
    games = [_game(found.id, lobby_facts(found, learned)) for found in by_weight()]
    return {
        **page_context(visitor, "Lobby", "/"),
        **drawn,
        "games": games,
        "daily": await daily_context(archive.puzzles, visitor),
        "quick": {
            "games": [{"id": one["id"], "title": one["title"]} for one in games],
            "clocks": [{"value": clock, "words": CLOCK_WORDS[clock]} for clock in QUICK_CLOCKS],
            "bots": [{"value": level, "words": words} for level, words in _rivals().items()],
            "chosen": wish.game,
        },
        "is_new": not drawn["my_tables"] and not any(known.played for known in learned.values()),
        "socket": f"/lobby/socket?{wish}" if str(wish) else "/lobby/socket",
    }


def _rivals() -> dict[str, str]:
    """Return the levels that people play with and that play every game at their strength."""
    of_all = [levels(found) for found in by_weight()]
    return {
        level: words
        for level, words in levels().items()
        if level not in YARDSTICKS and all(level in each for each in of_all)
    }


def _game(game_id: str, facts: Context) -> Context:
    found = game(game_id)
    least, most = found.minutes
    return {**game_facts(found), **facts, "minutes": f"{least} to {most} min", "weight": found.weight}


async def lobby_data(archive: Archive, visitor: Visitor, wish: Wish) -> Context:
    """Return the tables in the lobby as data, with the seconds that are left at the visitor's own."""
    shown = await lobby_context(archive, visitor, wish)
    own = [
        {name: value for name, value in one.items() if name != "until"}
        | {"time_left": time_left(one["until"]), "seconds_left": seconds_left(one["until"])}
        for one in shown["my_tables"]
    ]
    names = (CSRF, "games", "open_tables", "invitations")
    return {**{name: shown[name] for name in names}, "my_tables": own}


async def lobby_pages(archive: Archive, templates: Environment, asked: Collection[Asked]) -> dict[Asked, str]:
    """Return the tables in the lobby as HTML; all with the same wish who sit nowhere and are near nobody share one."""
    pages: dict[Asked, str] = {}
    shared: dict[str, str] = {}
    for (player, wish), shown in (await _drawn(archive, asked)).items():
        is_own = bool(shown["my_tables"] or shown["invitations"] or shown["wish"]["near"])
        html = None if is_own else shared.get(wish)
        if html is None:
            html = templates.render_template("lobby_tables.html", **shown)
        if not is_own:
            shared[wish] = html
        pages[player, wish] = html
    return pages


async def _drawn(archive: Archive, asked: Collection[Asked]) -> dict[Asked, Context]:
    """Return the values for the tables in the lobby, for each of these players and wishes."""
    players = {player for player, _ in asked}
    owned = await archive.store.tables_of(players, LISTED)
    invited = await archive.invitations.of_players(players)
    waiting = [each for each in await _open_tables(archive) if is_here(each[0])]
    watched = [each for each in await archive.store.public_in_play(now() - LISTED_FOR, WATCHED) if is_here(each[0])]
    strengths = await strengths_at(archive, waiting)
    mine = {player: await _own_tables(archive, player, owned.get(player, [])) for player in players}
    shown: dict[Asked, Context] = {}
    for player, text in asked:
        wish, own = Wish.of_text(text), mine[player]
        at = await points_of(archive, player) if wish.near else {}
        ids = {one["id"] for one in own}
        listed = [_open(each, strengths) for each in waiting if _suits(each, wish, at, strengths)]
        shown[player, text] = {
            "my_tables": own,
            "invitations": [_invitation(each) for each in invited.get(player, [])],
            "open_tables": listed,
            "watched": [_listed(*each) for each in watched if each[0].id not in ids],
            "wish": _choices(wish),
        }
    return shown


async def _open_tables(archive: Archive) -> list[Seated]:
    """Return the public tables at which somebody waits for players, newest first."""
    found = await archive.store.open_tables(now() - LISTED_FOR_DAYS, LISTED)
    return [each for each in found if each[0].made > now() - LISTED_FOR or _has_days(each[0])]


def _has_days(row: TableRow) -> bool:
    seconds = CLOCKS[row.clock]
    return seconds is not None and seconds >= LISTED_FOR


async def strengths_at(archive: Archive, waiting: Sequence[Seated]) -> Mapping[tuple[int, str], int]:
    """Return the points of the people at open tables, by their numbers and the games."""
    numbers = {seat.number for _, seats in waiting for seat in seats if seat.number is not None}
    found = await archive.standings.of_players(numbers)
    return {(each.number, each.game): points(each.rating) for each in found}


async def points_of(archive: Archive, player: str) -> Mapping[str, int]:
    """Return the points of a player by game."""
    person = await archive.store.player(player)
    found = await archive.standings.of_player(person.number) if person else []
    return {each.game: points(each.rating) for each in found}


def _suits(each: Seated, wish: Wish, at: Mapping[str, int], strengths: Mapping[tuple[int, str], int]) -> bool:
    """Tell whether an open table is what somebody wishes to see; `at` are their points by game."""
    row, _ = each
    return (
        wish.game in ("", row.game)
        and (row.rated or not wish.rated)
        and (_has_days(row) or not wish.days)
        and (not wish.near or is_near(each, at, strengths))
    )


def is_near(each: Seated, at: Mapping[str, int], strengths: Mapping[tuple[int, str], int]) -> bool:
    """Tell whether the people at an open table are near somebody's strength; who is not rated counts as a newcomer."""
    row, seats = each
    own = at.get(row.game, START)
    theirs = [strengths.get((seat.number, row.game), START) for seat in seats if seat.number is not None]
    return all(abs(own - one) <= NEAR for one in theirs)


def _choices(wish: Wish) -> Context:
    """Return the filter of the open tables: each choice with its address, and whether it holds."""
    games = [
        {
            "id": found.id,
            "title": found.title,
            "href": replace(wish, game=found.id).href,
            "is_on": wish.game == found.id,
        }
        for found in by_weight()
    ]
    flags = (
        ("Near my strength", wish.near, replace(wish, near=not wish.near)),
        ("Rated", wish.rated, replace(wish, rated=not wish.rated)),
        ("Days a move", wish.days, replace(wish, days=not wish.days)),
    )
    return {
        "all": {"href": replace(wish, game="").href, "is_on": not wish.game},
        "games": games,
        "flags": [{"words": words, "href": other.href, "is_on": is_on} for words, is_on, other in flags],
        "near": wish.near,
        "is_narrow": wish != Wish(),
    }


def _invitation(each: Invitation) -> Context:
    """Return an invitation for the template."""
    return {
        "table": each.row.id,
        "href": f"/tables/{each.row.id}",
        "game": each.row.game,
        "title": game(each.row.game).title,
        "by": each.by,
        "pace": pace_of(each.row),
        "rated": each.row.rated,
        "seat": each.seat,
    }


def _open(each: Seated, strengths: Mapping[tuple[int, str], int]) -> Context:
    """Return an open table, with the points of the people there."""
    row, seats = each
    shown = _listed(row, seats)
    for seat, one in zip(seats, shown["seats"], strict=True):
        one["points"] = strengths.get((seat.number, row.game)) if seat.number is not None else None
    taken = [
        f"{one['name']}, {one['points']}" if one["points"] else one["name"] for one in shown["seats"] if one["name"]
    ]
    free = len(seats) - len(taken)
    shown["who"] = f"{', '.join(taken)}; {'one' if free == 1 else free} free"
    shown["host"] = next((seat.name for seat in seats if seat.number is not None), "")
    return shown


async def _own_tables(archive: Archive, player: str, mine: Sequence[Seated]) -> list[Context]:
    """Return the tables at which a player sits, each with whether it is their turn there.

    First come those that wait for the player, the shortest time first, then games in play, then tables that wait.
    """
    shown = []
    for row, seats in mine:
        waits = await _turn(archive, row.id, player) if row.status == PLAYING else NO_TURN
        shown.append(_listed(row, seats, player) | waits)
    return sorted(shown, key=lambda one: (not one["your_turn"], one["status"] != PLAYING, one["until"] or math.inf))


NO_TURN: Context = {"your_turn": False, "until": None, "adjourned": False, "question": ""}
ADJOURNED = "Everybody has left: go on?"


async def _turn(archive: Archive, id_: str, player: str) -> Context:
    """Return whether a table waits for a player, what they are asked, and until when."""
    try:
        live = await archive.tables.get(id_)
    except QuintainError:
        return NO_TURN
    seat, match = live.table.seat_of(player), live.table.match
    if match is not None and seat is not None and live.ends_at and live.table.seats[seat].stand_in:
        return {"your_turn": True, "until": live.ends_at, "adjourned": True, "question": ADJOURNED}
    if match is None or seat is None or seat not in match.to_act:
        return NO_TURN
    return NO_TURN | {"your_turn": True, "until": live.deadline(seat), "question": live.question(seat)}


def _listed(row: TableRow, seats: Sequence[Seat], player: str = "") -> Context:
    """Return a table as the lobby lists it, to a player who may sit there."""
    title = game(row.game).title if is_here(row) else row.game
    return {
        "id": row.id,
        "game": row.game,
        "title": title,
        "status": row.status,
        "seats": [
            {
                "name": seat.name,
                "kind": "bot" if seat.bot else "person" if seat.name else "empty",
                "who": key_of(seat) if seat.is_taken else None,
            }
            for seat in seats
        ],
        "rivals": ", ".join(seat.name for seat in seats if seat.name and seat.player != player),
        "options_words": options_words(row, len(seats)),
        "clock_words": CLOCK_WORDS[row.clock],
        "pace": pace_of(row),
        "href": f"/tables/{row.id}",
        "lesson": row.lesson is not None,
        "rated": row.rated,
    }
