"""Identity without passwords: signed cookies, the token that forms carry, and links that move a seat to another device.

The keys come from the database (`keys.py`). `http/site.py` finds out from the cookie who sends a request, and
`sessions.py` whether the cookie still holds.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from itsdangerous import BadSignature, URLSafeSerializer

from quintain.server.model.seating import browser_of

COOKIE, THEME_COOKIE, CONFIRM_COOKIE = "quintain_player", "quintain_theme", "quintain_confirm"
TALK_COOKIE = "quintain_talk"
COOKIE_SECONDS = 400 * 86400
KEPT_TOKENS = 4096
THEMES = ("auto", "light", "dark")
YES, NO = "yes", "no"


@dataclass(frozen=True)
class Visitor:
    """Somebody with a browser.

    A `fresh` visitor has no cookie yet; a visitor without a name cannot sit down, and has no `number` either. One who
    `confirms` wants to touch twice even for a move that they could take back. `device` is the id of the browser; it is
    empty in cookies from before devices had one. A `quiet` visitor wants to read no talk.
    """

    id: str
    name: str | None
    csrf: str
    theme: str
    confirms: bool = False
    fresh: bool = False
    session: int = 0
    number: int | None = None
    device: str = ""
    quiet: bool = False

    @property
    def key(self) -> str | None:
        """The key of the visitor in addresses and lists; None without a name."""
        return None if self.number is None else str(self.number)


class Session(NamedTuple):
    """What a cookie says: the id of the player, the number of the session, and the id of the device."""

    player: str
    number: int = 0
    device: str = ""


class Signer:
    """Signs cookies, forms and links with the server's newest key, and checks what any valid key has signed.

    The number of the player's session stands in everything that it signs: `sessions.py` knows which have ended.
    """

    def __init__(self, keys: Sequence[str] = ()):
        self.use(keys)

    def use(self, keys: Sequence[str]) -> None:
        """Use these keys, the newest last, from now on."""
        self._keys = [key.encode() for key in keys]
        self._cookies = URLSafeSerializer(list(keys), salt="player")
        self._links = URLSafeSerializer(list(keys), salt="seat")
        self.seat_token = lru_cache(KEPT_TOKENS)(self._seat_token)
        self.session = lru_cache(KEPT_TOKENS)(self._session)
        self._tokens = lru_cache(KEPT_TOKENS)(self._make_tokens)

    def cookie(self, player: str, session: int = 0, device: str = "") -> str:
        """Return the cookie of a player for a session on a device."""
        return str(self._cookies.dumps([player, session, device]))

    def _session(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie; None without a cookie, or if this server did not sign it.

        Older cookies hold the player alone, who is in session 0, or no device.
        """
        match _read(self._cookies, cookie):
            case str(player):
                return Session(player)
            case [str(player), int(number)]:
                return Session(player, number)
            case [str(player), int(number), str(device)]:
                return Session(player, number, device)
        return None

    def mark(self, address: str) -> str:
        """Return a keyed hash of an address: equal addresses have equal marks, from which nobody can read them."""
        return hmac.new(self._keys[-1], f"address {address}".encode(), "sha256").hexdigest()[:16]

    def csrf(self, player: str, session: int = 0) -> str:
        """Return the token in the forms of this player's session. Nobody else's forms have it."""
        return self._tokens(player, session)[-1]

    def is_csrf(self, player: str, session: int, given: object) -> bool:
        """Tell whether a form was made for this player's session."""
        return isinstance(given, str) and any(
            hmac.compare_digest(token.encode(), given.encode()) for token in self._tokens(player, session)
        )

    def _make_tokens(self, player: str, session: int) -> list[str]:
        """Return the tokens of a session, one signed by each key."""
        signed = f"form {player} {session}".encode()
        return [hmac.new(key, signed, "sha256").hexdigest()[:32] for key in self._keys]

    def _seat_token(self, table: str, seat: int, player: str, moved: int, session: int = 0) -> str:
        """Return the token of a link that moves a seat to another device.

        It is valid until the seat moves, or the player's session ends.
        """
        return str(self._links.dumps([table, seat, player, moved, session]))

    def seat(self, token: str) -> tuple[str, int, str, int, int] | None:
        """Return the table, seat, player, earlier moves and session in a token; None if this server did not sign it.

        Tokens from before there were sessions hold the rest alone: they are of session 0.
        """
        match _read(self._links, token):
            case [str(table), int(seat), str(player), int(moved)]:
                return table, seat, player, moved, 0
            case [str(table), int(seat), str(player), int(moved), int(session)]:
                return table, seat, player, moved, session
        return None


def new_device(before: str = "") -> str:
    """Return an id for a device, which is one player in one browser. `before` is an earlier device id of this browser.

    The first part of the id names the browser: it is that of `before`, or a new one if `before` is empty.
    """
    return f"{browser_of(before) or new_id()}.{secrets.token_urlsafe(6)}"


def new_id() -> str:
    """Return an id for a new player, or for a device."""
    return secrets.token_urlsafe(12)


def _read(serializer: URLSafeSerializer, text: str | None) -> object:
    try:
        return serializer.loads(text or "")
    except BadSignature:
        return None
