"""The steps of finished games that `tables.py` looks at, seen openly and from a seat, as pages of a replay."""

from __future__ import annotations

from collections.abc import Iterator

import quintain
from parts.tables.decisions import EACH, Moment, spread, wanted
from parts.tables.ends import whole
from quintain.server.pages.rendering import environment
from server.samples import finished, replay_page

PLAY = "replay"


def steps(game: quintain.Game, seats: int, each: int = EACH) -> Iterator[Moment]:
    """Yield some steps of a game at random, its start and its end among them, each as two viewers see it."""
    table, replay = finished(whole(game, seats))
    templates = environment()
    for _, step, _ in sorted(spread([(PLAY, number, 0) for number in range(replay.last + 1)], each + 2)):
        for seat in (None, 0):
            kind = "a replay, " + ("seen openly" if seat is None else "seen from a seat")
            html = templates.render_template("replay.html", **replay_page(table, replay, step, seat))
            must_show = wanted(replay.at(step, seat).seen.view) | {"about": []}  # a replay asks nothing
            yield Moment(game.id, seats, PLAY, step, 0 if seat is None else seat, kind, html, must_show)
