"""The server under attack: what an honest player notices, and whether the server survives.

    python benchmarks/hostile.py [--postgresql] [--runs N] [--seconds S] [--requests N] [--seed SEED]
                                 [--attack NAME ...] [--json]

Each run starts a server as `quintain serve` does, with a database of its own: a SQLite file, or with `--postgresql` one
of a PostgreSQL that the command starts, and then the server has two processes. A process of niceness 19
(`parts/hostile/attacks.py`) carries out one attack after another. Meanwhile an honest player, of `honest.py` there,
plays King's Court against a Squire and loads pages, a request every 0.15 s; the time of a request counts from when it
was due. `honest_p95_ms` is the 95th percentile of these times over the attacks of a run, and the median over the runs;
`longest_ms` is the longest of all.
`server_errors` counts answers of 500 and above, to anybody, and errors in the server's log; a 503 that refuses an
attacker's connection does not count. `crashes` counts attacks during which a process of the server ended, or the
server left the honest player without an answer; then the benchmark starts the server again. The runs share the random
requests, and send all of them unless that takes ten times as long as another attack. The bots' search is compiled first
if necessary.

All traffic goes to 127.0.0.1. The command only measures: it does not fail if a figure misses its goal.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psutil

from parts.hostile import attacks
from parts.hostile.guesses import LONGER, WARM
from parts.hostile.honest import ADDRESS, Honest
from parts.postgres import Cluster, cluster
from parts.serving import free_port, serving_processes, shown, wait_for

CALM = "calm"
WANTED = {"honest_p95_ms": 250, "longest_ms": 5000, "server_errors": 0, "crashes": 0}
"""Our goals: each figure should be at most this."""
ANSWERS_AT_FIRST, WARMING = 3, 60.0
"""The Squire answers this many times before the measurement, within this many seconds at most."""
HEALTH_PATIENCE = 10.0
"""If the server does not answer within these seconds after an attack, it counts as crashed."""
PREPARING = 60.0
"""Seconds that an attack may take to prepare; after that the player begins to play in any case."""
ATTACK_PATIENCE = 15.0
"""Seconds that an attack may overrun before we end its process."""
STOP_PATIENCE = 10.0
MOST_WORDS = 300
"""The report shows this many characters of an error in the log."""


class Server:
    """The server as people start it, in a process of its own; what it logs goes to a file."""

    def __init__(self, folder: Path, postgres: Cluster | None):
        self.port, self.log = free_port(), folder / "log"
        self.address = shown(postgres.new_database()) if postgres else str(folder / "server.sqlite")
        self.processes = 2 if postgres else 1
        self.url = f"http://{ADDRESS}:{self.port}"
        self.log.touch()
        self.read = 0
        """How much of the log has been looked at."""
        self.start()

    def start(self) -> None:
        """Start, and wait until the server answers."""
        command = [sys.executable, "-c", "from quintain.cli import main; main()", "serve", "--log-level", "error"]
        command += ["--host", ADDRESS, "--port", str(self.port), "--database", self.address]
        command += ["--processes", str(self.processes)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        wait_for(self.url)
        self.started = self.pids()

    def pids(self) -> list[int]:
        """Return the processes of the server, without those for bots and for texts."""
        serving = serving_processes(self.process.pid) if self.processes > 1 else []
        return [self.process.pid, *(process.pid for process in serving)]

    def errors(self) -> list[str]:
        """Return the errors logged since the last call."""
        logged = self.log.read_bytes()
        lines = logged[self.read :].decode(errors="replace").splitlines()
        self.read = len(logged)
        return [error for error in map(error_in, lines) if error]

    def answers(self) -> bool:
        """Tell whether the processes that were started run, and the server says that it is well."""
        if self.process.poll() is not None or self.pids() != self.started:
            return False
        try:
            return httpx.get(f"{self.url}/health", timeout=HEALTH_PATIENCE).is_success
        except httpx.HTTPError:
            return False

    def memory_mb(self) -> float:
        """Return the memory that the server itself takes, without its workers; 0 if it has ended."""
        try:
            return float(sum(psutil.Process(pid).memory_info().rss for pid in self.started)) / 2**20
        except psutil.NoSuchProcess:
            return 0.0

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        try:
            self.process.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Suffered:
    """What one attack did in one run."""

    times: list[float]
    squire: list[float]
    statuses: Counter[int]
    errors: list[str]
    faults: int
    crashed: bool
    attackers: dict[str, Any]
    seconds: float
    server_mb: float
    errors_at_stop: list[str] = field(default_factory=list)
    """Errors logged while the server stopped after the last attack; the report shows them but does not count them."""


def error_in(line: str) -> str:
    """Return the message of a line of the log if it is an error, else nothing."""
    try:
        said = json.loads(line)
    except ValueError:
        return line[:MOST_WORDS] if line.startswith("Traceback") else ""
    if said.get("level") not in ("error", "critical"):
        return ""
    last = str(said.get("error", "")).strip().rpartition("\n")[2]
    return f"{said.get('event')} {said.get('path', '')} {last}"[:MOST_WORDS]


def p95_ms(times: Sequence[float]) -> float:
    """Return the 95th percentile of times, in milliseconds; 0 for none."""
    ordered = sorted(times)
    return 1000 * ordered[len(ordered) * 95 // 100] if ordered else 0.0


async def suffer(server: Server, player: Honest, name: str, seconds: float, requests: int, seed: str) -> Suffered:
    """Let the player play through one attack, and return the results."""
    begun = time.monotonic()
    player.forget()
    ended = asyncio.Event()
    async with attack(server.port, name, seconds, requests, seed) as attacking:
        playing = asyncio.create_task(player.play(ended))
        attackers = await outcome(attacking, name, seconds)
        ended.set()
        await playing
    crashed = player.unanswered > 0 or not server.answers()
    errors = server.errors()
    faults = sum(number for status, number in player.statuses.items() if status >= 500)
    faults += attackers.get("counts", {}).get("faults", 0)
    seconds, server_mb = time.monotonic() - begun, server.memory_mb()
    return Suffered(
        player.times, player.squire, player.statuses, errors, faults, crashed, attackers, seconds, server_mb
    )


@asynccontextmanager
async def attack(port: int, name: str, seconds: float, requests: int, seed: str) -> AsyncIterator[Process]:
    """Begin an attack in a process of its own, which has prepared everything then."""
    command = [sys.executable, "-m", attacks.__name__, name, "--port", str(port), "--seed", seed]
    command += ["--seconds", str(seconds), "--requests", str(requests)]
    process = await asyncio.create_subprocess_exec(*command, cwd=Path(__file__).parent, stdout=subprocess.PIPE)
    assert process.stdout
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PREPARING):
                await process.stdout.readline()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def outcome(attacking: Process, name: str, seconds: float) -> dict[str, Any]:
    """Wait for the end of an attack, and return its results; nothing if that takes too long."""
    try:
        async with asyncio.timeout(ATTACK_PATIENCE + LONGER * seconds):
            printed, _ = await attacking.communicate()
    except TimeoutError:
        return {"counts": {"ended before it was done": 1}}
    if attacking.returncode:
        raise SystemExit(f"the attack {name} failed: its process ended with {attacking.returncode}")
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


async def run(
    names: Sequence[str], seconds: float, requests: int, seed: str, postgres: Cluster | None
) -> dict[str, Suffered]:
    """Carry all attacks out against one server; one that crashes is started again."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), postgres)
        found = {}
        try:
            player = await arrive(server, seed)
            for name in names:
                found[name] = suffered = await suffer(server, player, name, seconds, requests, seed)
                if suffered.crashed:
                    await player.leave()
                    server.stop()
                    server.start()
                    player = await arrive(server, seed)
            await player.leave()
        finally:
            server.stop()
        found[names[-1]].errors_at_stop = server.errors()
    return found


async def arrive(server: Server, seed: str) -> Honest:
    """Return a player who has begun to play."""
    player = Honest(server.url, seed)
    await player.sit_down()
    await player.warm_up(ANSWERS_AT_FIRST, WARMING)
    return player


def summary(runs: Sequence[dict[str, Suffered]]) -> dict[str, Any]:
    """Return the figures, and those of each attack."""
    attacked = [[each for name, each in found.items() if name != CALM] for found in runs]
    everything = [each for found in attacked for each in found]
    return {
        "honest_p95_ms": median(p95_ms([took for each in found for took in each.times]) for found in attacked),
        "longest_ms": 1000 * max(took for each in everything for took in each.times),
        "server_errors": sum(each.faults + len(each.errors) for each in everything),
        "crashes": sum(each.crashed for each in everything),
        "attacks": {name: breakdown([found[name] for found in runs]) for name in runs[0]},
    }


def breakdown(suffered: Sequence[Suffered]) -> dict[str, Any]:
    """Return the figures of one attack over all runs."""
    statuses, counts = Counter[str](), Counter[str]()
    for each in suffered:
        statuses.update(each.attackers.get("statuses", {}))
        counts.update(each.attackers.get("counts", {}))
    errors = Counter(error for each in suffered for error in each.errors)
    at_stop = Counter(error for each in suffered for error in each.errors_at_stop)
    faults = Counter(fault for each in suffered for fault in each.attackers.get("faults", ()))
    squire = [p95_ms(each.squire) for each in suffered if each.squire]
    honest = sum((each.statuses for each in suffered), Counter[int]())
    return {
        "honest_p95_ms": median(p95_ms(each.times) for each in suffered),
        "longest_ms": 1000 * max(took for each in suffered for took in each.times),
        "squire_p95_ms": median(squire) if squire else None,
        "server_errors": sum(each.faults + len(each.errors) for each in suffered),
        "crashes": sum(each.crashed for each in suffered),
        "honest_statuses": dict(sorted(honest.items())),
        "attackers_statuses": dict(sorted(statuses.items())),
        "attackers": dict(counts),
        "errors": dict((errors + faults).most_common(10)),
        "errors_at_stop": dict(at_stop.most_common(10)),
        "server_mb": max(each.server_mb for each in suffered),
        "seconds": median(each.seconds for each in suffered),
    }


def show(figures: dict[str, Any]) -> None:
    """Print the figures for people."""
    for name, each in figures["attacks"].items():
        words = [
            f"{key} {'none' if each[key] is None else format(each[key], ',.0f')}"
            for key in (*WANTED, "squire_p95_ms", "server_mb", "seconds")
        ]
        print(f"{name}: {', '.join(words)}")
        print(f"  the honest player's answers {each['honest_statuses']}, the attackers' {each['attackers_statuses']}")
        print(f"  the attackers: {each['attackers']}")
        for when in ("errors", "errors_at_stop"):
            for error, number in each[when].items():
                print(f"  {when}: {number} x {error}")
    for key, most in WANTED.items():
        print(f"{key} {figures[key]:,.0f} (goal: at most {most:,})")


def main() -> None:
    """Run the attacks, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="seconds that each attack lasts")
    parser.add_argument("--requests", type=int, default=10_000, help="number of random requests, over all runs")
    parser.add_argument("--seed", default="1", help="the seed of the random requests")
    parser.add_argument(
        "--attack", action="append", choices=attacks.ATTACKS, help="carry out only this attack; may be repeated"
    )
    parser.add_argument("--postgresql", action="store_true", help="two processes on a PostgreSQL, which is started")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.runs < 1 or given.seconds <= 0 or given.requests < given.runs:
        parser.error("there is at least one run, with one request each, and the seconds are more than 0")
    for game in WARM:
        subprocess.run([sys.executable, "-m", "quintain.bots.warm", game], check=True)
    runs, names, requests = [], given.attack or list(attacks.ATTACKS), given.requests // given.runs
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(Path(folder)) if given.postgresql else nullcontext() as postgres,
    ):
        for number in range(given.runs):
            begun = time.monotonic()
            runs.append(asyncio.run(run(names, given.seconds, requests, f"{given.seed}.{number}", postgres)))
            print(f"run {number + 1} of {given.runs} took {time.monotonic() - begun:.0f} s", file=sys.stderr)
    figures = summary(runs)
    if given.json:
        print(json.dumps(figures))
    else:
        show(figures)


if __name__ == "__main__":
    main()
