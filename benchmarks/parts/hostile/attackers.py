"""Tools for the attacks in `attacks.py` and `guesses.py`: raw requests, guests with a cookie, counts of the answers.

This module sends every request as it is, even a broken one. All traffic goes to 127.0.0.1. Each guest has their own
source address in 127.0.0.0/8, so that a limit on one address does not stop all guests.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

SERVER = "127.0.0.1"
OPENING = 4
"""Opening the sockets of an attack may take this many times as long as the attack itself."""
SOURCES = [f"127.0.0.{last}" for last in range(2, 22)]
"""The addresses of the attackers; the honest player has 127.0.0.1."""
NICENESS = 19
READY = "ready"
"""What an attack prints when it begins."""
PATIENCE = 10.0
"""Seconds that an attacker waits for an answer."""
MOST_FAULTS = 20
"""The report describes this many faults of the server, and only counts the others."""
JSON = "application/json"


MOST_READ = 2**20
"""A connection buffers this many bytes of an answer."""
UNREADABLE = (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError)
"""The errors that a missing or broken answer raises."""
UPGRADE = {
    "connection": "upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}
Socket = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answer(NamedTuple):
    """An answer of the server, with the names of its headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as an object; an empty one if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}


def is_fault(status: int, headers: Mapping[str, str]) -> bool:
    """Tell whether an answer to an attacker is a fault of the server.

    A 503 that closes the connection is none: so the server refuses connections beyond its limits.
    """
    return status >= 500 and not (status == 503 and headers.get("connection", "").lower() == "close")


class Field:
    """The tools and results of one attack: the server's port, a random generator, the time left, and the answers."""

    def __init__(self, port: int, seconds: float, requests: int, seed: str):
        self.port, self.seconds, self.requests, self.seed = port, seconds, requests, seed
        self.chance = random.Random(seed)
        self.is_ready = False
        self.until = time.monotonic() + seconds
        self.statuses: Counter[int] = Counter()
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def begin(self, times: float = 1) -> None:
        """Start the time of the attack. The first call also says that the attack is ready, and lowers our priority."""
        if not self.is_ready:
            self.is_ready = True
            os.nice(NICENESS)
            print(READY, flush=True)
        self.until = time.monotonic() + times * self.seconds

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.until - time.monotonic())

    def note(self, answer: Answer | None, asked: str) -> None:
        """Count the answer to a request."""
        if answer is None:
            self.counts["unanswered"] += 1
            return
        self.statuses[answer.status] += 1
        if is_fault(answer.status, answer.headers):
            self.counts["faults"] += 1
            if len(self.faults) < MOST_FAULTS:
                self.faults.append(f"{answer.status} {asked[:160]}")

    async def send(self, source: str, request: bytes, asked: str, patience: float = PATIENCE) -> Answer | None:
        """Send a request over a new connection, and return the answer; None if none came that we can read."""
        answer = await exchange(self.port, source, request, patience)
        self.note(answer, asked)
        if answer is None:
            await asyncio.sleep(0.01)
        return answer

    async def crowd(self, at_once: int, do: Callable[[int], Awaitable[None]]) -> None:
        """Do something again and again, in a number of parallel tasks, until the time is over."""

        async def again(place: int) -> None:
            while self.left:
                await do(place)

        await self._while_time_is_left([again(place) for place in range(at_once)])

    async def each(self, number: int, at_once: int, do: Callable[[int], Awaitable[None]]) -> None:
        """Do something for each number below a limit, several at a time, until the time is over."""
        numbers = iter(range(number))

        async def take() -> None:
            for one in numbers:
                if self.left:
                    await do(one)

        await self._while_time_is_left([take() for _ in range(at_once)])

    async def _while_time_is_left(self, doing: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Do all of this at the same time, and cancel the rest when the time is over."""
        tasks = [asyncio.create_task(one) for one in doing]
        done, late = await asyncio.wait(tasks, timeout=self.left)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        for task in done:
            task.result()

    def found(self) -> dict[str, Any]:
        """Return the results of the attack."""
        return {"statuses": dict(self.statuses), "counts": dict(self.counts), "faults": self.faults}


async def exchange(port: int, source: str, request: bytes, patience: float) -> Answer | None:
    """Send bytes, and return the answer; None if none came in time, or none that can be read."""
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(patience):
            reader, writer = await connect(port, source)
            writer.write(request)
            return await read_answer(reader, has_body=not request.startswith(b"HEAD "))
    except UNREADABLE:
        return None
    finally:
        if writer:
            writer.close()


async def connect(port: int, source: str, unread: int = 0) -> Socket:
    """Return the two ends of a connection; `unread` is how many bytes the attacker's side keeps unread, if not 0."""
    with contextlib.ExitStack() as failed:
        line = failed.enter_context(socket.socket())
        if unread:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
        line.setblocking(False)
        line.bind((source, 0))
        await asyncio.get_running_loop().sock_connect(line, (SERVER, port))
        failed.pop_all()
    return await asyncio.open_connection(sock=line, limit=unread or MOST_READ)


async def read_answer(reader: asyncio.StreamReader, has_body: bool = True) -> Answer:
    """Read an answer; raises ValueError, EOFError or LimitOverrunError if there is no valid one."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", 0)) if has_body else 0
    return Answer(int(first.split()[1]), headers, await reader.readexactly(length))


def head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    """Return the head of a request, without escaping anything."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "surrogateescape")


class Guest:
    """An attacker with a cookie and a source address of their own."""

    def __init__(self, field: Field, place: int):
        self.field, self.source = field, SOURCES[place % len(SOURCES)]
        self.cookie = self.csrf = ""

    @classmethod
    async def arrive(cls, field: Field, place: int, name: str = "") -> Guest:
        """Return a guest with a cookie and a name."""
        guest = cls(field, place)
        await guest.enter()
        await guest.post("/name", name=name or f"Eve {place}")
        return guest

    async def enter(self, last: Answer | None = None) -> None:
        """Take the cookie that the last answer brought, and the token that goes with it; a stranger gets new ones."""
        self._take_cookie(last)
        answer = await self.ask("GET", "/tables.json")
        self._take_cookie(answer)
        if answer:
            self.csrf = answer.json().get("csrf", "")

    def _take_cookie(self, answer: Answer | None) -> None:
        if answer and "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def headers(self, **more: str) -> dict[str, str]:
        """Return the headers of a request."""
        own = {"host": f"{SERVER}:{self.field.port}", "accept": JSON}
        return {**own, **({"cookie": self.cookie} if self.cookie else {}), **more}

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> Answer | None:
        """Ask for something."""
        more = {"content-type": kind, "content-length": str(len(body))} if kind else {}
        request = head(method, path, self.headers(**more)) + body
        return await self.field.send(self.source, request, f"{method} {path}")

    async def post(self, path: str, **fields: Any) -> Answer | None:
        """Post JSON."""
        return await self.ask("POST", path, json.dumps({"csrf": self.csrf, **fields}).encode(), JSON)

    async def make(self, game: str, *seats: str, **more: Any) -> str:
        """Make a table, and return its id; empty if the server refuses."""
        answer = await self.post("/tables", game=game, seats=seats, **more)
        return answer.json()["table"]["id"] if answer and answer.status == 201 else ""

    async def view(self, table: str) -> dict[str, Any]:
        """Return this guest's view of a table; empty if the server refuses."""
        answer = await self.ask("GET", f"/tables/{table}.json")
        return answer.json() if answer and answer.status == 200 else {}

    async def move(self, table: str, chance: random.Random) -> bool:
        """Play a random move; False if the game is over."""
        seen = await self.view(table)
        if seen and menu_of(seen):
            await self.post(f"/tables/{table}/moves", **move_of(seen, chance))
        return bool(seen) and seen["table"]["status"] != "over"

    async def open_socket(self, path: str, unread: int = 0) -> Socket | None:
        """Open a socket, and return its two ends; `unread` is how many bytes the attacker's side keeps unread."""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await connect(self.field.port, self.source, unread)
                writer.write(head("GET", path, self.headers(**UPGRADE)))
                answer = await read_answer(reader)
        except UNREADABLE:
            self.field.counts["sockets refused"] += 1
            return None
        self.field.note(answer, f"GET {path}")
        if answer.status != 101:
            writer.close()
            return None
        self.field.counts["sockets opened"] += 1
        return reader, writer


def menu_of(seen: Mapping[str, Any]) -> list[Any]:
    """Return what a view offers to its viewer."""
    return seen.get("menu") or []


def move_of(seen: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return the fields of a move at random."""
    return {"action": chance.choice(menu_of(seen))["action"], "decision": seen["table"]["decision"]}


async def begin_game(field: Field, game: str) -> tuple[str, list[Guest]]:
    """Begin a game of two attackers; the table is empty if the server refuses."""
    ann, bo = [await Guest.arrive(field, place) for place in (0, 1)]
    table = await ann.make(game, "me", "open")
    if table:
        await bo.post(f"/tables/{table}/seats/1")
    return table, [ann, bo]
