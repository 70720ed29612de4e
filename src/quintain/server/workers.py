"""Bots in worker processes: a bot is given a book, a blinded state and its seat, and the event loop never waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

from quintain import bots
from quintain.bots import KNIGHT, Player
from quintain.bots.ismcts import Ismcts, Judgement
from quintain.engine.game import game, register_file
from quintain.server import processors

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


class Choice(NamedTuple):
    """The action that a bot chooses, and what people should know about the bot; empty for nothing."""

    action: int
    note: str


class Workers:
    """The worker processes. All choices of one seat go to the same one."""

    def __init__(self, number: int, game_files: Sequence[Path] = ()):
        self.game_files = tuple(game_files)
        self.pools = [self._pool() for _ in range(number)]

    async def choose(self, sitter: str, level: str, game_id: str, book: Any, blinded: Any, seat: int) -> Choice:
        """Return what a bot chooses; `sitter` names the table and seat, to find the same bot again."""
        given = (sitter, level, game_id, book.to_json(), blinded.to_json(), seat)
        choice: Choice = await self._run(sitter, _choose, *given)
        return choice

    async def judge(self, sitter: str, game_id: str, book: Any, blinded: Any, seat: int) -> list[Judgement]:
        """Return what the search thinks of each legal action, the best first."""
        judged: list[Judgement] = await self._run(sitter, _judge, game_id, book.to_json(), blinded.to_json(), seat)
        return judged

    def stop(self) -> None:
        """End the workers, whatever they think about."""
        for pool in self.pools:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, sitter: str, do: Callable[..., Any], *given: Any) -> Any:
        """Do something in the worker of a seat; one that has died is replaced, once."""
        place, loop = hash(sitter) % len(self.pools), asyncio.get_running_loop()
        pool = self.pools[place]
        try:
            return await loop.run_in_executor(pool, do, *given)
        except BrokenProcessPool:
            if self.pools[place] is pool:
                self.pools[place] = self._pool()
            return await loop.run_in_executor(self.pools[place], do, *given)

    def _pool(self) -> ProcessPoolExecutor:
        given = self.game_files, processors.usable()
        return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _set_up, given)


_bots: OrderedDict[tuple[str, str], Player] = OrderedDict()


def _set_up(game_files: Sequence[Path], usable: Collection[int]) -> None:
    """Set a worker up: it ends with the server, not by Ctrl-C, and leaves the server its share of time.

    It runs on all processors that the server found, even if it was started from a thread that keeps to one of them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    processors.keep_to(usable)
    parent = multiprocessing.parent_process()
    assert parent
    threading.Thread(target=lambda: (wait([parent.sentinel]), os._exit(0)), daemon=True).start()
    for path in game_files:
        register_file(path)


def _choose(sitter: str, level: str, game_id: str, book: Any, blinded: Any, seat: int) -> Choice:
    found, named = game(game_id), bots.level(level)
    if (sitter, level) not in _bots:
        _bots[sitter, level] = Player(named, found, found.book.from_json(book), secrets.randbits(62))
    _bots.move_to_end((sitter, level))
    if len(_bots) > KEPT_BOTS:
        _bots.popitem(last=False)
    player = _bots[sitter, level]
    return Choice(player.choose(found.state.from_json(blinded), seat), player.note)


def _judge(game_id: str, book: Any, blinded: Any, seat: int) -> list[Judgement]:
    found = game(game_id)
    adviser = Ismcts(found, secrets.randbits(62), threads=1)
    judged = adviser.judge(found.book.from_json(book), found.state.from_json(blinded), seat, KNIGHT)
    return sorted(judged, key=lambda one: (-one.simulations, -one.share))
