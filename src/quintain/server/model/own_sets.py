"""The sets of cards that players make, and what keeps them: the database of a server, or a browser."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from quintain.server.refused import Refused

MOST_SETS, MOST_VERSIONS = 20, 40
"""The sets of a player, and the versions of a set that are kept; older versions go."""
MOST_CHARACTERS = 4 * 2**20
"""The characters of all versions of a player's sets together."""
MOST_STEPS = 40
"""The changes of a set that can be taken back."""


class OwnSet(NamedTuple):
    """A set of a player.

    `draft` is the set as it now is, `valid` the last draft that its game takes, and `step` the place of `draft` among
    the drafts that are kept: so many changes can be taken `back`, and so many made `again`. `change` counts all
    changes, and `version` is the last version that was saved.
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
    back: int = 0
    again: int = 0


class SetVersion(NamedTuple):
    """A saved version of a set; `token` is in the links to it, and None if it is not shared."""

    version: int
    text: str
    at: float
    token: str | None


class SharedSet(NamedTuple):
    """A version of a set that somebody has shared: the game, the name of the set and of its player, and its text."""

    game: str
    name: str
    player: str | None
    version: int
    text: str
    at: float


class KeptSets(Protocol):
    """What keeps the sets of players."""

    async def of_player(self, number: int, game: str) -> list[OwnSet]:
        """Return the sets of a player for a game, the one that was changed last first."""

    async def find(self, number: int, id_: str) -> OwnSet:
        """Return a set of a player; raises Refused if it is none of theirs."""

    async def add(self, number: int, game: str, name: str, draft: str, is_valid: bool) -> str:
        """Keep a new set of a player, and return its id; a valid one is its own first version. Raises Refused."""

    async def write(self, own: OwnSet, draft: str, is_valid: bool) -> bool:
        """Keep a changed draft; False if the set has changed since it was read."""

    async def draft_at(self, own: OwnSet, by: int) -> str | None:
        """Return the draft so many changes ahead, or back if `by` is negative; None if it is not kept."""

    async def go(self, own: OwnSet, by: int, draft: str, is_valid: bool) -> bool:
        """Go back or ahead to a draft of `draft_at`; False if the set has changed since it was read."""

    async def save(self, own: OwnSet, text: str) -> bool:
        """Save a valid text as the next version, which the draft then is; False if the set has changed meanwhile."""

    async def versions(self, own: OwnSet) -> list[SetVersion]:
        """Return the versions of a set, the last one first."""

    async def shared(self, token: str) -> SharedSet:
        """Return the version that a link names; raises Refused if nobody shares it, or not any more."""

    async def rename(self, own: OwnSet, name: str) -> None:
        """Give a set another name."""

    async def delete(self, own: OwnSet) -> None:
        """Delete a set with all its versions."""


def no_such_set() -> Refused:
    """Return the refusal of a set that is none of the player's."""
    return Refused(404, "you have no such set: it may have been deleted, or it is somebody else's")


def not_shared() -> Refused:
    """Return the refusal of a link by which nobody shares a set."""
    return Refused(404, "nobody shares a set by this link, or not any more: ask for it once more")


def check_number(kept: int) -> None:
    """Raise Refused if a player has as many sets as are kept."""
    if kept >= MOST_SETS:
        raise Refused(422, f"you have {MOST_SETS} sets, which is as many as are kept: delete one first")


def check_length(used: int, text: str) -> None:
    """Raise Refused if a text is too long beside the versions of a player's sets, which have `used` characters."""
    if used + len(text) > MOST_CHARACTERS:
        raise Refused(422, "your sets are as long as may be kept, all versions together: delete one first")
