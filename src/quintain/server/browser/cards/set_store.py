"""The sets of cards of the people on this device: each is a document, as are those that they chose at a table."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from quintain.server.browser.keeping import Documents, Keeping
from quintain.server.clock import now
from quintain.server.model.saved_sets import SavedSet, check_room, mark_of, no_such_set
from quintain.server.people.players import new_id

SETS, PLAYED = "saved-sets", "played-sets"
"""The kinds of these documents."""


class PlayedSets(msgspec.Struct):
    """The sets that a player chose at a table, by their marks."""

    number: int
    game: str
    table: str
    marks: list[str]


class BrowserSavedSets:
    """The sets that a browser keeps: a `KeptSavedSets`."""

    def __init__(self, keeper: Keeping):
        self._kept = Documents(keeper, SETS, SavedSet)
        self._played = Documents(keeper, PLAYED, PlayedSets)
        self._writing = asyncio.Lock()
        """Held by whoever changes a set, so that two changes at once are told apart."""

    async def of_player(self, number: int, game: str) -> list[SavedSet]:
        """Return the sets of a player for a game, the newest first."""
        found = [each for each in await self._kept.all() if (each.number, each.game) == (number, game)]
        return sorted(found, key=lambda each: (-each.made, each.id))

    async def find(self, number: int, game: str, id_: str) -> SavedSet:
        """Return a set of a player; raises Refused if it is none of theirs."""
        kept = await self._kept.read(id_)
        if kept is None or (kept.number, kept.game) != (number, game):
            raise no_such_set()
        return kept

    async def add(self, number: int, game: str, name: str, cards: str) -> str:
        """Keep a new set of a player, and return its id; raises Refused if they have too many."""
        check_room(sum(each.number == number for each in await self._kept.all()))
        id_, at = new_id(), now()
        await self._kept.put(id_, SavedSet(id_, number, game, name, cards, at, at))
        return id_

    async def write(self, saved: SavedSet, cards: str) -> bool:
        """Keep other cards of a set; False if it has changed since it was read, so that nothing is written."""
        async with self._writing:
            kept = await self._kept.read(saved.id)
            if kept is None or kept.cards != saved.cards:
                return False
            await self._kept.put(kept.id, kept._replace(cards=cards, changed=now()))
        return True

    async def rename(self, saved: SavedSet, name: str) -> None:
        """Give a set another name."""
        async with self._writing:
            if (kept := await self._kept.read(saved.id)) is not None:
                await self._kept.put(kept.id, kept._replace(name=name))

    async def delete(self, saved: SavedSet) -> None:
        """Delete a set."""
        async with self._writing:
            await self._kept.delete(saved.id)

    async def note(self, number: int, game: str, table: str, names: Iterable[str]) -> None:
        """Note that a player chose these cards at a table."""
        id_ = f"{number} {table}"
        played = await self._played.read(id_) or PlayedSets(number, game, table, [])
        played.marks = list(dict.fromkeys([*played.marks, mark_of(names)]))
        await self._played.put(id_, played)

    async def tables_by_mark(self, number: int, game: str) -> Mapping[str, set[str]]:
        """Return the tables at which a player chose each set, by the set's mark."""
        found = defaultdict[str, set[str]](set)
        for each in await self._played.all():
            if (each.number, each.game) == (number, game):
                for mark in each.marks:
                    found[mark].add(each.table)
        return found
