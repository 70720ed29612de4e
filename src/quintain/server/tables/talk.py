"""What people do about talk at a table: say something, and report what somebody else has said."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from quintain.engine.errors import BadOption, quoted
from quintain.server.model.talk import READY, cleaned
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables

log = logging.getLogger("quintain.server")


async def say(tables: Tables, live: LiveTable, player: str, text: str, ready: str = "") -> None:
    """Say something at a table, in words of the player's own or in ready-made ones.

    Everybody sees what a player at the table says. What spectators say, spectators see, and all others when no game
    runs.
    """
    number = await acts.number_of(tables, player)
    if until := await tables.store.muted_until(number):
        who = "the operator of this server has muted you, or somebody at your address"
        raise Refused(403, f"you cannot talk until {_minute(until)}: {who}")
    if ready and ready not in READY:
        raise BadOption(f"there are no ready-made words {quoted(ready)}; there are {', '.join(READY)}")
    line = ready or cleaned(text)
    if not tables.talk_limits.lines.allows(player):
        raise Refused(429, "you have said much at once: wait a few seconds before you say more")
    await tables.store.add_line(live.id, number, live.table.seat_of(player), line)
    await tables.read_talk(live)


async def report(tables: Tables, live: LiveTable, player: str, line_id: int) -> None:
    """Write a line of somebody else into the server's log, for the operator to read."""
    number = await acts.number_of(tables, player)
    readable = live.talk.read_by(live.table.seat_of(player), live.table.status)
    line = next((each for each in readable if each.id == line_id), None)
    if line is None:
        raise Refused(404, "this line is no longer here, so it cannot be reported")
    if line.number == number:
        raise Refused(409, "this line is your own")
    if not tables.talk_limits.reports.allows(player):
        raise Refused(429, "you have reported many lines: the operator has those; wait a while before you report more")
    told = {"table": live.id, "line": line.id, "talker": line.number, "reporter": number, "text": line.text}
    log.warning("talk reported", extra=told)


def _minute(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%d %B %Y, %H:%M UTC")
