"""A table as one visitor sees it: the one value from which pages and JSON are made."""

from __future__ import annotations

from typing import NamedTuple

from quintain.engine.seen.seen import Seen
from quintain.server.people.players import Visitor
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.table import Table


class Viewing(NamedTuple):
    """A visitor who looks at a table, and what they may see there.

    `you` is their seat, None for a spectator. `seen` is what they see of the match, None before it has begun. `is_now`
    is False if that is an earlier moment, at which nothing can be done.
    """

    live: LiveTable
    visitor: Visitor
    you: int | None
    seen: Seen | None
    is_now: bool = True

    @classmethod
    def of(cls, live: LiveTable, visitor: Visitor, earlier: Seen | None = None) -> Viewing:
        """Return how a visitor sees a table now, or saw it at an earlier moment."""
        table = live.table
        you = table.seat_of(visitor.id)
        seen = earlier or (table.match.seen(you) if table.match else None)
        return cls(live, visitor, you, seen, earlier is None)

    @property
    def table(self) -> Table:
        """The table as its log tells it."""
        return self.live.table
