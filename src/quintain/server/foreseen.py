"""Previews for the pages of tables: what a player's actions would do, made in short pieces so that others do not wait.

`routes.py` asks for them when a browser loads a table, and when a script asks for those of a chosen piece. Pages that
the sockets push have none: the script asks for them then. `engine/previews.py` makes each one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quintain.engine.previews import first_shown
from quintain.engine.seen import Seen
from quintain.engine.views import Preview
from quintain.server.slices import Slices


class Previews(NamedTuple):
    """The previews of a viewer's actions at one of their decisions."""

    decision: int = 0
    by_action: Mapping[int, Preview] = {}

    def at(self, seen: Seen) -> Mapping[int, Preview]:
        """Return the previews if the viewer still faces that decision, else none."""
        return self.by_action if self.decision == seen.decision else {}


NOTHING_FORESEEN = Previews()


async def foreseen(slices: Slices, seen: Seen, chosen: str = "") -> Previews:
    """Return the previews of the actions that a page shows at once: see `first_shown`."""
    found: dict[int, Preview] = {}

    def steps() -> Iterator[None]:
        for action, preview in seen.previews(first_shown(seen.view, chosen)):
            found[action] = preview
            yield

    await slices.do(steps())
    return Previews(seen.decision, found)
