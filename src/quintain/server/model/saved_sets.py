"""The sets of cards that players save under a name, and what keeps them: the database of a server, or a browser.

A set that was chosen at a table is kept by a mark, which two sets share if they have the same cards. The log of the
table does not name it, and only its player finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol

from quintain.server.model.results import FinishedGame
from quintain.server.refused import Refused

MOST_SETS = 60
"""The sets that a player keeps."""
GamesOfSets = Mapping[str, Sequence[FinishedGame]]
"""Finished games that count, newest first, by the id of a saved set."""


class SavedSet(NamedTuple):
    """A set of a player: its cards by name, one a line."""

    id: str
    number: int
    game: str
    name: str
    cards: str
    made: float
    changed: float

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its cards."""
        return tuple(self.cards.splitlines())


class KeptSavedSets(Protocol):
    """What keeps the sets of players, and which of them they chose at which table."""

    async def of_player(self, number: int, game: str) -> list[SavedSet]:
        """Return the sets of a player for a game, the newest first."""

    async def find(self, number: int, game: str, id_: str) -> SavedSet:
        """Return a set of a player; raises Refused if it is none of theirs."""

    async def add(self, number: int, game: str, name: str, cards: str) -> str:
        """Keep a new set of a player, and return its id; raises Refused if they have too many."""

    async def write(self, saved: SavedSet, cards: str) -> bool:
        """Keep other cards of a set; False if it has changed since it was read, so that nothing is written."""

    async def rename(self, saved: SavedSet, name: str) -> None:
        """Give a set another name."""

    async def delete(self, saved: SavedSet) -> None:
        """Delete a set."""

    async def note(self, number: int, game: str, table: str, names: Iterable[str]) -> None:
        """Note that a player chose these cards at a table."""

    async def tables_by_mark(self, number: int, game: str) -> Mapping[str, set[str]]:
        """Return the tables at which a player chose each set, by the set's mark."""


def no_such_set() -> Refused:
    """Return the refusal of a set that is none of the player's."""
    return Refused(404, "you have no such set: it may have been deleted")


def check_room(kept: int) -> None:
    """Raise Refused if a player has as many sets as are kept."""
    if kept >= MOST_SETS:
        raise Refused(422, f"you have {MOST_SETS} sets, which is as many as are kept: delete one first")


def mark_of(names: Iterable[str]) -> str:
    """Return the mark of a set, the same in whatever order its cards are named.

    >>> mark_of(["Tax Day", "Little John"]) == mark_of(["Little John", "Tax Day"])
    True
    """
    return sha256("\n".join(sorted(names)).encode()).hexdigest()


def games_by_set(
    saved: Sequence[SavedSet], tables: Mapping[str, set[str]], games: Iterable[FinishedGame]
) -> GamesOfSets:
    """Return the finished games that count with each set as it is now, by its id, in the order in which they are given.

    `tables` are those at which each set was chosen, by its mark. After a change of a set the count begins anew. A game
    in which somebody chose several sets belongs to each of them.
    """
    chosen_at = {each.id: tables.get(mark_of(each.names), set()) for each in saved}
    counted = [each for each in games if not each.own.uncounted]
    return {id_: [each for each in counted if each.own.table in there] for id_, there in chosen_at.items()}
