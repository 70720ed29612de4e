"""Tables as they follow from a log, for tests that need no server and no database."""

from collections.abc import Iterable, Sequence

from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.server.model.entries import BEGUN, IN_MATCH, MADE, NO_SEAT, LogEntry, Made, Sitter, encoded, log_from
from quintain.server.model.seating import Person
from quintain.server.tables.table import Table

ACTS = {in_match: kind for kind, in_match in IN_MATCH.items()}


def persons(names: Sequence[str]) -> dict[int, Person]:
    """Return players of these names: the one at seat 0 has the number 1 and the id ``player 0``."""
    return {seat + 1: Person(seat + 1, f"player {seat}", name, 0.0) for seat, name in enumerate(names)}


def log_of(match: Match, entries: Iterable[Entry] = (), id_: str = "T", lesson: int | None = None) -> list[LogEntry]:
    """Return the log of a table where a match begins, with people at all seats, and with some of its entries."""
    rules = match.game.id, match.game.version, match.options, match._seed.hex()
    seats = [Sitter(player=seat + 1) for seat in range(match.seats)]
    position = str(match.save().get("position", ""))
    made = Made(*rules, "none", "usual", False, seats, lesson, position=position)
    played = [(one.seat, ACTS[one.kind], one.text) for one in entries if not one.auto]
    return log_from(id_, [(NO_SEAT, MADE, encoded(made)), (NO_SEAT, BEGUN, ""), *played], at=0.0)


def table_of(match: Match, entries: Iterable[Entry] = (), id_: str = "T", lesson: int | None = None) -> Table:
    """Return the table of that log, with the names of the match."""
    return Table.read(log_of(match, entries, id_, lesson), persons(match.names))
