"""The cost of a post: the processor time of our server and of a bare one of the same stack, under the same load.

    python benchmarks/load.py [--tables N] [--rate VIEWS] [--seconds S] [--slices N] [--json]

At every table of King's Court two players and two spectators have a socket open, so that each post brings four views.
Scripted players post moves at fixed times, or as soon after as the views of the last move have come. The bare server
commits one row for a post, and pushes a page of the same size to as many sockets. Slices of both take turns, and the
figures are medians over the slices. `ours` and `bare` are the milliseconds of processor time that all processes of a
server take for a post with its four views, and `ratio` is ours to bare. `delivered` is the share of the expected views
that came. `p99_ms` is the 99th percentile of our views' times, each from the moment at which the post was due until the
view has arrived. The command fails if less than 95 % of the views came.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psutil
import uvicorn
import uvloop
from litestar import Litestar, Response, get, post, put, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from serving import free_port, wait_for

from quintain.server.app import create_app
from quintain.server.doors import Bounds, raise_file_limit
from quintain.server.entries import MOVED, LogEntry
from quintain.server.house import Config, Socket
from quintain.server.limits import Rate
from quintain.server.serving import collect_rarely, server_config
from quintain.server.store import Store

WATCHERS = 4
"""Sockets at each table: two players and two spectators."""
SETTLED = 0.5
"""After this many seconds without a view we expect no more views."""
DELIVERED = 0.95
UNLIMITED = Rate(1e9, 1e9)
NEVER = 1e9
MANY = 1_000_000
ROOMY = Bounds(MANY, MANY, MANY, MANY, head_seconds=3600.0)
"""Bounds for this load: all players come from one address, and open connections long before they post."""
ACTION = re.compile(rb'name="action" value="(\d+)"')
DECISION = re.compile(rb'name="decision" value="(\d+)"')


def ours(database: Path) -> Litestar:
    """Return our server, without limits on requests; neither bots nor only moves play by themselves here."""
    return create_app(
        Config(
            database,
            pace=NEVER,
            player_rate=UNLIMITED,
            address_rate=UNLIMITED,
            table_rate=UNLIMITED,
            look_rate=UNLIMITED,
            bounds=ROOMY,
        )
    )


def bare(database: Path) -> Litestar:
    """Return a server of the same stack that does nothing but commit a row and push a page."""
    server = BareServer(database)
    handlers = [
        get("/health")(server.health),
        put("/page/{size:int}")(server.set_page),
        post("/tables/{table_id:str}")(server.make),
        post("/tables/{table_id:str}/moves")(server.move),
        websocket("/tables/{table_id:str}/socket")(server.watch),
    ]
    return Litestar(handlers, lifespan=[server.opened], openapi_config=None, logging_config=None)


class BareServer:
    """The page that is pushed, and for each table its number of entries and the sockets that wait for the next."""

    store: Store

    def __init__(self, database: Path):
        self.database, self.page = database, ""
        self.news: dict[str, set[asyncio.Event]] = {}
        self.entries: dict[str, int] = {}

    @asynccontextmanager
    async def opened(self, _: Litestar) -> AsyncIterator[None]:
        """Open the database."""
        async with Store.open(self.database) as self.store:
            yield

    async def health(self) -> str:
        """Answer that the server is up."""
        return "ok"

    async def set_page(self, size: FromPath[int]) -> None:
        """Push pages of this size from now on."""
        self.page = "x" * size

    async def make(self, table_id: FromPath[str]) -> None:
        """Make a table."""
        self.news[table_id], self.entries[table_id] = set(), 0

    async def move(self, table_id: FromPath[str]) -> Response[bytes]:
        """Commit a row, and push the page."""
        self.entries[table_id] += 1
        entry = LogEntry(table_id, self.entries[table_id], seat=0, kind=MOVED, text="a move", at=time.time())
        assert await self.store.add([entry])
        for event in self.news[table_id]:
            event.set()
        return Response(b"", status_code=204)

    async def watch(self, socket: Socket, table_id: FromPath[str]) -> None:
        """Send the page after each move until the socket is closed."""
        await socket.accept()
        event = asyncio.Event()
        self.news[table_id].add(event)
        sending = asyncio.create_task(self.send(socket, event))
        try:
            await socket.receive_data("text")
        except WebSocketDisconnect:
            pass
        finally:
            self.news[table_id].discard(event)
            sending.cancel()

    async def send(self, socket: Socket, event: asyncio.Event) -> None:
        """Send the page after each post at the table."""
        while True:
            await event.wait()
            event.clear()
            await socket.send_text(self.page)


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

    def __init__(self, path: str, cookies: list[str], csrf: list[str]):
        self.path, self.cookies, self.csrf = path, cookies, csrf
        self.latest = [b""] * WATCHERS
        self.missing = 0
        self.due = 0.0
        self.times: list[float] = []
        self.timed = False
        self.size = self.seen = 0
        self.arrived = asyncio.Event()

    async def open(self, port: int) -> None:
        """Open the sockets and the connections for posts."""
        loop = asyncio.get_running_loop()
        headers = [f"cookie: {cookie}\r\n" if cookie else "" for cookie in self.cookies]
        self.headers = [f"{line}hx-request: true\r\naccept: text/html\r\n" for line in headers]
        for place, line in enumerate(headers):
            watching = Watching(f"{self.path}/socket", line, lambda page, place=place: self.see(place, page))
            await loop.create_connection(lambda watching=watching: watching, "127.0.0.1", port)  # type: ignore[misc]
        made = [await loop.create_connection(Poster, "127.0.0.1", port) for _ in range(2)]
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
    """Make a table of King's Court for two."""
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


class Server:
    """A server of a kind in a process of its own, with tables at which sockets are open."""

    def __init__(self, kind: str, folder: Path):
        self.port = free_port()
        self.kind, self.url = kind, f"http://127.0.0.1:{self.port}"
        self.tables: list[TableUnderLoad] = []
        command = [sys.executable, __file__, "--serve", kind, "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--database", str(folder / f"{kind}.sqlite")])

    async def open(self, tables: int) -> None:
        """Make the tables, and open the sockets and the connections for posts."""
        wait_for(self.url)
        for number in range(tables):
            table = sit_down(self.url, number) if self.kind == "ours" else make_bare(self.url)
            await table.open(self.port)
            self.tables.append(table)

    async def load(self, rate: float, seconds: float) -> dict[str, float]:
        """Offer views at a rate, and return what came of it."""
        await self.settle()
        begun, before, seen = time.perf_counter() + 0.5, self.processor_seconds(), self.seen()
        every = len(self.tables) * WATCHERS / rate
        until = begun + every + seconds
        for table in self.tables:
            table.times.clear()
        plays = [
            asyncio.create_task(table.play(begun + every * place / len(self.tables), every, until))
            for place, table in enumerate(self.tables)
        ]
        ended, late = await asyncio.wait(plays, timeout=until + 1 - time.perf_counter())
        times = sorted(took for table in self.tables for took in table.times)
        for play in late:
            play.cancel()
        for play in ended:
            play.result()
        refused = sum(poster.refused for table in self.tables for poster in table.posters)
        assert not refused, f"{refused} posts were refused"
        if not times:
            raise SystemExit(f"in {seconds} s no view came: offer more, or for longer")
        await self.settle()
        posts = (self.seen() - seen) / WATCHERS
        return {
            "cost_ms": 1000 * (self.processor_seconds() - before) / posts,
            "delivered": len(times) / (rate * seconds),
            "p99_ms": 1000 * times[len(times) * 99 // 100],
        }

    def processor_seconds(self) -> float:
        """Return the processor time that all processes of the server have taken so far."""
        process = psutil.Process(self.process.pid)
        taken = [each.cpu_times() for each in (process, *process.children(recursive=True))]
        return float(sum(each.user + each.system for each in taken))

    def seen(self) -> int:
        """Return how many views have come so far."""
        return sum(table.seen for table in self.tables)

    def page_bytes(self) -> float:
        """Return how large a page is at present."""
        return sum(table.size for table in self.tables) / len(self.tables)

    async def settle(self) -> None:
        """Wait until nothing comes any more."""
        before = -1
        while (seen := self.seen()) != before:
            before = seen
            await asyncio.sleep(SETTLED)

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.wait()


async def measure(tables: int, rate: float, seconds: float, slices: int, folder: Path) -> dict[str, dict[str, float]]:
    """Load both servers in turns, and return the figures of both; a first slice of each is not counted."""
    servers = [Server("ours", folder), Server("bare", folder)]
    try:
        found: dict[str, list[dict[str, float]]] = {}
        for server in servers:
            await server.open(tables)
        for _ in range(1 + slices):
            for server in servers:
                if server.kind == "bare":
                    httpx.put(f"{server.url}/page/{int(servers[0].page_bytes())}").raise_for_status()
                found.setdefault(server.kind, []).append(await server.load(rate, seconds))
    finally:
        for server in servers:
            server.stop()
    return {
        kind: {figure: median(each[figure] for each in taken[1:]) for figure in taken[0]}
        for kind, taken in found.items()
    }


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rate", type=float, default=800, help="views a second that the posts ask for")
    parser.add_argument("--seconds", type=float, default=2, help="seconds that a counted slice lasts")
    parser.add_argument("--slices", type=int, default=7, help="number of counted slices of each server")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", choices=("ours", "bare"), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--database", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.tables < 1 or given.slices < 1 or given.rate <= 0 or given.seconds <= 0:
        parser.error("there is at least one table and one slice, and the rate and the seconds are more than 0")
    if given.serve:
        raise_file_limit()
        collect_rarely()
        config = server_config({"ours": ours, "bare": bare}[given.serve](given.database), ROOMY)
        config.port = given.port
        uvicorn.Server(config).run()
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = uvloop.run(measure(given.tables, given.rate, given.seconds, given.slices, Path(folder)))
    mine, other = figures["ours"], figures["bare"]
    shown = {
        "ours": mine["cost_ms"],
        "bare": other["cost_ms"],
        "ratio": mine["cost_ms"] / other["cost_ms"],
        "delivered": mine["delivered"],
        "p99_ms": mine["p99_ms"],
    }
    print(json.dumps(shown) if given.json else "\n".join(f"{key} {value:.2f}" for key, value in shown.items()))
    if mine["delivered"] < DELIVERED:
        raise SystemExit(f"only {mine['delivered']:.0%} of the views were delivered")


if __name__ == "__main__":
    main()
