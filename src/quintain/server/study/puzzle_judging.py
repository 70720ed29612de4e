"""Judging the moves of puzzles in the background: doubted puzzles once more, and decisions of a player's own.

The workers of the bots do it when no bot needs them, in jobs of a fraction of a second.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence

from quintain.engine.seen.seen import Seen
from quintain.lab.candidates import Candidate, is_ahead, judge_candidate
from quintain.server.slices import cancelled
from quintain.server.study.puzzles_here import TRIES
from quintain.server.tables.thinking import PatientThinkers
from quintain.server.turns import Asker

COMPILING = 5.0
"""Seconds between two looks whether the search is ready."""
Keep = Callable[[Sequence[Candidate]], Awaitable[None]]
log = logging.getLogger("quintain.server")


class PuzzleJudging:
    """The positions that are being judged, each under a name; how many moves are done, of how many."""

    def __init__(self, workers: PatientThinkers):
        self.workers = workers
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._done: dict[str, tuple[int, int]] = {}

    def progress(self, name: str) -> tuple[int, int] | None:
        """Return how many jobs are done, of how many; None if nothing of this name is being judged here."""
        return self._done.get(name) if name in self._tasks else None

    def begin(self, name: str, asker: Asker, seen: Seen, runs: int, keep: Keep) -> None:
        """Judge all moves of a seat in so many runs, and call `keep` with them; nothing happens if that goes on."""
        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(self._judge(name, asker, seen, runs, keep))
            self._tasks[name].add_done_callback(lambda done: self._end(name, done))

    async def stop(self) -> None:
        """Stop all that goes on; whoever looks again begins it anew."""
        await cancelled(list(self._tasks.values()))

    async def _judge(self, name: str, asker: Asker, seen: Seen, runs: int, keep: Keep) -> None:
        found: list[Candidate] = []
        self._done[name] = 0, runs * len(seen.legal)
        for action in seen.legal:
            each = []
            for _ in range(runs):
                each.append(await self._tried(asker, seen, action))
                done, of = self._done[name]
                self._done[name] = done + 1, of
            found.append(pooled(each))
        await keep(sorted(found, key=lambda one: -one.share))

    async def _tried(self, asker: Asker, seen: Seen, action: int) -> Candidate:
        """Return what the search finds out about a move, once it is compiled."""
        while not await self.workers.is_ready(asker, seen.game.id):
            await asyncio.sleep(COMPILING)
        seed = secrets.randbits(62)
        return await self.workers.think(asker, "puzzle", judge_candidate, seen, action, TRIES, seed)

    def _end(self, name: str, done: asyncio.Task[None]) -> None:
        self._tasks.pop(name)
        self._done.pop(name, None)
        if not done.cancelled() and (error := done.exception()):
            log.warning("a puzzle is not judged", extra={"puzzle": name, "reason": str(error)})


def pooled(runs: Sequence[Candidate]) -> Candidate:
    """Return a move with its share over several runs.

    >>> pooled([Candidate(7, "play 7", 0.5, 100), Candidate(7, "play 7", 0.8, 200)])
    Candidate(action=7, text='play 7', share=0.7, tries=300)
    """
    tries = sum(each.tries for each in runs)
    share = sum(each.share * each.tries for each in runs) / tries
    return Candidate(runs[0].action, runs[0].text, share, tries)


def holds(best: Sequence[int], candidates: Sequence[Candidate]) -> bool:
    """Tell whether the answer of a doubted puzzle still holds: its best move is still best, or as good as the best.

    No move that counted as wrong may be as good as it now; `best` are the actions that counted as right.
    """
    right = [each for each in candidates if each.action in best]
    wrong = [each for each in candidates if each.action not in best]
    return bool(right and wrong) and is_ahead(right[0], wrong[0])
