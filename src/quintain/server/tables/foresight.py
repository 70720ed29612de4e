"""What players can know of their actions beforehand: what each would do, and which ones the search advises.

Previews are made in short pieces so that others do not wait.

`table_answers.py` asks for them when a browser loads a table, and when a script asks for those of a chosen piece. Pages
that the sockets push have none: the script asks for them then. `engine/seen/previews.py` makes each one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from quintain.bots.ismcts import ADVISED, SOUND
from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Preview
from quintain.engine.seen.previews import Path, distinct, first_shown
from quintain.engine.seen.seen import Seen
from quintain.lab.intervals import wilson
from quintain.server.slices import Slices


class Advised(NamedTuple):
    """What the search found out about a move: its action and words, the expected share of wins, and its simulations."""

    action: int
    words: str
    share: float
    simulations: int

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the share: as if every simulation were a game of its own."""
        return wilson(self.share, self.simulations)


class Hint(NamedTuple):
    """The search's advice to a seat on one decision, the best move first."""

    decision: int
    moves: list[Advised]

    @property
    def best(self) -> list[Advised]:
        """The best moves, as many as a hint names; only those that the search tried often enough to know about."""
        return [move for move in self.moves if move.simulations >= SOUND][:ADVISED]


class Previews(NamedTuple):
    """The previews of a viewer's actions, made from one blinded state; None where a preview would tell nothing."""

    decision: int
    state: GameState | None
    by_path: dict[Path, Preview | None]

    def at(self, seen: Seen) -> Mapping[Path, Preview]:
        """Return the previews if the viewer still sees the same, else none."""
        if self.decision != seen.decision or self.state != seen.state:
            return {}
        return self.shown

    @property
    def shown(self) -> dict[Path, Preview]:
        """The previews as front ends show them: without their short forms, if these are equal for all that are made."""
        return {path: preview for path, preview in distinct(self.by_path).items() if preview}


NOTHING_FORESEEN = Previews(0, None, {})


class Foresight:
    """The previews of each seat's open decision. However often somebody asks, each is made once."""

    def __init__(self) -> None:
        self._made: dict[int, Previews] = {}

    async def of(self, slices: Slices, seen: Seen, chosen: str = "", paths: Collection[Path] | None = None) -> Previews:
        """Return previews, at least those of some paths; by default of those that a page shows first."""
        made = self._made.get(seen.seat, NOTHING_FORESEEN)
        if (made.decision, made.state) != (seen.decision, seen.state):
            made = self._made[seen.seat] = Previews(seen.decision, seen.state, {})
        shown = first_shown(seen.view, chosen) if paths is None else paths
        wanted = [path for path in shown if path not in made.by_path]
        found: dict[Path, Preview | None] = dict.fromkeys(wanted)

        def steps() -> Iterator[None]:
            for path, preview in seen.previews(wanted):
                found[path] = preview
                yield

        if wanted:
            await slices.do(steps())
            made.by_path.update(found)
        return made

    def made(self, seen: Seen) -> Mapping[Path, Preview]:
        """Return the previews that somebody has asked for, as long as the viewer sees the same."""
        return self._made.get(seen.seat, NOTHING_FORESEEN).at(seen)
