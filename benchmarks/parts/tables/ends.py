"""The ends that `tables.py` looks at: of a game at random and of one that was given up, each for several viewers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import quintain
from parts.tables.decisions import Moment
from quintain.server.pages.rendering import environment
from server.samples import positions, table_page

PARTS = ("result-words", "grid", "turned", "next")
"""What must be in sight at the end; a game in which nobody scored turns nowhere, and says so."""
BEHIND = "table-open"
"""The anchor that shows the table behind the end."""
GIVEN_UP_AFTER = 25


def ends(game: quintain.Game, seats: int) -> Iterator[Moment]:
    """Yield the end of each game as the first seat, the last seat and a spectator see it, and the table behind it."""
    templates = environment()
    for play, match in (("at random", whole(game, seats)), ("given up", given_up(game, seats))):
        for seat in (0, seats - 1, None):
            page = table_page(match, seat)
            tone, number = page["result"]["verdict"]["tone"], -1 if seat is None else seat
            html, move = templates.render_template("table.html", **page), len(match.moves_made)
            end = {"parts": PARTS, "at": "", "about": [], "answers": {}, "acts": {}, "scene": False}
            yield Moment(game.id, seats, play, move, number, f"the end, {tone}", html, end)
            behind = {**end, "parts": (BEHIND, "board"), "at": BEHIND}
            yield Moment(game.id, seats, play, move, number, "the table behind the end", html, behind)


@lru_cache(1)
def whole(game: quintain.Game, seats: int) -> quintain.Match:
    """Return a game that was played to its end, which nobody may change."""
    match: quintain.Match
    *_, match = positions(game, seats, every=1)
    return match


def given_up(game: quintain.Game, seats: int) -> quintain.Match:
    """Return a game that all seats but the last have given up."""
    match: quintain.Match
    *_, match = islice(positions(game, seats, every=1), GIVEN_UP_AFTER)
    for seat in range(seats - 1):
        if match.outcome is None:
            match.resign(seat)
    return match
