"""Bots in processes of their own: a worker gets what a seat sees (a `Seen`) and returns a move. Nobody else waits.

In the package `tables`, `thinking.py` says how a bot chooses, `stewards.py` asks for the moves of bots, and `acts.py`
for hints. `turns.py` shares the workers fairly between players.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import ParamSpec, TypeVar

from quintain.bots.ismcts import Judgement
from quintain.engine.rules.registry import register_files
from quintain.engine.seen.seen import Seen
from quintain.server.metrics import JOBS
from quintain.server.processes import Apprentice
from quintain.server.tables import thinking
from quintain.server.tables.thinking import Chosen
from quintain.server.turns import Asker, QueueRunner

Given = ParamSpec("Given")
Result = TypeVar("Result")
NICENESS = 5
"""Added to the niceness of a worker, so that the server itself gets the processor first."""
log = logging.getLogger("quintain.server")


class Worker:
    """One worker process. It starts with its first job, and does its jobs one after another."""

    def __init__(self, game_files: Sequence[Path]):
        self._process = Apprentice(_set_up, game_files)
        self._queue = QueueRunner()

    async def run(
        self, asker: Asker, name: str, do: Callable[Given, Result], *given: Given.args, **more: Given.kwargs
    ) -> Result:
        """Run a function in the worker process when it is the asker's turn, and return its result.

        The metrics call the job by its name. Raises Stopping if the worker is stopped before.
        """
        return await self._queue.run(asker, self._job(name, lambda: self._process.do(do, *given, **more)))

    async def run_when_idle(self, asker: Asker, name: str, do: Callable[..., Result], *given: object) -> Result:
        """Do the same when no other job waits: for work in the background, in jobs of a fraction of a second."""
        return await self._queue.run(asker, self._job(name, lambda: self._process.do(do, *given)), can_wait=True)

    def _job(self, name: str, do: Callable[[], Result]) -> Callable[[], Awaitable[Result]]:

        async def job() -> Result:
            with JOBS.labels(name).time():
                return await asyncio.to_thread(do)

        return job

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return self._queue.waiting()

    def stop(self) -> None:
        """End the process, even in the middle of a job."""
        self._process.stop()


class Workers:
    """The worker processes of the bots, and one for hints. One seat always has the same worker."""

    def __init__(self, number: int, game_files: Sequence[Path] = ()):
        self.bots = [Worker(tuple(game_files)) for _ in range(number)]
        self.adviser = Worker(tuple(game_files))
        """The worker for hints: nobody waits for a hint because a bot thinks."""

    async def choose(self, asker: Asker, level: str, seen: Seen) -> Chosen:
        """Return the action that a bot chooses from what its seat sees; the asker is a player and the bot's table."""
        sitter = f"{asker.part}/{seen.seat}"
        worker = self.bots[hash(sitter) % len(self.bots)]
        chosen = await worker.run(asker, level, thinking.choose, sitter, level, seen)
        if chosen.problem:
            log.warning("a bot failed", extra={"bot": level, "game": seen.game.id, "problem": chosen.problem})
        return chosen

    async def judge(self, asker: Asker, seen: Seen) -> list[Judgement] | None:
        """Return the search's judgement of the best actions of a seat, the best first.

        None as long as the search is being compiled: until then it tries each move a few times only.
        """
        return await self.adviser.run(asker, "hint", thinking.judge, seen)

    async def think(self, asker: Asker, name: str, do: Callable[..., Result], *given: object) -> Result:
        """Run a function in a worker process when no bot needs it; the asker is a player and what it is for."""
        worker = self.bots[hash(asker.part) % len(self.bots)]
        return await worker.run_when_idle(asker, name, do, *given)

    async def is_ready(self, asker: Asker, game_id: str) -> bool:
        """Tell whether the search of a game is compiled in the worker that thinks for the asker; if not, begin it."""
        return await self.think(asker, "compile", thinking.is_ready, game_id)

    @property
    def waiting(self) -> int:
        """How many bots and hints wait for their turn."""
        return sum(worker.waiting for worker in (*self.bots, self.adviser))

    def stop(self) -> None:
        """End all processes, even in the middle of a job."""
        for worker in (*self.bots, self.adviser):
            worker.stop()


def _set_up(game_files: Sequence[Path]) -> None:
    """Set a worker process up: it gives way to the server, and knows its games."""
    os.nice(NICENESS)
    register_files(game_files)
