"""Identity without passwords: signed cookies, the token that forms carry, and links that move a seat to another device.

The key comes from the database (`store.py`). `house.py` finds out from the cookie who sends a request.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from itsdangerous import BadSignature, URLSafeSerializer

COOKIE, THEME_COOKIE, CONFIRM_COOKIE = "quintain_player", "quintain_theme", "quintain_confirm"
COOKIE_SECONDS = 400 * 86400
KEPT_TOKENS = 4096
THEMES = ("auto", "light", "dark")
YES, NO = "yes", "no"
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Visitor:
    """Somebody with a browser.

    A `fresh` visitor has no cookie yet; a visitor without a name cannot sit down. One who `confirms` wants to touch
    twice even for a move that they could take back.
    """

    id: str
    name: str | None
    csrf: str
    theme: str
    confirms: bool = False
    fresh: bool = False


class Signer:
    """Signs cookies, forms and links with the server's key, and checks them again."""

    def __init__(self, key: str):
        self._key = key.encode()
        self._cookies = URLSafeSerializer(key, salt="player")
        self._links = URLSafeSerializer(key, salt="seat")
        self.seat_token = lru_cache(KEPT_TOKENS)(self._seat_token)
        self.player = lru_cache(KEPT_TOKENS)(self._player)
        self.csrf = lru_cache(KEPT_TOKENS)(self._csrf)

    def cookie(self, player: str) -> str:
        """Return the cookie of a player."""
        return str(self._cookies.dumps(player))

    def _player(self, cookie: str | None) -> str | None:
        """Return the player of a cookie; None without a cookie, or if this server did not sign it."""
        return _read(self._cookies, cookie, str)

    def _csrf(self, player: str) -> str:
        """Return the token in the forms of this player. Nobody else's forms have it."""
        return hmac.new(self._key, b"form " + player.encode(), "sha256").hexdigest()[:32]

    def is_csrf(self, player: str, given: object) -> bool:
        """Tell whether a form was made for this player."""
        return isinstance(given, str) and hmac.compare_digest(self.csrf(player).encode(), given.encode())

    def _seat_token(self, table: str, seat: int, player: str, moved: int) -> str:
        """Return the token of a link that moves a seat to another device; it is valid until the seat moves."""
        return str(self._links.dumps([table, seat, player, moved]))

    def seat(self, token: str) -> tuple[str, int, str, int] | None:
        """Return the table, seat, player and earlier moves in a token; None if this server did not sign it."""
        read = _read(self._links, token, list)
        return None if read is None or len(read) != 4 else (read[0], read[1], read[2], read[3])


def new_player() -> str:
    """Return an id for a new player."""
    return secrets.token_urlsafe(12)


def _read(serializer: URLSafeSerializer, text: str | None, kind: type[Kind]) -> Kind | None:
    try:
        value = serializer.loads(text or "")
    except BadSignature:
        return None
    return value if isinstance(value, kind) else None
