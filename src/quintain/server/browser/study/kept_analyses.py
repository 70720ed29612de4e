"""Analyses that a browser keeps: each is a document, and what whole ones say of players is another one.

One house judges at a time, whichever tab it is in, so its claims need not be kept. What it was at when the page closed
goes on as soon as somebody looks at it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from quintain.lab.analysis import JudgedStep, LuckAndSkill
from quintain.server.browser.keeping import BrowserStore, Documents
from quintain.server.model.analyses import JudgedSeat, KeptAnalysis, Progress

ANALYSES, JUDGED = "analyses", "judged"
"""The kinds of documents: analyses by table, and the seats of games that are judged to their ends, by table, too."""


class AnalysisDocument(msgspec.Struct):
    """An analysis as a document; `KeptAnalysis` says what its fields are."""

    table: str
    by: int
    tries: int
    done: int = 0
    steps: tuple[JudgedStep, ...] = ()
    stopped: bool = False
    problem: str = ""


class SeatDocument(msgspec.Struct):
    """What decisions and cards did for one seat of a game, and who sat there."""

    who: str
    game: str
    found: JudgedSeat


class BrowserAnalyses:
    """The analyses of a browser, and which of them are worked on now."""

    def __init__(self, store: BrowserStore):
        self.store, self.claims = store, BrowserClaims(self)
        self._kept = Documents(store.keeper, ANALYSES, AnalysisDocument)
        self._judged = Documents(store.keeper, JUDGED, list[SeatDocument])
        self._last: AnalysisDocument | None = None
        """The one that was asked for last: a page that follows the adviser asks every moment."""

    async def read(self, table: str) -> AnalysisDocument | None:
        """Return the document of an analysis; None if nobody asked for it."""
        if self._last is None or self._last.table != table:
            found = await self._kept.read(table)
            if found is None:
                return None
            self._last = found
        return self._last

    async def write(self, document: AnalysisDocument) -> None:
        """Keep the document of an analysis."""
        await self._kept.put(document.table, document)
        self._last = document

    async def note(self, key: str, **changed: object) -> None:
        """Note what has changed of an analysis."""
        kept = await self.read(key)
        if kept is not None and (noted := msgspec.structs.replace(kept, **changed)) != kept:
            await self.write(noted)

    async def find(self, table: str) -> KeptAnalysis | None:
        """Return the analysis of a game; None if nobody asked for it."""
        if (kept := await self.read(table)) is None:
            return None
        found = kept.table, kept.by, kept.tries, kept.done, kept.steps
        return KeptAnalysis(*found, table in self.claims.claimed, kept.stopped, kept.problem)

    async def progress(self, table: str) -> Progress | None:
        """Return how far the analysis of a game is; None if nobody asked for it."""
        kept = await self.read(table)
        return Progress(kept.done, table in self.claims.claimed) if kept else None

    async def asked_since(self, number: int, since: float) -> list[float]:
        """Return nothing: a browser works for its owner alone, who may ask as often as they like."""
        return []

    async def ask(self, table: str, by: int, tries: int) -> bool:
        """Note that a player asks for the analysis of a game; False if there is one already."""
        if await self.read(table) is not None:
            return False
        await self.write(AnalysisDocument(table, by, tries))
        return True

    async def ask_better(self, table: str, by: int, tries: int, total: int) -> bool:
        """Note that a player asks for a better analysis of a game; False if the one that there is goes on."""
        kept = await self.read(table)
        if kept is None or kept.done < 2 * total or kept.tries >= tries or table in self.claims.claimed:
            return False
        await self.write(AnalysisDocument(table, by, tries, total, kept.steps))
        return True

    async def keep(self, table: str, done: int, steps: Sequence[JudgedStep]) -> bool:
        """Write how far an analysis is; False if somebody stopped it."""
        kept = await self.read(table)
        if kept is None or kept.stopped:
            return False
        await self.write(msgspec.structs.replace(kept, done=done, steps=tuple(steps)))
        return True

    async def keep_seats(self, table: str, found: Sequence[LuckAndSkill]) -> None:
        """Write what decisions and cards did for each seat of a game that is judged to its end, if it counts."""
        seats = [
            SeatDocument(row.who, row.game, JudgedSeat(row.ended, one.lost, one.cards, one.decisions, one.free))
            for row in self.store.kept[table].played
            if not row.uncounted and (one := found[row.seat])
        ]
        await self._judged.put(table, seats)

    async def judged(self, who: str) -> dict[str, list[JudgedSeat]]:
        """Return the judged games of a player by game, the newest first."""
        seats = [seat for each in await self._judged.all() for seat in each]
        found: dict[str, list[JudgedSeat]] = {}
        for seat in sorted(seats, key=lambda seat: -seat.found.ended):
            if seat.who == who:
                found.setdefault(seat.game, []).append(seat.found)
        return found


class WorkNotes(Protocol):
    """Where a browser notes how work in the background stands."""

    async def note(self, key: str, **changed: object) -> None:
        """Note what has changed of a piece of work: whether it is `stopped`, and what `problem` it has."""


class BrowserClaims:
    """The claims of the one house that works: it has them as long as it lives.

    Why work ends is noted before its claim goes, so that whoever sees that it has ended sees why.
    """

    unavailable: tuple[type[Exception], ...] = (OSError,)
    renewed_after = 3600.0

    def __init__(self, notes: WorkNotes):
        self.notes, self.claimed = notes, set[str]()

    async def claim(self, key: str) -> bool:
        """Claim a piece of work; False if it is worked on."""
        if key in self.claimed:
            return False
        self.claimed.add(key)
        await self.notes.note(key, stopped=False, problem="")
        return True

    async def renew(self, key: str) -> None:
        """Do nothing: no claim runs out."""

    async def release(self, key: str, problem: str = "") -> None:
        """Note that a piece of work goes on no more, and what kept it from going on, if anything."""
        try:
            if problem:
                await self.notes.note(key, problem=problem)
        finally:  # also where the storage is full
            self.claimed.discard(key)

    async def stop(self, key: str, why: str = "") -> None:
        """Note that a piece of work is stopped, and why, if a person did not ask for it."""
        try:
            await self.notes.note(key, stopped=True, problem=why)
        finally:
            self.claimed.discard(key)
