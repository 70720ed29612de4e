"""What people do about talk at a table: say something, report what somebody else has said, and read it on a page.

`deeds.py` names the acts, `contexts.py` takes the values for pages and JSON, and `talk.py` holds the rules.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from quintain.engine.errors import BadOption, quoted
from quintain.server.log.entries import WAITING
from quintain.server.pages.rendering import Context
from quintain.server.store import talk_lines as talk
from quintain.server.tables.acts import Tables
from quintain.server.tables.table import Refused, Table
from quintain.server.tables.viewing import Viewing

log = logging.getLogger("quintain.server")


async def say(tables: Tables, table: Table, player: str, text: str, ready: str = "") -> None:
    """Say something at a table, in words of the player's own or in ready-made ones.

    Everybody sees what a player at the table says. What spectators say, spectators see, and all others when no game
    runs.
    """
    number = await tables.number_of(player)
    if until := await talk.muted_until(tables.store, number):
        who = "the operator of this server has muted you, or somebody at your address"
        raise Refused(403, f"you cannot talk until {_minute(until)}: {who}")
    if ready and ready not in talk.READY:
        raise BadOption(f"there are no ready-made words {quoted(ready)}; there are {', '.join(talk.READY)}")
    line = ready or talk.cleaned(text)
    if not tables.talk_limits.lines.allows(player):
        raise Refused(429, "you have said much at once: wait a few seconds before you say more")
    await talk.add(tables.store, table.id, number, table.seat_of(player), line)
    await tables.read_talk(table)


async def report(tables: Tables, table: Table, player: str, line_id: int) -> None:
    """Write a line of somebody else into the server's log, for the operator to read."""
    number = await tables.number_of(player)
    readable = table.talk.read_by(table.seat_of(player), table.status)
    line = next((each for each in readable if each.id == line_id), None)
    if line is None:
        raise Refused(404, "this line is no longer here, so it cannot be reported")
    if line.number == number:
        raise Refused(409, "this line is your own")
    if not tables.talk_limits.reports.allows(player):
        raise Refused(429, "you have reported many lines: the operator has those; wait a while before you report more")
    told = {"table": table.id, "line": line.id, "talker": line.number, "reporter": number, "text": line.text}
    log.warning("talk reported", extra=told)


def talk_context(viewing: Viewing) -> Context:
    """Return the talk of a table for a page: only the lines that this viewer may read, and none if they want none."""
    table, visitor, you, *_ = viewing
    number = visitor.number if you is None else table.seats[you].number
    lines = [
        {
            "id": line.id,
            "key": str(line.number),
            "seat": line.seat,
            "name": table.talk.name_of(line, table.seats),
            "text": line.text,
            "you": line.number == number,
        }
        for line in _lines(viewing)
    ]
    people = sum(seat.player is not None for seat in table.seats)
    return {
        "is_off": visitor.quiet,
        "is_open": bool(lines) or people > 1 or table.status == WAITING,
        "lines": lines,
        "ready": talk.READY,
        "most": talk.MOST_LETTERS,
    }


def talk_json(viewing: Viewing) -> list[Context]:
    """Return the lines that this viewer may read, for the JSON API."""
    return [
        {
            "id": line.id,
            "seat": line.seat,
            "name": viewing.table.talk.name_of(line, viewing.table.seats),
            "text": line.text,
            "at": line.at,
        }
        for line in _lines(viewing)
    ]


def _lines(viewing: Viewing) -> Sequence[talk.Said]:
    table = viewing.table
    return () if viewing.visitor.quiet else table.talk.read_by(viewing.you, table.status)


def _minute(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%d %B %Y, %H:%M UTC")
