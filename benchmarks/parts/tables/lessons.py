"""The steps of lessons that `tables.py` looks at: each as a learner sees it, with the bubble and what it points at."""

from __future__ import annotations

from collections.abc import Iterator

import quintain
from parts.tables.decisions import Moment, wanted  # makes tests/server importable
from quintain.engine.play.lesson import LEARNER, lesson_of, played
from quintain.server.pages.coach import bubble
from quintain.server.pages.rendering import environment
from quintain.server.tables.lessons import progress_in
from server.samples import table_page


def steps_of(game: quintain.Game, seats: int) -> Iterator[Moment]:
    """Yield each step of a game's lesson; none if it has no lesson with that number of seats."""
    lesson, templates = lesson_of(game), environment()
    if lesson is None or lesson.seats != seats:
        return
    for number, (step, match) in enumerate(played(game, lesson)):
        now = progress_in(lesson, match, number)
        assert now
        said = bubble(now, match.seen(LEARNER))
        shown = table_page(match, LEARNER, coach=said, table={"can_undo": False, "can_hint": False})
        html = templates.render_template("table.html", **shown)
        must = wanted(match.view(LEARNER))
        yield Moment(game.id, seats, "lesson", number + 1, LEARNER, f"lesson: {step.title}", html, must)
