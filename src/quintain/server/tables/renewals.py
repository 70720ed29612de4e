"""What new rules would do to the games in a database, before a server goes on with it: `quintain tables check`.

It only reads, and needs no migration: the server of an older version may run meanwhile. `table.py` decides for a server
in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quintain.engine.errors import BadRecord, QuintainError, UnknownGame
from quintain.engine.rules.registry import game
from quintain.server.model.entries import CLOSED, MADE, OVER, RULES, STOPPED, Made, decoded
from quintain.server.model.seating import Person
from quintain.server.store.addresses import Address
from quintain.server.store.logged_tables import LoggedTables
from quintain.server.tables.memory import players_in
from quintain.server.tables.table import Table


class CheckedTable(NamedTuple):
    """A table, and in words what keeps it from going on by today's rules, or its game from being shown by them.

    `why` is empty if nothing does; `players` are then not looked up.
    """

    table: str
    game: str
    is_over: bool
    why: str
    players: Sequence[str] = ()


def check_tables(address: Address) -> Iterator[CheckedTable]:
    """Yield each table of a database with what today's rules would do to it; raises QuintainError without any logs."""
    with LoggedTables.open(address) as logs:
        over = {entry.table for entry in logs.of_kinds((CLOSED, STOPPED))}
        renewed_to = {entry.table: entry.text for entry in logs.of_kinds((RULES,))}
        for first in logs.of_kinds((MADE,)):
            try:
                about = decoded(first, Made)
                version = int(renewed_to.get(first.table, about.version))
            except (BadRecord, ValueError) as error:
                yield CheckedTable(first.table, "?", first.table in over, f"its log is damaged: {error}")
                continue
            why = _why_not(logs, first.table, about.game, version)
            players = _players_at(logs, first.table) if why else ()
            yield CheckedTable(first.table, about.game, first.table in over, why, players)


def _why_not(logs: LoggedTables, table: str, game_id: str, version: int) -> str:
    """Return what keeps a table from going on that was last played by this version of the rules of its game."""
    try:
        found = game(game_id)
        if found.version == version:
            return ""
        if found.version < version:
            return f"it is played by version {version} of the rules, and here is only version {found.version}"
        entries = logs.entries(table)
        nameless = {number: Person(number, str(number), f"Player {number}", 0.0) for number in players_in(entries)}
        read = Table.read(entries, nameless)
    except UnknownGame:
        return "its game is not here"
    except (QuintainError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        return f"its log is damaged: {error}"
    since = f"begun under version {version} of the rules, and version {found.version}"
    if read.stuck:
        stuck = read.stuck
        words = f"cannot make move {stuck.move} of {stuck.moves}" if stuck.move else "does not take its options"
        return f"{since} {words}; it would be closed without a result"
    is_shown = read.match is not None or read.status != OVER or read.folded.stopped
    return "" if is_shown else f"{since} cannot show it; its page would say only what happened"


def _players_at(logs: LoggedTables, table: str) -> Sequence[str]:
    """Return the names of all who ever had a seat at a table; none if its log is damaged."""
    try:
        return logs.names(players_in(logs.entries(table)))
    except (BadRecord, ValueError):
        return ()
