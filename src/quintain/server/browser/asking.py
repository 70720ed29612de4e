"""What a page asks of the Python in the browser, and what it is answered with: requests without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

import msgspec

from quintain.engine.errors import BadRecord
from quintain.engine.play.documents import check_depth
from quintain.server.pages.words import with_seconds_left
from quintain.server.posted.fields import form_fields
from quintain.server.posted.posts import Posted
from quintain.server.refused import Refused

SLASH = "(?:/|&#x2f;)"
ADDRESS = re.compile(rf'(\s(?:href|src|action|hx-post|hx-get|hx-ws:connect|data-[a-z-]+)=\\?")({SLASH}(?!{SLASH}))')
"""Where a page, or one within JSON, names an address of its own site."""
JSON = "application/json"


class PageRequest(NamedTuple):
    """A request of a page; `headers` have names in small letters."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""
    search: str = ""
    """The query as it stands in the address."""

    @classmethod
    def of(cls, method: str, address: str, headers: Mapping[str, str], body: bytes = b"") -> PageRequest:
        """Return a request to an address, below the folder of the site."""
        parts = urlsplit(address)
        return cls(method, parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)), headers, body, parts.query)

    def all(self, name: str) -> list[str]:
        """Return all values that the query has under a name."""
        return [value for key, value in parse_qsl(self.search, keep_blank_values=True) if key == name]

    @property
    def is_partial(self) -> bool:
        """Whether htmx or a script asks for a part of a page."""
        return self.headers.get("hx-request") == "true"

    @property
    def wants_json(self) -> bool:
        """Whether the answer should be JSON."""
        return JSON in self.headers.get("accept", "")

    def fields(self, kind: type[Posted]) -> dict[str, object]:
        """Return the fields of a post; raises Refused if they cannot be read."""
        try:
            if self.headers.get("content-type", "").startswith(JSON):
                check_depth(self.body.decode())
                return msgspec.json.decode(self.body, type=dict[str, object])
            return form_fields(self.body, kind)
        except (ValueError, BadRecord) as error:
            raise Refused(400, f"what was posted cannot be read: {error}") from error


class PageAnswer(NamedTuple):
    """An answer: its status, its text, its type and further headers."""

    status: int
    text: str
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = {}

    @classmethod
    def html(cls, html: str, status: int = 200, headers: Mapping[str, str] | None = None) -> PageAnswer:
        """Return a page, with the seconds that are left on its clocks."""
        return cls(status, with_seconds_left(html), headers=headers or {})

    @classmethod
    def json(cls, data: object, status: int = 200) -> PageAnswer:
        """Return data as JSON."""
        return cls(status, msgspec.json.encode(data).decode(), JSON)

    @classmethod
    def redirect(cls, address: str) -> PageAnswer:
        """Return that the browser shall go to another address of the site."""
        return cls(303, "", headers={"location": address})


def readdressed(html: str, folder: str) -> str:
    """Return a page whose own addresses lie below the folder of the site, such as "/quintain".

    >>> readdressed('<a href="/rules">1</a> <img src="//x">', "/quintain")
    '<a href="/quintain/rules">1</a> <img src="//x">'
    """
    return ADDRESS.sub(rf"\g<1>{folder}\g<2>", html) if folder else html
