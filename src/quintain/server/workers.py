"""Bots in worker processes: a bot is sent what its seat sees, and the event loop never waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NamedTuple, TypeVar

from quintain import bots
from quintain.bots import KNIGHT, Player
from quintain.bots.ismcts import Ismcts, Judgement
from quintain.engine.registry import register_files
from quintain.engine.seen import Seen
from quintain.server.processes import end_with_server
from quintain.server.turns import Asker, InTurn

Result = TypeVar("Result")
KEPT_BOTS = 64
"""Bots that a worker remembers, so that the picks of a turn share what was thought about it."""
NICENESS = 5
YARDSTICKS = ("random", "greedy")
"""Levels that are there to measure others by, rather than to play with."""


def levels() -> Mapping[str, str]:
    """Return the names of the bots that can sit at a table, each with the word that players read; yardsticks last."""
    names = sorted(bots.levels(), key=lambda name: name in YARDSTICKS)
    return {name: name.capitalize() for name in names}


def usual_level() -> str:
    """Return the level that sits down where nobody chose one, and that plays on for a leaver."""
    return "squire"


class Chosen(NamedTuple):
    """The action that a bot chooses, and what people should know about the bot; empty for nothing."""

    action: int
    note: str


class Worker:
    """One worker process, which does its jobs in turn. It starts with the first."""

    def __init__(self, game_files: Sequence[Path]):
        self.game_files = game_files
        self.pool = self._start()
        self._in_turn = InTurn()

    async def run(self, asker: Asker, do: Callable[..., Result], *given: object) -> Result:
        """Return what a function returns in the worker process, when it is the asker's turn."""
        return await self._in_turn.run(asker, lambda: self._do(do, given))

    def stop(self) -> None:
        """End the process, whatever it thinks about."""
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def _do(self, do: Callable[..., Result], given: tuple[object, ...]) -> Result:
        """Do a job; a process that has died is replaced, once for each job."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.pool, do, *given)
        except BrokenProcessPool:
            self.pool = self._start()
            return await loop.run_in_executor(self.pool, do, *given)

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _set_up, (self.game_files,))


class Workers:
    """The worker processes of bots, and one for hints. All choices of one seat go to the same one."""

    def __init__(self, number: int, game_files: Sequence[Path] = ()):
        self.bots = [Worker(tuple(game_files)) for _ in range(number)]
        self.adviser = Worker(tuple(game_files))
        """Has a process of its own, so that no bot keeps a player waiting for a hint."""

    async def choose(self, asker: Asker, level: str, seen: Seen) -> Chosen:
        """Return what a bot chooses from what its seat sees; the asker is a player and the bot's table."""
        sitter = f"{asker.part}/{seen.seat}"
        worker = self.bots[hash(sitter) % len(self.bots)]
        return await worker.run(asker, _choose, sitter, level, seen)

    async def judge(self, asker: Asker, seen: Seen) -> list[Judgement]:
        """Return what the search thinks of each legal action of a seat, the best first."""
        return await self.adviser.run(asker, _judge, seen)

    def stop(self) -> None:
        """End the processes, whatever they think about."""
        for worker in (*self.bots, self.adviser):
            worker.stop()


_bots: OrderedDict[tuple[str, str], Player] = OrderedDict()


def _set_up(game_files: Sequence[Path]) -> None:
    """Set a worker up: it ends with the server, not by Ctrl-C, and leaves the server its share of time."""
    end_with_server()
    os.nice(NICENESS)
    register_files(game_files)


def _choose(sitter: str, level: str, seen: Seen) -> Chosen:
    if (sitter, level) not in _bots:
        _bots[sitter, level] = Player(bots.level(level), seen.game, secrets.randbits(62))
    _bots.move_to_end((sitter, level))
    if len(_bots) > KEPT_BOTS:
        _bots.popitem(last=False)
    player = _bots[sitter, level]
    return Chosen(player.choose(seen), player.note)


def _judge(seen: Seen) -> list[Judgement]:
    adviser = Ismcts(seen.game, secrets.randbits(62), threads=1)
    judged = adviser.judge(seen, KNIGHT)
    return sorted(judged, key=lambda one: (-one.simulations, -one.share))
