"""The logs of a match in words.

Each viewer has a log of what happened, as this viewer could see it then. One more log, `open`, hides nothing and goes
into the record. `RunningMatch` adds to them. They keep lines with ``seat 0`` and so on, so that a player can get
another name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record
from quintain.engine.seen.seen import named, readable


class Logs:
    """The logs by viewer (None: spectators). `stand_ins` names for each seat the bot that plays on for its player."""

    def __init__(self, game: Game, book: Record, names: tuple[str, ...]) -> None:
        self.game, self.book, self.names = game, book, names
        self.stand_ins = [""] * len(names)
        self.old: dict[int | None, int] = dict.fromkeys((*range(len(names)), None), 0)
        """How many lines of each log are no news to its viewer: see `Seen.old`."""
        self.spoken: set[int | None] = set()
        """The seats of which the last of these lines says what they decided."""
        self._silent: set[int] = set()
        """The seats of which no line says yet what they decided."""
        self._lines: dict[int | None, list[str]] = {viewer: [] for viewer in (*range(len(names)), None)}
        self._open: list[str] = []
        self._worded: dict[int | None, list[str]] = {}
        """The lines with names, as far as somebody has read them."""

    @property
    def viewers(self) -> Collection[int | None]:
        """Everybody who has a log."""
        return self._lines.keys()

    @property
    def open(self) -> list[str]:
        """The log for the record."""
        return [named(self.names, line) for line in self._open]

    @property
    def without_names(self) -> list[str]:
        """The log for the record, with ``seat 0`` and so on in the place of names."""
        return list(self._open)

    def of(self, viewer: int | None) -> list[str]:
        """Return the log of a viewer; nobody may change it."""
        worded, lines = self._worded.setdefault(viewer, []), self._lines[viewer]
        worded += [readable(self.names, line) for line in lines[len(worded) :]]
        return worded

    def rename(self, names: tuple[str, ...]) -> None:
        """Give the players other names, in all lines."""
        self.names = names
        self._worded.clear()

    def make_old(self, *viewers: int | None) -> None:
        """Say that no line so far is news to these viewers."""
        for viewer in viewers:
            self.old[viewer] = len(self._lines[viewer])

    def narrate(
        self,
        state: GameState,
        first: int,
        blinded: Callable[[int | None], GameState],
        chooser: int | None = None,
    ) -> None:
        """Add the events from number `first` on to every log; `blinded` returns the state as a viewer may know it.

        `chooser` is the seat whose decision led to them. What it did first is no news to its player.
        """
        places = [number % len(state.events) for number in range(first, state.events_made)]
        if chooser is not None:
            self.make_old(chooser)
            self.spoken.discard(chooser)
            self._silent.add(chooser)
        for seat in sorted(self._silent):
            self._hear(blinded(seat), places, seat)
        if places:
            for viewer in self._lines:
                self._lines[viewer] += self._told(blinded(viewer), places, viewer)
            self._open += self._told(state, places, None)

    def _hear(self, state: GameState, places: Sequence[int], seat: int) -> None:
        """Take the first line after a seat's decision for what the seat decided, if it is about something it did."""
        told = (state.events[place] for place in places)
        first = next((event for event in told if self.game.text.narrate(self.book, event, seat)), None)
        if first is not None:
            self._silent.remove(seat)
            if first.seat == seat:
                self.spoken.add(seat)
                self.old[seat] += 1

    def say(self, viewers: Collection[int | None], words: str, seat: int | None = None, you: str = "") -> None:
        """Add a line to the logs of some viewers and to the record's; `you` is what `seat` reads in its place."""
        for viewer in viewers:
            self._lines[viewer].append(you if you and viewer == seat else words)
        self._open.append(words)

    def hand_over(self, seat: int, bot: str) -> None:
        """Say in all logs that a bot plays on for a seat's player, or without a bot that the player is back."""
        self.stand_ins[seat] = bot
        if bot:
            words, you = f"{bot}, a bot, now plays for seat {seat}.", f"{bot}, a bot, now plays for you."
        else:
            words, you = f"seat {seat} is back, and plays again.", "You are back, and play again."
        self.say(self.viewers, words, seat, you)

    def _told(self, state: GameState, places: Sequence[int], viewer: int | None) -> list[str]:
        """Return the words of the events at these places of the ring, for a viewer."""
        seat = SPECTATOR if viewer is None else viewer
        lines = (self.game.text.narrate(self.book, state.events[place], seat) for place in places)
        return [self._signed(line, viewer) for line in lines if line]

    def _signed(self, line: str, viewer: int | None) -> str:
        """Return a line; if it begins with a player for whom a bot plays, it names the bot."""
        for seat, bot in enumerate(self.stand_ins):
            if bot and viewer == seat and line.startswith("You "):
                return f"{bot}, for you: y{line[1:]}"
            if bot and line.startswith(f"seat {seat} "):
                return f"{bot}, for seat {seat}, {line.removeprefix(f'seat {seat} ')}"
        return line
