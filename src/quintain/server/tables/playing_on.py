"""Playing on from a step of a finished game: a private table whose log begins with the entries up to that step.

The new table has the seed, the options and the players' random numbers of the old one, so it replays to the same
position, and chance falls as it fell then. Its seats are a person's and bots', under their own names.
`replay_routes.py` has the handler.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.server.model.entries import IN_MATCH, RETURNED, STAND_IN
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.acts import ME, new_table, sitters
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import Table


def why_not(match: Match, step: int) -> str:
    """Return why nobody can play on from a step of a finished match; empty if somebody can.

    >>> match = Match.new("kings-court")
    >>> match.resign(0)
    >>> why_not(match, 0)
    ''
    >>> why_not(match, 1)
    'the game is over here: step back to a moment before its end'
    """
    made = match.moves_made
    if not 0 <= step <= len(made):
        return f"there is no step {step}: the steps are 0 to {len(made)}"
    if step == len(made):
        return "the game is over here: step back to a moment before its end"
    gone = next((number for number, entry in enumerate(made[:step], 1) if entry.kind == "resign"), None)
    if gone is not None:
        return f"{match.names[made[gone - 1].seat]} has resigned here: step back to step {gone - 1} or before"
    return ""


def beginning(match: Match, step: int) -> list[Entry]:
    """Return the entries with which a new table comes to a step of a finished match; raises Refused if it cannot.

    Bots that played for somebody are left out: whoever sits at the new table has made all those moves.
    """
    if why := why_not(match, step):
        raise Refused(409, why)
    return [entry for entry in match.moves_made[:step] if entry.kind not in (STAND_IN, RETURNED)]


async def play_on(
    tables: Tables, source: Table, entries: Sequence[Entry], seat: int, level: str, player: str
) -> LiveTable:
    """Make the table at which a player plays on with bots of a level at all other seats."""
    found, old = source.playing().game, source.row
    wanted = [ME if number == seat else level for number in range(len(source.seats))]
    seats = sitters(wanted, await acts.number_of(tables, player))
    options = found.read_options(len(seats), old.options)  # perhaps they were agreed under older rules
    made = new_table(found, options, "none", old.speed, True, seats, source.folded.seed)
    made = replace(made, reveals=list(source.playing().reveals), played_on=True)
    kinds = {kind: name for name, kind in IN_MATCH.items()}
    return await acts.make(tables, made, [(entry.seat, kinds[entry.kind], entry.text) for entry in entries])
