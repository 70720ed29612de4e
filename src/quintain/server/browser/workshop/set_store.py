"""The sets of the people on this device: a document for each set, for each of its versions, and for each older draft.

The document of a set is written last, so that a page that closes in between leaves the set as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from quintain.server.browser.keeping import Documents, Keeping
from quintain.server.browser.workshop.set_links import code_of, read_code
from quintain.server.clock import now
from quintain.server.model.own_sets import (
    MOST_STEPS,
    MOST_VERSIONS,
    OwnSet,
    SetVersion,
    SharedSet,
    check_length,
    check_number,
    no_such_set,
)
from quintain.server.people.players import new_id

SETS = "sets"
"""The kind of the documents of sets."""


class SetDocument(msgspec.Struct):
    """A set as it is kept; `OwnSet` says what its fields are.

    `steps` are the places of the drafts that are kept, and `lengths` the characters of each version.
    """

    id: str
    number: int
    game: str
    name: str
    made: float
    changed: float
    change: int
    version: int
    draft: str
    valid: str
    step: int
    steps: list[int] = []
    lengths: dict[int, int] = {}

    def own(self) -> OwnSet:
        """Return the set as pages know it."""
        facts = (self.id, self.number, self.game, self.name, self.made, self.changed, self.change, self.version)
        back = sum(step < self.step for step in self.steps)
        again = sum(step > self.step for step in self.steps)
        return OwnSet(*facts, self.draft, self.valid, self.step, back, again)


class VersionDocument(msgspec.Struct):
    """A version of a set as it is kept."""

    version: int
    text: str
    at: float


class BrowserSets:
    """The sets that a browser keeps: a `KeptSets`."""

    def __init__(self, keeper: Keeping):
        self.keeper, self._kept = keeper, Documents(keeper, SETS, SetDocument)
        self._writing = asyncio.Lock()
        """Held by whoever changes a set, so that two changes at once are told apart."""

    async def of_player(self, number: int, game: str) -> list[OwnSet]:
        """Return the sets of a player for a game, the one that was changed last first."""
        found = [each.own() for each in await self._kept.all() if (each.number, each.game) == (number, game)]
        return sorted(found, key=lambda each: (-each.changed, each.id))

    async def find(self, number: int, id_: str) -> OwnSet:
        """Return a set of a player; raises Refused if it is none of theirs."""
        kept = await self._kept.read(id_)
        if kept is None or kept.number != number:
            raise no_such_set()
        return kept.own()

    async def add(self, number: int, game: str, name: str, draft: str, is_valid: bool) -> str:
        """Keep a new set of a player, and return its id; a valid one is its own first version. Raises Refused."""
        id_, at, valid = new_id(), now(), draft if is_valid else ""
        async with self._writing:
            mine = [each for each in await self._kept.all() if each.number == number]
            check_number(len(mine))
            check_length(_used(mine), draft)
            kept = SetDocument(id_, number, game, name, at, at, 0, 0, draft, valid, 0)
            if is_valid:
                await self._add_version(kept, draft)
            await self._kept.put(kept.id, kept)
        return id_

    async def write(self, own: OwnSet, draft: str, is_valid: bool) -> bool:
        """Keep a changed draft; False if the set has changed since it was read."""
        async with self._writing:
            if (kept := await self._same(own)) is None:
                return False
            await self._keep_step(kept)
            _move(kept, draft, own.step + 1, is_valid)
            await self._kept.put(kept.id, kept)
        return True

    async def draft_at(self, own: OwnSet, by: int) -> str | None:
        """Return the draft so many changes ahead, or back if `by` is negative; None if it is not kept."""
        return await self.keeper.document(_steps(own.id), _place(own.step + by)) or None

    async def go(self, own: OwnSet, by: int, draft: str, is_valid: bool) -> bool:
        """Go back or ahead to a draft of `draft_at`; False if the set has changed since it was read."""
        async with self._writing:
            if (kept := await self._same(own)) is None:
                return False
            await self._put_step(kept)
            _move(kept, draft, own.step + by, is_valid)
            await self._kept.put(kept.id, kept)
        return True

    async def save(self, own: OwnSet, text: str) -> bool:
        """Save a valid text as the next version, which the draft then is; False if the set has changed meanwhile."""
        async with self._writing:
            check_length(_used([each for each in await self._kept.all() if each.number == own.number]), text)
            if (kept := await self._same(own)) is None:
                return False
            if text != own.draft:
                await self._keep_step(kept)
            await self._add_version(kept, text)
            _move(kept, text, own.step + (text != own.draft), is_valid=True)
            await self._kept.put(kept.id, kept)
        return True

    async def versions(self, own: OwnSet) -> list[SetVersion]:
        """Return the versions of a set, the last one first; the link to that one holds the version itself."""
        read = await self._versions(own.id).all()
        versions = [SetVersion(each.version, each.text, each.at, None) for each in reversed(read)]
        return [each._replace(token=code_of(own, each)) for each in versions[:1]] + versions[1:]

    async def shared(self, token: str) -> SharedSet:
        """Return the version that a link holds; raises Refused if it holds none."""
        return read_code(token)

    async def rename(self, own: OwnSet, name: str) -> None:
        """Give a set another name."""
        async with self._writing:
            if (kept := await self._kept.read(own.id)) is not None:
                kept.name = name
                await self._kept.put(kept.id, kept)

    async def delete(self, own: OwnSet) -> None:
        """Delete a set with all its versions."""
        async with self._writing:
            if (kept := await self._kept.read(own.id)) is not None:
                await self._kept.delete(own.id)
                for version in kept.lengths:
                    await self._versions(own.id).delete(_place(version))
                for step in kept.steps:
                    await self.keeper.put(_steps(own.id), _place(step), "")

    def _versions(self, id_: str) -> Documents[VersionDocument]:
        """Return the documents of a set's versions."""
        return Documents(self.keeper, f"{SETS}/{id_}/versions", VersionDocument)

    async def _same(self, own: OwnSet) -> SetDocument | None:
        """Return what is kept of a set, unless it has changed since it was read."""
        kept = await self._kept.read(own.id)
        return kept if kept and kept.change == own.change else None

    async def _add_version(self, kept: SetDocument, text: str) -> None:
        """Keep a text as the next version of a set; the oldest ones go."""
        kept.version += 1
        versions = self._versions(kept.id)
        await versions.put(_place(kept.version), VersionDocument(kept.version, text, now()))
        kept.lengths = {**kept.lengths, kept.version: len(text)}
        for version in [each for each in kept.lengths if each <= kept.version - MOST_VERSIONS]:
            await versions.delete(_place(version))
            del kept.lengths[version]

    async def _put_step(self, kept: SetDocument) -> None:
        """Keep the draft of a set at its place."""
        await self.keeper.put(_steps(kept.id), _place(kept.step), kept.draft)
        kept.steps = sorted({*kept.steps, kept.step})

    async def _keep_step(self, kept: SetDocument) -> None:
        """Keep the draft of a set before a new change; what came after it once goes, and what is long ago."""
        await self._put_step(kept)
        near = range(kept.step - MOST_STEPS + 1, kept.step + 1)
        for step in [each for each in kept.steps if each not in near]:
            await self.keeper.put(_steps(kept.id), _place(step), "")
        kept.steps = [each for each in kept.steps if each in near]


def _move(kept: SetDocument, draft: str, step: int, is_valid: bool) -> None:
    """Let a set have another draft."""
    kept.draft, kept.step, kept.change, kept.changed = draft, step, kept.change + 1, now()
    if is_valid:
        kept.valid = draft


def _used(kept: Sequence[SetDocument]) -> int:
    """Return the characters of all versions of sets."""
    return sum(length for each in kept for length in each.lengths.values())


def _steps(id_: str) -> str:
    """Return the kind of the documents of a set's older drafts."""
    return f"{SETS}/{id_}/steps"


def _place(number: int) -> str:
    """Return the id of a version or a draft: documents stand in the order of their ids."""
    return f"{number:08}"
