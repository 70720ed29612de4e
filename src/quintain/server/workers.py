"""Bots in worker processes: a bot is given a book, a blinded state and its seat, and the event loop never waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import signal
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from quintain.bots import Bot, Budget, bot, bots
from quintain.engine.game import game, register_file

BUDGET = Budget(seconds=1.0)
"""What a bot may think about one turn."""
KEPT_BOTS = 64
"""Bots that a worker remembers, so that the picks of a turn share what was thought about it."""
NICENESS = 5


def levels() -> Mapping[str, str]:
    """Return the names of the bots that can sit at a table, each with the word that players read."""
    return {name: name.capitalize() for name in bots()}


def usual_level() -> str:
    """Return the level that sits down where nobody chose one, and that plays on for a leaver."""
    return "squire" if "squire" in bots() else "greedy"


class Workers:
    """The worker processes. All choices of one seat go to the same one."""

    def __init__(self, number: int, game_files: Sequence[Path] = ()):
        self.game_files = tuple(game_files)
        self.pools = [self._pool() for _ in range(number)]

    async def choose(self, sitter: str, level: str, game_id: str, book: Any, blinded: Any, seat: int) -> int:
        """Return the action that a bot chooses; `sitter` names the table and seat, to find the same bot again."""
        place = hash(sitter) % len(self.pools)
        job = (sitter, level, game_id, book.to_json(), blinded.to_json(), seat)
        try:
            return await self._run(place, job)
        except BrokenProcessPool:
            self.pools[place] = self._pool()
            return await self._run(place, job)

    def stop(self) -> None:
        """End the workers, whatever they think about."""
        for pool in self.pools:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, place: int, job: tuple[Any, ...]) -> int:
        return await asyncio.get_running_loop().run_in_executor(self.pools[place], _choose, *job)

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _set_up, (self.game_files,))


_bots: OrderedDict[tuple[str, str], Bot] = OrderedDict()


def _set_up(game_files: Sequence[Path]) -> None:
    """Set a worker up: it ends with the server, not by Ctrl-C, and leaves the server its share of time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    parent = multiprocessing.parent_process()
    assert parent
    threading.Thread(target=lambda: (wait([parent.sentinel]), os._exit(0)), daemon=True).start()
    for path in game_files:
        register_file(path)


def _choose(sitter: str, level: str, game_id: str, book: Any, blinded: Any, seat: int) -> int:
    found = game(game_id)
    if (sitter, level) not in _bots:
        _bots[sitter, level] = bot(level)(found, secrets.randbits(62))
    _bots.move_to_end((sitter, level))
    if len(_bots) > KEPT_BOTS:
        _bots.popitem(last=False)
    return _bots[sitter, level].choose(found.book.from_json(book), found.state.from_json(blinded), seat, BUDGET)
