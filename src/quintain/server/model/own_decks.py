"""The decks of players, and what keeps them: the database of a server, or a browser."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from quintain.server.refused import Refused

MOST_DECKS, MOST_VERSIONS = 60, 100
"""The decks of a player, and the versions of a deck that are kept; older versions go."""
OWN = "deck:"
"""What stands before the id of a deck of a player's own in the form for a new table."""


class OwnDeck(NamedTuple):
    """A deck of a player: `began` says what it was copied from, and `text` is its list."""

    id: str
    number: int
    game: str
    name: str
    began: str
    made: float
    changed: float
    version: int
    text: str
    can_take_back: bool


class KeptDecks(Protocol):
    """What keeps the decks of players."""

    async def of_player(self, number: int, game: str) -> list[OwnDeck]:
        """Return the decks of a player for a game, the one that was changed last first."""

    async def find(self, number: int, id_: str) -> OwnDeck:
        """Return a deck of a player; raises Refused if it is none of theirs."""

    async def add(self, number: int, game: str, name: str, text: str, began: str = "") -> str:
        """Keep a new deck of a player, and return its id; raises Refused if they have too many."""

    async def write(self, deck: OwnDeck, text: str) -> bool:
        """Keep a new version of a deck's list; False if the deck has changed since it was read."""

    async def take_back(self, deck: OwnDeck) -> bool:
        """Go back to the version before; False if there is none, or the deck has changed since it was read."""

    async def rename(self, deck: OwnDeck, name: str) -> None:
        """Give a deck another name."""

    async def delete(self, deck: OwnDeck) -> None:
        """Delete a deck with all its versions."""


def no_such_deck() -> Refused:
    """Return the refusal of a deck that is none of the player's."""
    return Refused(404, "you have no such deck: it may have been deleted")


def check_room(kept: int, most: int) -> None:
    """Raise Refused if a player has as many decks as are kept."""
    if kept >= most:
        raise Refused(422, f"you have {most} decks, which is as many as are kept: delete one first")
