"""The log of a match in words: one for each viewer, as they could see what happened, and one that tells all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from quintain.engine.contract import SPECTATOR
from quintain.engine.game import Game
from quintain.engine.seen import named
from quintain.engine.state import GameState, Record


class Logs:
    """The lines of each seat, of spectators (None), and `open`, those of the record."""

    def __init__(self, game: Game, book: Record, names: tuple[str, ...]) -> None:
        self.game, self.book, self.names = game, book, names
        self.lines: dict[int | None, list[str]] = {viewer: [] for viewer in (*range(len(names)), None)}
        self.open: list[str] = []

    def narrate(self, state: GameState, first: int, blinded: Callable[[int | None], GameState]) -> None:
        """Add the events from number `first` on, to each log as its viewer may know them."""
        places = [number % len(state.events) for number in range(first, state.events_made)]
        if places:
            for viewer in self.lines:
                self.lines[viewer] += self._told(blinded(viewer), places, viewer)
            self.open += self._told(state, places, None)

    def say(self, viewers: Collection[int | None], seat: int, you: str, they: str) -> None:
        """Add to the logs of these viewers, and of the record, what a seat does."""
        for viewer in viewers:
            self.lines[viewer].append(f"You {you}" if viewer == seat else f"{self.names[seat]} {they}")
        self.open.append(f"{self.names[seat]} {they}")

    def _told(self, state: GameState, places: Sequence[int], viewer: int | None) -> list[str]:
        seat = SPECTATOR if viewer is None else viewer
        told = (self.game.text.narrate(self.book, state.events[place], seat) for place in places)
        return [named(self.names, words) for words in told if words]
