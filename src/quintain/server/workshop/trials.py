"""Plays trials of sets and decks in the background, while their page shows how the figures grow.

The workers of the bots do it when no bot needs them, in jobs of a fraction of a second; players take turns there. What
is played is kept twice a second, so a trial that is cut off goes on later from where it was.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from quintain.server.clock import now
from quintain.server.model.analyses import Progress
from quintain.server.model.kept_trials import DAY, KeptTrial
from quintain.server.refused import Refused, Stopping
from quintain.server.slices import unbroken
from quintain.server.study.background import Background, Claiming
from quintain.server.tables.thinking import PatientThinkers
from quintain.server.turns import Asker
from quintain.server.workshop.subjects import LEVELS, Subject
from quintain.server.workshop.trial_work import TrialOrder, TrialStep, get_ready, play_on, unpack_found

A_DAY = 200_000
"""The games that bots play for one player in a day, each as often as its level counts."""
JOB = 0.06
"""Seconds of a job: so long a bot that is asked for a move may have to wait."""
SHOWN_EVERY = 0.5
"""Seconds between two times that the figures move."""


class _Pace:
    """How fast a trial goes on."""

    def __init__(self, games: int):
        self.games, self.begun, self.left_from = games, time.monotonic(), games

    def left(self, most: int) -> float | None:
        """Return about how many seconds are left until the last game; None as long as nobody can tell."""
        played = self.games - self.left_from
        return (most - self.games) * (time.monotonic() - self.begun) / played if played else None


class TrialStore(Protocol):
    """What keeps trials: a database, or a browser."""

    @property
    def claims(self) -> Claiming:
        """The claims on the playing of trials."""

    async def find(self, id_: str) -> KeptTrial | None:
        """Return a trial; None if nobody began it, or it is not kept any more."""

    async def all_of(self, ids: Collection[str]) -> Mapping[str, KeptTrial]:
        """Return those trials that there are, by their ids."""

    async def progress(self, id_: str) -> Progress | None:
        """Return how many games of a trial are played, and whether some process plays on; None if there is none."""

    async def last_level(self, subject: str) -> str | None:
        """Return the level of the trial of a subject that was begun last; None if there is none."""

    async def begin(self, id_: str, number: int, subject: str, level: str, most: int) -> None:
        """Note that a player begins a trial, or goes on with it; the oldest ones of its subject go."""

    async def keep(self, id_: str, games: int, done: bytes, found: bytes) -> bool:
        """Write how far a trial is, and claim it again; False if somebody stopped it."""

    async def has_subject(self, subject: str) -> bool:
        """Tell whether there is the set or the deck that trials are about; ``set:ID`` or ``deck:ID`` names it."""

    async def running_of(self, number: int, besides: str = "") -> list[str]:
        """Return the trials of a player that are played now, or would go on by themselves, but for one."""

    async def running_about(self, subject: str) -> list[str]:
        """Return the trials of a subject that are played now, or would go on by themselves."""

    async def counted(self, number: int, games: int) -> None:
        """Count games that were played for a player, and forget those of more than a day ago."""

    async def games_of_day(self, number: int) -> list[tuple[float, int]]:
        """Return when games were played for a player in the last day, and how many, the oldest first."""

    async def forget(self, subject: str) -> None:
        """Delete all trials of a subject, which is gone."""


class Trials:
    """Plays trials, one at a time for each player. If it `is_bounded`, bots play so many games a day for a player."""

    def __init__(self, kept: TrialStore, workers: PatientThinkers, *, is_bounded: bool = True):
        self.kept, self.workers, self.is_bounded = kept, workers, is_bounded
        self._background = Background(kept.claims, "a trial", "the bots failed")
        self._paces: dict[str, _Pace] = {}
        self._beginning = asyncio.Lock()
        """Held by whoever begins a trial, so that a player has one at a time."""
        self._readying: dict[int, asyncio.Task[None]] = {}

    async def begin(self, subject: Subject, number: int, *, to_end: bool = False) -> None:
        """Begin a trial for a player, or go on with it, also beyond what is certain; their other ones stop.

        Raises Refused if it cannot be played, or if bots have played many games for the player today.
        """
        if subject.order is None:
            raise Refused(409, subject.why_not)
        id_, order = subject.id, subject.order
        async with self._beginning:
            found = await self.kept.find(id_)
            if found and (found.is_working or found.games >= found.most):
                return
            await self._check_day(number)
            for other in await self.kept.running_of(number, id_):
                await self.stop(other, f"your games with {subject.name} began, and bots play one set or deck at a time")
            await self.kept.begin(id_, number, subject.key, order.level, order.most)
            if not await self.kept.has_subject(subject.key):  # it was deleted meanwhile, and its trials before this one
                await self.kept.forget(subject.key)
                raise Refused(404, "this has just been deleted")
            await self._background.begin(id_, lambda: self._play(id_, order, number, to_end))

    async def resume(self, subject: Subject, number: int) -> None:
        """Go on with the trial of a subject if it was cut off, and nobody stopped it."""
        found = await self.kept.find(subject.id) if subject.order else None
        if found is None or subject.order is None or found.is_working or found.stopped or found.problem:
            return
        if found.games < found.most and (subject.order.is_deck or not is_certain(found)):
            await self.begin(subject, number, to_end=subject.order.is_deck)

    def get_ready(self, subject: Subject, number: int) -> None:
        """Let the worker get ready for a trial that a player will probably begin soon."""
        if subject.order and number not in self._readying:
            asker, order = _asker(subject.key, number), subject.order
            task = asyncio.create_task(self._get_ready(asker, order))
            self._readying[number] = task
            task.add_done_callback(lambda _: self._readying.pop(number, None))

    async def _get_ready(self, asker: Asker, order: TrialOrder) -> None:
        try:
            await self.workers.think(asker, "trial", get_ready, order)
        except (RuntimeError, Stopping):
            return  # a worker that fails says so when the trial begins

    async def stop(self, id_: str, why: str = "") -> None:
        """Stop a trial, in whichever process it is played, and note why, if its player did not; it can go on later."""
        await self._background.stop(id_, why)

    async def stop_about(self, key: str, besides: str = "") -> None:
        """Stop the trials about a set or a deck, but for one: those of what it was before a change."""
        for id_ in await self.kept.running_about(key):
            if id_ != besides:
                await self.stop(id_)

    async def found(self, subject: Subject) -> tuple[KeptTrial | None, float | None]:
        """Return the trial of a subject, if there is one, and about how long it still takes."""
        found = await self.kept.find(subject.id) if subject.order else None
        return found, self.seconds_left(found) if found else None

    async def forget(self, key: str) -> None:
        """Stop and delete the trials about a set or a deck that is gone."""
        await self.stop_about(key)
        await self.kept.forget(key)

    async def close(self) -> None:
        """Stop all that is played here; it can go on in another process, or later."""
        for task in self._readying.values():
            task.cancel()
        await self._background.close()

    def seconds_left(self, found: KeptTrial) -> float | None:
        """Return about how long a trial still takes at most; None if this process does not know."""
        return self._paces[found.id].left(found.most) if found.id in self._paces else None

    async def _check_day(self, number: int) -> None:
        """Raise Refused if bots have played as many games for a player as a day allows."""
        played = await self.kept.games_of_day(number)
        if self.is_bounded and sum(games for _, games in played) >= A_DAY:
            hours = max(1, round((_free_at(played) - now()) / 3600))
            raise Refused(429, f"{day_words()}: they play on in about {hours} h")

    async def _play(self, id_: str, order: TrialOrder, number: int, to_end: bool) -> str:
        """Play a trial from where it is, job by job; return why it cannot go on, or nothing."""
        found = await self.kept.find(id_)
        if found is None:  # its set or deck was deleted
            return ""
        asker = _asker(found.subject, number)
        weight = LEVELS[order.level].weight * (1 if order.before == order.after else 2)
        left = A_DAY - sum(games for _, games in await self.kept.games_of_day(number))
        pace = self._paces[id_] = _Pace(found.games)
        step, shown_at, written = TrialStep(found.done, found.games), 0.0, found.games
        try:
            while not step.is_over:
                is_due = time.monotonic() - shown_at >= SHOWN_EVERY
                step = await self.workers.think(asker, "trial", play_on, order, step.done, JOB, is_due, to_end)
                if step.problem:
                    return step.problem
                pace.games = step.games
                if step.found:
                    shown_at = time.monotonic()
                    done = b"" if step.games >= order.most else step.done
                    if not await self.kept.keep(id_, step.games, done, step.found):
                        return ""
                    await unbroken(self.kept.counted(number, weight * (step.games - written)))
                    left -= weight * (step.games - written)
                    written = step.games
                if self.is_bounded and left <= 0 and not step.is_over:
                    return day_words()
            return ""
        finally:
            self._paces.pop(id_, None)


def is_certain(kept: KeptTrial) -> bool:
    """Tell whether the games of a trial leave no doubt."""
    return bool(kept.found) and unpack_found(kept.found).figures.is_certain


def day_words() -> str:
    """Return in words how many games bots play for a player in a day."""
    heavy = max(level.weight for level in LEVELS.values())
    return f"bots play {A_DAY:,} games a day for you, of which one of Pages or Squires counts as {heavy}"


def _free_at(played: Sequence[tuple[float, int]]) -> float:
    """Return when so many of the games are more than a day ago that others may be played."""
    left = sum(games for _, games in played)
    for at, games in played:
        left -= games
        if left < A_DAY:
            return at + DAY
    return now() + DAY


def _asker(key: str, number: int) -> Asker:
    return Asker(str(number), key)
