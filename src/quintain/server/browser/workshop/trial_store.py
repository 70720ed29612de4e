"""The trials that a browser keeps: a document says how far each is, and another one what it has shown.

One house plays at a time, whichever tab it is in, so its claims need not be kept. What it was at when the page closed
goes on as soon as somebody looks at it again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection

import msgspec

from quintain.server.browser.cards.deck_store import DECKS
from quintain.server.browser.keeping import Documents, Keeping
from quintain.server.browser.study.kept_analyses import BrowserClaims
from quintain.server.browser.workshop.set_store import SETS
from quintain.server.clock import now
from quintain.server.model.analyses import Progress
from quintain.server.model.kept_trials import MOST_OF_SUBJECT, KeptTrial

TRIALS, SHOWN = "trials", "trials/shown"
"""The kinds of documents: how far trials are, and what they have shown."""


class TrialDocument(msgspec.Struct):
    """How far a trial is; `KeptTrial` says what its fields are. It is `over` if it ended by itself."""

    id: str
    number: int
    subject: str
    level: str
    most: int
    at: float
    games: int = 0
    stopped: bool = False
    problem: str = ""
    over: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether it is played, or would be as soon as somebody looks at it."""
        return not (self.stopped or self.problem or self.over)


class ShownDocument(msgspec.Struct):
    """What a trial has shown, and what the worker needs to go on: both are packed."""

    done: bytes = b""
    found: bytes = b""


class BrowserTrials:
    """The trials of a browser, and which of them are played now: a `TrialStore`."""

    def __init__(self, keeper: Keeping):
        self.keeper, self.claims = keeper, TrialClaims(self)
        self._kept = Documents(keeper, TRIALS, TrialDocument)
        self._shown = Documents(keeper, SHOWN, ShownDocument)
        self._writing = asyncio.Lock()
        """Held by whoever changes a document, so that a stop is not written over."""

    async def find(self, id_: str) -> KeptTrial | None:
        """Return a trial; None if nobody began it, or it is not kept any more."""
        kept = await self._kept.read(id_)
        return await self._whole(kept) if kept else None

    async def all_of(self, ids: Collection[str]) -> dict[str, KeptTrial]:
        """Return those trials that there are, by their ids."""
        return {each.id: await self._whole(each) for each in await self._kept.all() if each.id in ids}

    async def progress(self, id_: str) -> Progress | None:
        """Return how many games of a trial are played, and whether it is played on; None if there is none."""
        kept = await self._kept.read(id_)
        return Progress(kept.games, id_ in self.claims.claimed) if kept else None

    async def last_level(self, subject: str) -> str | None:
        """Return the level of the trial of a subject that was begun last; None if there is none."""
        found = await self._about(subject)
        return found[0].level if found else None

    async def begin(self, id_: str, number: int, subject: str, level: str, most: int) -> None:
        """Note that a player begins a trial, or goes on with it; the oldest ones of its subject go."""
        async with self._writing:
            kept = await self._kept.read(id_) or TrialDocument(id_, number, subject, level, most, 0.0)
            kept.at = now()
            await self._kept.put(kept.id, kept)
            for old in (await self._about(subject))[MOST_OF_SUBJECT:]:
                if old.id not in self.claims.claimed:
                    await self._remove(old.id)

    async def keep(self, id_: str, games: int, done: bytes, found: bytes) -> bool:
        """Write how far a trial is; False if somebody stopped it."""
        async with self._writing:
            kept = await self._kept.read(id_)
            if kept is None or kept.stopped:
                return False
            await self._shown.put(id_, ShownDocument(done, found))
            kept.games = games
            await self._kept.put(kept.id, kept)
        return True

    async def note(self, key: str, **changed: object) -> None:
        """Note what has changed of a trial."""
        async with self._writing:
            kept = await self._kept.read(key)
            if kept is not None and (noted := msgspec.structs.replace(kept, **changed)) != kept:
                await self._kept.put(noted.id, noted)

    async def has_subject(self, subject: str) -> bool:
        """Tell whether there is the set or the deck that trials are about; ``set:ID`` or ``deck:ID`` names it."""
        kind, _, id_ = subject.partition(":")
        return bool(await self.keeper.document({"set": SETS, "deck": DECKS}[kind], id_))

    async def running_of(self, number: int, besides: str = "") -> list[str]:
        """Return the trials of a player that are played now, or would go on by themselves, but for one."""
        return [
            each.id for each in await self._kept.all() if each.number == number and each.id != besides and each.goes_on
        ]

    async def running_about(self, subject: str) -> list[str]:
        """Return the trials of a subject that are played now, or would go on by themselves."""
        return [each.id for each in await self._about(subject) if each.goes_on]

    async def counted(self, number: int, games: int) -> None:
        """Count nothing: a browser works for its owner alone, who may ask as often as they like."""

    async def games_of_day(self, number: int) -> list[tuple[float, int]]:
        """Return nothing, as nothing is counted."""
        return []

    async def forget(self, subject: str) -> None:
        """Delete all trials of a subject, which is gone."""
        async with self._writing:
            for each in await self._about(subject):
                await self._remove(each.id)

    async def _about(self, subject: str) -> list[TrialDocument]:
        """Return the trials of a subject, the one that was begun last first."""
        return sorted((each for each in await self._kept.all() if each.subject == subject), key=lambda each: -each.at)

    async def _whole(self, kept: TrialDocument) -> KeptTrial:
        """Return a trial with what it has shown."""
        shown = await self._shown.read(kept.id) or ShownDocument()
        until = math.inf if kept.id in self.claims.claimed else 0.0
        facts = (kept.id, kept.number, kept.subject, kept.level, kept.most, kept.games)
        return KeptTrial(*facts, shown.done, shown.found, kept.at, until, kept.stopped, kept.problem)

    async def _remove(self, id_: str) -> None:
        await self._kept.delete(id_)
        await self._shown.delete(id_)


class TrialClaims(BrowserClaims):
    """The claims on trials: one that is let go without a problem is over, unless somebody stopped it."""

    async def claim(self, key: str) -> bool:
        """Claim a trial; False if it is played."""
        claimed = await super().claim(key)
        if claimed:
            await self.notes.note(key, over=False)
        return claimed

    async def release(self, key: str, problem: str = "") -> None:
        """Note that a trial is played no more, and what kept it from going on, if anything."""
        try:
            if not problem:
                await self.notes.note(key, over=True)
        finally:
            await super().release(key, problem)
