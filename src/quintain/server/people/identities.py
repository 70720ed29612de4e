"""Who a player is without a password: their devices, links that add one, the recovery code, and leaving for good.

`sessions.py` says which cookies hold; `identity_routes.py` has the addresses.
"""

from __future__ import annotations

import logging
import secrets
from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from quintain.engine.errors import QuintainError
from quintain.server.clock import now
from quintain.server.log.entries import OVER, PLAYING
from quintain.server.people.sessions import Sessions
from quintain.server.store import talk_lines as talk
from quintain.server.store.database import Store
from quintain.server.store.notifications import SESSIONS, notify
from quintain.server.store.schema import DeviceLinkRow, DeviceRow, PlayerRow
from quintain.server.tables.acts import Tables
from quintain.server.tables.table import Refused

LINK_SECONDS = 600.0
"""How long a link that adds a device holds."""
MOST_KEPT = 10_000
"""A process remembers of so many devices when it last wrote that they were seen; then it begins anew."""
SEEN_EVERY = 600.0
"""Seconds after which the time is written anew at which a device was seen."""
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of recovery codes: none looks like another one on paper."""
GROUPS, IN_GROUP = 4, 4
"""A recovery code has this many groups of so many letters: 80 bits."""
MOST_AGENT = 300
"""Characters that are kept of what a browser says of itself."""
MOST_TABLES = 200
"""The unfinished tables that a player leaves when they are deleted."""
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
"""Signs in what a browser says of itself, the more special ones first, each with the name that people know."""
log = logging.getLogger("quintain.server")


class Device(NamedTuple):
    """A browser in which a player is signed in: its id, what it is, its names in words, and when it was last seen."""

    id: str
    kind: str
    words: str
    seen: float


class Recovery(NamedTuple):
    """A recovery code, and when the player last saw it; None if they never did."""

    code: str
    shown: float | None


class Identities:
    """The devices and recovery codes of all players."""

    def __init__(self, store: Store, sessions: Sessions):
        self.store, self.engine, self.sessions = store, store.engine, sessions
        self._seen: dict[tuple[str, str], float] = {}
        """When this process last wrote that a device was seen, by its id and address."""

    async def saw(self, number: int, device: str, agent: str, address: str) -> None:
        """Note that a player uses a device. If the database fails, the page is shown all the same."""
        at, where = now(), self.sessions.keys.signer.mark(address) if address else ""
        if not device or at - self._seen.get((device, where), 0.0) < SEEN_EVERY:
            return
        row = {"id": device, "number": number, "agent": agent[:MOST_AGENT], "address": where, "made": at, "seen": at}
        fresh = {name: row[name] for name in ("number", "agent", "address", "seen")}
        try:
            async with self.engine.connect() as connection:
                added = self.store.insert(DeviceRow).values(row)
                await connection.execute(added.on_conflict_do_update(index_elements=["id"], set_=fresh))
            if len(self._seen) >= MOST_KEPT:
                self._seen.clear()
            self._seen[device, where] = at
        except SQLAlchemyError as error:
            log.warning("a device is not noted", extra={"reason": str(error)})

    async def devices(self, number: int) -> list[Device]:
        """Return the devices in which a player is signed in, the one last used first."""
        asked = select(DeviceRow).where(DeviceRow.number == number, DeviceRow.ended.is_(None))
        async with self.engine.connect() as connection:
            rows = await connection.execute(asked.order_by(DeviceRow.seen.desc()))
            return [Device(row.id, kind_of(row.agent), words_of(row.agent), row.seen) for row in rows]

    async def end_device(self, number: int, device: str) -> None:
        """Sign a player's device out, and void links that add one; raises Refused if it is none of theirs."""
        ended = update(DeviceRow).where(DeviceRow.id == device, DeviceRow.number == number).values(ended=now())
        async with self.engine.connect() as connection:
            if await connection.scalar(ended.returning(DeviceRow.id)) is None:
                raise Refused(404, "that is none of your devices")
            await connection.execute(delete(DeviceLinkRow).where(DeviceLinkRow.number == number))
            if self.store.is_shared:
                await notify(connection, SESSIONS, "")
        self.sessions.forget_device(device)

    async def end_others(self, player: str, device: str) -> int:
        """End all sessions of a player but one on a device; return the number of that session.

        Links that add a device, and the recovery code, which somebody may have stolen, hold no longer.
        """
        session = await self.sessions.end(player)
        mine = select(PlayerRow.number).where(PlayerRow.id == player).scalar_subquery()
        others = update(DeviceRow).where(DeviceRow.number == mine, DeviceRow.id != device, DeviceRow.ended.is_(None))
        async with self.engine.connect() as connection:
            await connection.execute(others.values(ended=now()))
            player_row = update(PlayerRow).where(PlayerRow.id == player)
            await connection.execute(player_row.values(recovery=None, recovery_shown=None))
            await connection.execute(delete(DeviceLinkRow).where(DeviceLinkRow.number == mine))
        return session

    async def link(self, number: int) -> str:
        """Return the token of a link that signs one more device in, once, within LINK_SECONDS."""
        token = secrets.token_urlsafe(16)
        row = {"token": token, "number": number, "until": now() + LINK_SECONDS}
        async with self.engine.connect() as connection:
            await connection.execute(delete(DeviceLinkRow).where(DeviceLinkRow.until < now()))
            await connection.execute(self.store.insert(DeviceLinkRow).values(row))
        return token

    async def linked(self, token: str) -> int:
        """Return the number of the player to whom a link belongs; raises Refused if it holds no more."""
        asked = select(DeviceLinkRow.number).where(DeviceLinkRow.token == token, DeviceLinkRow.until >= now())
        async with self.engine.connect() as connection:
            return _held(await connection.scalar(asked))

    async def use_link(self, token: str) -> int:
        """Use a link up, and return the number of its player; raises Refused if it holds no more."""
        used = delete(DeviceLinkRow).where(DeviceLinkRow.token == token, DeviceLinkRow.until >= now())
        async with self.engine.connect() as connection:
            return _held(await connection.scalar(used.returning(DeviceLinkRow.number)))

    async def recovery(self, number: int) -> Recovery | None:
        """Return the recovery code of a player; None if they have none yet."""
        asked = select(PlayerRow.recovery, PlayerRow.recovery_shown).where(PlayerRow.number == number)
        async with self.engine.connect() as connection:
            code, shown = (await connection.execute(asked)).one()
        return Recovery(code, shown) if code else None

    async def show_recovery(self, number: int, renew: bool = False) -> Recovery:
        """Return the recovery code of a player, once they have asked to see it; make one if need be."""
        known = await self.recovery(number)
        code = known.code if known and not renew else new_code()
        shown = update(PlayerRow).where(PlayerRow.number == number).values(recovery=code, recovery_shown=now())
        async with self.engine.connect() as connection:
            await connection.execute(shown)
        return Recovery(code, now())

    async def recover(self, given: str) -> int:
        """Return the number of the player whose recovery code somebody types; raises Refused if it is nobody's."""
        code = "".join(letter for letter in given.upper() if letter.isalnum())
        asked = select(PlayerRow.number).where(PlayerRow.recovery == code)
        async with self.engine.connect() as connection:
            number: int | None = await connection.scalar(asked) if len(code) == GROUPS * IN_GROUP else None
        if number is None:
            raise Refused(
                403,
                f"nobody here has this code: it has {GROUPS * IN_GROUP} letters and digits, in {GROUPS} groups of "
                f"{IN_GROUP}, as you wrote it down",
            )
        return number

    async def forget(self, tables: Tables, player: str, number: int) -> None:
        """Delete a player: they leave all tables, their name and devices go, and no cookie of theirs holds.

        While they are muted, the hashes of their devices' addresses stay, so that the mute holds if they come back.
        """
        await self._leave_all(tables, player)
        await self.sessions.end(player)
        gone = update(PlayerRow).where(PlayerRow.number == number)
        async with self.store.together.begin() as connection:
            await connection.execute(gone.values(name=None, recovery=None, recovery_shown=None, gone=now()))
            await connection.execute(update(DeviceRow).where(DeviceRow.number == number).values(agent="", ended=now()))
            is_free = PlayerRow.gone.is_not(None) & (PlayerRow.muted.is_(None) | (PlayerRow.muted <= now()))
            freed = select(PlayerRow.number).where(is_free)
            await connection.execute(delete(DeviceRow).where(DeviceRow.number.in_(freed)))
            await connection.execute(delete(DeviceLinkRow).where(DeviceLinkRow.number == number))
            await talk.forget(connection, number, self.store.is_shared)
        await tables.rename(number)

    async def _leave_all(self, tables: Tables, player: str) -> None:
        """Leave all tables of a player that wait, and give up all that are in play."""
        for row, _ in (await self.store.tables_of([player], MOST_TABLES)).get(player, []):
            try:
                table = await tables.get(row.id)
                if table.status == PLAYING:
                    await tables.resign(table, player)
                elif table.status != OVER:
                    await tables.get_up(table, player)
            except QuintainError as error:
                log.info("a player who goes stays at a table", extra={"table": row.id, "reason": str(error)})


def new_code() -> str:
    """Return a new recovery code, without the gaps between its groups."""
    return "".join(secrets.choice(LETTERS) for _ in range(GROUPS * IN_GROUP))


def groups_of(code: str) -> list[str]:
    """Return the groups of a recovery code.

    >>> groups_of("ABCDEFGH23456789")
    ['ABCD', 'EFGH', '2345', '6789']
    """
    return [code[first : first + IN_GROUP] for first in range(0, len(code), IN_GROUP)]


def words_of(agent: str) -> str:
    """Return what a browser is, in words, from what it says of itself.

    >>> words_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    """
    browser = next((name for sign, name in BROWSERS if sign in agent), "a browser")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return f"{browser} on {system}" if system else browser.capitalize()


def kind_of(agent: str) -> str:
    """Return what kind of device a browser runs on.

    >>> kind_of("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1")
    'Telephone'
    """
    if "iPhone" in agent or ("Android" in agent and "Mobile" in agent):
        return "Telephone"
    return "Tablet" if "iPad" in agent or "Android" in agent else "Computer"


def _held(number: int | None) -> int:
    if number is None:
        raise Refused(410, "this link has been used, or is older than ten minutes: make a new one on your other device")
    return number
