"""The players of a game at the terminal: reads which bots play, names the seats, and asks the bots for moves."""

from __future__ import annotations

import getpass
import secrets
import time
from collections.abc import Sequence

from rich.console import Console

from quintain.bots import Player, level
from quintain.engine.errors import BadOption
from quintain.engine.names import NAME
from quintain.engine.play.match import Match

PACE = 0.5
"""The least seconds of a bot's move at a terminal, so that people can follow the game."""


def read_bots(text: str, seats: int) -> list[str]:
    """Return `seats` bots from a list with commas, in which the last bot fills the rest; raises BadOption."""
    names = [name.strip() for name in text.split(",")]
    if len(names) > seats:
        raise BadOption(f"there are too many bots in {text!r}: name at most {seats}, one for each of their seats")
    for name in names:
        level(name)
    return names + names[-1:] * (seats - len(names))


def name_seats(bots: Sequence[str | None], person: str = "") -> list[str]:
    """Return a name for every seat: the person's where there is no bot, else the bot's, with a number if needed."""
    names: list[str] = []
    for kind in bots:
        base = name = _called(kind) if kind else person
        number = 1
        while kind and name.casefold() in (person.casefold(), *map(str.casefold, names)):
            number += 1
            name = f"{base} {number}"
        names.append(name)
    return names


def _called(kind: str) -> str:
    """Return a bot's name at the table: its level, or the name of its class."""
    letters = "".join(filter(str.isalnum, kind.rpartition(":")[2]))[:16]
    return letters[:1].upper() + letters[1:]


def pace_at(console: Console, given: float | None) -> float:
    """Return the least seconds of a bot's move: as given, else `PACE` at a terminal and 0 elsewhere."""
    if given is not None:
        return given
    return PACE if console.is_terminal else 0.0


def login_name() -> str:
    """Return the person's login name if it is a valid name of a player, else "Player"."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
    if len(name) > 24 or not NAME.fullmatch(name):
        return "Player"
    return name.capitalize() if name.islower() else name


class Bots:
    """The bots of a match. Each of their moves takes at least `pace` seconds."""

    def __init__(self, match: Match, pace: float):
        self.match, self.pace = match, pace
        self.last_notes: list[str] = []
        self.by_seat = {
            seat: Player(level(name), match.game, secrets.randbits(62)) for seat, name in enumerate(match.bots) if name
        }

    def choose(self, seat: int) -> int:
        """Return the action that a bot chooses for its seat, or the only legal action of a person."""
        begun = time.monotonic()
        seen = self.match.seen(seat)
        if seat in self.by_seat:
            action = self.by_seat[seat].choose(seen)
        else:
            (action,) = seen.legal
        time.sleep(max(0.0, begun + self.pace - time.monotonic()))
        return action

    def news(self) -> list[str]:
        """Return the notes of the bots that people have not read yet."""
        notes = {self.match.names[seat]: player.note for seat, player in self.by_seat.items()}
        before, self.last_notes = self.last_notes, [f"{name}: {note}." for name, note in notes.items() if note]
        if before and not self.last_notes:
            return ["The bots now think as far ahead as they can."]
        return [note for note in self.last_notes if note not in before]
