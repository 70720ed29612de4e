"""Table talk: what people say at a table, who reads it, and what the operator can do about it.

It lies in a database table of its own (`schema.TalkRow`), which no log or record follows from or leads to. A line holds
the number of its player; names are looked up when it is shown. A table in memory keeps the last lines of its two
channels, the players' and the spectators'. `talking.py` has what people do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import case, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from quintain.engine.errors import BadOption
from quintain.engine.names import looks_like_one_of
from quintain.server.clock import now
from quintain.server.limits import Limit, Rate
from quintain.server.log.entries import PLAYING, Seat
from quintain.server.log.seating import Person, Persons
from quintain.server.store.database import Store
from quintain.server.store.notifications import PLAYERS, TALK, notify
from quintain.server.store.schema import DeviceRow, PlayerRow, TalkRow

MOST_LETTERS = 200
"""Characters of a line."""
MOST_LINES = 50
"""The lines of each channel that a table shows."""
READY = ("Well played", "Your turn?", "One moment", "Thank you", "Good luck", "Sorry, I must go")
"""Words that one touch says."""
TALK_RATE, REPORT_RATE = Rate(5, 0.25), Rate(10, 10 / 3600)
"""How often one player may say something, and report what others have said."""
JOINERS = "\u200c\u200d"
"""Characters without a shape that some scripts, and signs made of several others, cannot do without."""


@dataclass(frozen=True)
class TalkLimits:
    """How often each player may say something, and report a line."""

    lines: Limit = field(default_factory=lambda: Limit(TALK_RATE))
    reports: Limit = field(default_factory=lambda: Limit(REPORT_RATE))


class Said(NamedTuple):
    """Something said at a table by the player with a number: at a seat, or as a spectator, whose seat is None."""

    id: int
    number: int
    seat: int | None
    text: str
    at: float


class Talk:
    """The last lines of both channels of one table, the oldest first, and the players who said them."""

    def __init__(self, lines: Iterable[Said] = (), persons: Persons | None = None):
        self.lines = list(lines)
        self.persons = dict(persons or {})

    def read_by(self, you: int | None, status: str) -> list[Said]:
        """Return the lines that a viewer may read.

        While the game runs, nobody at a seat reads the spectators: one of them may know what is hidden from a player.
        """
        hidden = you is not None and status == PLAYING
        return [line for line in self.lines if line.seat is not None or not hidden]

    def name_of(self, line: Said, seats: Sequence[Seat]) -> str:
        """Return the name of whoever said a line; those who still sit there are called as the table calls them.

        The name of a spectator that looks like that of somebody at a seat is marked, as no name can be.
        """
        seat = seats[line.seat] if line.seat is not None else None
        if seat and seat.name and seat.number == line.number:
            return seat.name
        name = self.persons[line.number].name
        others = [each.name for each in seats if each.name and each.number != line.number]
        return f"{name} (spectator)" if line.seat is None and looks_like_one_of(name, others) else name


def cleaned(text: str) -> str:
    """Return a line as it is kept: without control characters and signs that turn the direction; raises BadOption.

    >>> cleaned(" Well\\tplayed,\\u202e  Bo ")
    'Well played, Bo'
    """
    spaced = " ".join(text.split())
    line = " ".join("".join(letter for letter in spaced if _may_stand(letter)).split())
    if not line.strip(JOINERS):
        raise BadOption("there is nothing to say: write some words first")
    if len(line) > MOST_LETTERS:
        raise BadOption(f"that is too long to say at once: a line has at most {MOST_LETTERS} characters")
    return line


def _may_stand(letter: str) -> bool:
    """Tell whether a character may stand in a line: no control character, no override, no half of a pair."""
    return letter in JOINERS or unicodedata.category(letter) not in ("Cc", "Cf", "Cs")


async def read(store: Store, table: str) -> Talk:
    """Return the last lines that were said at a table."""
    columns = TalkRow.id, TalkRow.number, TalkRow.seat, TalkRow.text, TalkRow.at
    last = select(*columns).where(TalkRow.table == table).order_by(TalkRow.id.desc()).limit(MOST_LINES)
    lines: list[Said] = []
    async with store.engine.connect() as connection:
        for channel in (TalkRow.seat.is_not(None), TalkRow.seat.is_(None)):
            lines += [Said(*row) for row in await connection.execute(last.where(channel))]
    return Talk(sorted(lines), await store.persons({line.number for line in lines}))


async def add(store: Store, table: str, number: int, seat: int | None, text: str) -> None:
    """Keep a line, and tell the other processes that there is one."""
    row = {"table": table, "number": number, "seat": seat, "text": text, "at": now()}
    async with store.together.begin() as connection:
        await connection.execute(store.insert(TalkRow).values(row))
        if store.is_shared:
            await notify(connection, TALK, table)


async def muted_until(store: Store, number: int) -> float | None:
    """Return the time until which a player is muted; None if they may talk.

    Who has come from the address of a muted player since they were muted is muted as long: they may be the same.
    """
    muted, own, theirs = aliased(PlayerRow), aliased(DeviceRow), aliased(DeviceRow)
    made = select(PlayerRow.made).where(PlayerRow.number == number).scalar_subquery()
    is_alike = exists().where(
        own.number == number,
        own.address != "",
        theirs.address == own.address,
        theirs.number == muted.number,
        muted.muted_at <= made,
    )
    asked = select(func.max(muted.muted)).where(muted.muted > now(), (muted.number == number) | is_alike)
    async with store.engine.connect() as connection:
        until: float | None = await connection.scalar(asked)
    return until


async def mute(store: Store, number: int, until: float | None) -> Person:
    """Mute a player until a time, or let them talk again, and return them; raises BadOption for an unknown number."""
    still = PlayerRow.muted > now()  # who was muted with them before stays so
    muted = (
        update(PlayerRow)
        .where(PlayerRow.number == number, PlayerRow.gone.is_(None))
        .values(muted=until, muted_at=None if until is None else case((still, PlayerRow.muted_at), else_=now()))
    )
    async with store.engine.connect() as connection:
        found = await connection.scalar(muted.returning(PlayerRow.number))
    if found is None:
        raise BadOption(
            f"there is no player {number} here: the number stands in the server's log, and at the end of the address "
            "of the player's page, /players/NUMBER"
        )
    return (await store.persons([number]))[number]


async def forget(connection: AsyncConnection, number: int, is_shared: bool) -> None:
    """Delete all that a player has said, and tell the other processes."""
    await connection.execute(delete(TalkRow).where(TalkRow.number == number))
    if is_shared:
        await notify(connection, PLAYERS, str(number))
