"""Worlds: one position of a game, played on a simulated server, with a viewer who watches all that the server sends.

A `Scene` says who sits where and who watches. `twins` gives the position of a scene twice, the second time with other
hidden things. A `World` plays a position, and keeps what its viewer was sent and what they could see when.
"""

import asyncio
import random
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quintain import bots
from quintain.engine.play.match import Match
from quintain.engine.play.positions import write_position
from quintain.engine.rules.state import GameState
from quintain.engine.seen.seen import Seen
from quintain.server.clock import now
from quintain.server.model import beginning
from quintain.server.model import entries as kinds
from quintain.server.model.entries import (
    BEGUN,
    MADE,
    MOVED,
    NO_SEAT,
    RETURNED,
    STAND_IN,
    UNDONE,
    LogEntry,
    Made,
    Sitter,
)
from quintain.server.tables.thinking import Chosen
from server.simulated import TICK, Caller, SimulatedLoop, simulated

TABLE = "twin"
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
SEED = "7" * 64
BOT, PRESENT, ABSENT = "bot", "present", "absent"
"""Who sits at a seat: a bot, a person who plays, or one who comes back only after a bot has taken over."""
FIRST_LOOK, LOOKS = 2.9, 3.1
"""The seconds after which a person first looks at the table, and those between two looks: at one of them they begin to
choose, and at one of them they end a choice that others notice. A server that makes their move is faster."""
FIRST_OWN_LOOK, OWN_LOOKS = 1.3, (0.2, 1.6)
"""The same of the viewer, if they sit at the table: the least and the most seconds between two looks."""
ABSENT_UNTIL = 68.4
MOST_THOUGHT = 120
"""Ticks that a bot thinks at most about a step. With the usual speed that is less than what may show in the time at
which a secret choice ends, a twenty-fourth of the time of four moves."""
PEEKS = 2.7
"""Seconds between two requests of the viewer for the table as JSON."""


class Scene(NamedTuple):
    """A match at the moment at which the play on the server begins, its viewer (a seat, or None for a spectator), who
    sits at each seat, whether the viewer lets the server make their only moves, how many seconds the scene takes, and
    the level of its bots.
    """

    match: Match
    viewer: int | None
    sitters: tuple[str, ...]
    passes: bool
    seconds: float
    seed: int
    level: str = "random"


class Visible(NamedTuple):
    """A change that the viewer can see: its time, the seat that made it, whether that seat took steps before it which
    the viewer could not see, what a spectator knew before it, and what the viewer knows after it.
    """

    at: float
    seat: int
    was_secret: bool
    before: GameState
    known: GameState


def twins(scene: Scene) -> tuple[str, str]:
    """Return the position of a scene, and one that its viewer cannot tell from it; the same if nothing is hidden."""
    match, truth = scene.match, scene.match.position()
    for seed in range(scene.seed, scene.seed + 20):
        world = match.blinded(scene.viewer)
        match.game.rules.redeal(match.book, world, seed)
        other = write_position(world, match.game.card_names(match.book))
        if other != truth:
            return truth, other
    return truth, truth


class World:
    """A position of a scene, played on a server.

    Seats other than the viewer's follow the `plan` of the first world where they can, and depart from it in secret.
    """

    def __init__(self, scene: Scene, position: str, plan: Mapping[tuple[int, int], int] | None = None):
        self.scene, self.position, self.plan = scene, position, plan or {}
        self.name = "second" if plan else "first"
        self.chosen: dict[tuple[int, int], int] = {}
        """The actions that were chosen, by seat and number of the decision: the plan of a second world."""
        self.frames: dict[str, list[tuple[float, str]]] = {"table": [], "lobby": [], "json": []}
        """All that the viewer was sent, with the times."""
        self.log: list[LogEntry] = []
        self.left: dict[int, int] = {}
        """The ticks that the bot of each seat has left for the steps of a secret choice."""

    def from_position(self, game, position, **more) -> Match:
        """Return the match of the table, as `Match.from_position` does, in whose place the table finds the world."""
        self.match = Match.from_position(game, position, **more)
        return self.match

    def play(self, app, monkeypatch) -> None:
        """Play the scene on a server, with an application whose database holds all players."""
        with monkeypatch.context() as patched, asyncio.Runner(loop_factory=SimulatedLoop) as runner:
            patched.setattr(beginning, "Match", self)
            runner.run(self._play(app, patched))

    async def _play(self, app, patched) -> None:
        scene = self.scene
        async with simulated(app, self._think, patched) as site:
            log = self._first_entries()
            await site.store.add(log, [kinds.fold(log)])
            self.live = await site.tables.get(TABLE)
            callers = {seat: Caller(app, site.signer, player_at(seat)) for seat in range(scene.match.seats)}
            viewer = callers.get(scene.viewer, Caller(app, site.signer, "a spectator"))
            if scene.passes and scene.viewer is not None:
                await viewer.post(f"/tables/{TABLE}/passing", passing="yes")
            doing = [
                viewer.listen(f"/tables/{TABLE}/socket", self.frames["table"]),
                viewer.listen("/lobby/socket", self.frames["lobby"]),
                self._peek(viewer),
                *(self._attend(seat, callers[seat]) for seat, sitter in enumerate(scene.sitters) if sitter != BOT),
            ]
            await during(scene.seconds, doing)
            self.log = await site.store.entries(TABLE)

    def _first_entries(self) -> list[LogEntry]:
        match = self.scene.match
        seats = [
            Sitter(bot=self.scene.level) if sitter == BOT else Sitter(player=seat + 1)
            for seat, sitter in enumerate(self.scene.sitters)
        ]
        speed = "usual" if self.scene.level == "random" else "fast"  # so that beats are shorter than thoughts
        agreed = match.game.id, match.game.version, match.options, SEED, "30", speed, False, seats
        made = Made(*agreed, position=self.position)
        return kinds.log_from(TABLE, [(NO_SEAT, MADE, kinds.encoded(made)), (NO_SEAT, BEGUN, "")], now())

    async def _peek(self, viewer: Caller) -> None:
        loop, at = asyncio.get_running_loop(), 0.9
        while True:
            await loop.sleep_between_ticks(at, 15)
            self.frames["json"].append((loop.time(), await viewer.get(f"/tables/{TABLE}.json")))
            at += PEEKS

    async def _attend(self, seat: int, caller: Caller) -> None:
        """Look at the table again and again, and act for a person."""
        loop, is_viewer = asyncio.get_running_loop(), seat == self.scene.viewer
        pauses = random.Random(self.scene.seed)
        first = FIRST_OWN_LOOK if is_viewer else FIRST_LOOK
        at = ABSENT_UNTIL if self.scene.sitters[seat] == ABSENT else first + seat / 8
        while True:
            await loop.sleep_between_ticks(at, seat + 1)
            if is_viewer and self._takes_back(seat):
                await self._post(caller, "undo", seat)
            elif is_viewer:
                await self._move(seat, caller)
            else:
                await self._choose_in_secret(seat, caller)
            at += pauses.uniform(*OWN_LOOKS) if is_viewer else LOOKS

    async def _choose_in_secret(self, seat: int, caller: Caller) -> None:
        """Make steps until one would be noticed; make that one only if it is the first.

        So a choice of several steps ends at a time that has nothing to do with their number.
        """
        loop, is_first = asyncio.get_running_loop(), True
        while seat in self.match.to_act:
            action = self._choose(self.match.seen(seat))
            noticed = self.match.is_noticed(seat, action, self.scene.viewer)
            if is_first or not noticed:
                await self._move(seat, caller)
            if noticed:
                return
            is_first = False
            seq = self.live.table.seq
            await loop.sleep_between_ticks(loop.time() + self._ticks(seat) * TICK, seat + 1)
            if self._takes_back(seat) and self.live.table.seq == seq:
                await self._post(caller, "undo", seat)
                await loop.sleep_between_ticks(loop.time() + self._ticks(seat) * TICK, seat + 1)

    async def _move(self, seat: int, caller: Caller) -> None:
        if seat in self.match.to_act:
            await self._post(caller, "moves", seat, action=self._choose(self.match.seen(seat)))

    async def _post(self, caller: Caller, deed: str, seat: int, **more: object) -> None:
        assert await caller.post(f"/tables/{TABLE}/{deed}", decision=self.match.decision(seat), **more) == 200

    def _takes_back(self, seat: int) -> bool:
        return self._chance("undo", seat).random() < 0.25 and self.match.can_undo(seat)

    async def _think(self, _, level: str, seen: Seen) -> Chosen:
        """Choose for a bot, after a time that depends on what is hidden from the viewer.

        A bot that searches chooses at once where it has no choice. Else it thinks for up to half of its budget, which
        all steps of a choice share.
        """
        ticks, action = self._ticks(seen.seat), self._choose(seen)
        if budget := bots.level(level).budget.seconds:
            left = self.left.pop(seen.seat, round(budget / TICK))
            ticks = left * ticks // (2 * MOST_THOUGHT) if len(seen.legal) > 1 else 0
            if not self.match.is_noticed(seen.seat, action):
                self.left[seen.seat] = left - ticks
        await asyncio.sleep(ticks * TICK)
        return Chosen(action, "", ticks * TICK)

    def _ticks(self, seat: int) -> int:
        """Return for how many ticks a seat thinks; that depends on its cards, and on the world."""
        return 1 + zlib.crc32(self.match.blinded(seat).pack() + self.name.encode()) % MOST_THOUGHT

    def _choose(self, seen: Seen) -> int:
        """Return an action of a seat: the planned one if that is legal, or one of a bot.

        Where the viewer would notice neither of the two, the seat may take the second one.
        """
        key = seen.seat, seen.decision
        if key not in self.chosen:
            planned, chance = self.plan.get(key), self._chance(self.name, seen.seat)
            own = bots.Player(bots.level("random"), seen.game, chance.getrandbits(62)).choose(seen)
            departs = seen.seat != self.scene.viewer and chance.random() < 0.5 and not self._is_noticed(seen.seat, own)
            self.chosen[key] = planned if planned in seen.legal and not departs else own
        return self.chosen[key]

    def _is_noticed(self, seat: int, action: int) -> bool:
        return self.match.is_noticed(seat, action, self.scene.viewer)

    def _chance(self, purpose: str, seat: int) -> random.Random:
        return random.Random(f"{self.scene.seed} {purpose} {seat} {self.match.decision(seat)}")

    def visible(self) -> Iterator[Visible]:
        """Yield all changes that the viewer could see, as they follow from the log, from the position on."""
        match, secret = Match.from_position(self.scene.match.game, self.position, **self._given()), set()
        known, began = match.blinded(self.scene.viewer), self.log[0].at
        yield Visible(0.0, NO_SEAT, False, match.blinded(None), known)
        for entry in self.log:
            before = match.blinded(None)
            if entry.kind == MOVED:
                match.play(entry.seat, entry.text)
            elif entry.kind == UNDONE:
                match.replay_undo(entry.seat)
            elif entry.kind in (STAND_IN, RETURNED):
                match.hand_over(entry.seat, entry.text)
            else:
                continue
            if (after := match.blinded(self.scene.viewer)) != known:
                yield Visible(entry.at - began, entry.seat, entry.seat in secret, before, known := after)
                secret.clear()
            else:
                secret.add(entry.seat)

    def _given(self) -> dict[str, object]:
        match = self.match
        return {"seats": match.seats, "names": match.names, "options": match.options, "seed": SEED}


def player_at(seat: int) -> str:
    """Return the id of the person who sits at a seat."""
    return f"player {seat}"


async def during(seconds: float, doing) -> None:
    """Do several things at the same time for some seconds; raises what one of them raises."""
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(each) for each in doing]
    ending = loop.create_task(loop.sleep_between_ticks(seconds, 15))
    done, _ = await asyncio.wait([*tasks, ending], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
