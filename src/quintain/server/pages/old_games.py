"""The values that templates need for games that are over: one step of a replay, or a game whose rules are gone.

`contexts.py` does the same for all other pages; `replays.py` makes the steps, and `replay_routes.py` shows the pages.
"""

from __future__ import annotations

import msgspec

from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.engine.seen.result import Result
from quintain.engine.seen.result import result as result_words
from quintain.engine.seen.seen import Seen
from quintain.server.model.entries import OVER
from quintain.server.model.levels import levels, manner, usual_level
from quintain.server.pages.contexts import AT_FIRST, Seeing, page_context, seen_context, table_facts, title_of
from quintain.server.pages.rendering import Context, board_template
from quintain.server.pages.words import day_of
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.tables.live_table import LiveTable, Viewing
from quintain.server.tables.playing_on import why_not
from quintain.server.tables.replays import Replay
from quintain.server.tables.table import Table

AT_PEACE = {"connected": True, "stand_in": None, "stand_in_words": "", "note": "", "rank": None}
"""What a replay says of every seat: whether somebody is at the table now is no part of the game."""


def finished_match(table: Table) -> Match:
    """Return the match of a finished game; raises Refused if it is not over."""
    match = table.playing()
    if table.status != OVER or match.outcome is None:
        raise Refused(409, "you can step through a game when it is over")
    return match


def old_context(table: Table, visitor: Visitor) -> Context:
    """Return the values for the page of a finished game that today's rules cannot show."""
    names, stopped = [seat.name or "" for seat in table.seats], table.folded.stopped
    facts = {"game": table.row.game, "title": title_of(table.row.game), "names": names, "version": table.row.version}
    if stopped:
        day = day_of(table.folded.ended or table.row.made)
        title = "Left by everybody" if stopped.deserted else "Stopped by new rules"
        page = page_context(visitor, title, f"/tables/{table.id}")
        return {**page, **facts, "stopped": stopped, "day": day, "rated": table.row.rated}
    record = table.record() or {}
    return {
        **page_context(visitor, "An old game", f"/tables/{table.id}"),
        **facts,
        "result": result_words(names, msgspec.convert(record["result"], Result)),
        "log": record["log"],
        "record_url": f"/tables/{table.id}/record.json",
    }


def replay_context(
    live: LiveTable, replay: Replay, visitor: Visitor, step: int, seat: int | None, base_url: str, is_part: bool = False
) -> Context:
    """Return the values for the page that shows one step of a finished game, as a seat saw it or with all open.

    A part of the page, for a browser that has shown another step, comes without the lines of the log.
    """
    found, steps = replay.game, replay.last
    step = min(max(step, 0), steps)
    table = live.table
    match, moment, you = finished_match(table), replay.at(step, seat), table.seat_of(visitor.id)
    seen = moment.seen
    here, facts = _replay_href(table, step, seat), table_facts(Viewing.of(live, visitor))
    seats = [one | AT_PEACE | {"to_act": one["seat"] in seen.to_act} for one in facts["seats"]]
    return {
        **page_context(visitor, f"{found.title}, step by step", here),
        "table": facts | {"decision": 0, "you": seat, "seats": seats, "commitment": None},
        **seen_context(seen, moment.before),
        "board": board_template(found),
        "steps": steps,
        "step": step,
        "round": moment.round,
        "rounds": [number for number, _ in replay.rounds],
        "words": " ".join(seen.log[moment.before :] if step else ()) or _step_words(match, moment.entry, seat),
        **_ways(table, replay, step, seat),
        "moments": [] if is_part else _moments(table, replay, step, seat),
        "play_on": _play_on(table, match, step, seat if you is None else you),
        "share_url": base_url + here,
        "result": None,
        "notice": None,
    }


def inset_context(live: LiveTable, seen: Seen, visitor: Visitor, seeing: Seeing = AT_FIRST) -> Context:
    """Return the values for the table alone, as one viewer saw it, for a frame in another page."""
    facts = table_facts(Viewing.of(live, visitor))
    seats = [one | AT_PEACE | {"to_act": one["seat"] in seen.to_act} for one in facts["seats"]]
    return {
        **page_context(visitor, f"{seen.game.title}: the table", f"/tables/{live.id}"),
        "table": facts | {"decision": 0, "you": seen.viewer, "seats": seats, "commitment": None},
        **seen_context(seen, len(seen.log), seeing),
        "board": board_template(seen.game),
        "result": None,
        "notice": None,
    }


def _ways(table: Table, replay: Replay, step: int, seat: int | None) -> Context:
    """Return the addresses of the same step for other viewers, and of other steps; None for one that is not there."""
    is_first, is_last = step == 0, step == replay.last
    return {
        "viewers": [
            {"seat": viewer, "words": words, "href": _replay_href(table, step, viewer), "chosen": viewer == seat}
            for viewer, words in ((None, "Everything open"), *enumerate(replay.names))
        ],
        "first": None if is_first else _replay_href(table, 0, seat),
        "back": None if is_first else _replay_href(table, step - 1, seat),
        "on": None if is_last else _replay_href(table, step + 1, seat),
        "last": None if is_last else _replay_href(table, replay.last, seat),
    }


def _moments(table: Table, replay: Replay, step: int, seat: int | None) -> list[Context]:
    """Return all lines of a viewer's log, each with the address of the step that added it."""
    lines = replay.lines(seat)
    now = max((line.step for line in lines if line.step <= step), default=0)
    return [
        {
            "step": line.step,
            "words": line.words,
            "heading": line.heading,
            "href": _replay_href(table, line.step, seat),
            "is_now": line.step == now,
            "is_to_come": line.step > step,
        }
        for line in lines
    ]


def _play_on(table: Table, match: Match, step: int, seat: int | None) -> Context:
    """Return the values of the form for playing on from a step; `why_not` is empty if that is possible."""
    return {
        "action": f"/tables/{table.id}/play-on",
        "why_not": why_not(match, step),
        "seat": seat or 0,
        "bots": [{"value": level, "words": f"{words}: {manner(level)}"} for level, words in levels(match.game).items()],
        "usual": usual_level(),
    }


def _step_words(match: Match, entry: Entry | None, seat: int | None) -> str:
    """Return the words for a step that added no line to this viewer's log."""
    if entry is None:
        return "The position from which the game began" if match.is_from_position else "The deal"
    names = match.names
    return entry.words(names) if seat in (None, entry.seat) else f"{names[entry.seat]} chooses in secret"


def _replay_href(table: Table, step: int, seat: int | None) -> str:
    return f"/tables/{table.id}/replay?step={step}" + ("" if seat is None else f"&seat={seat}")
