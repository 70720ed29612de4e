"""Playing on from a step of a finished game, or from a puzzle: a private table for a person and bots.

From a finished game the log of the new table begins with the entries up to the step. The table has the seed, the
options and the players' random numbers of the old one, so it replays to the same position, and chance falls as it fell
then. From a puzzle the table has a seed of its own, and begins with a position: what the solver sees, and all that is
hidden from the solver dealt anew. `replay_routes.py` and `puzzle_routes.py` have the handlers.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.engine.play.positions import write_position
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.server.model.entries import IN_MATCH, RETURNED, STAND_IN, Made
from quintain.server.model.making import ME, new_table, sitters
from quintain.server.refused import Refused
from quintain.server.tables import acts
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
    old, match = source.row, source.playing()
    wanted = [ME if number == seat else level for number in range(match.seats)]
    made = await _made(tables, match.game, old.options, wanted, player, old.speed, source.folded.seed)
    made = replace(made, reveals=list(match.reveals), position=source.folded.position)
    kinds = {kind: name for name, kind in IN_MATCH.items()}
    return await acts.make(tables, made, [(entry.seat, kinds[entry.kind], entry.text) for entry in entries])


async def play_on_from_puzzle(
    tables: Tables, seen: Seen, options: Mapping[str, object], level: str, player: str
) -> LiveTable:
    """Make the table at which a player plays on from what a seat sees, with bots of a level at all other seats."""
    wanted = [ME if number == seen.seat else level for number in range(len(seen.names))]
    made = await _made(tables, seen.game, options, wanted, player)
    return await acts.make(tables, replace(made, position=dealt_anew(seen, secrets.randbits(62))))


def dealt_anew(seen: Seen, seed: int) -> str:
    """Return a whole position that a seat must reckon with: what it sees, and all that is hidden from it dealt anew."""
    world = seen.state.copy()
    seen.game.rules.redeal(seen.book, world, seed)
    return write_position(world, seen.game.card_names(seen.book))


async def _made(
    tables: Tables,
    found: Game,
    options: Mapping[str, object],
    wanted: Sequence[str],
    player: str,
    speed: str = "usual",
    seed: str = "",
) -> Made:
    """Return what is agreed at a table that goes on; without a seed it gets one of its own."""
    seats = sitters(wanted, await acts.number_of(tables, player))
    read = found.read_options(len(seats), options)  # perhaps they were agreed under older rules
    return replace(new_table(found, read, "none", speed, True, seats, seed), played_on=True)
