"""The machine on which `faults.py` breaks a server: its processes, its disk, its clock, and its database.

Every fault happens at once, and is over when its function returns. The server may be killed meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import httpx
import psutil
import psycopg

from parts.faults.launched import SHIFT
from parts.postgres import Cluster
from parts.serving import free_port, serving_processes, shown

ADDRESS = "127.0.0.1"
RECOVERS = 120.0
"""Seconds within which a server must answer again after a fault."""
LEAST, MOST = 0.2, 1.5
"""Seconds that a disk is full or a database stopped, at least and at most."""
DAYS = 3 * 86400.0
"""The machine's clock jumps to a time at most so many seconds away from the true one."""
ALL_DIE = 0.25
"""How likely it is that all processes of a server are killed, if there are several."""
Fault = Callable[[], Coroutine[None, None, None]]


class Machine:
    """A server of one process on SQLite, or of two on a PostgreSQL of its own."""

    def __init__(self, folder: Path, postgres: Cluster | None, chance: random.Random):
        self.postgres, self.chance, self.port = postgres, chance, free_port()
        self.store = "PostgreSQL" if postgres else "SQLite"
        self.url, self.log, self.shift = f"http://{ADDRESS}:{self.port}", folder / "log", folder / "shift"
        self.database = postgres.new_database() if postgres else folder / "server.sqlite"
        self.faults: dict[str, Fault] = {"full disk": self.fill_disk, "clock": self.move_clock}
        if postgres:
            self.faults |= {"connections cut": self.cut_connections, "database stopped": self.stop_database}
        self.slowest = 0.0
        """The longest time in seconds until the server answered again."""
        self.gave_up = 0
        """How often the server has ended, though it had answered and nobody killed all of it."""
        self._is_up = False
        self._set_shift(0.0)

    def start(self) -> None:
        """Start the server."""
        command = [sys.executable, str(Path(__file__).with_name("launched.py")), "serve", "--log-level", "warning"]
        command += ["--host", ADDRESS, "--port", str(self.port), "--database", shown(self.database)]
        command += ["--processes", "2"] if self.postgres else []
        with self.log.open("ab") as log:
            environment = {**os.environ, SHIFT: str(self.shift)}
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)

    async def kill(self) -> None:
        """Kill the process that serves; of two that share a database one, or sometimes both with their supervisor."""
        serving = self._serving()
        if serving and self.chance.random() >= ALL_DIE:
            victims = [self.chance.choice(serving)]
        else:
            victims, self._is_up = [psutil.Process(self.process.pid), *serving], False
        for victim in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.kill()

    async def recover(self, after: str = "its first start") -> None:
        """Start the server again if it has ended, and wait until it answers; raises SystemExit if it does not.

        The error says on which store and `after` what, how the server answered last, and where its log is kept.
        """
        begun, answered = time.monotonic(), "nothing"
        async with httpx.AsyncClient(timeout=5.0) as http:
            while time.monotonic() < begun + RECOVERS:
                if self.process.poll() is not None:
                    self.gave_up += self._is_up
                    self._is_up = False
                    self.start()
                try:
                    answer = await http.get(f"{self.url}/health")
                except httpx.HTTPError as error:
                    answered = repr(error)
                else:
                    if answer.is_success:
                        self._is_up, self.slowest = True, max(self.slowest, time.monotonic() - begun)
                        return
                    answered = f"{answer.status_code} {answer.text}"
                await asyncio.sleep(0.1)
        kept = Path(tempfile.gettempdir()) / f"faults-{self.store.lower()}.log"
        shutil.copyfile(self.log, kept)
        running = [each.name() for each in [psutil.Process(self.process.pid), *self._serving()]]
        raise SystemExit(
            f"{self.store}: the server did not answer within {RECOVERS:.0f} s after {after}. "
            f"Its last answer: {answered}. "
            f"Load of the machine: {os.getloadavg()[0]:.1f}. Running: {', '.join(running)}. "
            f"Its log is kept in {kept} and ends:\n{self.log.read_text()[-4000:]}"
        )

    async def fill_disk(self) -> None:
        """Let no file grow for a while, as on a full disk."""
        writer = psutil.Process(self.postgres.pid if self.postgres else self.process.pid)
        await asyncio.to_thread(self._limit_files, writer, "1")
        await self._wait()
        await asyncio.to_thread(self._limit_files, writer, "unlimited")
        if self.postgres:  # it stops if it cannot write its own log
            await asyncio.to_thread(self.postgres.start)

    async def move_clock(self) -> None:
        """Set the machine's clock forward or back by up to three days."""
        self._set_shift(self.chance.uniform(-DAYS, DAYS))

    async def cut_connections(self) -> None:
        """Cut all connections to the database."""
        assert self.postgres and not isinstance(self.database, Path)
        with contextlib.suppress(psycopg.OperationalError):  # the database itself may be down
            await asyncio.to_thread(self.postgres.cut_connections, self.database)

    async def stop_database(self) -> None:
        """Stop the database, in good order or at once, and start it again."""
        assert self.postgres
        await asyncio.to_thread(self.postgres.stop, self.chance.random() < 0.5)
        await self._wait()
        await asyncio.to_thread(self.postgres.start)

    def stop(self) -> None:
        """End the server."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(RECOVERS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _serving(self) -> list[psutil.Process]:
        """Return the processes that serve for a supervisor; none if the server has one process, or has ended."""
        if not self.postgres or self.process.poll() is not None:
            return []
        return serving_processes(self.process.pid)

    async def _wait(self) -> None:
        await asyncio.sleep(self.chance.uniform(LEAST, MOST))

    def _set_shift(self, seconds: float) -> None:
        new = self.shift.with_suffix(".new")
        new.write_text(str(seconds), encoding="ascii")
        new.replace(self.shift)

    def _limit_files(self, writer: psutil.Process, most: str) -> None:
        """Let files grow up to a number of bytes, for a process, and for its children if it is PostgreSQL's."""
        with contextlib.suppress(psutil.NoSuchProcess):
            limit_files(writer, most)
            for child in writer.children() if self.postgres else ():
                with contextlib.suppress(psutil.NoSuchProcess):
                    limit_files(child, most)


def limit_files(process: psutil.Process, most: str) -> None:
    """Let no file of a process grow beyond a number of bytes; its own user does it, as root may lack the right."""
    user, group = process.uids().real, process.gids().real
    command = ["prlimit", f"--pid={process.pid}", f"--fsize={most}:unlimited"]
    subprocess.run(command, user=user, group=group, stderr=subprocess.DEVNULL, check=False)
