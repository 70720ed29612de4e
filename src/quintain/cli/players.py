"""Who sits where: bots and a person, with their names."""

from __future__ import annotations

import getpass
import secrets
import time
from collections.abc import Sequence

from quintain.bots import Player, level
from quintain.engine.errors import BadOption
from quintain.engine.match import Match
from quintain.engine.names import NAME

PACE = 0.5
"""Seconds that a bot takes at least for a move on a terminal, so that one can follow."""


def read_bots(text: str, seats: int) -> list[str]:
    """Return the bots of so many seats: a list with commas between, whose last one is repeated."""
    names = [name.strip() for name in text.split(",")]
    if len(names) > seats:
        raise BadOption(f"there are too many bots in {text!r}: bots can play {seats} of the seats")
    for name in names:
        level(name)
    return names + names[-1:] * (seats - len(names))


def name_seats(bots: Sequence[str | None], person: str = "") -> list[str]:
    """Name every seat: the person where there is no bot, the bots after themselves, numbered if alike."""
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
    """Return what a bot is called at the table: its level, or the letters of its class."""
    letters = "".join(filter(str.isalnum, kind.rpartition(":")[2]))[:16]
    return letters[:1].upper() + letters[1:]


def login_name() -> str:
    """Return the person's login name, if it can be a player's name, else "Player"."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
    if len(name) > 24 or not NAME.fullmatch(name):
        return "Player"
    return name.capitalize() if name.islower() else name


class Bots:
    """The bots of a match; each move takes them as long as the pace, or as they think."""

    def __init__(self, match: Match, pace: float):
        self.match, self.pace = match, pace
        self.told: list[str] = []
        self.by_seat = {
            seat: Player(level(name), match.game, secrets.randbits(62)) for seat, name in enumerate(match.bots) if name
        }

    def choose(self, seat: int) -> int:
        """Return the action of a bot's seat, or the only one of a person's."""
        begun = time.monotonic()
        seen = self.match.seen(seat)
        if seat in self.by_seat:
            action = self.by_seat[seat].choose(seen)
        else:
            (action,) = seen.legal
        time.sleep(max(0.0, begun + self.pace - time.monotonic()))
        return action

    def news(self) -> list[str]:
        """Return what people should know about the bots, and were not told before."""
        notes = {self.match.names[seat]: player.note for seat, player in self.by_seat.items()}
        before, self.told = self.told, [f"{name}: {note}." for name, note in notes.items() if note]
        if before and not self.told:
            return ["The bots think as far as they can now."]
        return [note for note in self.told if note not in before]
