"""Judging the moves of puzzles in the background: doubted puzzles once more, and decisions of a player's own.

The workers of the bots do it when no bot needs them, in jobs of a fraction of a second.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from quintain.engine.seen.seen import Seen
from quintain.lab.candidates import Candidate, is_ahead, judge_candidate
from quintain.server.slices import cancelled
from quintain.server.study.puzzles_here import TRIES
from quintain.server.tables.thinking import PatientThinkers
from quintain.server.turns import Asker

COMPILING = 5.0
"""Seconds between two looks whether the search is ready."""
KEPT_EVERY = 2.0
"""Seconds between two times that a judging writes how far it is."""
Keep = Callable[[Sequence[Candidate]], Awaitable[None]]
log = logging.getLogger("quintain.server")


class Part(NamedTuple):
    """How far a judging is: how many jobs are done, and the moves that they tried, in the order of the menu."""

    done: int = 0
    found: tuple[Candidate, ...] = ()

    def is_of(self, seen: Seen, runs: int) -> bool:
        """Tell whether a judging of a position in so many runs can go on from here."""
        moves = tuple(each.action for each in self.found)
        return moves == tuple(seen.legal[: len(moves)]) and len(moves) == -(-self.done // runs)


class KeptParts(Protocol):
    """What keeps how far judgings are, each under its name, so that one that is cut off goes on from there."""

    async def read(self, name: str) -> Part:
        """Return how far a judging is."""

    async def write(self, name: str, part: Part) -> None:
        """Keep how far a judging is; forget it if nothing is done."""


class NoParts:
    """Keeps nothing: a server seldom stops in the middle of a judging."""

    async def read(self, name: str) -> Part:
        """Return that nothing is done."""
        return Part()

    async def write(self, name: str, part: Part) -> None:
        """Do nothing."""


class PuzzleJudging:
    """The positions that are being judged, each under a name; how many moves are done, of how many."""

    def __init__(self, workers: PatientThinkers, parts: KeptParts):
        self.workers, self.parts = workers, parts
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
        jobs = [action for action in seen.legal for _ in range(runs)]
        part = await self.parts.read(name)
        done, found = (part.done, [*part.found]) if part.is_of(seen, runs) else (0, [])
        kept_at = time.monotonic()
        while done < len(jobs):
            self._done[name] = done, len(jobs)
            tried = await self._tried(asker, seen, jobs[done])
            if done % runs:
                found[-1] = pooled([found[-1], tried])
            else:
                found.append(tried)
            done += 1
            if time.monotonic() - kept_at > KEPT_EVERY:
                await self.parts.write(name, Part(done, tuple(found)))
                kept_at = time.monotonic()
        await keep(sorted(found, key=lambda one: -one.share))
        await self.parts.write(name, Part())

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
