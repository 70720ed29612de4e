"""What is kept of analyses: how far each is, its judged positions, and what whole ones say of players."""

from __future__ import annotations

from typing import NamedTuple

from quintain.lab.analysis import JudgedStep


class KeptAnalysis(NamedTuple):
    """An analysis as it is kept.

    `done` counts the judged positions of the first picture, then those of the finer one. `is_working` tells whether
    some process judges it now.
    """

    table: str
    by: int
    tries: int
    done: int
    steps: tuple[JudgedStep, ...]
    is_working: bool
    is_stopped: bool
    problem: str


class JudgedSeat(NamedTuple):
    """What a player's decisions and the cards did in one judged game, in shares of a win, and when it ended."""

    ended: float
    lost: float
    cards: float
    decisions: int
    free: int


class Progress(NamedTuple):
    """How far work in the background is, and whether some process works on it."""

    done: int
    is_working: bool
