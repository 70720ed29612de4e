"""The decks of the people on this device: each is a document, and another one holds its earlier lists.

A list of decks reads all documents of decks, and with 100 lists in each of 200 decks that takes a second more.
"""

from __future__ import annotations

import asyncio

import msgspec

from quintain.server.browser.keeping import Documents, Keeping
from quintain.server.clock import now
from quintain.server.model.own_decks import MOST_DECKS, MOST_VERSIONS, OwnDeck, check_room, no_such_deck
from quintain.server.people.players import new_id

DECKS, EARLIER = "decks", "earlier-decks"
"""The kinds of these documents."""


class DeckDocument(msgspec.Struct):
    """A deck as it is kept: its list is version number `version`, and so many `earlier` ones are kept."""

    id: str
    number: int
    game: str
    name: str
    began: str
    made: float
    changed: float
    version: int
    text: str
    earlier: int = 0

    def own(self) -> OwnDeck:
        """Return the deck as pages know it."""
        fields = (self.id, self.number, self.game, self.name, self.began, self.made, self.changed, self.version)
        return OwnDeck(*fields, self.text, self.earlier > 0)


class BrowserDecks:
    """The decks that a browser keeps: a `KeptDecks`."""

    def __init__(self, keeper: Keeping):
        self._kept = Documents(keeper, DECKS, DeckDocument)
        self._earlier = Documents(keeper, EARLIER, list[str])
        self._writing = asyncio.Lock()
        """Held by whoever changes a deck, so that two changes at once are told apart."""

    async def of_player(self, number: int, game: str) -> list[OwnDeck]:
        """Return the decks of a player for a game, the one that was changed last first."""
        found = [each.own() for each in await self._kept.all() if (each.number, each.game) == (number, game)]
        return sorted(found, key=lambda each: (-each.changed, each.id))

    async def find(self, number: int, id_: str) -> OwnDeck:
        """Return a deck of a player; raises Refused if it is none of theirs."""
        kept = await self._kept.read(id_)
        if kept is None or kept.number != number:
            raise no_such_deck()
        return kept.own()

    async def of_anybody(self, id_: str) -> OwnDeck:
        """Return a deck of anybody on this device; raises Refused if there is none."""
        kept = await self._kept.read(id_)
        if kept is None:
            raise no_such_deck()
        return kept.own()

    async def add(self, number: int, game: str, name: str, text: str, began: str = "") -> str:
        """Keep a new deck of a player, and return its id; raises Refused if they have too many."""
        check_room(sum(each.number == number for each in await self._kept.all()), MOST_DECKS)
        id_, at = new_id(), now()
        await self._kept.put(id_, DeckDocument(id_, number, game, name, began, at, at, 0, text))
        return id_

    async def write(self, deck: OwnDeck, text: str) -> bool:
        """Keep a new version of a deck's list; False if the deck has changed since it was read."""
        async with self._writing:
            kept = await self._same(deck)
            if kept is None:
                return False
            earlier = [*(await self._earlier.read(kept.id) or []), kept.text][1 - MOST_VERSIONS :]
            await self._earlier.put(kept.id, earlier)
            kept.version, kept.changed, kept.text, kept.earlier = kept.version + 1, now(), text, len(earlier)
            await self._kept.put(kept.id, kept)
        return True

    async def take_back(self, deck: OwnDeck) -> bool:
        """Go back to the version before; False if there is none, or the deck has changed since it was read."""
        async with self._writing:
            kept = await self._same(deck)
            if kept is None or not (earlier := await self._earlier.read(kept.id)):
                return False
            *earlier, text = earlier
            kept.version, kept.changed, kept.text, kept.earlier = kept.version - 1, now(), text, len(earlier)
            await self._kept.put(kept.id, kept)
            await self._earlier.put(kept.id, earlier)
        return True

    async def rename(self, deck: OwnDeck, name: str) -> None:
        """Give a deck another name."""
        async with self._writing:
            if (kept := await self._kept.read(deck.id)) is not None:
                kept.name = name
                await self._kept.put(kept.id, kept)

    async def delete(self, deck: OwnDeck) -> None:
        """Delete a deck with all its versions."""
        async with self._writing:
            await self._kept.delete(deck.id)
            await self._earlier.delete(deck.id)

    async def _same(self, deck: OwnDeck) -> DeckDocument | None:
        """Return what is kept of a deck, unless it has changed since it was read."""
        kept = await self._kept.read(deck.id)
        return kept if kept and kept.version == deck.version else None
