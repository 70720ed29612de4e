"""The logs of a match in words.

Each viewer has a log of what happened, as this viewer could see it then. One more log, `open`, hides nothing and goes
into the record. `match` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from quintain.engine.contract import SPECTATOR
from quintain.engine.game import Game
from quintain.engine.seen import named
from quintain.engine.state import GameState, Record


class Logs:
    """The lines of every log: `lines` by viewer (None: spectators), and `open` for the record."""

    def __init__(self, game: Game, book: Record, names: tuple[str, ...]) -> None:
        self.game, self.book, self.names = game, book, names
        self.lines: dict[int | None, list[str]] = {viewer: [] for viewer in (*range(len(names)), None)}
        self.open: list[str] = []

    def narrate(self, state: GameState, first: int, blinded: Callable[[int | None], GameState]) -> None:
        """Add the events from number `first` on to every log; `blinded` returns the state as a viewer may know it."""
        places = [number % len(state.events) for number in range(first, state.events_made)]
        if places:
            for viewer in self.lines:
                self.lines[viewer] += self._worded(blinded(viewer), places, viewer)
            self.open += self._worded(state, places, None)

    def say(self, viewers: Collection[int | None], seat: int, you: str, they: str) -> None:
        """Add a line about what a seat does to the logs of some viewers and to the record's.

        The seat itself reads ``You`` and `you`; all others read its name and `they`.
        """
        for viewer in viewers:
            self.lines[viewer].append(f"You {you}" if viewer == seat else f"{self.names[seat]} {they}")
        self.open.append(f"{self.names[seat]} {they}")

    def _worded(self, state: GameState, places: Sequence[int], viewer: int | None) -> list[str]:
        """Return the words of the events at these places of the ring, for a viewer."""
        seat = SPECTATOR if viewer is None else viewer
        lines = (self.game.text.narrate(self.book, state.events[place], seat) for place in places)
        return [named(self.names, words) for words in lines if words]
