"""The scripted players of `faults.py`: they play on while the server is broken, and note what it answers and shows.

A player loads a view, chooses a move at random, posts it, and begins again; whatever fails is tried again. A spectator
keeps a socket open at every table. Of every log that a page shows we keep the number of lines and their hash.
"""

from __future__ import annotations

import asyncio
import html
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

PAUSE = 0.08
"""Seconds that a player waits between two requests."""
LOOKS = 20.0
"""Seconds for which a spectator keeps a socket open."""
PATIENCE = 20.0
"""Seconds that a player waits for an answer."""
GAMES = (
    ("kings-court", "me", "open"),
    ("rune-war", "me", "open", "page"),
    ("kings-court", "me", "page"),
    ("robin", "me", "open"),
    ("round-table", "me", "page"),
    ("heirless", "me", "open", "page"),
)
"""The games that are played, at one table each, with who sits there; all but one have secret choices."""
LOG = re.compile(r'id="log".*?</ol>', re.DOTALL)
LINE = re.compile(r'<li(?: class="new")?>(.*?)</li>', re.DOTALL)


class Answered(NamedTuple):
    """A move: the seat, the number of its decision, and the action."""

    seat: int
    decision: int
    action: int


@dataclass
class Played:
    """One table, and what its players and its spectator know of it."""

    table: str
    posted: set[Answered] = field(default_factory=set)
    """The moves that players posted, whatever came of it."""
    acknowledged: list[Answered] = field(default_factory=list)
    """The moves that the server answered with success."""
    shown: dict[int | None, set[tuple[int, int]]] = field(default_factory=lambda: defaultdict(set))
    """The logs that pages showed to each seat, and to spectators (None): the number of lines and their hash."""
    is_over: bool = False

    def see(self, viewer: int | None, lines: Sequence[str]) -> None:
        """Note the log that a page shows."""
        self.shown[viewer].add((len(lines), hash(tuple(lines))))


class Player:
    """A player with a cookie."""

    def __init__(self, url: str, name: str, chance: random.Random):
        self.http = httpx.AsyncClient(base_url=url, timeout=PATIENCE)
        self.name, self.chance, self.csrf = name, chance, ""
        self.statuses: Counter[int] = Counter()
        self.has_left = False

    async def ask(self, path: str, **fields: Any) -> httpx.Response | None:
        """Load a page, or post fields if there are some; return the answer, None if there is none."""
        if self.has_left:
            raise asyncio.CancelledError
        try:
            posted = {"csrf": self.csrf, **fields}
            answer = await (self.http.post(path, json=posted) if fields else self.http.get(path))
        except httpx.HTTPError:
            await asyncio.sleep(PAUSE)
            return None
        self.statuses[answer.status_code] += 1
        return answer

    async def insist(self, path: str, **fields: Any) -> Any:
        """Ask until the answer is a success, and return it."""
        while (answer := await self.ask(path, **fields)) is None or not answer.is_success:
            await asyncio.sleep(PAUSE)
        return answer.json()

    async def arrive(self) -> None:
        """Get a cookie and a name."""
        self.csrf = (await self.insist("/tables.json"))["csrf"]
        await self.insist("/name", name=self.name)

    async def play(self, played: Played) -> None:
        """Play until the game is over."""
        path = f"/tables/{played.table}"
        while not played.is_over:
            await asyncio.sleep(PAUSE)
            if (seen := self._seen(await self.ask(f"{path}.json"), played)) and seen["menu"]:
                seat, decision = seen["table"]["you"], seen["table"]["decision"]
                move = Answered(seat, decision, self.chance.choice(seen["menu"])["action"])
                played.posted.add(move)
                answer = await self.ask(f"{path}/moves", action=move.action, decision=decision)
                if self._seen(answer, played):
                    played.acknowledged.append(move)

    def _seen(self, answer: httpx.Response | None, played: Played) -> dict[str, Any]:
        """Take note of an answer, and return the view in it; an empty one if it is no success."""
        if answer is None or answer.status_code != 200:
            return {}
        seen: dict[str, Any] = answer.json()
        played.see(seen["table"]["you"], [line["words"] for line in seen["log"]])
        played.is_over = seen["table"]["status"] == "over"
        return seen


class Sitting:
    """A place where one game of a kind is played after another."""

    def __init__(self, url: str, number: int, chance: random.Random):
        self.url, (self.game, *self.seats) = url, GAMES[number % len(GAMES)]
        names = [name for name, sitter in zip(("Ann", "Bo"), self.seats, strict=False) if sitter != "page"]
        self.players = [Player(url, f"{name} {number}", random.Random(chance.random())) for name in names]
        self.played: list[Played] = []
        self.playing: asyncio.Task[None] | None = None

    async def arrive(self) -> None:
        """Let the players come, and begin to play."""
        for player in self.players:
            await player.arrive()
        self.playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        """Play game after game."""
        while True:
            host, *guests = self.players
            made = await host.insist("/tables", game=self.game, seats=self.seats, speed="fast")
            played = Played(made["table"]["id"])
            for seat, guest in enumerate(guests, 1):
                await self._sit_down(guest, played, seat)
            self.played.append(played)
            await asyncio.gather(self._watch(played), *(player.play(played) for player in self.players))

    async def leave(self) -> Counter[int]:
        """Stop playing, close the connections, and return the statuses of all answers."""
        for player in self.players:
            player.has_left = True
        if self.playing:
            self.playing.cancel()
            await asyncio.wait([self.playing])
        for player in self.players:
            await player.http.aclose()
        return sum((player.statuses for player in self.players), Counter())

    async def _sit_down(self, guest: Player, played: Played, seat: int) -> None:
        """Sit down at a table, unless an earlier try that nobody answered has succeeded."""
        while (await guest.insist(f"/tables/{played.table}.json"))["table"]["you"] is None:
            await guest.ask(f"/tables/{played.table}/seats/{seat}", seat=seat)

    async def _watch(self, played: Played) -> None:
        """Watch a table as a spectator, and open the socket again whenever it closes."""
        address = f"{self.url.replace('http', 'ws')}/tables/{played.table}/socket"
        while not (played.is_over or self.players[0].has_left):
            try:
                async with connect(address) as socket, asyncio.timeout(LOOKS):
                    async for page in socket:
                        played.see(None, log_on(str(page)))
            except (OSError, TimeoutError, WebSocketException):
                await asyncio.sleep(PAUSE)


def log_on(page: str) -> list[str]:
    """Return the lines of the log on the page of a table."""
    log = LOG.search(page)
    return [html.unescape(line) for line in LINE.findall(log[0])] if log else []
