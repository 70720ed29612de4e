"""Random requests for the attack `random`: valid requests to every route, half of them then spoiled once or twice.

Each request has a number, and takes its random choices from the seed and that number, so that a seed repeats the
requests. Only the ids and decisions in them depend on the server's earlier answers. `attacks.py` runs this attack.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from parts.hostile.attackers import JSON, UPGRADE, Field, Guest, head, menu_of, move_of

FORM = "application/x-www-form-urlencoded"
PAGES = (
    *("GET /", "GET /tables.json", "GET /health", "GET /credits", "GET /name", "GET /api", "GET /api/openapi.json"),
    *("GET /new/{game_id}", "GET /rules/{game_id}", "GET /tables/{table_id}", "GET /tables/{table_id}.json"),
    *("GET /tables/{table_id}/replay", "GET /tables/{table_id}/record.json", "GET /seat/{token}"),
    *("GET /static/{file}", "GET /tables/{table_id}/socket", "GET /lobby/socket"),
    *("POST /tables/{table_id}/speed", "POST /play/{game_id}", "POST /seat/{token}", "POST /theme"),
)
"""Routes that are not in the OpenAPI document, or that we ask for more often."""
GAMES = ("kings-court", "rune-war", "heirless", "robin", "round-table")
WARM = ("kings-court",)
"""Games whose search is compiled before the measurement; only they get bots that search."""
FILES = ("css/page.css", "vendor/htmx.min.js", "js/table.js", "../server.sqlite", "..%2f..%2fapp.py", "css", "")
JUNK: Sequence[Any] = (
    *(None, True, -1, 0, 1.5, 1e308, 10**30, -(2**63), [], {}, [[]], {"a": 1}, "", " ", "\x00", "\ud800", "%00"),
    *("'; DROP TABLE tables; --", "<script>alert(1)</script>", "{{ 7 * 7 }}", "../../etc/passwd", "x" * 5000),
    *("\u202e\u200b", "\U0001f0cf", "NaN", "1e9", "-0", "0x10", "\u0661", "9" * 5000, "me", "open", "knight"),
)
KINDS = (
    "text/plain",
    "text/html",
    "application/xml",
    "multipart/form-data",
    "application/json; charset=utf-16",
    "",
    "/",
)
HOSTS = (
    "",
    "[",
    "abc:port",
    "a:99999999",
    "x" * 3000,
    "evil.example",
    "[::1]",
    "a b",
    "\u00e9",
    "127.0.0.1:1",
    "@",
    "a/b",
)
ORIGINS = ("null", "http://evil.example", "http://[", "", "x" * 3000, "https://127.0.0.1", "file://", "http://a:b@c")
METHODS = ("PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW", "get", "GET POST", "")
PATHS = (
    *(
        "/../../etc/passwd",
        "//evil.example/",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/%00",
        "/%ff",
        "/%",
        "/tables/%2f",
        "*",
        "?",
    ),
    *(
        "/tables/../../x",
        "/tables//moves",
        "/tables/;a=b",
        "http://evil.example/",
        "/" + "a/" * 5000,
        "/\udcff",
        "/tables/ ",
    ),
    *("/static/%00", "/static/....//....//app.py", "/static/" + "x" * 300, "/seat/" + "x" * 5000, "/name?next=//evil"),
)
QUERIES = (
    *("why=0", "why=99999999999999999999", "why=x", "step=99999", "step=-1", "step=1e9", "seat=9", "seat=-1", "seat="),
    *(
        "step=0&seat=0",
        "next=/play/kings-court",
        "next=//evil",
        "next=%00",
        "a=" + "x" * 6000,
        "&" * 500,
        "%",
        "=",
        "a[]=1",
    ),
    *("option.garnets=x", "clock=x&speed=x", "seats=99", "seats=-1", "option.decks.0=x"),
)
RAW = (
    *(b"\x00" * 500, b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    *(
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 300,
        b"GET / HTTP/1.1\r\nhost a\r\n\r\n",
        b"\xff\xfe" * 400,
    ),
    *(b"POST /name HTTP/1.1\r\ncontent-length: -1\r\n\r\n", b"POST /name HTTP/1.1\r\ncontent-length: 9z\r\n\r\n"),
    b"POST /name HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    b"POST /name HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    b"POST /name HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nabc",
    b"GET / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\nabc",
    b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"y" * 200_000 + b"\r\n\r\n",
)
"""Bytes that are not a valid request."""
FRAMES = (
    b"",
    b"\x81\x02{}",
    b"\x81\x82\x00\x00\x00\x00{}",
    b"\xff" * 500,
    b"\x82\xff" + b"\x7f" * 12,
    b"\x89\xfe\xff\xff",
)
"""Messages to send over a socket, although sockets take none."""
AT_ONCE = 12
FLOOD = 8
"""Some requests are sent this many times at the same moment."""
SHORT_PATIENCE = 2.0
"""Seconds to wait for an answer that may never come, because the request may be incomplete."""
GUESTS = 40
TABLES_KEPT = 40
LONGER = 10
"""The random requests may take this many times as long as another attack."""


@dataclass
class Request:
    """A request to send, with a list of what is spoiled in it."""

    method: str
    path: str
    headers: dict[str, str]
    fields: dict[str, Any] | None = None
    body: bytes | None = None
    spoiled: list[str] = field(default_factory=list)
    is_form: bool = False
    tail: bytes = b""
    """Bytes that follow the request on the same connection."""

    def to_bytes(self) -> bytes:
        """Return the bytes to send."""
        body = self.body
        if body is None and self.fields is not None:
            body = form_of(self.fields) if self.is_form else json.dumps(self.fields).encode()
        headers = dict(self.headers)
        if body is not None:
            headers.setdefault("content-type", FORM if self.is_form else JSON)
            headers.setdefault("content-length", str(len(body)))
        return head(self.method, self.path, headers) + (body or b"") + self.tail


@dataclass
class World:
    """All that the random requests are made of: routes, guests, tables and the tokens of seats."""

    routes: list[str]
    guests: list[Guest]
    tables: deque[str]
    tokens: deque[str] = field(default_factory=lambda: deque(["nothing"], TABLES_KEPT))


async def random_requests(ground: Field) -> None:
    """Send a number of random requests, from all addresses."""
    world = await explore(ground)
    ground.begin(LONGER)

    async def guess(number: int) -> None:
        chance = random.Random(f"{ground.seed} {number}")
        if chance.random() < 0.05:
            ground.counts["requests"] += 1
            await ground.send(chance.choice(world.guests).source, chance.choice(RAW), "bytes", SHORT_PATIENCE)
        else:
            await send_one(ground, world, chance)

    await ground.each(ground.requests, AT_ONCE, guess)


async def explore(ground: Field) -> World:
    """Read the OpenAPI document, and let guests make tables of every game."""
    guests = [await Guest.arrive(ground, place) for place in range(GUESTS)]
    answer = await guests[0].ask("GET", "/api/openapi.json")
    paths: dict[str, Any] = answer.json().get("paths", {}) if answer else {}
    documented = [
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods if method in ("get", "post")
    ]
    ground.counts["routes of the document"] = len(documented)
    tables = deque[str](maxlen=TABLES_KEPT)
    for place, game in enumerate(GAMES * 2):
        ann, bo = guests[2 * place : 2 * place + 2]
        table = await ann.make(game, "me", "open", *["squire"] * (game == "heirless"))
        await bo.post(f"/tables/{table}/seats/1")
        tables.append(table or "nowhere")
    return World([*documented, *PAGES], guests, tables)


async def send_one(ground: Field, world: World, chance: random.Random) -> None:
    """Send one request, spoiled or not, and learn from the answer."""
    guest = chance.choice(world.guests)
    request = await make_request(world, guest, chance)
    for _ in range(chance.choice((0, 0, 1, 1, 1, 2))):
        spoil = chance.choice(SPOILING)
        spoil(request, world, chance)
        request.spoiled.append(spoil.__name__)
    asked = f"{request.method} {request.path} {' '.join(request.spoiled)}"
    patience = SHORT_PATIENCE if request.spoiled else 10.0
    copies = FLOOD if chance.random() < 0.02 else 1
    ground.counts["requests"] += copies
    sending = [ground.send(guest.source, request.to_bytes(), asked, patience) for _ in range(copies)]
    answer, *_ = await asyncio.gather(*sending)
    if answer and answer.status == 201 and isinstance(made := answer.json().get("table"), dict):
        world.tables.append(made["id"])
    if answer and answer.status == 200 and request.path == "/sessions/end":
        await guest.enter(answer)
    if answer:
        world.tokens.extend(token.decode() for token in re.findall(rb"/seat/([\w.-]+)", answer.body)[:1])


async def make_request(world: World, guest: Guest, chance: random.Random) -> Request:
    """Return a valid request to some route."""
    method, path = chance.choice(world.routes).split(" ", 1)
    table = chance.choice(world.tables)
    values = {
        "{table_id}": table,
        "{game_id}": chance.choice(WARM if path.startswith("/play/") else GAMES),
        "{seat}": str(chance.randrange(4)),
        "{token}": chance.choice(world.tokens),
        "{file}": chance.choice(FILES),
    }
    for name, value in values.items():
        path = path.replace(name, value)
    headers = guest.headers()
    if chance.random() < 0.5:
        headers["accept"] = "text/html"
    if path.endswith("/socket"):
        return Request(method, path, headers | UPGRADE, tail=chance.choice(FRAMES))
    if method == "GET":
        return Request(method, path, headers)
    fields = {"csrf": guest.csrf, **(await fields_of(path, table, guest, chance))}
    return Request(method, path, headers, fields, is_form=chance.random() < 0.3)


async def fields_of(path: str, table: str, guest: Guest, chance: random.Random) -> dict[str, Any]:
    """Return fields that fit a post."""
    if path.endswith(("/moves", "/undo")):
        seen = await guest.view(table)
        if path.endswith("/moves") and menu_of(seen):
            return move_of(seen, chance)
        return {"action": 0, "decision": seen["table"]["decision"] if seen else 1}
    if path == "/tables":
        game = chance.choice(GAMES)
        bot = "squire" if game in WARM else "random"
        seats = chance.choice((["me", "open"], ["me", bot], ["open", "me"], [bot, "me"]))
        return {"game": game, "seats": seats, "options": {}, "clock": "none", "private": False}
    if path.endswith("/speed"):
        return {"speed": chance.choice(("slow", "usual", "fast"))}
    if path == "/theme":
        return {"theme": "dark", "next": "/"}
    return {"name": f"Eve {chance.randrange(1000)}"} if path == "/name" or "/seats/" in path else {}


def form_of(fields: dict[str, Any]) -> bytes:
    """Return fields as a form."""
    return urlencode({name: str(value).encode("utf-8", "replace") for name, value in fields.items()}).encode()


def spoil_csrf(request: Request, world: World, chance: random.Random) -> None:
    """Post without the guest's own token, or with somebody else's."""
    if request.fields is not None:
        request.fields.pop("csrf", None)
        if chance.random() < 0.5:
            request.fields["csrf"] = chance.choice([*JUNK, chance.choice(world.guests).csrf])
        elif chance.random() < 0.5:
            request.headers["x-csrf-token"] = chance.choice(world.guests).csrf[::-1]


def spoil_cookie(request: Request, world: World, chance: random.Random) -> None:
    """Send a cookie that the server has not signed, or another guest's."""
    cookie = chance.choice(world.guests).cookie
    forged = (cookie, cookie[:-2] + "xx", "quintain_player=", "quintain_player=" + "x" * 5000, "=;=;\u00e9", ";" * 300)
    request.headers["cookie"] = chance.choice((*forged, "quintain_theme=x; quintain_player=IkFubiI.AAAA"))


def spoil_field(request: Request, world: World, chance: random.Random) -> None:
    """Put junk into a field, or add a field."""
    if request.fields is not None:
        name = chance.choice(
            [*request.fields, "options", "seats", "game", "action", "decision", "name", "option.cards"]
        )
        request.fields[name] = chance.choice(JUNK)


def spoil_decision(request: Request, world: World, chance: random.Random) -> None:
    """Answer a past or future decision."""
    if request.fields is not None and type(request.fields.get("decision")) is int:
        request.fields["decision"] += chance.choice((-2, -1, 1, 2, 1000))


def spoil_kind(request: Request, world: World, chance: random.Random) -> None:
    """Name a wrong type for the body."""
    request.headers["content-type"] = chance.choice((*KINDS, FORM, JSON))


def spoil_body(request: Request, world: World, chance: random.Random) -> None:
    """Send a body that is hard or impossible to read."""
    deep = chance.choice((100, 900, 5000, 30_000))
    bodies = (
        b"{",
        b"[1]",
        b"null",
        b"[" * deep,
        b'{"a":' * deep,
        b'{"csrf": "\xff"}',
        b"\xef\xbb\xbf{}",
        b"a=%ff&b=%",
        b"\x00",
    )
    long = (b"&".join(b"a=1" for _ in range(1000)), b"x" * 70_000, b'{"a": "' + b"x" * 600_000, b"\xff" * 5000)
    request.body = chance.choice((*bodies, *long))
    if chance.random() < 0.2:
        request.headers["content-length"] = chance.choice(("0", "1", "99999", "99999999999999999999", "-5", "x"))


def spoil_headers(request: Request, world: World, chance: random.Random) -> None:
    """Send headers that are huge, many or odd."""
    odd = {
        "accept": chance.choice(("", "*/*", "text/html" * 500, "\u00e9")),
        "hx-request": "true",
        "range": "bytes=5-1",
    }
    huge = {f"x-{number}": "y" * chance.choice((10, 1000)) for number in range(chance.choice((1, 60, 300)))}
    strange = {"transfer-encoding": "chunked", "if-modified-since": "never", "accept-encoding": "x;q=9"}
    request.headers |= chance.choice(
        (odd, huge, strange, {"x": "y" * 60_000}, {"upgrade": "h2c", "connection": "upgrade"})
    )


def spoil_host(request: Request, world: World, chance: random.Random) -> None:
    """Name an impossible host, or none."""
    request.headers["host"] = chance.choice(HOSTS)
    if chance.random() < 0.2:
        del request.headers["host"]


def spoil_origin(request: Request, world: World, chance: random.Random) -> None:
    """Claim to come from a page of another site."""
    request.headers["origin"] = chance.choice(ORIGINS)


def spoil_method(request: Request, world: World, chance: random.Random) -> None:
    """Use a method that the route does not have."""
    request.method = chance.choice(METHODS)


def spoil_path(request: Request, world: World, chance: random.Random) -> None:
    """Ask for a path that leads nowhere, or out of the server's folder."""
    junk = quote(str(chance.choice(JUNK)).encode("utf-8", "replace"), safe=chance.choice(("", "/")))
    request.path = chance.choice(
        (*PATHS, request.path + "/", request.path.upper(), f"/tables/{junk}", f"/rules/{junk}")
    )


def spoil_query(request: Request, world: World, chance: random.Random) -> None:
    """Put unexpected values into the address."""
    request.path += f"?{chance.choice(QUERIES)}"


SPOILING: tuple[Callable[[Request, World, random.Random], None], ...] = (
    *(spoil_csrf, spoil_cookie, spoil_field, spoil_field, spoil_decision, spoil_kind, spoil_body, spoil_headers),
    *(spoil_host, spoil_origin, spoil_method, spoil_path, spoil_query),
)
