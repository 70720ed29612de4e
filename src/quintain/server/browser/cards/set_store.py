"""The sets of cards of the people on this device: each is a document, as are those that they chose at a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from quintain.server.browser.keeping import Keeping
from quintain.server.clock import now
from quintain.server.model.saved_sets import SavedSet, check_room, mark_of, no_such_set
from quintain.server.people.players import new_id

SETS, PLAYED = "saved-sets", "played-sets"
"""The kinds of these documents."""
Document = TypeVar("Document", bound=msgspec.Struct)


class SavedSetDocument(msgspec.Struct):
    """A set as it is kept."""

    id: str
    number: int
    game: str
    name: str
    cards: str
    made: float
    changed: float

    def saved(self) -> SavedSet:
        """Return the set as pages know it."""
        return SavedSet(*msgspec.structs.astuple(self))


class PlayedSets(msgspec.Struct):
    """The sets that a player chose at a table, by their marks."""

    number: int
    game: str
    table: str
    marks: list[str]


class BrowserSavedSets:
    """The sets that a browser keeps: a `KeptSavedSets`."""

    def __init__(self, keeper: Keeping):
        self.keeper = keeper

    async def of_player(self, number: int, game: str) -> list[SavedSet]:
        """Return the sets of a player for a game, the newest first."""
        kept = [each for each in await self._all(SETS, SavedSetDocument) if (each.number, each.game) == (number, game)]
        return sorted((each.saved() for each in kept), key=lambda each: (-each.made, each.id))

    async def find(self, number: int, game: str, id_: str) -> SavedSet:
        """Return a set of a player; raises Refused if it is none of theirs."""
        kept = await self._read(SETS, id_, SavedSetDocument)
        if kept is None or (kept.number, kept.game) != (number, game):
            raise no_such_set()
        return kept.saved()

    async def add(self, number: int, game: str, name: str, cards: str) -> str:
        """Keep a new set of a player, and return its id; raises Refused if they have too many."""
        check_room(sum(each.number == number for each in await self._all(SETS, SavedSetDocument)))
        id_, at = new_id(), now()
        await self._put(SETS, id_, SavedSetDocument(id_, number, game, name, cards, at, at))
        return id_

    async def write(self, saved: SavedSet, cards: str) -> bool:
        """Keep other cards of a set; False if it has changed since it was read, so that nothing is written."""
        kept = await self._read(SETS, saved.id, SavedSetDocument)
        if kept is None or kept.cards != saved.cards:
            return False
        kept.cards, kept.changed = cards, now()
        await self._put(SETS, kept.id, kept)
        return True

    async def rename(self, saved: SavedSet, name: str) -> None:
        """Give a set another name."""
        if (kept := await self._read(SETS, saved.id, SavedSetDocument)) is not None:
            kept.name = name
            await self._put(SETS, kept.id, kept)

    async def delete(self, saved: SavedSet) -> None:
        """Delete a set."""
        await self.keeper.put(SETS, saved.id, "")

    async def note(self, number: int, game: str, table: str, names: Iterable[str]) -> None:
        """Note that a player chose these cards at a table."""
        id_ = f"{number} {table}"
        kept = await self._read(PLAYED, id_, PlayedSets) or PlayedSets(number, game, table, [])
        kept.marks = list(dict.fromkeys([*kept.marks, mark_of(names)]))
        await self._put(PLAYED, id_, kept)

    async def tables_by_mark(self, number: int, game: str) -> Mapping[str, set[str]]:
        """Return the tables at which a player chose each set, by the set's mark."""
        found = defaultdict[str, set[str]](set)
        for each in await self._all(PLAYED, PlayedSets):
            if (each.number, each.game) == (number, game):
                for mark in each.marks:
                    found[mark].add(each.table)
        return found

    async def _all(self, kind: str, of: type[Document]) -> list[Document]:
        texts = msgspec.json.decode(await self.keeper.documents(kind), type=list[str])
        return [msgspec.json.decode(text, type=of) for text in texts]

    async def _read(self, kind: str, id_: str, of: type[Document]) -> Document | None:
        text = await self.keeper.document(kind, id_)
        return msgspec.json.decode(text, type=of) if text else None

    async def _put(self, kind: str, id_: str, kept: msgspec.Struct) -> None:
        await self.keeper.put(kind, id_, msgspec.json.encode(kept).decode())
