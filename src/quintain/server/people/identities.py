"""Who a player is without a password: their devices, links that add one, the recovery code, and leaving for good.

`sessions.py` says which cookies are valid; `identity_routes.py` has the addresses.
"""

from __future__ import annotations

import logging
import secrets
from typing import NamedTuple

from quintain.server.clock import now
from quintain.server.people.sessions import Sessions
from quintain.server.refused import Refused
from quintain.server.store.database import UNAVAILABLE
from quintain.server.store.devices import Recovery

LINK_SECONDS = 600.0
"""Seconds for which a link that adds a device is valid."""
MOST_KEPT = 10_000
"""The devices of which a process remembers when it last wrote that they were seen; then it forgets them all."""
SEEN_EVERY = 600.0
"""Seconds between two writes of the time at which a device was seen."""
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of recovery codes: none looks like another one on paper."""
GROUPS, IN_GROUP = 4, 4
"""The groups of a recovery code, and the letters of each: 80 bits."""
MOST_AGENT = 300
"""Characters that are kept of what a browser says of itself."""
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


class Identities:
    """The devices and recovery codes of all players."""

    def __init__(self, sessions: Sessions):
        self.rows, self.sessions = sessions.devices, sessions
        self._seen: dict[tuple[str, str], float] = {}
        """When this process last wrote that a device was seen, by its id and address."""

    async def saw(self, number: int, device: str, agent: str, address: str) -> None:
        """Note that a player uses a device. If the database fails, the page is shown all the same."""
        at, where = now(), self.sessions.keys.signer.mark(address) if address else ""
        if not device or at - self._seen.get((device, where), 0.0) < SEEN_EVERY:
            return
        try:
            await self.rows.saw(number, device, agent[:MOST_AGENT], where)
            if len(self._seen) >= MOST_KEPT:
                self._seen.clear()
            self._seen[device, where] = at
        except UNAVAILABLE as error:
            log.warning("a device is not noted", extra={"reason": str(error)})

    async def devices(self, number: int) -> list[Device]:
        """Return the devices in which a player is signed in, the one last used first."""
        rows = await self.rows.of_player(number)
        return [Device(id_, kind_of(agent), words_of(agent), seen) for id_, agent, seen in rows]

    async def end_device(self, number: int, device: str) -> None:
        """Sign a player's device out, and void links that add one; raises Refused if it is none of theirs."""
        if not await self.rows.end(number, device):
            raise Refused(404, "that is none of your devices")
        self.sessions.forget_device(device)

    async def end_others(self, player: str, device: str) -> int:
        """End all sessions of a player but one on a device; return the number of that session.

        Somebody may have stolen the recovery code or a link that adds a device, so these become invalid, too.
        """
        session = await self.sessions.end(player)
        await self.rows.end_others(player, device)
        return session

    async def link(self, number: int) -> str:
        """Return the token of a link that signs one more device in, once, within LINK_SECONDS."""
        token = secrets.token_urlsafe(16)
        await self.rows.add_link(number, token, now() + LINK_SECONDS)
        return token

    async def linked(self, token: str) -> int:
        """Return the number of the player to whom a link belongs; raises Refused if it is no longer valid."""
        return _held(await self.rows.linked(token))

    async def use_link(self, token: str) -> int:
        """Use a link up, and return the number of its player; raises Refused if it is no longer valid."""
        return _held(await self.rows.use_link(token))

    async def show_recovery(self, number: int, renew: bool) -> Recovery:
        """Return the recovery code of a player, once they have asked to see it; make one if need be."""
        known = await self.rows.recovery(number)
        shown = Recovery(known.code if known and not renew else new_code(), now())
        await self.rows.set_recovery(number, shown)
        return shown

    async def recover(self, given: str) -> int:
        """Return the number of the player whose recovery code somebody types; raises Refused if it is nobody's."""
        code = "".join(letter for letter in given.upper() if letter.isalnum())
        number = await self.rows.recovered(code) if len(code) == GROUPS * IN_GROUP else None
        if number is None:
            raise Refused(
                403,
                f"nobody here has this code: it has {GROUPS * IN_GROUP} letters and digits, in {GROUPS} groups of "
                f"{IN_GROUP}, as you wrote it down",
            )
        return number

    async def forget(self, player: str, number: int) -> None:
        """Delete a player who has left all tables: their name and devices go, and their cookies become invalid."""
        await self.sessions.end(player)
        await self.rows.forget(number)


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
