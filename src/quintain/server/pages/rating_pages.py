"""The values for ratings: those on a player's page, with the bots on the same scale, and the best players of a game.

`standings.py` finds the ratings, and `player_routes.py` shows the pages.
"""

from __future__ import annotations

from collections.abc import Mapping

from quintain.engine.play.verdict import ordinal
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.model.levels import YARDSTICKS, levels
from quintain.server.model.ratings import START, anchors, margin, points
from quintain.server.pages.archive import Archive
from quintain.server.pages.contexts import by_weight, game_facts, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.played_games import Who, who_is
from quintain.server.people.players import Visitor
from quintain.server.store.standings import SETTLED, PlayerStanding

ROOM = 60
"""Points that a scale shows beyond the lowest and the highest mark."""


async def ratings_context(archive: Archive, who: Who) -> Context:
    """Return the ratings of a player or a bot for their page, and the titles of the games without one."""
    if who.is_bot:
        rated = [found for found in by_weight() if who.key in anchors(found)]
        return {"ratings": [_of_bot(found, who.key) for found in rated], "unrated": ""}
    standings = {each.game: each for each in await archive.standings.of_player(int(who.key))}
    rows = [await _of_player(archive, found, standings[found.id]) for found in by_weight() if found.id in standings]
    unrated = ", ".join(found.title for found in by_weight() if found.id not in standings)
    return {"ratings": rows, "unrated": unrated if rows else ""}


async def best_context(archive: Archive, visitor: Visitor, game_id: str) -> Context:
    """Return the values for the page of a game's best players, with the bots between them."""
    found = game(game_id)
    best = await archive.standings.best(found.id)
    names = await who_is(archive.store, {str(each.number) for each in best})
    places: list[Context] = [
        {
            "place": ordinal(place),
            "who": str(each.number),
            "name": names[str(each.number)].name,
            "is_bot": False,
            "is_you": str(each.number) == visitor.key,
            "points": points(each.rating),
            "margin": margin(each.rating),
            "games": each.games,
        }
        for place, each in enumerate(best, 1)
    ]
    places += [
        {"place": "", "who": level, "name": levels()[level], "is_bot": True, "is_you": False}
        | {"points": points(rating), "margin": 0, "games": 0}
        for level, rating in anchors(found).items()
    ]
    places.sort(key=lambda one: -one["points"])
    return {
        **page_context(visitor, f"The best at {found.title}", f"/ratings/{found.id}"),
        **_how(),
        "game": game_facts(found),
        "places": places,
        "number": len(best),
    }


def index_context(visitor: Visitor) -> Context:
    """Return the values for the page that lists the games, and says how ratings are reckoned."""
    games = [game_facts(found) for found in by_weight()]
    return {**page_context(visitor, "Ratings", "/ratings"), **_how(), "game": None, "games": games}


def _how() -> Context:
    return {"settled": SETTLED, "start": START}


async def _of_player(archive: Archive, found: Game, standing: PlayerStanding) -> Context:
    place = await archive.standings.place(standing)
    number, wide = points(standing.rating), margin(standing.rating)
    marks = _marks(found)
    return {
        **_row(found, number, wide, marks),
        "words": f"{number} plus or minus {wide}; {_words(marks)}",
        "games": standing.games,
        "is_settled": standing.games >= SETTLED,
        "place": ordinal(place[0]) if place else None,
        "of": place[1] if place else 0,
    }


def _of_bot(found: Game, level: str) -> Context:
    number, marks = points(anchors(found)[level]), _marks(found)
    shown = {name: at for name, at in marks.items() if name != level}
    return {**_row(found, number, 0, shown), "words": f"{number}; {_words(shown)}", "is_settled": True}


def _row(found: Game, number: int, wide: int, marks: Mapping[str, int]) -> Context:
    """Return a rating and the marks of bots as shares of a scale that has room for all of them."""
    low = min(number - wide, *marks.values()) - ROOM
    high = max(number + wide, *marks.values()) + ROOM

    def at(value: int) -> float:
        return round(100 * (value - low) / (high - low), 1)

    return {
        "game": found.id,
        "title": found.title,
        "points": number,
        "margin": wide,
        "at": at(number),
        "low": at(number - wide),
        "high": at(number + wide),
        "marks": [{"name": levels()[level], "at": at(value)} for level, value in marks.items()],
    }


def _marks(found: Game) -> Mapping[str, int]:
    """Return the points of the levels that people play with, the weakest first."""
    marks = {level: points(rating) for level, rating in anchors(found).items() if level not in YARDSTICKS}
    return dict(sorted(marks.items(), key=lambda mark: mark[1]))


def _words(marks: Mapping[str, int]) -> str:
    return ", ".join(f"{levels()[level]} {value}" for level, value in marks.items())
