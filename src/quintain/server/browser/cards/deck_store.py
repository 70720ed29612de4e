"""The decks of the people on this device: each is a document, with its list after each change."""

from __future__ import annotations

import msgspec

from quintain.server.browser.keeping import Keeping
from quintain.server.clock import now
from quintain.server.model.own_decks import MOST_DECKS, MOST_VERSIONS, OwnDeck, check_room, no_such_deck
from quintain.server.people.players import new_id

KIND = "decks"
"""The kind of these documents."""


class DeckDocument(msgspec.Struct):
    """A deck as it is kept: `lists` are its versions, the newest last, which is number `version`."""

    id: str
    number: int
    game: str
    name: str
    began: str
    made: float
    changed: float
    version: int
    lists: list[str]

    def own(self) -> OwnDeck:
        """Return the deck as pages know it."""
        fields = (self.id, self.number, self.game, self.name, self.began, self.made, self.changed, self.version)
        return OwnDeck(*fields, self.lists[-1], len(self.lists) > 1)


class BrowserDecks:
    """The decks that a browser keeps: a `KeptDecks`."""

    def __init__(self, keeper: Keeping):
        self.keeper = keeper

    async def of_player(self, number: int, game: str) -> list[OwnDeck]:
        """Return the decks of a player for a game, the one that was changed last first."""
        found = [each.own() for each in await self._all() if (each.number, each.game) == (number, game)]
        return sorted(found, key=lambda each: (-each.changed, each.id))

    async def find(self, number: int, id_: str) -> OwnDeck:
        """Return a deck of a player; raises Refused if it is none of theirs."""
        kept = await self._read(id_)
        if kept is None or kept.number != number:
            raise no_such_deck()
        return kept.own()

    async def add(self, number: int, game: str, name: str, text: str, began: str = "") -> str:
        """Keep a new deck of a player, and return its id; raises Refused if they have too many."""
        check_room(sum(each.number == number for each in await self._all()), MOST_DECKS)
        id_, at = new_id(), now()
        await self._put(DeckDocument(id_, number, game, name, began, at, at, 0, [text]))
        return id_

    async def write(self, deck: OwnDeck, text: str) -> bool:
        """Keep a new version of a deck's list; False if the deck has changed since it was read."""
        kept = await self._same(deck)
        if kept is None:
            return False
        kept.version, kept.changed, kept.lists = kept.version + 1, now(), [*kept.lists, text][-MOST_VERSIONS:]
        await self._put(kept)
        return True

    async def take_back(self, deck: OwnDeck) -> bool:
        """Go back to the version before; False if there is none, or the deck has changed since it was read."""
        kept = await self._same(deck)
        if kept is None or len(kept.lists) < 2:
            return False
        kept.version, kept.changed, kept.lists = kept.version - 1, now(), kept.lists[:-1]
        await self._put(kept)
        return True

    async def rename(self, deck: OwnDeck, name: str) -> None:
        """Give a deck another name."""
        if (kept := await self._read(deck.id)) is not None:
            kept.name = name
            await self._put(kept)

    async def delete(self, deck: OwnDeck) -> None:
        """Delete a deck with all its versions."""
        await self.keeper.put(KIND, deck.id, "")

    async def _all(self) -> list[DeckDocument]:
        texts = msgspec.json.decode(await self.keeper.documents(KIND), type=list[str])
        return [msgspec.json.decode(text, type=DeckDocument) for text in texts]

    async def _read(self, id_: str) -> DeckDocument | None:
        text = await self.keeper.document(KIND, id_)
        return msgspec.json.decode(text, type=DeckDocument) if text else None

    async def _same(self, deck: OwnDeck) -> DeckDocument | None:
        """Return what is kept of a deck, unless it has changed since it was read."""
        kept = await self._read(deck.id)
        return kept if kept and kept.version == deck.version else None

    async def _put(self, kept: DeckDocument) -> None:
        await self.keeper.put(KIND, kept.id, msgspec.json.encode(kept).decode())
