"""Reading texts that strangers write, such as sets of cards, in a process with limits of time and memory.

The server goes on meanwhile, and does not depend on the bots' workers. It ends a process that takes too long; the next
text gets a new one. `work` is what runs in the process; `acts.py` asks when somebody makes a table.
"""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from quintain.engine.cards import read_entries, write_entries
from quintain.engine.errors import BadCards, BadOption, BadRecord, QuintainError
from quintain.engine.play.documents import MatchRecord, read_document
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import check_signature
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game, register_files
from quintain.server.processes import Stopping, end_with_server, without_ctrl_c
from quintain.server.refused import Refused
from quintain.server.turns import Asker, QueueRunner

SECONDS, START = 2.0, 60.0
"""Seconds that one text may take, and that the process may take to start."""
MOST_WAITING, MOST_OF_ONE = 64, 4
"""Texts that may wait at the same time, from everybody and from one address; the server refuses more."""
log = logging.getLogger("quintain.server")


class Reader:
    """Starts and ends the process that reads; it runs from the first text on."""

    def __init__(self, game_files: Sequence[Path] = ()):
        self.game_files = tuple(game_files)
        self._process: BaseProcess | None = None
        self._connection: Connection[bytes, bytes] | None = None
        self._queue = QueueRunner()
        self._is_stopped = False

    async def read_options(
        self, asker: Asker, found: Game, seats: int, given: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the options of a new table as they are stored, after making a book of them; raises BadOption.

        Options without a stranger's text are read here at once. The asker is an address and a player there.
        """
        if not _has_text(found, given):
            read = found.read_options(seats, given)
            found.make_book(seats, read)
            return read
        answer = await self._ask(asker, _encoded((found.id, seats, given)), f"options of {found.id}")
        assert answer.options is not None
        return answer.options

    async def read_record(self, asker: Asker, text: str) -> ReadRecord:
        """Return a record after playing it again; raises BadOption if it is not true."""
        answer = await self._ask(asker, _encoded((RECORD, 0, {RECORD: text})), "a record")
        assert answer.record
        return answer.record

    async def read_set(self, asker: Asker, found: Game, text: str) -> str:
        """Return a set of cards as it is kept, without remarks; raises BadCards if no set can be read from the text.

        Its cards may break rules of the game: whoever changes the set sees what is wrong.
        """
        answer = await self._ask(asker, _encoded((SET, 0, {"game": found.id, "text": text})), f"a set of {found.id}")
        return answer.written

    async def _ask(self, asker: Asker, question: bytes, what: str) -> Answer:
        """Let the process answer when it is the asker's turn; raises BadOption if it finds something wrong."""
        if self._queue.waiting() >= MOST_WAITING or self._queue.waiting(asker.owner) >= MOST_OF_ONE:
            raise Refused(503, "many texts are being read just now: wait a moment")
        answer = await self._queue.run(asker, lambda: asyncio.to_thread(self._answer, question))
        if answer.fault:
            raise RuntimeError(f"{what} cannot be read: {answer.fault}")
        if answer.wrong:
            raise BadCards(answer.wrong, answer.line) if answer.is_set else BadOption(answer.wrong)
        return answer

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


def _has_text(found: Game, given: Mapping[str, object]) -> bool:
    options = {option.name: option for option in found.text.OPTIONS}
    return isinstance(given, Mapping) and any(
        name in options and options[name].is_text(value) for name, value in given.items()
    )


def _encoded(question: tuple[str, int, Mapping[str, object]]) -> bytes:
    try:
        return msgspec.json.encode(question)
    except RecursionError as error:
        raise BadOption("the options cannot be read: lists in them are too deep") from error


MEMORY = 256 * 2**20
"""Bytes that the process may use besides those it starts with; only Linux enforces this."""
NICENESS = 2
FROM_POSITION = (
    "this game began from a position and not from a deal, and nobody can check whether a game comes to that position: "
    "`quintain replay` shows it, but it cannot be brought in"
)
"""Compiled rules check nothing: they could fail in a position that no game comes to, and with them a bot's process."""
RECORD = "record"
SET = "set"
"""In the place of a game's id: the text of a record, or a set of cards, is to be read."""


class ReadRecord(msgspec.Struct):
    """A record that was played again: the document as it was written, and the record of that play, without names."""

    document: MatchRecord
    nameless: dict[str, object]


class Answer(msgspec.Struct):
    """The answer to one text: options as they are stored, a record, or a set as it is kept.

    Else it says what is `wrong`, in a set with its line, or a `fault` of ours.
    """

    options: dict[str, object] | None = None
    record: ReadRecord | None = None
    written: str = ""
    is_set: bool = False
    wrong: str = ""
    line: int | None = None
    fault: str = ""


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
    """Read the options of a game, or a record. If memory runs out, the process ends, and the server starts another."""
    id_, seats, given = msgspec.json.decode(question)
    try:
        if id_ == RECORD:
            return Answer(record=_replayed(given[RECORD]))
        if id_ == SET:
            return _read_set(game(given["game"]), given["text"])
        found = game(id_)
        read = found.read_options(seats, given)
        found.make_book(seats, read)
    except QuintainError as error:
        return Answer(wrong=str(error))
    except RecursionError:
        return Answer(wrong="the options cannot be read: lists in them are too deep")
    except MemoryError:
        os._exit(1)
    except Exception:
        return Answer(fault=traceback.format_exc())
    return Answer(options=read)


def _read_set(found: Game, text: str) -> Answer:
    """Return a set as it is kept, or what is wrong with it and where."""
    assert found.collection and found.collection.vocabulary
    vocabulary = found.collection.vocabulary
    try:
        written = write_entries(read_entries(text, vocabulary))
        read_entries(written, vocabulary)
    except BadCards as error:
        return Answer(wrong=str(error), line=error.line, is_set=True)
    return Answer(written=written)


def _replayed(text: str) -> ReadRecord:
    """Return a record after playing it again; raises BadRecord if it does not follow the rules."""
    document = read_document(text)
    if document.position:
        raise BadRecord(FROM_POSITION)
    if not isinstance(document, MatchRecord):
        raise BadRecord("this is a save of a game that is not over: only finished games can be brought in")
    check_signature(json.loads(text))
    match = Match.load(text)
    return ReadRecord(document, match.record(with_names=False))


def _limit_memory() -> None:
    """Limit the process to MEMORY bytes more than it uses now."""
    if sys.platform == "linux":
        import resource

        used = re.search(r"VmData:\s*(\d+) kB", Path("/proc/self/status").read_text())
        if used:
            most = int(used[1]) * 1024 + MEMORY
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
