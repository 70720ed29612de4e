"""The tables of `load.py`: players post moves there at fixed times, and players and spectators are sent views.

Posts and sockets are written and read as bytes, so that the load takes little of the machine.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Sequence
from typing import Any

import httpx

ADDRESS = "127.0.0.1"
WATCHERS = 4
"""Sockets at each table: two players and two spectators."""
THINKS, CYCLE = 1.0, 5.0
"""Seconds that a person who plays a Minstrel thinks about each choice, and in which person and Minstrel each make one.

The Minstrel pauses for four. A usual one pauses for less, and a person for more.
"""
PATIENCE = 60.0
"""Seconds within which the server answers while the tables are made, also on a busy machine."""
ACTION = re.compile(rb'name="action" value="(\d+)"')
COURT = {"game": "kings-court"}
DECISION = re.compile(rb'name="decision" value="(\d+)"')


class Poster(asyncio.Protocol):
    """A connection over which one player posts, one request after another."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport: Any = transport
        self.refused = 0

    def post(self, path: str, headers: str, body: bytes) -> None:
        """Send a request; the answer is only looked at for its status."""
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {len(body)}\r\n"
        self.transport.write(f"{head}content-type: application/x-www-form-urlencoded\r\n\r\n".encode() + body)

    def data_received(self, data: bytes) -> None:
        """Count answers other than the empty one for an accepted move."""
        self.refused += b"HTTP/1.1 " in data and b"HTTP/1.1 204" not in data


class Watching(asyncio.Protocol):
    """A socket that hands on each message when it comes."""

    def __init__(self, path: str, headers: str, seen: Any):
        self.path, self.headers, self.seen = path, headers, seen
        self.buffer, self.open = b"", False
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the socket."""
        self.transport = transport
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        transport.write(  # type: ignore[attr-defined]
            f"GET {self.path} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n{self.headers}\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take the frames that are complete."""
        self.buffer += data
        if not self.open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head, head
            self.open, self.buffer = True, rest
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == 1:
                self.seen(payload)
            elif kind == 9:
                self.transport.write(bytes((0x8A, 0x80 | len(payload), 0, 0, 0, 0)) + payload)

    def _frame(self) -> tuple[int, bytes] | None:
        if len(self.buffer) < 2:
            return None
        length, start = self.buffer[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(self.buffer[2:start], "big")
        end = start + length
        if len(self.buffer) < end:
            return None
        kind, payload, self.buffer = self.buffer[0] & 15, self.buffer[start:end], self.buffer[end:]
        return kind, payload


class TableUnderLoad:
    """A table: posts when its time comes, and times the views that follow."""

    def __init__(self, path: str, cookies: Sequence[str], csrf: Sequence[str]):
        self.path, self.cookies, self.csrf = path, cookies, csrf
        self.latest = [b""] * WATCHERS
        self.missing = 0
        self.due = 0.0
        self.times: list[float] = []
        self.timed = False
        self.size = self.seen = 0
        self.arrived = asyncio.Event()

    async def open(self, ports: Sequence[int]) -> None:
        """Open the sockets and the connections for posts; Ann and Bo, and the two spectators, are at different ports.

        If the server has one port, all are there.
        """
        loop = asyncio.get_running_loop()
        headers = [f"cookie: {cookie}\r\n" if cookie else "" for cookie in self.cookies]
        self.headers = [f"{line}hx-request: true\r\naccept: text/html\r\n" for line in headers]
        for place, line in enumerate(headers):
            watching = Watching(f"{self.path}/socket", line, lambda page, place=place: self.see(place, page))
            port = ports[place % len(ports)]
            await loop.create_connection(lambda watching=watching: watching, ADDRESS, port)  # type: ignore[misc]
        made = [await loop.create_connection(Poster, ADDRESS, ports[place % len(ports)]) for place in range(2)]
        self.posters = [poster for _, poster in made]

    def see(self, place: int, page: bytes) -> None:
        """Take a view."""
        self.latest[place] = page
        self.size = len(page)
        self.seen += 1
        if self.missing:
            self.missing -= 1
            if self.timed:
                self.times.append(time.perf_counter() - self.due)
            if not self.missing:
                self.arrived.set()

    def post(self, due: float) -> None:
        """Post a move of whoever is to act, as their page offers it."""
        self.due, self.missing = due, WATCHERS
        self.arrived.clear()
        for seat, poster in enumerate(self.posters):
            fields = last_move(self.latest[seat], self.csrf[seat])
            if fields is not None:
                poster.post(f"{self.path}/moves", self.headers[seat], fields.encode())
                return
        raise RuntimeError(f"nobody can move at {self.path}")

    async def play(self, first: float, every: float, until: float) -> None:
        """Post at fixed times, each as soon as the views of the one before are there; all but the first are timed."""
        self.timed, due = False, first
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self.post(due)
            await self.arrived.wait()
            self.timed = True
            due += every


class MinstrelTable:
    """A table at which a scripted person plays a Minstrel, and thinks for THINKS seconds."""

    def __init__(self, path: str, cookie: str, csrf: str):
        self.path, self.csrf, self.headers = path, csrf, f"cookie: {cookie}\r\n"
        self.page, self.answered = b"", ""
        self.seen = 0
        self.arrived = asyncio.Event()

    async def open(self, port: int) -> None:
        """Open the socket and the connection for posts."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: Watching(f"{self.path}/socket", self.headers, self.see), ADDRESS, port)
        _, self.poster = await loop.create_connection(Poster, ADDRESS, port)
        self.headers += "hx-request: true\r\naccept: text/html\r\n"

    def see(self, page: bytes) -> None:
        """Take a view."""
        self.page = page
        self.seen += 1
        self.arrived.set()

    async def play(self, first: float) -> None:
        """Answer each question, from a time on, until somebody cancels this."""
        await asyncio.sleep(max(0.0, first - time.perf_counter()))
        while True:
            self.arrived.clear()
            fields = last_move(self.page, self.csrf)
            if fields is not None and fields != self.answered:
                self.answered = fields
                self.poster.post(f"{self.path}/moves", self.headers, fields.encode())
            await self.arrived.wait()
            await asyncio.sleep(THINKS)


def last_move(page: bytes, csrf: str) -> str | None:
    """Return the fields that post the last move of a page; None if it offers none. The bare server takes anything.

    In King's Court everybody sees that one: it is a card, a counter or a switch, or that nothing is moved.
    """
    if not csrf:
        return ""
    actions, decision = ACTION.findall(page), DECISION.search(page)
    if not actions or decision is None:
        return None
    return f"csrf={csrf}&action={actions[-1].decode()}&decision={decision[1].decode()}"


def sit_down(url: str, number: int) -> TableUnderLoad:
    """Make a table of King's Court for Ann and Bo; at such a table the server waits before it plays an only move."""
    with httpx.Client(base_url=url, timeout=PATIENCE) as ann, httpx.Client(base_url=url, timeout=PATIENCE) as bo:
        csrf = [guest.get("/tables.json").json()["csrf"] for guest in (ann, bo)]
        for guest, own, name in ((ann, csrf[0], f"Ann {number}"), (bo, csrf[1], f"Bo {number}")):
            guest.post("/name", json={"csrf": own, "name": name}).raise_for_status()
        made = ann.post("/tables", json={"csrf": csrf[0], **COURT, "seats": ["me", "open"], "speed": "slow"})
        path = f"/tables/{made.json()['table']['id']}"
        bo.post(f"{path}/seats/1", json={"csrf": csrf[1]}).raise_for_status()
        cookies = [f"quintain_player={guest.cookies['quintain_player']}" for guest in (ann, bo)]
        return TableUnderLoad(path, [*cookies, "", ""], csrf)


def play_minstrel(url: str, number: int) -> MinstrelTable:
    """Make a table of King's Court at which Cai plays a Minstrel, whose pauses are short."""
    with httpx.Client(base_url=url, timeout=PATIENCE) as cai:
        csrf = cai.get("/tables.json").json()["csrf"]
        cai.post("/name", json={"csrf": csrf, "name": f"Cai {number}"}).raise_for_status()
        made = cai.post("/tables", json={"csrf": csrf, **COURT, "seats": ["me", "minstrel"], "speed": "fast"})
        path = f"/tables/{made.json()['table']['id']}"
        return MinstrelTable(path, f"quintain_player={cai.cookies['quintain_player']}", csrf)


def make_bare(url: str) -> TableUnderLoad:
    """Make a table on the bare server."""
    path = f"/tables/{secrets.token_hex(6)}"
    httpx.post(url + path, timeout=PATIENCE).raise_for_status()
    return TableUnderLoad(path, [""] * WATCHERS, ["", ""])
