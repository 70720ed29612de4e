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
ACTION = re.compile(rb'name="action" value="(\d+)"')
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
            fields = self.fields(seat)
            if fields is not None:
                poster.post(f"{self.path}/moves", self.headers[seat], fields.encode())
                return
        raise RuntimeError(f"nobody can move at {self.path}")

    def fields(self, seat: int) -> str | None:
        """Return the last move that the page of a seat offers; None for none. The bare server takes anything.

        In King's Court everybody sees that one: it is a card, a counter or a switch, or that nothing is moved.
        """
        if not self.csrf[seat]:
            return ""
        actions, decision = ACTION.findall(self.latest[seat]), DECISION.search(self.latest[seat])
        if not actions or decision is None:
            return None
        return f"csrf={self.csrf[seat]}&action={actions[-1].decode()}&decision={decision[1].decode()}"

    async def play(self, first: float, every: float, until: float) -> None:
        """Post at fixed times, each as soon as the views of the one before are there; all but the first are timed."""
        self.timed, due = False, first
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self.post(due)
            await self.arrived.wait()
            self.timed = True
            due += every


def sit_down(url: str, number: int) -> TableUnderLoad:
    """Make a table of King's Court for Ann and Bo."""
    with httpx.Client(base_url=url) as ann, httpx.Client(base_url=url) as bo:
        csrf = [guest.get("/tables.json").json()["csrf"] for guest in (ann, bo)]
        for guest, own, name in ((ann, csrf[0], f"Ann {number}"), (bo, csrf[1], f"Bo {number}")):
            guest.post("/name", json={"csrf": own, "name": name}).raise_for_status()
        made = ann.post("/tables", json={"csrf": csrf[0], "game": "kings-court", "seats": ["me", "open"]})
        path = f"/tables/{made.json()['table']['id']}"
        bo.post(f"{path}/seats/1", json={"csrf": csrf[1]}).raise_for_status()
        cookies = [f"quintain_player={guest.cookies['quintain_player']}" for guest in (ann, bo)]
        return TableUnderLoad(path, [*cookies, "", ""], csrf)


def make_bare(url: str) -> TableUnderLoad:
    """Make a table on the bare server."""
    path = f"/tables/{secrets.token_hex(6)}"
    httpx.post(url + path).raise_for_status()
    return TableUnderLoad(path, [""] * WATCHERS, ["", ""])
