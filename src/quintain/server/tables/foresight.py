"""Previews for the pages of tables: what a player's actions would do, made in short pieces so that others do not wait.

`table_answers.py` asks for them when a browser loads a table, and when a script asks for those of a chosen piece. Pages
that the sockets push have none: the script asks for them then. `engine/seen/previews.py` makes each one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Preview
from quintain.engine.seen.previews import Path, distinct, first_shown
from quintain.engine.seen.seen import Seen
from quintain.server.slices import Slices


class Previews(NamedTuple):
    """The previews of a viewer's actions, made from one blinded state; None where a preview would tell nothing."""

    decision: int
    state: GameState | None
    by_path: dict[Path, Preview | None]

    def at(self, seen: Seen) -> Mapping[Path, Preview]:
        """Return the previews if the viewer still sees the same, else none."""
        if self.decision != seen.decision or self.state != seen.state:
            return {}
        return {path: preview for path, preview in self.by_path.items() if preview}


NOTHING_FORESEEN = Previews(0, None, {})


class Foresight:
    """The previews of each seat's open decision. However often somebody asks, each is made once."""

    def __init__(self) -> None:
        self._made: dict[int, Previews] = {}

    async def of(self, slices: Slices, seen: Seen, chosen: str = "") -> Previews:
        """Return previews, at least those of the actions that a page shows at once: see `first_shown`."""
        made = self._made.get(seen.seat, NOTHING_FORESEEN)
        if (made.decision, made.state) != (seen.decision, seen.state):
            made = self._made[seen.seat] = Previews(seen.decision, seen.state, {})
        wanted = [path for path in first_shown(seen.view, chosen) if path not in made.by_path]
        found: dict[Path, Preview | None] = dict.fromkeys(wanted)

        def steps() -> Iterator[None]:
            for path, preview in seen.previews(wanted):
                found[path] = preview
                yield

        if wanted:
            await slices.do(steps())
            made.by_path.update(distinct(found))
        return made
