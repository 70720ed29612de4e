"""The cost of a post: the processor time that servers take under the same load.

    python benchmarks/load.py [--tables N] [--rate VIEWS] [--seconds S] [--slices N] [--json]
    python benchmarks/load.py --processes 2 [...]
    python benchmarks/load.py --minstrels 100 [...]

At every table of King's Court two players and two spectators have a socket open, so that each post brings four views.
Scripted players post moves at fixed times, or as soon after as the views of the last move have come. Slices of two
servers take turns, and the figures are medians over the slices.

With one process the servers are ours and a bare one of the same stack, both on SQLite. The bare server commits one row
for a post, and pushes a page of the same size to as many sockets. `ours` and `bare` are the milliseconds of processor
time that all processes of a server take for a post with its four views, and `ratio` is ours to bare.

With two processes both servers are ours, and share a PostgreSQL that the command starts. One serves in one process. The
other serves in two; at every table one player and one spectator are at the first, the others at the second. `one` and
`two` are the milliseconds that all processes of a server and of the database take, and `scaling_cost` is two to one.

With `--minstrels N` both servers are ours, too. At N more tables of one of them a person plays a Minstrel, and a move
comes about every three seconds. `alone` and `beside` are the medians of the milliseconds from the moment at
which a post was due until a view has arrived, without and with these tables; `slowdown` is `beside` to `alone`, and
`moves` are the moves a second at these tables.

`delivered` is the share of the expected views that came. `p99_ms` is the 99th percentile of their times, each from the
moment at which the post was due until the view has arrived; both are those of the server that is named first, of the
two processes, or of the server with the Minstrels. The command fails if less than 95 % of the views came.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

import httpx
import psutil
import uvicorn
import uvloop
from litestar import Litestar

from parts.load.bare import bare
from parts.load.tables import (
    ADDRESS,
    CYCLE,
    WATCHERS,
    MinstrelTable,
    TableUnderLoad,
    make_bare,
    play_minstrel,
    sit_down,
)
from parts.postgres import cluster
from parts.serving import free_port, shown, wait_for
from quintain.bots import shipped_nets
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.registry import game
from quintain.server.http.doors import Bounds, ServerConfig, raise_file_limit
from quintain.server.http.site import Config
from quintain.server.limits import Rate
from quintain.server.run.app import create_app
from quintain.server.run.serving import collect_rarely
from quintain.server.store.addresses import Address, read_address

SETTLED = 0.5
"""After this many seconds without a view we expect no more views."""
DELIVERED = 0.95
RATES = {1: 800.0, 2: 300.0}
"""Views a second, by the number of processes, which two cores can deliver; PostgreSQL runs on them, too."""
CALM = 200.0
"""Views a second that leave the server time for the Minstrels' tables."""
UNLIMITED = Rate(1e9, 1e9)
NEVER = 1e9
PACE = 20.0
"""With this pace bots pause for four seconds at fast tables; at slow ones the server moves only after the script."""
MANY = 1_000_000
ROOMY = Bounds(MANY, MANY, MANY, MANY, head_seconds=3600.0)
"""Bounds for this load: all players come from one address, and open connections long before they post."""
Figures = dict[str, float]


def ours(database: Address, processes: int, pace: float) -> Litestar:
    """Return our server, without limits on requests."""
    return create_app(
        Config(
            database,
            pace=pace,
            player_rate=UNLIMITED,
            address_rate=UNLIMITED,
            table_rate=UNLIMITED,
            cost_rate=UNLIMITED,
            bounds=ROOMY,
            processes=processes,
        )
    )


class Server:
    """A server, each process of which has a port of its own, with tables at which sockets are open.

    With the pace NEVER neither bots nor only moves play by themselves.
    """

    def __init__(
        self,
        database: Address,
        processes: int = 1,
        is_bare: bool = False,
        postmaster: int | None = None,
        pace: float = NEVER,
        minstrels: int = 0,
    ):
        self.is_bare, self.postmaster, self.pace, self.minstrels = is_bare, postmaster, pace, minstrels
        self.tables: list[TableUnderLoad] = []
        self.beside: list[MinstrelTable] = []
        self.database, self.ports = database, [free_port() for _ in range(processes)]
        self.url = f"http://{ADDRESS}:{self.ports[0]}"
        self.processes: list[subprocess.Popen[bytes]] = []

    async def open(self, tables: int) -> None:
        """Start, make the tables, and open the sockets and the connections for posts.

        Tables are made in a thread: sockets that are open must answer the server's pings meanwhile.
        """
        command = [sys.executable, __file__, "--serve", "bare" if self.is_bare else "ours"]
        command += ["--database", shown(self.database), "--processes", str(len(self.ports))]
        command += ["--pace", str(self.pace)]
        for port in self.ports:
            started = subprocess.Popen([*command, "--port", str(port)])
            self.processes.append(started)
            wait_for(f"http://{ADDRESS}:{port}")
        for number in range(tables):
            make = make_bare if self.is_bare else partial(sit_down, number=number)
            table = await asyncio.to_thread(make, self.url)
            await table.open(self.ports)
            self.tables.append(table)
        for number in range(self.minstrels):
            self.beside.append(await asyncio.to_thread(play_minstrel, self.url, number))
            await self.beside[-1].open(self.ports[0])

    async def load(self, rate: float, seconds: float) -> Figures:
        """Offer views at a rate, and return what came of it."""
        await self.settle()
        begun = time.perf_counter() + 0.5 + (CYCLE if self.beside else 0.0)
        spread = [begun - CYCLE * (place + 1) / len(self.beside) for place in range(len(self.beside))]
        beside = [asyncio.create_task(each.play(at)) for each, at in zip(self.beside, spread, strict=True)]
        await asyncio.sleep(begun - 0.5 - time.perf_counter())
        before, seen, moves, since = self.processor_seconds(), self.seen(), self.moves(), time.perf_counter()
        every = len(self.tables) * WATCHERS / rate
        times = await self.posted(begun, every, begun + every + seconds)
        moves = (self.moves() - moves) / (time.perf_counter() - since)
        for task in beside:
            task.cancel()
        if not times:
            raise SystemExit(f"in {seconds} s no view came: offer more, or for longer")
        await self.settle()
        posts = (self.seen() - seen) / WATCHERS
        return {
            "cost_ms": 1000 * (self.processor_seconds() - before) / posts,
            "delivered": len(times) / (rate * seconds),
            "median_ms": 1000 * times[len(times) // 2],
            "p99_ms": 1000 * times[len(times) * 99 // 100],
            "moves": moves,
        }

    async def posted(self, begun: float, every: float, until: float) -> list[float]:
        """Let all tables post in turn at fixed times, and return the times that their views took, in order."""
        for table in self.tables:
            table.times.clear()
        plays = [
            asyncio.create_task(table.play(begun + every * place / len(self.tables), every, until))
            for place, table in enumerate(self.tables)
        ]
        ended, late = await asyncio.wait(plays, timeout=until + 1 - time.perf_counter())
        for play in late:
            play.cancel()
        for play in ended:
            play.result()
        refused = sum(poster.refused for table in self.tables for poster in table.posters)
        assert not refused, f"{refused} posts were refused"
        return sorted(took for table in self.tables for took in table.times)

    def processor_seconds(self) -> float:
        """Return the processor time that all processes of the server, and of its PostgreSQL, have taken so far."""
        pids = [process.pid for process in self.processes]
        return sum(map(processor_seconds, pids if self.postmaster is None else [*pids, self.postmaster]))

    def seen(self) -> int:
        """Return how many views have come so far."""
        return sum(table.seen for table in self.tables)

    def moves(self) -> float:
        """Return how many moves have come so far at the tables of Minstrels; no post there may be refused."""
        refused = sum(table.poster.refused for table in self.beside)
        assert not refused, f"{refused} posts to Minstrels were refused"
        return sum(table.seen for table in self.beside)

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
        """End the processes."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and of all its descendants, also of those that have ended."""
    process = psutil.Process(pid)
    return float(sum(sum(each.cpu_times()[:4]) for each in (process, *process.children(recursive=True))))


async def measure(servers: Sequence[Server], tables: int, rate: float, seconds: float, slices: int) -> list[Figures]:
    """Load all servers in turns, and return the figures of each; a first slice of each is not counted."""
    found: list[list[Figures]] = [[] for _ in servers]
    for server in servers:
        await server.open(tables)
    for _ in range(1 + slices):
        for server, slices_of_it in zip(servers, found, strict=True):
            if server.is_bare:
                httpx.put(f"{server.url}/page/{int(servers[0].page_bytes())}").raise_for_status()
            slices_of_it.append(await server.load(rate, seconds))
    return [{figure: median(each[figure] for each in taken[1:]) for figure in taken[0]} for taken in found]


def compare(given: argparse.Namespace, folder: Path) -> Figures:
    """Return the figures that the command prints."""

    def measured(*servers: Server) -> list[Figures]:
        try:
            return uvloop.run(measure(servers, given.tables, given.rate, given.seconds, given.slices))
        finally:
            for server in servers:
                server.stop()

    if given.minstrels:
        load(shipped_nets.drivers(game("kings-court")))
        alone, beside = measured(
            Server(folder / "alone.sqlite", pace=PACE),
            Server(folder / "beside.sqlite", pace=PACE, minstrels=given.minstrels),
        )
        took = {"alone": alone["median_ms"], "beside": beside["median_ms"]}
        slowdown = {"slowdown": beside["median_ms"] / alone["median_ms"], "moves": beside["moves"]}
        return {**took, **slowdown, "delivered": beside["delivered"], "p99_ms": beside["p99_ms"]}
    if given.processes == 1:
        mine, other = measured(Server(folder / "ours.sqlite"), Server(folder / "bare.sqlite", is_bare=True))
        costs = {"ours": mine["cost_ms"], "bare": other["cost_ms"], "ratio": mine["cost_ms"] / other["cost_ms"]}
        return {**costs, "delivered": mine["delivered"], "p99_ms": mine["p99_ms"]}
    with cluster(folder) as postgres:
        databases = [postgres.new_database() for _ in range(2)]
        servers = [Server(database, number, False, postgres.pid) for number, database in enumerate(databases, 1)]
        one, two = measured(*servers)
    costs = {"one": one["cost_ms"], "two": two["cost_ms"], "scaling_cost": two["cost_ms"] / one["cost_ms"]}
    return {**costs, "delivered": two["delivered"], "p99_ms": two["p99_ms"]}


def serve(kind: str, database: Address, port: int, processes: int, pace: float) -> None:
    """Serve in this process."""
    raise_file_limit()
    collect_rarely()
    config = ServerConfig(bare(database) if kind == "bare" else ours(database, processes, pace), ROOMY)
    config.port = port
    uvicorn.Server(config).run()


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, choices=(1, 2), default=1, help="the processes of our server")
    parser.add_argument("--minstrels", type=int, default=0, help="tables at which people play a Minstrel, beside these")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rate", type=float, help="views a second: 800, 300 on PostgreSQL, 200 beside Minstrels")
    parser.add_argument("--seconds", type=float, default=2, help="seconds that a counted slice lasts")
    parser.add_argument("--slices", type=int, default=7, help="number of counted slices of each server")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", choices=("ours", "bare"), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--pace", type=float, default=NEVER, help=argparse.SUPPRESS)
    parser.add_argument("--database", type=read_address, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rate is None:
        given.rate = CALM if given.minstrels else RATES[given.processes]
    if given.tables < 1 or given.slices < 1 or given.rate <= 0 or given.seconds <= 0:
        parser.error("there is at least one table and one slice, and the rate and the seconds are more than 0")
    if given.minstrels < 0 or (given.minstrels and given.processes > 1):
        parser.error("--minstrels takes a number of tables from 0 on, and one process")
    if given.serve:
        serve(given.serve, given.database, given.port, given.processes, given.pace)
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = compare(given, Path(folder))
    print(json.dumps(figures) if given.json else "\n".join(f"{key} {value:.2f}" for key, value in figures.items()))
    if figures["delivered"] < DELIVERED:
        raise SystemExit(f"only {figures['delivered']:.0%} of the views were delivered")


if __name__ == "__main__":
    main()
