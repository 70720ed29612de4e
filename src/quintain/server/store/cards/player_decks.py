"""The rows of players' decks: each deck, and its list after each change, so that changes can be taken back."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, and_, delete, exists, func, select, update
from sqlalchemy.orm import aliased

from quintain.server.clock import now
from quintain.server.model.own_decks import MOST_DECKS, MOST_VERSIONS, OwnDeck, check_room, no_such_deck
from quintain.server.store.database import Database
from quintain.server.store.schema import DeckRow, DeckVersionRow


class PlayerDecks:
    """The decks of players in a database."""

    def __init__(self, database: Database):
        self.database = database

    async def of_player(self, number: int, game: str) -> list[OwnDeck]:
        """Return the decks of a player for a game, the one that was changed last first."""
        asked = _decks().where(DeckRow.number == number, DeckRow.game == game)
        rows = await self.database.rows(asked.order_by(DeckRow.changed.desc(), DeckRow.id))
        return [_read(row) for row in rows]

    async def find(self, number: int, id_: str) -> OwnDeck:
        """Return a deck of a player; raises Refused if it is none of theirs."""
        rows = await self.database.rows(_decks().where(DeckRow.number == number, DeckRow.id == id_))
        if not rows:
            raise no_such_deck()
        return _read(rows[0])

    async def add(self, number: int, game: str, name: str, text: str, began: str = "") -> str:
        """Keep a new deck of a player, and return its id; raises Refused if they have too many."""
        id_, at = secrets.token_urlsafe(9), now()
        deck = {"id": id_, "number": number, "game": game, "name": name, "began": began, "made": at, "changed": at}
        async with self.database.together.begin() as connection:
            kept = await connection.scalar(select(func.count()).where(DeckRow.number == number))
            check_room(kept or 0, MOST_DECKS)
            await connection.execute(self.database.insert(DeckRow).values(**deck, version=0))
            first = {"deck": id_, "version": 0, "list": text, "at": at}
            await connection.execute(self.database.insert(DeckVersionRow).values(first))
        return id_

    async def write(self, deck: OwnDeck, text: str) -> bool:
        """Keep a new version of a deck's list; False if the deck has changed since it was read."""
        version, at = deck.version + 1, now()
        async with self.database.together.begin() as connection:
            moved = _same(deck).values(version=version, changed=at).returning(DeckRow.id)
            if await connection.scalar(moved) is None:
                return False
            row = {"deck": deck.id, "version": version, "list": text, "at": at}
            await connection.execute(self.database.insert(DeckVersionRow).values(row))
            is_old = and_(DeckVersionRow.deck == deck.id, DeckVersionRow.version <= version - MOST_VERSIONS)
            await connection.execute(delete(DeckVersionRow).where(is_old))
        return True

    async def take_back(self, deck: OwnDeck) -> bool:
        """Go back to the version before; False if there is none, or the deck has changed since it was read."""
        if not deck.can_take_back:
            return False
        async with self.database.together.begin() as connection:
            back = _same(deck).values(version=deck.version - 1, changed=now()).returning(DeckRow.id)
            if await connection.scalar(back) is None:
                return False
            is_last = and_(DeckVersionRow.deck == deck.id, DeckVersionRow.version == deck.version)
            await connection.execute(delete(DeckVersionRow).where(is_last))
        return True

    async def rename(self, deck: OwnDeck, name: str) -> None:
        """Give a deck another name."""
        await self.database.do(update(DeckRow).where(DeckRow.id == deck.id).values(name=name))

    async def delete(self, deck: OwnDeck) -> None:
        """Delete a deck with all its versions."""
        async with self.database.together.begin() as connection:
            await connection.execute(delete(DeckVersionRow).where(DeckVersionRow.deck == deck.id))
            await connection.execute(delete(DeckRow).where(DeckRow.id == deck.id))


def _decks() -> Select[*tuple[Any, ...]]:
    """Return the query for decks, each with its list, and whether there is a version before."""
    is_current = and_(DeckVersionRow.deck == DeckRow.id, DeckVersionRow.version == DeckRow.version)
    earlier = aliased(DeckVersionRow)
    has_earlier = exists().where(earlier.deck == DeckRow.id, earlier.version < DeckRow.version)
    return select(
        DeckRow.id,
        DeckRow.number,
        DeckRow.game,
        DeckRow.name,
        DeckRow.began,
        DeckRow.made,
        DeckRow.changed,
        DeckRow.version,
        DeckVersionRow.list,
        has_earlier,
    ).join(DeckVersionRow, is_current)


def _same(deck: OwnDeck):  # type: ignore[no-untyped-def]  # SQLAlchemy infers a private type
    """Return an update of a deck that nobody has changed since it was read."""
    return update(DeckRow).where(DeckRow.id == deck.id, DeckRow.version == deck.version)


def _read(row: Sequence[object]) -> OwnDeck:
    found = OwnDeck(*row)  # type: ignore[arg-type]  # the columns are its fields, in their order
    return found._replace(can_take_back=bool(found.can_take_back))
