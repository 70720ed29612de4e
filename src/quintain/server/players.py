"""Who somebody is: a signed cookie, the value that forms carry back, and links that move a seat."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from itsdangerous import BadSignature, URLSafeSerializer

COOKIE, THEME_COOKIE = "quintain_player", "quintain_theme"
COOKIE_SECONDS = 400 * 86400
KEPT_TOKENS = 4096
THEMES = ("auto", "light", "dark")
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Visitor:
    """Somebody with a browser. `fresh` ones have no cookie yet; those without a name cannot sit down."""

    id: str
    name: str | None
    csrf: str
    theme: str
    fresh: bool = False


class Signer:
    """Signs with the key of the house, and reads what it has signed."""

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
        """Return the player of a cookie; None for none, or one that was not signed here."""
        return _read(self._cookies, cookie, str)

    def _csrf(self, player: str) -> str:
        """Return what the forms of a player carry, and those of nobody else."""
        return hmac.new(self._key, b"form " + player.encode(), "sha256").hexdigest()[:32]

    def is_csrf(self, player: str, given: object) -> bool:
        """Tell whether a form was made for this player."""
        return isinstance(given, str) and hmac.compare_digest(self.csrf(player).encode(), given.encode())

    def _seat_token(self, table: str, seat: int, player: str, moved: int) -> str:
        """Return the token of a link that moves a seat to another device; it holds until the seat has moved."""
        return str(self._links.dumps([table, seat, player, moved]))

    def seat(self, token: str) -> tuple[str, int, str, int] | None:
        """Return the table, the seat, its player and its moves before that a token names; None if not signed here."""
        read = _read(self._links, token, list)
        return None if read is None or len(read) != 4 else (read[0], read[1], read[2], read[3])


def new_player() -> str:
    """Return the id of somebody new."""
    return secrets.token_urlsafe(12)


def _read(serializer: URLSafeSerializer, text: str | None, kind: type[Kind]) -> Kind | None:
    try:
        value = serializer.loads(text or "")
    except BadSignature:
        return None
    return value if isinstance(value, kind) else None
