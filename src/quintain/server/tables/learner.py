"""What a learner can do at a table with a lesson beside moves.

They begin, read on, have a move shown, skip what others do, and leave.
"""

from __future__ import annotations

import contextlib

from msgspec.structs import replace

from quintain.engine.names import with_names
from quintain.engine.play.lesson import LEARNER, lesson_of, script
from quintain.engine.rules.registry import game
from quintain.server.model.entries import MOVED, STEP, LogEntry
from quintain.server.model.making import ME, new_table, sitters
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.lessons import LessonProgress, scripted
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import SPEEDS

TEACHER = "page"
"""The level of the bots that sit at a lesson's table."""
USUAL_SPEED = list(SPEEDS)[1]
CHANGED = "the lesson has gone on since: look again"


async def begin(tables: Tables, player: str, game_id: str) -> LiveTable:
    """Return a private table with the lesson of a game: one where the player is amid the lesson, or else a new one."""
    found = game(game_id)
    lesson = lesson_of(found)
    if lesson is None:
        raise Refused(404, f"there is no lesson of {found.title}")
    if id_ := await tables.store.lesson_of(player, found.id, len(lesson.steps)):
        running = await tables.get(id_)
        if running.table.lesson_progress():
            return running
        await acts.mark(tables, running, None)
    options = found.read_options(lesson.seats, lesson.options)
    seats = sitters([ME] + [TEACHER] * (lesson.seats - 1), await acts.number_of(tables, player))
    made = replace(new_table(found, options, "none", USUAL_SPEED, True, seats, lesson.seed), lesson=0)
    return await acts.make(tables, made)


async def go_on(tables: Tables, live: LiveTable, player: str, step: int) -> None:
    """Leave a step that is only read behind."""

    def gone_on() -> list[LogEntry]:
        now = _progress(live, player, step)
        if now.move is not None:
            raise Refused(409, "this step is done by its move: make it, or let it be shown")
        if now.waits:
            raise Refused(409, CHANGED)
        return [live.table.next_entry(STEP, "" if now.is_over else str(step + 1))]

    await tables.change(live, gone_on)


async def show(tables: Tables, live: LiveTable, player: str, step: int, decision: int) -> None:
    """Make the move of a step for the learner."""
    await live.settled()
    now = _progress(live, player, step)
    if now.move is None:
        raise Refused(409, "this step has no move to show: touch Next")
    table = live.table
    action = table.action_of(LEARNER, decision, with_names(table.playing().names, now.move))
    await acts.move(tables, live, player, decision, action)


async def skip(tables: Tables, live: LiveTable, player: str, step: int) -> None:
    """Make the moves before the learner's next step at once, if there are any, instead of one after another."""
    await live.settled()
    lesson = _progress(live, player, step).lesson
    for _ in script(lesson):
        now, match = live.table.lesson_progress(), live.table.playing()
        if now is None or now.due is None or (action := scripted(now, match, now.due.seat)) is None:
            return
        with contextlib.suppress(Refused):  # the steward may be faster
            await tables.enter(live, now.due.seat, MOVED, match.decision(now.due.seat), action)


async def leave(tables: Tables, live: LiveTable, player: str, step: int) -> None:
    """Leave the lesson: the game goes on as a usual one from this position."""

    def left() -> list[LogEntry]:
        _progress(live, player, step)
        return [live.table.next_entry(STEP)]

    await tables.change(live, left)


def _progress(live: LiveTable, player: str, step: int) -> LessonProgress:
    """Return how far a player is in the lesson at a table; raises Refused if there is none, or at another step."""
    table = live.table
    table.own_seat(player)
    now = table.lesson_progress()
    if now is None:
        raise Refused(409, "there is no lesson at this table, or it is over")
    if now.number != step:
        raise Refused(409, CHANGED)
    return now
