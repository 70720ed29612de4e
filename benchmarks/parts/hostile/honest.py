"""The honest player of `hostile.py`: plays against a Squire over HTTP, loads pages, and times every answer."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from typing import Any

import httpx

ADDRESS = "127.0.0.1"
EVERY = 0.15
"""Seconds between two requests. Each is sent when it is due, even if earlier ones have no answer yet."""
CONNECTIONS = 6
"""Connections at once, as in a browser; the time of a request that waits for one counts from when it was due."""
PATIENCE = 15.0
"""Seconds after which the player gives up waiting for an answer."""
PAGES = ("/tables/{}.json", "/tables/{}", "/tables/{}.json", "/", "/tables/{}.json", "/rules/kings-court")
HTML = {"accept": "text/html"}


class Honest:
    """An honest player at a table with a Squire; a rematch follows every game."""

    def __init__(self, url: str, seed: str):
        transport = httpx.AsyncHTTPTransport(
            local_address=ADDRESS,
            limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        )
        self.http = httpx.AsyncClient(base_url=url, transport=transport, timeout=PATIENCE)
        self.chance = random.Random(seed)
        self.table = self.csrf = ""
        self.seen: dict[str, Any] = {}
        self.moved = 0
        """The decision that was answered last."""
        self.moving = False
        self.waits_since = 0.0
        """When the Squire's turn began; 0 if it is not theirs."""
        self.pages = itertools.cycle(PAGES)
        self.asking: set[asyncio.Task[None]] = set()
        self.forget()

    def forget(self) -> None:
        """Begin to count anew, without the answer that the Squire still owes."""
        self.waits_since = 0.0
        self.times: list[float] = []
        self.squire: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.unanswered = 0

    async def sit_down(self) -> None:
        """Make a table with a Squire."""
        self.csrf = (await self.http.get("/tables.json")).json()["csrf"]
        await self._post("/name", name="Ann")
        made = await self._post("/tables", game="kings-court", seats=["me", "squire"], speed="fast")
        self._sit(made.raise_for_status().json())

    async def play(self, until: asyncio.Event) -> None:
        """Send a request whenever one is due, until the end; then wait for the answers that are still missing."""
        due = time.perf_counter()
        while not until.is_set():
            task = asyncio.create_task(self._ask(due))
            self.asking.add(task)
            task.add_done_callback(self.asking.discard)
            due += EVERY
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await asyncio.gather(*self.asking)
        if self.waits_since and (waited := time.perf_counter() - self.waits_since) > max(self.squire, default=0):
            self.squire.append(waited)

    async def warm_up(self, answers: int, seconds: float) -> None:
        """Play until the Squire has answered a number of times, but no longer than a number of seconds."""
        until, ended = time.monotonic() + seconds, asyncio.Event()
        playing = asyncio.create_task(self.play(ended))
        while len(self.squire) < answers and time.monotonic() < until:
            await asyncio.sleep(EVERY)
        ended.set()
        await playing

    async def leave(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def _ask(self, due: float) -> None:
        """Move if the player can, else load a page."""
        if self.moving or not (self._menu() or self._is_over()):
            path = next(self.pages).format(self.table)
            answer = await self._timed(due, "GET", path, headers={} if path.endswith(".json") else HTML)
            if answer is not None and answer.status_code == 200 and path.endswith(".json"):
                self._see(answer.json())
            return
        self.moving = True
        if self._is_over():
            answer = await self._timed_post(due, "rematch")
            if answer is not None and answer.status_code == 200:
                self._sit(answer.json())
        else:
            decision = self.seen["table"]["decision"]
            action = self.chance.choice(self._menu())["action"]
            answer = await self._timed_post(due, "moves", action=action, decision=decision)
            if answer is not None and answer.status_code in (200, 409):
                self.moved = decision
                self.waits_since = time.perf_counter()
                self._see(answer.json())
        self.moving = False

    def _sit(self, seen: dict[str, Any]) -> None:
        self.seen, self.table, self.moved, self.waits_since = seen, seen["table"]["id"], 0, 0.0

    def _see(self, seen: dict[str, Any]) -> None:
        """Take a view, unless it is older than the last one, or of another table."""
        if seen["table"]["id"] != self.table or seen["table"]["decision"] < self.seen["table"]["decision"]:
            return
        self.seen = seen
        if self.waits_since and (self._menu() or self._is_over()):
            self.squire.append(time.perf_counter() - self.waits_since)
            self.waits_since = 0.0

    def _menu(self) -> list[Any]:
        """Return what the player may do now, and has not answered yet."""
        menu: list[Any] = self.seen["menu"] if self.seen["table"]["decision"] > self.moved else []
        return menu

    def _is_over(self) -> bool:
        return bool(self.seen["table"]["status"] == "over")

    async def _post(self, path: str, **fields: Any) -> httpx.Response:
        return await self.http.post(path, json={"csrf": self.csrf, **fields})

    async def _timed_post(self, due: float, deed: str, **fields: Any) -> httpx.Response | None:
        return await self._timed(due, "POST", f"/tables/{self.table}/{deed}", json={"csrf": self.csrf, **fields})

    async def _timed(self, due: float, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Return the answer to a request, and note its time since it was due; None if none came."""
        answer = None
        try:
            answer = await self.http.request(method, path, **more)
            self.statuses[answer.status_code] += 1
        except httpx.HTTPError:
            self.unanswered += 1
        self.times.append(time.perf_counter() - due)
        return answer
