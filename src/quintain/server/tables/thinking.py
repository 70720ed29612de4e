"""What tables need of those who let bots think, and how a bot chooses a move from what its seat sees.

`beside/workers.py` lets bots think in processes of their own; in a browser, a worker of the page does.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol, TypeVar

from quintain import bots
from quintain.bots import Player
from quintain.bots.ismcts import Ismcts, Judgement
from quintain.bots.shipped_nets import Adviser
from quintain.engine.errors import BadBot, BadOption
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.server.model.levels import levels, usual_level
from quintain.server.turns import Asker

Result = TypeVar("Result")
KEPT_BOTS = 64
"""So many bots are remembered, so that the picks of one turn share a search."""


class Chosen(NamedTuple):
    """The action that a bot chooses, a note for people, which may be empty, and for how many seconds it thought.

    `problem` says what is wrong with a bot of another package, for which the usual one chose.
    """

    action: int
    note: str
    seconds: float
    problem: str = ""


class Thinkers(Protocol):
    """Those who let bots think. Each method returns what the function of its name in this module does."""

    def choose(self, asker: Asker, level: str, seen: Seen) -> Awaitable[Chosen]:
        """Return the action that a bot chooses; the asker is a player and the bot's table."""

    def judge(self, asker: Asker, seen: Seen) -> Awaitable[list[Judgement] | None]:
        """Return the search's judgement of the best actions of a seat, or None as long as it is being compiled."""

    @property
    def waiting(self) -> int:
        """How many bots and hints wait for their turn."""

    def stop(self) -> None:
        """End all thinking, even in the middle of a move."""


class PatientThinkers(Protocol):
    """Those who do work in the background, in jobs of a fraction of a second, when no bot needs them."""

    async def think(self, asker: Asker, name: str, do: Callable[..., Result], *given: object) -> Result:
        """Return what a function returns; the asker is a player and what it is for, and the name says what it does."""

    async def is_ready(self, asker: Asker, game_id: str) -> bool:
        """Tell whether the search of a game is compiled for the asker; if not, begin it."""


_bots: OrderedDict[tuple[str, str], Player] = OrderedDict()


def choose(sitter: str, level: str, seen: Seen) -> Chosen:
    """Return the action that a bot chooses from what its seat sees; `sitter` names the seat and its table."""
    begun, problem = time.perf_counter(), ""
    try:
        player = _player(sitter, level, seen)
        action, note = player.choose(seen), player.note
    except (BadBot, BadOption) as error:  # a bot of another package that fails, or whose package is gone
        problem, player = str(error), _player(sitter, usual_level(), seen)
        action, note = player.choose(seen), f"fails, so a {levels()[usual_level()]} plays for it"
    return Chosen(action, note, time.perf_counter() - begun, problem)


def _player(sitter: str, level: str, seen: Seen) -> Player:
    """Return the bot of a seat at a table, which keeps what it has thought of."""
    if (sitter, level) not in _bots:
        _bots[sitter, level] = Player(bots.level(level), seen.game, secrets.randbits(62))
    _bots.move_to_end((sitter, level))
    if len(_bots) > KEPT_BOTS:
        _bots.popitem(last=False)
    return _bots[sitter, level]


def judge(seen: Seen) -> list[Judgement] | None:
    """Return the search's judgement of the best actions of a seat, the best first; None while it is being compiled.

    Until then it tries each move a few times only.
    """
    adviser = Adviser(seen.game, secrets.randbits(62), threads=1)
    return None if adviser.is_getting_ready else adviser.advise(seen)


def is_ready(game_id: str) -> bool:
    """Tell whether the search of a game is compiled here; if not, begin it."""
    return not Ismcts(game(game_id), 0).is_getting_ready
