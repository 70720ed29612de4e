"""Reading texts that strangers write, such as sets of cards, in a process with limits of time and memory.

The server goes on meanwhile, and does not depend on the bots' workers. It ends a process that takes too long; the next
text gets a new one. `work` is what runs in the process; `acts.py` in `tables` asks when somebody makes a table.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import re
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from quintain.engine.rules.registry import all_games, register_files
from quintain.server.processes import end_with_server, without_ctrl_c
from quintain.server.refused import Refused, Stopping
from quintain.server.tables.reading import Answer, TextReader, read
from quintain.server.turns import Asker, QueueRunner

SECONDS, START = 2.0, 60.0
"""Seconds that one text may take, and that the process may take to start."""
MOST_WAITING, MOST_OF_ONE = 64, 4
"""Texts that may wait at the same time, from everybody and from one address; the server refuses more."""
log = logging.getLogger("quintain.server")


class Reader(TextReader):
    """Starts and ends the process that reads; it runs from the first text on."""

    def __init__(self, game_files: Sequence[Path] = ()):
        self.game_files = tuple(game_files)
        self._process: BaseProcess | None = None
        self._connection: Connection[bytes, bytes] | None = None
        self._queue = QueueRunner()
        self._is_stopped = False

    async def _answered(self, asker: Asker, question: bytes) -> Answer:
        """Let the process answer when it is the asker's turn; raises Refused if too many texts wait."""
        if self._queue.waiting() >= MOST_WAITING or self._queue.waiting(asker.owner) >= MOST_OF_ONE:
            raise Refused(503, "many texts are being read just now: wait a moment")
        return await self._queue.run(asker, lambda: asyncio.to_thread(self._answer, question))

    def stop(self) -> None:
        """End the process, even in the middle of a text; whoever waits for a text gets Stopping."""
        self._is_stopped = True
        if process := self._process:
            process.kill()
            process.join()

    def _answer(self, question: bytes) -> Answer:
        """Let the process read. End it if it takes too long; it ends itself if it runs out of memory."""
        if self._is_stopped:
            raise Stopping
        if not self._start():
            return Answer(fault="the process that reads did not start")
        assert self._connection
        words, connection = "needs too much memory", self._connection
        try:
            connection.send_bytes(question)
            if connection.poll(SECONDS):
                return msgspec.json.decode(connection.recv_bytes(), type=Answer)
            words = f"takes longer than {SECONDS:g} seconds"
        except (EOFError, OSError):
            pass
        self._end()
        if self._is_stopped:
            raise Stopping
        log.warning("a text was not read", extra={"reason": words})
        return Answer(wrong=f"reading this {words}: write less, or more simply")

    def _start(self) -> bool:
        """Start the process if it is not running, and return whether it runs now."""
        if self._process and self._process.is_alive():
            return True
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(name="reader", target=work, args=(theirs, self.game_files), daemon=True)
        with without_ctrl_c():
            self._process.start()
        theirs.close()
        try:
            if self._connection.poll(START):
                self._connection.recv_bytes()
                return True
        except (EOFError, OSError):
            pass
        self._end()
        return False

    def _end(self) -> None:
        if self._process and self._connection:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None


MEMORY = 256 * 2**20
"""Bytes that the process may use besides those it starts with; only Linux enforces this."""
NICENESS = 2


def work(there: Connection[bytes, bytes], game_files: Sequence[Path]) -> None:
    """Say that the process is up, then answer one text after another until the server ends."""
    end_with_server()
    os.nice(NICENESS)
    register_files(game_files)
    all_games()
    _limit_memory()
    there.send_bytes(b"")
    while True:
        there.send_bytes(msgspec.json.encode(_read(there.recv_bytes())))


def _read(question: bytes) -> Answer:
    """Read a text. If memory runs out, the process ends, and the server starts another."""
    try:
        return read(question)
    except MemoryError:
        os._exit(1)


def _limit_memory() -> None:
    """Limit the process to MEMORY bytes more than it uses now."""
    if sys.platform == "linux":
        import resource

        used = re.search(r"VmData:\s*(\d+) kB", Path("/proc/self/status").read_text())
        if used:
            most = int(used[1]) * 1024 + MEMORY
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
